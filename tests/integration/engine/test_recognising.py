"""Which chats are one: a greeting and a name do not make them one, a story that went on does."""

from __future__ import annotations

import json
from collections.abc import Sequence

from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart
from foreword.engine import conversations
from foreword.engine.context import Engine
from foreword.engine.importing import Imported, import_chat, import_each
from foreword.engine.recognising import Taken
from foreword.ports.format import SourceFile

GREETING = "*Mira looks up from her charts as the rain drums on the harbour office.* You are late."


def chat(*texts: str, title: str = "Mira") -> Chat:
    """A chat without a header: a greeting of Mira's, then Jon and Mira in turns."""
    roles = (Role.ASSISTANT, Role.USER)
    return Chat(
        title=title,
        turns=tuple(
            ChatTurn(
                role=roles[at % 2],
                speaker=("Mira", "Jon")[at % 2],
                texts=(ChatText(parts=(TextPart(text=text),)),),
            )
            for at, text in enumerate(texts)
        ),
    )


def file(path: str, *texts: str, slug: str = "", main: str = "") -> SourceFile:
    """A SillyTavern chat, with a header where it has a slug."""
    metadata = {"integrity": slug, **({"main_chat": main} if main else {})}
    lines: list[object] = [{"chat_metadata": metadata}] if slug else []
    lines += [
        {"name": ("Mira", "Jon")[at % 2], "is_user": bool(at % 2), "mes": text}
        for at, text in enumerate(texts)
    ]
    return SourceFile(path=path, data="\n".join(map(json.dumps, lines)).encode())


def outcome(found: Imported) -> tuple[int, bool, bool]:
    return found.turns, found.created, found.forked


def folder(engine: Engine, *files: SourceFile) -> Sequence[tuple[int, bool, bool]]:
    """Import files as one folder, and return what became of each."""
    taken: Taken = {}
    return [outcome(one) for each in files for one in import_each(engine, each, taken)]


def test_chats_with_one_name_and_one_greeting_are_each_their_own(engine: Engine) -> None:
    import_chat(engine, chat(GREETING, "Hi.", "Sit down."))
    assert outcome(import_chat(engine, chat(GREETING, "Sorry.", "Are you?"))) == (3, True, False)
    assert outcome(import_chat(engine, chat(GREETING, "Hi.", "Well?"))) == (3, True, False)
    assert outcome(import_chat(engine, chat(GREETING))) == (1, True, False)


def test_a_greeting_that_was_imported_alone_is_not_every_chat_that_begins_with_it(
    engine: Engine,
) -> None:
    import_chat(engine, chat(GREETING))
    assert outcome(import_chat(engine, chat(GREETING))) == (0, False, False)
    assert outcome(import_chat(engine, chat(GREETING, "Hi.", "Sit."))) == (3, True, False)


def test_several_shared_turns_under_one_title_go_on_with_the_story(engine: Engine) -> None:
    import_chat(engine, chat(GREETING, "Hi.", "Sit down."))
    grown = chat(GREETING, "Hi.", "Sit down.", "Why?")
    assert outcome(import_chat(engine, grown)) == (1, False, False)


def test_one_long_message_that_nobody_types_twice_is_enough(engine: Engine) -> None:
    typed = "I had to walk around the whole bay, because the ferry man had lost his rope."
    import_chat(engine, chat(GREETING, typed))
    assert outcome(import_chat(engine, chat(GREETING, typed, "So?"))) == (1, False, False)


def test_of_two_stories_that_fit_the_one_that_shares_more_goes_on(engine: Engine) -> None:
    import_chat(engine, chat(GREETING, "Hi.", "Sit down.", "No."))
    other = import_chat(engine, chat(GREETING, "Hi.", "Sit up.", "Yes.", "Good."))
    import_chat(engine, chat(GREETING, "Hi.", "Stand.", "Why?", "Wait."))
    grown = import_chat(engine, chat(GREETING, "Hi.", "Sit up.", "Yes.", "Good.", "Thanks."))
    assert (grown.conversation, outcome(grown)) == (other.conversation, (1, False, False))


def test_files_of_one_folder_are_never_one_chat(engine: Engine) -> None:
    same = [GREETING, "Hi.", "Sit down."]
    files = (
        file("a/chat.jsonl", *same),
        file("b/chat.jsonl", *same),
        file("c/chat.jsonl", *same, "Why?", slug="one"),
        file("c/copy.jsonl", *same, "Oh.", slug="one"),
    )
    assert folder(engine, *files) == [(n, True, False) for n in (3, 3, 4, 4)]


def test_a_folder_that_comes_again_after_playing_on_adds_only_what_is_new(engine: Engine) -> None:
    first = (
        file("a/chat.jsonl", GREETING, "Hi.", "Sit down."),
        file("b/chat.jsonl", GREETING, "Hi.", "Go."),
        file("c/chat.jsonl", GREETING),
        file("c/two.jsonl", GREETING, slug="two"),
    )
    folder(engine, *first)
    assert folder(engine, *first) == [(0, False, False)] * 4

    grown = (
        first[0],
        file("b/chat.jsonl", GREETING, "Hi.", "Go.", "No.", "Yes."),
        first[2],
        file("c/two.jsonl", GREETING, "Hello.", slug="two"),
    )
    assert folder(engine, *grown) == [(n, False, False) for n in (0, 2, 0, 1)]
    assert len(conversations.list_conversations(engine)) == 4


def test_a_branch_file_joins_its_parent_of_the_same_folder_as_a_fork(engine: Engine) -> None:
    parent = file("Main.jsonl", GREETING, "Hi.", "Sit down.", slug="one")
    branch = file("Main - Branch #1.jsonl", GREETING, "No.", slug="two", main="Main")
    copied = file("Main - Branch #2.jsonl", GREETING, "Yes.", slug="one", main="Main")
    files = (parent, branch, copied)
    assert folder(engine, *files) == [(3, True, False), (1, False, True), (1, False, True)]
    assert folder(engine, *files) == [(0, False, False)] * 3
    assert len(conversations.list_conversations(engine)) == 1
