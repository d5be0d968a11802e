"""Markdown from anywhere: stories by chapter, chats by what their exporters write."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.interchange import Chat, Loss
from foreword.domain.turn import Role, TextPart
from foreword.errors import FileUnreadable
from foreword.formats.chapters import Block, Kind, parts_of
from foreword.formats.front_matter import front_matter_of
from foreword.formats.markdown import MarkdownFormat
from foreword.formats.markdown_blocks import blocks_of
from foreword.formats.registry import FORMATS, read_file
from foreword.ports.format import SourceFile

SENTENCE = "The ferry is late again and nobody knows why. "
PARAGRAPH = (SENTENCE * 6).strip()
MESSAGES = [("Odile", "Late?"), ("Bram", "Late.\n\nAgain."), ("Odile", "Eleven coins.")]


def file(text: str) -> SourceFile:
    return SourceFile(path="stories/Night ferry.md", data=text.encode())


def read(text: str) -> Chat:
    found = read_file(file(text))
    assert isinstance(found, Chat)
    return found


def said(text: str) -> list[tuple[str, str]]:
    return [
        (turn.speaker, part.text)
        for turn in read(text).turns
        for part in turn.texts[0].parts
        if isinstance(part, TextPart)
    ]


def texts(text: str) -> list[str]:
    return [told for _, told in said(text)]


def first_owner(text: str) -> str:
    return next(known.name for known in FORMATS if known.recognises(file(text)))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


# --- whose file it is ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("# Night\n\nIt was dark.", "markdown"),
        ("It was dark.\n\nChapter 2\n---------\n\nThe end.", "markdown"),
        ("---\ntitle: Night\n---\nIt was dark.", "markdown"),
        ("**Odile:** Late?\n\n**Bram:** Late.\n\n**Odile:** Oh.", "markdown"),
        ("It was dark.\n\nShe *ran*.\n\n***\n\nChapter 2\n\nThe end.", "plain text"),
        ("Odile: Late?\nBram: Late.\nOdile: Oh.", "plain text"),
        ("```\n# not a heading\n```\n\nIt was dark.", "plain text"),
        ("He left.\n---\nShe stayed.", "plain text"),
        ("---\nOdile: Late?\nBram: Late.\n---\nOdile: Oh.", "plain text"),
        ("#hashtag\n\nIt was dark.", "plain text"),
        ('{"name": "A", "is_user": true, "mes": "# Night"}', "sillytavern"),
    ],
)
def test_a_file_is_markdown_only_by_its_content(text: str, owner: str) -> None:
    assert first_owner(text) == owner


@pytest.mark.parametrize("text", ["<!DOCTYPE html>\n# x", '{"a":\n# x', "<?xml ?>\n\n# x"])
def test_text_made_for_machines_is_not_read(text: str) -> None:
    assert not MarkdownFormat().recognises(file(text))


# --- stories -------------------------------------------------------------------------------------


def test_chapters_become_turns_that_keep_their_headings() -> None:
    text = (
        "# Night\n\n## One\n\nIt was dark.\n\nTwo\n---\n\nIt was late.\n\n### Three ###\nThe end."
    )
    assert said(text) == [
        ("Narrator", "# Night\n\n## One\n\nIt was dark."),
        ("Narrator", "Two\n---\n\nIt was late."),
        ("Narrator", "### Three ###\n\nThe end."),
    ]
    assert (read(text).title, read(text).char) == ("Night", "Narrator")


def test_a_title_stands_above_the_others_or_is_the_name_of_the_file() -> None:
    assert read("# *Day* \\*\n\nx\n\n## y\n\nz").title == "Day *"
    assert read("# One\n\nx\n\n# Two\n\ny").title == "Night ferry"
    assert read("By me.\n\n# One\n\ny").title == "Night ferry"


def test_a_long_chapter_is_cut_at_scene_breaks_and_paragraphs() -> None:
    text = "\n\n".join(
        ["## One", PARAGRAPH, PARAGRAPH, "* * *", *[PARAGRAPH] * 5, "## Two", "End."]
    )
    found = texts(text)
    assert found[0].endswith("* * *")
    assert found[0].startswith("## One")
    assert [len(words(one)) // 54 for one in found] == [2, 4, 1, 0]
    assert "\n\n".join(found) == text


def test_headings_in_code_are_no_chapters_and_code_is_not_cut() -> None:
    code = "```\n# one\n\n# two\n" + "word " * 500 + "\n```"
    assert texts(f"# A\n\nNo.\n\n{code}\n\n# B\n\nOh.") == ["# A\n\nNo.", code, "# B\n\nOh."]


def test_code_without_an_end_is_cut_all_the_same() -> None:
    found = texts("# A\n\n```\n" + (SENTENCE * 3 + "\n\n") * 300)
    assert max(len(words(one)) for one in found) < 600


def test_links_that_are_only_defined_stay_in_the_text() -> None:
    assert texts("[a]: /b\n\n# One\n\nx\n\n[c]: /d") == ["[a]: /b", "# One\n\nx\n\n[c]: /d"]


def test_front_matter_names_the_book_and_is_kept() -> None:
    text = (
        "---\ntitle: \"The 'Night' Ferry\"\nauthor:\n  - Odile Brandt\n  - 'Bram O''Neil'\n"
        "lang: en\ntags: [a, b]\n# remark\n---\n\n# One\n\nx"
    )
    chat = read(text)
    assert chat.title == "The 'Night' Ferry"
    assert texts(text) == ["# One\n\nx"]
    kept = json.loads(chat.source)
    assert (kept["author"], kept["language"]) == ("Odile Brandt, Bram O'Neil", "en")
    assert kept["foreword"] == {"format": "markdown"}
    assert [(loss.where, loss.what) for loss in chat.losses] == [("the front matter", "tags")]


@pytest.mark.parametrize(
    "text",
    [
        "---\n\nIt was dark.\n\n---\n\nx",
        "---\ntitle: x\n",
        "---\ntitle: x\n" + "a: b\n" * 300 + "---\n",
        "----\ntitle: x\n---\n",
        "---\nOdile: a\n---\n",
        "x\n---\ntitle: x\n---\n",
    ],
)
def test_other_lines_between_rules_are_a_part_of_the_story(text: str) -> None:
    assert front_matter_of(text).rest == text


def test_folded_values_and_lists_are_read() -> None:
    found = front_matter_of("---\ntitle: >-\n  Night\n  ferry\nauthor: ['A', \"B\"]\ndate:\n...\nx")
    assert found.fields == {"title": "Night, ferry", "author": "A, B", "date": ""}
    assert (found.rest, found.lines) == ("x", 7)
    assert found.first("date", "title") == "Night, ferry"


def test_a_file_of_front_matter_alone_is_refused() -> None:
    with pytest.raises(FileUnreadable, match="holds no text"):
        read("---\ntitle: x\n---\n\n")


@given(
    st.lists(
        st.sampled_from(
            [
                "# a",
                "b\n===",
                "***",
                "- c\n- d",
                "> e",
                "```\n# f\n",
                "g " * 90,
                "\n",
                "[h]: /i",
                "IV.",
            ]
        )
    )
)
def test_no_word_of_a_story_is_lost_or_told_twice(pieces: list[str]) -> None:
    text = "# Title\n\n" + "\n\n".join(pieces)
    assert words("\n".join(parts_of(blocks_of(text)))) == words(text)
    assert words(" ".join(texts(text))) == words(text)


def test_what_stands_in_no_paragraph_is_a_part_too() -> None:
    start = Block(kind=Kind.START, text="")
    row = Block(kind=Kind.PROSE, text="- b", tight=True)
    assert list(parts_of([start, Block(kind=Kind.PROSE, text="- a"), row, start])) == ["- a\n- b"]
    assert list(parts_of([start])) == []


@pytest.mark.parametrize(
    "text",
    [
        "# a" + " " * 100_000 + "b",
        "a" + " " * 100_000 + "b\n\n# c",
        "# a\n\n" + "> " * 20_000 + "b",
        "# a\n\n" + "- " * 20_000 + "b",
        "# " + "**a" * 30_000,
        "# a\n\n" + "> ```\n===\nb\n" * 1_000,
    ],
    ids=["heading", "line", "quotes", "lists", "bold", "lazy quotes"],
)
def test_lines_without_measure_are_read(text: str) -> None:
    assert words(" ".join(texts(text))) == words(text)


# --- chats ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("user", "model"),
    [
        ("## User", "## Assistant"),
        ("### You said:", "### ChatGPT said:"),
        ("##### You said:", "###### ChatGPT said:"),
        ("## Prompt:", "## Response:"),
        ("## 👤 User", "## 🤖 Claude 3.5 Sonnet"),
        ("## User (2024-05-01 10:22)", "## Assistant (2024-05-01 10:23)"),
        ("**Human:**", "**AI**"),
        ("__You__", "__Gemini__"),
        ("**You** · 2026-11-30 12:05 · hidden", "**GPT-4o** · 2026-11-30 12:06"),
        ("**Q:**", "**A:**"),
        ("_**User**_", "_**Agent (model claude-4)**_"),
        ("### **USER**", "### ***Assistant***"),
        ("# Du", "# KI said:"),
        ("User\n----", "Assistant\n---------"),
    ],
)
def test_labels_that_exporters_write_become_speakers(user: str, model: str) -> None:
    text = f"{user}\n\nLate?\n\n{model}\n\nLate.\n\n## Steps\n\n- wait\n\n{user}\n\nEleven coins."
    chat = read(text)
    assert texts(text) == ["Late?", "Late.\n\n## Steps\n\n- wait", "Eleven coins."]
    assert [turn.role for turn in chat.turns] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert {chat.turns[0].speaker, chat.turns[1].speaker} == {chat.user, chat.char}
    assert chat.losses == ()


def test_times_and_names_are_taken_from_labels() -> None:
    text = "**You** (2024-05-01 10:22)\n\nHi.\n\n**Claude** - May 1, 2024 10:23\n\nHello."
    assert [(turn.speaker, turn.texts[0].sent_at) for turn in read(text).turns] == [
        ("You", "2024-05-01 10:22"),
        ("Claude", "May 1, 2024 10:23"),
    ]


def test_a_title_above_a_chat_is_its_title_and_other_lines_are_told() -> None:
    text = (
        "# Night\n\nExported today.\n\n---\n\n## System\n\nBe kind.\n\n---\n\n## User\n\nHi.\n\n---"
    )
    text += "\n\n## Assistant\n\nHello."
    chat = read(text)
    assert chat.title == "Night"
    assert said(text) == [
        ("Narrator", "Exported today."),
        ("System", "Be kind."),
        ("User", "Hi."),
        ("Assistant", "Hello."),
    ]
    assert chat.turns[1].role is Role.SYSTEM


def test_a_title_that_is_not_the_front_matters_stays_in_the_text() -> None:
    head = "---\ntitle: Day\n---\n\n"
    assert texts(head + "# Night\n\n## User\n\nHi.\n\n## Assistant\n\nHello.")[0] == "# Night"
    assert texts(head + "# Day\n\n## User\n\nHi.\n\n## Assistant\n\nHello.")[0] == "Hi."


def test_names_in_bold_above_their_lines_are_speakers() -> None:
    text = "# Night\n\n" + "\n\n".join(
        f"**{name}**\n\n{line}" for name, line in [*MESSAGES, *MESSAGES]
    )
    assert said(text) == [*MESSAGES, *MESSAGES]
    assert [loss.what for loss in read(text).losses] == ["which speaker the player is"]


def test_names_in_bold_before_their_words_are_speakers() -> None:
    text = "# Night\n\n" + "\n\n".join(f"**{name}:** {line}" for name, line in MESSAGES)
    assert said(text) == MESSAGES
    assert read(text).title == "Night"


@pytest.mark.parametrize(
    "text",
    [
        "## Odile\n\na\n\n## Bram\n\nb\n\n## Odile\n\nc\n\n## Bram\n\nd",
        "# You\n\na\n\n# Me\n\nb",
        "# Night\n\nDark.\n\n**Paris**\n\na\n\n**Rome**\n\nb\n\n**Paris**\n\nc\n\n**Rome**\n\nd",
        "# Night\n\n**Note**\n\na\n\n**Odile** waited.\n\n**Note**\n\nb",
        "```\n## User\n```\n\n# x\n\n```\n## Assistant\n```",
    ],
)
def test_the_headings_of_a_book_are_no_speakers(text: str) -> None:
    assert {name for name, _ in said(text)} == {"Narrator"}
    assert words(" ".join(texts(text))) == words(text)


def test_labels_without_words_below_them_are_no_turns() -> None:
    assert texts("## User\n\n## Assistant\n\nHello.\n\n---\n\n## User\n\n---") == ["Hello."]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("## User\n\n## Assistant\n\nHello.\n\n---\n\n## User\n\n---", "2 labels (User)"),
        ("**Ann:** Hi.\n\n**Bob:**\n\n**Ann:** So?\n\n**Bob:** Yes.", "1 label (Bob)"),
    ],
)
def test_labels_without_words_below_them_are_reported(text: str, label: str) -> None:
    assert read(text).losses[0] == Loss(
        where="the whole file", what=label, why="nothing is said below"
    )


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["## User", "## Assistant", "**You**", "# Claude said:", "# x", ""]),
            st.sampled_from(["word", "two\n\nwords", "- a", "---", "```\n## User\n", "# User"]),
        )
    )
)
def test_no_line_below_a_label_is_lost(pieces: list[tuple[str, str]]) -> None:
    text = "# t\n\n" + "\n\n".join(f"{label}\n\n{line}" for label, line in pieces)
    kept = f"{read(text).title} " + " ".join(" ".join(pair) for pair in said(text))
    assert set(words(text)) - {"said", "User", "Assistant", "You", "Claude"} <= set(words(kept))
