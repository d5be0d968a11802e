"""Conversations that branch, taken in: every text stands somewhere, and a second time adds none."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from foreword.domain.ids import ConversationId
from foreword.engine.bundles import bundle_of
from foreword.engine.context import Engine
from foreword.engine.importing import Imported, import_each
from foreword.engine.verifying import verify
from foreword.ports.format import SourceFile
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore

ROOT = "00000000-0000-4000-8000-000000000000"


@st.composite
def conversations(draw: st.DrawFn) -> dict[str, Any]:
    """A conversation whose messages follow any of those before them; some read alike."""
    keys = [ROOT]
    messages: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 10))):
        sender = draw(st.sampled_from(["human", "assistant"]))
        message = {"uuid": f"n{number}", "sender": sender, "text": f"t{draw(st.integers(0, 6))}"}
        messages.append({**message, "parent_message_uuid": draw(st.sampled_from(keys))})
        keys.append(f"n{number}")
    return {"uuid": "c", "name": "Ferry", "chat_messages": messages}


def take(engine: Engine, conversation: dict[str, Any]) -> list[Imported]:
    data = json.dumps([conversation]).encode()
    return list(import_each(engine, SourceFile(path="c.json", data=data)))


def texts_of(engine: Engine, conversation: ConversationId) -> set[str]:
    """Return the texts that stand on a branch, or beside what is shown there."""
    bundle = bundle_of(engine, conversation)
    standing = {entry.version_id for state in bundle.branches for entry in state.entries}
    standing |= {row.version_id for state in bundle.branches for row in state.alternatives}
    return {version.content.text for version in bundle.versions if version.id in standing}


@settings(max_examples=40)
@given(conversations())
def test_every_text_of_a_tree_stands_somewhere_and_a_second_import_adds_none(
    conversation: dict[str, Any],
) -> None:
    engine = engine_on(MemoryStore())
    done = take(engine, conversation)
    ids = dict.fromkeys(one.conversation for one in done)

    found = [texts_of(engine, one) for one in ids]

    assert set().union(*found) == {one["text"] for one in conversation["chat_messages"]}
    assert [verify(engine, one).problems for one in ids] == [()] * len(ids)
    assert [one.turns for one in take(engine, conversation)] == [0] * len(done)
    assert [texts_of(engine, one) for one in ids] == found
