"""Somebody changed what this would change."""

from __future__ import annotations

from collections.abc import Sequence

from foreword.errors.tree import ConflictError


class NothingToUndo(ConflictError):
    """No command of this actor on this branch is left to undo."""

    def __init__(self) -> None:
        super().__init__("Nothing is left to undo on this branch; `history` lists what was.")


class NothingToRedo(ConflictError):
    """Nothing was undone since the last command."""

    def __init__(self) -> None:
        super().__init__("There is nothing to redo: a new command clears what was undone.")


class UndoConflict(ConflictError):
    """What the command changed was changed again."""

    def __init__(self, *, target: int, later: int, later_kind: str) -> None:
        self.target = target
        self.later = later
        self.later_kind = later_kind
        super().__init__(
            f"{target} cannot be undone: {later} ({later_kind}) changed the same turns or "
            f"summaries since. Undo {later} first."
        )


class UndoOverlap(ConflictError):
    """Taking the command back would leave two summaries in use over one turn."""

    def __init__(self, *, target: int, summary_ids: Sequence[int]) -> None:
        self.target = target
        self.summary_ids = tuple(summary_ids)
        names = " and ".join(f"S{summary_id}" for summary_id in self.summary_ids)
        super().__init__(
            f"{target} cannot be undone: {names} would both cover the same turns. "
            "Delete the newer summary first."
        )


class AlreadyUndone(ConflictError):
    """The command is not in force any more."""

    def __init__(self, target: int) -> None:
        self.target = target
        super().__init__(f"{target} is already undone. `foreword redo` brings back the last one.")


class ForkInUse(ConflictError):
    """A fork with changes of its own cannot be undone."""

    def __init__(self, *, branch: str, later: int) -> None:
        self.branch = branch
        self.later = later
        super().__init__(
            f"Branch {branch!r} has changes of its own (the last is {later}). Undo those first."
        )


class StoreConflict(ConflictError):
    """Somebody else changed the conversation meanwhile."""

    retryable = True

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"{what} changed meanwhile; nothing was written. Try again.")
