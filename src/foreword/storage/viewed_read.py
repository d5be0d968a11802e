"""Reading a conversation through what others found of it at the same revision.

Above: `sql_store`. Below: `read_session`, `views`. Invariant: every answer is the one that
`SqlRead` would give.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from sqlalchemy import Connection
from typing_extensions import override

from foreword.domain.ids import BranchId, Pos, SpeakerId, SummaryId
from foreword.domain.summary import CoverRow, CoverState
from foreword.domain.turn import Entry
from foreword.storage.conversations import Record
from foreword.storage.lineage import Levels
from foreword.storage.read_session import SqlRead
from foreword.storage.views import NEWEST_KEPT, TextsView, View


class ViewedRead(SqlRead):
    """See `ports.store.ReadSession`."""

    def __init__(
        self, connection: Connection, record: Record, view: View, texts: TextsView
    ) -> None:
        """Read a conversation; both views are of what the connection sees."""
        super().__init__(connection, record)
        self._view = view
        self._texts = texts

    @override
    def defaults(self) -> Mapping[str, str]:
        """See `ReadSession.defaults`."""
        known, account = self._texts.defaults, self.conversation.account
        if account not in known:
            known[account] = super().defaults()
        return known[account]

    @override
    def template(self, scope: str, name: str) -> str | None:
        """See `ReadSession.template`."""
        known, of = self._texts.templates, (scope, name)
        if of in known:
            return known[of]
        text = super().template(scope, name)
        self._texts.keep_template(scope, name, text)
        return text

    @override
    def newest(
        self, branch: BranchId, *, before: Pos | None = None, after: Pos = Pos(0)
    ) -> Iterator[Entry]:
        """See `ReadSession.newest`."""
        if before is not None:
            yield from super().newest(branch, before=before, after=after)
            return
        known = self._view.branch(branch)
        read = list(known.newest)
        for entry in known.newest:
            if entry.pos <= after:
                return
            yield entry
        lowest = read[-1].pos if read else None
        try:
            for entry in super().newest(branch, before=lowest, after=after):
                read.append(entry)
                yield entry
        finally:
            if len(read) > len(known.newest):
                known.newest = tuple(read[:NEWEST_KEPT])

    @override
    def pins(self, branch: BranchId) -> tuple[Entry, ...]:
        """See `ReadSession.pins`."""
        known = self._view.branch(branch)
        if known.pins is None:
            known.pins = super().pins(branch)
        return known.pins

    @override
    def cover(self, branch: BranchId, state: CoverState = CoverState.USED) -> tuple[CoverRow, ...]:
        """See `ReadSession.cover`."""
        known = self._view.branch(branch).cover
        if state not in known:
            known[state] = super().cover(branch, state)
        return known[state]

    @override
    def summary_texts(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """See `ReadSession.summary_texts`."""
        known = self._view.summary_texts
        found = {one: known[one] for one in ids if one in known}
        missing = [one for one in ids if one not in found]
        if missing:
            read = super().summary_texts(missing)
            self._view.keep_texts(read)
            found.update(read)
        return found

    @override
    def scene_times(self, ids: Collection[SummaryId]) -> Mapping[SummaryId, str]:
        """See `ReadSession.scene_times`."""
        known = self._view.scene_times
        found = {one: known[one] for one in ids if one in known}
        missing = [one for one in ids if one not in found]
        if missing:
            read = {**dict.fromkeys(missing, ""), **super().scene_times(missing)}
            self._view.keep_times(read)
            found.update(read)
        return {one: time for one, time in found.items() if time}

    @override
    def speaker_names(self, ids: Collection[SpeakerId]) -> Mapping[SpeakerId, str]:
        """See `ReadSession.speaker_names`."""
        known, account = self._texts.speakers, self.conversation.account
        found = {one: known[account, one] for one in ids if (account, one) in known}
        if len(found) == len(ids):
            return found
        read = super().speaker_names([one for one in ids if one not in found])
        self._texts.keep_speakers(account, read)
        return found | dict(read)

    @override
    def _levels(self, branch: BranchId) -> Levels:
        levels = self._view.levels.get(branch)
        if levels is None:
            levels = self._view.levels[branch] = super()._levels(branch)
        return levels
