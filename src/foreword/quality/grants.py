"""Does the user give every single thing that a sentence says is allowed?

Above: `authority`. Below: the phrases and wording. Invariant: a risky act is supported by a clause
of the user that names it with most of what it is done to and forbids nothing; what only another
clause names, or one that forbids, does not count.

Source: DESIGN rule 7.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from foreword.domain.summarising import Passage
from foreword.domain.turn import Role
from foreword.quality.authority_phrases import DENIED, EMPTY, FREES, REPORTED
from foreword.quality.grants_phrases import (
    ACTS,
    AFTER,
    ASKED_FIRST,
    ASKED_TO,
    ASSENT,
    BEFORE,
    BULLET,
    CUT,
    FORBIDDEN,
    ITEM,
    LEANS,
    OBJECTS,
    OPEN,
    PART,
    PROPOSED,
    REFERS,
    TARGETS,
    VERBS,
    WILLING,
)
from foreword.quality.wording import KEPT, folded, plain, sentences, unquoted, words

_ENDING: Final = re.compile(r"(?<=\w{3})(?:'?s|ed|ing|es)\Z")
_ENTERS: Final = dict(ACTS)["enter"]
"""Its "log" is no log that reports something."""
_STEM: Final = 5
_TARGET: Final = "\0"
"""Before an item that is given as a whole."""
_HALF: Final = 0.5
_EMPTY: Final = frozenset(map(folded, EMPTY)) | frozenset(
    "anything everything something there whenever needed freely often until within also just "
    "have has had does need needs ask asks asking be been being use using while itself".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A clause of the user, or one of the assistant that the user said yes to."""

    acts: frozenset[str]
    stems: frozenset[str]
    """Of the whole sentence."""
    own: frozenset[str]
    """Of the clause."""
    denies: bool
    frees: bool
    willing: bool


def overstates(sentence: str, passages: tuple[Passage, ...]) -> bool:
    """Whether `sentence`, in which the user is "the user", allows what no user turn allows."""
    bare = unquoted(sentence.replace("`", "")).casefold()
    if _forbids(bare, passages):
        return True
    leant: frozenset[str] = frozenset()
    for item, asks_nobody in _granted(bare):
        acts = _acts(item)
        if not _given(item, passages, acts=acts, leant=leant, asks_nobody=asks_nobody):
            return True
        leant = acts or leant
    return False


