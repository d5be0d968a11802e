from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foreword.domain.routes import Route, RouteKind
from foreword.planning.calibration import (
    LARGEST_RATIO,
    LARGEST_STEP,
    LEAST_TOKENS,
    SMALLEST_RATIO,
    Calibration,
    calibrated,
    calibration_from,
    calibration_key,
    observed,
    overflowed,
    stored_calibration,
    usable,
)

FRESH = Calibration()
CHAT = Route(name="chat", kind=RouteKind.OPENAI, url="https://one.example/v1", model="m")

ratios = st.floats(SMALLEST_RATIO, LARGEST_RATIO)
calibrations = st.builds(Calibration, ratio=ratios, samples=st.integers(0, 10**6))
counts = st.integers(0, 10**8)


def at(ratio: float) -> Calibration:
    return Calibration(ratio=ratio, samples=9)


@pytest.mark.parametrize(
    ("before", "counted", "reported", "ratio"),
    [
        (1.0, 1000, 1000, 1.0),
        (1.0, 1000, 1200, 1.04),
        (1.0, 1000, 800, 0.96),
        (1.2, 1000, 1200, 1.2),
        (1.0, 1000, 1750, 1.15),
        (1.0, 1000, 10**9, 1.15),
        (2.0, 1000, 1, 1.85),
        (1.9, 1000, 5000, 1.92),
    ],
)
def test_a_report_moves_the_ratio_by_a_fifth_of_the_way_and_never_far(
    before: float, counted: int, reported: int, ratio: float
) -> None:
    learnt = observed(at(before), counted, reported)
    assert learnt.ratio == pytest.approx(ratio)
    assert learnt.samples == 10


@pytest.mark.parametrize(
    ("counted", "reported"),
    [(LEAST_TOKENS - 1, 400), (0, 400), (-5, 400), (1000, 0), (1000, -7)],
)
def test_nothing_is_learnt_from_small_requests_and_empty_reports(
    counted: int, reported: int
) -> None:
    assert observed(FRESH, counted, reported) == FRESH


def test_the_smallest_request_that_teaches_has_two_hundred_tokens() -> None:
    assert observed(FRESH, 200, 220).ratio == pytest.approx(1.02)


@given(calibrations, st.lists(st.tuples(counts, st.integers(-(10**9), 10**400)), max_size=30))
def test_reports_move_the_ratio_in_bounded_steps_within_its_bounds(
    calibration: Calibration, reports: Sequence[tuple[int, int]]
) -> None:
    for counted, reported in reports:
        before, calibration = calibration, observed(calibration, counted, reported)
        assert SMALLEST_RATIO <= calibration.ratio <= LARGEST_RATIO
        assert abs(calibration.ratio - before.ratio) <= LARGEST_STEP + 1e-12


@given(st.floats(SMALLEST_RATIO, LARGEST_RATIO), calibrations)
def test_equal_reports_lead_to_their_ratio(true: float, calibration: Calibration) -> None:
    for _ in range(60):
        calibration = observed(calibration, 100_000, round(100_000 * true))
    assert calibration.ratio == pytest.approx(true, abs=0.001)


@pytest.mark.parametrize(
    ("before", "counted", "needed", "limit", "ratio"),
    [
        (1.0, 1000, 1300, 1200, 1.3),
        (1.0, 1000, 1300, None, 1.3),
        (1.0, 1000, 9000, 8192, 2.0),
        (1.0, 1000, 10**400, 8192, 2.0),
        (1.5, 1000, 1300, 1200, 1.5),
        (1.0, 1000, None, 1200, 1.15),
        (1.0, 1000, None, 1000, 1.15),
        (1.0, 1000, None, None, 1.15),
        (1.0, 1000, 0, 1200, 1.15),
        (1.9, 1000, None, None, 2.0),
        (2.0, 1000, None, None, 2.0),
    ],
)
def test_an_overflow_raises_the_ratio_to_what_was_told_else_by_one_step(
    before: float, counted: int, needed: int | None, limit: int | None, ratio: float
) -> None:
    learnt = overflowed(at(before), counted, needed, limit)
    assert learnt.ratio == pytest.approx(ratio)
    assert learnt.samples == 10


def test_a_request_already_known_not_to_fit_teaches_no_ratio() -> None:
    assert overflowed(at(1.25), 1000, None, 1249) == at(1.25)
    assert overflowed(at(1.25), 1000, None, 1250) != at(1.25)


