from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import ROLES, cover, entry, numbers, pile

from foreword.domain.ids import SummaryId, TurnId
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry, Role
from foreword.errors import ContextTooSmall
from foreword.planning.call_groups import REACH, call_groups
from foreword.planning.coverage import (
    Coverage,
    Dropped,
    OwnMemory,
    PromptPlan,
    Section,
    SectionName,
)
from foreword.planning.window import REPLIES, Costs, Material, Totals, plan_window

MARKERS = Costs(holes_marker=7, pinned_marker=5, window_marker=3)
SYSTEM = Section(name=SectionName.SYSTEM, tokens=50)


@dataclass(frozen=True, kw_only=True)
class Story:
    """A branch as an enumeration sees it; `material` is what a plan is made from."""

    turns: tuple[Entry, ...]
    cover: tuple[CoverRow, ...] = ()
    pinned: frozenset[int] = frozenset()
    fixed: tuple[Section, ...] = (SYSTEM,)
    costs: Costs = MARKERS
    own_memory: OwnMemory | None = None

    def covered(self, turn: Entry) -> bool:
        return any(row.overlaps(turn.pos, turn.pos) for row in self.cover)

    @property
    def pile(self) -> tuple[Entry, ...]:
        return tuple(t for t in self.turns if not t.hidden and not self.covered(t))

    @property
    def pins(self) -> tuple[Entry, ...]:
        return tuple(t for t in self.turns if t.turn_id in self.pinned and not t.hidden)

    @property
    def material(self) -> Material:
        return Material(
            fixed=self.fixed,
            cover=self.cover,
            pins=self.pins,
            pile=reversed(self.pile),
            totals=Totals(
                visible=sum(not turn.hidden for turn in self.turns),
                hidden=sum(turn.hidden for turn in self.turns),
                pile_turns=len(self.pile),
                pile_tokens=sum(turn.cost for turn in self.pile),
            ),
            costs=self.costs,
            summary_tokens=self.summary_tokens,
            own_memory=self.own_memory,
        )

    @property
    def summary_tokens(self) -> int:
        return sum(row.tokens + 2 for row in self.cover)

    def plan(self, limit: int) -> PromptPlan:
        return plan_window(self.material, limit=limit)


def story_of(roles: str, *rows: CoverRow, pinned: Sequence[int] = (), cost: int = 100) -> Story:
    return Story(turns=pile(roles, cost), cover=rows, pinned=frozenset(pinned))


def section(name: SectionName, tokens: int, turns: int = 0) -> Section:
    return Section(name=name, tokens=tokens, turns=turns)


def test_a_short_story_is_sent_in_full() -> None:
    story = story_of("auau")
    assert story.plan(1000) == PromptPlan(
        sections=(SYSTEM, section(SectionName.VERBATIM, 400, 4)),
        summaries=(),
        holes=(),
        pinned=(),
        verbatim=story.turns,
        dropped=Dropped(),
        coverage=Coverage(verbatim=4, covered=0, masked=0, hidden=0, dropped=0, turns=4),
        limit=1000,
    )


def test_every_section_stands_in_its_place() -> None:
    turns = (*pile("ua" * 6), entry(13, Role.SYSTEM, hidden=True))
    story = Story(
        turns=turns,
        cover=(cover(1, 1, 4, tokens=60), cover(2, 7, 10, layer=1, tokens=80)),
        pinned=frozenset({2, 8, 12, 13}),
        fixed=(
            section(SectionName.CONTINUITY, 11),
            section(SectionName.FACTS, 20),
            section(SectionName.LORE, 0),
            SYSTEM,
        ),
    )
    plan = story.plan(2000)
    assert plan == PromptPlan(
        sections=(
            SYSTEM,
            section(SectionName.FACTS, 20),
            section(SectionName.SUMMARIES, 60 + 80 + 2 * 2, 8 - 2),
            section(SectionName.HOLES, 200 + 7, 2),
            section(SectionName.PINNED, 200 + 5, 2),
            section(SectionName.VERBATIM, 200 + 3, 2),
            section(SectionName.CONTINUITY, 11),
        ),
        summaries=(SummaryId(1), SummaryId(2)),
        holes=turns[4:6],
        pinned=(turns[1], turns[7]),
        verbatim=turns[10:12],
        dropped=Dropped(),
        coverage=Coverage(verbatim=6, covered=6, masked=0, hidden=1, dropped=0, turns=13),
        limit=2000,
    )


