"""Texts of every kind are kept, and searched where they are shown."""

# ruff: noqa: D103 - the name of a check says what it checks

from __future__ import annotations

from dataclasses import replace

from foreword.domain.digest import content_digest
from foreword.domain.ids import DEFAULT_ACCOUNT, MAIN_BRANCH, ConversationId, VersionId
from foreword.domain.ops import OpKind
from foreword.domain.terms import search_terms
from foreword.domain.turn import (
    Alternative,
    Content,
    MediaPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from foreword.ports.store import Store
from foreword.testing.store_contract.teller import (
    AT,
    Teller,
    content_of,
    speaker,
    summary_of,
    version_of,
)

TEXTS = (
    "",
    " leading and trailing \n\n",
    "Línea “quoted” — dash… \r\n tab\t",
    "日本語のテキスト",
    "👩‍👩‍👧 family, combining e\u0301, right-to-left \u202eabc",
    "\u2028 line separator, \ufeff mark, \x01 control, \uffff",
    'it\'s "quoted"; DROP TABLE turn; -- %s ? :name',
    "large: " + "x" * 2_000_000,
)


def test_texts_are_kept_as_they_are(store: Store) -> None:
    teller = Teller(store)
    teller.say(*TEXTS)
    assert teller.texts() == list(TEXTS)


def test_every_kind_of_part_is_kept(store: Store) -> None:
    teller = Teller(store)
    whole = Content(
        role=Role.ASSISTANT,
        speaker=speaker("Ada"),
        parts=(
            TextPart(text="I look it up."),
            ToolCallPart(call_id="1", name="look", arguments='{"at": "é"}'),
            ToolResultPart(call_id="1", text="a lantern"),
            MediaPart(media_type="image/png", reference="blob:1"),
            TextPart(text=""),
        ),
        reasoning="hm",
        sent_at="June 5, 2023 6:12pm",
        extra='{"gen_id": 7}',
    )
    contents = [
        whole,
        replace(whole, parts=(ToolResultPart(call_id="2", text="alone"),), role=Role.TOOL),
        replace(whole, parts=(), role=Role.SYSTEM),
        replace(whole, parts=(TextPart(text='["text", "not JSON"]'),)),
    ]
    with teller.op() as session:
        turns = session.new_turn_ids(len(contents))
        stored = session.add_versions(
            [version_of(turn, content) for turn, content in zip(turns, contents, strict=True)]
        )
        assert [version.content for version in stored] == contents
    with teller.reading() as session:
        found = session.versions([version.id for version in stored])
        assert [found[version.id] for version in stored] == list(stored)


def test_what_no_database_keeps_is_replaced_everywhere(store: Store) -> None:
    broken, kept = "a\ud83d b\x00", "a\ufffd b\ufffd"
    conversation = ConversationId("c")
    made = store.create(
        DEFAULT_ACCOUNT, conversation, title=broken, at=AT, settings={"system": broken}
    )
    assert (made.title, made.settings) == (kept, {"system": kept})
    store.set_default(DEFAULT_ACCOUNT, "system", broken)
    assert store.defaults(DEFAULT_ACCOUNT) == {"system": kept}
    store.set_template("account:default", "summary", broken)
    assert store.template("account:default", "summary") == kept
    with store.write(DEFAULT_ACCOUNT, conversation) as session:
        session.begin(MAIN_BRANCH, OpKind.EDIT, actor="user", at=AT)
        (turn,) = session.new_turn_ids(1)
        (version,) = session.add_versions([version_of(turn, content_of(broken))])
        session.ensure_speakers({speaker("Ada"): broken})
        session.change_branch(MAIN_BRANCH, name=broken)
        session.change_conversation(title=broken, source=broken)
        summary = session.add_summary(replace(summary_of(broken), reasoning=broken))
    assert version.content == content_of(kept)
    assert version.digest == content_digest(content_of(kept))
    with store.read(DEFAULT_ACCOUNT, conversation) as session:
        assert session.versions([version.id]) == {version.id: version}
        assert session.speaker_names([speaker("Ada")]) == {speaker("Ada"): kept}
        assert session.branch(MAIN_BRANCH).name == kept
        assert (session.conversation.title, session.source()) == (kept, kept)
        assert session.summaries([summary.id]) == {summary.id: summary}
    assert (summary.text, summary.reasoning) == (kept, kept)


def test_versions_are_found_by_all_of_some_terms_the_last_ones_first(store: Store) -> None:
    teller = Teller(store)
    teller.say("apple and bread", "Äpple", "bread only", "APPLE, bread.")
    with teller.reading() as session:
        assert session.versions_with([["apple", "bread"], ["apple"], ["bread"]], 2) == (
            (4, 1),
            (4, 2),
            (4, 3),
        )
        assert session.versions_with([["bread", "candle"], ["apple"]], 9) == ((), (4, 2, 1))
        assert session.versions_with([["apple"]], 0) == ((),)
        assert session.versions_with([], 9) == ()


def test_versions_with_a_term_are_counted_within_a_range_and_up_to_a_number(store: Store) -> None:
    teller = Teller(store)
    with teller.reading() as session:
        assert session.last_version() == 0
        assert session.count_terms(["a"], first=VersionId(1), last=VersionId(0), most=5) == {"a": 0}
    teller.say(*(f"apple {number}" for number in range(1, 31)), "bread apple apple")
    with teller.reading() as session:
        last = session.last_version()
        assert last == 31
        for first, highest, most, counts in (
            (VersionId(1), last, 100, (31, 1, 1)),
            (VersionId(1), VersionId(30), 7, (7, 0, 1)),
            (VersionId(8), VersionId(9), 7, (2, 0, 0)),
            (last, VersionId(1 << 31), 7, (1, 1, 0)),
        ):
            found = session.count_terms(
                ["apple", "bread", "7"], first=first, last=highest, most=most
            )
            assert tuple(found.items()) == tuple(zip(("apple", "bread", "7"), counts, strict=True))
        assert session.count_terms([], first=VersionId(1), last=last, most=5) == {}


def test_every_conversation_is_searched_by_itself(store: Store) -> None:
    first, second = Teller(store), Teller(store, "other")
    first.say("apple", "apple")
    second.say("apple bread")
    with first.reading() as one, second.reading() as other:
        for session, count in ((one, 2), (other, 1)):
            last = session.last_version()
            assert last == count
            assert session.versions_with([["apple"]], 9) == (tuple(range(count, 0, -1)),)
            assert session.count_terms(["apple"], first=VersionId(1), last=last, most=9) == {
                "apple": count
            }


def test_an_edited_turn_is_found_in_its_place_by_its_new_text(store: Store) -> None:
    teller = Teller(store)
    one, _ = teller.say("apple", "apple bread")
    teller.edit(one, "apple candle")
    assert teller.found("apple") == [1, 2]
    assert teller.found("candle") == [1]


def test_hidden_deleted_and_unchosen_texts_are_not_found(store: Store) -> None:
    teller = Teller(store)
    hidden, deleted, edited, kept = teller.say("apple h", "apple d", "apple e", "apple k")
    teller.hide(hidden)
    teller.drop(deleted)
    teller.edit(edited, "bread")
    with teller.op() as session:
        (swipe,) = session.add_versions(
            [version_of(kept.turn_id, content_of("apple bread candle"))]
        )
        session.put_alternatives([Alternative(turn_id=kept.turn_id, alt_no=2, version_id=swipe.id)])
    assert teller.found("apple") == [kept.turn_id]
    assert teller.found("candle") == []


def test_a_fork_is_searched_for_what_it_shows(store: Store) -> None:
    teller = Teller(store)
    one, two, three, _ = teller.say("apple 1", "apple 2", "apple 3", "apple 4")
    fork = teller.fork(three.pos)
    teller.edit(one, "bread", branch=fork.id)
    teller.drop(two, branch=fork.id)
    teller.drop(three)
    teller.say("apple 5", branch=fork.id)
    hidden = teller.hide(three, branch=fork.id)
    assert teller.found("apple", branch=fork.id) == [5]
    teller.hide(hidden, branch=fork.id, hidden=False)
    assert teller.found("apple", branch=fork.id) == [3, 5]
    assert teller.found("apple") == [1, 2, 4]


def test_of_many_versions_those_that_a_branch_shows_are_named(store: Store) -> None:
    teller = Teller(store)
    said = teller.say(*(f"apple {number}" for number in range(600)))
    fork = teller.fork(said[-1].pos)
    with teller.op(fork.id) as session:
        session.drop_entries([entry.pos for entry in said[10:]])
    with teller.reading() as session:
        everywhere = [entry.version_id for entry in said]
        assert session.shown(fork.id, everywhere) == tuple(said[:10])
        assert session.shown(MAIN_BRANCH, everywhere[::-1]) == tuple(said)
        assert session.shown(MAIN_BRANCH, [VersionId(10_000)]) == ()
        assert session.shown(MAIN_BRANCH, []) == ()


def test_no_term_is_an_operator_of_the_search(store: Store) -> None:
    teller = Teller(store)
    teller.say("apple OR bread", "apple NOT bread NEAR candle and", '日本 "quoted" a*b')
    assert teller.found("or") == [1]
    assert teller.found("not", "near", "and") == [2]
    assert teller.found("appl") == []
    assert teller.found(*search_terms("日本")) == [3]


def test_terms_of_any_length_are_found(store: Store) -> None:
    teller = Teller(store)
    long = "long" * 1_000
    teller.say(f"{long} {long}er", long, "long")
    assert teller.found(long) == [1, 2]
    assert teller.found(f"{long}er") == [1]


def test_parts_of_tools_are_found_too(store: Store) -> None:
    teller = Teller(store)
    (one,) = teller.say("plain")
    with teller.op() as session:
        content = replace(content_of(""), parts=(ToolResultPart(call_id="1", text="a lantern"),))
        (version,) = session.add_versions([version_of(one.turn_id, content)])
        session.put_entries([replace(one, version_id=version.id, digest=version.digest)])
    assert teller.found("lantern") == [one.turn_id]
