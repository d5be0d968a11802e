from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.formats.json_lines import JsonValue
from foreword.formats.sillytavern_dates import instant_of, written_like

AFTERNOON = datetime(2023, 6, 19, 14, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2023-06-19T14:20:00.000Z", AFTERNOON),
        ("2023-06-19T16:20:00+02:00", AFTERNOON),
        ("June 19, 2023 2:20pm", AFTERNOON),
        ("jun 19 2023 14:20", AFTERNOON),
        ("2023-06-19@14h20m00s", AFTERNOON),
        ("2023-6-19 @14h 20m 00s 000ms", AFTERNOON),
        (1_687_184_400_000, AFTERNOON),
        ("1687184400000", AFTERNOON),
        ("June 19, 2023 12:05am", datetime(2023, 6, 19, 0, 5, tzinfo=UTC)),
        ("Smarch 1, 2023 2:20pm", None),
        ("June 31, 2023 2:20pm", None),
        ("2023-13-19@14h20m00s", None),
        ("yesterday", None),
        ("", None),
        ("9" * 5000, None),
        (-1, None),
        (1e300, None),
        (True, None),
        (None, None),
        ([], None),
    ],
)
def test_every_form_says_its_time_and_anything_else_says_none(
    written: JsonValue, said: datetime | None
) -> None:
    assert instant_of(written) == said


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)),  # noqa: DTZ001 - given a zone below
    st.sampled_from(
        ["2023-06-19T14:20:00Z", "June 19, 2023 2:20pm", "2023-06-19@14h20m00s", 1, None, "?"]
    ),
)
def test_a_time_written_like_its_neighbour_says_the_same_to_the_minute(
    moment: datetime, neighbour: JsonValue
) -> None:
    moment = moment.replace(tzinfo=UTC, second=0, microsecond=0)
    assert instant_of(written_like(moment, neighbour)) == moment
