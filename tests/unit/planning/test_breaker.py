from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from foreword.domain.ids import ConversationId
from foreword.domain.routes import Route, RouteKind
from foreword.errors import FailureClass
from foreword.planning.breaker import (
    CLOSED,
    LONGEST_COOLDOWN,
    OPENS_AFTER,
    TRIAL_SECONDS,
    Breaker,
    Permit,
    breaker_from,
    breaker_key,
    failed,
    permit,
    stored_breaker,
)

NOW = datetime(2026, 12, 1, 10, tzinfo=UTC)
NETWORK = FailureClass.NETWORK
COUNTED = [failure for failure in FailureClass if failure is not FailureClass.OVERFLOW]
CHAT = Route(name="chat", kind=RouteKind.OPENAI, url="https://one.example/v1", model="m")
MERGE = replace(CHAT, model="other")
ELSEWHERE = replace(CHAT, url="https://two.example/v1")
HERE, THERE = ConversationId("c1"), ConversationId("c2")


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def opened(failure: FailureClass = NETWORK) -> Breaker:
    """Fail three times at `NOW`."""
    breaker = CLOSED
    for _ in range(OPENS_AFTER):
        breaker = failed(breaker, failure, NOW)
    return breaker


@st.composite
def histories(draw: st.DrawFn) -> Breaker:
    """Draw what calls that fail, one after another and at any time, leave behind."""
    breaker, now = CLOSED, NOW
    failure = draw(st.sampled_from(COUNTED))
    for seconds in draw(st.lists(st.floats(0, 30_000), max_size=12)):
        now += timedelta(seconds=seconds)
        allowed = permit(breaker, now)
        breaker = allowed.breaker
        if allowed.allowed and draw(st.booleans()):
            breaker = failed(breaker, failure, now)
    return breaker


def test_a_closed_breaker_allows_every_call_and_notes_nothing() -> None:
    assert permit(CLOSED, NOW) == Permit(allowed=True, until=None, breaker=CLOSED)
    once = failed(CLOSED, NETWORK, NOW)
    assert permit(once, NOW) == Permit(allowed=True, until=None, breaker=once)


@pytest.mark.parametrize("failure", COUNTED)
def test_a_breaker_opens_at_the_third_failure_in_a_row(failure: FailureClass) -> None:
    first = failed(CLOSED, failure, NOW)
    second = failed(first, failure, after(1))
    third = failed(second, failure, after(2))
    cooldown = 1800.0 if failure in {FailureClass.AUTH, FailureClass.QUOTA} else 600.0
    assert (first, second) == (Breaker(failures=1), Breaker(failures=2))
    assert third == Breaker(failures=3, opened_at=after(2), cooldown=cooldown)


@given(st.lists(st.sampled_from(COUNTED), max_size=OPENS_AFTER - 1))
def test_a_breaker_never_opens_before_three_failures(failures: Sequence[FailureClass]) -> None:
    breaker = CLOSED
    for failure in failures:
        breaker = failed(breaker, failure, NOW)
    assert breaker == Breaker(failures=len(failures))
    assert permit(breaker, NOW).allowed


@given(histories())
def test_a_request_that_does_not_fit_is_no_failure(breaker: Breaker) -> None:
    assert failed(breaker, FailureClass.OVERFLOW, after(10**6)) == breaker


def test_an_open_breaker_allows_nothing_until_it_is_cool() -> None:
    breaker = opened()
    refused = Permit(allowed=False, until=after(600), breaker=breaker)
    assert permit(breaker, NOW) == refused
    assert permit(breaker, after(599.9)) == refused
    assert permit(breaker, after(600)).allowed


@given(histories(), st.floats(0, 0.999))
def test_nothing_is_allowed_before_what_a_refusal_says(breaker: Breaker, part: float) -> None:
    now = breaker.trial_at or breaker.opened_at
    assume(now is not None)
    assert now is not None
    refused = permit(breaker, now)
    assert refused.until is not None
    assert permit(breaker, now + part * (refused.until - now)) == refused
    assert permit(breaker, refused.until).allowed


def test_a_cool_breaker_allows_one_trial_at_a_time() -> None:
    trial = permit(opened(), after(600))
    assert trial.breaker == replace(opened(), trial_at=after(600))
    assert permit(trial.breaker, after(601)) == Permit(
        allowed=False, until=after(600 + TRIAL_SECONDS), breaker=trial.breaker
    )


def test_a_trial_that_never_ends_makes_room_for_another() -> None:
    lost = permit(opened(), after(600)).breaker
    again = permit(lost, after(600 + TRIAL_SECONDS))
    assert again == Permit(
        allowed=True, until=None, breaker=replace(opened(), trial_at=after(600 + TRIAL_SECONDS))
    )


def test_a_trial_that_fails_doubles_the_time_until_the_next_up_to_six_hours() -> None:
    breaker, now, cooldowns = opened(), NOW, []
    for _ in range(7):
        cooldowns.append(breaker.cooldown / 60)
        now += timedelta(seconds=breaker.cooldown)
        breaker = failed(permit(breaker, now).breaker, NETWORK, now)
        assert (breaker.opened_at, breaker.trial_at) == (now, None)
    assert cooldowns == [10, 20, 40, 80, 160, 320, 360]
    assert breaker.failures == OPENS_AFTER + 7


