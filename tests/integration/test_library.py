"""The Python door: what programs call, on a database of their own."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integration.engine.stage import GOOD, STORY

import foreword
from foreword import errors
from foreword.bootstrap import open_engine
from foreword.domain.calls import Delta, Restart
from foreword.library import Conversation, Memory
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel, FakeModels
from foreword.testing.summarisers import EchoSummariser


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    engine = open_engine(tmp_path, summariser=EchoSummariser())
    with Memory(engine) as opened:
        yield opened


@pytest.fixture
def story(memory: Memory) -> Conversation:
    made = memory.new("Story", context="1024", char="Mira", user="Ben")
    for number in range(1, 13):
        role = "user" if number % 2 else "assistant"
        made.append(f"turn {number} " + "tells of the lamp " * 15, role=role)
    return made


def test_every_public_name_is_there() -> None:
    assert [name for name in foreword.__all__ if not hasattr(foreword, name)] == []
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = foreword.nothing


def test_a_memory_is_opened_in_a_folder_and_finds_its_conversations_again(tmp_path: Path) -> None:
    with foreword.open(tmp_path / "stories") as memory:
        made = memory.new("Lamps")
        made.append("Hello.")
    with foreword.open(str(tmp_path / "stories")) as memory:
        assert [view.title for view in memory.conversations()] == ["Lamps"]
        found = memory.conversation("lam")
        assert found.id == made.id
        assert [turn.content.text for turn in found.turns()] == ["Hello."]
        assert memory.verify().ok


def test_a_file_that_is_not_there_is_named(memory: Memory) -> None:
    with pytest.raises(errors.FileUnreadable, match=r"nowhere\.jsonl"):
        memory.import_file("nowhere.jsonl")


def test_a_file_of_several_conversations_gives_them_all(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "talk.jsonl"
    records = [{"messages": [{"role": "user", "content": text}]} for text in ("One.", "Two.")]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")

    found = memory.import_all(path)

    assert [one.turns()[0].content.text for one in found] == ["One.", "Two."]
    assert memory.import_file(path).turns() == found[0].turns()


def test_a_conversation_travels_in_a_bundle(
    memory: Memory, story: Conversation, tmp_path: Path
) -> None:
    story.export(tmp_path / "story.json")
    copy = memory.import_file(tmp_path / "story.json")
    assert copy.id != story.id
    assert copy.turns() == story.turns()


def test_a_recap_shortens_the_prompt_and_undo_takes_it_back(story: Conversation) -> None:
    before = story.prompt()
    run = asyncio.run(story.recap(merge=True))
    assert run.made
    assert story.prompt().plan.coverage.covered > 0
    assert story.status().advice.recaps_tokens > 0
    story.undo()
    assert story.prompt() == before
    story.redo()
    assert len(story.summaries()) == len(run.made)


def test_summaries_are_made_merged_unwound_and_repaired_by_hand(story: Conversation) -> None:
    first = asyncio.run(story.summarise(2))
    second = asyncio.run(story.summarise("4"))
    meta = asyncio.run(story.merge(first.id, second.id))
    assert [view.id for view in story.summaries()] == [meta.id]
    assert {view.id for view in story.unwind(meta.id)} == {first.id, second.id}
    assert story.edit(1, "Other words.").stale == (first.id,)
    (repaired,) = asyncio.run(story.repair())
    assert repaired.stale == first.id
    assert len(story.summaries(all_states=True)) == 4


def test_a_program_reads_what_summaries_kept(memory: Memory) -> None:
    made = memory.new("Ferry")
    for text in STORY:
        made.append(text)
    asyncio.run(made.summarise(6))
    report = made.survival()
    (one,) = report.summaries
    assert (one.id, report.layers[0].had) == (1, one.survival.had)
    assert made.survival(summary=1) == report
    assert made.survival(layer=1, all_states=True).summaries == ()


def test_turns_are_hidden_pinned_chosen_deleted_and_found(story: Conversation) -> None:
    assert story.hide(3, 4).turns[0].entry.hidden
    assert not story.hide(3, hidden=False).turns[0].entry.hidden
    assert story.pin(2).turns[0].pinned
    assert not story.pin(2, pinned=False).turns[0].pinned
    assert story.choose(1, 1).turns[0].order == 1
    assert len(story.delete(11, following=True).turns) == 2
    assert [hit.order for hit in story.search("turn 5", limit=1)] == [5]
    assert [hit.order for hit in story.search('"turn 5"')] == [5]
    assert story.search("turn", skip=2) == story.search("turn")[2:]


def test_a_fork_goes_its_own_way(memory: Memory, story: Conversation) -> None:
    fork = story.fork(6, name="what if")
    fork.append("another way")
    assert [branch.name for branch in story.branches()] == ["main", "what if"]
    assert len(story.on_branch("main").turns()) == 12
    assert len(memory.conversation("Story").turns()) == 7
    story.switch(1)
    assert len(memory.conversation("Story").turns()) == 12


def test_settings_and_roles_that_do_not_fit_are_refused(story: Conversation) -> None:
    story.set("cadence", "More often, faster")
    with pytest.raises(errors.InvalidSetting):
        story.set("cadence", "never")
    with pytest.raises(errors.InvalidSetting, match="one of system, user, assistant, tool"):
        story.append("Hello.", role="narrator")


class Scripted:
    """A memory whose routes lead to a model with these answers; remembers what it heard."""

    def __init__(self, *answers: str) -> None:
        models = FakeModels(FakeModel(list(answers), chunk=10))
        self.memory = Memory(engine_on(MemoryStore(), models=models))
        self.story = self.memory.new("Ferry")
        for number, text in enumerate(STORY):
            self.story.append(text, role="assistant" if number % 2 else "user")
        self.memory.set_route("chat", url="http://localhost:1/v1", model="m-1", price_in=0.00001)
        self.heard: list[str] = []

    def listen(self, event: Delta | Restart) -> None:
        self.heard.append(event.text if isinstance(event, Delta) else event.reason)


def test_routes_are_set_listed_tested_and_removed() -> None:
    memory = Scripted("one, two").memory
    assert [view.inherited for view in memory.routes()] == [False, True, True, False]
    chat = memory.set_route("chat", context=8192, retries=None).route
    assert chat is not None
    assert (chat.context, chat.price_in, chat.retries) == (8192, 0.00001, 3)
    probe = asyncio.run(memory.test_route("chat"))
    assert (probe.problem, probe.answer) == (None, "one, two")
    assert memory.remove_route("chat").route is None
    with pytest.raises(errors.UnknownSetting):
        memory.set_route("chat", colour="red")


def test_a_model_writes_the_next_turn_and_what_it_took_is_added_up() -> None:
    scripted = Scripted("Mara runs to the water.")
    done = asyncio.run(scripted.story.write("And Mara?", listen=scripted.listen))
    assert done.said is not None
    assert [turn.content.text for turn in scripted.story.turns(7)] == [
        "And Mara?",
        "Mara runs to the water.",
    ]
    assert "".join(scripted.heard) == "Mara runs to the water."
    asyncio.run(scripted.story.write())
    assert scripted.memory.costs().table.chat.calls == 2
    assert scripted.memory.costs(scripted.story).table.memory.calls == 0


def test_a_model_is_heard_while_it_summarises_merges_recaps_and_repairs() -> None:
    scripted = Scripted(GOOD)
    story = scripted.story
    asyncio.run(story.summarise(6, listen=scripted.listen))
    assert "".join(scripted.heard) == GOOD
    story.edit(2, "Tobin says that the ferryman takes anybody who pays four coins.")
    with pytest.raises(errors.OutdatedSummaries):
        asyncio.run(story.write("And?"))
    scripted.heard.clear()
    (repaired,) = asyncio.run(story.repair(split=True, listen=scripted.listen))
    assert ("".join(scripted.heard), repaired.made.text) == (GOOD, GOOD)
    assert asyncio.run(story.write("And?", go_on=True)).reply.order == 8


def test_what_does_not_fit_is_split_and_merged_into_as_few_as_it_takes(memory: Memory) -> None:
    story = memory.new("Story", context="1024")
    for number in range(1, 9):
        story.append(f"turn {number} tells of the lamp")
    (first,) = asyncio.run(story.summarise(4, split=True))
    (second,) = asyncio.run(story.summarise(8, split=True))
    (meta,) = asyncio.run(story.merge(first.id, second.id, split=True))
    assert [view.id for view in story.summaries()] == [meta.id]


def test_templates_are_edited_unless_somebody_was_quicker(memory: Memory) -> None:
    story = memory.new("Story")
    base = memory.template("summary", story)
    edited = memory.edit_template(base, "Sum up: {{ text }}", story)
    assert (edited.changed, memory.template("summary", story)) == (True, edited.template)
    assert memory.template("summary") == base
    with pytest.raises(errors.StoreConflict):
        memory.edit_template(base, "Mine: {{ text }}", story)
    with pytest.raises(errors.TemplateInvalid) as refused:
        memory.edit_template("summary", "{{ txet }}", story)
    assert (refused.value.line, refused.value.column, refused.value.shown) == (1, 4, "{{ txet }}")
    again = memory.edit_template("summary", "For all: {{ text }}")
    assert (again.template, again.warnings) == (memory.template("summary"), ())
    assert memory.template("summary", story) == edited.template


def test_changes_of_a_conversation_are_told_until_there_are_none(
    memory: Memory, story: Conversation
) -> None:
    with story.changes(timeout=0.2) as changes, memory.new("Another").changes(timeout=0) as none:
        story.append("one more")
        first = next(changes)
        story.edit(1, "changed")
        assert list(changes) == [first + 1]
        assert list(none) == []
        changes.close()
        story.undo()
        assert list(changes) == []


def test_prompts_are_kept_when_asked_and_compared(story: Conversation) -> None:
    story.prompt()
    assert story.kept_prompts() == ()
    first = story.prompt(keep=True)
    story.edit(12, "other words")
    second = story.prompt(keep=True)
    newest, oldest = story.kept_prompts()
    assert story.kept_prompt(oldest.record.id).messages == first.messages
    assert story.kept_prompt(newest.record.id).messages == second.messages
    found = story.prompt_diff()
    assert (found.diff.turns_changed, found.before) == ((12,), oldest.record)
    assert story.prompt_diff(oldest.record.id).before is None
    with pytest.raises(errors.PromptNotFound):
        story.prompt_of_reply(12)
    assert story.forget_prompts() == 2


def test_the_prompt_of_a_reply_is_kept() -> None:
    scripted = Scripted("Mara runs to the water.")
    done = asyncio.run(scripted.story.write("And Mara?"))
    assert scripted.story.prompt_of_reply(done.reply.order).messages == done.prompt.messages


def test_a_conversation_is_duplicated(memory: Memory, story: Conversation) -> None:
    copy = story.duplicate()
    copy.edit(1, "other words")
    assert [view.title for view in memory.conversations()] == ["Story", "Story (copy)"]
    assert (story.turns()[1:], story.turns()[0].content.text[:7]) == (copy.turns()[1:], "turn 1 ")


def test_every_text_of_a_turn_can_be_read(story: Conversation) -> None:
    story.edit(2, "other words")
    old, new = story.revisions(2)
    assert story.revision(2, old.since) == old
    assert (new.version.content.text, new.until) == ("other words", None)
    with pytest.raises(errors.RevisionNotFound):
        story.revision(2, 1)
