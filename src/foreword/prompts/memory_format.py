"""What a summary is sent as: its words in an envelope, with the time at which it ends.

Above: engine. Below: passages and rendering. Stored is the body alone: what people read and edit.
Invariants: what is sent holds one envelope, whatever the words hold, also those that another
program stored with an envelope of their own; the words stay readable.

Source: spec/summaryception; issue 5, section 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from foreword.domain.scene_time import parted
from foreword.prompts.inert import inert
from foreword.prompts.passages import inert_record
from foreword.prompts.rendering import CompiledTemplate
from foreword.prompts.variables import TemplateValues

_ENVELOPE = re.compile(r"\s*<(narrative)>(.*)</\1>\s*", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"</?\s*([A-Za-z][\w-]{0,40})")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEntry:
    """A summary in use, as its template shows it."""

    text: str
    """As it is stored."""
    scene_time: str = ""
    """When it ends in the story; empty where nothing says so."""
    layer: int = 0
    first_order: int | None = None
    last_order: int | None = None
    """ORDER of the first and the last turn it stands for; None where the template names neither."""


def bare(text: str, scene_time: str = "") -> tuple[str, str]:
    """Return a stored summary's words and time, without an envelope or a line around them.

    Args:
        text: as it is stored.
        scene_time: the time that is stored beside it; one in the text, which people may write,
            goes before it.
    """
    words, time = parted(text)
    envelope = _ENVELOPE.fullmatch(words)
    if envelope is not None and _ENVELOPE.search(envelope[2]) is None and envelope[2].strip():
        words, inner = parted(envelope[2].strip())
        time = time or inner
    return words, time or " ".join(scene_time.split())


@lru_cache(maxsize=4096)
def memory_text(entry: MemoryEntry, template: CompiledTemplate) -> str:
    """Return what a summary is sent as; never nothing where it says something."""
    words, time = bare(entry.text, entry.scene_time)
    shown = _without_tags(inert_record(words), template)
    values = TemplateValues(
        text=shown,
        scene_time=_without_tags(inert(time), template),
        layer=str(entry.layer),
        first_order=_order(entry.first_order),
        last_order=_order(entry.last_order),
    )
    rendered = template.render(values)
    return rendered if rendered.strip() else shown


def memory_texts(shown: Iterable[str]) -> str:
    """Return what summaries are sent as, as one block, an empty line between two."""
    return "\n\n".join(shown)


def _order(order: int | None) -> str:
    return "" if order is None else str(order)


def _without_tags(text: str, template: CompiledTemplate) -> str:
    """Make the tags that a template is made of inert in what it shows."""
    names = "|".join(sorted({re.escape(name) for name in _TAG.findall(template.text)}))
    if not names or "<" not in text:
        return text
    return re.sub(
        rf"<(?=/?\s*(?:{names})\b)([^<>]{{0,200}}>)?", _shown_tag, text, flags=re.IGNORECASE
    )


def _shown_tag(found: re.Match[str]) -> str:
    return f"‹{found[1][:-1]}›" if found[1] else "‹"
