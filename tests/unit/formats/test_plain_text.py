import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import texts

from foreword.domain.interchange import Chat
from foreword.domain.turn import Role, TextPart
from foreword.errors import FileUnreadable, FormatUnknown
from foreword.formats.plain_text import PlainTextFormat
from foreword.formats.prose import is_heading
from foreword.formats.registry import read_file
from foreword.ports.format import SourceFile

SENTENCE = "The ferry is late again and nobody knows why. "


def read(text: str | bytes) -> Chat:
    data = text if isinstance(text, bytes) else text.encode()
    found = read_file(SourceFile(path="stories/Night ferry.txt", data=data))
    assert isinstance(found, Chat)
    return found


def said(text: str | bytes) -> list[tuple[str, str]]:
    return [
        (turn.speaker, part.text)
        for turn in read(text).turns
        for part in turn.texts[0].parts
        if isinstance(part, TextPart)
    ]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


# --- transcripts ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Odile: Late?\nBram: Late.\nAgain.\nOdile: Eleven coins.",
        "Odile: Late?\r\n\r\nBram: Late.\r\nAgain.\r\n\r\nOdile: Eleven coins.\r\n",
        "Odile: Late?\rBram: Late.\rAgain.\rOdile: Eleven coins.",
        "**Odile:** Late?\n\n**Bram**: Late.\nAgain.\n\n*Odile:* Eleven coins.",
        "[19:05] Odile: Late?\n[19:06:11] Bram: Late.\nAgain.\n[2026-02-03] Odile: Eleven coins.",
        "### Odile:\nLate?\n\n### Bram:\nLate.\nAgain.\n\n### Odile:\nEleven coins.",
    ],
)
def test_a_transcript_becomes_turns_by_speaker(text: str) -> None:
    assert said(text) == [("Odile", "Late?"), ("Bram", "Late.\nAgain."), ("Odile", "Eleven coins.")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("小明:你好吗?\n小红:我很好。\n小明:那就好。", ["小明", "小红", "小明"]),
        ("Анна: Привет!\n\nБорис: Да?\n\nАнна: Нет.", ["Анна", "Борис", "Анна"]),
        (
            "the dragon: Rarr.\nKnight: No.\nthe dragon: Yes.",
            ["the dragon", "Knight", "the dragon"],
        ),
        ("Odile: Late?\nBram: Late.", ["Odile", "Bram"]),
    ],
)
def test_speakers_are_recognised_in_any_script(text: str, names: list[str]) -> None:
    assert [name for name, _ in said(text)] == names


def test_you_and_user_are_the_player_and_system_is_the_system() -> None:
    chat = read("System: Be kind.\n\nYou: Hello.\n\nBram: Late.\n\nYou: Again?\n\nBram: Again.")
    assert [turn.role for turn in chat.turns] == [
        Role.SYSTEM,
        Role.USER,
        Role.ASSISTANT,
        Role.USER,
        Role.ASSISTANT,
    ]
    assert (chat.title, chat.char, chat.user, chat.losses) == ("Night ferry", "Bram", "You", ())


def test_a_transcript_that_does_not_name_the_player_says_so() -> None:
    chat = read("Odile: Late?\nBram: Late.\nOdile: Again?")
    assert {turn.role for turn in chat.turns} == {Role.ASSISTANT}
    assert [loss.what for loss in chat.losses] == ["which speaker the player is"]


@pytest.mark.parametrize("label", ["Ann:", "**Ann:**", "**Ann**:", "*Ann:*", "__Ann__:", "# Ann:"])
@pytest.mark.parametrize("words", ["**So** be it.", "__So__ be it.", "*So* be it.", "* a rope"])
@pytest.mark.parametrize("gap", [" ", " " * 90, "\t"])
def test_marks_of_the_words_behind_a_label_stay(label: str, gap: str, words: str) -> None:
    assert said(f"{label}{gap}{words}\nBob: Hi.\n{label} Why?\nBob: Oh.")[0] == ("Ann", words)


def test_text_before_the_first_speaker_is_the_narrators() -> None:
    text = "Night.\n\nOdile: Late?\n\nBram: Late.\n\nOdile: Again."
    assert said(text)[0] == ("Narrator", "Night.")


def test_a_guest_who_speaks_once_is_a_speaker_and_a_note_is_not() -> None:
    text = "Odile: a\n\nBram: b\n\nOdile: c\n\nThe Old Man: d\n\nBram: e\n\nNote: f"
    assert said(text)[3:] == [("The Old Man", "d"), ("Bram", "e\n\nNote: f")]


