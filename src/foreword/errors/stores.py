"""The database cannot do what was asked."""

from __future__ import annotations

from foreword.errors.tree import StoreError


class StoreUnavailable(StoreError):
    """The database does not answer."""

    retryable = True

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"The database does not answer: {reason}. Try again.")


class StoreBusy(StoreError):
    """Somebody else is writing, and has been for as long as this command could wait."""

    retryable = True

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"Somebody else has been writing to {path} for too long. Nothing of this command was "
            "written; let the other one end and run it again."
        )


class OutcomeUnknown(StoreError):
    """The database was told to keep what a command did, and has not been heard of since."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"The connection to {path} was lost at the last moment of this command, and it does "
            "not answer since. Either all of it was written or nothing: look before you run it "
            "again."
        )


class StoreReadOnly(StoreError):
    """The database cannot be written."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"{path} cannot be written. Choose another place with --data-dir, --database or "
            "FOREWORD_HOME."
        )


class StoreFull(StoreError):
    """There is no space left for the database."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"No space is left for {path}. Nothing of this command was written; free some space "
            "and run it again."
        )


class StoreDamaged(StoreError):
    """The database file is not one, or is broken."""

    def __init__(self, *, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(
            f"{path} cannot be read as a Foreword database: {reason}. Put a copy of it back, or "
            "choose another folder with --data-dir."
        )


class MigrationNeeded(StoreError):
    """The database was made by another version."""

    def __init__(self, *, found: str, wanted: str) -> None:
        self.found = found
        self.wanted = wanted
        super().__init__(
            f"The database has schema {found}, this Foreword needs {wanted}. Update Foreword."
        )
