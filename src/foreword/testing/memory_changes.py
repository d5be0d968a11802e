"""Noticing changes of the store in memory: whoever commits wakes those who wait.

Above: `memory_store`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Condition

from foreword.domain.ids import ConversationId, Rev
from foreword.ports.changes import Change, news


class MemoryChanges:
    """See `ports.changes.Changes`."""

    def __init__(
        self, committed: Condition, revisions: Callable[[], Mapping[ConversationId, Rev]]
    ) -> None:
        """Look from now on, whenever `committed` is notified."""
        self._committed = committed
        self._revisions = revisions
        self._known = dict(revisions())
        self._over = False

    @property
    def closed(self) -> bool:
        """See `Changes.closed`."""
        return self._over

    def wait(self, seconds: float | None = None) -> tuple[Change, ...]:
        """See `Changes.wait`."""
        with self._committed:
            self._committed.wait_for(lambda: self._over or self._found(), seconds)
            found = () if self._over else self._found()
            self._known.update({change.conversation: change.rev for change in found})
        return found

    def close(self) -> None:
        """See `Changes.close`."""
        with self._committed:
            self._over = True
            self._committed.notify_all()

    def _found(self) -> tuple[Change, ...]:
        return news(self._known, self._revisions())
