"""Use cases on what turns were: every text that one ever had on a branch, by revision."""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.ids import Rev, TurnId
from foreword.domain.ops import OpKind
from foreword.domain.standing import Standing
from foreword.domain.turn import Version
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.engine.references import find_turn
from foreword.errors import RevisionNotFound, TurnNotFound
from foreword.ports.store import ReadSession


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRevision:
    """What a turn said from one revision of the conversation until another."""

    since: Rev
    """The revision that made it say so."""
    until: Rev | None
    """The first at which it said something else, or stood there no more; None: it still stands."""
    kind: OpKind
    """What was done at `since`."""
    at: str
    actor: str
    version: Version
    speaker: str
    hidden: bool
    """Whether it was hidden when it last stood so."""


def revisions(engine: Engine, place: Place, reference: str) -> tuple[TurnRevision, ...]:
    """Return every text that a turn had on the branch, oldest first.

    A turn that was deleted is found by `id:N`. A fork tells what its parent showed until then.

    Raises:
        TurnNotFound: there is no such turn, and never was.
    """
    with reading(engine, place) as at:
        return _told(at.session, _merged(_standings(at, reference)))


def revision(engine: Engine, place: Place, reference: str, number: int) -> TurnRevision:
    """Return what a turn said at a revision of the conversation.

    Raises:
        TurnNotFound: there is no such turn, and never was.
        RevisionNotFound: there is no such revision yet, or the turn did not stand there then.
    """
    with reading(engine, place) as at:
        found = _merged(_standings(at, reference))
        if not 1 <= number <= at.session.conversation.rev:
            raise RevisionNotFound(str(number))
        for one in found:
            if one.since <= number and (one.until is None or number < one.until):
                return _told(at.session, [one])[0]
        raise RevisionNotFound(f"{number} of turn {reference}")


def _standings(at: Reading, reference: str) -> tuple[Standing, ...]:
    """Return what stood of a turn, which may stand no more when it is named by its id."""
    found = at.session.standings(at.branch.id, _turn_id(at, reference))
    if not found:
        raise TurnNotFound(reference)
    return found


def _turn_id(at: Reading, reference: str) -> TurnId:
    number = reference.strip().removeprefix("id:")
    if number != reference.strip() and number.isascii() and number.isdigit() and len(number) <= 15:
        return TurnId(int(number))
    return find_turn(at.session, at.branch.id, reference).turn_id


def _merged(found: tuple[Standing, ...]) -> list[Standing]:
    """Return the standings with those made one that show the same version without a break."""
    merged: list[Standing] = []
    for one in found:
        last = merged[-1] if merged else None
        same = last is not None and last.entry.version_id == one.entry.version_id
        if last is not None and same and last.until == one.since:
            merged[-1] = Standing(since=last.since, until=one.until, entry=one.entry)
        else:
            merged.append(one)
    return merged


def _told(session: ReadSession, found: list[Standing]) -> tuple[TurnRevision, ...]:
    versions = session.versions([one.entry.version_id for one in found])
    names = session.speaker_names({one.entry.speaker for one in found})
    ops = session.ops_at([one.since for one in found])
    return tuple(
        TurnRevision(
            since=one.since,
            until=one.until,
            kind=ops[one.since].kind,
            at=ops[one.since].at,
            actor=ops[one.since].actor,
            version=versions[one.entry.version_id],
            speaker=names[one.entry.speaker],
            hidden=one.entry.hidden,
        )
        for one in found
    )
