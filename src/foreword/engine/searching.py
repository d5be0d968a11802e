"""Use case: find turns by their words. Hidden turns and texts not shown are never found."""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.ids import TurnId
from foreword.domain.terms import search_terms
from foreword.domain.turn import Role
from foreword.engine.context import Engine, Place, reading
from foreword.planning.snippets import snippet


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A turn that was found."""

    turn_id: TurnId
    order: int
    role: Role
    speaker: str
    snippet: str
    """Its text around the words that were looked for."""
    text: str


def search(engine: Engine, place: Place, query: str, *, limit: int = 20) -> tuple[Hit, ...]:
    """Return the turns of a branch that hold every word of the query, newest first.

    Case and accents do not count. A query without a word finds nothing.
    """
    terms = search_terms(query)
    with reading(engine, place) as at:
        session, branch = at.session, at.branch.id
        entries = session.search(branch, frozenset(terms), min(limit, at.branch.turns))
        versions = session.versions([entry.version_id for entry in entries])
        names = session.speaker_names({entry.speaker for entry in entries})
        return tuple(
            Hit(
                turn_id=entry.turn_id,
                order=session.order(branch, entry.pos),
                role=entry.role,
                speaker=names[entry.speaker],
                snippet=snippet(versions[entry.version_id].content.text, terms),
                text=versions[entry.version_id].content.text,
            )
            for entry in entries
        )
