"""The engine as users get it."""

from datetime import UTC
from pathlib import Path

from foreword.bootstrap import SIGNS, SystemClock, new_id, open_engine
from foreword.domain.ids import ConversationId
from foreword.engine import conversations
from foreword.testing.fixed_clock import FixedClock
from foreword.testing.memory_ledger import MemoryLedger
from foreword.testing.memory_store import MemoryStore
from foreword.testing.summarisers import EchoSummariser


def test_ids_are_short_lower_case_and_never_numbers() -> None:
    ids = [new_id() for _ in range(500)]
    assert len(set(ids)) == 500
    assert {len(one) for one in ids} == {10}
    assert set("".join(ids)) <= set(SIGNS)
    assert not any(one[0].isdigit() for one in ids)
    assert not {"0", "1", "i", "l", "o"} & set(SIGNS)


def test_an_engine_keeps_conversations_in_its_folder(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "home")
    made = conversations.create(engine, "Lamp")
    engine.store.close()
    again = open_engine(tmp_path / "home")
    found = conversations.list_conversations(again)
    again.store.close()
    assert [(one.id, one.title) for one in found] == [(made.id, "Lamp")]


def test_parts_can_be_given(tmp_path: Path) -> None:
    store, ledger = MemoryStore(), MemoryLedger()
    clock, summariser = FixedClock(), EchoSummariser()
    engine = open_engine(
        tmp_path / "home",
        store=store,
        ledger=ledger,
        jobs=store.jobs,
        clock=clock,
        summariser=summariser,
    )
    made = conversations.create(engine, "Lamp")
    assert engine.store is store
    assert engine.ledger is ledger
    assert engine.summariser is summariser
    assert made.created_at == "2026-01-01T00:00:00+00:00"
    assert conversations.view(engine, ConversationId(made.id)).title == "Lamp"
    assert not (tmp_path / "home").exists()


def test_the_clock_tells_utc() -> None:
    assert SystemClock().now().tzinfo is UTC
