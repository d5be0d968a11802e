from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import (
    costs,
    entry,
    exchanges_of,
    numbers,
    parted_at,
    parted_stories,
    pile,
    stories,
)

from foreword.domain.ids import Pos, TurnId
from foreword.domain.policy import Cadence, Policy, Resolution
from foreword.domain.turn import Entry
from foreword.planning.recap import (
    Advice,
    Load,
    PileTail,
    Reason,
    State,
    advise,
    forced_piece,
    next_piece,
    would_block,
)

USUAL = (Cadence.RECOMMENDED, Resolution.RECOMMENDED)
cadences = st.sampled_from(Cadence)
resolutions = st.sampled_from(Resolution)


def load_of(context: int, **parts: int) -> Load:
    reply = Policy(context=context).reply_reserve
    return Load(context=context, reply=reply, fixed=parts.pop("fixed", 0), **parts)


def tail_of(*stretches: Sequence[Entry]) -> PileTail:
    turns = [turn for stretch in stretches for turn in stretch]
    return PileTail(
        tokens=sum(turn.cost for turn in turns),
        newest_first=tuple(reversed(turns)),
        covered=parted_at(stretches),
    )


def advice_on(load: Load, turns: Sequence[Entry]) -> Advice:
    return advise(load, tail_of(turns), cadence=USUAL[0], resolution=USUAL[1])


def exchanges_worth(tokens: int, size: int = 50) -> tuple[Entry, ...]:
    return pile("ua" * (tokens // size // 2), size)


def test_the_numbers_of_a_small_context_are_those_of_the_decision() -> None:
    load = load_of(4096, fixed=200, summaries=300, pins=100)
    assert advice_on(load, pile("ua" * 10, 50)) == Advice(
        state=State.CHAT_MORE,
        reason=Reason.NONE,
        turn_id=None,
        pile_tokens=1000,
        due_tokens=410 + (2472 - 410) * 70 // 100,
        progress=1000 / 1853,
        worth_tokens=410 + 618,
        forecast_turns=18,
        reserve_tokens=410,
        recaps_tokens=300,
        context=4096,
        room=4096 - 1024 - 200 - 300 - 100,
        chunk=618,
        target=120,
        compressible=500,
        cut=Pos(100),
    )


@pytest.mark.parametrize(
    ("context", "reserve", "target"),
    [(4096, 410, 120), (8192, 820, 128), (32_768, 3277, 512), (200_000, 20_000, 600)],
)
def test_reserve_and_target_follow_the_context(context: int, reserve: int, target: int) -> None:
    load = load_of(context)
    assert (load.reserve, load.target) == (reserve, target)


@pytest.mark.parametrize(
    ("cadence", "resolution", "chunk", "due"),
    [
        (Cadence.LESS_OFTEN, Resolution.LESS_DETAIL, 8192, 28_897),
        (Cadence.LESS_OFTEN, Resolution.RECOMMENDED, 7936, 28_897),
        (Cadence.RECOMMENDED, Resolution.RECOMMENDED, 7936, 23_203),
        (Cadence.MORE_OFTEN, Resolution.RECOMMENDED, 7936, 16_087),
        (Cadence.MORE_OFTEN, Resolution.MORE_DETAIL, 3809, 16_087),
    ],
)
def test_cadence_moves_when_and_resolution_how_much(
    cadence: Cadence, resolution: Resolution, chunk: int, due: int
) -> None:
    load = load_of(32_768)
    assert (load.chunk(cadence, resolution), load.due(cadence, resolution)) == (chunk, due)


@pytest.mark.parametrize("context", [4096, 32_768, 200_000])
@pytest.mark.parametrize("state", State)
def test_every_state_is_reached_at(context: int, state: State) -> None:
    load = load_of(context)
    size = context // 100
    chunk, due = load.chunk(*USUAL), load.due(*USUAL)
    amounts = {
        State.CHAT_MORE: load.reserve,
        State.RECAP_NOW: load.reserve + chunk + 6 * size,
        State.RECAP_DUE: due + 2 * size,
        State.OVERFLOWING: load.room + 2 * size,
        State.NO_ROOM: size,
    }
    if state is State.NO_ROOM:
        load = replace(load, summaries=load.room - load.reserve - 255)
    assert advice_on(load, exchanges_worth(amounts[state], size)).state is state


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"fixed": 2500}, Reason.FIXED_TOO_LARGE),
        ({"summaries": 2500}, Reason.SUMMARIES),
        ({"pins": 2500}, Reason.PINS),
        ({"summaries": 1250, "pins": 1250}, Reason.SUMMARIES),
        ({"fixed": 1000, "summaries": 500, "pins": 1000}, Reason.PINS),
    ],
)
def test_no_room_says_what_takes_it(parts: dict[str, int], reason: Reason) -> None:
    advice = advice_on(load_of(4096, **parts), pile("ua"))
    assert (advice.state, advice.reason) == (State.NO_ROOM, reason)


