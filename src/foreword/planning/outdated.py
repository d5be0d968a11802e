"""The question that is asked before a reply when summaries went out of date.

Above: engine. Below: `domain`.

Source: spec/summaries, When summaries become outdated; DECISIONS, Summaries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from foreword.domain.ids import Rev, SummaryId, TurnId
from foreword.domain.summary import CoverRow, CoverState


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """Summaries that were in force until their text changed."""

    summary_ids: tuple[SummaryId, ...]
    """In span order."""
    turn_ids: tuple[TurnId, ...]
    """The turns that they belong to, which are the last they covered; each once."""

    @property
    def question(self) -> str:
        """What to ask: yes goes on without them, no stops."""
        ids = ", ".join(str(turn_id) for turn_id in self.turn_ids)
        return (
            f"Invalidated summaries for messages with IDs: [{ids}]. "
            "Continue generation without those summaries?"
        )


def outdated(
    rows: Iterable[CoverRow], last_turns: Mapping[SummaryId, TurnId], *, acknowledged: Rev
) -> Outdated | None:
    """Return the summaries to ask about, or None when there is nothing to ask.

    A stale summary whose span another one stands for again is not asked about, nor is one that
    went stale up to the revision the user has acknowledged.

    Args:
        rows: those of every state, by span.
        last_turns: the last turn that each summary was made from.
        acknowledged: `Branch.acknowledged`.
    """
    known = tuple(rows)
    used = [row for row in known if row.state is CoverState.USED]
    asked = tuple(
        row.summary_id
        for row in known
        if row.state is CoverState.STALE
        and row.since > acknowledged
        and not any(other.overlaps(row.from_pos, row.to_pos) for other in used)
    )
    turn_ids = tuple(dict.fromkeys(last_turns[summary_id] for summary_id in asked))
    return Outdated(summary_ids=asked, turn_ids=turn_ids) if asked else None