@pytest.mark.parametrize("counted", [0, -1])
def test_an_overflow_of_nothing_teaches_nothing(counted: int) -> None:
    assert overflowed(FRESH, counted, 9000, 8192) == FRESH


@given(calibrations, st.integers(1, 10**7), st.none() | st.integers(), st.none() | counts)
def test_an_overflow_never_lowers_the_ratio(
    calibration: Calibration, counted: int, needed: int | None, limit: int | None
) -> None:
    learnt = overflowed(calibration, counted, needed, limit)
    assert calibration.ratio <= learnt.ratio <= LARGEST_RATIO


@given(calibrations, st.integers(1, 10**7), st.data())
def test_the_same_request_is_known_not_to_fit_once_the_server_told_its_size(
    calibration: Calibration, counted: int, data: st.DataObject
) -> None:
    needed = data.draw(st.integers(counted, 2 * counted))
    learnt = overflowed(calibration, counted, needed, needed - 1)
    assert calibrated(counted, learnt) >= needed
    assert usable(needed - 1, learnt) < counted


@pytest.mark.parametrize(
    ("tokens", "ratio", "expected"),
    [(100, 1.0, 100), (100, 1.1, 110), (101, 1.1, 112), (100, 0.5, 50), (101, 0.5, 51), (0, 2, 0)],
)
def test_a_calibrated_count_is_rounded_up(tokens: int, ratio: float, expected: int) -> None:
    assert calibrated(tokens, at(ratio)) == expected


@pytest.mark.parametrize(
    ("limit", "ratio", "expected"),
    [
        (1000, 1.0, 1000),
        (1000, 0.5, 1000),
        (1000, 0.99, 1000),
        (1050, 1.01, 1000),
        (1050, 1.05, 1000),
        (1100, 1.0501, 1000),
        (115, 1.15, 100),
        (1000, 2.0, 500),
        (1001, 2.0, 500),
        (0, 1.3, 0),
    ],
)
def test_what_fits_is_found_with_the_ratio_rounded_up_to_a_twentieth(
    limit: int, ratio: float, expected: int
) -> None:
    assert usable(limit, at(ratio)) == expected


@given(counts, calibrations)
@example(110, Calibration(ratio=1.1))
@example(10**8, Calibration(ratio=1.0000499))
def test_what_is_usable_fits_and_is_never_more_than_the_limit(
    limit: int, calibration: Calibration
) -> None:
    fits = usable(limit, calibration)
    assert fits <= limit
    assert calibrated(fits, calibration) <= limit


@given(counts, ratios)
def test_what_is_usable_changes_at_most_twenty_times_up_to_the_largest_ratio(
    limit: int, ratio: float
) -> None:
    steps = {usable(limit, at(1 + step / 20)) for step in range(21)}
    assert usable(limit, at(ratio)) in steps


@given(counts, ratios, ratios)
def test_more_never_fits_at_a_larger_ratio(limit: int, one: float, other: float) -> None:
    small, large = sorted([one, other])
    assert usable(limit, at(large)) <= usable(limit, at(small))


@given(calibrations)
def test_a_stored_calibration_reads_as_itself(calibration: Calibration) -> None:
    assert calibration_from(stored_calibration(calibration)) == calibration


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"later": "1"},
        {"ratio": "", "samples": "3"},
        {"ratio": "nan", "samples": "3"},
        {"ratio": "1.2", "samples": "many"},
        {"ratio": "1.2", "samples": "-1"},
        {"ratio": "1.2", "samples": "9" * 5000},
    ],
)
def test_a_stored_calibration_that_cannot_be_read_counts_as_none(values: dict[str, str]) -> None:
    assert calibration_from(values) == FRESH


@pytest.mark.parametrize(("ratio", "read"), [("9", 2.0), ("0", 0.5), ("-inf", 0.5), ("inf", 2.0)])
def test_a_stored_ratio_out_of_bounds_is_brought_back(ratio: str, read: float) -> None:
    assert calibration_from({"ratio": ratio, "samples": "9"}) == at(read)


def test_calibrations_are_of_a_model_at_a_server_and_of_a_counter() -> None:
    key = calibration_key(CHAT, "words")
    assert key == "https://one.example m words"
    assert (
        calibration_key(replace(CHAT, name="merge", url="https://one.example/v2"), "words") == key
    )
    others = [
        calibration_key(replace(CHAT, model="m2"), "words"),
        calibration_key(replace(CHAT, url="https://two.example/v1"), "words"),
        calibration_key(CHAT, "bytes"),
    ]
    assert len({key, *others}) == 4
