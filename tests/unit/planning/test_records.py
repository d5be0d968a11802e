"""Kept prompts: cut into texts that are stored already, and whole again."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.piles import entry

from foreword.domain.ids import BranchId, PlanId, Rev, SummaryId, VersionId
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.planning.coverage import (
    Coverage,
    Dropped,
    OwnMemory,
    PromptPlan,
    Section,
    SectionName,
)
from foreword.planning.placement import layout
from foreword.planning.records import (
    KeptMessage,
    NewRecord,
    PlainText,
    Record,
    SummaryText,
    TurnText,
    cut,
    joined,
    kept_messages,
    messages_digest,
)

MARKER = Message(role=Role.SYSTEM, content="[…]")
TEXTS = st.text(alphabet="ab \n", max_size=5)


def plan_of(
    *, holes: int = 0, pinned: int = 0, verbatim: int = 0, summaries: int = 0
) -> PromptPlan:
    """A plan that sends so many turns, numbered from 1 in the order of the prompt."""
    turns = tuple(entry(number) for number in range(1, holes + pinned + verbatim + 1))
    return PromptPlan(
        sections=(Section(name=SectionName.SYSTEM, tokens=7),),
        summaries=tuple(SummaryId(number) for number in range(1, summaries + 1)),
        holes=turns[:holes],
        pinned=turns[holes : holes + pinned],
        verbatim=turns[holes + pinned :],
        dropped=Dropped(),
        coverage=Coverage(
            verbatim=len(turns), covered=0, masked=0, hidden=0, dropped=0, turns=len(turns)
        ),
        limit=100,
    )


def messages_of(plan: PromptPlan, system: str, turns: list[str]) -> tuple[Message, ...]:
    """The messages of a plan, as the engine writes them."""
    said = [Message(role=Role.USER, content=text) for text in turns]
    holes, pinned = len(plan.holes), len(plan.pinned)
    messages = [Message(role=Role.SYSTEM, content=system)] if system else []
    messages += [MARKER, *said[:holes]] if holes else []
    messages += [MARKER, *said[holes : holes + pinned]] if pinned else []
    messages += [MARKER] if (holes or pinned) and plan.verbatim else []
    return (*messages, *said[holes + pinned :])


@given(
    own=st.builds(OwnMemory, depth=st.one_of(st.none(), st.integers(0, 4))),
    memory=st.lists(TEXTS, max_size=3),
    repeats=st.integers(1, 2),
    system=TEXTS,
)
def test_a_kept_prompt_with_the_summaries_as_a_message_of_their_own_is_whole_again(
    own: OwnMemory, memory: list[str], repeats: int, system: str
) -> None:
    plan = replace(plan_of(verbatim=3, summaries=len(memory)), own_memory=own)
    turns = {VersionId(number): f"turn {number}" for number in range(1, 4)}
    covered = {SummaryId(number): text for number, text in enumerate(memory, start=1)}
    said = {
        SectionName.SYSTEM: system,
        SectionName.SUMMARIES: "\n\n".join(["The story:", *memory * repeats]),
    }
    messages = tuple(
        Message(role=Role.SYSTEM, content=said[slot.section])
        if slot.entry is None
        else Message(role=slot.entry.role, content=turns[slot.entry.version_id])
        for slot in layout(plan, has_system=bool(system))
    )
    kept = kept_messages(plan, messages, turns=turns, summaries=covered)
    assert joined(kept, turns=turns, summaries=covered) == messages
    assert [one.section for one in kept].count(SectionName.SUMMARIES) == 1


def test_summaries_that_are_sent_twice_are_not_stored_again() -> None:
    plan = replace(plan_of(summaries=2), own_memory=OwnMemory())
    summaries = {SummaryId(1): "They met.", SummaryId(2): "They left."}
    block = "\n\n".join(summaries.values())
    message = Message(role=Role.USER, content=f"Before:\n\n{block}\n\n{block}")
    (kept,) = kept_messages(plan, [message], turns={}, summaries=summaries)
    assert [piece for piece in kept.pieces if isinstance(piece, SummaryText)] == [
        SummaryText(SummaryId(number)) for number in (1, 2, 1, 2)
    ]


@given(
    sizes=st.tuples(*[st.integers(0, 2)] * 4),
    system=TEXTS,
    before=TEXTS,
    texts=st.lists(TEXTS, min_size=10, max_size=10),
)
def test_a_kept_prompt_is_whole_again_with_the_texts_of_its_turns_and_summaries(
    sizes: tuple[int, int, int, int], system: str, before: str, texts: list[str]
) -> None:
    holes, pinned, verbatim, summaries = sizes
    plan = plan_of(holes=holes, pinned=pinned, verbatim=verbatim, summaries=summaries)
    turns = {VersionId(number): text for number, text in enumerate(texts[:6], start=1)}
    covered = {SummaryId(number): text for number, text in enumerate(texts[6:], start=1)}
    memory = "\n\n".join(covered[one] for one in plan.summaries)
    said = [before + turns[VersionId(number)] for number in range(1, holes + pinned + verbatim + 1)]
    messages = messages_of(plan, system + memory, said)
    kept = kept_messages(plan, messages, turns=turns, summaries=covered)
    assert joined(kept, turns=turns, summaries=covered) == messages
    named = {
        one.version_id for message in kept for one in message.pieces if isinstance(one, TurnText)
    }
    assert named == {one for one in list(turns)[: len(said)] if turns[one]}


def test_each_message_belongs_to_a_section() -> None:
    plan = plan_of(holes=1, pinned=1, verbatim=2, summaries=1)
    messages = messages_of(plan, "Before.\n\nMira left.\n\nAfter.", ["t1", "t2", "Bo: t3", "t4"])
    turns = {VersionId(number): f"t{number}" for number in range(1, 5)}
    kept = kept_messages(plan, messages, turns=turns, summaries={SummaryId(1): "Mira left."})
    around = (PlainText("Before.\n\n"), SummaryText(SummaryId(1)), PlainText("\n\nAfter."))
    assert [(one.section.value, one.pieces) for one in kept] == [
        ("system", around),
        ("holes", (PlainText("[…]"),)),
        ("holes", (TurnText(VersionId(1)),)),
        ("pinned", (PlainText("[…]"),)),
        ("pinned", (TurnText(VersionId(2)),)),
        ("verbatim", (PlainText("[…]"),)),
        ("verbatim", (PlainText("Bo: "), TurnText(VersionId(3)))),
        ("verbatim", (TurnText(VersionId(4)),)),
    ]


def test_a_summary_that_a_template_changed_is_kept_as_text() -> None:
    one, two = SummaryText(SummaryId(1)), SummaryText(SummaryId(2))
    pieces = cut("MIRA LEFT. She paid.", [(one, "Mira left."), (two, "She paid.")])
    assert pieces == (PlainText("MIRA LEFT. "), two)
    assert cut("", [(one, "")]) == ()


def test_a_record_knows_its_texts() -> None:
    pieces = (PlainText("a"), SummaryText(SummaryId(1)), TurnText(VersionId(2)), PlainText("b"))
    record = record_of(KeptMessage(role=Role.USER, section=SectionName.SYSTEM, pieces=pieces))
    assert (record.texts, record.summaries, record.versions) == (("a", "b"), (1,), (2,))
    assert record.tokens == 12


def test_records_say_the_same_when_they_send_and_count_the_same() -> None:
    record = record_of()
    later = Record(
        id=PlanId(3),
        **{name: getattr(record, name) for name in NewRecord.__slots__} | {"at": "later"},
    )
    assert later.says_the_same(record)
    assert not later.says_the_same(replace(record, prefix_digest=b"other"))
    assert not later.says_the_same(replace(record, limit=9))


def test_other_messages_have_another_digest() -> None:
    lists = [
        [("user", "ab")], [("user", "a"), ("user", "b")], [("assistant", "ab")], [], [("user", "")],
        [("user", "a\nuser 1\nb")], [("user", "\ud800")],
    ]  # fmt: skip
    digests = [
        messages_digest([Message(role=Role(role), content=text) for role, text in one])
        for one in lists
    ]
    assert len(set(digests)) == len(lists)
    assert {len(one) for one in digests} == {16}


def record_of(*messages: KeptMessage) -> NewRecord:
    return NewRecord(
        branch=BranchId(1),
        rev=Rev(1),
        cover_version=0,
        at="now",
        messages=messages,
        sections=(
            Section(name=SectionName.SYSTEM, tokens=5),
            Section(name=SectionName.VERBATIM, tokens=7, turns=1),
        ),
        coverage=Coverage(verbatim=1, covered=0, masked=0, hidden=0, dropped=0, turns=1),
        dropped=Dropped(),
        limit=100,
        context=120,
        reply=20,
        prefix_digest=b"digest",
    )
