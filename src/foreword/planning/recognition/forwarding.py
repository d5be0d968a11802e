"""What of a client's request goes to the model, and where the memory stands in it.

Top of recognition, beside `recognise`. Invariants: the leading instructions, everything that was
put between turns, the newest line of the user and all that follows it go on in their order; a
summary stands only for turns that the request holds as they are stored, or that lie before the
first turn it holds; a call of a tool and its results go together; when that does not fit, whole
turns are left out from the oldest on, and named.

A summary is used by what it covers, not by whose it is, so a request that was taken for another
chat can miss a summary and never gets a foreign one.

Source: DECISIONS D5; recordings of clients, part 4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role
from foreword.planning.recognition.known import TurnRef
from foreword.planning.recognition.result import Place, Recognition


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """A summary in use on the branch."""

    turns: tuple[TurnRef, ...]
    """The visible turns that it stands for, in order."""
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Forwarding:
    """What goes to the model."""

    kept: tuple[int, ...]
    """Messages that go on, in order."""
    memory_at: int
    """How many of them stand before the memory."""
    summaries: tuple[int, ...]
    """Which summaries the memory holds, in order."""
    covered: tuple[int, ...]
    """Messages that those stand for."""
    dropped: tuple[int, ...]
    """Messages that did not fit, and that nothing stands for."""
    tokens: int
    """Of the kept messages and the summaries."""


def plan_forwarding(
    request: Sequence[ClientMessage],
    found: Recognition,
    cover: Sequence[Covered],
    *,
    tokens: Sequence[int],
    limit: int | None,
) -> Forwarding:
    """Return what of a request goes to the model.

    Args:
        request: All its messages.
        found: What they are.
        cover: The summaries in use on the branch that it continues, oldest first; of a branch
            that it leaves, those that end before it does.
        tokens: Of every message, its overhead included.
        limit: What the messages and the memory may take, in tokens; None for no limit.

    Returns:
        The messages that go on. It exceeds the limit only when what must go on does.
    """
    used = tuple(at for at, row in enumerate(cover) if _stands(row, found))
    standing = {turn for at in used for turn in cover[at].turns}
    groups = list(_groups(request, found))
    covered: list[int] = []
    for group in groups:
        turns = [turn for at in group for turn in found.turns.get(at, ())]
        if _may_go(group, found) and turns and standing.issuperset(turns):
            covered += group
    total = sum(cover[at].tokens for at in used) + sum(tokens) - sum(tokens[at] for at in covered)
    dropped: list[int] = []
    for group in groups:
        if limit is None or total <= limit:
            break
        if _may_go(group, found) and not set(covered).intersection(group):
            dropped += group
            total -= sum(tokens[at] for at in group)
    gone = {*covered, *dropped}
    kept = tuple(at for at in range(len(request)) if at not in gone)
    head = found.places.count(Place.HEAD)
    return Forwarding(
        kept=kept,
        memory_at=head,
        summaries=used,
        covered=tuple(covered),
        dropped=tuple(dropped),
        tokens=total,
    )


def _stands(row: Covered, found: Recognition) -> bool:
    """Say whether a summary says what the request leaves to it, and nothing that it left out."""
    if found.branch is None:
        return False
    order = {turn.id: at for at, turn in enumerate(found.branch.turns)}
    came = {turn for turns in found.turns.values() for turn in turns}
    first = min((order[turn] for turn in came if turn in order), default=len(order))
    last = order.get(found.fork_after, -1) if found.fork_after is not None else len(order)
    return all(
        turn in order
        and order[turn] <= last
        and (order[turn] < first or (turn in came and turn in found.faithful))
        for turn in row.turns
    )


def _groups(request: Sequence[ClientMessage], found: Recognition) -> Iterator[Sequence[int]]:
    """Yield the messages of the history, calls of tools together with what answers them."""
    group: list[int] = []
    for at, message in enumerate(request):
        if found.places[at] is Place.HEAD:
            continue
        if message.role is Role.TOOL and group:
            group.append(at)
            continue
        if group:
            yield group
        group = [at]
    if group:
        yield group


def _may_go(group: Collection[int], found: Recognition) -> bool:
    """Say whether messages may be left out: turns before the newest line, and before the last."""
    end = found.newest if found.newest is not None else 0
    return all(
        at < min(end, len(found.places) - 1) and found.places[at] in (Place.TURN, Place.NEW)
        for at in group
    )
