"""Foreword's own file: a whole conversation as one JSON document.

Above: the engine and `registry`. Below: `bundle_document`, `bundle_checks`. Invariant: what
`write_bundle` wrote reads as an equal bundle; anything else is refused with the place.
"""

from __future__ import annotations

import re

from pydantic import ValidationError

from foreword.domain.ids import BranchId
from foreword.domain.interchange import Bundle
from foreword.domain.storable import storable_text
from foreword.errors import BundleTooNew, FileUnreadable
from foreword.formats.bundle_checks import first_problem
from foreword.formats.bundle_document import BUNDLE_FORMAT, BundleDocument
from foreword.formats.decoding import decode
from foreword.formats.json_lines import JsonObject, JsonValue, parse
from foreword.ports.format import SourceFile, Written

_HEAD = re.compile(r'\s*\{\s*"foreword_bundle"\s*:')
_KEY = '"foreword_bundle"'
_LARGEST = 2**63 - 1
_AGAIN = "Export it again."


class BundleFormat:
    """Reads what `write_bundle` wrote."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "foreword bundle"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: a JSON document with the key `foreword_bundle`."""
        text = decode(file.data).text
        if _HEAD.match(text):
            return True
        if _KEY not in text or not text.lstrip().startswith("{"):
            return False
        try:
            value = parse(text)
        except ValueError:
            return False
        return isinstance(value, dict) and "foreword_bundle" in value

    def read(self, file: SourceFile) -> Bundle:
        """See Format.read; nothing is repaired or skipped."""
        text = decode(file.data).text
        value = _parsed(file.path, text)
        found = value.get("foreword_bundle")
        if not isinstance(found, int) or isinstance(found, bool) or found < 1:
            raise FileUnreadable(path=file.path, reason="its format is no number. " + _AGAIN)
        if found > BUNDLE_FORMAT:
            raise BundleTooNew(found=found, known=BUNDLE_FORMAT)
        problem = _unstorable(value)
        if problem:
            raise FileUnreadable(path=file.path, reason=f"{problem}. {_AGAIN}")
        bundle = _checked(file.path, text)
        problem = first_problem(bundle)
        if problem:
            raise FileUnreadable(path=file.path, reason=f"{problem}. {_AGAIN}")
        return bundle


class BundleWriter:
    """Writes every branch of a conversation and every text there ever was."""

    @property
    def name(self) -> str:
        """See Writer.name."""
        return "bundle"

    def write(self, bundle: Bundle, branch: BranchId) -> Written:  # noqa: ARG002 - all branches
        """See Writer.write; nothing is lost but the journal."""
        return Written(data=write_bundle(bundle))


def write_bundle(bundle: Bundle) -> bytes:
    """Return `bundle` as UTF-8 JSON; equal bundles give equal bytes."""
    return BundleDocument.of(bundle).model_dump_json(indent=1).encode() + b"\n"


def _parsed(path: str, text: str) -> JsonObject:
    try:
        value = parse(text)
    except ValueError as error:
        reason = f"the bundle is damaged: {error}. {_AGAIN}"
        raise FileUnreadable(path=path, reason=reason) from None
    if not isinstance(value, dict):
        raise FileUnreadable(path=path, reason=f"the bundle is no JSON object. {_AGAIN}")
    return value


def _checked(path: str, text: str) -> Bundle:
    try:
        return BundleDocument.model_validate_json(text).bundle()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "the document"
        reason = f"{place}: {first['msg']}. {_AGAIN}"
        raise FileUnreadable(path=path, reason=reason) from None


def _unstorable(document: JsonObject) -> str:
    """Name the first number or text that no database takes, by the key it stands under."""
    waiting: list[tuple[str, JsonValue]] = [("the document", document)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, int) and not -_LARGEST <= value <= _LARGEST:
            return f"{place}: the number is too large"
        if isinstance(value, str) and storable_text(value) != value:
            return f"{place}: the text holds a NUL character or half a surrogate pair"
        if isinstance(value, dict):
            waiting += value.items()
            waiting += (("a key", key) for key in value)
        if isinstance(value, list):
            waiting += ((place, item) for item in value)
    return ""
