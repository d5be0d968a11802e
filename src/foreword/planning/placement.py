"""In which order the messages of a prompt stand, the summaries among them.

Above: `window`, `records` and engine, which all go by this order. Below: `coverage`, domain.
Invariants: the summaries stand once; never between a tool call and its result, never behind the
newest user turn, never among the older turns that stand before the window.

Source: spec/summaryception, Memory placement; DESIGN, Prompt layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foreword.domain.turn import Entry, Role
from foreword.planning.coverage import SECTION_ORDER, OwnMemory, PromptPlan, SectionName


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One message of a prompt."""

    section: SectionName
    entry: Entry | None = None
    """The turn that it is; None for the system message, the summaries and for markers."""


def layout(plan: PromptPlan, *, has_system: bool) -> tuple[Slot, ...]:
    """Return what each message of a plan is, in order.

    Args:
        plan: what is sent.
        has_system: there is a system message.
    """
    system = (Slot(section=SectionName.SYSTEM),) if has_system else ()
    memory = () if plan.own_memory is None else (Slot(section=SectionName.SUMMARIES),)
    before = (*_stretch(SectionName.HOLES, plan.holes), *_stretch(SectionName.PINNED, plan.pinned))
    window = _stretch(SectionName.VERBATIM, plan.verbatim)
    if not before:
        window = window[1:]
    if plan.own_memory is None or plan.own_memory.depth is None:
        return (*memory, *system, *before, *window)
    if plan.own_memory.depth > len(plan.verbatim):
        return (*system, *memory, *before, *window)
    at = _place(plan.verbatim, plan.own_memory.depth)
    at += len(window) - len(plan.verbatim) if at else 0
    return (*system, *before, *window[:at], *memory, *window[at:])


def section_place(name: SectionName, own: OwnMemory | None) -> tuple[int, int]:
    """Return what the sections of a prompt are ordered by; see `OwnMemory`."""
    if name is SectionName.SUMMARIES and own is not None:
        return (-1, 0) if own.depth is None else (SECTION_ORDER[SectionName.VERBATIM], 1)
    return SECTION_ORDER[name], 0


def _stretch(section: SectionName, entries: Sequence[Entry]) -> tuple[Slot, ...]:
    """Return a marker and the turns behind it; nothing for no turns."""
    if not entries:
        return ()
    return (Slot(section=section), *(Slot(section=section, entry=entry) for entry in entries))


def _place(verbatim: Sequence[Entry], depth: int) -> int:
    """Return how many turns of the window stand before the summaries."""
    at = len(verbatim) - depth
    for number in range(len(verbatim) - 1, -1, -1):
        if verbatim[number].role is Role.USER:
            at = min(at, number)
            break
    while 0 < at < len(verbatim) and verbatim[at].role is Role.TOOL:
        at -= 1
    return at