def test_a_huge_last_turn_overflows_and_is_named() -> None:
    advice = advice_on(load_of(4096), costs("uauaua", [50, 50, 50, 50, 50, 4000]))
    assert (advice.state, advice.reason, advice.turn_id) == (
        State.OVERFLOWING,
        Reason.TURN_TOO_LARGE,
        TurnId(6),
    )
    assert "id:6" in advice.sentence


def test_a_huge_old_turn_overflows_but_can_be_recapped() -> None:
    advice = advice_on(load_of(4096), costs("uaua", [50, 4000, 200, 300]))
    assert (advice.state, advice.reason, advice.compressible) == (
        State.OVERFLOWING,
        Reason.NONE,
        4050,
    )


def test_a_due_pile_of_one_exchange_says_why_nothing_can_be_taken() -> None:
    advice = advice_on(load_of(4096), costs("ua", [200, 2400]))
    assert (advice.state, advice.reason, advice.turn_id) == (
        State.RECAP_DUE,
        Reason.TURN_TOO_LARGE,
        TurnId(2),
    )


def test_an_empty_pile_forecasts_nothing() -> None:
    advice = advice_on(load_of(4096), ())
    assert (advice.state, advice.forecast_turns, advice.progress, advice.cut) == (
        State.CHAT_MORE,
        None,
        0.0,
        Pos(0),
    )


