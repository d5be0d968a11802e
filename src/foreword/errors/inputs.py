"""What was asked cannot be done as asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from foreword.errors.excerpts import excerpt
from foreword.errors.tree import InputError


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


class RouteNotFound(NotFound):
    """No route has that name."""

    what = "route"
    hint = "`foreword routes list` lists them."


class CallNotFound(NotFound):
    """No call of a model has that number."""

    what = "call"
    hint = "`foreword cost CONV --calls` lists them."


class PromptNotFound(NotFound):
    """No prompt of that number, or for that reply, is kept."""

    what = "kept prompt"
    hint = "`foreword prompt CONV --list` lists them."


class RevisionNotFound(NotFound):
    """There is no such revision yet, or the turn did not stand there then."""

    what = "revision"
    hint = "`foreword turn show CONV N --revisions` lists those of a turn."


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
    """A template does not render, or misses its purpose."""

    def __init__(
        self, *, name: str, line: int, reason: str, column: int = 0, shown: str = ""
    ) -> None:
        self.name = str(name)
        self.line = line
        self.reason = reason
        self.column = column
        self.shown = shown
        """The whole line; empty where the fault is nowhere in particular."""
        where = (f", line {line}" if line else "") + (f", column {column}" if column else "")
        marked = f"\n{excerpt(line, column, shown)}\n" if shown.strip() else " "
        super().__init__(
            f"Template {self.name!r}{where}: {reason}.{marked}"
            "Correct it: only a template that passes this check can be saved."
        )


class EditorFailed(InputError):
    """The user's editor gave no text back."""

    def __init__(self, *, command: str, reason: str) -> None:
        self.command = command
        self.reason = reason
        super().__init__(
            f"The editor {command!r} cannot be used: {reason}. "
            "Set VISUAL or EDITOR to one, or give the text with --file."
        )


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


class FileUnwritable(InputError):
    """A file cannot be written where it should be; one that was there is as it was."""

    def __init__(self, *, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path} cannot be written: {reason}. Choose another place for it.")


class FormatUnknown(InputError):
    """No format recognises the file."""

    def __init__(self, *, path: str, known: Sequence[str]) -> None:
        self.path = path
        self.known = tuple(known)
        super().__init__(
            f"{path} is in no format that Foreword reads. Convert it to {' or '.join(known)}."
        )


class ExportFormatUnknown(InputError):
    """No format of that name can be written."""

    def __init__(self, *, name: str, known: Sequence[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(
            f"There is no format {name[:80]!r} to export to. Choose one of {', '.join(known)}."
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


class RouteMissing(InputError):
    """A job needs a model and its route names none."""

    def __init__(self, *, route: str) -> None:
        self.route = route
        super().__init__(
            f"No model is set for route {route!r}. Name one: `foreword routes set {route} "
            "--url URL --model MODEL`, or `--model FILE.gguf` for one in this process."
        )


class KeyUnavailable(InputError):
    """The key of a route cannot be read from where it should be."""

    def __init__(self, *, route: str, reason: str) -> None:
        self.route = route
        self.reason = reason
        super().__init__(f"The key of route {route!r} cannot be read: {reason}")


class OverwriteRefused(InputError):
    """Something is there already that would be written over."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path} is not empty. Give --force to replace what is there.")


class ExtraMissing(InputError):
    """A kind of route or of database needs a package that is not installed."""

    def __init__(self, *, route: str = "", extra: str) -> None:
        self.route = route
        self.extra = extra
        what = f"Route {route!r}" if route else "This database"
        super().__init__(
            f"{what} needs packages that are not installed: `pip install 'foreword[{extra}]'`."
        )


class OutdatedSummaries(InputError):
    """Summaries went out of force since the user was last told, and nobody said to go on."""

    def __init__(self, *, question: str, turn_ids: Sequence[int]) -> None:
        self.question = question
        self.turn_ids = tuple(turn_ids)
        super().__init__(
            f"{question} --yes goes on without them, --no stops; "
            "`foreword summary repair` remakes them."
        )


class NothingToAnswer(InputError):
    """A reply was asked for and there is nothing that it could follow."""

    def __init__(self) -> None:
        super().__init__("There is no visible turn to answer yet. Say something first.")
