"""Everything that can go wrong, as one tree.

    ForewordError
    ├── InputError                   what was asked cannot be done as asked
    │   ├── NotFound                 ConversationNotFound, BranchNotFound, TurnNotFound,
    │   │                            AlternativeNotFound, SummaryNotFound, OpNotFound,
    │   │                            TemplateNotFound
    │   ├── AmbiguousReference, UnknownSetting, InvalidSetting, TemplateInvalid, EmptyText
    │   ├── NothingToSummarise, SpanCovered, SummaryNotInUse, NotAMetaSummary, MergeRefused
    │   └── FileUnreadable, FormatUnknown, BundleTooNew
    ├── ConflictError                somebody changed what this would change
    │   ├── NothingToUndo, NothingToRedo, UndoConflict, UndoOverlap, AlreadyUndone, ForkInUse
    │   └── StoreConflict            retryable
    ├── BudgetError                  something does not fit into the context
    │   └── ContextTooSmall
    ├── ModelError                   a summariser gave nothing usable
    │   └── SummaryUnusable
    └── StoreError                   the database cannot do what was asked
        └── StoreUnavailable (retryable), StoreReadOnly, StoreFull, StoreDamaged,
            MigrationNeeded

Conditions carry typed fields and build their message from them. The types are API, the wording is
not; a message ends with what to do next.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class ForewordError(Exception):
    """Anything that Foreword raises on purpose."""

    retryable: ClassVar[bool] = False


class InputError(ForewordError):
    """What was asked cannot be done as asked."""


class ConflictError(ForewordError):
    """Somebody changed what this would change."""


class BudgetError(ForewordError):
    """Something does not fit into the model's context."""


class ModelError(ForewordError):
    """A summariser or model gave nothing that can be used."""


class StoreError(ForewordError):
    """The database cannot do what was asked."""


class NotFound(InputError):
    """Something was named that is not there."""

    what: ClassVar[str]
    hint: ClassVar[str]

    def __init__(self, reference: str) -> None:
        self.reference = reference
        super().__init__(f"There is no {self.what} {reference!r}. {self.hint}")


class ConversationNotFound(NotFound):
    """No conversation has that id, id prefix or title."""

    what = "conversation"
    hint = "`foreword list` shows all of them."


class BranchNotFound(NotFound):
    """No branch has that id or name."""

    what = "branch"
    hint = "`foreword branch list CONV` shows all of them."


class TurnNotFound(NotFound):
    """No turn stands there on the branch."""

    what = "turn"
    hint = "`foreword turn list CONV` shows the numbers."


class AlternativeNotFound(NotFound):
    """The turn has no alternative of that number."""

    what = "alternative"
    hint = "`foreword turn show CONV N` lists them."


class SummaryNotFound(NotFound):
    """The branch never had a summary of that id."""

    what = "summary"
    hint = "`foreword summary list CONV --all` lists them."


class OpNotFound(NotFound):
    """No entry of the history has that number."""

    what = "history entry"
    hint = "`foreword history CONV` lists them."


class TemplateNotFound(NotFound):
    """No template has that name."""

    what = "template"
    hint = "`foreword templates list` lists them."


class AmbiguousReference(InputError):
    """More than one thing answers to that name."""

    def __init__(self, reference: str, matches: Sequence[str]) -> None:
        self.reference = reference
        self.matches = tuple(matches)
        shown = ", ".join(self.matches[:5]) + (", …" if len(self.matches) > 5 else "")
        super().__init__(
            f"{reference!r} could mean {len(self.matches)} things: {shown}. Use more of the id."
        )


class UnknownSetting(InputError):
    """No setting has that name."""

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(f"There is no setting {name!r}. Choose one of {', '.join(known)}.")


class InvalidSetting(InputError):
    """The value does not fit the setting."""

    def __init__(self, *, name: str, value: str, wanted: str) -> None:
        self.name = name
        self.value = value
        self.wanted = wanted
        super().__init__(f"{name} cannot be {value[:80]!r}: give {wanted}.")


