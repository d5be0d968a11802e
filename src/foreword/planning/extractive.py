"""The built-in summariser: picks the sentences that carry the most, rarest and newest specifics.

Above: `llm.builtin`. Below: `sentences`, `scoring`, `selection`, `narrative`. Invariants: equal
requests give equal texts; a text is never longer than its budget or its source, keeps story order
and has no word that its source has not.
"""

from collections.abc import Callable, Sequence
from typing import Final

from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.domain.turn import Role
from foreword.planning.candidates import candidates
from foreword.planning.narrative import Voices, narrate
from foreword.planning.scoring import weigh
from foreword.planning.selection import Candidate, Unit, choose
from foreword.planning.sentences import Sentence, Splitter, read_passages

Count = Callable[[str], int]

ROUNDS: Final = 4
"""The marks between fragments are only known once written, so the budget is refined."""


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
    units: list[Unit] = []
    places: list[tuple[int, int]] = []
    options: list[Candidate] = []
    for number, sentence in enumerate(sentences):
        first = len(units)
        for position, clause in enumerate(sentence.clauses):
            places.append((number, position))
            units.append(
                Unit(
                    group=sentence.passage,
                    cost=count(" " + clause.text),
                    group_cost=count("\n" + voices.prefix(sentence.passage)),
                    concepts=concepts.mentions[number][position],
                )
            )
        options.extend(candidates(sentence, first, voices.weights[sentence.passage]))
    room, best = budget, ""
    for _ in range(ROUNDS):
        chosen = choose(units, options, weights=concepts.weights, budget=room)
        text = narrate(sentences, sorted(places[index] for index in chosen), voices)
        used = count(text)
        if used <= budget and used > count(best):
            best = text
        if used == budget:
            break
        room += budget - used
    return best
