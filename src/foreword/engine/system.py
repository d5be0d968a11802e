"""The system message of a branch: settings and summaries, with the tokens of each part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foreword.domain.policy import Policy
from foreword.domain.summary import CoverRow
from foreword.domain.turn import MESSAGE_OVERHEAD
from foreword.engine.context import Engine, Reading
from foreword.engine.spans import SEPARATOR_TOKENS, template_values, texts
from foreword.engine.templates import compiled
from foreword.planning.coverage import Section, SectionName
from foreword.ports.token_counter import TokenCounter
from foreword.prompts.messages import SystemPart, SystemSection, parts_of_system
from foreword.prompts.passages import memory_block
from foreword.prompts.rendering import CompiledTemplate
from foreword.prompts.templates import TemplateName
from foreword.prompts.variables import TemplateValues

SAMPLE = "summary"
"""Stands for a summary that is not made yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemText:
    """The system message and what it costs, in tokens."""

    text: str
    """Empty when there is nothing to say: then no message is sent."""
    memory: str
    """The summaries alone, as they stand in it."""
    sections: tuple[Section, ...]
    """All but the summaries, which have their counts from when they were stored; the heading over
    the summaries counts with the system section."""
    summaries: int
    """Tokens of the summaries, with what stands between them."""

    @property
    def fixed(self) -> int:
        """Tokens of everything but the summaries."""
        return sum(section.tokens for section in self.sections)


def system_text(
    engine: Engine, at: Reading, policy: Policy, cover: Sequence[CoverRow]
) -> SystemText:
    """Render the system message of a branch for the summaries in use, oldest first."""
    memory = memory_block(texts(at.session, [row.summary_id for row in cover]))
    values = replace(template_values(policy), summaries=memory)
    parts = _parts(compiled(engine, at.session, TemplateName.MASTER), values)
    stored = sum(row.tokens + SEPARATOR_TOKENS for row in cover)
    tokens = _section_tokens(engine.counter, parts)
    heading = tokens.pop(SystemSection.SUMMARIES) - stored
    tokens[SystemSection.SYSTEM] = max(0, tokens[SystemSection.SYSTEM] + heading)
    return SystemText(
        text=parts[-1].text_so_far,
        memory=memory,
        sections=tuple(
            Section(name=SectionName(name), tokens=count) for name, count in tokens.items() if count
        ),
        summaries=stored,
    )


@lru_cache(maxsize=64)
def _parts(template: CompiledTemplate, values: TemplateValues) -> tuple[SystemPart, ...]:
    """Return the parts; most prompts have those of the one before."""
    return parts_of_system(template, values)


def beside_summaries(
    engine: Engine, at: Reading, policy: Policy, cover: Sequence[CoverRow]
) -> tuple[int, int]:
    """Return the tokens that the next summary, and each later one, takes beside its text."""
    held = texts(at.session, [row.summary_id for row in cover])
    template = compiled(engine, at.session, TemplateName.MASTER)
    base = template_values(policy)

    def tokens(more: int) -> int:
        memory = memory_block([*held, *[SAMPLE] * more])
        return message_tokens(
            engine.counter.count, template.render(replace(base, summaries=memory))
        )

    now, one, two = tokens(0), tokens(1), tokens(2)
    sample = engine.counter.count(SAMPLE)
    return one - now - sample, two - one - sample


def _section_tokens(counter: TokenCounter, parts: Sequence[SystemPart]) -> dict[SystemSection, int]:
    tokens: dict[SystemSection, int] = {}
    before = 0
    for part in parts:
        so_far = message_tokens(counter.count, part.text_so_far)
        tokens[part.section] = so_far - before
        before = so_far
    return tokens


@lru_cache(maxsize=512)
def message_tokens(count: Callable[[str], int], text: str) -> int:
    """Return what a message of this text costs; nothing when there is no text to send."""
    return count(text) + MESSAGE_OVERHEAD if text.strip() else 0
