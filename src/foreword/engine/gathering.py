"""What automatic memory asks for beside plain spans.

A summary with the turns that follow it, and drafts that are not committed yet.

Above: `upkeep`, `rebuilding`. Below: `spans`.

Source: spec/cadence (rebuilding from the last summary, from originals, in two levels).
"""

from __future__ import annotations

from collections.abc import Sequence

from foreword.domain.summarising import Passage
from foreword.domain.summary import CoverRow
from foreword.domain.turn import MESSAGE_OVERHEAD, Entry
from foreword.engine.context import Engine, Reading
from foreword.engine.rooms import Room, answer_room
from foreword.engine.scene_times import time_after, time_of_rows
from foreword.engine.spans import Span, Stack, merge_request, merge_source, passages
from foreword.errors import SpanTooLong
from foreword.planning.validity import span_state


def read_rolled(
    engine: Engine,
    at: Reading,
    row: CoverRow,
    entries: Sequence[Entry],
    *,
    target_tokens: int,
    room: Room,
) -> Stack:
    """Return a summary in use and the visible turns behind it, as a request for one of both.

    Raises:
        SpanTooLong: they do not fit into the room.
    """
    held = at.session.summaries([row.summary_id])[row.summary_id]
    visible = tuple(entry for entry in entries if not entry.hidden)
    behind = passages(at, visible)
    blocks = (held.text, "\n\n".join(map(_line, behind)))
    request = merge_request(engine, at, blocks, target_tokens=target_tokens)
    needed = engine.counter.count(request.prompt) + MESSAGE_OVERHEAD
    needed += answer_room(request.target_tokens)
    if not room.holds(needed):
        raise SpanTooLong(
            needed=needed, limit=room.tokens or 0, last_order_that_fits=0, route=room.route
        )
    span = at.session.between(at.branch.id, row.from_pos, visible[-1].pos)
    return Stack(
        rows=(row,),
        depth=held.depth,
        state=span_state(span),
        request=request,
        source=merge_source(engine, at, request),
        rolled=visible,
        scene_time=time_after(behind, carried=time_of_rows(at, (row,))),
    )


def drafted_stack(
    engine: Engine, at: Reading, spans: Sequence[Span], texts: Sequence[str], *, target_tokens: int
) -> Stack:
    """Return drafts of neighbouring spans as a request to merge them; they are its only rows."""
    request = merge_request(engine, at, texts, target_tokens=target_tokens)
    span = at.session.between(at.branch.id, spans[0].from_pos, spans[-1].to_pos)
    return Stack(
        rows=(),
        depth=1,
        state=span_state(span),
        request=request,
        source=merge_source(engine, at, request),
        scene_time=spans[-1].scene_time,
    )


def _line(passage: Passage) -> str:
    name = passage.speaker or passage.role.value.capitalize()
    return f"{name} ({passage.role.value}): {passage.text}"
