"""Entries of lorebooks, as text for a conversation's system setting.

Below `character_card` and `world_info`. Invariant: every enabled entry's text is in the result, in
the book's order; what it cannot say, like keywords, stands among the losses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foreword.domain.interchange import Loss
from foreword.domain.storable import storable_text
from foreword.formats.json_lines import JsonObject, JsonValue
from foreword.formats.sillytavern_fields import is_true, list_at


@dataclass(frozen=True, slots=True, kw_only=True)
class LoreEntry:
    """One entry of a book, whichever names its fields have."""

    title: str
    text: str
    order: float
    enabled: bool
    constant: bool
    keys: tuple[str, ...]
    limits: tuple[str, ...]
    """Conditions besides the keys that it is sent under."""


def entry_of(value: JsonObject) -> LoreEntry:
    """Read an entry of a world info file or of a card's book."""
    keys = tuple(
        storable_text(key)
        for key in (list_at(value, "key") or list_at(value, "keys"))
        if isinstance(key, str) and key.strip()
    )
    order = value.get("order", value.get("insertion_order"))
    limits = {
        "probability": is_true(value.get("useProbability")) and value.get("probability") != 100,
        "group": bool(value.get("group")),
        "sticky": bool(value.get("sticky")),
        "cooldown": bool(value.get("cooldown")),
        "delay": bool(value.get("delay")),
        "character filter": _filters(value.get("characterFilter")),
    }
    text = value.get("content")
    title = value.get("comment")
    return LoreEntry(
        title=storable_text(title).strip() if isinstance(title, str) else "",
        text=storable_text(text).strip() if isinstance(text, str) else "",
        order=order if isinstance(order, int | float) else 100,
        enabled=not is_true(value.get("disable")) and value.get("enabled") is not False,
        constant=is_true(value.get("constant")) or not keys,
        keys=keys,
        limits=tuple(name for name, given in limits.items() if given),
    )


def lore_text(entries: Sequence[LoreEntry], where: str, losses: list[Loss]) -> str:
    """Return the text of all enabled entries, and report what it does not say."""
    told = sorted(
        (entry for entry in entries if entry.enabled and entry.text), key=lambda one: one.order
    )
    off = sum(not entry.enabled for entry in entries)
    if off:
        losses.append(Loss(where=where, what=f"{off} entries", why="they are switched off"))
    keyed = [entry for entry in told if not entry.constant]
    if keyed:
        why = "the text is always sent; lore that waits for its words comes later"
        losses.append(Loss(where=where, what=f"the keywords of {_named(keyed)}", why=why))
    limited = [entry for entry in told if entry.limits]
    if limited:
        names = ", ".join(dict.fromkeys(name for entry in limited for name in entry.limits))
        why = "the text is always sent"
        losses.append(Loss(where=where, what=f"{names} of {_named(limited)}", why=why))
    return "\n\n".join(_told(entry) for entry in told)


def objects_in(value: JsonValue) -> list[JsonObject]:
    """Return the entries of a book: world info has an object of them, a card's book a list."""
    items: Iterable[JsonValue] = ()
    if isinstance(value, dict):
        items = value.values()
    elif isinstance(value, list):
        items = value
    return [item for item in items if isinstance(item, dict)]


def _told(entry: LoreEntry) -> str:
    title = entry.title or (entry.keys[0] if entry.keys else "")
    return f"{title}: {entry.text}" if title else entry.text


def _named(entries: Sequence[LoreEntry]) -> str:
    names = [repr((entry.title or entry.text)[:40]) for entry in entries[:3]]
    more = f" and {len(entries) - 3} more" if len(entries) > 3 else ""
    return f"{', '.join(names)}{more}"


def _filters(value: JsonValue) -> bool:
    return isinstance(value, dict) and bool(list_at(value, "names") or list_at(value, "tags"))
