"""What a request of a client is: which branch it continues, and what each of its messages is.

Top of recognition; the engine finds the branches by the keys of messages and carries the changes
out. Invariants: the same request and the same branches give the same result; a request that goes
no further than the one before changes nothing but what the user chose; when nothing is sure,
nothing is continued.

Source: recordings of clients, part 4.
"""

from __future__ import annotations

from collections.abc import Sequence

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role
from foreword.planning.recognition.aligning import Sent, is_version, sent
from foreword.planning.recognition.changes import Changed, changes, noted
from foreword.planning.recognition.choosing import Candidate, choose
from foreword.planning.recognition.known import START, KnownBranch, Notes, TurnRef
from foreword.planning.recognition.normal import Relation
from foreword.planning.recognition.places import Placed, displaced, goes_on, place, place_new
from foreword.planning.recognition.result import (
    Add,
    Place,
    Recognised,
    Recognition,
    Reply,
    ReplyKind,
)
from foreword.planning.recognition.splitting import split


def recognise(
    request: Sequence[ClientMessage],
    branches: Sequence[KnownBranch],
    hints: frozenset[str] = frozenset(),
) -> Recognition:
    """Say what a request is, of all that is known.

    Args:
        request: All its messages, in order.
        branches: Branches that hold some of them, in any order.
        hints: What it says beside its messages about whose it is; they tip the scales between
            branches that the messages speak for and decide nothing alone.

    Returns:
        What it continues, what each message is, and what the store has to do. The last turn of a
        branch that the request continues is named by its id, one that does not exist yet by
        `result.ref_of_new`.
    """
    messages = [sent(message) for message in request]
    head = split(messages).head
    candidate = choose(messages[head:], branches, hints)
    if candidate is None:
        return _new(messages, head)
    newest = split(messages, candidate.branch.notes.injected).newest
    known = _known_head(messages, head, candidate)
    again = choose(messages[head - known :], [candidate.branch], hints) if known else None
    if again is not None:
        candidate, head = again, head - known
    moved = displaced(messages, head, newest, candidate)
    newest = split(messages, candidate.branch.notes.injected | moved.keys()).newest
    placed = place(messages, head, newest, candidate, moved)
    advances = goes_on(candidate, head, newest)
    changed = changes(messages, head, candidate, placed, advances=advances)
    return _continued(messages, head, newest, candidate, placed, changed)


def _known_head(messages: Sequence[Sent], head: int, candidate: Candidate) -> int:
    """Return how many of the leading instructions are turns: the story began with them."""
    pairs = candidate.alignment.pairs
    place = pairs[0].turn if pairs and pairs[0].message == 0 else 0
    turns = candidate.branch.turns
    found = 0
    while found < min(head, place):
        turn = turns[place - found - 1]
        if turn.role is not Role.SYSTEM or is_version(messages[head - found - 1], turn) is None:
            break
        found += 1
    return found


def _new(messages: Sequence[Sent], head: int) -> Recognition:
    newest = split(messages).newest
    placed = place_new(messages, head, newest)
    last = placed.added[-1] if placed.added else None
    tip = placed.turns[last[0]][-1] if last is not None else START
    return Recognition(
        how=Recognised.NEW if placed.added else Recognised.NONE,
        branch=None,
        fork_after=None,
        places=placed.places,
        turns=placed.turns,
        faithful=frozenset(turn for turns in placed.turns.values() for turn in turns),
        newest=newest,
        changes=tuple(Add(message=at, after=after) for at, after in placed.added),
        notes=Notes(tip=tip, suspects=placed.suspects),
        reply=Reply(kind=ReplyKind.TURN if placed.added else ReplyKind.NOTHING, turn=tip),
        established=_is_established(messages, placed),
    )


def _continued(
    messages: Sequence[Sent],
    head: int,
    newest: int | None,
    candidate: Candidate,
    placed: Placed,
    changed: Changed,
) -> Recognition:
    last = max(placed.turns)
    tip = placed.turns[last][-1]
    advances = goes_on(candidate, head, newest)
    notes = noted(candidate, placed, changed, tip) if advances else candidate.branch.notes
    return Recognition(
        how=_how(candidate, placed, changed),
        branch=candidate.branch,
        fork_after=changed.fork_after,
        places=placed.places,
        turns=placed.turns,
        faithful=frozenset(changed.faithful | {placed.turns[at][-1] for at, _ in placed.added}),
        newest=newest,
        changes=tuple(changed.changes),
        notes=notes,
        reply=_reply(messages, candidate, placed, last),
        established=True,
    )


def _how(candidate: Candidate, placed: Placed, changed: Changed) -> Recognised:
    pairs = candidate.alignment.pairs
    plain = all(pair.relation is Relation.SAME and not pair.more for pair in pairs)
    whole = pairs[0].turn == 0 and not candidate.alignment.missing
    known = {Place.HEAD, Place.TURN, Place.NEW, Place.TAIL}
    exact = plain and whole and changed.fork_after is None and set(placed.places) <= known
    return Recognised.EXACT if exact and len(placed.added) <= 1 else Recognised.ALIGNED


def _reply(messages: Sequence[Sent], candidate: Candidate, placed: Placed, last: int) -> Reply:
    """Say where the answer belongs: behind a line it is a turn, behind an answer nobody knows.

    A request that ends with an answer asks for more of it, for another, for the player's next
    line, or for something that never enters the chat; only a later request tells which.
    """
    turn: TurnRef = placed.turns[last][-1]
    if messages[last].role is Role.ASSISTANT:
        return Reply(kind=ReplyKind.ANSWER, turn=turn)
    if placed.added:
        return Reply(kind=ReplyKind.TURN, turn=turn)
    behind = candidate.branch.turns[candidate.last + 1 :]
    if not behind:
        return Reply(kind=ReplyKind.TURN, turn=turn)
    if behind[0].role is Role.ASSISTANT and not behind[0].shown:
        return Reply(kind=ReplyKind.VERSION, turn=behind[0].id)
    return Reply(kind=ReplyKind.ANSWER, turn=turn)


def _is_established(messages: Sequence[Sent], placed: Placed) -> bool:
    """Say whether it holds an exchange and a line behind it."""
    roles = [messages[at].role for at, _ in placed.added]
    lines = [at for at, role in enumerate(roles) if role is Role.USER]
    return len(lines) > 1 and Role.ASSISTANT in roles[lines[0] : lines[-1]]
