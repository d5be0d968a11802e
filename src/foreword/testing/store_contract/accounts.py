"""Conversations of accounts: apart from each other, all or nothing, with settings and names."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from foreword.domain.conversation import Conversation
from foreword.domain.ids import DEFAULT_ACCOUNT, MAIN_BRANCH, AccountId, ConversationId, Rev
from foreword.errors import ConversationNotFound, StoreConflict
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import (
    AT,
    Teller,
    cover_row,
    refused,
    speaker,
    summary_of,
)
from foreword.testing.store_view import view_of

OTHER = AccountId("other")


class Failed(Exception):
    """What a block of a write session raises."""


def test_a_conversation_is_found_as_it_was_made(store: Store) -> None:
    made = store.create(
        DEFAULT_ACCOUNT, ConversationId("c"), title="Öra", at=AT, settings={"mode": "manual"}
    )
    assert made == Conversation(
        id=ConversationId("c"),
        account=DEFAULT_ACCOUNT,
        title="Öra",
        rev=Rev(0),
        current_branch=MAIN_BRANCH,
        created_at=AT,
        settings={"mode": "manual"},
    )
    assert store.conversations(DEFAULT_ACCOUNT) == (made,)
    with store.read(DEFAULT_ACCOUNT, made.id) as session:
        assert session.conversation == made


def test_an_id_is_given_to_one_conversation_only(store: Store) -> None:
    first = Teller(store)
    for account in (DEFAULT_ACCOUNT, OTHER):
        with refused(StoreConflict):
            store.create(account, first.id, title="again", at=AT, settings={})
    assert [one.title for one in store.conversations(DEFAULT_ACCOUNT)] == ["A story"]


def test_conversations_of_another_account_are_not_there(store: Store) -> None:
    mine, theirs = Teller(store), Teller(store, "theirs", OTHER)
    assert [one.id for one in store.conversations(OTHER)] == [theirs.id]
    for account, conversation in ((OTHER, mine.id), (DEFAULT_ACCOUNT, ConversationId("no"))):
        with refused(ConversationNotFound), store.read(account, conversation):
            pass
        with refused(ConversationNotFound), store.write(account, conversation):
            pass


def test_conversations_count_their_ids_apart(store: Store) -> None:
    first, second = Teller(store, "first"), Teller(store, "second")
    first.say("apple")
    told = second.say("bread")
    assert (first.texts(), second.texts()) == (["apple"], ["bread"])
    assert (told[0].turn_id, told[0].version_id) == (1, 1)
    assert (first.found("bread"), second.found("bread")) == ([], [1])


def test_conversations_are_listed_oldest_first_without_deleted_ones(store: Store) -> None:
    tellers = [Teller(store, name) for name in ("b", "a", "c")]
    with store.write(tellers[1].account, tellers[1].id) as session:
        session.change_conversation(deleted=True)
    assert [one.id for one in store.conversations(DEFAULT_ACCOUNT)] == ["b", "c"]
    with tellers[1].reading() as session:
        assert session.conversation.deleted
    with store.write(tellers[1].account, tellers[1].id) as session:
        session.change_conversation(deleted=False)
    assert [one.id for one in store.conversations(DEFAULT_ACCOUNT)] == ["b", "a", "c"]


def test_conversations_are_found_by_title_and_origin(store: Store) -> None:
    for name, title, origin in (("a", "Ferry", "1"), ("b", "Ferry", ""), ("c", "Bell", "1")):
        Teller(store, name)
        with store.write(DEFAULT_ACCOUNT, ConversationId(name)) as session:
            session.change_conversation(title=title, origin=origin)

    def found(**fields: str) -> list[str]:
        return [one.id for one in store.conversations(DEFAULT_ACCOUNT, **fields)]

    assert (found(title="Ferry"), found(origin="1")) == (["a", "b"], ["a", "c"])
    assert (found(title="Ferry", origin=""), found(title="ferry")) == (["b"], [])


def test_a_conversation_made_as_deleted_is_not_listed_until_it_is_filled(store: Store) -> None:
    made = store.create(
        DEFAULT_ACCOUNT, ConversationId("c"), title="t", at=AT, settings={}, deleted=True
    )
    assert (made.deleted, store.conversations(DEFAULT_ACCOUNT)) == (True, ())
    with store.write(DEFAULT_ACCOUNT, made.id) as session:
        session.change_conversation(deleted=False)
    assert [one.id for one in store.conversations(DEFAULT_ACCOUNT)] == ["c"]


def test_a_conversation_changes_only_in_what_is_given(store: Store) -> None:
    teller = Teller(store)
    fork = teller.fork(0)
    with store.write(teller.account, teller.id) as session:
        session.change_conversation(title="Other", settings={"a": "1", "b": "2"}, source="{}")
    with store.write(teller.account, teller.id) as session:
        session.change_conversation(current_branch=fork.id, settings={"b": "3"})
        shown, source = session.conversation, session.source()
    assert (shown.title, source, shown.current_branch) == ("Other", "{}", fork.id)
    assert shown.settings == {"b": "3"}
    assert store.conversations(DEFAULT_ACCOUNT) == (shown,)


def test_a_block_that_raises_leaves_everything_as_it_was(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("apple", "bread")
    teller.fork(one.pos)
    with teller.reading() as session:
        before = view_of(session, ["apple", "candle"])
    with refused(Failed), teller.op() as session:
        summary = session.add_summary(summary_of())
        session.put_cover([cover_row(summary.id, one.pos, two.pos)])
        session.put_pins([one.turn_id])
        session.drop_entries([one.pos])
        session.add_branch("gone", parent=MAIN_BRANCH, fork_pos=two.pos)
        session.change_conversation(title="gone")
        session.change_branch(MAIN_BRANCH, name="gone")
        session.new_turn_ids(5)
        session.ensure_speakers({speaker("Gone"): "Gone"})
        _fail()
    with teller.reading() as session:
        assert view_of(session, ["apple", "candle"]) == before
        assert session.speaker_names([speaker("Gone")]) == {}
    assert [entry.turn_id for entry in teller.say("candle")] == [3]


def test_a_reader_sees_one_moment(store: Store) -> None:
    teller = Teller(store)
    teller.say("one")
    with teller.reading() as session:
        before = view_of(session)
        teller.say("two")
        assert view_of(session) == before
    assert teller.texts() == ["one", "two"]


def test_writers_in_several_threads_wait_for_each_other(store: Store) -> None:
    teller = Teller(store)
    names = ("a", "b", "c")

    def say(name: str) -> None:
        for number in range(10):
            teller.say(f"{name}{number}")

    with ThreadPoolExecutor(len(names)) as threads:
        for done in [threads.submit(say, name) for name in names]:
            done.result()
    texts = teller.texts()
    assert sorted(texts) == sorted(f"{name}{number}" for name in names for number in range(10))
    for name in names:
        said = [text for text in texts if text.startswith(name)]
        assert said == [f"{name}{number}" for number in range(10)]


def test_a_writer_sees_what_it_wrote(store: Store) -> None:
    teller = Teller(store)
    one, two = teller.say("one", "two")
    with teller.op() as session:
        session.drop_entries([one.pos])
        assert list(session.newest(MAIN_BRANCH)) == [two]
        assert session.branch(MAIN_BRANCH).visible_turns == 1
        assert session.branches() == (session.branch(MAIN_BRANCH),)
        assert session.conversation.rev == 2
        assert next(session.ops()).rev == 2


def test_speakers_keep_the_name_they_were_first_given(store: Store) -> None:
    teller, other = Teller(store), Teller(store, "other", OTHER)
    ada, bob = speaker("Ada"), speaker("Bob")
    with teller.op() as session:
        session.ensure_speakers({ada: "Ada"})
        session.ensure_speakers({ada: "Countess", bob: "Bob"})
        session.ensure_speakers({})
    with teller.reading() as session:
        assert session.speaker_names([ada, bob, speaker("Cy")]) == {ada: "Ada", bob: "Bob"}
        assert session.speaker_names([]) == {}
    with other.reading() as session:
        assert session.speaker_names([ada]) == {}


def test_defaults_belong_to_an_account(store: Store) -> None:
    store.set_default(DEFAULT_ACCOUNT, "mode", "manual")
    store.set_default(DEFAULT_ACCOUNT, "context", "4096")
    store.set_default(DEFAULT_ACCOUNT, "mode", "advised")
    store.set_default(OTHER, "mode", "agent")
    store.set_default(DEFAULT_ACCOUNT, "context", None)
    store.set_default(DEFAULT_ACCOUNT, "never", None)
    assert store.defaults(DEFAULT_ACCOUNT) == {"mode": "advised"}
    assert store.defaults(OTHER) == {"mode": "agent"}


def test_templates_belong_to_a_scope(store: Store) -> None:
    store.set_template("account:default", "summary", "first")
    store.set_template("account:default", "summary", "Sum up {{ text }} – é")
    store.set_template("conversation:c", "summary", "gone")
    store.set_template("conversation:c", "summary", None)
    assert store.template("account:default", "summary") == "Sum up {{ text }} – é"
    assert store.template("conversation:c", "summary") is None
    assert store.template("account:default", "meta") is None


def test_a_template_is_swapped_only_for_what_was_read(store: Store) -> None:
    scope = "account:default"
    with refused(StoreConflict):
        store.swap_template(scope, "meta", "first", before="none")
    store.swap_template(scope, "meta", "first", before=None)
    for before in (None, "second"):
        with refused(StoreConflict):
            store.swap_template(scope, "meta", "lost", before=before)
    assert store.template(scope, "meta") == "first"
    store.swap_template(scope, "meta", "second\x00", before="first")
    assert store.template(scope, "meta") == "second\ufffd"


def _fail() -> None:
    raise Failed


def test_a_session_sees_the_defaults_and_templates_of_its_account(store: Store) -> None:
    teller, other = Teller(store), Teller(store, "other", OTHER)
    store.set_default(DEFAULT_ACCOUNT, "mode", "manual")
    store.set_template("account:default", "summary", "Sum up {{ text }}")
    with teller.reading() as session:
        assert session.defaults() == {"mode": "manual"}
        assert session.template("account:default", "summary") == "Sum up {{ text }}"
        assert session.template("account:default", "meta") is None
    with other.reading() as session:
        assert session.defaults() == {}


def test_a_conversation_keeps_the_header_of_its_file_and_what_names_it(store: Store) -> None:
    teller = Teller(store)
    with store.write(teller.account, teller.id) as session:
        assert (session.source(), session.conversation.origin) == ("", "")
        session.change_conversation(source='{"a": 1}', origin="slug")
        session.change_conversation(title="Other")
    with teller.reading() as session:
        assert (session.source(), session.conversation.origin) == ('{"a": 1}', "slug")