def test_the_oldest_turns_are_dropped_and_reported() -> None:
    plan = story_of("uauaua").plan(50 + 399)
    assert (numbers(plan.verbatim), plan.dropped) == ([4, 5, 6], Dropped(turns=3, tokens=300))
    assert plan.coverage == Coverage(verbatim=3, covered=0, masked=0, hidden=0, dropped=3, turns=6)


def test_the_first_turn_that_does_not_fit_ends_the_window() -> None:
    turns = (*pile("u", 10), *pile("a", 900, start=2), *pile("ua", 10, start=3))
    plan = Story(turns=turns).plan(200)
    assert (numbers(plan.verbatim), plan.dropped) == ([3, 4], Dropped(turns=2, tokens=910))


def test_older_turns_of_a_hole_are_dropped_before_newer_ones() -> None:
    plan = story_of("uauauaua", cover(1, 5, 6)).plan(50 + 52 + 7 + 3 + 300)
    assert (numbers(plan.holes), numbers(plan.verbatim)) == ([4], [7, 8])


def test_a_hole_that_does_not_fit_costs_no_marker() -> None:
    plan = story_of("uauaua", cover(1, 3, 4)).plan(50 + 52 + 206 + 100)
    assert plan.tokens == 50 + 52 + 200
    assert plan.dropped == Dropped(turns=2, tokens=200)


def test_pinned_turns_are_sent_before_newer_ones() -> None:
    plan = story_of("uauauaua", pinned=[1, 2]).plan(50 + 5 + 3 + 499)
    assert (numbers(plan.pinned), numbers(plan.verbatim)) == ([1, 2], [7, 8])
    assert plan.dropped == Dropped(turns=4, tokens=400)


def test_a_pinned_turn_inside_the_window_stands_in_its_place() -> None:
    plan = story_of("uaua", pinned=[3]).plan(1000)
    assert (numbers(plan.pinned), numbers(plan.verbatim)) == ([], [1, 2, 3, 4])
    assert plan.tokens == 450


def test_a_pinned_turn_that_is_hidden_is_not_sent() -> None:
    turns = (entry(1, hidden=True), *pile("ua", start=2))
    story = Story(turns=turns, pinned=frozenset({1}))
    material = replace(story.material, pins=(turns[0],))
    plan = plan_window(material, limit=1000)
    assert (plan.pinned, plan.coverage.hidden) == ((), 1)


def test_a_story_that_is_covered_altogether_needs_no_window() -> None:
    plan = story_of("uaua", cover(1, 1, 4)).plan(102)
    assert [part.name for part in plan.sections] == [SectionName.SYSTEM, SectionName.SUMMARIES]
    assert plan.coverage == Coverage(verbatim=0, covered=4, masked=0, hidden=0, dropped=0, turns=4)


def test_an_empty_branch_has_a_prompt_of_its_fixed_parts() -> None:
    assert Story(turns=()).plan(50).sections == (SYSTEM,)


@pytest.mark.parametrize(
    ("story", "needed", "largest"),
    [
        (story_of(""), 50, "the system text"),
        (replace(story_of(""), fixed=(section(SectionName.LORE, 45),)), 45, "lore"),
        (story_of("ua", cover(1, 1, 2, tokens=90)), 142, "the summaries"),
        (story_of("uaua", cover(1, 1, 4, tokens=9), pinned=[1, 2]), 266, "the pinned turns"),
        (story_of("uau"), 150, "the newest turn"),
    ],
)
def test_what_must_be_sent_stops_hard_when_it_does_not_fit(
    story: Story, needed: int, largest: str
) -> None:
    story.plan(needed)
    with pytest.raises(ContextTooSmall, match=r"^Contextual limit not sufficient\.") as caught:
        story.plan(needed - 1)
    error = caught.value
    assert (error.needed, error.limit, error.largest) == (needed, needed - 1, largest)


