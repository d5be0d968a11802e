"""The memory macros in texts of the settings: `{{summaries}}` and `{{summaryception_memory}}`.

Above: engine. Below: inert text, which makes them harmless elsewhere, and the variables. Invariant:
the summaries are put in once, at the first macro, and what they say is not searched for macros.

Source: spec/summaryception, Macro Only; DECISIONS, One vocabulary.
"""

from __future__ import annotations

import re
from dataclasses import replace

from foreword.prompts.inert import MEMORY_MACROS
from foreword.prompts.variables import TemplateValues

PLACES = ("system", "personas", "narrative_pov", "narrative_tense", "style")
"""The variables whose texts may hold a macro, in the order in which the first is looked for."""

_MACRO = re.compile(r"\{\{\s*(?:" + "|".join(MEMORY_MACROS) + r")\s*\}\}", re.IGNORECASE)


def has_macro(values: TemplateValues) -> bool:
    """Say whether one of the texts has a memory macro."""
    return any(_MACRO.search(getattr(values, place)) for place in PLACES)


def with_memory(values: TemplateValues, memory: str) -> TemplateValues:
    """Return the values with the summaries at the first macro, and nothing at all others."""
    waiting = [memory]

    def put(_: re.Match[str]) -> str:
        return waiting.pop() if waiting else ""

    return replace(values, **{place: _MACRO.sub(put, getattr(values, place)) for place in PLACES})
