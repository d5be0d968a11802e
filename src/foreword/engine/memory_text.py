"""The summaries in use as a prompt holds them, with what each takes there.

Above: system. Below: templates and the store. Invariant: what is counted is what is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foreword.domain.policy import Policy
from foreword.domain.summary import CoverRow
from foreword.engine.context import Engine, Reading
from foreword.engine.spans import SEPARATOR_TOKENS, texts
from foreword.engine.templates import compiled, in_force
from foreword.prompts.memory_format import MemoryEntry, memory_text, memory_texts
from foreword.prompts.passages import memory_block
from foreword.prompts.rendering import CompiledTemplate
from foreword.prompts.templates import TemplateName, TemplateScope

ORDERS = frozenset({"first_order", "last_order"})
"""Variables that are read only where a template names them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryText:
    """The summaries of a branch, as they are sent."""

    block: str
    """All of them; empty for none."""
    each: tuple[int, ...]
    """Tokens of each, oldest first, with the envelope that it is sent in."""

    @property
    def tokens(self) -> int:
        """Tokens of all, with what stands between them."""
        return sum(tokens + SEPARATOR_TOKENS for tokens in self.each)


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """How the summaries of a branch are written down, and those that there are."""

    count: Callable[[str], int]
    template: CompiledTemplate | None
    """None: their words alone, one after the other."""
    entries: tuple[MemoryEntry, ...]
    stored: tuple[int, ...]
    """Tokens of the texts of the entries."""

    def text(self, *more: str) -> MemoryText:
        """Return them as they are sent, with others behind them that are not made yet."""
        if self.template is None:
            words = (*(entry.text for entry in self.entries), *more)
            each = (*self.stored, *map(self.count, more))
            return MemoryText(block=memory_block(words), each=each)
        last = self.entries[-1] if self.entries else MemoryEntry(text="")
        entries = (*self.entries, *(replace(last, text=text) for text in more))
        shown = [memory_text(entry, self.template) for entry in entries]
        return MemoryText(
            block=memory_texts(shown), each=tuple(_tokens(self.count, text) for text in shown)
        )


def format_of(engine: Engine, at: Reading, policy: Policy, cover: Sequence[CoverRow]) -> Format:
    """Read the summaries in use, oldest first, and how they are to be written down.

    A `memory` template that somebody saved serves every mode, the built-in one the automatic ones.
    """
    written = texts(at.session, [row.summary_id for row in cover])
    template = None
    chosen = in_force(engine, at.session, TemplateName.MEMORY)
    if policy.mode.automatic or chosen.scope is not TemplateScope.BUILTIN:
        template = compiled(engine, at.session, TemplateName.MEMORY)
    return Format(
        count=engine.counter.count,
        template=template,
        entries=_entries(at, cover, written, template),
        stored=tuple(row.tokens for row in cover),
    )


def _entries(
    at: Reading,
    cover: Sequence[CoverRow],
    written: Sequence[str],
    template: CompiledTemplate | None,
) -> tuple[MemoryEntry, ...]:
    named = frozenset[str]() if template is None else template.variables
    pairs = tuple(zip(cover, written, strict=True))
    if "scene_time" in named:
        times = at.session.scene_times([row.summary_id for row in cover])
    else:
        times = {}
    if not named & ORDERS:
        return tuple(
            MemoryEntry(text=text, layer=row.layer, scene_time=times.get(row.summary_id, ""))
            for row, text in pairs
        )
    branch, order = at.branch.id, at.session.order
    return tuple(
        MemoryEntry(
            text=text,
            layer=row.layer,
            scene_time=times.get(row.summary_id, ""),
            first_order=order(branch, row.from_pos),
            last_order=order(branch, row.to_pos),
        )
        for row, text in pairs
    )


@lru_cache(maxsize=4096)
def _tokens(count: Callable[[str], int], text: str) -> int:
    return count(text)
