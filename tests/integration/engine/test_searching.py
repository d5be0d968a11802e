"""A search answers with the turns that say most of what is looked for, hidden ones never."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from tests.integration.engine.play import Play, start

from foreword.domain.ids import ConversationId
from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart
from foreword.engine import importing
from foreword.engine.context import Engine, Place
from foreword.engine.searching import Hit, search
from foreword.planning import queries
from foreword.ports.store import Store
from foreword.storage.sql_store import SqlStore
from foreword.testing.engines import engine_on
from foreword.testing.reads import count_reads


def told(engine: Engine, *texts: str) -> Play:
    turns = tuple(
        ChatTurn(role=Role.USER, speaker="Ada", texts=(ChatText(parts=(TextPart(text=text),)),))
        for text in texts
    )
    made = importing.import_chat(engine, Chat(title="Story", turns=turns))
    return Play(engine, Place(conversation=ConversationId(made.conversation)))


def orders(play: Play, query: str, *, limit: int = 20, skip: int = 0) -> list[int]:
    return [hit.order for hit in search(play.engine, play.place, query, limit=limit, skip=skip)]


def test_a_whole_message_finds_the_turn_that_it_is_about(engine: Engine) -> None:
    play = told(
        engine,
        "Mira hid the brass key under the third stair of the mill.",
        "The rain did not stop, and she did not come back to the mill.",
        "He asked where the others went; nobody said a word of it.",
        "They talked about brass and about rain.",
    )
    message = (
        "So tell me now, where did Mira put that brass key of hers before she went away in May?"
    )
    assert orders(play, message)[0] == 1
    assert orders(play, message, limit=2, skip=1) == orders(play, message)[1:3]


def test_of_equal_turns_the_newest_comes_first(engine: Engine) -> None:
    play = told(engine, "a lamp", "a lamp", "no light", "a lamp")
    assert orders(play, "lamp") == [4, 2, 1]
    play.edit(1, "the lamp")
    assert orders(play, "lamp") == [4, 2, 1]


def test_a_hit_says_how_well_it_answers_and_with_which_words(engine: Engine) -> None:
    play = told(engine, "the KEY and lamp", "a brass lamp and more of it", "a café")
    (best, second) = search(play.engine, play.place, "Brass lamp, key!")
    assert best.score > second.score > 0
    assert {best.matched, second.matched} == {("lamp", "key"), ("brass", "lamp")}
    (only,) = search(play.engine, play.place, "CAFE nothing")
    assert (only.matched, only.speaker, only.role) == (("cafe",), "Ada", Role.USER)


@pytest.mark.parametrize("query", ["", "…", '""', "nowhere", '"the lamp" nothing', '"key the"'])
def test_what_stands_nowhere_is_not_found(engine: Engine, query: str) -> None:
    play = told(engine, "a lamp, the key")
    assert orders(play, query) == []


def test_an_empty_story_has_nothing_to_find(engine: Engine) -> None:
    assert orders(start(engine), "anything") == []


def test_hidden_and_replaced_texts_are_not_found_and_forks_find_their_own(engine: Engine) -> None:
    play = start(engine).say("lamp one", "lamp two", "lamp three")
    fork = play.fork(2).say("lamp four")
    play.hide(1)
    play.edit(2, "no light")
    assert orders(play, "lamp") == [3]
    assert orders(play, "two") == []
    assert orders(fork, "lamp") == [3, 2, 1]
    assert orders(fork, "three") == []


def test_a_short_branch_is_searched_though_others_have_the_words_more_often(
    engine: Engine,
) -> None:
    common = ["the lamp and so on"] * (queries.POSTINGS + 10)
    play = told(engine, "the lamp first", "the lamp second", *common)
    fork = play.fork(2)
    assert orders(fork, "the lamp") == [2, 1]
    assert orders(fork, '"the lamp"') == [2, 1]


@pytest.mark.parametrize(
    ("texts", "query", "found"),
    [
        (("あの白い猫は灯りの下にいた。", "黒い犬は外にいた。"), "白い猫はどこですか", 1),
        (("민준이는 등불을 들었다.", "비가 왔다."), "민준에게 등불이 있나", 1),
        (("Анна спрятала медный ключ.", "Шёл дождь."), "где медный КЛЮЧ Анны", 1),
        (("خبأت مريم المفتاح النحاسي.", "كان المطر."), "أين المِفْتَاح", 1),
        (("خبأت مريم المفتاح النحاسي.", "كان المطر."), "مريم المفتاح", 1),
        (("แมวสีขาวอยู่ใต้ตะเกียง", "ฝนตก"), "แมวสีขาว", 1),
        (("Το κλειδί της Άννας.", "Βροχή."), "ΚΛΕΙΔΙ", 1),
        (("मीरा ने चाबी छिपाई।", "बारिश हुई।"), "चाबी कहाँ है", 1),
    ],
)
def test_words_of_other_scripts_are_found(
    engine: Engine, texts: tuple[str, ...], query: str, found: int
) -> None:
    play = told(engine, *texts, "A line in another language.")
    assert orders(play, query)[0] == found


def test_hits_come_best_first_however_many_are_wanted(engine: Engine) -> None:
    play = told(engine, *(f"lamp {'key ' * (number % 4)} {number}" for number in range(150)))
    hits: tuple[Hit, ...] = search(play.engine, play.place, "key lamp", limit=1_000)
    assert len(hits) == 150
    assert all(before.score >= after.score for before, after in pairwise(hits))
    assert len({hit.turn_id for hit in hits}) == 150
    ten = search(play.engine, play.place, "key lamp", limit=10)
    assert search(play.engine, play.place, "key lamp", limit=30)[:10] == ten


def test_a_search_reads_no_more_in_a_long_story_than_in_a_short_one(
    open_sqlite: Callable[[], Store],
) -> None:
    store = open_sqlite()
    assert isinstance(store, SqlStore)
    engine = engine_on(store)
    query = 'the lamp and a key on the "way home" 7 of nine with Mira'
    read = []
    for length in (400, 4_000):
        play = told(engine, *(f"The lamp and the key {n % 50} on the way" for n in range(length)))
        with count_reads(store) as reads:
            assert len(orders(play, query.replace('"', ""), limit=10)) == 10
        read.append((reads.statements, reads.rows))
    assert read[1][0] <= read[0][0] + 2
    assert max(rows for _, rows in read) <= 500
