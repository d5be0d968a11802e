"""Kept prompts: exact, cheap, comparable, and forgotten when asked."""

import asyncio

import pytest
from tests.integration.engine.play import Play, start
from tests.integration.engine.stage import GOOD, Stage, stage, unwritable

from foreword.domain.ids import BranchId, PlanId
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.engine import kept_prompts, replying, templates, turns
from foreword.errors import PromptNotFound
from foreword.planning.coverage import SectionName
from foreword.planning.records import KEPT
from foreword.ports.store import Store
from foreword.prompts.templates import TemplateName
from foreword.testing.engines import engine_on
from foreword.testing.models import FakeModel


@pytest.fixture
def play(store: Store) -> Play:
    texts = [f"t{number} {'word ' * number}" for number in range(1, 13)]
    return start(engine_on(store)).set(context="1024", char="Mira", user="Ben").say(*texts)


def printed(play: Play, *, context: int | None = None) -> PlanId:
    number = kept_prompts.print_prompt(play.engine, play.place, context=context).number
    assert number is not None
    return number


def sent(play: Play, number: int) -> tuple[Message, ...]:
    return kept_prompts.show(play.engine, play.place, PlanId(number)).messages


def numbers(play: Play) -> list[int]:
    return [one.record.id for one in kept_prompts.list_prompts(play.engine, play.place)]


def test_a_kept_prompt_is_shown_as_it_was_after_everything_in_it_changed(play: Play) -> None:
    play.make(4)
    play.pin(2)
    turns.append(play.engine, play.place, "Stop!", role=Role.USER, speaker="Guest")
    made = kept_prompts.print_prompt(play.engine, play.place)
    assert made.number is not None
    play.edit(8, "other")
    play.hide(9)
    play.make(7)
    play.engine.store.set_template("account:default", "master", "{{ summaries | upper }}")
    play.delete(10)
    found = kept_prompts.show(play.engine, play.place, made.number)
    assert found.messages == made.prompt.messages
    record, plan = found.record, made.prompt.plan
    assert (record.sections, record.coverage, record.limit) == (
        plan.sections,
        plan.coverage,
        plan.limit,
    )
    assert record.summaries == plan.summaries
    assert "Guest: " in record.texts
    again = kept_prompts.print_prompt(play.engine, play.place)
    assert sent(play, again.number or 0) == again.prompt.messages


def test_the_same_prompt_is_kept_once(play: Play) -> None:
    assert [printed(play), printed(play), printed(play, context=600), printed(play)] == [1, 1, 2, 3]
    assert numbers(play) == [3, 2, 1]


def test_texts_of_turns_and_summaries_are_not_stored_again(play: Play) -> None:
    play.make(4)
    number = printed(play)
    (record,) = (one.record for one in kept_prompts.list_prompts(play.engine, play.place))
    own = "".join(record.texts)
    assert (record.id, record.summaries, len(record.versions)) == (number, (1,), 8)
    assert "t5" not in own
    assert "sum(" not in own


def test_what_changed_since_the_prompt_before_is_told(play: Play) -> None:
    first = printed(play)
    play.make(4)
    second = printed(play)
    found = kept_prompts.compare(play.engine, play.place)
    assert found.before is not None
    assert (found.before.id, found.after.id) == (first, second)
    diff = found.diff
    assert (diff.turns_left, diff.turns_entered) == ((1, 2, 3, 4), ())
    assert (diff.summaries_entered, diff.summaries_left) == ((1,), ())
    assert [change.name for change in diff.sections] == [
        SectionName.SYSTEM,
        SectionName.SUMMARIES,
        SectionName.VERBATIM,
    ]
    assert found.orders == {1: 1, 2: 2, 3: 3, 4: 4}
    assert diff.prefix.messages == 0
    play.edit(12, "t12 is new")
    printed(play)
    found = kept_prompts.compare(play.engine, play.place)
    assert found.diff.turns_changed == (12,)
    assert found.diff.prefix.messages == 8
    assert "+t12 is new" in found.diff.lines


def test_the_first_prompt_of_a_branch_is_compared_with_nothing(play: Play) -> None:
    with pytest.raises(PromptNotFound):
        kept_prompts.compare(play.engine, play.place)
    printed(play)
    fork = play.fork(6)
    number = printed(fork)
    found = kept_prompts.compare(fork.engine, fork.place, number)
    assert (found.before, found.after.branch) == (None, fork.place.branch)
    assert found.diff.turns_entered == (1, 2, 3, 4, 5, 6)
    assert numbers(fork) == [number]
    assert numbers(play) == [1]


def test_a_turn_that_is_gone_has_no_order_in_a_comparison(play: Play) -> None:
    printed(play)
    play.delete(12)
    printed(play)
    found = kept_prompts.compare(play.engine, play.place)
    assert (found.diff.turns_left, found.orders) == ((12,), {12: None})


def answering(on: Stage, text: str) -> PlanId:
    """Say something and return the prompt that the reply was written from."""
    done = asyncio.run(replying.reply(on.engine, on.play.place, text))
    reference = f"id:{done.reply.entry.turn_id}"
    found = kept_prompts.show_for_reply(on.engine, on.play.place, reference)
    assert found.messages == done.prompt.messages == on.model.requests[-1].messages
    assert found.replies == (done.reply.entry.turn_id,)
    return found.record.id


def test_the_prompt_of_every_reply_can_be_shown(store: Store) -> None:
    on = stage(store, FakeModel([GOOD, GOOD]), routed="chat")
    assert answering(on, "And Mara?") == 1
    assert answering(on, "And then?") == 2
    for reference in ("1", "7"):
        with pytest.raises(PromptNotFound, match=f"for turn {reference}"):
            kept_prompts.show_for_reply(on.engine, on.play.place, reference)


def test_a_reply_that_comes_later_belongs_to_the_prompt_that_was_printed(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]), routed="chat")
    turns.append(on.engine, on.play.place, "And Mara?", role=Role.USER)
    assert printed(on.play) == 1
    assert answering(on, "And Mara?") == 1


def test_the_newest_prompts_stay_and_those_of_replies(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]), routed="chat")
    printed(on.play)
    reply = answering(on, "And Mara?")
    for size in range(KEPT + 5):
        printed(on.play, context=5000 + size)
    kept = numbers(on.play)
    assert kept == [*range(reply + KEPT + 5, reply + 5, -1), reply]
    for number in kept[-2:]:
        assert sent(on.play, number) != ()


def test_a_prompt_that_cannot_be_kept_is_made_all_the_same(play: Play) -> None:
    broken = unwritable(play)
    made = kept_prompts.print_prompt(broken.engine, broken.place)
    assert (made.number, made.problem.split(":")[0] != "") == (None, True)
    assert len(made.prompt.messages) == 13 - (made.prompt.memory == "")


def test_prompts_that_are_forgotten_are_gone_on_all_branches(play: Play) -> None:
    templates.save(play.engine, TemplateName.MASTER, "A secret. {{ summaries }}")
    printed(play)
    fork = play.fork(6)
    printed(fork)
    assert kept_prompts.forget_prompts(play.engine, play.place) == 2
    assert (numbers(play), numbers(fork)) == ([], [])
    with pytest.raises(PromptNotFound):
        kept_prompts.show(play.engine, play.place, PlanId(1))
    assert kept_prompts.forget_prompts(play.engine, play.place) == 0
    assert printed(play.on(BranchId(1))) == 1
