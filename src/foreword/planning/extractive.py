"""The built-in summariser: picks the sentences that carry the most, rarest and newest specifics.

Above: `llm.builtin`. Below: the rest of the built-in summariser in `planning`.
Invariants: equal requests give equal texts; a text is never longer than its budget or its source,
keeps story order, has no word that its source has not, and is empty only for an empty source.
"""

from collections.abc import Callable, Sequence
from typing import Final

from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.planning.candidates import candidates
from foreword.planning.clipping import clip
from foreword.planning.labels import read_block
from foreword.planning.narrative import Voices, narrate
from foreword.planning.scoring import weigh
from foreword.planning.selection import Candidate, Unit, choose
from foreword.planning.sentences import Sentence, Splitter, read_passages

Count = Callable[[str], int]

ROUNDS: Final = 4
"""The marks between fragments are only known once written, so the budget is refined."""


def summarise(request: SummaryRequest, *, count: Count, split: Splitter) -> str:
    """Condense the passages into at most `request.target_tokens` tokens.

    Returns:
        Picked sentences in story order. One word may stand although it costs more than the target:
        a source with text never gives an empty summary.
    """
    return _condense(
        request.passages,
        Voices.of(request.passages),
        earlier=request.earlier,
        target=request.target_tokens,
        count=count,
        split=split,
    )


def merge(request: MergeRequest, *, count: Count, split: Splitter) -> str:
    """Condense the blocks into at most `request.target_tokens` tokens; see `summarise`."""
    passages = tuple(passage for block in request.blocks for passage in read_block(block))
    return _condense(
        passages,
        Voices.labelled(passages),
        earlier=(),
        target=request.target_tokens,
        count=count,
        split=split,
    )


def _condense(
    passages: Sequence[Passage],
    voices: Voices,
    *,
    earlier: Sequence[str],
    target: int,
    count: Count,
    split: Splitter,
) -> str:
    source = "\n".join(passage.text for passage in passages if passage.text.strip())
    budget = min(target, sum(count(passage.text) for passage in passages))
    sentences = read_passages(passages, split)
    text = _best_within(sentences, voices, earlier=earlier, budget=budget, count=count)
    if text and len(text) <= len(source):
        return text
    return clip(source, budget, count)


def _best_within(
    sentences: Sequence[Sentence],
    voices: Voices,
    *,
    earlier: Sequence[str],
    budget: int,
    count: Count,
) -> str:
    """The fullest text of chosen clauses that the budget allows; empty when none fits."""
    concepts = weigh(sentences, earlier)
    places = [
        (number, position)
        for number, sentence in enumerate(sentences)
        for position in range(len(sentence.clauses))
    ]
    units = [
        _unit(sentences[number], position, concepts.mentions[number], voices, count)
        for number, position in places
    ]
    options = _options(sentences, voices)
    room, best, most = budget, "", 0
    for _ in range(ROUNDS):
        chosen = choose(units, options, weights=concepts.weights, budget=room)
        text = narrate(sentences, sorted(places[index] for index in chosen), voices)
        used = count(text)
        if most < used <= budget:
            best, most = text, used
        if used == budget:
            break
        room += budget - used
    return best


def _unit(
    sentence: Sentence,
    position: int,
    mentions: Sequence[tuple[int, ...]],
    voices: Voices,
    count: Count,
) -> Unit:
    return Unit(
        group=sentence.passage,
        cost=count(" " + sentence.clauses[position].text),
        group_cost=count("\n" + voices.prefix(sentence.passage)),
        concepts=mentions[position],
    )


def _options(sentences: Sequence[Sentence], voices: Voices) -> list[Candidate]:
    options: list[Candidate] = []
    first = 0
    for sentence in sentences:
        options.extend(candidates(sentence, first, voices.weights[sentence.passage]))
        first += len(sentence.clauses)
    return options
