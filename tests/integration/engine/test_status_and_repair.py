"""The numbers of a status, and what a repair remakes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.ids import SummaryId
from foreword.domain.ops import OpKind
from foreword.domain.summarising import SummaryRequest
from foreword.domain.turn import Role
from foreword.engine import history, references, repairing, templates, turns
from foreword.engine.context import Engine
from foreword.engine.recap import ALL_KEPT, NOTHING_TO_MERGE
from foreword.engine.status import LayerSize, status
from foreword.errors import StoreConflict, SummaryNotFound, TemplateInvalid
from foreword.planning.recap_states import Reason, State
from foreword.planning.repair import RepairStep
from foreword.ports.store import Store
from foreword.prompts.templates import TemplateName
from foreword.testing.engines import engine_on
from foreword.testing.summarisers import EchoSummariser, RecordingSummariser


def layered(engine: Engine) -> Play:
    play = start(engine, 12)
    for through in (2, 4, 6, 8):
        play.make(through)
    play.merge(1, 2)
    return play


def test_a_status_counts_layers_pins_and_what_is_hidden(engine: Engine) -> None:
    play = layered(engine)
    play.pin(1, 11)
    play.hide(12, 3)

    found = status(engine, play.place)

    assert found.layers == (LayerSize(layer=0, summaries=3, tokens=3),)
    assert (found.boundary, found.pile_turns, found.turns, found.hidden) == (8, 4, 12, 2)
    assert (found.stale, found.pins_tokens, found.token_source) == (2, 6, "words")
    assert found.advice.pile_tokens == 4 * 6
    play.unhide(3)
    assert status(engine, play.place).layers == (LayerSize(layer=0, summaries=4, tokens=4),)
    play.merge(1, 2)
    assert status(engine, play.place).layers == (
        LayerSize(layer=0, summaries=2, tokens=2),
        LayerSize(layer=1, summaries=1, tokens=1),
    )


def test_what_was_repaired_or_made_anew_is_not_called_stale_any_more(engine: Engine) -> None:
    play = layered(engine)
    play.edit(3, "changed")
    assert status(engine, play.place).stale == 2

    asyncio.run(repairing.repair(engine, play.place))
    assert status(engine, play.place).stale == 0

    play.edit(7, "changed too")
    assert status(engine, play.place).stale == 1
    play.make(8)
    assert status(engine, play.place).stale == 0


def test_a_turn_that_is_too_large_is_named_by_its_order(engine: Engine) -> None:
    play = start(engine, 2, context="1024")
    play.delete(2)
    turns.append(engine, play.place, "la " * 2000, role=Role.USER)

    found = status(engine, play.place)

    assert (found.advice.state, found.advice.reason) == (
        State.OVERFLOWING,
        Reason.TURN_TOO_LARGE,
    )
    assert found.advice.turn_id == 3
    assert "Turn 2 " in found.sentence
    assert "id:" not in found.sentence
    run = play.recap()
    assert (run.made, run.reason) == ((), found.sentence)


def test_a_repair_remakes_the_changed_parts_and_then_what_they_were_merged_into(
    engine: Engine,
) -> None:
    play = layered(engine)
    play.edit(3, "changed")
    told: list[RepairStep] = []

    plan = repairing.plan(engine, play.place)
    done = asyncio.run(repairing.repair(engine, play.place, watch=told.append))

    assert tuple(told) == plan.steps
    assert [(step.summary_id, step.children) for step in plan.steps] == [(2, ()), (5, (1, 2))]
    assert (plan.calls, plan.tokens) == (2, (5 + 6) + 1 + (1 + 1) + 1)
    assert [(one.stale, one.made.id) for one in done] == [(2, 6), (5, 7)]
    assert play.cover() == "S7[1 2 3 4] S3[5 6] S4[7 8] 9 10 11 12"
    assert play.prompt().memory.startswith("mer(t1,t2|changed,t4)\n")
    assert repairing.plan(engine, play.place).steps == ()
    (command, *_) = history.history(engine, play.place)
    assert (command.kind, command.ops) == (OpKind.REPAIR, 2)

    play.undo()
    assert play.cover() == "S1[1 2] 3 4 S3[5 6] S4[7 8] 9 10 11 12"
    assert play.problems() == ()


def test_a_repair_goes_on_in_story_order_and_reads_what_it_remade_before(store: Store) -> None:
    recorder = RecordingSummariser(EchoSummariser())
    play = layered(engine_on(store, summariser=recorder))
    play.edit(1, "changed")
    play.edit(5, "changed too")
    recorder.answered.clear()

    done = asyncio.run(repairing.repair(play.engine, play.place))

    assert [(one.stale, one.made.id) for one in done] == [(1, 6), (3, 7), (5, 8)]
    requests = [one for one in recorder.requests if isinstance(one, SummaryRequest)]
    assert [request.earlier for request in requests] == [
        (),
        (done[0].made.text, "sum(t3,t4)"),
    ]


def test_a_repair_leaves_alone_what_lost_all_its_turns(engine: Engine) -> None:
    play = layered(engine)
    play.hide(3, 4, 5, 6)

    assert repairing.plan(engine, play.place).steps == ()
    assert asyncio.run(repairing.repair(engine, play.place)) == ()


@pytest.mark.parametrize(
    ("step", "act", "left"),
    [
        (2, lambda play: play.hide(3, 4), [6, 3, 4]),
        (3, lambda play: play.delete_summary(7), [6, 3, 4]),
    ],
)
def test_a_repair_that_meets_a_change_stops_and_keeps_what_it_made(
    engine: Engine, step: int, act: Callable[[Play], object], left: list[int]
) -> None:
    play = layered(engine)
    play.edit(1, "changed")
    play.edit(3, "changed too")
    told: list[RepairStep] = []

    def disturb(one: RepairStep) -> None:
        told.append(one)
        if len(told) == step:
            act(play)

    with pytest.raises(StoreConflict):
        asyncio.run(repairing.repair(engine, play.place, watch=disturb))

    assert [view.id for view in play.summaries()] == left
    assert play.problems() == ()


def test_a_run_without_anything_to_merge_says_so(store: Store) -> None:
    engine = engine_on(store, summariser=EchoSummariser(filled=True))
    play = start(engine, context="600", system=" ".join(["word"] * 120))
    play.say(*(" ".join([f"t{number}", *["la"] * 45]) for number in range(1, 13)))

    run = play.recap(merge=True)

    assert (run.made, run.reason) == ((), NOTHING_TO_MERGE)


def test_merging_wins_room_even_when_nothing_is_left_to_recap(store: Store) -> None:
    engine = engine_on(store, summariser=EchoSummariser(filled=True))
    play = start(engine, context="1024")
    play.say(*(" ".join([f"t{number}", *["la"] * 45]) for number in range(1, 17)))
    for through in (4, 8, 12, 14):
        play.make(through)
    play.pin(1)
    assert status(engine, play.place).advice.state is State.NO_ROOM

    run = play.recap(merge=True)

    assert [view.layer for view in run.made] == [1]
    assert run.after.state is State.CHAT_MORE
    assert play.recap(anyway=True).reason in {"", ALL_KEPT}


def test_summaries_are_named_with_or_without_their_letter() -> None:
    assert references.summary_number("S7") == references.summary_number(" 7 ") == SummaryId(7)
    for wrong in ("", "S", "x", "0", "-1", "7.0"):
        with pytest.raises(SummaryNotFound):
            references.summary_number(wrong)


def test_a_template_is_saved_when_it_renders_and_forgotten_again(engine: Engine) -> None:
    play = start(engine, 2)
    conversation = play.place.conversation
    builtin = templates.chosen(engine, TemplateName.MASTER, conversation)

    templates.save(engine, TemplateName.MASTER, "All: {{ summaries }}")
    templates.save(engine, TemplateName.MASTER, "One: {{ summaries }}", conversation)
    with pytest.raises(TemplateInvalid):
        templates.save(engine, TemplateName.MASTER, "{{ summaries", conversation)

    play.make(2)
    assert play.prompt().messages[0].content == "One: sum(t1,t2)"
    templates.forget(engine, TemplateName.MASTER, conversation)
    assert play.prompt().messages[0].content == "All: sum(t1,t2)"
    templates.forget(engine, TemplateName.MASTER)
    assert templates.chosen(engine, TemplateName.MASTER, conversation) == builtin
