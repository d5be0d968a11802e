"""Front matter: the few lines of YAML at the head of a Markdown file that say what it is.

Below `markdown`. Invariant: what does not look like it altogether stays in the text; nothing but
plain values is understood, so that no alias or tag of YAML can do harm.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

LONGEST: Final = 200
"""Lines; a longer stretch between two rules is a part of the story."""
_KEY: Final = re.compile(r"([A-Za-z][\w.-]{0,39}):(?:[ \t]+(.*))?$")
_USUAL: Final = frozenset(
    "aliases author authors categories category created creator date description draft id keywords "
    "lang language layout model published publisher slug source subtitle summary tags title "
    "updated url".split()
)
"""One of these is there; else the lines are a dialogue between two scene breaks."""
_MORE: Final = re.compile(r"[ \t]+\S|-[ \t]+|#|[ \t]*$")
_ITEM: Final = re.compile(r"[ \t]*-[ \t]+")
_BLOCK_STYLE: Final = frozenset({"|", ">", "|-", ">-", "|+", ">+"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """What stands at the head of a file."""

    fields: Mapping[str, str] = field(default_factory=dict)
    """By key in lower case; the items of a list with commas between them."""
    raw: str = ""
    """Its lines, without the rules around them; empty for none."""
    rest: str
    """The text behind it."""
    lines: int = 0
    """How many lines it takes."""

    def first(self, *keys: str) -> str:
        """Return the first value that is there under one of the keys."""
        return next((self.fields[key] for key in keys if self.fields.get(key)), "")


def front_matter_of(text: str) -> FrontMatter:
    r"""Return the front matter of a text whose lines end in `\n`, and the rest of it."""
    if not text.startswith("---"):
        return FrontMatter(rest=text)
    lines = text.split("\n", LONGEST + 2)
    rules = (place for place, line in enumerate(lines[1:-1], 1) if line.rstrip() in {"---", "..."})
    end = next(rules, 0)
    inner = lines[1:end]
    if lines[0].rstrip() != "---" or not end or not _is_yaml(inner):
        return FrontMatter(rest=text)
    rest = "\n".join(lines[end + 1 :])
    return FrontMatter(fields=_fields(inner), raw="\n".join(inner), rest=rest, lines=end + 1)


def _is_yaml(lines: list[str]) -> bool:
    keys = {found[1].lower() for line in lines if (found := _KEY.match(line))}
    return bool(keys & _USUAL) and all(_KEY.match(line) or _MORE.match(line) for line in lines)


def _fields(lines: list[str]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    values: list[str] = []
    for line in lines:
        key = _KEY.match(line)
        if key:
            values = found.setdefault(key[1].lower(), [])
        value = (key[2] or "") if key else _ITEM.sub("", line, count=1)
        if value.strip() and value.strip() not in _BLOCK_STYLE and not line.startswith("#"):
            values += _values(value.strip())
    return {key: ", ".join(texts) for key, texts in found.items()}


def _values(value: str) -> list[str]:
    if value.startswith("[") and value.endswith("]"):
        return [_plain(item) for item in value[1:-1].split(",") if item.strip()]
    return [_plain(value)]


def _plain(value: str) -> str:
    value = value.strip()
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        inner = value[1:-1]
        quote = value[0]
        return inner.replace("''", "'") if quote == "'" else inner.replace('\\"', '"')
    return value