def test_a_reply_is_not_sent_without_the_turn_it_answers() -> None:
    story = story_of("uauaa")
    assert numbers(story.plan(50 + 300).verbatim) == [3, 4, 5]
    with pytest.raises(ContextTooSmall):
        story.plan(50 + 299)


@pytest.mark.parametrize("roles", ["aaaaa", "u" + "a" * REPLIES, "s" * 12])
def test_a_story_without_a_user_near_its_end_needs_its_newest_turn_only(roles: str) -> None:
    plan = story_of(roles).plan(50 + 100)
    assert numbers(plan.verbatim) == [len(roles)]


def test_turns_of_a_hole_are_never_required() -> None:
    plan = story_of("uuaa", cover(1, 3, 3)).plan(50 + 52 + 100)
    assert (numbers(plan.holes), numbers(plan.verbatim)) == ([], [4])


def test_a_pinned_newest_turn_costs_no_marker() -> None:
    assert story_of("u", pinned=[1]).plan(150).tokens == 150


def test_a_long_pile_is_read_one_turn_further_than_what_fits() -> None:
    read: list[int] = []

    def newest_first() -> Iterator[Entry]:
        for number in range(100_000, 0, -1):
            read.append(number)
            yield entry(number, ROLES["au"[number % 2]])

    totals = Totals(visible=100_000, hidden=0, pile_turns=100_000, pile_tokens=10_000_000)
    material = Material(fixed=(), cover=(), pins=(), pile=newest_first(), totals=totals)
    plan = plan_window(material, limit=3000)
    assert (len(plan.verbatim), len(read)) == (30, 31)


@pytest.mark.parametrize(
    ("roles", "room", "sent"),
    [
        ("uattau", 5, [2, 3, 4, 5, 6]),
        ("uattau", 4, [5, 6]),
        ("uautau", 4, [5, 6]),
        ("uautau", 5, [2, 3, 4, 5, 6]),
        ("uatatu", 3, [4, 5, 6]),
        ("uatatu", 4, [4, 5, 6]),
        ("utu", 2, [2, 3]),
    ],
)
def test_a_call_and_its_results_are_sent_or_dropped_together(
    roles: str, room: int, sent: list[int]
) -> None:
    plan = story_of(roles).plan(50 + 100 * room)
    assert numbers(plan.verbatim) == sent
    assert plan.dropped.turns == len(roles) - len(sent)


def test_results_at_the_end_that_do_not_fit_with_their_call_are_an_error() -> None:
    story = story_of("u" + "a" * REPLIES + "att")
    assert numbers(story.plan(50 + 300).verbatim) == [10, 11, 12]
    with pytest.raises(ContextTooSmall) as caught:
        story.plan(50 + 299)
    assert (caught.value.needed, caught.value.largest) == (350, "the newest turn")


def test_a_group_with_a_pinned_turn_is_dropped_without_it() -> None:
    story = story_of("uattau", pinned=[3])
    plan = story.plan(50 + 5 + 3 + 100 + 299)
    assert (numbers(plan.pinned), numbers(plan.verbatim)) == ([3], [5, 6])
    whole = story.plan(50 + 500)
    assert (numbers(whole.pinned), numbers(whole.verbatim)) == ([], [2, 3, 4, 5, 6])


def test_a_call_before_a_summary_does_not_hold_results_behind_it() -> None:
    plan = story_of("uatatu", cover(1, 3, 4)).plan(50 + 52 + 200)
    assert numbers(plan.verbatim) == [5, 6]


def test_results_make_a_plan_read_no_further_than_their_call() -> None:
    read: list[int] = []

    def newest_first() -> Iterator[Entry]:
        for number in range(100_000, 0, -1):
            read.append(number)
            yield entry(number, ROLES["uattt"[number % 5]])

    totals = Totals(visible=100_000, hidden=0, pile_turns=100_000, pile_tokens=10_000_000)
    material = Material(fixed=(), cover=(), pins=(), pile=newest_first(), totals=totals)
    plan = plan_window(material, limit=2999)
    # The newest turn and five times a call, three results and a question; one more call is read.
    assert (len(plan.verbatim), len(read)) == (26, 30)


