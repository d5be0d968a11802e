"""The variables that a prompt template may use.

Above: checking and rendering. Below: nothing. Invariant: every value is one text, so a template
needs no loops, calls or attributes, and none of them can break it.

Source: DECISIONS, One vocabulary for commands and variables; spec/summaries, both prompt sections.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from types import MappingProxyType

DEFAULT_FENCE = "FOREWORD-SOURCE"
"""The word on the lines around a text that is data; callers may pass a random one instead."""


def _about(sentence: str, *, long: bool = False) -> dict[str, str | bool]:
    return {"about": sentence, "long": long}


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateValues:
    """A text for each variable; empty means there is none, and so does blank."""

    system: str = field(default="", metadata=_about("The text that opens every prompt.", long=True))
    personas: str = field(default="", metadata=_about("Who the characters are.", long=True))
    summaries: str = field(
        default="", metadata=_about("The summaries in force, oldest first.", long=True)
    )
    text: str = field(
        default="", metadata=_about("The turns to summarise, oldest first, fenced.", long=True)
    )
    turn_count: str = field(
        default="", metadata=_about("How many turns to summarise, where they stand before.")
    )
    first_words: str = field(
        default="", metadata=_about("The first words of the turns to summarise, fenced.")
    )
    last_words: str = field(
        default="", metadata=_about("The last words of the turns to summarise, fenced.")
    )
    summary_blocks: str = field(
        default="", metadata=_about("The summaries to merge, oldest first, fenced.", long=True)
    )
    draft: str = field(
        default="", metadata=_about("The summary to put right, fenced; may be empty.", long=True)
    )
    direction: str = field(
        default="", metadata=_about("What to do differently, a sentence a line.", long=True)
    )
    background_lore: str = field(
        default="", metadata=_about("The lore entries that are switched on.", long=True)
    )
    facts: str = field(default="", metadata=_about("Exact details held outside prose.", long=True))
    continuity: str = field(default="", metadata=_about("What is true now.", long=True))
    recalled: str = field(default="", metadata=_about("Originals fetched back.", long=True))
    scene_time: str = field(
        default="",
        metadata=_about(
            "The story's own date and time: as the turns to summarise begin, as the summary ends."
        ),
    )
    layer: str = field(
        default="", metadata=_about("The layer of a summary that is sent; 0: made from turns.")
    )
    first_order: str = field(
        default="", metadata=_about("ORDER of the first turn that such a summary stands for.")
    )
    last_order: str = field(
        default="", metadata=_about("ORDER of the last turn that such a summary stands for.")
    )
    char: str = field(default="", metadata=_about("Name of whom the model writes."))
    user: str = field(default="", metadata=_about("Name of the user's own character."))
    narrative_pov: str = field(default="", metadata=_about("Point of view of the story."))
    narrative_tense: str = field(default="", metadata=_about("Tense of the story."))
    style: str = field(default="", metadata=_about("Style of the prose."))
    target_words: str = field(default="", metadata=_about("Most words a summary may have."))
    target_tokens: str = field(default="", metadata=_about("Most tokens a summary may have."))
    fence: str = field(
        default=DEFAULT_FENCE, metadata=_about("The word on the lines around a text that is data.")
    )


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


VARIABLES: Mapping[str, str] = MappingProxyType(
    {entry.name: str(entry.metadata["about"]) for entry in fields(TemplateValues)}
)
"""What each variable holds, by name, in the order a page would list them."""

SPELLINGS: Mapping[str, str] = MappingProxyType(
    {
        **{_camel(name): name for name in VARIABLES},
        **{name: name for name in VARIABLES},
        "summaryception_memory": "summaries",
    }
)
"""The variable that each accepted spelling stands for."""

LONG_VARIABLES = frozenset(entry.name for entry in fields(TemplateValues) if entry.metadata["long"])
"""Variables whose values may be as long as a story."""


def values_by_spelling(values: TemplateValues) -> dict[str, str]:
    """Return the text for every accepted spelling, blank texts as empty ones."""
    texts = {name: str(getattr(values, name)) for name in VARIABLES}
    return {
        spelling: "" if texts[name].isspace() else texts[name]
        for spelling, name in SPELLINGS.items()
    }


def nearest_spelling(name: str) -> str:
    """Return the accepted spelling that `name` was probably meant to be, or an empty text."""
    lowered = {spelling.lower(): spelling for spelling in SPELLINGS}
    close = get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    return lowered[close[0]] if close else ""
