"""The weekday that a Gregorian date really has, in the words of the story."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.calendar import WEEKDAYS, with_right_weekday


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("Tuesday, March 03, 1873 AD", "Monday, March 03, 1873 AD"),
        ("10:15 PM, Day 3 - FRIDAY, March 3rd, 1873", "10:15 PM, Day 3 - MONDAY, March 3rd, 1873"),
        ("1874-03-02 21 Tue", "1874-03-02 21 Mon"),
        ("Dienstag, 3. März 1873 n. Chr., 22 Uhr", "Montag, 3. März 1873 n. Chr., 22 Uhr"),
        ("вторник, 3 марта 1873 года", "понедельник, 3 марта 1873 года"),
        ("martes, 3 de marzo de 1873", "lunes, 3 de marzo de 1873"),
        ("2024年3月3日 星期一 22:15", "2024年3月3日 星期日 22:15"),
        ("2024년 3월 3일 월요일", "2024년 3월 3일 일요일"),
    ],
)
def test_a_wrong_weekday_of_a_gregorian_date_is_put_right(written: str, right: str) -> None:
    assert with_right_weekday(written) == right


@pytest.mark.parametrize(
    "text",
    [
        "Monday, March 03, 1873",
        "Day 1, Sunday 12 Thaw 812",
        "Sunday, March 3, 812",
        "Sunday, March 3, 1873 BC",
        "Sunday, March 3, 1873 of the Third Age",
        "Sunday, February 30, 1873",
        "Sunday, 1873-13-03",
        "Sunday or Tuesday, March 3, 1873",
        "Sunday, March 3, 1873, or April 4, 1873",
        "March 3, 1873",
        "Sunday",
        "",
    ],
)
def test_every_other_weekday_stays_as_it_is_written(text: str) -> None:
    assert with_right_weekday(text) == text


@given(
    day=st.dates(min_value=date(1583, 1, 1)),
    family=st.sampled_from(WEEKDAYS),
    said=st.integers(0, 6),
)
def test_every_weekday_of_every_language_becomes_the_right_one(
    day: date, family: tuple[str, ...], said: int
) -> None:
    text = f"{day.isoformat()} {family[said]}"
    right = {words[day.weekday()].casefold() for words in WEEKDAYS if family[said] in words}
    assert with_right_weekday(text).removeprefix(f"{day.isoformat()} ").casefold() in right


@given(text=st.text())
def test_any_text_is_read_and_its_own_result_stays(text: str) -> None:
    once = with_right_weekday(text)
    assert with_right_weekday(once) == once
