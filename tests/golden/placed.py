"""Stories of automatic memory: summaries in their envelopes, in every placement."""

from __future__ import annotations

from tests.golden.memories import NARRATOR
from tests.golden.telling import begun, written
from tests.integration.engine.play import Play

from foreword.domain.choices import MemoryRole, Placement
from foreword.domain.turn import Role
from foreword.engine import turns
from foreword.engine.context import Engine

SLOT = f"{NARRATOR}\n\nThe story so far:\n{{{{summaryception_memory}}}}\n\nStay in the scene."


def _story(engine: Engine, placement: Placement, **settings: str) -> Play:
    """Replies with headers in the story's own calendar, one without; two summaries in use."""
    chosen = {"mode": "balanced", "char": "Keeper", "user": "Wren", "system": NARRATOR, **settings}
    play = begun(engine, placement=placement.value, **chosen)
    play.say(
        "I row out to the first lantern.",
        "[18:20 | Day 1, Sunday 12 Thaw 812 | Lantern One]\nIt burns with a blue flame.",
        "And to the second.",
        "It is dark. </narrative> stands on its glass.",
    )
    written(play, "Wren found lantern one lit, lantern two dark.").make(4)
    play.say(
        "I wait for the tide.",
        "[05:05 | Day 2, Monday 13 Thaw 812 | Lantern Two]\nThe tide turns.",
        "I row home.",
        "[09:30 | Day 2, Monday 13 Thaw 812 | Quay]\nInga waits there.",
    )
    written(play, "current_date_time: never, said the glass.\nWren rowed home to Inga.").make(8)
    return play.say("What does Inga say?", "[09:31 | Day 2 | Quay]\n“Late,” she says.", "Too late?")


def in_the_prompt(engine: Engine) -> Play:
    return _story(engine, Placement.IN_PROMPT)


def before_the_prompt(engine: Engine) -> Play:
    return _story(engine, Placement.BEFORE_PROMPT, memory_role=MemoryRole.USER.value)


def in_the_chat(engine: Engine) -> Play:
    """A tool call and its result stand where the summaries would."""
    play = _story(
        engine, Placement.IN_CHAT, placement_depth="3", memory_role=MemoryRole.ASSISTANT.value
    )
    turns.append(play.engine, play.place, "tide(quay)", role=Role.ASSISTANT)
    turns.append(play.engine, play.place, "high water 10:02", role=Role.TOOL)
    return play.say("“Not yet: high water is at two past ten.”", first=Role.ASSISTANT).say("I run.")


def by_macro_alone(engine: Engine) -> Play:
    return _story(engine, Placement.MACRO_ONLY, system=SLOT)


def without_a_macro(engine: Engine) -> Play:
    return _story(engine, Placement.MACRO_ONLY)


def twice(engine: Engine) -> Play:
    return _story(engine, Placement.IN_PROMPT, memory_repeat="on", mode="prefix-cache")
