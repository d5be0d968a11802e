"""Turns whose summary the user took away: memory does not make it again by itself.

Above: `upkeep`. Below: the store. A summary that had a row on the branch and has none any more was
undone, deleted or cleared; one that was replaced left its turns covered. Turns that read
differently since are free again.

Source: DECISIONS, Summaries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from foreword.domain.ids import TurnId
from foreword.domain.turn import Entry
from foreword.engine.context import Reading


def barred_by(at: Reading) -> Callable[[Entry], bool] | None:
    """Return which turns are barred on the branch; None when none is."""
    live = {row.summary_id for row in at.session.cover_rows(at.branch.id)}
    gone = at.session.cover_history(at.branch.id) - live
    if not gone:
        return None
    digests: dict[TurnId, set[bytes]] = defaultdict(set)
    for summary in at.session.summaries(gone).values():
        for turn in summary.turns:
            digests[turn.turn_id].add(turn.digest)
    if not digests:
        return None
    return lambda entry: entry.digest in digests.get(entry.turn_id, ())
