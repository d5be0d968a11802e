"""Drafts are cleaned up before they are judged, by rules that were tried before they were saved."""

from __future__ import annotations

import pytest
from tests.integration.engine.stage import GOOD, STORY, stage

from foreword.engine import conversations
from foreword.errors import InvalidSetting
from foreword.ports.store import Store
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore
from foreword.testing.models import FakeModel


def test_rules_are_applied_inside_the_envelope_and_before_the_gates(store: Store) -> None:
    wrapped = f"<narrative>\n[OOC: done!] {GOOD}\n</narrative>"
    on = stage(store, FakeModel([wrapped]), cleanup=r"/\[OOC:[^\]]*\]\s*/g =>")
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [GOOD]
    assert on.outcomes() == ["summary used"]


def test_chinese_characters_are_taken_out_only_where_that_is_wanted(store: Store) -> None:
    mixed = GOOD.replace("Tobin came back", "然后 Tobin came back")
    on = stage(store, FakeModel([mixed]), strip_ideographs="on")
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [GOOD]
    assert on.outcomes() == ["summary used"]


def test_a_draft_is_left_as_it_is_where_nothing_is_set(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [GOOD]


def test_rules_that_could_not_be_saved_count_as_none(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    with on.engine.store.write(on.engine.account, on.play.place.conversation) as session:
        session.change_conversation(settings={"cleanup": "/(/ => broken"})
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [GOOD]


def test_rules_are_tried_on_the_newest_summary_before_they_are_saved(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    everything = "/Mara[\\s\\S]*Brennick\\./ =>"
    on.play.set(cleanup=everything.replace("Brennick", "Nowhere"))
    on.play.make(6)
    with pytest.raises(InvalidSetting, match="nothing is left"):
        on.play.set(cleanup=everything)
    assert STORY[0].startswith("Mara")


def test_hostile_rules_are_refused_wherever_settings_are_saved() -> None:
    engine = engine_on(MemoryStore())
    hostile = "/(a+)+$/g => b"
    with pytest.raises(InvalidSetting, match="too long on a sample"):
        conversations.change_setting(engine, "cleanup", hostile)
    with pytest.raises(InvalidSetting, match="too long on a sample"):
        conversations.create(engine, "Lamp", {"cleanup": hostile})
    conversations.change_setting(engine, "cleanup", "/a/g => b")
    assert conversations.change_setting(engine, "cleanup", "")["cleanup"] == ""
