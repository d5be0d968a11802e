"""What changed between two prompts: nothing between equal ones, all of it between others."""

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.ids import SummaryId, TurnId, VersionId
from foreword.domain.message import Message
from foreword.domain.turn import MESSAGE_OVERHEAD, Role
from foreword.planning.coverage import Section, SectionName
from foreword.planning.prompt_diff import Prefix, PromptDiff, SectionChange, SentPrompt, diff

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def user(*texts: str) -> tuple[Message, ...]:
    return tuple(Message(role=Role.USER, content=text) for text in texts)


def sections() -> st.SearchStrategy[tuple[Section, ...]]:
    sizes = st.dictionaries(st.sampled_from(SectionName), st.integers(1, 9), max_size=4)
    return sizes.map(
        lambda found: tuple(
            Section(name=name, tokens=tokens, turns=tokens % 3) for name, tokens in found.items()
        )
    )


MESSAGES = st.lists(
    st.builds(Message, role=st.sampled_from(Role), content=st.text(alphabet="ab\n ", max_size=12)),
    max_size=8,
).map(tuple)
PROMPTS = st.builds(
    SentPrompt,
    messages=MESSAGES,
    sections=sections(),
    turns=st.dictionaries(
        st.integers(1, 6).map(TurnId), st.integers(1, 3).map(VersionId), max_size=6
    ),
    summaries=st.lists(st.integers(1, 5).map(SummaryId), unique=True, max_size=5).map(tuple),
)


def changes(before: SentPrompt, after: SentPrompt) -> PromptDiff:
    return diff(before, after, count=len)


def lines(messages: Sequence[Message]) -> list[str]:
    return [
        line
        for message in messages
        for line in (f"[{message.role.value}]", *message.content.split("\n"))
    ]


def applied(old: list[str], patch: Sequence[str]) -> list[str]:
    """Apply a unified diff as `patch` would: contexts and removals have to stand there."""
    new: list[str] = []
    place = 0
    for line in patch:
        hunk = HUNK.fullmatch(line)
        if hunk is not None:
            start, size = int(hunk[1]), hunk[2]
            first = start if size == "0" else start - 1
            new += old[place:first]
            place = first
            assert len(new) == int(hunk[3]) - (0 if hunk[4] == "0" else 1)
            continue
        if line[0] in " -":
            assert old[place] == line[1:]
            place += 1
        if line[0] in " +":
            new.append(line[1:])
    return new + old[place:]


@given(prompt=PROMPTS)
def test_equal_prompts_have_an_empty_difference(prompt: SentPrompt) -> None:
    found = changes(prompt, prompt)
    assert found.is_empty
    assert found.prefix == Prefix(
        messages=len(prompt.messages), tokens=found.prefix.of, of=found.prefix.of
    )
    assert found.prefix.share == 1


@given(before=PROMPTS, after=PROMPTS)
def test_the_difference_turns_the_one_prompt_into_the_other(
    before: SentPrompt, after: SentPrompt
) -> None:
    found = changes(before, after)
    turns = {one: of for one, of in before.turns.items() if one not in found.turns_left}
    new = (*found.turns_entered, *found.turns_changed)
    assert turns | {one: after.turns[one] for one in new} == dict(after.turns)
    assert not set(found.turns_entered) & set(before.turns)
    summaries = set(before.summaries) - set(found.summaries_left)
    assert summaries | set(found.summaries_entered) == set(after.summaries)
    sizes = {one.name: (one.tokens, one.turns) for one in before.sections}
    sizes |= {one.name: (one.after, one.turns_after) for one in found.sections}
    kept = {name: size for name, size in sizes.items() if size != (0, 0)}
    assert kept == {one.name: (one.tokens, one.turns) for one in after.sections}
    assert applied(lines(before.messages), found.lines) == lines(after.messages)


@given(before=PROMPTS, after=PROMPTS)
def test_the_prefix_is_what_both_begin_with(before: SentPrompt, after: SentPrompt) -> None:
    prefix = changes(before, after).prefix
    same = prefix.messages
    assert before.messages[:same] == after.messages[:same]
    rest = (before.messages[same:], after.messages[same:])
    whole = sum(len(one.content) + MESSAGE_OVERHEAD for one in after.messages[:same])
    within = prefix.tokens - whole
    assert prefix.of == sum(len(one.content) + MESSAGE_OVERHEAD for one in after.messages)
    assert 0 <= prefix.share <= 1
    if all(rest) and rest[0][0].role is rest[1][0].role:
        texts = (rest[0][0].content, rest[1][0].content)
        assert texts[0][:within] == texts[1][:within]
        assert texts[0][: within + 1] != texts[1][: within + 1]
    else:
        assert within == 0


def test_a_prompt_that_grew_at_its_end_is_a_prefix_of_the_next() -> None:
    before = SentPrompt(messages=user("one", "two"), turns={TurnId(1): VersionId(1)})
    after = SentPrompt(
        messages=user("one", "two", "three"),
        turns={TurnId(1): VersionId(4), TurnId(2): VersionId(2)},
        sections=(Section(name=SectionName.VERBATIM, tokens=9, turns=1),),
        summaries=(SummaryId(1),),
    )
    assert changes(before, after) == PromptDiff(
        sections=(
            SectionChange(
                name=SectionName.VERBATIM, before=0, after=9, turns_before=0, turns_after=1
            ),
        ),
        turns_entered=(TurnId(2),),
        turns_left=(),
        turns_changed=(TurnId(1),),
        summaries_entered=(SummaryId(1),),
        summaries_left=(),
        prefix=Prefix(messages=2, tokens=14, of=23),
        lines=("@@ -2,3 +2,5 @@", " one", " [user]", " two", "+[user]", "+three"),
    )


def test_a_change_in_the_middle_of_a_long_prompt_is_shown_with_its_surroundings() -> None:
    before = user(*map(str, range(50)))
    after = (*before[:20], *user("new"), *before[21:])
    found = changes(SentPrompt(messages=before, turns={}), SentPrompt(messages=after, turns={}))
    assert found.lines == (
        "@@ -39,7 +39,7 @@",
        " [user]", " 19", " [user]", "-20", "+new", " [user]", " 21", " [user]",
    )  # fmt: skip


def test_nothing_before_is_a_difference_of_everything() -> None:
    found = changes(SentPrompt(turns={}), SentPrompt(messages=user("a"), turns={}))
    assert found.lines == ("@@ -0,0 +1,2 @@", "+[user]", "+a")
    assert found.prefix == Prefix(messages=0, tokens=0, of=5)
