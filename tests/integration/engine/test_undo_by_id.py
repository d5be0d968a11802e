"""Undo beside the stack: by id after a redo, and of a command that others were written between."""

from tests.integration.engine.play import start

from foreword.domain.ops import OpKind
from foreword.domain.turn import Role
from foreword.engine import turns
from foreword.engine.context import Engine
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.summarisers import EchoSummariser, RecordingSummariser, Request


def test_undoing_a_redone_command_by_id_takes_back_the_redo(engine: Engine) -> None:
    play = start(engine, 2)
    before = play.state()
    play.edit(1, "t1 whispered")
    edited = play.state()
    command = play.last_command()
    play.undo()
    play.redo()
    assert play.undo(command).command == command
    assert play.state() == before
    assert play.redo().command == command
    assert play.state() == edited
    assert [play.undo().kind for _ in range(3)] == [OpKind.EDIT, OpKind.APPEND, OpKind.APPEND]


def test_a_turn_said_while_a_recap_runs_does_not_part_the_undo_of_the_recap(store: Store) -> None:
    said: list[turns.TurnChange] = []

    def speak(request: Request) -> None:
        if len(said) < 2:
            said.append(turns.append(engine, play.place, "late word", role=Role.USER))

    engine = engine_on(store, summariser=RecordingSummariser(EchoSummariser(), before=speak))
    play = start(engine, context="1024")
    play.say(*(f"t{number} " + "word " * 30 for number in range(1, 61)))
    pieces = play.recap(merge=True).made
    assert len(pieces) > 2
    assert play.undo().kind is OpKind.RECAP
    assert "S" not in play.cover()
    assert play.states() == dict.fromkeys(play.states(), "deleted")
    assert len(play.cover().split()) == 62
    assert play.problems() == ()
    play.redo()
    assert play.cover().count("[") >= 1
    assert play.problems() == ()


def test_hidden_and_shown_again_metas_of_metas_stand_as_before(engine: Engine) -> None:
    play = start(engine, 7)
    for through in (2, 4, 6):
        play.make(through)
    play.merge(1, 2)
    play.merge(4, 3)
    before = (play.cover(), play.states())
    play.hide(*range(1, 7))
    assert set(play.states().values()) == {"stale"}
    play.unhide(*range(1, 7))
    assert (play.cover(), play.states()) == before
    play.unwind(5)
    play.unwind(4)
    assert play.cover() == "S1[1 2] S2[3 4] S3[5 6] 7"
    assert play.problems() == ()
