"""The built-in summariser: picks the sentences that carry the most, rarest and newest specifics.

Above: `llm.builtin`. Below: the rest of the built-in summariser in `planning`.
Invariants: equal requests give equal texts; a text is never longer than its budget or its source,
keeps story order, has no word that its source has not, and is empty only for an empty source.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from foreword.domain.summarising import MergeRequest, Passage, SummaryRequest
from foreword.planning.extractive.candidates import candidates, shape
from foreword.planning.extractive.clipping import clip
from foreword.planning.extractive.labels import read_block
from foreword.planning.extractive.narrative import Voices, narrate
from foreword.planning.extractive.scoring import weigh
from foreword.planning.extractive.selection import Candidate, Unit, choose
from foreword.planning.extractive.sentences import Sentence, Splitter, read_passages

Count = Callable[[str], int]

_CHARS_PER_TOKEN: Final = 4
ROUNDS: Final = 5
"""The marks between fragments are only known once written, so the budget is refined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What is condensed, and into how much."""

    passages: Sequence[Passage]
    voices: Voices
    texts: Sequence[str]
    """What was given, names included where they stand in the text."""
    earlier: Sequence[str] = ()
    target: int


def summarise(request: SummaryRequest, *, count: Count, split: Splitter) -> str:
    """Condense the passages into at most `request.target_tokens` tokens.

    Returns:
        Picked sentences in story order. One character may stand although it costs more than the
        target: a source with text never gives an empty summary.
    """
    source = _Source(
        passages=request.passages,
        voices=Voices.of(request.passages),
        texts=tuple(passage.text for passage in request.passages),
        earlier=request.earlier,
        target=request.target_tokens,
    )
    return _condense(source, count=count, split=split)


def merge(request: MergeRequest, *, count: Count, split: Splitter) -> str:
    """Condense the blocks into at most `request.target_tokens` tokens; see `summarise`."""
    passages = tuple(passage for block in request.blocks for passage in read_block(block))
    source = _Source(
        passages=passages,
        voices=Voices.labelled(passages),
        texts=request.blocks,
        target=request.target_tokens,
    )
    return _condense(source, count=count, split=split)


def _condense(source: _Source, *, count: Count, split: Splitter) -> str:
    whole = "\n".join(text for text in source.texts if text.strip())
    budget = min(source.target, sum(map(count, source.texts)))
    sentences = read_passages(source.passages, split)
    concepts = weigh(sentences, source.earlier)
    places = [
        (number, position)
        for number, sentence in enumerate(sentences)
        for position in range(len(sentence.clauses))
    ]
    units = [
        _unit(sentences[number], position, concepts.mentions[number], source.voices, count)
        for number, position in places
    ]
    options = _options(sentences, source.voices)

    def write(room: int) -> str:
        chosen = choose(units, options, weights=concepts.weights, budget=room)
        return narrate(sentences, sorted(places[index] for index in chosen), source.voices)

    return _fullest(write, budget, len(whole), count) or clip(whole, budget, count)


def _fullest(write: Callable[[int], str], budget: int, max_chars: int, count: Count) -> str:
    """The longest text written that keeps the budget and is not longer than its source."""
    room, best, most = budget, "", 0
    for _ in range(ROUNDS):
        text = write(room)
        used = count(text)
        too_long = -(-(len(text) - max_chars) // _CHARS_PER_TOKEN)
        over = max(used - budget, too_long)
        if over <= 0 and used > most:
            best, most = text, used
        if -budget // 100 <= over <= 0:
            break
        room -= over
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
    alike: Counter[str] = Counter()
    first = 0
    for sentence in sentences:
        # The tenth row of a table tells less than the first.
        pattern = shape(sentence)
        alike[pattern] += 1
        weight = voices.weights[sentence.passage] / (alike[pattern] if pattern else 1)
        options.extend(candidates(sentence, first, weight))
        first += len(sentence.clauses)
    return options
