"""Stories whose prompts depend on what was summarised, merged, hidden, pinned or changed."""

from __future__ import annotations

from tests.golden.stories import BELL, BOTH, FOUND, HARBOUR, PAID
from tests.golden.telling import begun, repaired, told, written
from tests.integration.engine.play import Play

from foreword.domain.turn import Role
from foreword.engine import turns
from foreword.engine.context import Engine

NARRATOR = "You are the narrator of a quiet mystery."
TIDE = ("One in the morning.", "Two boats.", "Three lamps.", "Four oars.")


def summarised(engine: Engine, **settings: str) -> Play:
    """The harbour story with three summaries of four turns and two turns to go."""
    play = told(engine, HARBOUR, **settings)
    for through, text in ((4, FOUND), (8, PAID), (12, BELL)):
        written(play, text).make(through)
    return play


def hidden_turns(engine: Engine) -> Play:
    play = told(engine, HARBOUR, system=NARRATOR)
    play.hide(3, 6, 13)
    written(play, FOUND).make(4)
    written(play, BELL).make(8)
    play.say("((out of character: sorry, I was away))")
    play.hide(15)
    return play


def pins_in_a_meta(engine: Engine) -> Play:
    play = summarised(engine, system=NARRATOR)
    play.pin(1, 6, 11, 14)
    written(play, BOTH).merge(1, 2)
    return play


def three_layers(engine: Engine) -> Play:
    play = begun(engine, char="Keeper", user="Wren")
    for number in range(1, 9):
        play.say(f"I row out to lantern {number}.", f"Lantern {number} burns with a blue flame.")
        written(play, f"Wren lit lantern {number}.").make(2 * number)
    merged = [
        written(play, f"Wren lit lanterns {first} and {first + 1}.").merge(first, first + 1)
        for first in (1, 3, 5)
    ]
    higher = written(play, "Wren lit lanterns 1 to 4.").merge(merged[0], merged[1])
    written(play, "Wren lit lanterns 1 to 6.").merge(higher, merged[2])
    return play.say("And what is behind the last one?", "Open water.")


def stale_after_an_edit(engine: Engine) -> Play:
    play = summarised(engine, system=NARRATOR)
    written(play, BOTH).merge(1, 2)
    play.edit(2, "The door is shut, and there is nobody in. A note says: back at six.")
    return play


def repaired_after_an_edit(engine: Engine) -> Play:
    play = stale_after_an_edit(engine)
    return repaired(play, "A note on the door of the harbour master's said: back at six.")


def fork_of_a_fork(engine: Engine) -> Play:
    play = summarised(engine, system=NARRATOR)
    written(play, BOTH).merge(1, 2)
    first = play.fork(6)
    first.say("I ask for Benedikt's daughter instead.", '"Ask the bell," Inga says.')
    written(first, "Asked for the daughter, Inga spoke of the bell.").make(8)
    second = first.fork(7)
    return second.say("She is silent, and gathers up her net.", "I let her go.")


def deleted_and_undone(engine: Engine) -> Play:
    play = summarised(engine)
    play.delete(13, following=True)
    play.delete(6)
    play.undo()
    play.delete(2)
    play.undo()
    play.redo()
    return play


def other_answers(engine: Engine) -> Play:
    """Alternatives: one is in a summary, one makes a summary stale, one is the newest turn."""
    play = told(engine, HARBOUR, system=NARRATOR)
    turns.add_alternative(engine, play.place, "2", "Nobody is in. The cups are still warm.")
    turns.choose(engine, play.place, "2", 1)
    turns.add_alternative(engine, play.place, "6", "Inga Okafor whistles, and does not look up.")
    written(play, FOUND).make(4)
    written(play, "Inga Okafor whistled on the mole.").make(8)
    written(play, BELL).make(12)
    turns.add_alternative(engine, play.place, "10", '"Ask at the fish market," she says.')
    turns.add_alternative(engine, play.place, "14", "It is only the wind in the bell.")
    turns.add_alternative(engine, play.place, "14", "It is Inga, with a lantern and no shoes.")
    turns.choose(engine, play.place, "14", 2)
    return play


def giant_turn(engine: Engine) -> Play:
    """A turn that is longer than the whole context, and turns before and behind it."""
    play = begun(engine, system=NARRATOR, context="2048")
    play.say("Read me the ledger.", "Gladly. All of it?", "All of it.")
    play.say("".join(f"Boat {n} left on the tide of day {n * 7}.\n" for n in range(1, 400)))
    play.say("That was long.", "It was.", first=Role.USER)
    return play


def smallest_context(engine: Engine) -> Play:
    play = summarised(engine, system=NARRATOR, personas="Inga Okafor mends nets.", context="512")
    play.pin(4)
    return play.say("I ask him for her name.", '"Runa," he says, and looks at the sea.')


def nothing_said_yet(engine: Engine) -> Play:
    return begun(
        engine,
        system=NARRATOR,
        personas="Inga Okafor: net mender.\n\nBenedikt Hale: harbour master.",
        char="Narrator",
        user="Jon",
        narrative_pov="first person",
        narrative_tense="past tense",
        style="Short sentences. {{ char }} stays a brace, and so does {% if %}.",
    )