@pytest.mark.parametrize(
    "text",
    [
        "Serves: 4\n\nTime: 20 minutes\n\nIngredients: eggs, flour\n\nMethod: mix\n\nNotes: good",
        'Title: The Ferry\nAuthor: Me\n\nIt was dark.\n\nShe said: "No."\n\nHe went home.',
        "http://a.example\nhttps://b.example\nhttp://a.example",
        "[Time 13:20 | Day 2]\nYou wake up.\n\nIt rains.",
        "12:30 the bell\n\n12:40 the other bell",
        "Odile: I spoke all the time.\n\nOdile: And nobody answered.",
    ],
)
def test_other_text_with_colons_is_prose(text: str) -> None:
    assert {name for name, _ in said(text)} == {"Narrator"}


# --- prose ---------------------------------------------------------------------------------------


def test_prose_becomes_turns_of_about_200_words_that_end_with_paragraphs() -> None:
    paragraph = (SENTENCE * 6).strip()
    found = said("\n\n".join([paragraph] * 12))
    assert [len(words(text)) for _, text in found] == [216, 216, 216]
    assert {name for name, _ in found} == {"Narrator"}


def test_a_chapter_begins_a_new_turn() -> None:
    text = "# Night\n\nOne.\n\nChapter 2\n\nTwo.\n\nTHE FERRY\n\nThree.\n\n第三章 夜\n\nFour."
    assert [text for _, text in said(text)] == [
        "# Night\n\nOne.",
        "Chapter 2\n\nTwo.",
        "THE FERRY\n\nThree.",
        "第三章 夜\n\nFour.",
    ]


@pytest.mark.parametrize(
    "text", ["IV.", "12", "**Prologue**", "Глава 3", "Kapitel Drei", "## x\ny"]
)
def test_headings_are_recognised(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize(
    "text",
    ["", "NO!", "Part of me knew.\nIt was so.", "It was dark.", "CHAPTER " + "x" * 80, "1 000"],
)
def test_sentences_are_no_headings(text: str) -> None:
    assert not is_heading(text)


@pytest.mark.parametrize("between", ["", "\n", "\r\n"])
def test_a_long_paragraph_is_divided_at_lines_or_sentences(between: str) -> None:
    found = said((SENTENCE + between) * 200)
    sizes = [len(words(text)) for _, text in found]
    assert sum(sizes) == 1800
    assert max(sizes) <= 250
    assert all(text.endswith("why.") for _, text in found)


def test_a_line_that_is_too_long_among_lines_is_divided_at_sentences() -> None:
    found = said("Short.\n" + SENTENCE * 100 + "\nEnd.")
    assert max(len(words(text)) for _, text in found) <= 250
    assert words(" ".join(text for _, text in found)) == words("Short. " + SENTENCE * 100 + "End.")


def test_text_without_spaces_is_divided_too() -> None:
    found = said("船还没来。" * 400)
    assert len(found) == 4
    assert "".join(text for _, text in found) == "船还没来。" * 400


@given(st.lists(texts(), min_size=1).map("\n\n".join))
def test_no_word_of_prose_is_lost(text: str) -> None:
    data = ("a b " + text).encode()
    found = PlainTextFormat().read(SourceFile(path="x", data=data))
    kept = " ".join(
        f"{turn.speaker} {part.text}"
        for turn in found.turns
        for part in turn.texts[0].parts
        if isinstance(part, TextPart)
    )
    assert set(words(data.decode())) <= set(words(kept))


# --- what is no text -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ['{"a": 1}', "{}", "[1, 2]", '[["a"]]', '{"cut', "<!DOCTYPE html><p>x", "<?xml ?>"],
)
def test_text_made_for_machines_is_not_read(text: str) -> None:
    with pytest.raises(FormatUnknown, match=r"Night ferry\.txt is in no format"):
        read(text)


def test_the_rest_of_a_file_of_json_is_not_read() -> None:
    rest = 'or", "mes": "x", "extra": {"a": 1, "b": [2]}, "name": "Ann", "id": 7}]}'
    with pytest.raises(FormatUnknown):
        read(rest)
    quoted = f"She typed this, and it did nothing at all:\n\n```\n{rest}\n```\n"
    assert said(quoted) == [("Narrator", quoted.strip())]


def test_a_binary_file_is_not_read() -> None:
    with pytest.raises(FormatUnknown):
        read(bytes(range(256)) * 4)


def test_text_that_begins_with_a_bracket_is_read() -> None:
    assert said("{laughs} No.") == [("Narrator", "{laughs} No.")]
    assert said("[laughs") == [("Narrator", "[laughs")]


def test_nul_characters_are_replaced_and_reported() -> None:
    chat = read("It was\0dark.")
    assert said("It was\0dark.") == [("Narrator", "It was\N{REPLACEMENT CHARACTER}dark.")]
    assert [loss.what for loss in chat.losses] == ["NUL characters"]


def test_a_text_of_nothing_but_spaces_is_refused() -> None:
    with pytest.raises(FileUnreadable, match="it holds no text"):
        PlainTextFormat().read(SourceFile(path="x", data="\N{EM SPACE}\n\n".encode()))
