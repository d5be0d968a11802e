"""The system message of a branch and its summaries, wherever they stand, with what each part takes.

Above: loading and prompting. Below: memory_text and the templates. Invariant: the summaries are
sent once (twice where the setting says so), or nowhere.

Source: DESIGN, Prompt layout; spec/summaryception, Memory placement.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from foreword.domain.message import Message
from foreword.domain.policy import Placement, Policy
from foreword.domain.summary import CoverRow
from foreword.domain.turn import MESSAGE_OVERHEAD, Role
from foreword.engine.context import Engine, Reading
from foreword.engine.memory_text import Format, MemoryText, format_of
from foreword.engine.spans import SEPARATOR_TOKENS, template_values
from foreword.engine.templates import compiled
from foreword.planning.coverage import OwnMemory, Section, SectionName
from foreword.prompts.macros import has_macro, with_memory
from foreword.prompts.memory_format import memory_texts
from foreword.prompts.messages import SystemPart, SystemSection, memory_message, parts_of_system
from foreword.prompts.rendering import CompiledTemplate
from foreword.prompts.templates import TemplateName
from foreword.prompts.variables import TemplateValues

SAMPLE = "summary"
"""Stands for a summary that is not made yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemText:
    """The system message and the summaries, and what they cost, in tokens."""

    text: str
    """Empty when there is nothing to say: then no message is sent."""
    memory: str
    """The summaries alone, as they are sent."""
    own: Message | None
    """The summaries as a message of their own; None where they stand in the system message."""
    place: OwnMemory | None
    """Where that message stands."""
    sections: tuple[Section, ...]
    """All but the summaries; the heading over those counts with the system section."""
    summaries: int
    """Tokens of the summaries as they are sent, with what stands between them; 0 where they are
    not."""
    times: int
    """How often a summary is sent: 0 where no text has a place for them."""
    each: tuple[int, ...]
    """Tokens that every summary takes as it is sent, oldest first, with what parts it from the
    next; as if sent once where none is sent."""

    @property
    def fixed(self) -> int:
        """Tokens of everything but the summaries."""
        return sum(section.tokens for section in self.sections)


def system_text(
    engine: Engine, at: Reading, policy: Policy, cover: Sequence[CoverRow]
) -> SystemText:
    """Render the system message and the summaries in use, oldest first."""
    template = compiled(engine, at.session, TemplateName.MASTER)
    memory = format_of(engine, at, policy, cover).text()
    return _laid_out(engine.counter.count, policy, template, memory)


def _laid_out(
    count: Callable[[str], int], policy: Policy, template: CompiledTemplate, memory: MemoryText
) -> SystemText:
    repeat = 2 if policy.memory_repeat else 1
    block = memory_texts([memory.block] * repeat) if memory.block else ""
    base = template_values(policy)
    bare = with_memory(base, "")
    if has_macro(base) and _shows(template, base):
        values, placement = with_memory(base, block), Placement.MACRO_ONLY
    else:
        repeat = 0 if policy.placement is Placement.MACRO_ONLY else repeat
        values, placement = bare, policy.placement
    if placement is Placement.IN_PROMPT:
        values = replace(bare, summaries=block)
        repeat = repeat if "summaries" in template.variables else 0
    parts = _parts(template, values)
    own, place = _own(policy, placement, block)
    tokens = _section_tokens(count, parts)
    stored = memory.tokens * repeat
    beside = tokens.pop(SystemSection.SUMMARIES) - stored
    beside += 0 if own is None else message_tokens(count, own.content)
    tokens[SystemSection.SYSTEM] = max(0, tokens[SystemSection.SYSTEM] + beside)
    return SystemText(
        text=parts[-1].text_so_far,
        memory=memory.block,
        own=own,
        place=place,
        sections=tuple(
            Section(name=SectionName(name), tokens=taken) for name, taken in tokens.items() if taken
        ),
        summaries=stored,
        times=repeat,
        each=tuple(max(1, repeat) * (tokens + SEPARATOR_TOKENS) for tokens in memory.each),
    )


def _own(
    policy: Policy, placement: Placement, block: str
) -> tuple[Message | None, OwnMemory | None]:
    """Return the summaries as a message of their own and its place, where they are one."""
    if not block or placement in (Placement.IN_PROMPT, Placement.MACRO_ONLY):
        return None, None
    message = memory_message(block, Role(policy.memory_role.value))
    return message, OwnMemory(
        depth=policy.placement_depth if placement is Placement.IN_CHAT else None
    )


@lru_cache(maxsize=64)
def _shows(template: CompiledTemplate, values: TemplateValues) -> bool:
    """Say whether what stands at the first macro reaches the system message."""
    return SAMPLE_MEMORY in template.render(with_memory(values, SAMPLE_MEMORY))


SAMPLE_MEMORY = "\u27e6memory\u27e7"


@lru_cache(maxsize=64)
def _parts(template: CompiledTemplate, values: TemplateValues) -> tuple[SystemPart, ...]:
    """Return the parts; most prompts have those of the one before."""
    return parts_of_system(template, values)


def beside_summaries(
    engine: Engine, at: Reading, policy: Policy, cover: Sequence[CoverRow]
) -> tuple[int, int]:
    """Return the tokens that the next summary, and each later one, takes beside its text."""
    held = format_of(engine, at, policy, cover)
    template = compiled(engine, at.session, TemplateName.MASTER)
    now, one, two = (_sent(engine, policy, template, held, more) for more in range(3))
    sample = engine.counter.count(SAMPLE) * one.times
    return one.tokens - now.tokens - sample, two.tokens - one.tokens - sample


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sent:
    tokens: int
    times: int


def _sent(
    engine: Engine, policy: Policy, template: CompiledTemplate, held: Format, more: int
) -> _Sent:
    """Return what the system message and the summaries take with so many more of them."""
    laid = _laid_out(engine.counter.count, policy, template, held.text(*[SAMPLE] * more))
    tokens = message_tokens(engine.counter.count, laid.text)
    own = 0 if laid.own is None else message_tokens(engine.counter.count, laid.own.content)
    return _Sent(tokens=tokens + own, times=laid.times)


def _section_tokens(
    count: Callable[[str], int], parts: Sequence[SystemPart]
) -> dict[SystemSection, int]:
    tokens: dict[SystemSection, int] = {}
    before = 0
    for part in parts:
        so_far = message_tokens(count, part.text_so_far)
        tokens[part.section] = so_far - before
        before = so_far
    return tokens


@lru_cache(maxsize=512)
def message_tokens(count: Callable[[str], int], text: str) -> int:
    """Return what a message of this text costs; nothing when there is no text to send."""
    return count(text) + MESSAGE_OVERHEAD if text.strip() else 0
