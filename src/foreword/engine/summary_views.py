"""Summaries as people see them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from foreword.domain.ids import SummaryId, TurnId
from foreword.domain.summary import CoverRow, Summary
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.errors import SummaryNotFound
from foreword.planning.covers import ListState, list_states
from foreword.prompts.memory_format import bare


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryView:
    """A summary on a branch."""

    id: SummaryId
    turn_id: TurnId
    """The turn it belongs to: the last one it covers."""
    order: int | None
    """Where that turn stands; None when it is not on the branch."""
    from_order: int | None
    """Where the first turn it covers stands."""
    layer: int
    generation_depth: int
    tokens: int
    src_tokens: int | None
    """Tokens of the turns it stands for; None when it is not on the branch any more."""
    state: str
    text: str
    reasoning: str
    maker: str
    scene_time: str
    """When it ends in the story; empty where nothing says so."""
    replaced: SummaryId | None
    """For a meta summary: the one whose place it took."""
    turns: tuple[TurnId, ...]
    """Made from these turns, or from `summaries`."""
    summaries: tuple[SummaryId, ...]


def list_summaries(
    engine: Engine, place: Place, *, all_states: bool = False
) -> tuple[SummaryView, ...]:
    """Return the summaries in use, oldest span first; or all the branch ever had, by id."""
    with reading(engine, place) as at:
        views = summary_views(at)
        if all_states:
            return tuple(sorted(views.values(), key=lambda view: view.id))
        used = [row.summary_id for row in at.session.cover(at.branch.id)]
        return tuple(views[summary_id] for summary_id in used)


def show_summary(engine: Engine, place: Place, summary_id: SummaryId) -> SummaryView:
    """Return one summary of the branch, whatever became of it.

    Raises:
        SummaryNotFound: the branch never had it.
    """
    with reading(engine, place) as at:
        return summary_view(at, summary_id)


def summary_view(at: Reading, summary_id: SummaryId) -> SummaryView:
    """Return one summary of an opened branch.

    Raises:
        SummaryNotFound: the branch never had it.
    """
    for row in at.session.cover(at.branch.id):
        if row.summary_id == summary_id:  # the common case needs no other summary of the branch
            known = _with_sources(at, [summary_id])
            return _view(at, known[summary_id], row, ListState.IN_USE, known)
    rows, summaries = branch_summaries(at)
    if summary_id not in summaries:
        raise SummaryNotFound(f"S{summary_id}")
    state = list_states(rows.values(), summaries)[summary_id]
    return _view(at, summaries[summary_id], rows.get(summary_id), state, summaries)


def branch_summaries(
    at: Reading,
) -> tuple[Mapping[SummaryId, CoverRow], Mapping[SummaryId, Summary]]:
    """Return the rows of a branch, and all summaries it ever had with what is inside them."""
    rows = {row.summary_id: row for row in at.session.cover_rows(at.branch.id)}
    return rows, _with_sources(at, at.session.cover_history(at.branch.id) | rows.keys())


def summary_views(at: Reading) -> dict[SummaryId, SummaryView]:
    """Return every summary the branch ever had."""
    rows, summaries = branch_summaries(at)
    states = list_states(rows.values(), summaries)
    return {
        summary_id: _view(at, summary, rows.get(summary_id), states[summary_id], summaries)
        for summary_id, summary in summaries.items()
    }


def last_turns(at: Reading, ids: Collection[SummaryId]) -> dict[SummaryId, TurnId]:
    """Return the turn each summary belongs to: the last one it was made from."""
    known = _with_sources(at, ids)
    return {summary_id: _end(known[summary_id], known, -1) for summary_id in ids}


def _end(summary: Summary, known: Mapping[SummaryId, Summary], place: int) -> TurnId:
    """Return the first turn (0) or the last (-1) that a summary was made from."""
    while summary.children:
        if place and summary.turns:
            break  # one that was rolled on: its own turns stand behind the summary before it
        summary = known[summary.children[place]]
    return summary.turns[place].turn_id


def _with_sources(at: Reading, ids: Collection[SummaryId]) -> dict[SummaryId, Summary]:
    found: dict[SummaryId, Summary] = {}
    waiting = set(ids)
    while waiting:
        found.update(at.session.summaries(waiting))
        inside = {child for one in waiting for child in found[one].children}
        waiting = inside - found.keys()
    return found


def _view(
    at: Reading,
    summary: Summary,
    row: CoverRow | None,
    state: str,
    summaries: Mapping[SummaryId, Summary],
) -> SummaryView:
    turn_id = _end(summary, summaries, -1)
    return SummaryView(
        id=summary.id,
        turn_id=turn_id,
        order=_order(at, turn_id),
        from_order=_order(at, _end(summary, summaries, 0)),
        layer=summary.layer,
        generation_depth=summary.depth,
        tokens=summary.tokens,
        src_tokens=None if row is None else row.src_tokens,
        state=state,
        text=summary.text,
        reasoning=summary.reasoning,
        maker=summary.maker,
        scene_time=bare(summary.text, summary.scene_time)[1],
        replaced=summary.replaced,
        turns=tuple(source.turn_id for source in summary.turns),
        summaries=summary.children,
    )


def _order(at: Reading, turn_id: TurnId) -> int | None:
    entry = at.session.entry(at.branch.id, turn_id)
    return None if entry is None else at.session.order(at.branch.id, entry.pos)
