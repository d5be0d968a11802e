"""Every golden prompt by its name: how its conversation is told, and in which context."""

from __future__ import annotations

from collections.abc import Callable

from tests.golden import memories, placed, stories, voices
from tests.integration.engine.play import Play

from foreword.engine.context import Engine

CASES: dict[str, tuple[Callable[[Engine], Play], int | None]] = {
    "fresh-chat": (stories.fresh_chat, None),
    "long-story": (stories.long_story, None),
    "holes-and-pins": (stories.holes_and_pins, 512),
    "group-chat": (stories.group_chat, None),
    "mixed-scripts": (stories.mixed_scripts, None),
    "edited-fork": (stories.edited_fork, None),
    "hidden-turns": (memories.hidden_turns, None),
    "pins-in-a-meta": (memories.pins_in_a_meta, None),
    "three-layers": (memories.three_layers, None),
    "stale-after-an-edit": (memories.stale_after_an_edit, 4096),
    "repaired-after-an-edit": (memories.repaired_after_an_edit, None),
    "fork-of-a-fork": (memories.fork_of_a_fork, None),
    "deleted-and-undone": (memories.deleted_and_undone, None),
    "other-answers": (memories.other_answers, None),
    "giant-turn": (memories.giant_turn, None),
    "smallest-context": (memories.smallest_context, None),
    "nothing-said-yet": (memories.nothing_said_yet, None),
    "agent-session": (voices.agent_session, None),
    "pictures-and-thoughts": (voices.pictures_and_thoughts, None),
    "several-personas": (voices.several_personas, None),
    "strange-names": (voices.strange_names, None),
    "many-scripts": (voices.many_scripts, None),
    "stray-marks": (voices.stray_marks, None),
    "own-template": (voices.own_template, None),
    "covered-ghosts": (voices.covered_ghosts, None),
    "tavern-group": (voices.tavern_group, 1536),
    "placed-in-the-prompt": (placed.in_the_prompt, None),
    "placed-before-the-prompt": (placed.before_the_prompt, None),
    "placed-in-the-chat": (placed.in_the_chat, None),
    "placed-by-macro": (placed.by_macro_alone, None),
    "placed-nowhere": (placed.without_a_macro, None),
    "sent-twice": (placed.twice, None),
}
"""Each story with the context of its prompt, if it is not the conversation's own."""
