"""What is refused, by which error, and that nothing changes then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from operator import methodcaller

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.ids import BranchId, ConversationId, SummaryId
from foreword.domain.turn import Role
from foreword.engine import (
    branches,
    conversations,
    history,
    prompting,
    references,
    status,
    summaries,
    summary_views,
    templates,
    turns,
)
from foreword.engine.context import Engine, Place, reading
from foreword.errors import (
    AlreadyUndone,
    AlternativeNotFound,
    AmbiguousReference,
    BranchNotFound,
    ContextTooSmall,
    ConversationNotFound,
    EmptyText,
    ForewordError,
    InvalidSetting,
    MergeRefused,
    NotAMetaSummary,
    NothingToRedo,
    NothingToSummarise,
    NothingToUndo,
    OpNotFound,
    SpanCovered,
    SummaryNotFound,
    SummaryNotInUse,
    TurnNotFound,
    UnknownSetting,
)
from foreword.prompts.templates import TemplateName, TemplateScope

Act = Callable[[Play], object]

CHANGES: dict[str, Act] = {
    "edit": lambda play: summaries.edit(play.engine, play.place, SummaryId(1), "by hand"),
    "regenerate": lambda play: asyncio.run(
        summaries.regenerate(play.engine, play.place, SummaryId(1))
    ),
    "delete": lambda play: play.delete_summary(1),
    "unwind": lambda play: play.unwind(1),
    "merge": lambda play: play.merge(1, 2),
}

STATES: dict[str, tuple[str, Act]] = {
    "merged": ("merged", lambda play: play.merge(1, 2)),
    "replaced by an edit": (
        "replaced",
        lambda play: summaries.edit(play.engine, play.place, SummaryId(1), "by hand"),
    ),
    "stale": ("stale", lambda play: play.edit(2, "changed")),
    "deleted": ("deleted", lambda play: play.delete_summary(1)),
}


def two_summaries(engine: Engine) -> Play:
    play = start(engine, 8)
    play.make(3)
    play.make(6)
    return play


def refused(play: Play, act: Act, error: type[ForewordError]) -> ForewordError:
    before = play.state(), history.history(play.engine, play.place)
    with pytest.raises(error) as raised:
        act(play)
    assert (play.state(), history.history(play.engine, play.place)) == before
    return raised.value


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("kind", STATES)
def test_only_summaries_in_use_can_be_changed(engine: Engine, change: str, kind: str) -> None:
    play = two_summaries(engine)
    state, bring = STATES[kind]
    bring(play)

    error = refused(play, CHANGES[change], SummaryNotInUse)

    assert isinstance(error, SummaryNotInUse)
    assert (error.summary_id, error.state) == (1, state)


def test_the_summary_whose_place_a_meta_summary_took_is_replaced(engine: Engine) -> None:
    play = two_summaries(engine)
    play.merge(1, 2)

    error = refused(play, lambda one: one.delete_summary(2), SummaryNotInUse)

    assert isinstance(error, SummaryNotInUse)
    assert error.state == "replaced"
    assert play.states() == {1: "merged", 2: "replaced", 3: "in_use"}


@pytest.mark.parametrize("change", CHANGES)
def test_a_summary_that_never_was_is_not_found(engine: Engine, change: str) -> None:
    refused(start(engine, 3), CHANGES[change], SummaryNotFound)


def test_a_summary_of_another_branch_is_not_found(engine: Engine) -> None:
    play = start(engine, 3)
    fork = play.fork(3)
    play.make(2)

    refused(fork, CHANGES["delete"], SummaryNotFound)
    with pytest.raises(SummaryNotFound):
        summary_views.show_summary(engine, fork.place, SummaryId(1))
    assert summary_views.show_summary(engine, play.place, SummaryId(1)).order == 2


def test_a_turn_in_a_covered_span_cannot_be_summarised_again(engine: Engine) -> None:
    play = two_summaries(engine)

    error = refused(play, lambda one: one.make(5), SpanCovered)

    assert isinstance(error, SpanCovered)
    assert (error.order, error.summary_id) == (5, 2)


def test_hidden_turns_alone_give_nothing_to_summarise(engine: Engine) -> None:
    play = start(engine, 6)
    play.make(3)
    play.hide(4, 5)

    error = refused(play, lambda one: one.make(5), NothingToSummarise)

    assert isinstance(error, NothingToSummarise)
    assert error.through == 5


def test_a_merge_needs_two_different_summaries(engine: Engine) -> None:
    play = two_summaries(engine)

    for ids in ((), (1,), (1, 1)):
        error = refused(play, methodcaller("merge", *ids), MergeRefused)
        assert isinstance(error, MergeRefused)
        assert error.summary_ids == tuple(sorted(set(ids)))


def test_a_merge_across_a_hole_is_refused_and_names_its_sides(engine: Engine) -> None:
    play = two_summaries(engine)
    play.make(8)
    play.delete_summary(2)

    error = refused(play, lambda one: one.merge(3, 1), MergeRefused)

    assert isinstance(error, MergeRefused)
    assert error.summary_ids == (1, 3)


def test_a_merge_takes_what_was_not_ticked_between(engine: Engine) -> None:
    play = two_summaries(engine)
    play.make(8)

    play.merge(3, 1)

    assert play.cover() == "S4[1 2 3 4 5 6 7 8]"
    assert play.summaries()[0].summaries == (1, 2, 3)


def test_mixed_layers_merge_above_the_highest(engine: Engine) -> None:
    play = two_summaries(engine)
    play.make(8)
    play.merge(1, 2)

    play.merge(4, 3)

    views = {int(view.id): view for view in play.summaries(all_states=True)}
    assert (views[5].layer, views[5].generation_depth, views[5].replaced) == (2, 3, 3)
    play.unwind(5)
    assert play.cover() == "S4[1 2 3 4 5 6] S3[7 8]"


def test_a_plain_summary_cannot_be_unwound(engine: Engine) -> None:
    error = refused(two_summaries(engine), lambda one: one.unwind(1), NotAMetaSummary)
    assert "S1" in str(error)


@pytest.mark.parametrize(
    "reference", ["0", "9", "-1", "x", "", "id:", "id:0", "id:99", "id:x", "1.0"]
)
def test_a_turn_that_is_not_there_is_not_found(engine: Engine, reference: str) -> None:
    play = start(engine, 8)
    acts: list[Act] = [
        lambda one: turns.edit(one.engine, one.place, reference, "text"),
        lambda one: turns.add_alternative(one.engine, one.place, reference, "text"),
        lambda one: turns.choose(one.engine, one.place, reference, 1),
        lambda one: turns.delete(one.engine, one.place, reference),
        lambda one: turns.set_hidden(one.engine, one.place, ["1", reference], hidden=True),
        lambda one: turns.set_pinned(one.engine, one.place, ["1", reference], pinned=True),
        lambda one: turns.show_turn(one.engine, one.place, reference),
        lambda one: branches.fork(one.engine, one.place, reference),
        lambda one: asyncio.run(summaries.make(one.engine, one.place, reference)),
    ]
    for act in acts:
        error = refused(play, act, TurnNotFound)
        assert isinstance(error, TurnNotFound)
        assert error.reference == reference


def test_a_turn_is_named_by_its_place_or_its_id(engine: Engine) -> None:
    play = start(engine, 4)
    play.delete(1)

    def orders(reference: str) -> tuple[int, int]:
        turn, _ = turns.show_turn(engine, play.place, reference)
        return turn.order, turn.entry.turn_id

    assert orders("1") == orders(" 1 ") == orders("id:2") == (1, 2)
    assert orders("id: 4") == (3, 4)
    with pytest.raises(TurnNotFound):
        orders("id:1")


def test_an_empty_text_is_refused_everywhere(engine: Engine) -> None:
    play = two_summaries(engine)
    acts: list[Act] = [
        lambda one: turns.append(one.engine, one.place, " \n", role=Role.USER),
        lambda one: turns.edit(one.engine, one.place, "1", "  "),
        lambda one: turns.add_alternative(one.engine, one.place, "1", ""),
        lambda one: summaries.edit(one.engine, one.place, SummaryId(1), "\t"),
        lambda one: branches.rename(one.engine, one.place, BranchId(1), " "),
        lambda one: conversations.create(one.engine, "  "),
        lambda one: conversations.rename(one.engine, one.place.conversation, ""),
    ]
    for act in acts:
        refused(play, act, EmptyText)


def test_an_alternative_that_is_not_there_is_not_found(engine: Engine) -> None:
    play = start(engine, 2)

    def choose(number: int) -> Act:
        return lambda one: turns.choose(one.engine, one.place, "1", number)

    for number in (0, 2):
        refused(play, choose(number), AlternativeNotFound)


def test_what_changes_nothing_is_no_command(engine: Engine) -> None:
    play = start(engine, 3)
    play.hide(1)
    play.pin(2)
    before = history.history(engine, play.place)

    play.hide(1)
    play.unhide(2)
    play.pin(2)
    play.unpin(1)
    play.edit(3, "t3 spoke")
    turns.choose(engine, play.place, "3", 1)

    assert history.history(engine, play.place) == before


def test_nothing_to_undo_and_redo_and_unknown_commands(engine: Engine) -> None:
    play = start(engine)
    refused(play, lambda one: one.undo(), NothingToUndo)
    refused(play, lambda one: one.redo(), NothingToRedo)
    refused(play, lambda one: one.undo(7), OpNotFound)

    play.say("a", "b")
    first = history.history(engine, play.place)[1].id
    play.undo()
    error = refused(play, lambda one: one.undo(2), AlreadyUndone)
    assert isinstance(error, AlreadyUndone)
    assert (error.target, first) == (2, 1)


def test_commands_of_another_branch_cannot_be_undone_here(engine: Engine) -> None:
    play = start(engine, 2)
    fork = play.fork(2)
    fork.say("in the fork")

    refused(play, lambda one: one.undo(fork.last_command()), OpNotFound)


def test_a_conversation_is_found_by_id_title_and_unique_beginning(engine: Engine) -> None:
    for title in ("The Long Road", "The Long Night", "the long road", "c", "Ünique"):
        conversations.create(engine, title)

    def found(reference: str) -> str:
        return references.find_conversation(engine, reference).id

    assert [found(one) for one in ("c1", "c2", "The Long Road", "the long road")] == [
        "c1",
        "c2",
        "c1",
        "c3",
    ]
    assert found("the long night ") == "c2"
    assert found("The long n") == "c2"
    assert found("c") == "c4"
    assert found("ÜNI") == "c5"
    for reference in ("THE LONG ROAD", "the l"):
        with pytest.raises(AmbiguousReference) as several:
            found(reference)
        assert several.value.reference == reference
        assert len(several.value.matches) >= 2
    for reference in ("", "  ", "road", "c9"):
        with pytest.raises(ConversationNotFound):
            found(reference)


def test_a_deleted_conversation_is_not_found_until_it_is_put_back(engine: Engine) -> None:
    play = start(engine, 1)
    conversations.delete(engine, play.place.conversation)

    with pytest.raises(ConversationNotFound):
        references.find_conversation(engine, "c1")
    assert conversations.list_conversations(engine) == ()

    conversations.delete(engine, play.place.conversation, deleted=False)
    assert [one.id for one in conversations.list_conversations(engine)] == ["c1"]


def test_a_branch_is_found_by_name_and_number(engine: Engine) -> None:
    play = start(engine, 3)
    branches.fork(engine, play.place, "2", name="The other way")
    branches.fork(engine, play.place, "2", name="twice")
    branches.fork(engine, play.place, "2", name="twice")

    def found(reference: str, *, removed: bool = False) -> int:
        conversation = play.place.conversation
        return references.find_branch(engine, conversation, reference, removed=removed).id

    assert (found("main"), found("The other way"), found(" 4 ")) == (1, 2, 4)
    with pytest.raises(AmbiguousReference):
        found("twice")
    for reference in ("nowhere", "0", "9", ""):
        with pytest.raises(BranchNotFound):
            found(reference)
    play.on(4).undo()
    assert found("twice") == 3
    with pytest.raises(BranchNotFound):
        found("4")
    assert found("4", removed=True) == 4
    assert references.find_place(engine, "Story", "2") == play.on(2).place
    assert references.find_place(engine, "Story") == Place(conversation=ConversationId("c1"))


def test_branches_have_free_names_and_can_be_renamed_and_switched(engine: Engine) -> None:
    play = start(engine, 3)
    branches.fork(engine, play.place, "1", name="branch 3")
    third = branches.fork(engine, play.place, "1", name="  ")
    assert (third.name, third.forked_at, third.parent, third.turns) == ("branch 4", 1, 1, 1)
    assert third.current

    assert branches.rename(engine, play.place, third.id, " side ").name == "side"
    assert branches.switch(engine, play.place, BranchId(1)).current
    with reading(engine, Place(conversation=play.place.conversation)) as at:
        assert at.branch.id == 1
    with pytest.raises(BranchNotFound):
        branches.switch(engine, play.place, BranchId(9))
    with pytest.raises(BranchNotFound):
        branches.rename(engine, play.place, BranchId(9), "name")


def test_settings_are_checked_and_fall_back_to_the_defaults(engine: Engine) -> None:
    play = start(engine, 1)
    conversation = play.place.conversation

    conversations.change_setting(engine, "context", "9000")
    assert conversations.show_settings(engine, conversation)["context"] == "9000"
    assert status.status(engine, play.place).context_source == "setting"
    conversations.change_setting(engine, "context", "8000", conversation)
    assert (play.prompt().context, play.prompt(700).context) == (8000, 700)
    assert play.prompt(700).context_source == "given"
    conversations.change_setting(engine, "context", "", conversation)
    conversations.change_setting(engine, "context", "")
    assert (play.prompt().context, play.prompt().context_source) == (32_768, "default")

    for wrong in ("511", "much", "-1"):
        with pytest.raises(InvalidSetting):
            conversations.change_setting(engine, "context", wrong, conversation)
    with pytest.raises(InvalidSetting):
        play.prompt(12)
    with pytest.raises(InvalidSetting):
        status.status(engine, play.place, context=12)
    with pytest.raises(UnknownSetting):
        conversations.change_setting(engine, "colour", "red")
    with pytest.raises(UnknownSetting):
        conversations.create(engine, "Title", {"colour": "red"})


def test_a_conversation_is_created_renamed_and_viewed(engine: Engine) -> None:
    created = conversations.create(engine, "  Title ", {"char": "Mira", "user": ""})
    assert (created.title, created.settings) == ("Title", {"char": "Mira"})

    assert conversations.rename(engine, created.id, " Other ").title == "Other"
    view = conversations.view(engine, created.id)
    assert (view.branch, view.branches, view.turns, view.tokens) == ("main", 1, 0, 0)
    assert view.created_at == "2026-01-01T00:00:00+00:00"


def test_a_prompt_whose_fixed_parts_do_not_fit_is_refused(engine: Engine) -> None:
    play = start(engine, 2, system=" ".join(["word"] * 600), context="600")

    error = refused(play, lambda one: one.prompt(), ContextTooSmall)

    assert isinstance(error, ContextTooSmall)
    assert (error.limit, error.largest) == (450, "the system text")
    assert str(error).startswith("Contextual limit not sufficient.")


def test_an_empty_conversation_has_an_empty_prompt_and_nothing_to_say(engine: Engine) -> None:
    play = start(engine)

    prompt = play.prompt()

    assert (prompt.messages, prompt.plan.tokens, prompt.plan.coverage.turns) == ((), 0, 0)
    assert prompting.acknowledge(engine, play.place) is None
    assert turns.list_turns(engine, play.place) == ()
    assert status.status(engine, play.place).boundary == 0
    assert play.recap(anyway=True, merge=True).made == ()


def test_turns_are_listed_between_any_two_places(engine: Engine) -> None:
    play = start(engine, 5)

    def orders(**bounds: int) -> list[int]:
        return [turn.order for turn in turns.list_turns(engine, play.place, **bounds)]

    assert orders() == [1, 2, 3, 4, 5]
    assert orders(first=2, last=3) == [2, 3]
    assert orders(first=-3, last=99) == [1, 2, 3, 4, 5]
    assert orders(first=4, last=2) == orders(first=9) == orders(last=0) == []


def test_names_come_from_the_settings_unless_they_are_given(engine: Engine) -> None:
    play = start(engine, char="Mira")
    turns.append(engine, play.place, "one", role=Role.ASSISTANT)
    turns.append(engine, play.place, "two", role=Role.USER)
    turns.append(engine, play.place, "three", role=Role.ASSISTANT, speaker="Tobin")
    turns.append(engine, play.place, "four", role=Role.SYSTEM)

    listed = turns.list_turns(engine, play.place)

    assert [turn.speaker_name for turn in listed] == ["Mira", "user", "Tobin", "system"]
    assert play.sent() == ["one", "two", "Tobin: three", "four"]


def test_the_template_in_force_is_the_conversations_then_the_accounts(engine: Engine) -> None:
    play = start(engine, 4, system="Be brief.")
    conversation = play.place.conversation
    play.make(2)

    engine.store.set_template("account:default", "master", "Account: {{ summaries }}")
    assert play.prompt().messages[0].content == "Account: sum(t1,t2)"
    engine.store.set_template(f"conversation:{conversation}", "master", "Own: {{ summaries }}")
    assert play.prompt().messages[0].content == "Own: sum(t1,t2)"

    scopes = {one.name: one.scope for one in templates.list_templates(engine, conversation)}
    assert scopes[TemplateName.MASTER] is TemplateScope.CONVERSATION
    assert set(scopes) == set(TemplateName)
    engine.store.set_template(f"conversation:{conversation}", "master", None)
    (master, *_) = templates.list_templates(engine)
    assert (master.scope, master.text) == (TemplateScope.ACCOUNT, "Account: {{ summaries }}")


def test_an_earlier_summary_of_the_same_words_is_offered_and_can_be_taken(engine: Engine) -> None:
    play = start(engine, 4)
    play.make(2)
    summaries.edit(engine, play.place, SummaryId(1), "by hand")
    play.delete_summary(2)

    made = asyncio.run(summaries.make(engine, play.place, "2"))
    assert (made.summary.id, made.reused, made.offered) == (3, False, 2)

    play.undo()
    again = asyncio.run(summaries.make(engine, play.place, "2", reuse=True))
    assert (again.reused, again.summary.text) == (True, "sum(t1,t2)")
    assert play.problems() == ()
    play.undo()
    assert play.cover() == "1 2 3 4"


def test_a_summary_that_is_in_use_is_not_taken_from_its_place(engine: Engine) -> None:
    play = start(engine).say("a", "b", "a", "b")
    play.make(2)

    made = asyncio.run(summaries.make(engine, play.place, "4", reuse=True))

    assert (made.reused, made.offered) == (False, None)
    assert play.cover() == "S1[1 2] S2[3 4]"
    assert play.problems() == ()
