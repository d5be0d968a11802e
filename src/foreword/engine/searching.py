"""Use case: find turns by their words. Hidden turns and texts not shown are never found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from foreword.domain.ids import TurnId, VersionId
from foreword.domain.turn import Entry, Role, Version
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.planning import queries
from foreword.planning.queries import Answer, Picks, Query, query_of
from foreword.planning.ranking import Match, Weights, match
from foreword.planning.snippets import snippet
from foreword.ports.store import ReadSession


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A turn that was found."""

    turn_id: TurnId
    order: int
    role: Role
    speaker: str
    score: float
    """How well it answers, above 0; only comparable with other hits of the same search."""
    matched: tuple[str, ...]
    """The words of the query that it has, without case and accents."""
    snippet: str
    """Its text around the words that were looked for."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranked:
    entry: Entry
    version: Version
    match: Match


def search(
    engine: Engine, place: Place, query: str, *, limit: int = 20, skip: int = 0
) -> tuple[Hit, ...]:
    """Return the turns of a branch that answer a query best: the best first, then the newest.

    Case and accents do not count. Any word may be missing, phrases in quotes may not. A query
    without a word finds nothing.

    Args:
        engine: the parts.
        place: where to look.
        query: a few words or a whole message.
        limit: at most so many.
        skip: so many of the best are left out.
    """
    wanted = query_of(query)
    with reading(engine, place) as at:
        weights = _weights(at.session, wanted)
        found = _ranked(at, wanted, weights, skip + limit)[skip : skip + limit]
        names = at.session.speaker_names({one.entry.speaker for one in found})
        orders = at.session.orders(at.branch.id, [one.entry.pos for one in found])
        return tuple(
            Hit(
                turn_id=one.entry.turn_id,
                order=orders[one.entry.pos],
                role=one.entry.role,
                speaker=names[one.entry.speaker],
                score=one.match.score,
                matched=tuple(wanted.words[term] for term in one.match.terms),
                snippet=snippet(one.version.content.text, queries.telling(weights)),
                text=one.version.content.text,
            )
            for one in found
        )


def _weights(session: ReadSession, query: Query) -> Weights:
    total = session.last_version()
    first, last = queries.sampled(total)
    sample = session.count_terms(query.words, first=first, last=last, most=queries.SAMPLE)
    counted = session.count_terms(
        queries.uncertain(sample, total), first=VersionId(1), last=total, most=queries.COUNTED
    )
    return queries.weights_of(query, sample, counted, total)


def _ranked(at: Reading, query: Query, weights: Weights, wanted: int) -> list[_Ranked]:
    """Return what was found, best first: of the most promising texts, more than are wanted."""
    pool = queries.pool_of(min(wanted, at.branch.turns))
    mean = at.branch.visible_tokens / max(1, at.branch.visible_turns)
    ids = islice(_candidates(at, query, weights), queries.MOST_READ)
    found: list[_Ranked] = []
    while len(found) < pool and (block := list(islice(ids, queries.BLOCK))):
        entries = at.session.shown(at.branch.id, block)
        versions = at.session.versions([entry.version_id for entry in entries])
        for entry in entries:
            version = versions[entry.version_id]
            answer = match(query, weights, version.content.text, entry.cost / mean)
            if answer is not None:
                found.append(_Ranked(entry=entry, version=version, match=answer))
    return sorted(found, key=lambda one: (-one.match.score, -one.entry.pos))


def _candidates(at: Reading, query: Query, weights: Weights) -> Iterator[VersionId]:
    """Yield versions to look at, each once, the most promising first."""
    first = _ask(at.session, queries.first_picks(query, weights))
    answers = (first, _ask(at.session, queries.further_picks(query, weights, first)))
    seen: set[VersionId] = set()
    for version in queries.candidates(weights, answers):
        seen.add(version)
        yield version
    if queries.is_cut(answers):
        newest = islice(at.session.newest(at.branch.id), queries.NEWEST)
        yield from (entry.version_id for entry in newest if entry.version_id not in seen)


def _ask(session: ReadSession, picks: Picks) -> Answer:
    return Answer(picks, session.versions_with(picks.groups, picks.limit))