class TemplateInvalid(InputError):
    """A template does not render."""

    def __init__(self, *, name: str, line: int, reason: str) -> None:
        self.name = str(name)
        self.line = line
        self.reason = reason
        where = f", line {line}" if line else ""
        super().__init__(f"Template {self.name!r}{where}: {reason}. Correct it; it was not saved.")


class EmptyText(InputError):
    """A text was expected and none came."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"A {what} needs some text; white space is none. Give some.")


class NothingToSummarise(InputError):
    """The span holds no visible turn."""

    def __init__(self, through: int) -> None:
        self.through = through
        super().__init__(f"No visible turn up to {through} lacks a summary. Choose a later one.")


class SpanCovered(InputError):
    """The turn stands inside the span of a summary in use."""

    def __init__(self, *, order: int, summary_id: int) -> None:
        self.order = order
        self.summary_id = summary_id
        super().__init__(
            f"Turn {order} is already covered by S{summary_id}. "
            f"Delete or regenerate S{summary_id}, or choose a later turn."
        )


class SummaryNotInUse(InputError):
    """Only summaries in use can be changed."""

    def __init__(self, *, summary_id: int, state: str) -> None:
        self.summary_id = summary_id
        self.state = state
        super().__init__(
            f"S{summary_id} is {state}, not in use. Only summaries in use can be edited, merged, "
            "regenerated or deleted: unwind what is above it, repair it, or undo what took it away."
        )


class NotAMetaSummary(InputError):
    """A plain summary cannot be unwound."""

    def __init__(self, summary_id: int) -> None:
        self.summary_id = summary_id
        super().__init__(
            f"S{summary_id} was made from turns: there is nothing to unwind. Delete it instead."
        )


class MergeRefused(InputError):
    """These summaries cannot become one."""

    def __init__(self, *, reason: str, summary_ids: Sequence[int] = ()) -> None:
        self.reason = reason
        self.summary_ids = tuple(summary_ids)
        super().__init__(reason)


class FileUnreadable(InputError):
    """A file cannot be read as what it claims to be."""

    def __init__(self, *, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}")


class FormatUnknown(InputError):
    """No format recognises the file."""

    def __init__(self, *, path: str, known: Sequence[str]) -> None:
        self.path = path
        self.known = tuple(known)
        super().__init__(
            f"{path} is in no format that Foreword reads. Convert it to {' or '.join(known)}."
        )


class BundleTooNew(InputError):
    """A bundle was written by a later Foreword."""

    def __init__(self, *, found: int, known: int) -> None:
        self.found = found
        self.known = known
        super().__init__(
            f"This bundle has format {found}; this Foreword reads up to {known}. "
            "Update Foreword, or export it again from the older one."
        )


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


class ContextTooSmall(BudgetError):
    """What must be sent does not fit: fixed texts, summaries, pins and the newest turn."""

    def __init__(self, *, needed: int, limit: int, largest: str) -> None:
        self.needed = needed
        self.limit = limit
        self.largest = largest
        super().__init__(
            f"Contextual limit not sufficient. What must be sent needs {needed} tokens, {limit} "
            f"are available; the largest part is {largest}. Merge or repair summaries, unpin or "
            "shorten turns, shorten the fixed texts, or raise the context."
        )


class SummaryUnusable(ModelError):
    """What a summariser wrote cannot stand for its source."""

    def __init__(self, *, maker: str, reason: str) -> None:
        self.maker = maker
        self.reason = reason
        super().__init__(
            f"{maker} gave no usable summary: {reason}. Nothing was changed; try again."
        )


class StoreUnavailable(StoreError):
    """The database does not answer."""

    retryable = True

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"The database does not answer: {reason}. Try again.")


class StoreReadOnly(StoreError):
    """The database cannot be written."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"{path} cannot be written. Choose another folder with --data-dir or FOREWORD_HOME."
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
