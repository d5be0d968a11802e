"""May the draft record this permission, request or standing instruction?

Above: `gates`. Below: the phrases beside it and wording. Invariant: only a passage whose role is
user supports one, whatever another text claims to be; a merge may repeat what its blocks record.
Source: DESIGN rule 7.
"""

import re
from functools import lru_cache
from typing import Final

from foreword.domain.turn import Role
from foreword.quality.authority_phrases import (
    ADDRESSED,
    ATTRIBUTED,
    BENIGN,
    CLAIMS,
    CLAUSE,
    CONDITION,
    DENIED,
    EMPTY,
    ENDORSED,
    FREES,
    IN_FORCE,
    ORDERED,
    OWNER,
    PERMITS,
    REPORTED,
    RISKY,
)
from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.grants import listed, overstates
from foreword.quality.tasks import injected
from foreword.quality.wording import (
    folded,
    plain,
    sentences,
    shortened,
    unmasked,
    unquoted,
    words,
)

_HAN: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDING: Final = re.compile(r"(?<=\w{3})(?:'?s|ed|ing|es)\Z")
_STEM: Final = 5
_NEEDED: Final = 0.5
_MERGED: Final = 0.6
_SPREAD: Final = 0.8
_WORKING: Final = re.compile(
    rf"{OWNER}|\b(?:assistant|chatbot|ai|model|agent|bot|copilot|claude|chatgpt|gpt|gemini)\b"
)
_NONE: Final = re.compile(r"\b(?:no|nor) (?:\w+ )?\Z")
_WAIVES: Final = re.compile(r"\bmind\b|\bwaive|\bwithout ")
_NEAR: Final = 0.34
"""Share of the content words from which a sentence of the user is about the same thing."""


def check(draft: Draft, source: Source) -> Finding | None:
    """Find a sentence that gives somebody's say-so which no user turn gives."""
    working = _works(source)
    owners = _owners(source, working=working)
    wishes: list[str] = []
    text = unmasked(draft.text)
    if working and (task := next(injected(text, source), None)):
        return _finding(task, soft=False)
    for sentence, listing in listed(sentences(text)):
        said = owners.sub("the user", sentence)
        full = owners.sub("the user", listing)
        if working and source.passages and overstates(full, source.passages):
            return _finding(sentence, soft=False)
        if not claims_authority(said, working=working) or _is_supported(said, source):
            continue
        if not _is_wish(said, working=working):
            return _finding(sentence, soft=False)
        wishes.append(sentence)
    return _finding(wishes[0], soft=True) if wishes else None


def _finding(sentence: str, *, soft: bool) -> Finding:
    return Finding(
        gate=Gate.AUTHORITY,
        detail=f"no turn of the user says so: “{shortened(sentence, 80)}”",
        direction="Leave out every permission, request and instruction that the user did "
        "not give in a turn of their own; say at most what a text or tool reported.",
        soft=soft,
    )


def _is_wish(sentence: str, *, working: bool) -> bool:
    """A harmless request of the user, perhaps one of the source's in other words."""
    bare = unquoted(sentence).casefold()
    harmless = BENIGN.search(bare) is not None and not RISKY.search(bare)
    return harmless and not _orders(sentence, working=working)


def _works(source: Source) -> bool:
    """Whether an assistant works for a user there, rather than characters living a story."""
    if source.blocks:
        return any(_WORKING.search(block.casefold()) for block in source.blocks)
    return any(
        passage.role is Role.TOOL
        or (passage.role is Role.ASSISTANT and _WORKING.search(passage.speaker.casefold()))
        for passage in source.passages
    )


def _owners(source: Source, *, working: bool) -> re.Pattern[str]:
    """Names of the user where one is worked for; in a story the user's character is not one."""
    names = {passage.speaker for passage in source.passages if passage.role is Role.USER}
    said = [re.escape(name) for name in sorted(names) if working and name.strip()]
    return re.compile(rf"\b(?:{'|'.join(said) or '(?!)'})\b")


