"""What automatic memory does next, and that carrying it out ends in order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import cover, entry, numbers, pile

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.policy import Mode, Policy, Strategy
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry, Role
from foreword.planning.batches import batches
from foreword.planning.budgets import Budgets, budgets
from foreword.planning.layering import MOST_REFUSED, Run, wins_room
from foreword.planning.steps import (
    Condense,
    Promote,
    Reason,
    Rebuild,
    Roll,
    Roof,
    Step,
    Wait,
)
from foreword.planning.upkeep import Asked, Material, eligible_tokens, next_step

POLICY = Policy(mode=Mode.BALANCED, context=2_000, reply=200)
BUDGETS = budgets(POLICY, fixed=0)
"""990 word for word, 270 in the queue, 450 for summaries of 67."""


@dataclass(slots=True)
class World:
    """A branch, and a memory that carries steps out with summaries of given sizes."""

    turns: list[Entry]
    policy: Policy = POLICY
    rows: list[CoverRow] = field(default_factory=list)
    children: dict[SummaryId, tuple[SummaryId, ...]] = field(default_factory=dict)
    depths: dict[SummaryId, int] = field(default_factory=dict)
    stored: dict[SummaryId, CoverRow] = field(default_factory=dict)
    barred: Callable[[Entry], bool] | None = None
    refused: set[Run] = field(default_factory=set)
    size: Callable[[int, bool], int] = lambda source, _merged: min(67, source // 2)
    number: int = 0

    @property
    def budgets(self) -> Budgets:
        return budgets(self.policy, fixed=0)

    def open_turns(self) -> list[Entry]:
        return [
            one
            for one in self.turns
            if not any(row.overlaps(one.pos, one.pos) for row in self.rows)
        ]

    def stretches(self) -> Iterator[Sequence[Entry]]:
        start = 0
        for row in (*self.rows, None):
            end = math.inf if row is None else row.from_pos
            yield [one for one in self.turns if start < one.pos < end]
            start = 0 if row is None else row.to_pos

    def holes(self) -> list[Pos]:
        ends = [row.to_pos for row in self.rows]
        return [one.pos for one in self.open_turns() if ends and one.pos < ends[-1]]

    def material(self) -> Material:
        return Material(
            policy=self.policy,
            budgets=self.budgets,
            cover=tuple(self.rows),
            pile_tokens=sum(one.cost for one in self.open_turns()),
            newest_first=lambda: reversed(self.open_turns()),
            stretches=self.stretches,
            barred=lambda: self.barred,
            holes=self.holes,
            depth=self.depths.__getitem__,
            blocks=self.blocks,
            refused=self.refused,
        )

    def blocks(self, summary: SummaryId) -> tuple[SummaryId, ...]:
        found = self.children.get(summary, ())
        plain = all(self.stored[child].layer == 0 for child in found)
        return found if plain else ()

    def next(self, asked: Asked = Asked.AUTOMATIC) -> Step:
        return next_step(self.material(), asked=asked)

    def run(self, asked: Asked = Asked.AUTOMATIC, most: int = 500) -> list[Step]:
        """Carry steps out until nothing is left; return them, the last one a wait."""
        steps: list[Step] = []
        while not isinstance(step := self.next(asked), Wait):
            steps.append(step)
            assert len(steps) < most, "it does not end"
            self.carry(step)
        return [*steps, step]

    def carry(self, step: Step) -> None:
        match step:
            case Condense():
                for piece in step.pieces if step.atomic else step.pieces[:1]:
                    self.put(piece.entries, layer=0, depth=1)
            case Roll():
                self.drop(step.row)
                entries = (*self.inside(step.row), *step.piece.entries)
                depth = 1 + self.depths[step.row.summary_id]
                layer = max(1, step.row.layer)
                self.put(entries, layer=layer, depth=depth, children=(step.row.summary_id,))
            case Promote():
                self.promote(step.rows)
            case Roof():
                blocks = [self.stored[one] for one in step.blocks]
                for row in list(self.rows):
                    if row == step.replaced or row.summary_id in step.blocks:
                        self.drop(row)
                under = [one for row in blocks for one in self.inside(row)]
                self.put(under, layer=1, depth=2, children=step.blocks)
            case Rebuild():
                self.rebuild(step)
            case Wait():
                raise AssertionError("nothing to carry out")

    def promote(self, rows: Sequence[CoverRow]) -> None:
        size = self.size(sum(row.tokens for row in rows), True)
        if not wins_room(rows, size):
            self.refused.add(tuple(row.summary_id for row in rows))
            return
        for row in rows:
            self.drop(row)
        self.put(
            [one for row in rows for one in self.inside(row)],
            layer=1 + max(row.layer for row in rows),
            depth=1 + max(self.depths[row.summary_id] for row in rows),
            children=tuple(row.summary_id for row in rows),
            size=size,
        )

    def rebuild(self, step: Rebuild) -> None:
        entries = [one for row in step.rows for one in self.inside(row)]
        entries += step.more.entries if step.more else ()
        pieces = batches([entries], cut=entries[-1].pos, budgets=self.budgets)
        sizes = [self.size(piece.tokens, False) for piece in pieces]
        one = step.merge and len(pieces) > 1
        whole = self.size(sum(sizes), True) if one else sum(sizes)
        if step.more is None and len(step.rows) > 1 and not wins_room(step.rows, whole):
            self.refused.add(tuple(row.summary_id for row in step.rows))
            return
        for row in step.rows:
            self.drop(row)
        if one:
            self.put(entries, layer=1, depth=2, size=whole)
            return
        for piece, size in zip(pieces, sizes, strict=True):
            self.put(piece.entries, layer=0, depth=1, size=size)

    def put(
        self,
        entries: Sequence[Entry],
        *,
        layer: int,
        depth: int,
        children: Sequence[SummaryId] = (),
        size: int | None = None,
    ) -> None:
        self.number += 1
        source = sum(one.cost for one in entries)
        tokens = self.size(source, bool(children)) if size is None else size
        row = replace(
            cover(self.number, 1, 1, layer=layer, tokens=max(1, tokens)),
            from_pos=entries[0].pos,
            to_pos=entries[-1].pos,
            n_turns=len(entries),
            src_tokens=source,
        )
        self.stored[row.summary_id] = row
        self.depths[row.summary_id] = depth
        self.children[row.summary_id] = tuple(children)
        self.rows = sorted([*self.rows, row], key=lambda one: one.from_pos)

    def drop(self, row: CoverRow) -> None:
        self.rows.remove(row)

    def inside(self, row: CoverRow) -> list[Entry]:
        return [one for one in self.turns if row.overlaps(one.pos, one.pos)]

    def is_sound(self) -> bool:
        """Say whether every turn is covered at most once, in order."""
        ends = [row.to_pos for row in self.rows]
        starts = [row.from_pos for row in self.rows]
        return all(end < start for end, start in zip(ends, starts[1:], strict=False))


def world(turns: int, cost: int = 40, **policy: object) -> World:
    roles = "ua" * (turns // 2) + "u" * (turns % 2)
    return World(list(pile(roles, cost)), replace(POLICY, **policy))  # type: ignore[arg-type]


def taken(step: Step) -> list[list[int]]:
    assert isinstance(step, Condense)
    return [numbers(piece.entries) for piece in step.pieces]


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        ({"mode": Mode.MANUAL}, Reason.NOT_AUTOMATIC),
        ({"mode": Mode.ADVISED}, Reason.NOT_AUTOMATIC),
        ({"memory": False}, Reason.OFF),
        ({"paused": True}, Reason.PAUSED),
    ],
)
def test_memory_rests_where_it_may_not_run_by_itself(
    policy: dict[str, object], reason: Reason
) -> None:
    resting = world(60, 40, **policy)
    step = resting.next()
    assert isinstance(step, Wait)
    assert step.reason is reason
    assert isinstance(resting.next(Asked.RECAP), Condense)


def test_nothing_is_due_below_both_budgets_and_the_rest_is_told() -> None:
    step = world(30).next()
    assert step == Wait(
        reason=Reason.BELOW, sentence="Nothing is due: 60 more tokens of story until then."
    )
    assert isinstance(world(32).next(), Condense)


def test_the_overflow_before_the_verbatim_turns_is_taken() -> None:
    # 1,280 tokens; 25 turns are 1,000, but an exchange is left whole: 26.
    assert taken(world(32).next()) == [[1, 2, 3, 4, 5, 6]]
    assert taken(world(30).next(Asked.RECAP)) == [[1, 2, 3, 4]]


def test_what_could_be_taken_is_known_before_it_is_due() -> None:
    assert eligible_tokens(world(30).material()) == 160
    assert eligible_tokens(world(20).material()) == 0


def test_a_recap_with_nothing_before_the_verbatim_turns_is_done() -> None:
    step = world(20).next(Asked.RECAP)
    assert step == Wait(reason=Reason.DONE, sentence="Everything that may be summarised is.")


def test_one_huge_exchange_is_never_parted_and_is_named() -> None:
    turns = [entry(1, Role.USER, 700), entry(2, Role.ASSISTANT, 800)]
    step = World(turns).next()
    assert isinstance(step, Wait)
    assert step.reason is Reason.TURN_TOO_LARGE
    assert "1,500 tokens stand in one exchange" in step.sentence


def test_a_breaker_takes_everything_through_the_last_answer() -> None:
    odd = world(9)
    assert taken(odd.next(Asked.BREAKER)) == [[1, 2, 3, 4, 5, 6, 7, 8]]
    assert taken(world(2).next(Asked.BREAKER)) == [[1, 2]]
    steps = odd.run(Asked.BREAKER)
    assert steps[-1] == Wait(reason=Reason.DONE, sentence="Everything that may be summarised is.")
    assert numbers(odd.open_turns()) == [9]


def test_a_breaker_without_an_answer_takes_nothing() -> None:
    step = World(list(pile("uuu", 400))).next(Asked.BREAKER)
    assert isinstance(step, Wait)
    assert step.reason is Reason.DONE


def test_a_hole_is_covered_before_what_follows_the_boundary() -> None:
    parted = world(44)
    parted.put(parted.turns[4:8], layer=0, depth=1)
    assert taken(parted.next()) == [[1, 2, 3, 4]]
    parted.carry(parted.next())
    assert taken(parted.next()) == [[9, 10, 11, 12, 13, 14, 15, 16, 17, 18]]


def test_what_the_user_took_away_is_passed_by() -> None:
    told = world(40)
    told.barred = lambda one: one.turn_id <= 6
    assert taken(told.next()) == [[7, 8, 9, 10, 11, 12, 13, 14]]
    told.barred = lambda one: 3 <= one.turn_id <= 4
    assert taken(told.next()) == [[1, 2]]
    assert taken(told.next(Asked.RECAP)) == [[*range(1, 15)]]
    told.barred = lambda one: one.turn_id <= 10
    step = told.next()
    assert isinstance(step, Wait)
    assert step.reason is Reason.BARRED


def test_a_flush_that_keeps_the_prefix_takes_all_batches_at_once() -> None:
    told = world(42, mode=Mode.PREFIX_CACHE, batch_target=200, batch_cap=200)
    step = told.next()
    assert isinstance(step, Condense)
    assert step.atomic
    flat = [number for piece in taken(step) for number in piece]
    assert flat == [*range(1, len(flat) + 1)]
    assert len(step.pieces) > 2
    assert told.run()[-1] == told.next()


def test_a_flush_passes_by_what_was_taken_away() -> None:
    told = world(46, mode=Mode.PREFIX_CACHE, batch_target=200, batch_cap=200)
    told.barred = lambda one: 5 <= one.turn_id <= 6
    flat = [number for piece in taken(told.next()) for number in piece]
    assert flat[:6] == [1, 2, 3, 4, 7, 8]


def test_a_long_catch_up_is_made_batch_by_batch() -> None:
    told = world(200, mode=Mode.PREFIX_CACHE)
    step = told.next()
    assert isinstance(step, Condense)
    assert (step.atomic, len(step.pieces)) == (False, 1)
    balanced = world(42, batch_target=200, batch_cap=200).next()
    assert isinstance(balanced, Condense)
    assert (balanced.atomic, len(balanced.pieces)) == (False, 1)


def test_a_rolling_summary_takes_in_what_follows_it() -> None:
    told = world(32, strategy=Strategy.ROLLING)
    assert taken(told.next()) == [[1, 2, 3, 4, 5, 6]]
    told.carry(told.next())
    told.turns += pile("ua" * 4, 40, start=33)
    step = told.next()
    assert isinstance(step, Roll)
    assert (step.row.summary_id, numbers(step.piece.entries)) == (1, [7, 8, 9, 10, 11, 12, 13, 14])


def test_a_rolling_summary_too_deep_is_rebuilt_with_what_follows() -> None:
    told = world(40, strategy=Strategy.ROLLING, depth_limit=1)
    told.put(told.turns[:4], layer=0, depth=1)
    step = told.next()
    assert isinstance(step, Rebuild)
    assert step.more is not None
    assert ([row.summary_id for row in step.rows], step.merge) == ([1], True)
    assert numbers(step.more.entries)[0] == 5


def test_a_hole_in_a_rolling_story_gets_a_summary_of_its_own() -> None:
    told = world(44, strategy=Strategy.ROLLING)
    told.put(told.turns[4:8], layer=0, depth=1)
    assert taken(told.next()) == [[1, 2, 3, 4]]
    apart = world(48, strategy=Strategy.ROLLING)
    apart.put(apart.turns[:4], layer=0, depth=1)
    apart.barred = lambda one: 5 <= one.turn_id <= 6
    assert taken(apart.next()) == [[*range(7, 23)]]


def test_originals_are_written_anew_each_time() -> None:
    told = world(32, strategy=Strategy.ORIGINALS)
    first = told.next()
    assert isinstance(first, Rebuild)
    assert (first.rows, first.merge) == ((), False)
    told.carry(first)
    told.turns += pile("ua" * 4, 40, start=33)
    step = told.next()
    assert isinstance(step, Rebuild)
    assert [row.summary_id for row in step.rows] == [1]


def test_originals_beyond_a_hole_are_left_alone() -> None:
    told = world(60, strategy=Strategy.ORIGINALS)
    told.put(told.turns[0:4], layer=0, depth=1)
    told.put(told.turns[6:8], layer=0, depth=1)
    told.put(told.turns[8:12], layer=0, depth=1)
    told.barred = lambda one: 5 <= one.turn_id <= 6
    step = told.next()
    assert isinstance(step, Rebuild)
    assert [row.summary_id for row in step.rows] == [2, 3]


def test_crowded_blocks_come_under_one_roof() -> None:
    told = world(60, strategy=Strategy.TWO_LEVEL)
    for start in range(0, 20, 4):
        told.put(told.turns[start : start + 4], layer=0, depth=1)
    step = told.next(Asked.RECAP)
    while isinstance(step, Condense):
        told.carry(step)
        step = told.next(Asked.RECAP)
    assert isinstance(step, Roof)
    assert (step.replaced, step.blocks[0]) == (None, 1)
    told.carry(step)
    roof = told.rows[0]
    assert (roof.layer, told.depths[roof.summary_id]) == (1, 2)
    steps: list[Step] = []
    for start in range(61, 181, 2):
        told.turns += pile("ua", 40, start=start)
        steps += told.run()
    roofs = [one for one in steps if isinstance(one, Roof)]
    assert roofs
    assert roofs[0].replaced == roof
    assert roofs[0].blocks[: len(step.blocks)] == step.blocks


def test_a_lone_crowded_block_waits_for_another() -> None:
    told = world(20, strategy=Strategy.TWO_LEVEL, merge_count=2)
    told.put(told.turns[0:2], layer=0, depth=1, size=300)
    told.put(told.turns[4:6], layer=0, depth=1, size=10)
    assert isinstance(told.next(Asked.RECAP), Wait)


def test_a_roof_over_other_blocks_is_left_alone() -> None:
    told = world(40, strategy=Strategy.TWO_LEVEL)
    told.put(told.turns[0:2], layer=0, depth=1)
    told.put(told.turns[0:2], layer=2, depth=3, children=())
    del told.rows[0]
    for start in range(2, 14, 2):
        told.put(told.turns[start : start + 2], layer=0, depth=1, size=60)
    step = told.next(Asked.RECAP)
    assert isinstance(step, Roof)
    assert step.replaced is None


def test_a_summary_over_the_depth_limit_is_rebuilt_alone() -> None:
    told = world(40, depth_limit=2)
    told.put(told.turns[0:2], layer=2, depth=3)
    told.put(told.turns[2:4], layer=0, depth=1)
    step = told.next(Asked.RECAP)
    while isinstance(step, Condense):
        told.carry(step)
        step = told.next(Asked.RECAP)
    assert step == Rebuild(rows=(told.rows[0],), merge=True)
    told.policy = replace(told.policy, depth_limit=1)
    assert told.next(Asked.RECAP) == Rebuild(rows=(told.rows[0],), merge=False)
    told.policy = replace(told.policy, depth_limit=3)
    assert isinstance(told.next(Asked.RECAP), Wait)


def test_a_merge_that_would_go_too_deep_is_a_rebuild() -> None:
    told = world(40, layer_count=3, depth_limit=2)
    for start in range(0, 12, 2):
        told.put(told.turns[start : start + 2], layer=1, depth=2, size=60)
    step = told.next(Asked.RECAP)
    while isinstance(step, Condense):
        told.carry(step)
        step = told.next(Asked.RECAP)
    assert isinstance(step, Rebuild)
    assert [row.summary_id for row in step.rows] == [1, 2, 3]
    told.policy = replace(told.policy, depth_limit=3)
    assert isinstance(told.next(Asked.RECAP), Promote)


def test_with_a_depth_of_one_nothing_is_merged() -> None:
    told = world(40, layer_count=3, depth_limit=1)
    for start in range(0, 12, 2):
        told.put(told.turns[start : start + 2], layer=0, depth=1, size=60)
    assert all(isinstance(step, Condense | Wait) for step in told.run(Asked.RECAP))


STORIES = st.lists(st.integers(5, 400), min_size=1, max_size=80)


@given(
    costs=STORIES,
    strategy=st.sampled_from(Strategy),
    mode=st.sampled_from([Mode.BALANCED, Mode.PREFIX_CACHE]),
    limit=st.none() | st.integers(1, 4),
    sizes=st.lists(st.integers(1, 900), min_size=1, max_size=20),
    asked=st.sampled_from(Asked),
)
def test_whatever_summaries_turn_out_to_be_the_steps_end_and_cover_once(
    costs: list[int],
    strategy: Strategy,
    mode: Mode,
    limit: int | None,
    sizes: list[int],
    asked: Asked,
) -> None:
    policy = replace(POLICY, strategy=strategy, mode=mode, depth_limit=limit, layer_count=4)
    given_sizes = iter(range(10**9))
    told = World(
        [],
        policy,
        size=lambda _source, _merged: sizes[next(given_sizes) % len(sizes)],
    )
    for number, cost in enumerate(costs, 1):
        told.turns.append(entry(number, Role.USER if number % 2 else Role.ASSISTANT, cost))
        told.run()
        assert told.is_sound()
    told.run(asked)
    assert told.is_sound()
    if asked is not Asked.BREAKER:
        newest = told.turns[-2:] if len(told.turns) % 2 == 0 else told.turns[-1:]
        assert all(one in told.open_turns() for one in newest)
        kept = sum(one.cost for one in told.open_turns())
        assert kept >= min(told.budgets.verbatim, sum(costs))


@given(costs=STORIES)
def test_what_stays_word_for_word_never_exceeds_both_budgets_by_more_than_an_exchange(
    costs: list[int],
) -> None:
    told = World([])
    for number, cost in enumerate(costs, 1):
        told.turns.append(entry(number, Role.USER if number % 2 else Role.ASSISTANT, cost))
        told.run()
    exchanges = [sum(costs[at : at + 2]) for at in range(0, len(costs), 2)]
    kept = sum(one.cost for one in told.open_turns())
    assert kept < BUDGETS.trigger + 2 * max(exchanges)


@given(blocks=st.integers(1, 120), count=st.integers(2, 6))
def test_the_depth_grows_with_the_logarithm_of_the_blocks(blocks: int, count: int) -> None:
    told = World([], replace(POLICY, layer_count=count, merge_count=min(3, count)))
    for number in range(1, 2 * blocks + 1):
        told.turns.append(entry(number, Role.USER if number % 2 else Role.ASSISTANT, 200))
        told.run()
    made = sum(1 for row in told.stored.values() if row.layer == 0)
    deepest = max(told.depths.values(), default=0)
    assert deepest <= math.ceil(math.log2(max(1, made))) + 1


@given(costs=STORIES, more=st.integers(1, 500))
def test_a_larger_budget_never_makes_it_act_earlier(costs: list[int], more: int) -> None:
    turns = [
        entry(number, Role.USER if number % 2 else Role.ASSISTANT, cost)
        for number, cost in enumerate(costs, 1)
    ]
    small = World(turns).next()
    wide = World(turns, replace(POLICY, context=POLICY.context + more)).next()
    assert isinstance(wide, Wait) or not isinstance(small, Wait)


@given(exchanges=st.lists(st.integers(20, 300), min_size=1, max_size=40), parts=st.integers(1, 4))
def test_more_and_smaller_turns_of_the_same_size_change_nothing(
    exchanges: list[int], parts: int
) -> None:
    def told(answers: int) -> World:
        turns: list[Entry] = []
        for size in exchanges:
            turns.append(entry(len(turns) + 1, Role.USER, 20))
            rest = size
            for left in range(answers, 0, -1):
                turns.append(entry(len(turns) + 1, Role.ASSISTANT, rest // left))
                rest -= rest // left
        return World(turns)

    def tokens(step: Step) -> list[int]:
        return [piece.tokens for piece in step.pieces] if isinstance(step, Condense) else []

    assert tokens(told(1).next()) == tokens(told(parts).next())


def test_a_merge_in_vain_now_and_then_does_not_let_memory_grow() -> None:
    merges = iter(range(10**9))

    def size(source: int, merged: bool) -> int:
        return 10**6 if merged and next(merges) % 10 == 0 else min(67, source // 2)

    told = World([], size=size)
    for number in range(1, 401):
        told.turns.append(entry(number, Role.USER if number % 2 else Role.ASSISTANT, 60))
        told.run()
    assert told.refused
    assert sum(row.tokens for row in told.rows) <= told.budgets.memory


def test_merges_that_never_win_room_are_given_up() -> None:
    told = World([], size=lambda source, merged: 10**6 if merged else min(67, source // 2))
    for number in range(1, 401):
        told.turns.append(entry(number, Role.USER if number % 2 else Role.ASSISTANT, 60))
        told.run()
    assert len(told.refused) == MOST_REFUSED