def test_the_forecast_divides_by_the_mean_of_the_last_ten_turns() -> None:
    turns = (*costs("ua", [1000, 20]), *pile("ua" * 5, 100, start=3))
    advice = advice_on(load_of(32_768), turns)
    assert advice.forecast_turns == -(-(23_203 - 2020) // 100)


def test_a_due_pile_is_due_in_no_turns() -> None:
    assert advice_on(load_of(4096), exchanges_worth(4000)).forecast_turns == 0


def test_a_long_pile_is_read_no_further_than_the_reserve_and_one_exchange() -> None:
    read: list[int] = []

    def newest_first() -> Iterator[Entry]:
        for number in range(100_000, 0, -1):
            read.append(number)
            yield entry(number, pile("ua")[number % 2 - 1].role)

    tail = PileTail(tokens=10_000_000, newest_first=newest_first())
    advice = advise(load_of(32_768), tail, cadence=USUAL[0], resolution=USUAL[1])
    assert advice.state is State.OVERFLOWING
    assert len(read) < 3277 // 100 + 12


@pytest.mark.parametrize(
    ("state", "label"),
    [
        (State.CHAT_MORE, "chat more first"),
        (State.RECAP_NOW, "recap now"),
        (State.RECAP_DUE, "Recap due"),
        (State.OVERFLOWING, "Context overflowing"),
        (State.NO_ROOM, "No room to win: merge summaries"),
    ],
)
def test_labels_are_those_of_the_pages(state: State, label: str) -> None:
    advice = replace(advice_on(load_of(4096), ()), state=state)
    assert advice.label == label
    assert advice.sentence.endswith(".")


def test_every_reason_has_a_sentence_of_its_own() -> None:
    advice = advice_on(load_of(4096), ())
    sentences = {replace(advice, reason=reason).sentence for reason in Reason}
    assert len(sentences) == len(Reason)


def test_a_recap_makes_summaries_grow_and_covered_pins_count() -> None:
    load = load_of(4096, summaries=100, pins=10)
    assert load.after(summary_tokens=120, pin_tokens=30) == load_of(4096, summaries=220, pins=40)


def test_a_summary_that_is_sent_twice_takes_its_room_twice() -> None:
    load = replace(load_of(4096, summaries=100), summary_times=2, beside_next=7)
    assert load.after(summary_tokens=120).summaries == 100 + 240 + 7


def test_a_recap_that_leaves_no_room_would_block() -> None:
    load = load_of(4096, summaries=4096 - 1024 - 410 - 256 - 100)
    assert not would_block(load.after(summary_tokens=100))
    assert would_block(load.after(summary_tokens=101))


@given(stories(), st.integers(4096, 60_000), st.integers(1, 60_000), cadences, resolutions)
def test_a_larger_context_never_raises_the_severity(
    turns: tuple[Entry, ...], context: int, more: int, cadence: Cadence, resolution: Resolution
) -> None:
    small = advise(load_of(context), tail_of(turns), cadence=cadence, resolution=resolution)
    large = advise(load_of(context + more), tail_of(turns), cadence=cadence, resolution=resolution)
    assert large.severity <= small.severity


@given(stories(), st.integers(512, 6000), st.integers(0, 2000), st.integers(1, 40))
def test_a_larger_context_never_raises_the_severity_while_the_reply_grows_with_it(
    turns: tuple[Entry, ...], context: int, fixed: int, more: int
) -> None:
    small = advice_on(load_of(context, fixed=fixed), turns)
    large = advice_on(load_of(context + more, fixed=fixed), turns)
    assert large.severity <= small.severity


@given(
    stories(),
    st.integers(512, 40_000),
    st.tuples(st.integers(0, 20_000), st.integers(0, 20_000), st.integers(0, 20_000)),
    st.tuples(st.integers(0, 2000), st.integers(0, 2000), st.integers(0, 2000)),
    st.tuples(cadences, resolutions),
)
def test_larger_fixed_texts_summaries_or_pins_never_lower_the_severity(
    turns: tuple[Entry, ...],
    context: int,
    parts: tuple[int, int, int],
    more: tuple[int, int, int],
    steps: tuple[Cadence, Resolution],
) -> None:
    names = ("fixed", "summaries", "pins")
    light = load_of(context, **dict(zip(names, parts, strict=True)))
    grown = (part + extra for part, extra in zip(parts, more, strict=True))
    heavy = load_of(context, **dict(zip(names, grown, strict=True)))
    before = advise(light, tail_of(turns), cadence=steps[0], resolution=steps[1])
    after = advise(heavy, tail_of(turns), cadence=steps[0], resolution=steps[1])
    assert after.severity >= before.severity


@given(parted_stories(), st.integers(512, 40_000), st.integers(0, 40_000), cadences, resolutions)
def test_progress_and_forecast_stay_in_their_range(
    stretches: tuple[tuple[Entry, ...], ...],
    context: int,
    fixed: int,
    cadence: Cadence,
    resolution: Resolution,
) -> None:
    load = load_of(context, fixed=fixed)
    advice = advise(load, tail_of(*stretches), cadence=cadence, resolution=resolution)
    assert 0 <= advice.progress <= 1
    assert advice.due_tokens >= 0
    assert advice.forecast_turns is None or advice.forecast_turns >= 0
    assert 0 <= advice.compressible <= advice.pile_tokens


@given(parted_stories(), st.integers(512, 40_000), cadences, resolutions)
def test_a_run_takes_the_compressible_part_exactly_and_in_order(
    stretches: tuple[tuple[Entry, ...], ...],
    context: int,
    cadence: Cadence,
    resolution: Resolution,
) -> None:
    load = load_of(context)
    before = advise(load, tail_of(*stretches), cadence=cadence, resolution=resolution)
    left = [list(stretch) for stretch in stretches]
    taken: list[Entry] = []
    while True:
        now = advise(load, tail_of(*left), cadence=cadence, resolution=resolution)
        assert now.cut in {before.cut, Pos(0)}
        piece = next_piece(load, left, cut=now.cut, cadence=cadence, resolution=resolution)
        if piece is None:
            break
        at = next(index for index, stretch in enumerate(left) if stretch)
        assert left[at][: len(piece.entries)] == list(piece.entries)
        assert (piece.from_pos, piece.to_pos) == (piece.entries[0].pos, piece.entries[-1].pos)
        exchange_starts = [group[0] for group in exchanges_of(stretches[at])]
        rest = left[at][len(piece.entries) :]
        assert not rest or rest[0] in exchange_starts or is_opening(stretches[at], rest[0])
        taken += piece.entries
        left[at] = rest
        load = load.after(summary_tokens=load.target)
    assert sum(turn.cost for turn in taken) == before.compressible
    assert now.compressible == 0
    everything = [turn for stretch in stretches for turn in stretch]
    assert taken == everything[: len(taken)]
    kept = sum(turn.cost for turn in everything[len(taken) :])
    assert not taken or kept >= load.reserve


def is_opening(stretch: Sequence[Entry], turn: Entry) -> bool:
    return turn in exchanges_of(stretch)[0] and stretch[0].role.value != "user"


def test_insisting_takes_one_piece_of_what_a_run_would_take() -> None:
    turns = pile("ua" * 10, 50)
    load = load_of(4096)
    advice = advice_on(load, turns)
    assert advice.state is State.CHAT_MORE
    piece = forced_piece(load, [turns], cut=advice.cut, cadence=USUAL[0], resolution=USUAL[1])
    assert piece is not None
    assert numbers(piece.entries) == list(range(1, 11))


def test_insisting_on_a_pile_inside_the_reserve_keeps_the_newest_exchange() -> None:
    turns = pile("auauau", 20)
    load = load_of(4096)
    advice = advice_on(load, turns)
    piece = forced_piece(load, [turns], cut=advice.cut, cadence=USUAL[0], resolution=USUAL[1])
    assert advice.cut == Pos(0)
    assert piece is not None
    assert numbers(piece.entries) == [1, 2, 3, 4, 5]
