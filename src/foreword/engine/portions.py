"""Cutting what is to be condensed into portions that a route can read at once.

Above: the use cases that make several summaries of one stretch. Below: spans and splitting.
"""

from __future__ import annotations

from collections.abc import Sequence

from foreword.domain.ids import SummaryId
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Entry
from foreword.engine.context import Engine, Reading
from foreword.engine.rooms import Room
from foreword.engine.sizing import sized_policy
from foreword.engine.spans import Span, read_span, read_stack, rows_that_fit, turns_room
from foreword.planning.sizes import summary_target
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
        SpanTooLong: one exchange alone does not fit.
    """
    visible = [entry for entry in entries if not entry.hidden]
    free = turns_room(engine, at, visible, target_tokens=target_tokens, room=room)
    if free is None or free >= sum(entry.cost for entry in visible):
        return (tuple(visible),)
    try:
        return split_span(visible, free)
    except ValueError:
        read_span(engine, at, visible, target_tokens=target_tokens, room=room)
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
