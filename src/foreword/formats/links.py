"""Messages that name the one they follow, as trees without circles.

Below the exports of chat services, above `json_lines`. Invariant: every message is below one root,
whatever the file says of their places.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foreword.domain.interchange import Loss
from foreword.formats.json_lines import JsonObject


@dataclass(slots=True)
class Link:
    """A message and its place."""

    key: str
    value: JsonObject
    parent: str | None = None
    children: list[str] = field(default_factory=list)


def rooted(links: Mapping[str, Link], losses: list[Loss]) -> list[str]:
    """Return the keys of the links without a parent; cut every circle to make it below one."""
    roots = [key for key, link in links.items() if link.parent is None]
    seen = below(links, roots)
    circles = 0
    for key, link in links.items():
        if key not in seen:
            # Every link that is not below a root is on a circle or below one.
            circles += 1
            if link.parent is not None:
                links[link.parent].children.remove(key)
            link.parent = None
            roots.append(key)
            seen |= below(links, [key])
    if circles:
        what, why = f"the order of {circles} messages", "what they follow forms a circle; it is cut"
        losses.append(Loss(where="the conversation", what=what, why=why))
    return roots


def below(links: Mapping[str, Link], roots: Iterable[str]) -> set[str]:
    """Return the keys of these links and of all that follow them."""
    seen: set[str] = set()
    waiting = list(roots)
    while waiting:
        key = waiting.pop()
        if key not in seen:
            seen.add(key)
            waiting += links[key].children
    return seen


def above(key: str | None, links: Mapping[str, Link]) -> set[str]:
    """Return the keys from a root to `key`, with it; nothing for None."""
    found: set[str] = set()
    while key is not None:
        found.add(key)
        key = links[key].parent
    return found
