"""Summaryception's store in a chat's metadata, of both generations.

Above: `memories`, `summaryception_export`. Below: `sillytavern_fields`. The newer generation names
messages by `sc_id`; the older one (5.x, up to 19 of the fork) by their index in the chat, which is
right only while no message before was removed: its ranges are checked against the messages' flags.
Invariant: any value in any field gives claims or losses, never an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foreword.domain.interchange import Loss
from foreword.formats.json_lines import JsonObject, JsonValue
from foreword.formats.sillytavern_fields import is_true, list_at, object_at

_ENVELOPE = re.compile(r"\s*<narrative>(.*)</narrative>\s*(.*)", re.DOTALL | re.IGNORECASE)
MAX_LAYERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A summary, and what its program says it stands for."""

    text: str
    messages: tuple[int, ...]
    """By index, from 0; only those that are in the chat."""
    where: str
    maker: str
    layer: int = 0
    unknown: int = 0
    """So many messages more, which are not in the chat."""


def ghosts_of(store: JsonObject, messages: Sequence[JsonObject]) -> frozenset[int]:
    """Return the hidden messages that Summaryception hid itself; others' are never among them."""
    ids = {one for one in list_at(store, "ghostedMessageIds") if isinstance(one, str)}
    indices = {one for one in list_at(store, "ghostedIndices") if _is_index(one)}
    return frozenset(
        number
        for number, value in enumerate(messages)
        if (
            is_true(value.get("is_system"))
            and (value.get("sc_id") in ids if isinstance(value.get("sc_id"), str) else False)
        )
        or (is_true(value.get("is_system")) and _is_flagged(value, number in indices, bool(store)))
    )


def claims_of(store: JsonObject, messages: Sequence[JsonObject], losses: list[Loss]) -> list[Claim]:
    """Return what the snippets of a store stand for."""
    snippets = list(snippets_of(store))
    _recompute(store, snippets, losses)
    places = {
        value["sc_id"]: number
        for number, value in enumerate(messages)
        if isinstance(value.get("sc_id"), str)
    }
    claims: list[Claim] = []
    for where, layer, snippet in snippets:
        claim = _by_id(where, layer, snippet, places) or _by_range(where, layer, snippet, messages)
        if isinstance(claim, Claim):
            claims.append(claim)
        else:
            losses.append(Loss(where=where, what="a summary", why=claim))
    return claims


def snippets_of(store: JsonObject) -> Iterator[tuple[str, int, JsonObject]]:
    """Yield the snippets with their place and layer."""
    for layer, members in enumerate(list_at(store, "layers")[:MAX_LAYERS]):
        for number, snippet in enumerate(members if isinstance(members, list) else (), start=1):
            if isinstance(snippet, dict):
                yield f"Summaryception, layer {layer}, summary {number}", layer, snippet


def plain_text(snippet: JsonObject) -> str:
    """Return a snippet's words without the tags around them; a date line stays as the last."""
    text = snippet.get("text")
    if not isinstance(text, str):
        return ""
    found = _ENVELOPE.fullmatch(text)
    if not found:
        return text.strip()
    return "\n".join(part for part in (found[1].strip(), found[2].strip()) if part)


def range_of(snippet: JsonObject) -> tuple[int, int] | None:
    """Return the first and the last index of an older snippet, None where it has none."""
    for key in ("turnRange", "sourceRange"):
        match list_at(snippet, key):
            case [int(first), int(last)] if 0 <= first <= last:
                return first, last
    return None


def _is_flagged(value: JsonObject, listed: bool, known: bool) -> bool:  # noqa: FBT001 - private
    """Say whether an older Summaryception hid a message: an index alone may have moved."""
    flagged = is_true(object_at(value, "extra").get("sc_ghosted"))
    return known and (flagged or (listed and not object_at(value, "extra").get("type")))


def _is_index(value: JsonValue) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _by_id(
    where: str, layer: int, snippet: JsonObject, places: Mapping[JsonValue, int]
) -> Claim | None:
    ids = [one for one in list_at(snippet, "sourceMessageIds") if isinstance(one, str)]
    if not ids:
        return None
    known = {places[one] for one in ids if one in places}
    return Claim(
        text=plain_text(snippet),
        messages=tuple(sorted(known)),
        where=where,
        maker="summaryception",
        layer=layer,
        unknown=len(set(ids)) - len(known),
    )


def _by_range(
    where: str, layer: int, snippet: JsonObject, messages: Sequence[JsonObject]
) -> Claim | str:
    """Return the claim of an older snippet, or why its range cannot be trusted."""
    found = range_of(snippet)
    if found is None:
        return "it does not say which messages it stands for"
    first, last = found
    if last >= len(messages):
        return f"it ends at message {last + 1}, and the chat has {len(messages)}"
    covered = range(first, last + 1)
    shown = [number + 1 for number in covered if not is_true(messages[number].get("is_system"))]
    if shown:
        return f"message {shown[0]} in it is not hidden: messages were removed, or shown again"
    return Claim(
        text=plain_text(snippet),
        messages=tuple(covered),
        where=where,
        maker="summaryception",
        layer=layer,
    )


def _recompute(
    store: JsonObject, snippets: Sequence[tuple[str, int, JsonObject]], losses: list[Loss]
) -> None:
    """Report what an older store should say of how far it goes; its ranges are what counts."""
    ends = [found[1] for _, layer, one in snippets if layer == 0 and (found := range_of(one))]
    if not ends:
        return
    end = max(ends)
    said = store.get("summarizedUpTo")
    if said == end:
        return
    why = f"its newest summary ends at message {end + 1}; that is used"
    what = "how far the summaries go" if _is_index(said) else "summarizedUpTo"
    losses.append(Loss(where="Summaryception", what=what, why=why))
