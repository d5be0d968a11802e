"""Nothing that is hidden or was not chosen in the bundled story gets out anywhere."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from functools import cache
from importlib.resources import files

from tests.integration.engine.play import Play

from foreword.domain.turn import Role
from foreword.engine import importing, repairing, searching, turns
from foreword.engine.context import Engine, Place
from foreword.engine.exporting import export_bundle
from foreword.engine.summary_views import list_summaries
from foreword.errors import ContextTooSmall
from foreword.llm.builtin import BuiltinSummariser
from foreword.llm.tokens import ScriptEstimator
from foreword.ports.format import SourceFile
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.summarisers import RecordingSummariser

STORY = files("foreword.data") / "lantern_road"
CONTEXTS = (2048, 4096, 8192, 32_768, 200_000)


def decoys() -> list[str]:
    known = json.loads((STORY / "lantern-road.decoys.json").read_text("utf-8"))
    return [one["text"] for one in known]


def engine_for(store: Store) -> Engine:
    counter = ScriptEstimator()
    recorder = RecordingSummariser(BuiltinSummariser(counter))
    return engine_on(store, summariser=recorder, counter=counter)


def taken(engine: Engine, path: str, data: bytes) -> Play:
    found = importing.import_file(engine, SourceFile(path=path, data=data))
    return Play(engine, Place(conversation=found.conversation))


def told(store: Store) -> Play:
    data = (STORY / "lantern-road.jsonl").read_bytes()
    return taken(engine_for(store), "lantern-road.jsonl", data).set(context="8192")


@cache
def recapped() -> tuple[bytes, RecordingSummariser]:
    """Recap and merge the story once; return its bundle and what the summariser read."""
    play = told(MemoryStore())
    play.recap()
    for _ in range(4):
        oldest = [view.id for view in play.summaries() if view.layer == 0][:3]
        play.merge(oldest[0], oldest[2])
    play.merge(*(view.id for view in play.summaries()[:2]))
    return export_bundle(play.engine, play.place.conversation), recorder_of(play)


def recorder_of(play: Play) -> RecordingSummariser:
    assert isinstance(play.engine.summariser, RecordingSummariser)
    return play.engine.summariser


def leaks(play: Play, secrets: list[str]) -> set[str]:
    """Return those of the secrets that can be seen anywhere."""
    seen: list[str] = []
    for context in CONTEXTS:
        with suppress(ContextTooSmall):
            seen += [message.content for message in play.prompt(context).messages]
    for view in list_summaries(play.engine, play.place, all_states=True):
        seen += [view.text, view.reasoning]
    for secret in secrets:
        hits = searching.search(play.engine, play.place, secret)
        seen += [hit.snippet for hit in hits]
    return {secret for secret in secrets if any(secret in text for text in seen)}


def asked(recorder: RecordingSummariser, secrets: list[str]) -> set[str]:
    """Return those of the secrets that a summariser has read."""
    prompts = [request.prompt for request in recorder.requests]
    return {secret for secret in secrets if any(secret in prompt for prompt in prompts)}


def test_no_decoy_is_in_a_prompt_or_a_search_of_the_story(store: Store) -> None:
    assert len(decoys()) == 18
    assert leaks(told(store), decoys()) == set()


def test_no_decoy_is_in_a_summary_a_request_or_a_prompt_after_recaps_and_merges(
    store: Store,
) -> None:
    bundle, recorder = recapped()
    play = taken(engine_for(store), "story.foreword", bundle)

    assert len(recorder.requests) > 20
    assert max(view.layer for view in play.summaries()) == 2
    assert leaks(play, decoys()) == set()
    assert asked(recorder, decoys()) == set()


def test_decoys_come_out_when_they_are_asked_for(store: Store) -> None:
    play = told(store)
    listed = turns.list_turns(play.engine, play.place)

    play.unhide(*(turn.order for turn in listed if turn.entry.hidden))

    assert "Count of Varrow" in leaks(play, decoys())


def test_turns_hidden_after_the_recaps_get_out_nowhere_any_more(store: Store) -> None:
    bundle, _ = recapped()
    play = taken(engine_for(store), "story.foreword", bundle)
    listed = turns.list_turns(play.engine, play.place)
    chosen = [turn for turn in listed[4:200:30] if turn.content.role is Role.ASSISTANT]
    others = " ".join(turn.content.text for turn in listed if turn not in chosen)
    secrets = [_words_only_here(turn.content.text, others) for turn in chosen]
    assert all(searching.search(play.engine, play.place, f'"{one}"') for one in secrets)

    play.hide(*(turn.order for turn in chosen))
    made = asyncio.run(repairing.repair(play.engine, play.place))
    play.recap()

    prompts = [one.content for size in (16_384, 200_000) for one in play.prompt(size).messages]
    texts = [*prompts, *(view.text for view in play.summaries())]
    assert len(made) >= 3
    assert [one for one in secrets if any(one in text for text in texts)] == []
    assert [one for one in secrets if searching.search(play.engine, play.place, f'"{one}"')] == []
    assert asked(recorder_of(play), secrets) == set()
    assert play.problems() == ()


def _words_only_here(text: str, others: str) -> str:
    """Return five neighbouring words of a text that stand nowhere else."""
    words = text.split()
    phrases = (" ".join(words[at : at + 5]) for at in range(len(words)))
    return next(phrase for phrase in phrases if phrase in text and phrase not in others)