def test_a_provider_is_left_alone_for_longer() -> None:
    breaker = opened(FailureClass.QUOTA)
    assert permit(breaker, after(1799)).until == after(1800)
    trial = permit(breaker, after(1800)).breaker
    assert failed(trial, FailureClass.QUOTA, after(1801)).cooldown == 3600


def test_what_was_asked_before_it_opened_does_not_keep_it_open_longer() -> None:
    late = failed(opened(), NETWORK, after(30))
    assert late == replace(opened(), failures=OPENS_AFTER + 1)
    assert permit(late, after(600)).allowed


def test_what_a_wrong_clock_noted_far_ahead_blocks_nothing() -> None:
    ahead = replace(opened(), opened_at=after(10**8))
    assert permit(ahead, NOW) == Permit(allowed=True, breaker=replace(ahead, trial_at=NOW))
    assert failed(ahead, NETWORK, NOW) == Breaker(failures=4, opened_at=NOW, cooldown=1200)
    trial = replace(opened(), trial_at=after(10**8))
    assert permit(trial, after(600)).breaker == replace(opened(), trial_at=after(600))


@given(histories(), st.floats(-(10**9), 10**9))
def test_nobody_ever_waits_longer_than_twice_the_longest_time(
    breaker: Breaker, seconds: float
) -> None:
    now = after(seconds)
    until = permit(breaker, now).until or now
    assert 0 <= (until - now).total_seconds() <= 2 * LONGEST_COOLDOWN


@given(histories())
def test_a_cooldown_is_never_longer_than_six_hours(breaker: Breaker) -> None:
    assert breaker.cooldown <= LONGEST_COOLDOWN


@given(st.integers(0, OPENS_AFTER - 1), st.integers(0, OPENS_AFTER - 1))
def test_failures_around_a_success_are_not_in_a_row(before: int, later: int) -> None:
    breaker = CLOSED
    for _ in range(before):
        breaker = failed(breaker, NETWORK, NOW)
    assert (stored_breaker(breaker) == {}) is (before == 0)
    breaker = breaker_from(stored_breaker(CLOSED))
    for _ in range(later):
        breaker = failed(breaker, NETWORK, NOW)
    assert breaker == Breaker(failures=later)


@given(histories())
def test_a_stored_breaker_reads_as_itself(breaker: Breaker) -> None:
    assert breaker_from(stored_breaker(breaker)) == breaker


def test_an_open_breaker_is_stored_as_strings_by_name() -> None:
    trial = permit(opened(), after(600)).breaker
    assert stored_breaker(trial) == {
        "failures": "3",
        "cooldown": "600.0",
        "opened_at": "2026-12-01T10:00:00+00:00",
        "trial_at": "2026-12-01T10:10:00+00:00",
    }


@pytest.mark.parametrize(
    "broken",
    [
        {"failures": "many"},
        {"failures": "-3"},
        {"failures": "9" * 5000},
        {"failures": "2"},
        {"cooldown": "nan"},
        {"cooldown": "inf"},
        {"cooldown": "-600"},
        {"cooldown": "0"},
        {"cooldown": "1e300"},
        {"opened_at": "yesterday"},
        {"opened_at": "2026-12-01T10:00:00"},
        {"opened_at": "9999-12-31T23:00:00+00:00"},
        {"trial_at": ""},
        {"trial_at": "9999-12-31T23:59:00+00:00"},
    ],
)
def test_a_stored_breaker_that_cannot_be_true_counts_as_closed(broken: dict[str, str]) -> None:
    whole = stored_breaker(permit(opened(), after(600)).breaker)
    assert breaker_from(whole | broken) == CLOSED


@pytest.mark.parametrize("missing", ["failures", "cooldown", "opened_at"])
def test_a_stored_breaker_with_a_part_missing_counts_as_closed(missing: str) -> None:
    whole = stored_breaker(permit(opened(), after(600)).breaker)
    assert breaker_from({name: whole[name] for name in whole if name != missing}) == CLOSED


@given(
    st.dictionaries(
        st.sampled_from(["failures", "cooldown", "opened_at", "trial_at", "later"]),
        st.one_of(
            st.text(max_size=12),
            st.integers().map(str),
            st.floats().map(str),
            st.datetimes(timezones=st.timezones()).map(datetime.isoformat),
        ),
    )
)
def test_whatever_is_stored_a_breaker_can_be_used(values: dict[str, str]) -> None:
    breaker = breaker_from(values)
    assert failed(permit(breaker, NOW).breaker, NETWORK, NOW).cooldown <= LONGEST_COOLDOWN


@pytest.mark.parametrize("failure", list(FailureClass))
def test_a_key_tells_apart_what_fails_apart(failure: FailureClass) -> None:
    keys = [
        breaker_key(failure, route, conversation)
        for route in (CHAT, MERGE, ELSEWHERE)
        for conversation in (HERE, THERE, None)
    ]
    if failure in {FailureClass.AUTH, FailureClass.QUOTA}:
        assert set(keys) == {
            f"provider https://one.example {failure.value}",
            f"provider https://two.example {failure.value}",
        }
    else:
        assert len(set(keys)) == 9
        assert keys[:2] == [
            f"conversation c1 https://one.example m {failure.value}",
            f"conversation c2 https://one.example m {failure.value}",
        ]


def test_no_two_classes_share_a_key() -> None:
    assert len({breaker_key(failure, CHAT, HERE) for failure in FailureClass}) == len(FailureClass)
