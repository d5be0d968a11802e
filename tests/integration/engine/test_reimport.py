"""Importing again what was imported before: adds what is new, and never overwrites or doubles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.engine.play import Play

from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.ops import OpKind
from foreword.domain.turn import Role, TextPart
from foreword.engine import branches, conversations, history, importing, turns
from foreword.engine.context import Engine, Place
from foreword.engine.importing import Imported
from foreword.ports.format import SourceFile

FILES = Path(__file__).parents[2] / "data" / "sillytavern"


def turn(*texts: str, chosen: int = 0, role: Role = Role.ASSISTANT) -> ChatTurn:
    return ChatTurn(
        role=role,
        speaker="Mira" if role is Role.ASSISTANT else "Jon",
        texts=tuple(ChatText(parts=(TextPart(text=text),)) for text in texts),
        chosen=chosen,
    )


def chat(*told: ChatTurn | str, title: str = "Mira", slug: str = "one", main: str = "") -> Chat:
    metadata = {"integrity": slug, "main_chat": main}
    known = {name: value for name, value in metadata.items() if value}
    return Chat(
        title=title,
        turns=tuple(turn(one) if isinstance(one, str) else one for one in told),
        source=json.dumps({"chat_metadata": known}) if known else "",
    )


def take(engine: Engine, source: Chat) -> tuple[Imported, Play]:
    found = importing.import_chat(engine, source)
    return found, Play(engine, Place(conversation=found.conversation, branch=found.branch))


def outcome(found: Imported) -> tuple[int, bool, bool]:
    return found.turns, found.created, found.forked


def shown(play: Play) -> Sequence[str]:
    return [one.content.text for one in turns.list_turns(play.engine, play.place)]


def alternatives(play: Play, order: int) -> list[str]:
    return [one.content.text for one in turns.show_turn(play.engine, play.place, str(order))[1]]


def names(engine: Engine, play: Play) -> list[str]:
    return [one.name for one in branches.list_branches(engine, play.place)]


def test_the_same_chat_adds_nothing(engine: Engine) -> None:
    take(engine, chat("a", "b"))

    found, play = take(engine, chat("a", "b"))

    assert outcome(found) == (0, False, False)
    assert shown(play) == ["a", "b"]
    assert len(history.history(engine, play.place)) == 1


def test_a_grown_chat_adds_its_new_turns_and_one_undo_takes_them_off(engine: Engine) -> None:
    first, _ = take(engine, chat("a", "b"))

    found, play = take(engine, chat("a", "b", "c", "d"))

    assert outcome(found) == (2, False, False)
    assert found.conversation == first.conversation
    assert shown(play) == ["a", "b", "c", "d"]
    play.undo()
    assert shown(play) == ["a", "b"]
    assert play.problems() == ()


def test_a_shorter_chat_takes_nothing_away(engine: Engine) -> None:
    take(engine, chat("a", "b", "c"))

    found, play = take(engine, chat("a", "b"))

    assert outcome(found) == (0, False, False)
    assert shown(play) == ["a", "b", "c"]


def test_a_changed_old_message_makes_a_branch_and_overwrites_nothing(engine: Engine) -> None:
    _, main = take(engine, chat("a", "b", "c"))

    found, fork = take(engine, chat("a", "B", "c", "d"))

    assert outcome(found) == (3, False, True)
    assert shown(main) == ["a", "b", "c"]
    assert shown(fork) == ["a", "B", "c", "d"]
    assert branches.list_branches(engine, fork.place)[1].forked_at == 1

    again, _ = take(engine, chat("a", "B", "c", "d", "e"))
    assert (outcome(again), again.branch) == ((1, False, False), fork.place.branch)
    assert names(engine, fork) == ["main", "branch 2"]
    fork.undo()
    fork.undo()
    assert names(engine, main) == ["main"]
    assert main.problems() == ()


def test_what_was_edited_here_stays_and_the_file_becomes_a_branch(engine: Engine) -> None:
    _, main = take(engine, chat("a", "b", "c"))
    main.edit(2, "edited here")

    found, fork = take(engine, chat("a", "b", "c"))

    assert outcome(found) == (2, False, True)
    assert shown(main) == ["a", "edited here", "c"]
    assert shown(fork) == ["a", "b", "c"]
    assert outcome(take(engine, chat("a", "b", "c"))[0]) == (0, False, False)


def test_another_answer_to_the_last_turn_becomes_its_alternative(engine: Engine) -> None:
    take(engine, chat("a", "b"))

    found, play = take(engine, chat("a", turn("b", "b2", "b3", chosen=2)))

    assert outcome(found) == (0, False, False)
    assert shown(play) == ["a", "b3"]
    assert alternatives(play, 2) == ["b", "b2", "b3"]
    assert names(engine, play) == ["main"]
    assert history.history(engine, play.place)[0].kind is OpKind.IMPORT
    assert outcome(take(engine, chat("a", turn("b", "b2", "b3", chosen=2)))[0]) == (0, False, False)
    assert len(history.history(engine, play.place)) == 2

    play.undo()
    assert (shown(play), alternatives(play, 2)) == (["a", "b"], ["b"])
    assert play.problems() == ()


def test_a_chat_that_was_swiped_and_went_on_adds_both(engine: Engine) -> None:
    _, play = take(engine, chat("a", turn("b", "b2")))

    found, _ = take(engine, chat("a", turn("b", "b2", "b3", chosen=1), "c"))

    assert outcome(found) == (1, False, False)
    assert shown(play) == ["a", "b2", "c"]
    assert alternatives(play, 2) == ["b", "b2", "b3"]
    assert play.problems() == ()


def test_new_alternatives_that_are_not_shown_are_kept_too(engine: Engine) -> None:
    _, play = take(engine, chat("a", "b"))

    take(engine, chat("a", turn("b", "b2", chosen=0)))

    assert shown(play) == ["a", "b"]
    assert alternatives(play, 2) == ["b", "b2"]


def test_another_answer_makes_the_summary_over_it_stale(engine: Engine) -> None:
    _, play = take(engine, chat(turn("a", role=Role.USER), "b"))
    play.make(2)

    take(engine, chat(turn("a", role=Role.USER), turn("b", "b2", chosen=1)))

    assert play.states() == {1: "stale"}
    assert play.sent() == ["Jon: a", "Mira: b2"]
    assert play.problems() == ()


def test_an_old_turn_with_another_alternative_makes_a_branch(engine: Engine) -> None:
    _, main = take(engine, chat(turn("a", "a2"), "b"))

    found, fork = take(engine, chat(turn("a", "a2", chosen=1), "b"))

    assert (found.created, found.forked) == (True, False)
    assert found.conversation != main.place.conversation
    assert (shown(main), shown(fork)) == (["a", "b"], ["a2", "b"])

    _, main = take(engine, chat("x", turn("a", "a2"), "b"))
    found, fork = take(engine, chat("x", turn("a", "a2", chosen=1), "b"))
    assert outcome(found) == (2, False, True)
    assert (shown(main), shown(fork)) == (["x", "a", "b"], ["x", "a2", "b"])


def test_a_hidden_last_turn_stays_hidden_when_it_was_swiped(engine: Engine) -> None:
    _, play = take(engine, chat("a", "b"))
    play.hide(2)

    take(engine, chat("a", turn("b", "b2", chosen=1), "c"))

    assert play.cover() == "1 (2) 3"
    assert play.sent() == ["Mira: a", "Mira: c"]


def test_two_chats_of_one_title_are_two_conversations(engine: Engine) -> None:
    first, _ = take(engine, chat("a", "b", slug=""))

    second, _ = take(engine, chat("x", "y", "z", slug=""))

    assert second.created
    assert second.conversation != first.conversation
    assert outcome(take(engine, chat("x", "y", "z", "zz", slug=""))[0]) == (1, False, False)
    assert len(conversations.list_conversations(engine)) == 2


def test_two_chats_that_say_they_differ_are_two_conversations(engine: Engine) -> None:
    take(engine, chat("a", "b", slug="one"))

    assert take(engine, chat("a", "b", slug="two"))[0].created
    assert outcome(take(engine, chat("a", "b", "c", slug="two"))[0]) == (1, False, False)


def test_a_chat_is_known_by_its_slug_after_it_was_renamed(engine: Engine) -> None:
    first, _ = take(engine, chat("a", "b", slug="one"))
    conversations.rename(engine, first.conversation, "The long road")

    found, _ = take(engine, chat("a", "b", "c", slug="one"))

    assert (outcome(found), found.title) == ((1, False, False), "The long road")


@pytest.mark.parametrize("title", ["  Mira ", "", "\ud800"])
def test_a_chat_with_an_odd_title_is_known_again(engine: Engine, title: str) -> None:
    take(engine, chat("a", "b", title=title, slug=""))

    assert outcome(take(engine, chat("a", "b", title=title, slug=""))[0]) == (0, False, False)


def test_a_chat_that_two_take_in_at_once_is_one_conversation(engine: Engine) -> None:
    waiting = [chat("a", "b", "c")]

    def while_another_takes_it_in() -> str:
        for source in [waiting.pop() for _ in list(waiting)]:
            take(engine, source)
        return engine.new_id()

    found, play = take(replace(engine, new_id=while_another_takes_it_in), chat("a", "b", "c", "d"))

    assert outcome(found) == (1, False, False)
    assert shown(play) == ["a", "b", "c", "d"]
    assert len(conversations.list_conversations(engine)) == 1
    assert play.problems() == ()


def test_a_deleted_conversation_is_not_added_to(engine: Engine) -> None:
    first, _ = take(engine, chat("a"))
    conversations.delete(engine, first.conversation)

    assert take(engine, chat("a"))[0].created


def test_turns_deleted_here_come_back_only_at_the_end(engine: Engine) -> None:
    _, play = take(engine, chat("a", "b", "c"))
    play.delete(2, following=True)

    found, _ = take(engine, chat("a", "b", "c"))

    assert outcome(found) == (2, False, False)
    assert shown(play) == ["a", "b", "c"]


def test_a_branch_file_becomes_a_branch_of_the_chat_it_names(engine: Engine) -> None:
    _, main = take(engine, chat("a", "b", "c", title="Main", slug="one"))

    branch = chat("a", "b", "x", title="Main - Branch 1", slug="two", main="Main")
    found, fork = take(engine, branch)

    assert outcome(found) == (1, False, True)
    assert names(engine, main) == ["main", "Main - Branch 1"]
    assert (shown(main), shown(fork)) == (["a", "b", "c"], ["a", "b", "x"])
    grown = replace(branch, turns=(*branch.turns, turn("y")))
    assert outcome(take(engine, grown)[0]) == (1, False, False)


def test_a_branch_file_without_its_chat_is_a_conversation(engine: Engine) -> None:
    branch = chat("a", "b", "x", title="Main - Branch 1", slug="two", main="Main")
    assert take(engine, branch)[0].created

    take(engine, chat("a", "b", "c", title="Main", slug="one"))

    # It is known by its own slug already, which is surer than the name of another chat.
    assert outcome(take(engine, branch)[0]) == (0, False, False)


def test_sillytavern_files_of_a_chat_and_its_branch_are_one_conversation(engine: Engine) -> None:
    def file(name: str, title: str) -> SourceFile:
        return SourceFile(path=f"{title}.jsonl", data=(FILES / f"{name}.jsonl").read_bytes())

    parent = file("parent", "Tobin Ash - 2026-11-30@20h41m15s394ms")
    first = importing.import_file(engine, parent)
    second = importing.import_file(engine, file("branch", "Branch #1"))

    assert (first.created, second.created, second.forked) == (True, False, True)
    assert second.conversation == first.conversation
    assert importing.import_file(engine, parent).turns == 0
    assert len(conversations.list_conversations(engine)) == 1


def test_an_empty_chat_that_comes_again_makes_no_second_conversation(engine: Engine) -> None:
    first, _ = take(engine, chat(slug="a"))
    again, play = take(engine, chat(slug="a"))
    assert (outcome(first), outcome(again)) == ((0, True, False), (0, False, False))
    assert again.conversation == first.conversation
    grown, _ = take(engine, chat("Hello.", slug="a"))
    assert outcome(grown) == (1, False, False)
    assert shown(play) == ["Hello."]


def test_a_chat_whose_import_was_undone_comes_back_into_its_conversation(engine: Engine) -> None:
    _, play = take(engine, chat("Hello.", "Hi."))
    play.undo()
    assert shown(play) == []
    again, back = take(engine, chat("Hello.", "Hi."))
    assert (outcome(again), back.place.conversation) == ((2, False, False), play.place.conversation)
    assert shown(play) == ["Hello.", "Hi."]


def test_a_branch_that_an_import_makes_leaves_the_open_one_open(engine: Engine) -> None:
    _, play = take(engine, chat("Hello.", "Hi.", "So?"))
    play.edit(2, "Good day.")
    forked, branch = take(engine, chat("Hello.", "Hi.", "So?", "And?"))

    assert outcome(forked) == (3, False, True)
    assert shown(branch) == ["Hello.", "Hi.", "So?", "And?"]
    opened = Play(engine, Place(conversation=forked.conversation))
    assert shown(opened) == ["Hello.", "Good day.", "So?"]
    branch.undo()
    assert shown(opened) == ["Hello.", "Good day.", "So?"]