@pytest.mark.parametrize(
    "pile_turns",
    [
        (entry(1), entry(2)),
        (entry(2), entry(2)),
        (entry(2, hidden=True),),
        (entry(4), entry(3)),
        (entry(3),),
    ],
)
def test_a_turn_that_is_not_of_the_pile_is_refused(pile_turns: tuple[Entry, ...]) -> None:
    material = replace(story_of("uauu", cover(1, 3, 3)).material, pile=pile_turns)
    with pytest.raises(ValueError, match="does not belong into the pile"):
        plan_window(material, limit=1000)


@pytest.mark.parametrize(("turns", "tokens"), [(5, 400), (3, 400), (4, 401), (4, 399)])
def test_counts_that_do_not_agree_with_the_pile_are_refused(turns: int, tokens: int) -> None:
    material = story_of("uaua").material
    totals = replace(material.totals, pile_turns=turns, pile_tokens=tokens, visible=turns)
    with pytest.raises(ValueError, match="the whole pile was read"):
        plan_window(replace(material, totals=totals), limit=1000)


def test_a_branch_that_counts_a_turn_twice_is_refused() -> None:
    material = story_of("uaua", cover(1, 1, 2)).material
    with pytest.raises(ValueError, match="accounts for"):
        plan_window(replace(material, totals=replace(material.totals, visible=5)), limit=1000)


@st.composite
def drawn_stories(draw: st.DrawFn) -> Story:
    """Draw a branch with hidden, pinned and covered turns in any mixture."""
    letters = draw(st.text("uuuaaaast", max_size=25))
    prices = st.integers(4, 300)
    turns = tuple(
        entry(n, ROLES[letter], draw(prices), hidden=draw(st.integers(0, 5)) == 0)
        for n, letter in enumerate(letters, start=1)
    )
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(turns))), max_size=8)))
    rows = []
    for first, after in pairwise(cuts):
        visible = sum(not turn.hidden for turn in turns[first - 1 : after - 1])
        if visible and draw(st.booleans()):
            size = draw(st.integers(1, 100))
            rows.append(cover(first, first, after - 1, visible=visible, tokens=size))
    return Story(
        turns=turns,
        cover=tuple(rows),
        pinned=frozenset(draw(st.sets(st.integers(1, 25), max_size=4))),
        own_memory=draw(st.sampled_from([None, OwnMemory(), OwnMemory(depth=2)])),
        costs=draw(
            st.sampled_from(
                [Costs(), MARKERS, Costs(holes_marker=90, pinned_marker=90, window_marker=90)]
            )
        ),
    )


limits = st.integers(50, 3000)


def try_plan(story: Story, limit: int) -> PromptPlan | None:
    try:
        return story.plan(limit)
    except ContextTooSmall:
        return None


@given(drawn_stories(), limits)
def test_a_plan_never_exceeds_its_limit(story: Story, limit: int) -> None:
    plan = try_plan(story, limit)
    assert plan is None or plan.tokens <= limit


@given(drawn_stories(), limits)
def test_a_plan_costs_what_it_sends_and_no_more_would_fit(story: Story, limit: int) -> None:
    plan = try_plan(story, limit)
    if plan is None:
        return
    costs = story.costs
    apart = bool(plan.holes or plan.pinned)
    assert plan.tokens == (
        sum(part.tokens for part in story.fixed)
        + story.summary_tokens
        + sum(turn.cost for turn in (*plan.holes, *plan.pinned, *plan.verbatim))
        + (costs.holes_marker if plan.holes else 0)
        + (costs.pinned_marker if plan.pinned else 0)
        + (costs.window_marker if plan.verbatim and apart else 0)
    )
    if plan.dropped.turns:
        sent = {*plan.holes, *plan.pinned, *plan.verbatim}
        left = [turn for turn in reversed(story.pile) if turn not in sent]
        group = next(call_groups(left, story.cover))
        markers = costs.holes_marker + costs.pinned_marker + costs.window_marker
        assert plan.tokens + sum(turn.cost for turn in group) + markers > limit


