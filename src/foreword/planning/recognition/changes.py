"""What the store does about a request: new turns, other versions, hidden ones, a fork.

Below `recognise`, above `places`. Invariants: what did not come deletes nothing; a form that a
known turn comes in counts only when it comes twice running, since clients rewrite old messages
on the way; nothing that a request has shown leaves a branch, a fork is made instead.

Source: DECISIONS D3, D5; recordings of clients, parts 1.2 to 1.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from foreword.domain.turn import Role
from foreword.planning.recognition.aligning import Pair, Sent
from foreword.planning.recognition.choosing import Candidate
from foreword.planning.recognition.known import KnownText, KnownTurn, Notes, TurnRef
from foreword.planning.recognition.normal import Relation, nearly_same, relation
from foreword.planning.recognition.places import Placed
from foreword.planning.recognition.result import Add, Change, Drop, Hide, Revise, Select

MISSED = 2
"""Requests running without a turn that stands between others, from which it is hidden."""
FORMS = 3
"""Forms from which on a turn is known to be read anew by the client every time."""


@dataclass(slots=True)
class Changed:
    """What a request changes on a branch."""

    changes: list[Change] = field(default_factory=list)
    faithful: set[TurnRef] = field(default_factory=set)
    forms: dict[TurnRef, tuple[bytes, ...]] = field(default_factory=dict)
    missed: dict[TurnRef, int] = field(default_factory=dict)
    fork_after: TurnRef | None = None


def changes(
    messages: Sequence[Sent], head: int, candidate: Candidate, placed: Placed, *, advances: bool
) -> Changed:
    """Return what a request that continues the branch of a candidate changes in the store.

    Args:
        messages: All of the request.
        head: So many of them are its leading instructions.
        candidate: The branch, aligned with the messages behind `head`.
        placed: What the messages are.
        advances: Whether it goes further than the one that the branch's notes are of.
    """
    found = Changed(forms=dict(candidate.branch.notes.forms))
    gone = _given_way(candidate, placed, found)
    for pair in candidate.alignment.pairs:
        _compare(messages, head, candidate, pair, found, advances=advances)
    _absent(candidate, placed, found, advances=advances)
    found.changes += [Drop(turn=turn) for turn in gone]
    kept = candidate.kept
    for message, after in placed.added:
        answers = candidate.branch.answers.get(after, ()) if kept is not None else ()
        is_kept = message == candidate.rest + head and kept is not None
        assistant = messages[message].role is Role.ASSISTANT
        found.changes.append(
            Add(message=message, after=after, answers=answers if is_kept and assistant else ())
        )
    return found


def _given_way(candidate: Candidate, placed: Placed, found: Changed) -> list[TurnRef]:
    """Return the turns behind the last that came which what is new replaces, or say to fork."""
    if not any(after == candidate.last_turn for _, after in placed.added):
        return []
    if candidate.goes_on:
        found.fork_after = candidate.last_turn
        return []
    return [turn.id for turn in candidate.branch.turns[candidate.last + 1 :]]


def _compare(
    messages: Sequence[Sent],
    head: int,
    candidate: Candidate,
    pair: Pair,
    found: Changed,
    *,
    advances: bool,
) -> None:
    """Say what the form that a turn came in means."""
    turn = candidate.branch.turns[pair.turn]
    for joined in range(pair.turn, pair.turn + pair.more + 1):
        found.faithful.add(candidate.branch.turns[joined].id)
        if candidate.branch.turns[joined].hidden:
            found.changes.append(Hide(turn=candidate.branch.turns[joined].id, hidden=False))
    if pair.more:
        return
    message = messages[pair.message + head]
    same = pair.relation is Relation.SAME and pair.version == turn.selected
    seen = found.forms.get(turn.id, ())
    if same:
        if seen and advances:
            found.forms[turn.id] = (*seen, message.key) if seen[-1] != message.key else seen
        return
    change = (
        Select(turn=turn.id, version=pair.version)
        if pair.relation is Relation.SAME
        else Revise(turn=turn.id, message=pair.message + head)
    )
    if _at_once(message, turn, pair, candidate):
        found.changes.append(change)
        found.faithful.discard(turn.id)
        return
    anew = len(set(seen)) >= FORMS and nearly_same(message.form, turn.text.form)
    if not anew and pair.relation in (Relation.SAME, Relation.ALIKE):
        found.faithful.discard(turn.id)
    if not advances:
        return
    if seen and seen[-1] == message.key and len(set(seen)) < FORMS:
        found.changes.append(change)
    found.forms[turn.id] = (*seen, message.key) if not seen or seen[-1] != message.key else seen


def _at_once(message: Sent, turn: KnownTurn, pair: Pair, candidate: Candidate) -> bool:
    """Say whether a form is what the user sees, at first sight."""
    if not turn.shown:
        return True
    newest = turn.id == candidate.branch.notes.tip or pair.turn >= candidate.last
    if pair.relation is Relation.SAME:
        return newest and turn.role is Role.ASSISTANT
    if pair.relation is Relation.CUT:
        return newest
    if pair.relation is Relation.GROWN:
        return _continued(message, turn, candidate.branch.answers.get(turn.id, ()))
    return False


def _continued(message: Sent, turn: KnownTurn, answers: Sequence[KnownText]) -> bool:
    """Say whether a text is a turn with an answer of ours behind it, or a beginning of one."""
    more = message.form[len(turn.text.form) :].strip()
    wanted = (Relation.SAME, Relation.CUT, Relation.GROWN)
    return bool(more) and any(relation(more, answer.form) in wanted for answer in answers)


def _absent(candidate: Candidate, placed: Placed, found: Changed, *, advances: bool) -> None:
    """Hide what did not come between what came, and drop what turned out to be injected."""
    found.changes += [Drop(turn=turn) for turn in placed.displaced]
    came = set(_came(candidate))
    first = min(came, default=0)
    before: Mapping[TurnRef, int] = candidate.branch.notes.missed
    for at in range(first, candidate.last):
        turn = candidate.branch.turns[at]
        if at in came or turn.hidden or turn.id in placed.displaced:
            continue
        times = before.get(turn.id, 0) + advances
        if advances and times >= MISSED:
            found.changes.append(Hide(turn=turn.id, hidden=True))
        elif times:
            found.missed[turn.id] = times


def _came(candidate: Candidate) -> Iterator[int]:
    for pair in candidate.alignment.pairs:
        yield from range(pair.turn, pair.turn + pair.more + 1)


def noted(candidate: Candidate, placed: Placed, changed: Changed, tip: TurnRef) -> Notes:
    """Return the notes of a branch after a request that went further."""
    return Notes(
        tip=tip,
        suspects=placed.suspects,
        injected=candidate.branch.notes.injected | placed.moved,
        forms=changed.forms,
        missed=changed.missed,
    )
