"""Marginalia's summary records, as JSON: a list of them, or one.

Above: `registry`. A record says which parts of a story it is of by a SHA-512 of their texts, not by
any id; the engine looks for the turns that read so. Invariant: a summary that a meta summary took
the place of is a record of its own here, however deep it was packed.
"""

from __future__ import annotations

from collections.abc import Iterator

from foreword.domain.interchange import Chat, ChatSummary, Loss
from foreword.domain.storable import storable_text
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode
from foreword.formats.json_lines import JsonObject, JsonValue, parse
from foreword.formats.paths import title_of
from foreword.ports.format import SourceFile

_DEEPEST = 20
_HEX = frozenset("0123456789abcdef")


class MarginaliaFormat:
    """Reads records that have a `summary` and a `summaryMessageHash`."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "marginalia summaries"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: one such record is enough."""
        text = decode(file.data).text
        if '"summaryMessageHash"' not in text:
            return False
        try:
            return bool(_records(parse(text)))
        except ValueError:
            return False

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        losses: list[Loss] = []
        records = _records(parse(decode(file.data).text))
        summaries = [
            summary
            for number, record in enumerate(records, start=1)
            for summary in _unpacked(record, f"record {number}", losses)
        ]
        if not summaries:
            raise FileUnreadable(path=file.path, reason="none of its summaries can be used.")
        return Chat(
            title=title_of(file.path),
            turns=(),
            summaries=tuple(summaries),
            losses=tuple(losses),
        )


def _records(value: JsonValue) -> list[JsonObject]:
    if isinstance(value, dict):
        value = value["summaries"] if isinstance(value.get("summaries"), list) else [value]
    items = value if isinstance(value, list) else []
    return [one for one in items if isinstance(one, dict) and "summaryMessageHash" in one]


def _unpacked(record: JsonObject, where: str, losses: list[Loss]) -> Iterator[ChatSummary]:
    """Yield the summary of a record and those it replaced, the deepest layer last."""
    chain = [record]
    while len(chain) < _DEEPEST and (inner := _replaced(chain[-1])):
        chain.append(inner)
    for layer, one in enumerate(reversed(chain)):
        text, digest = one.get("summary"), one.get("summaryMessageHash")
        usable = isinstance(text, str) and text.strip() and isinstance(digest, str)
        if not usable or not _is_digest(str(digest)):
            why = "it has no text, or does not say of which parts it is"
            losses.append(Loss(where=where, what="a summary", why=why))
            continue
        meta = one.get("summaryType") == "META_SUMMARY"
        yield ChatSummary(
            text=storable_text(str(text)).strip(),
            turns=(),
            layer=max(layer, 1) if meta else 0,
            maker="marginalia",
            sha512=str(digest).lower(),
        )


def _replaced(record: JsonObject) -> JsonObject | None:
    value = record.get("replacedSummary")
    if isinstance(value, str):
        try:
            value = parse(value)
        except ValueError:
            return None
    return value if isinstance(value, dict) else None


def _is_digest(text: str) -> bool:
    return len(text) == 128 and set(text.lower()) <= _HEX
