"""Where the summaries stand among the messages of a prompt, for every placement."""

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import entry, pile, stories

from foreword.domain.turn import Entry, Role
from foreword.planning.coverage import Coverage, Dropped, OwnMemory, PromptPlan, SectionName
from foreword.planning.placement import layout, section_place

BEFORE = OwnMemory()


def plan_of(
    verbatim: tuple[Entry, ...], own: OwnMemory | None, *, holes: int = 0, pinned: int = 0
) -> PromptPlan:
    older = tuple(entry(1000 + number) for number in range(holes + pinned))
    turns = len(older) + len(verbatim)
    return PromptPlan(
        sections=(),
        summaries=(),
        holes=older[:holes],
        pinned=older[holes:],
        verbatim=verbatim,
        dropped=Dropped(),
        coverage=Coverage(verbatim=turns, covered=0, masked=0, hidden=0, dropped=0, turns=turns),
        limit=100,
        own_memory=own,
    )


def shown(roles: str, own: OwnMemory | None, *, holes: int = 0, pinned: int = 0) -> str:
    """The messages in order: S for the system message, M for the summaries, markers in brackets."""
    plan = plan_of(pile(roles), own, holes=holes, pinned=pinned)
    words = []
    for slot in layout(plan, has_system=True):
        if slot.entry is not None:
            words.append(slot.entry.role.value[0] if slot.section is SectionName.VERBATIM else "o")
        elif slot.section is SectionName.SYSTEM:
            words.append("S")
        elif slot.section is SectionName.SUMMARIES:
            words.append("M")
        else:
            words.append(f"[{slot.section.value[0]}]")
    return "".join(words)


def at_depth(depth: int) -> OwnMemory:
    return OwnMemory(depth=depth)


def test_the_summaries_stand_where_they_are_placed() -> None:
    assert shown("uaua", None) == "Suaua"
    assert shown("uaua", BEFORE) == "MSuaua"
    assert shown("uauau", at_depth(2)) == "SuauMau"
    assert shown("uauau", at_depth(5)) == "SMuauau"
    assert shown("uauau", at_depth(9)) == "SMuauau"
    assert shown("", at_depth(4)) == "SM"


def test_the_summaries_never_stand_behind_the_newest_user_turn() -> None:
    assert shown("uau", at_depth(0)) == "SuaMu"
    assert shown("uaua", at_depth(1)) == "SuaMua"
    assert shown("aa", at_depth(0)) == "SaaM"


def test_the_summaries_never_part_a_tool_call_from_its_results() -> None:
    assert shown("uattau", at_depth(2)) == "SuattMau"
    assert shown("uattau", at_depth(3)) == "SuMattau"
    assert shown("uattau", at_depth(4)) == "SuMattau"
    assert shown("tta", at_depth(2)) == "SMtta"


def test_the_summaries_stay_out_of_the_older_turns_before_the_window() -> None:
    assert shown("uau", at_depth(2), holes=2) == "S[h]oo[v]uMau"
    assert shown("uau", at_depth(3), holes=1, pinned=1) == "S[h]o[p]oM[v]uau"
    assert shown("uau", at_depth(4), holes=1, pinned=1) == "SM[h]o[p]o[v]uau"
    assert shown("uau", BEFORE, pinned=1) == "MS[p]o[v]uau"


@given(
    turns=stories(),
    own=st.one_of(st.none(), st.builds(OwnMemory, depth=st.one_of(st.none(), st.integers(0, 40)))),
    holes=st.integers(0, 2),
    pinned=st.integers(0, 2),
    has_system=st.booleans(),
)
def test_every_message_stands_once_and_turns_keep_their_order(
    turns: tuple[Entry, ...], own: OwnMemory | None, holes: int, pinned: int, *, has_system: bool
) -> None:
    plan = plan_of(turns, own, holes=holes, pinned=pinned)
    slots = layout(plan, has_system=has_system)
    entries = [slot.entry for slot in slots if slot.entry is not None]
    assert entries == [*plan.holes, *plan.pinned, *plan.verbatim]
    places = [number for number, slot in enumerate(slots) if slot.section is SectionName.SUMMARIES]
    assert len(places) == (own is not None)
    assert sum(slot.section is SectionName.SYSTEM for slot in slots) == has_system
    if own is None or own.depth is None:
        return
    behind = [slot.entry for slot in slots[places[0] + 1 :] if slot.entry is not None]
    assert not behind or behind[0].role is not Role.TOOL or len(behind) >= len(turns)
    users = [turn for turn in turns if turn.role is Role.USER]
    assert not users or users[-1] in behind
    assert len(behind) >= min(own.depth, len(entries))


def test_sections_stand_in_the_order_of_the_prompt() -> None:
    names = list(SectionName)
    assert sorted(names, key=lambda name: section_place(name, None)) == names
    assert min(names, key=lambda name: section_place(name, BEFORE)) is SectionName.SUMMARIES
    in_chat = sorted(names, key=lambda name: section_place(name, at_depth(4)))
    place = in_chat.index(SectionName.SUMMARIES)
    assert in_chat[place - 1 : place + 2] == [
        SectionName.VERBATIM,
        SectionName.SUMMARIES,
        SectionName.RECALLED,
    ]
