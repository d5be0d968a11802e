"""The reference page of errors, written from the classes themselves.

Above: `reference`. Below: `errors` and the table of exit codes. Each condition is made once, with
example values for its fields, so that the page shows the very message that users read.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping

from foreword.cli.exits import exit_code_of
from foreword.errors import FailureClass, ForewordError

HEAD = """# Errors

Everything that Foreword raises on purpose is a `foreword.errors.ForewordError`. The types and their
fields are API, the wording of messages is not. Each entry says when it is raised, with which
[exit code](exit-codes.md) a command ends, and shows an example of the message, which says what to
do next. *Retryable* means that the same call can work when it is made again; `retryable` is an
attribute of the class.
"""

_VALUES: Mapping[str, object] = {
    "branch": "no letter",
    "call": 12,
    "cap": 2.0,
    "command": "vim",
    "detail": "it says: …",
    "estimate": 0.04,
    "extra": "postgres",
    "failure": FailureClass.NETWORK,
    "failures": 3,
    "found": 3,
    "gates": ("refusal",),
    "known": ("bundle", "sillytavern"),
    "largest": "the summaries",
    "last_order_that_fits": 180,
    "later": 9,
    "later_kind": "edit",
    "limit": 7168,
    "line": 3,
    "maker": "qwen3-8b",
    "matches": ("lantern-road", "lantern-light"),
    "name": "context",
    "needed": 9210,
    "order": 4,
    "path": "chat.jsonl",
    "host": "127.0.0.1",
    "location": "https://models.example/v1",
    "names": ("near", "far"),
    "port": 7373,
    "question": "Invalidated summaries for messages with IDs: [4]. Continue generation without "
    "those summaries?",
    "reason": "the draft declines or asks instead of telling",
    "reference": "9",
    "route": "chat",
    "setting": "spend_per_day",
    "spent": 1.98,
    "state": "stale",
    "summary_id": 2,
    "summary_ids": (2, 3),
    "target": 4,
    "through": 4,
    "turn_ids": (4,),
    "upstream": "near",
    "until": "2026-12-01T18:30:00+00:00",
    "value": "many",
    "variable": "OPENAI_API_KEY",
    "wanted": "a whole number of tokens",
    "what": "turn",
}
"""Example values of fields, by name."""

_OTHERWISE: Mapping[str, Mapping[str, object]] = {
    "AddressUnavailable": {"reason": "Address already in use"},
    "AmbiguousReference": {"reference": "lantern"},
    "BodyTooLarge": {"limit": 67_108_864},
    "BranchNotFound": {"reference": "rain"},
    "BundleTooNew": {"known": 1},
    "ConversationNotFound": {"reference": "lantern-raod"},
    "EditorFailed": {"reason": "it ended with 1"},
    "ExportFormatUnknown": {"name": "docx"},
    "FileUnreadable": {"reason": "it cannot be read (Permission denied)."},
    "KeyUnavailable": {"reason": "OPENAI_API_KEY is not set."},
    "MergeRefused": {
        "reason": "Between S1 and S3 there are turns without a summary. Recap them first, "
        "then merge."
    },
    "MigrationNeeded": {"found": "0009", "wanted": "0003"},
    "OverwriteRefused": {"path": "stories.backup"},
    "RouteNotFound": {"reference": "sumarise"},
    "StoreConflict": {"what": "the cover of the branch"},
    "StoreDamaged": {"path": "foreword.db", "reason": "file is not a database"},
    "StoreFull": {"path": "foreword.db"},
    "StoreReadOnly": {"path": "foreword.db"},
    "StoreUnavailable": {"reason": "it is locked by another process"},
    "SummaryNotFound": {"reference": "S9"},
    "TemplateInvalid": {"name": "summary", "reason": "unknown variable 'txet'"},
    "TemplateNotFound": {"reference": "mastr"},
    "UnknownSetting": {"name": "contxt", "known": ("context", "reply")},
    "UpstreamNotFound": {"reference": "naer"},
}
"""Those of conditions that mean something else by a name."""


def error_page() -> str:
    """Return the page of all conditions, as Markdown."""
    parts = [HEAD]
    for branch in ForewordError.__subclasses__():
        parts.append(f"## {branch.__name__}\n\n{_sentence(branch)}\n")
        parts += [_entry(kind) for kind in conditions(branch)]
    return "\n".join(parts)


def conditions(kind: type[ForewordError]) -> Iterator[type[ForewordError]]:
    """Yield the errors that are raised: those that no other one is a kind of."""
    for below in kind.__subclasses__():
        if below.__subclasses__():
            yield from conditions(below)
        else:
            yield below


def example(kind: type[ForewordError]) -> ForewordError:
    """Return an error of a kind, with example values for its fields.

    Raises:
        KeyError: a field has no example; it belongs into the table above.
    """
    values = {**_VALUES, **_OTHERWISE.get(kind.__name__, {})}
    parameters = list(inspect.signature(kind).parameters.values())
    wanted = {one.name: values[one.name] for one in parameters if one.default is one.empty}
    by_place = [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD]
    places = [wanted.pop(name) for name in by_place if name in wanted]
    return kind(*places, **wanted)


def _entry(kind: type[ForewordError]) -> str:
    made = example(kind)
    facts = [f"Exit code {exit_code_of(kind).value}"]
    if kind.retryable:
        facts.append("retryable")
    if fields := ", ".join(f"`{name}`" for name in vars(made)):
        facts.append(f"fields {fields}")
    about = inspect.cleandoc(kind.__doc__ or "")
    return f"### {kind.__name__}\n\n{about} {'; '.join(facts)}.\n\n> {_shown(str(made))}\n"


def _sentence(kind: type[ForewordError]) -> str:
    return inspect.cleandoc(kind.__doc__ or "")


def _shown(message: str) -> str:
    """Return a message as Markdown that shows it as it is; commands in it stay code."""
    pieces = re.split(r"(`[^`]*`)", message)
    return "".join(
        piece if piece.startswith("`") else re.sub(r"([\\*_\[\]<>])", r"\\\1", piece)
        for piece in pieces
    )