@given(drawn_stories(), limits)
def test_each_turn_is_accounted_for_as_an_enumeration_does(story: Story, limit: int) -> None:
    plan = try_plan(story, limit)
    if plan is None:
        return
    sent = {turn.turn_id for turn in (*plan.holes, *plan.pinned, *plan.verbatim)}
    kinds = [kind_of(turn, story, sent) for turn in story.turns]
    assert plan.coverage == Coverage(
        verbatim=kinds.count("verbatim"),
        covered=kinds.count("covered"),
        masked=0,
        hidden=kinds.count("hidden"),
        dropped=kinds.count("dropped"),
        turns=len(story.turns),
    )
    left = [turn for turn, kind in zip(story.turns, kinds, strict=True) if kind == "dropped"]
    assert plan.dropped == Dropped(turns=len(left), tokens=sum(turn.cost for turn in left))
    assert sum(part.turns for part in plan.sections) == kinds.count("verbatim") + kinds.count(
        "covered"
    )


def kind_of(turn: Entry, story: Story, sent: set[TurnId]) -> str:
    if turn.hidden:
        assert turn.turn_id not in sent
        return "hidden"
    if turn.turn_id in sent:
        return "verbatim"
    return "covered" if story.covered(turn) else "dropped"


@given(drawn_stories(), limits)
def test_every_pinned_turn_is_sent_once_and_in_story_order(story: Story, limit: int) -> None:
    plan = try_plan(story, limit)
    if plan is None:
        return
    sent = [*plan.holes, *plan.pinned, *plan.verbatim]
    assert {pin.turn_id for pin in story.pins} <= {turn.turn_id for turn in sent}
    assert len({turn.turn_id for turn in sent}) == len(sent)
    for part in (plan.holes, plan.pinned, plan.verbatim):
        assert list(part) == sorted(part, key=lambda turn: turn.pos)


@given(drawn_stories(), limits)
def test_the_newest_turns_of_the_pile_are_sent_without_a_gap(story: Story, limit: int) -> None:
    plan = try_plan(story, limit)
    if plan is None:
        return
    window = (*plan.holes, *plan.verbatim)
    assert window == story.pile[len(story.pile) - len(window) :]
    boundary = story.cover[-1].to_pos if story.cover else 0
    assert all(turn.pos < boundary for turn in plan.holes)
    assert all(turn.pos > boundary for turn in plan.verbatim)


@given(drawn_stories(), limits)
def test_no_result_is_sent_without_the_call_that_an_enumeration_finds(
    story: Story, limit: int
) -> None:
    plan = try_plan(story, limit)
    if plan is None:
        return
    sent = {*plan.holes, *plan.verbatim}
    for result, call in calls_of(story):
        assert (result in sent) == (call in sent)


def calls_of(story: Story) -> Iterator[tuple[Entry, Entry]]:
    """Yield results with the assistant turn they follow, at once or lately, in one stretch."""
    for at, result in enumerate(story.pile):
        if result.role is not Role.TOOL:
            continue
        for before in reversed(story.pile[:at]):
            if any(before.pos < row.to_pos < result.pos for row in story.cover):
                break
            if before.role is Role.ASSISTANT:
                between = story.pile[story.pile.index(before) + 1 : at]
                if len(between) + 2 <= REACH or all(one.role is Role.TOOL for one in between):
                    yield result, before
                break


@given(drawn_stories(), limits, st.integers(0, 500))
def test_more_room_never_drops_more(story: Story, limit: int, more: int) -> None:
    small, large = try_plan(story, limit), try_plan(story, limit + more)
    if small is not None:
        assert large is not None
        assert set(small.holes) | set(small.verbatim) <= set(large.holes) | set(large.verbatim)
        assert large.dropped.turns <= small.dropped.turns
        assert large.dropped.tokens <= small.dropped.tokens


@given(drawn_stories(), st.sampled_from(list(Role)), st.integers(4, 300))
def test_a_prompt_grows_at_its_end_only_while_all_fits(story: Story, role: Role, cost: int) -> None:
    before = story.plan(100_000)
    added = entry(len(story.turns) + 1, role, cost)
    after = replace(story, turns=(*story.turns, added), pinned=story.pinned - {added.turn_id})
    grown = after.plan(100_000)
    assert (grown.summaries, grown.holes, grown.pinned) == (
        before.summaries,
        before.holes,
        before.pinned,
    )
    assert grown.verbatim == (*before.verbatim, added)
    marker = 0 if before.verbatim or not (before.holes or before.pinned) else 1
    assert grown.tokens == before.tokens + cost + marker * story.costs.window_marker