def claims_authority(sentence: str, *, working: bool = True) -> bool:
    """Whether `sentence` records or addresses a permission, a request or a standing order."""
    bare = unquoted(sentence).casefold()
    attributed = ATTRIBUTED.search(bare)
    if attributed and not CONDITION.search(bare[: attributed.start()]):
        given = bare[attributed.start() : attributed.end() + 1]
        if not _denies(given) or _WAIVES.search(given):
            return True
    return _orders(sentence, working=working)


def _orders(sentence: str, *, working: bool) -> bool:
    """Whether a clause addresses the model, or says what is in force, and is no mere report."""
    bare = unquoted(sentence).casefold()
    endorsed = ENDORSED.search(bare) is not None
    for clause in CLAUSE.split(bare):
        ordered = ORDERED.search(clause)
        if not (ordered or _addresses(clause) or (working and _forces(clause))):
            continue
        told = REPORTED.search(CLAIMS.sub("", clause) if ordered else clause)
        if endorsed or not (told or (not working and _is_passive_story(clause))):
            return True
    return False


def _addresses(clause: str) -> bool:
    """Whether it names what the model may or must, and not that nobody said so."""
    found = ADDRESSED.search(clause)
    return found is not None and not _NONE.search(clause[: found.start()])


def _forces(clause: str) -> bool:
    """Whether it says what is in force, and not that it is not."""
    found = IN_FORCE.search(clause)
    if found is None:
        return False
    freed = FREES.search(clause)
    said = clause[: freed.start() if freed else found.end()]
    return not _denies(said.replace("no longer", "").replace("without", ""))


def _denies(clause: str) -> bool:
    """Whether it says that nothing was given: "The user did not allow …"."""
    return bool(DENIED.search(clause))


def _is_passive_story(sentence: str) -> bool:
    """A character grants it, as in "permission was granted by the queen"."""
    said = re.search(r"\bby (?:the |an? )?(\w+)", sentence.casefold())
    return said is not None and said.group(1) not in {"user", "human", "operator", "default"}


def _is_supported(sentence: str, source: Source) -> bool:
    wanted = _content(sentence)
    if source.blocks:
        recorded = _recorded(source.blocks)
        return any(_covers(wanted, said, _MERGED) for said in recorded) or _covers(
            wanted, " ".join(recorded), _SPREAD
        )
    return any(
        _user_says(sentence, wanted, passage.text)
        for passage in source.passages
        if passage.role is Role.USER
    )


def _recorded(blocks: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        said for block in blocks for said in sentences(plain(block)) if claims_authority(said)
    )


def _user_says(sentence: str, wanted: frozenset[str], text: str) -> bool:
    """Whether one turn of the user has most of the words, and not in a sentence that forbids it."""
    if not _covers(wanted, text, _NEEDED):
        return False
    bare = sentence.casefold()
    freed = FREES.search(bare)
    if freed and not DENIED.search(bare[: freed.start()]):
        return any(
            FREES.search(said.casefold())
            for said in sentences(plain(text))
            if _covers(wanted, said, _NEAR)
        )
    if not PERMITS.search(bare) or DENIED.search(bare):
        return True
    near = [said for said in sentences(plain(text)) if _covers(wanted, said, _NEAR)]
    return not near or any(not DENIED.search(said.casefold()) for said in near)


def _covers(wanted: frozenset[str], text: str, share: float) -> bool:
    return len(wanted & _content(text)) >= max(min(2, len(wanted)), share * len(wanted), 1)


@lru_cache(maxsize=512)
def _content(text: str) -> frozenset[str]:
    """Stems of the words that say something; pairs of characters where no spaces stand."""
    found: set[str] = set()
    for word in words(text):
        if _HAN.search(word):
            found.update(word[at : at + 2] for at in range(len(word) - 1))
        elif (len(word) > 2 or word.isdecimal()) and word not in _EMPTY:
            found.add(_ENDING.sub("", word)[:_STEM])
    return frozenset(found)


_EMPTY: Final = frozenset(map(folded, EMPTY))
