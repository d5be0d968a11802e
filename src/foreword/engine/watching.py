"""Looking at a conversation that others change, in this process or in another one.

Above: the doors. Below: `ports.changes`.
"""

from __future__ import annotations

from types import TracebackType

from foreword.domain.ids import Rev
from foreword.engine.context import Engine, Place
from foreword.ports.changes import Changes


class Watch:
    """The newest revision of a conversation, each time that it was changed since.

    Several changes may be told as one. Any thread may close it, which ends the waiting at once.
    """

    def __init__(self, changes: Changes, *, timeout: float | None = None) -> None:
        """Tell of changes until there was none for `timeout` seconds; None: for ever."""
        self._changes = changes
        self._timeout = timeout

    def __enter__(self) -> Watch:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def __iter__(self) -> Watch:
        """Return itself."""
        return self

    def __next__(self) -> Rev:
        """Wait for a change and return the newest revision.

        Raises:
            StoreError: the time is over and the database does not answer.
        """
        for change in self._changes.wait(self._timeout):
            return change.rev
        raise StopIteration

    def close(self) -> None:
        """End the waiting at once, and let go of connections."""
        self._changes.close()


def watch(engine: Engine, place: Place, *, timeout: float | None = None) -> Watch:
    """Begin to notice changes of a conversation, on whatever branch.

    Raises:
        ConversationNotFound: there is none of that id.
    """
    changes = engine.store.changes(engine.account, place.conversation)
    return Watch(changes, timeout=timeout)
