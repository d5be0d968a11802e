"""The built-in summariser: picks the sentences that carry the most, rarest and newest specifics.

Above: `llm.builtin`. Below: `sentences`, `scoring`, `selection`, `narrative`. Invariants: equal
requests give equal texts; a text is never longer than its budget or its source, keeps story order
and has no word that its source has not.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.domain.turn import Role
from foreword.planning.narrative import Voices, narrate
from foreword.planning.scoring import weigh
from foreword.planning.selection import Unit, choose
from foreword.planning.sentences import Sentence, SentenceKind, Splitter, read_passages

Count = Callable[[str], int]

KIND_FACTORS: Final[Mapping[SentenceKind, float]] = {
    SentenceKind.PROSE: 1.0,
    SentenceKind.SCENE: 0.5,
    SentenceKind.REMARK: 0.4,
}


def summarise(request: SummaryRequest, *, count: Count, split: Splitter) -> str:
    """Condense the passages into at most `request.target_tokens` tokens."""
    sentences = read_passages(request.passages, split)
    voices = Voices.of(request.passages)
    return _condense(sentences, voices, request.earlier, request.target_tokens, count)


def merge(request: MergeRequest, *, count: Count, split: Splitter) -> str:
    """Condense the blocks into at most `request.target_tokens` tokens."""
    passages = tuple(
        Passage(speaker="", role=Role.ASSISTANT, text=block) for block in request.blocks
    )
    sentences = read_passages(passages, split)
    return _condense(sentences, Voices.of(passages), (), request.target_tokens, count)


def _condense(
    sentences: Sequence[Sentence],
    voices: Voices,
    earlier: Sequence[str],
    budget: int,
    count: Count,
) -> str:
    concepts = weigh(sentences, earlier)
    units = [
        Unit(
            sentence=number,
            position=position,
            group=sentence.passage,
            cost=count(" " + clause.text) + (1 if position == 0 else 0),
            group_cost=count("\n" + voices.prefix(sentence.passage)),
            fresh=clause.fresh,
            factor=KIND_FACTORS[sentence.kind],
            concepts=concepts.mentions[number][position],
        )
        for number, sentence in enumerate(sentences)
        for position, clause in enumerate(sentence.clauses)
    ]
    room = budget
    while room > 0:
        chosen = choose(units, concepts.weights, room)
        places = sorted((units[index].sentence, units[index].position) for index in chosen)
        text = narrate(sentences, places, voices)
        over = count(text) - budget
        if over <= 0:
            return text
        room -= over
    return ""
