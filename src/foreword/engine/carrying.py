"""Summaries that a file brings with it: put into force where they fit, reported where they do not.

Above: `importing`. Below: planning and the store. Invariant: a summary is put only over the turns
it names, all of them visible, with no other visible turn between and no other summary there.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from foreword.domain.ids import Pos, SummaryId
from foreword.domain.interchange import ChatSummary, Loss
from foreword.domain.ops import OpKind
from foreword.domain.storable import storable_text
from foreword.domain.summary import CoverRow, CoverState, NewSummary, SourceTurn
from foreword.domain.turn import Entry
from foreword.engine.context import Writing
from foreword.planning.validity import span_state


def put_summaries(
    to: Writing, summaries: Sequence[ChatSummary], *, begun: bool = True
) -> tuple[tuple[SummaryId, ...], tuple[Loss, ...]]:
    """Put summaries into force.

    Args:
        to: the branch.
        summaries: what the file has; they count the turns of the branch from 0.
        begun: as part of the op that was begun; else an op is begun when there is one to put.

    Returns:
        The ids of those that are new, and what could not be put.
    """
    if not summaries:
        return (), ()
    branch = to.session.branch(to.branch.id)
    entries = tuple(to.session.between(branch.id, Pos(1), branch.tip_pos))
    taken = _taken(to, entries)
    rows: list[CoverRow] = []
    losses: list[Loss] = []
    for summary in summaries:
        if _stands(to, summary, taken):
            continue
        covered = _covered(entries, summary, taken)
        if isinstance(covered, str):
            shown = " ".join(summary.text.split())[:60]
            losses.append(Loss(where="summaries", what=f"the summary {shown!r}", why=covered))
            continue
        rows.append(_row(to, covered, summary))
        span = range(min(summary.turns), max(summary.turns) + 1)
        taken.update(dict.fromkeys(span, rows[-1].summary_id))
    if rows and not begun:
        to.begin(OpKind.IMPORT)
    if rows:
        to.session.put_cover(rows)
    return tuple(row.summary_id for row in rows), tuple(losses)


def _taken(to: Writing, entries: Sequence[Entry]) -> dict[int, SummaryId]:
    """Return the places of the turns that a summary in force stands for, with which."""
    places = [entry.pos for entry in entries]
    return {
        number: row.summary_id
        for row in to.session.cover(to.branch.id)
        for number in range(bisect_left(places, row.from_pos), bisect_right(places, row.to_pos))
    }


def _stands(to: Writing, summary: ChatSummary, taken: Mapping[int, SummaryId]) -> bool:
    """Say whether the same words are in force there: the chat was imported before."""
    there = taken.get(summary.turns[0]) if summary.turns else None
    if there is None:
        return False
    return storable_text(summary.text) in to.session.summary_texts([there]).values()


def _covered(
    entries: Sequence[Entry], summary: ChatSummary, taken: Mapping[int, SummaryId]
) -> Sequence[Entry] | str:
    """Return the turns from the first to the last that it stands for, or why it cannot."""
    if not summary.turns or not summary.text.strip():
        return "it is empty, or names no turn"
    first, last = min(summary.turns), max(summary.turns)
    if first < 0 or last >= len(entries):
        return "the conversation has fewer turns"
    span = entries[first : last + 1]
    named = {entries[number].pos for number in summary.turns}
    visible = [entry for entry in span if not entry.hidden]
    if not visible or any(entry.pos not in named for entry in visible):
        return "it does not stand for all visible turns between its first and its last"
    if any(number in taken for number in range(first, last + 1)):
        return "another summary stands there"
    return span


def _row(to: Writing, span: Sequence[Entry], summary: ChatSummary) -> CoverRow:
    visible = [entry for entry in span if not entry.hidden]
    state = span_state(span)
    text = storable_text(summary.text)
    tokens = to.engine.counter.count(text)
    stored = to.session.add_summary(
        NewSummary(
            layer=summary.layer,
            depth=1 + summary.layer,
            text=text,
            tokens=tokens,
            first_digest=state.first_digest,
            n_turns=state.n_turns,
            span_digest=state.digest,
            maker=storable_text(summary.maker),
            turns=tuple(SourceTurn(turn_id=one.turn_id, digest=one.digest) for one in visible),
        )
    )
    return CoverRow(
        summary_id=stored.id,
        state=CoverState.USED,
        layer=stored.layer,
        from_pos=visible[0].pos,
        to_pos=visible[-1].pos,
        n_turns=state.n_turns,
        src_tokens=state.src_tokens,
        tokens=tokens,
    )
