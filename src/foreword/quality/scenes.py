"""Does the draft tell a scene that comes after its source?

Above: gates. Below: overlap and wording. Invariant: words of the draft that the source or its
context has are never held against it, and a good summary in other words loses nothing: only runs
of sentences that share next to nothing with a long source do.

Source: research, failure → guard → test.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import Final

from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.overlap import term_pairs, told_term_pairs
from foreword.quality.wording import KEPT, folded, sentences, shortened, unquoted

_WORD: Final = re.compile(r"[^\W\d_]+")
_STEM: Final = 5
_LEAST_WORDS: Final = 3
"""Content words of a sentence that can be judged."""
_STRANGE: Final = 0.7
_RUN: Final = 3
_KNOWN_LEAST: Final = 60
"""Different words of a source that says enough to tell what is new."""
_SAME_LANGUAGE: Final = 0.5
"""Short words that draft and source share when they are in one language."""
_HEADER: Final = re.compile(r"^[ \t]*\[[^\]\n|]{1,80}\|[^\]\n]{1,200}\][ \t]*$", re.MULTILINE)
_YOU: Final = re.compile(r"\b(?:you|your|du|dir|dein\w*|tu|vous|votre|tú|ты|твой)\b", re.IGNORECASE)
_ASKS: Final = re.compile(
    r"(?:what (?:will|do|does|should|would|is|are) (?:\w+[ ]){1,4}?"
    r"(?:do|say|choose|decide|going to do)(?: next| now| first)?"
    r"|was (?:tust|machst|wirst|tut|macht|wird|soll) (?:\w+ ){0,3}\w+"
    r"(?: (?:als nächstes|nun|jetzt))(?: tun| machen)?"
    r"|que (?:fais-tu|faites-vous|va faire \w+|vas-tu faire|fera \w+)(?: maintenant| ensuite)?"
    r"|¿?qué (?:haces|harás|hará \w+|va a hacer \w+)(?: ahora| después)?"
    r"|что (?:ты )?(?:будешь делать|сделаешь)(?: дальше| теперь)?)\s*\?[\s*_)\]]*\Z",
    re.IGNORECASE,
)
_SAYS: Final = re.compile(
    r"^[ \t>*_-]{0,6}([^\W\d_][^:：\n*_]{0,38}?)[*_]{0,2}[:：][*_ \t]{0,4}(\S[^\n]*)$", re.MULTILINE
)
_WHOLE_SPEECH: Final = re.compile(r"[\"“„«「][^\"”“»」\n]{2,400}[\"”“»」]\W{0,3}")
_IN_PERSON: Final = re.compile(
    r"\b(?:i|i'm|i'll|i've|i'd|we|we'll|me|my|ich|mich|mir|wir|je|nous|yo|я|мы)\b", re.IGNORECASE
)
_LATER: Final = re.compile(
    r"\b(?:(?:the )?(?:next|following) (?:morning|day|evening|night|week)|(?:before|at) dawn"
    r"|(?:hours|days|weeks) later|later that (?:night|day|evening)|am (?:nächsten|folgenden) "
    r"(?:morgen|tag|abend)|le lendemain|al día siguiente|a la mañana siguiente|наутро"
    r"|на следующ\w+ (?:день|утро))\b"
)
_SPEECH: Final = re.compile(
    r"(?:(?<![^\s(—–*])\"(?=\S)|[“„«「])([^\"”“»」\n]{5,400}[.!?,…。！？])[\"”“»」]"
)
_LINES: Final = 12
"""At the end of a draft; whoever plays longer plays there too."""
_NEAR: Final = 160
_SPOKEN: Final = 0.08


def check(draft: Draft, source: Source) -> Finding | None:
    """Find the next scene: as a play, as a question to the player, or told in unheard words."""
    text = draft.text
    if found := _played(text, source):
        return found
    known = _known((*source.texts, *source.context, *_names(source)))
    strange = [(sentence, _is_strange(sentence, known)) for sentence in sentences(text)]
    judged = [(sentence, bad) for sentence, bad in strange if bad is not None]
    tail = 0
    while tail < len(judged) and judged[-1 - tail][1]:
        tail += 1
    bad = sum(1 for _, new in judged if new)
    if not bad or len(known) < _KNOWN_LEAST or not _speaks_alike(text, known):
        return _dawns(text, source)
    words = next(sentence for sentence, new in reversed(judged) if new)
    if tail >= _RUN or (bad >= 2 and bad * 2 > len(judged)):
        return _finding("most of the end stands nowhere in the text", words)
    return _dawns(text, source)


def _played(text: str, source: Source) -> Finding | None:
    told = _told((*source.texts, *source.context))
    last = (sentences(text) or ("",))[-1]
    asked = _ASKS.search(last)
    if asked and _flat(asked[0]) not in told:
        return _finding("the draft asks what to do next", last)
    for header in _HEADER.finditer(text):
        before, after = text[: header.start()], text[header.end() :]
        new = before.strip() and after.strip() and _flat(header[0]) not in told
        if new and _YOU.search(unquoted(after)) and not _YOU.search(unquoted(before)):
            return _finding("the draft opens the next scene", header[0])
    return _spoken(text, told, source) or _in_talk(text, source)


def _spoken(text: str, told: str, source: Source) -> Finding | None:
    """Find lines at the end of the draft that somebody says, not what is said of them."""
    # Who speaks so in a summary that is merged may do it in other words.
    scripted = _scripted(source.blocks)
    speakers = {folded(name.strip()) for name in _names(source)}
    said = []
    for line in [line for line in text.splitlines() if line.strip()][: -_LINES - 1 : -1]:
        found = _SAYS.match(line)
        label = folded(found[1]) if found else ""
        person = found and (label in speakers or _is_named(found[1], source))
        if found is None or not person or label in scripted:
            break
        if _is_said(found[2].strip(), told):
            said.append(line)
    else:
        # Nothing but labels is rather a list of people; two who speak are a play.
        said = said if len(said) >= 2 else []
    if len(said) >= 2 or any(_IN_PERSON.search(unquoted(line)) for line in said):
        return _finding("the draft has lines of dialogue that nobody says", said[0])
    return None


def _is_named(label: str, source: Source) -> bool:
    """Whether a label is a name: the source has it and never writes it small."""
    words = _written((*source.texts, *source.context))
    return label in words and label.lower() not in words


def _is_said(words: str, told: str) -> bool:
    speech = _WHOLE_SPEECH.fullmatch(words) or _IN_PERSON.search(unquoted(words))
    return bool(speech) and _flat(words) not in told


@lru_cache(maxsize=KEPT)
def _written(texts: tuple[str, ...]) -> str:
    return "\n".join(texts)


@lru_cache(maxsize=KEPT)
def _scripted(blocks: tuple[str, ...]) -> frozenset[str]:
    return frozenset(folded(found[1]) for block in blocks for found in _SAYS.finditer(block))


def _in_talk(text: str, source: Source) -> Finding | None:
    """Find two speeches side by side that nobody makes in the source, nor in like words."""
    known = told_term_pairs((*source.texts, *source.context))
    new = [
        found
        for found in _SPEECH.finditer(text)
        if (pairs := term_pairs(found[1])) and len(pairs & known) * 2 <= len(pairs)
    ]
    share = sum(len(found[0]) for found in new) / max(1, len(text))
    near = any(after.start() - before.end() <= _NEAR for before, after in pairwise(new))
    if near and share >= _SPOKEN:
        return _finding("the draft has new lines of dialogue", new[0][0])
    return None


def _dawns(text: str, source: Source) -> Finding | None:
    """Find a sentence that moves on to a time of which the source does not speak; soft."""
    told = _told((*source.texts, *source.context))
    for sentence in sentences(unquoted(text)):
        found = _LATER.search(folded(sentence)[:32])
        if found and _flat(found[0]) not in told and not source.blocks:
            return _finding("the draft moves on to a time after the text", sentence, soft=True)
    return None


def _is_strange(sentence: str, known: frozenset[str]) -> bool | None:
    """Whether next to no content word is known; None when there are too few."""
    words = [
        folded(found[0])
        for found in _WORD.finditer(unquoted(sentence))
        if len(found[0]) >= 4 and (found.start() == 0 or not found[0][0].isupper())
    ]
    if len(words) < _LEAST_WORDS:
        return None
    return sum(word[:_STEM] not in known for word in words) >= _STRANGE * len(words)


def _speaks_alike(text: str, known: frozenset[str]) -> bool:
    short = [word for word in map(folded, _WORD.findall(text)) if len(word) <= 3]
    return bool(short) and sum(word in known for word in short) >= _SAME_LANGUAGE * len(short)


def _names(source: Source) -> tuple[str, ...]:
    return tuple(passage.speaker for passage in source.passages)


@lru_cache(maxsize=KEPT)
def _known(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in _WORD.findall(folded("\n".join(texts))))


@lru_cache(maxsize=KEPT)
def _told(texts: tuple[str, ...]) -> str:
    return _flat("\n".join(texts))


def _flat(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", folded(text)))


def _finding(detail: str, words: str, *, soft: bool = False) -> Finding:
    return Finding(
        gate=Gate.CONTINUATION,
        detail=f"{detail}: “{shortened(words, 50)}”",
        direction="Do not go on with the scene: report in the third person what happened in the "
        "text, and nothing after it.",
        soft=soft,
    )
