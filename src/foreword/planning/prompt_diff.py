"""What changed from one prompt to the next: sections, turns, summaries, and where it begins.

Above: engine. Below: `planning.coverage`, domain. Invariants: two equal prompts have an empty
difference; the stable prefix is text that both begin with, message by message; what left and what
came turns the turns of the one into those of the other.

Source: DESIGN, rule 9.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from foreword.domain.ids import SummaryId, TurnId, VersionId
from foreword.domain.message import Message
from foreword.domain.turn import MESSAGE_OVERHEAD
from foreword.planning.coverage import SECTION_ORDER, Section, SectionName

CONTEXT = 3
"""Lines without a change that are shown around one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPrompt:
    """A prompt with its texts."""

    messages: tuple[Message, ...] = ()
    sections: tuple[Section, ...] = ()
    turns: Mapping[TurnId, VersionId]
    """Which version of each turn it holds word for word."""
    summaries: tuple[SummaryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionChange:
    """What a section was and is."""

    name: SectionName
    before: int
    after: int
    """Tokens."""
    turns_before: int
    turns_after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """What two prompts begin with alike: what a provider's cache can be asked for again."""

    messages: int
    """That are wholly the same."""
    tokens: int
    """Up to the first difference, within a message too."""
    of: int
    """Tokens of the newer prompt, counted alike."""

    @property
    def share(self) -> float:
        """The part of the newer prompt that is the prefix, from 0 to 1."""
        return self.tokens / self.of if self.of else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptDiff:
    """What changed from one prompt to the next."""

    sections: tuple[SectionChange, ...]
    """Those that changed, in the order of the prompt."""
    turns_entered: tuple[TurnId, ...]
    turns_left: tuple[TurnId, ...]
    turns_changed: tuple[TurnId, ...]
    """In both, with another text."""
    summaries_entered: tuple[SummaryId, ...]
    summaries_left: tuple[SummaryId, ...]
    prefix: Prefix
    lines: tuple[str, ...]
    """A unified diff of the texts, message by message; empty when they are the same."""

    @property
    def is_empty(self) -> bool:
        """Whether both are the same."""
        return not (
            self.sections
            or self.turns_entered
            or self.turns_left
            or self.turns_changed
            or self.summaries_entered
            or self.summaries_left
            or self.lines
        )


def diff(before: SentPrompt, after: SentPrompt, *, count: Callable[[str], int]) -> PromptDiff:
    """Compare two prompts.

    Args:
        before: the older one; an empty one when there is none.
        after: the newer one.
        count: returns the tokens of a text.
    """
    old, new = before.turns, after.turns
    return PromptDiff(
        sections=tuple(_section_changes(before.sections, after.sections)),
        turns_entered=tuple(turn for turn in new if turn not in old),
        turns_left=tuple(turn for turn in old if turn not in new),
        turns_changed=tuple(turn for turn in new if old.get(turn, new[turn]) != new[turn]),
        summaries_entered=tuple(one for one in after.summaries if one not in before.summaries),
        summaries_left=tuple(one for one in before.summaries if one not in after.summaries),
        prefix=prefix_of(before.messages, after.messages, count=count),
        lines=tuple(_lines(before.messages, after.messages)),
    )


def prefix_of(
    before: Sequence[Message], after: Sequence[Message], *, count: Callable[[str], int]
) -> Prefix:
    """Return how far two prompts are the same from their beginning on."""
    same = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        same += 1
    costs = [count(message.content) + MESSAGE_OVERHEAD for message in after]
    tokens = sum(costs[:same])
    if same < min(len(before), len(after)) and before[same].role is after[same].role:
        within = count(_common(before[same].content, after[same].content))
        tokens += min(within, costs[same])
    return Prefix(messages=same, tokens=tokens, of=sum(costs))


def _common(one: str, other: str) -> str:
    """Return what two texts begin with, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return one[:low]


def _section_changes(
    before: Sequence[Section], after: Sequence[Section]
) -> Iterator[SectionChange]:
    old = {section.name: section for section in before}
    new = {section.name: section for section in after}
    for name in sorted(old.keys() | new.keys(), key=SECTION_ORDER.__getitem__):
        nothing = Section(name=name, tokens=0)
        was, is_now = old.get(name, nothing), new.get(name, nothing)
        if was != is_now:
            yield SectionChange(
                name=name,
                before=was.tokens,
                after=is_now.tokens,
                turns_before=was.turns,
                turns_after=is_now.turns,
            )


def _lines(before: Sequence[Message], after: Sequence[Message]) -> Iterator[str]:
    """Yield a unified diff; what both begin or end with is left out before it is compared."""
    old, new = list(_shown(before)), list(_shown(after))
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    head, tail = max(0, first - CONTEXT), max(0, last - CONTEXT)
    found = unified_diff(
        old[head : len(old) - tail], new[head : len(new) - tail], n=CONTEXT, lineterm=""
    )
    for line in list(found)[2:]:
        yield _moved(line, head) if line.startswith("@@") else line


def _shown(messages: Sequence[Message]) -> Iterator[str]:
    for message in messages:
        yield f"[{message.role.value}]"
        yield from message.content.split("\n")


def _moved(line: str, by: int) -> str:
    """Return the heading of a hunk for lines that are counted from the beginning."""
    words = line.split(" ")
    return " ".join([words[0], *(_shifted(word, by) for word in words[1:3]), words[3]])


def _shifted(word: str, by: int) -> str:
    first, comma, size = word[1:].partition(",")
    return f"{word[0]}{int(first) + by}{comma}{size}"
