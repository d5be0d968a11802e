"""The story's own date and time around a stretch of turns or summaries.

Above: spans and gathering. Below: the store and `domain.scene_time`. Invariant: hidden turns are
never read; only replies carry headers.

Source: spec/summaryception; issue 5, section 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from foreword.domain.ids import Pos
from foreword.domain.scene_time import header_time, last_time
from foreword.domain.summarising import Passage
from foreword.domain.summary import CoverRow
from foreword.domain.turn import Role
from foreword.engine.context import Reading
from foreword.prompts.memory_format import bare

LOOKED_BACK = 24
"""So many turns before a stretch are looked at for a header; a few replies may go without."""


def time_before(at: Reading, before: Pos) -> str:
    """Return the last time that is known before a position; empty for none.

    A summary carries on what the one before it knew, so only turns that none covers are read.
    """
    rows = [row for row in at.session.cover(at.branch.id) if row.to_pos < before][-1:]
    after = rows[0].to_pos if rows else Pos(0)
    newest = islice(at.session.newest(at.branch.id, before=before, after=after), LOOKED_BACK)
    replies = [one for one in newest if one.role is Role.ASSISTANT and not one.hidden]
    versions = at.session.versions([one.version_id for one in replies]) if replies else {}
    for one in replies:
        if time := header_time(versions[one.version_id].content.text):
            return time
    return time_of_rows(at, rows)


def time_of_rows(at: Reading, rows: Sequence[CoverRow]) -> str:
    """Return the time that the newest of summaries, oldest first, that has one ends at."""
    ids = [row.summary_id for row in reversed(rows)]
    times, texts = at.session.scene_times(ids), at.session.summary_texts(ids)
    return next(filter(None, (bare(texts[one], times.get(one, ""))[1] for one in ids)), "")


def replies_of(passages: Sequence[Passage]) -> tuple[str, ...]:
    """Return the texts that may carry a header."""
    return tuple(passage.text for passage in passages if passage.role is Role.ASSISTANT)


def time_after(passages: Sequence[Passage], *, carried: str) -> str:
    """Return the time that a stretch of turns ends at; the one carried where it has no header."""
    return last_time(replies_of(passages), carried=carried)