def listed(texts: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each sentence, and the same with what the heading of its list says put before."""
    heading = ""
    for text in texts:
        bullet = BULLET.match(text)
        if not bullet:
            bare = unquoted(text).casefold().rstrip("*_ ")
            allows = bare.endswith(":") and bool(AFTER.search(bare)) and not DENIED.search(bare)
            heading = "Allowed: " if allows else ""
        yield text, heading + text[bullet.end() if bullet and heading else 0 :]


def _forbids(bare: str, passages: tuple[Passage, ...]) -> bool:
    """Whether it says that the user ordered what each clause of theirs about it forbids."""
    found = ASKED_TO.search(bare)
    if found is None or OPEN.search(bare[: found.start()]):
        return False
    rest = bare[found.end() :]
    ordered = rest[: _start(CUT, rest)]
    things = _stems(ordered)
    barred = {act for said in _clauses(passages) if said.denies for act in said.acts}
    return any(
        not _is_allowed(act, things, passages, asks_nobody=False) for act in _acts(ordered) & barred
    )


def _granted(bare: str) -> Iterator[tuple[str, bool]]:
    """The single things that are allowed, and whether nobody need be asked about them."""
    for whole in PART.split(bare):
        part = _allowing(whole)
        if part.endswith("?") or REPORTED.search(_ENTERS.sub(" ", part)):
            continue
        freed = FREES.search(part)
        asks_nobody = freed is not None and not DENIED.search(part[: freed.start()])
        for scope in _scopes(part, freed if asks_nobody else None):
            yield from ((item, asks_nobody) for item in ITEM.split(scope) if item.strip())


def _allowing(part: str) -> str:
    """`part` without its end from the comma before "… is forbidden" on."""
    forbids = FORBIDDEN.search(part)
    return part[: max(part.rfind(",", 0, forbids.start()), 0)] if forbids else part


def _start(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.search(text)
    return found.start() if found else len(text)


def _scopes(part: str, freed: re.Match[str] | None) -> Iterator[str]:
    """What the words of permission in it reach over."""
    if freed is not None:
        yield part[: freed.start()]
        yield part[freed.end() :]
        return
    for pattern in (AFTER, TARGETS):
        found = pattern.search(part)
        if found and _is_given(part, found):
            rest = part[found.end() :]
            yield (_TARGET if pattern is TARGETS else "") + rest[: _start(CUT, rest)]
    found = BEFORE.search(part)
    if found and _is_given(part, found) and not DENIED.search(part[: found.start()]):
        yield part[: max(found.start(), *(part.rfind(verb, 0, found.end()) for verb in VERBS))]


def _is_given(part: str, found: re.Match[str]) -> bool:
    """Whether the words of permission give something now, instead of leaving it open or denying."""
    said = OBJECTS.sub("", found.group())
    return not (OPEN.search(part[: found.start()]) or DENIED.search(said))


def _given(
    item: str,
    passages: tuple[Passage, ...],
    *,
    acts: frozenset[str],
    leant: frozenset[str],
    asks_nobody: bool,
) -> bool:
    """Whether the user gives it; without an act of its own it may lean on the one before."""
    clauses = _clauses(passages)
    things = _stems(item)
    if acts:
        return all(_is_allowed(act, things, passages, asks_nobody=asks_nobody) for act in acts)
    if item.startswith(_TARGET):
        return not things or any(
            said.willing and not said.denies and things & said.own for said in clauses
        )
    if not leant or not LEANS.match(item):
        return True
    allowing = [said.stems for said in clauses if leant & said.acts and not said.denies]
    return not (things - frozenset[str]().union(*allowing)) & _barred(passages)


@lru_cache(maxsize=KEPT)
def _barred(passages: tuple[Passage, ...]) -> frozenset[str]:
    """What clauses that forbid something name."""
    return frozenset[str]().union(*(said.own for said in _clauses(passages) if said.denies))


def _is_allowed(
    act: str, things: frozenset[str], passages: tuple[Passage, ...], *, asks_nobody: bool
) -> bool:
    """Whether a clause allows it, with most of the things and none that only a denial names."""
    barred = _barred(passages)
    return any(
        len(things & said.stems) >= _HALF * len(things) and not (things - said.stems) & barred
        for said in _clauses(passages)
        if act in said.acts and not said.denies and (said.frees or not asks_nobody)
    )


@lru_cache(maxsize=KEPT)
def _clauses(passages: tuple[Passage, ...]) -> tuple[_Said, ...]:
    found: list[_Said] = []
    before: Passage | None = None
    for passage in passages:
        if passage.role is Role.USER:
            found.extend(_read(sentences(plain(passage.text))))
            if before and ASSENT.search(plain(passage.text).casefold()):
                asked = sentences(plain(before.text))
                found.extend(_read(tuple(s for s in asked if PROPOSED.search(s.casefold()))))
        before = passage if passage.role is Role.ASSISTANT else None
    return tuple(found)


def _read(told: tuple[str, ...]) -> Iterator[_Said]:
    before = frozenset[str]()
    for sentence in told:
        own = _stems(sentence)
        stems = own | before if REFERS.search(sentence.casefold()) else own
        before = own
        for clause in PART.split(sentence.casefold()):
            yield _Said(
                acts=_acts(clause),
                stems=stems,
                own=_stems(clause),
                denies=bool(
                    FORBIDDEN.search(clause)
                    or ASKED_FIRST.search(clause)
                    or DENIED.search(FREES.sub("", clause))
                ),
                frees=bool(FREES.search(clause)),
                willing=bool(WILLING.search(clause)),
            )


def _acts(text: str) -> frozenset[str]:
    return frozenset(name for name, pattern in ACTS if pattern.search(text))


@lru_cache(maxsize=512)
def _stems(text: str) -> frozenset[str]:
    """Stems of the words that name something other than an act."""
    bare = text.casefold()
    for _, pattern in ACTS:
        bare = pattern.sub(" ", bare)
    return frozenset(
        _ENDING.sub("", word)[:_STEM]
        for word in words(bare)
        if (len(word) > 2 or word.isdecimal()) and word not in _EMPTY
    )
