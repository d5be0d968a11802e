"""Whatever two stores are told, they tell the same; the one in memory is obviously right."""

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from tests.contract.databases import new_sql_store

from foreword.domain.digest import content_digest
from foreword.domain.ids import (
    DEFAULT_ACCOUNT,
    MAIN_BRANCH,
    POSITION_GAP,
    BranchId,
    ConversationId,
    Pos,
    Rev,
    SpeakerId,
    SummaryId,
    TurnId,
)
from foreword.domain.ops import OpKind
from foreword.domain.summary import CoverRow, CoverState, NewSummary, SourceTurn
from foreword.domain.turn import Alternative, Content, Entry, Role, TextPart
from foreword.ports.store import NewVersion, Store, WriteSession
from foreword.testing.memory_store import MemoryStore
from foreword.testing.store_view import view_of

CONVERSATION = ConversationId("c")
WORDS = ("apple", "bread", "candle")
NUMBERS = st.integers(0, 999)
OF_THE_BRANCH = (
    *("append", "append many", "append far apart", "insert"),
    *("cover", "uncover", "restore", "restore"),
)
OF_A_TURN = ("edit", "hide", "drop", "drop many", "rewrite", "pin", "unpin", "alternative")
ACTIONS = st.tuples(st.sampled_from((*OF_THE_BRANCH, *OF_A_TURN)), NUMBERS, NUMBERS)


class Aborted(Exception):
    """The block of a write session ends badly."""


def content(number: int) -> Content:
    text = f"{WORDS[number % 3]} {WORDS[number // 3 % 3]} {number}"
    return Content(role=Role.USER, speaker=SpeakerId("s"), parts=(TextPart(text=text),))


def write_version(session: WriteSession, turn: TurnId, number: int, alt_no: int = 1) -> Entry:
    new = NewVersion(
        turn_id=turn,
        alt_no=alt_no,
        content=content(number),
        tokens=number,
        digest=content_digest(content(number)),
    )
    (version,) = session.add_versions([new])
    return Entry(
        pos=Pos(1),
        turn_id=turn,
        version_id=version.id,
        role=Role.USER,
        speaker=SpeakerId("s"),
        tokens=number,
        digest=version.digest,
    )


