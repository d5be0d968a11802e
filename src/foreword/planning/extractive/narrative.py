"""Writes chosen clauses as a story so far: fragments mended, speakers named, one line each.

Above: `extractive`. Below: `clauses`. Invariant: order is the given order; only speakers' names,
brackets, quotation marks and ellipses are added.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Self

from foreword.domain.summarising import Passage
from foreword.domain.turn import Role
from foreword.planning.extractive.clauses import glue, join_fragments, mend
from foreword.planning.extractive.sentences import Sentence, SentenceKind

ROLE_WEIGHTS: Final[Mapping[Role, float]] = {
    Role.SYSTEM: 1.0,
    Role.USER: 1.5,
    Role.ASSISTANT: 1.0,
    Role.TOOL: 0.6,
}
"""Where tools are used: what the user said is worth most, output least."""

PINNED: Final = 0.3
"""Factor for passages that are sent word for word anyway."""


@dataclass(frozen=True, slots=True)
class Voices:
    """Who speaks in each passage, and whether that must be said."""

    names: tuple[str, ...]
    weights: tuple[float, ...]
    """How much the words of each passage count."""

    @classmethod
    def of(cls, passages: Sequence[Passage]) -> Self:
        """Name every speaker but the one who narrates."""
        narrators = {p.speaker for p in passages if p.role is Role.ASSISTANT}
        alone = len({p.role for p in passages}) == 1 and not any(p.speaker for p in passages)
        tools = any(p.role is Role.TOOL for p in passages)
        silent = narrators if len(narrators) == 1 and not tools else set()
        return cls(
            tuple(
                ""
                if alone or (p.role is Role.ASSISTANT and p.speaker in silent)
                else p.speaker or p.role.value.capitalize()
                for p in passages
            ),
            tuple(
                (ROLE_WEIGHTS[p.role] if tools else 1.0) * (PINNED if p.pinned else 1.0)
                for p in passages
            ),
        )

    @classmethod
    def labelled(cls, passages: Sequence[Passage]) -> Self:
        """Name exactly those speakers that have a name."""
        return cls(tuple(p.speaker for p in passages), tuple(1.0 for _ in passages))

    def prefix(self, passage: int) -> str:
        """What stands before the words of a passage."""
        name = self.names[passage]
        return f"{name}: " if name else ""


def narrate(
    sentences: Sequence[Sentence], places: Sequence[tuple[int, int]], voices: Voices
) -> str:
    """Write the clauses at `places` (sentence, position), in order, as lines."""
    lines: list[str] = []
    before: tuple[str, int] | None = None
    by_sentence = [
        (number, [position for _, position in group])
        for number, group in groupby(places, key=lambda place: place[0])
    ]
    for number, positions in by_sentence:
        sentence = sentences[number]
        name = voices.names[sentence.passage]
        if sentence.kind is SentenceKind.SCENE:
            fields = [sentence.clauses[position].text for position in positions]
            lines.append(f"[{' | '.join(fields)}]")
            before = None
            continue
        text = _sentence(sentence, positions)
        if before and before[0] == name and (name or before[1] == sentence.passage):
            lines[-1] += glue(lines[-1]) + text
        else:
            lines.append(voices.prefix(sentence.passage) + text)
        before = (name, sentence.passage)
    return "\n".join(lines)


def _sentence(sentence: Sentence, positions: Sequence[int]) -> str:
    runs: list[list[int]] = []
    for position in positions:
        if runs and runs[-1][-1] == position - 1:
            runs[-1].append(position)
        else:
            runs.append([position])
    texts = [mend([sentence.clauses[position] for position in run]) for run in runs]
    text = join_fragments(texts, opens=sentence.clauses[positions[0]].fresh)
    return f"(({text}))" if sentence.kind is SentenceKind.REMARK else text
