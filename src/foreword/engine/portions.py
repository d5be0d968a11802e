"""Cutting what is to be condensed into portions that a route can read at once.

Above: the use cases that make several summaries of one stretch. Below: spans and splitting.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from foreword.domain.ids import SummaryId
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry
from foreword.engine.context import Engine, Reading
from foreword.engine.rooms import Room, answer_room
from foreword.engine.sizing import sized_policy
from foreword.engine.spans import (
    Span,
    Stack,
    read_span,
    read_stack,
    request_tokens,
    rows_that_fit,
)
from foreword.planning.sizes import span_target, summary_target
from foreword.planning.splitting import split_rows, split_span


def target_of(engine: Engine, at: Reading, entries: Sequence[Entry]) -> int:
    """Return the tokens of a summary of these turns that is made by hand."""
    source = sum(entry.cost for entry in entries if not entry.hidden)
    return summary_target(sized_policy(engine, at.session).policy.context, source)


def portions_of(
    engine: Engine, at: Reading, entries: Sequence[Entry], *, target_tokens: int, room: Room
) -> tuple[tuple[Entry, ...], ...]:
    """Return visible turns, at least one, in the fewest portions that fit, oldest first.

    Raises:
        SpanTooLong: a single turn does not fit.
    """
    visible = [entry for entry in entries if not entry.hidden]
    return _split(engine, at, visible, lambda _: target_tokens, room)


def portions_by_hand(
    engine: Engine, at: Reading, entries: Sequence[Entry], room: Room
) -> tuple[tuple[Entry, ...], ...]:
    """Return visible turns in portions for summaries made by hand, whose target grows with them.

    Raises:
        SpanTooLong: a single turn does not fit.
    """
    context = sized_policy(engine, at.session).policy.context
    visible = [entry for entry in entries if not entry.hidden]
    return _split(engine, at, visible, lambda tokens: summary_target(context, tokens), room)


def _split(
    engine: Engine,
    at: Reading,
    visible: Sequence[Entry],
    target: Callable[[int], int],
    room: Room,
) -> tuple[tuple[Entry, ...], ...]:
    """Cut turns where a request for each portion fits.

    Args:
        engine: the engine.
        at: the branch.
        visible: at least one turn, oldest first.
        target: the tokens of a summary of a portion of so many tokens.
        room: what the route can read.
    """
    whole = sum(entry.cost for entry in visible)

    def request(turns: Sequence[Entry]) -> int:
        wanted = target(sum(entry.cost for entry in turns))
        return request_tokens(engine, at, turns, target_tokens=wanted)

    def beside(turns: Sequence[Entry]) -> int:
        """What a request takes beside the turns and the answer."""
        tokens = sum(entry.cost for entry in turns)
        return request(turns) - tokens - answer_room(span_target(target(tokens), tokens))

    if room.tokens is None or room.holds(request(visible)):
        return (tuple(visible),)
    left = room.tokens - max(beside(visible), beside(visible[:1]))

    def too_much(tokens: int) -> bool:
        return tokens + answer_room(span_target(target(tokens), tokens)) > left

    largest = bisect_left(range(1, whole + 1), 1, key=lambda tokens: int(too_much(tokens)))
    try:
        return split_span(visible, largest)
    except ValueError:
        # What is in the way is one turn: that the ones before it fit would help nobody.
        longest = max(visible, key=lambda entry: entry.cost)
        read_span(engine, at, (longest,), target_tokens=target(longest.cost), room=room)
        read_span(engine, at, visible, target_tokens=target(whole), room=room)
        raise


def read_first_portion(
    engine: Engine, at: Reading, entries: Sequence[Entry], *, target_tokens: int, room: Room
) -> Span:
    """Return as many of the oldest turns as fit, as a request for a summary; see `read_span`."""
    first, *_ = portions_of(engine, at, entries, target_tokens=target_tokens, room=room)
    return read_span(engine, at, first, target_tokens=target_tokens, room=room)


def stack_portions(
    engine: Engine, at: Reading, rows: Sequence[CoverRow], room: Room
) -> tuple[tuple[SummaryId, ...], ...]:
    """Return neighbouring summaries in the fewest portions of at least two that fit.

    Raises:
        SpanTooLong: not even two of them fit.
    """
    fits = rows_that_fit(engine, at, rows, room)
    if fits == len(rows):
        return (tuple(row.summary_id for row in rows),)
    tokens = [row.tokens for row in rows]
    try:
        ranges = split_rows(tokens, sum(tokens[:fits]))
    except ValueError:
        read_stack(engine, at, rows, room=room)
        raise
    return tuple(tuple(row.summary_id for row in rows[lo:hi]) for lo, hi in ranges)


def read_again(
    engine: Engine, at: Reading, row: CoverRow, children: Sequence[SummaryId], room: Room
) -> Span | Stack:
    """Return the sources of a summary in use as a request.

    Raises:
        SpanTooLong: they do not fit into the room.
    """
    if not children:
        entries = list(at.session.between(at.branch.id, row.from_pos, row.to_pos))
        target = target_of(engine, at, entries)
        return read_span(engine, at, entries, target_tokens=target, room=room)
    rows = {
        one.summary_id: one for one in at.session.cover_rows(at.branch.id, row.from_pos, row.to_pos)
    }
    return read_stack(engine, at, [rows[child] for child in children], room=room)