class Script:
    """One op's actions, with the same choices for every store."""

    def __init__(self, session: WriteSession, branch: BranchId) -> None:
        self.session = session
        self.branch = branch

    def run(self, action: tuple[str, int, int]) -> None:
        name, number, other = action
        entries = list(self.session.between(self.branch, Pos(0), Pos(1 << 40)))
        chosen = entries[number % len(entries)] if entries else None
        match name:
            case "append":
                self.append([other])
            case "append many":
                self.append(list(range(number, number + 40)))
            case "append far apart":
                self.append(list(range(number, number + 9)), step=400 * POSITION_GAP)
            case "insert":
                self.insert(number, other)
            case "restore":
                self.restore(number)
            case "cover":
                self.cover(number, other)
            case "uncover":
                self.session.drop_cover([SummaryId(number % 5 + 1), SummaryId(other % 5 + 1)])
            case _:
                if chosen is not None:
                    self.change(name, chosen, other, entries)

    def append(self, numbers: list[int], step: int = POSITION_GAP) -> None:
        turns = self.session.new_turn_ids(len(numbers))
        tip = self.session.branch(self.branch).tip_pos
        self.session.put_entries(
            replace(
                write_version(self.session, turn, number),
                pos=Pos(tip + step * place),
                hidden=number % 5 == 0,
            )
            for place, (turn, number) in enumerate(zip(turns, numbers, strict=True), start=1)
        )

    def insert(self, number: int, other: int) -> None:
        """Put a new turn anywhere, also where one stood or stands."""
        tip = self.session.branch(self.branch).tip_pos
        pos = Pos(1 + number * max(1, tip // 999))
        (turn,) = self.session.new_turn_ids(1)
        self.session.put_entries([replace(write_version(self.session, turn, other), pos=pos)])

    def change(self, name: str, chosen: Entry, other: int, entries: list[Entry]) -> None:
        session = self.session
        match name:
            case "edit":
                edited = write_version(session, chosen.turn_id, other)
                session.put_entries([replace(edited, pos=chosen.pos, hidden=chosen.hidden)])
            case "hide":
                session.put_entries([replace(chosen, hidden=not chosen.hidden)])
            case "rewrite":
                session.put_entries([chosen])
            case "drop":
                session.drop_entries([chosen.pos, Pos(other)])
            case "drop many":
                session.drop_entries([entry.pos for entry in entries if entry.pos >= chosen.pos])
            case "pin":
                session.put_pins([chosen.turn_id])
            case "unpin":
                pinned = session.pins(self.branch)
                session.drop_pins([*(entry.turn_id for entry in pinned[:1]), chosen.turn_id])
            case _:
                alt_no = other % 3 + 1
                version = write_version(session, chosen.turn_id, other, alt_no).version_id
                session.put_alternatives(
                    [Alternative(turn_id=chosen.turn_id, alt_no=alt_no, version_id=version)]
                )

    def cover(self, number: int, other: int) -> None:
        summaries = [SummaryId(1 + (number + step) % 5) for step in range(other % 2 + 1)]
        while len(self.session.summaries([SummaryId(n) for n in range(1, 6)])) < max(summaries):
            self.session.add_summary(
                NewSummary(
                    layer=0,
                    depth=1,
                    text="so far",
                    tokens=2,
                    first_digest=b"f",
                    n_turns=1,
                    span_digest=b"s",
                    maker="test",
                    turns=(SourceTurn(turn_id=TurnId(1), digest=b"f"),),
                )
            )
        self.session.put_cover(
            CoverRow(
                summary_id=summary,
                state=list(CoverState)[other % 3],
                layer=number % 3,
                from_pos=Pos(number * 7),
                to_pos=Pos(number * 7 + other * 7),
                n_turns=number,
                src_tokens=other,
                tokens=2,
            )
            for summary in summaries
        )

    def restore(self, number: int) -> None:
        rev = Rev(number % self.session.conversation.rev + 1)
        keys = self.session.touched(self.branch, rev)
        self.session.restore(sorted(keys), rev)


class Stores(RuleBasedStateMachine):
    kind = "sqlite"

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.memory: Store = MemoryStore()
        self.database: Store = new_sql_store(self.kind, Path(self.folder.name))
        for store in (self.memory, self.database):
            store.create(DEFAULT_ACCOUNT, CONVERSATION, title="t", at="", settings={})

    def teardown(self) -> None:  # type: ignore[explicit-override]  # @override is in typing from 3.12
        self.database.close()
        self.folder.cleanup()

    def on_both(self, block: Any) -> None:
        for store in (self.memory, self.database):
            try:
                with store.write(DEFAULT_ACCOUNT, CONVERSATION) as session:
                    block(session)
            except Aborted:
                continue

    @rule(which=NUMBERS, actions=st.lists(ACTIONS, min_size=1, max_size=4), ops=st.integers(1, 2))
    def command(self, which: int, actions: list[tuple[str, int, int]], ops: int) -> None:
        self.on_both(lambda session: self.run(session, which, actions, ops))

    @rule(which=NUMBERS, actions=st.lists(ACTIONS, min_size=1, max_size=2))
    def aborted(self, which: int, actions: list[tuple[str, int, int]]) -> None:
        def block(session: WriteSession) -> None:
            session.add_branch("gone", parent=MAIN_BRANCH, fork_pos=Pos(POSITION_GAP))
            self.run(session, which, actions, 1)
            raise Aborted

        self.on_both(block)

    @rule(which=NUMBERS, where=NUMBERS, actions=st.lists(ACTIONS, max_size=2))
    def fork(self, which: int, where: int, actions: list[tuple[str, int, int]]) -> None:
        def block(session: WriteSession) -> None:
            branches = session.branches()
            if len(branches) > 5:
                return
            parent = branches[which % len(branches)]
            entries = list(session.newest(parent.id))
            fork_pos = entries[where % len(entries)].pos if entries else Pos(0)
            merged = where % 3 > 0
            fork = session.add_branch("fork", parent=parent.id, fork_pos=fork_pos, merged=merged)
            self.run(session, fork.id - 1, actions, 1)

        self.on_both(block)

    @rule(which=NUMBERS, name=st.sampled_from(["x", "y"]), removed=st.booleans())
    def rename(self, which: int, name: str, removed: bool) -> None:
        def block(session: WriteSession) -> None:
            branch = session.branches()[which % len(session.branches())]
            session.change_branch(branch.id, name=name, removed=removed)
            session.acknowledge(branch.id, session.conversation.rev)
            session.change_conversation(title=name, current_branch=branch.id)

        self.on_both(block)

    def run(
        self, session: WriteSession, which: int, actions: list[tuple[str, int, int]], ops: int
    ) -> None:
        branch = session.branches()[which % len(session.branches())].id
        for number in range(ops):
            session.begin(branch, OpKind.EDIT, actor=f"a{which % 2}", at=f"{number}")
            for action in actions:
                Script(session, branch).run(action)

    @invariant()
    def both_tell_the_same(self) -> None:
        with (
            self.memory.read(DEFAULT_ACCOUNT, CONVERSATION) as expected,
            self.database.read(DEFAULT_ACCOUNT, CONVERSATION) as told,
        ):
            assert view_of(told, WORDS) == view_of(expected, WORDS)
            for branch in expected.branches():
                for lo, hi in ((Pos(0), Pos(3000)), (Pos(2000), Pos(2000)), (Pos(1), Pos(90000))):
                    assert told.cover_rows(branch.id, lo, hi) == expected.cover_rows(
                        branch.id, lo, hi
                    )
                    assert list(told.between(branch.id, lo, hi)) == list(
                        expected.between(branch.id, lo, hi)
                    )
                    assert list(told.newest(branch.id, before=hi, after=lo)) == list(
                        expected.newest(branch.id, before=hi, after=lo)
                    )


TestStoresAgree = pytest.mark.slow(pytest.mark.timeout(600)(Stores.TestCase))
TestStoresAgree.settings = settings(
    stateful_step_count=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is not a wrong store
)


class PostgresStores(Stores):
    kind = "postgres"


TestPostgresStoresAgree = pytest.mark.postgres(
    pytest.mark.slow(pytest.mark.timeout(600)(PostgresStores.TestCase))
)
TestPostgresStoresAgree.settings = settings(TestStoresAgree.settings, max_examples=5)
