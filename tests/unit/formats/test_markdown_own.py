"""Foreword's own Markdown: what is written reads as the same turns, and strangers see it well."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.strategies import bundles

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest
from foreword.domain.ids import BranchId, Pos, SpeakerId, TurnId, VersionId
from foreword.domain.interchange import BranchState, Bundle, Chat, ChatTurn
from foreword.domain.turn import (
    Alternative,
    Content,
    Entry,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Version,
)
from foreword.errors import FileUnreadable
from foreword.formats.markdown_export import MarkdownWriter
from foreword.formats.markdown_marks import quoted, unquoted
from foreword.formats.registry import FORMATS, read_file, write_file
from foreword.formats.snapshot import turns_of
from foreword.ports.format import SourceFile

MAIN = BranchId(1)
MARK = '<!-- foreword {"role":'
LINES = [
    "#",
    "# Night",
    "***",
    "---",
    "===",
    "- a",
    "> b",
    "```",
    "````",
    "~~~",
    "    code",
    "<!--",
    "-->",
    "<!-- foreword {} -->",
    '<!-- foreword {"role":"user"} -->',
    '<!-- foreword {"markdown":1} -->',
    "<!-- \\foreword {} -->",
    "**Odile** · hidden",
    "<pre>",
    "<![CDATA[",
    "<?",
    "<div>",
    "&#13;",
    "&amp;#13;",
    "&amp;amp;#13;",
    "",
    " ",
    "\t",
    "\r",
    "a  ",
    "\\",
    "\N{LINE SEPARATOR}",
    "\x0c\x1c\x85",
    "\N{ZERO WIDTH NO-BREAK SPACE}",
    "Ночь 夜",
]


def hostile_texts() -> st.SearchStrategy[str]:
    """Texts made of what means something in Markdown or in Foreword's marks."""
    signs = st.text(st.sampled_from("#-*>`<!~\\&;\r\n |_=[]()\"'ab1é夜"), max_size=12)
    pieces = st.one_of(st.sampled_from(LINES), signs)
    return st.lists(st.tuples(pieces, st.sampled_from(["", "\n", "\r\n", "\r", "\n\n"]))).map(
        lambda found: "".join(piece + end for piece, end in found)
    )


def version(number: int, role: Role, speaker: str, parts: tuple[Part, ...]) -> Version:
    content = Content(
        role=role, speaker=SpeakerId(speaker), parts=parts, sent_at="2026-11-30T12:05"
    )
    return Version(
        id=VersionId(number),
        turn_id=TurnId(number),
        alt_no=1,
        content=content,
        tokens=8,
        digest=content_digest(content),
    )


def bundle(*versions: Version, title: str = "Night ferry", hidden: tuple[int, ...] = ()) -> Bundle:
    """A conversation of one branch; the last turn is pinned."""
    entries = tuple(
        Entry(
            pos=Pos(one.id * 1024),
            turn_id=one.turn_id,
            version_id=one.id,
            role=one.content.role,
            speaker=one.content.speaker,
            tokens=one.tokens,
            digest=one.digest,
            hidden=one.id in hidden,
        )
        for one in versions
    )
    state = BranchState(
        branch=Branch(id=MAIN, name="main"),
        entries=entries,
        pins=tuple(one.turn_id for one in versions[-1:]),
        alternatives=tuple(
            Alternative(turn_id=one.turn_id, alt_no=1, version_id=one.id) for one in versions
        ),
    )
    return Bundle(
        title=title,
        settings={"char": "Bram", "user": "Odile"},
        source="",
        created_at="2026-11-30T12:00:00+00:00",
        current_branch=MAIN,
        speakers={one.content.speaker: str(one.content.speaker) for one in versions},
        versions=versions,
        summaries=(),
        branches=(state,),
    )


def story(*texts: str, title: str = "Night ferry", hidden: tuple[int, ...] = ()) -> Bundle:
    told = [
        version(
            number,
            (Role.ASSISTANT, Role.USER)[number % 2],
            ("Bram", "Odile")[number % 2],
            (TextPart(text=text),),
        )
        for number, text in enumerate(texts, start=1)
    ]
    return bundle(*told, title=title, hidden=hidden)


def document(of: Bundle) -> str:
    return MarkdownWriter().write(of, MAIN).data.decode()


def read(text: str | bytes) -> Chat:
    data = text if isinstance(text, bytes) else text.encode()
    found = read_file(SourceFile(path="x.md", data=data))
    assert isinstance(found, Chat)
    return found


def carried(turn: ChatTurn) -> ChatTurn:
    """Return a turn as the document has it: the shown text without what nobody reads."""
    shown = replace(turn.texts[turn.chosen], reasoning="", extra="")
    return replace(turn, texts=(shown,), chosen=0)


def texts_of(chat: Chat) -> list[str]:
    return [
        part.text
        for turn in chat.turns
        for part in turn.texts[0].parts
        if isinstance(part, TextPart)
    ]


# --- out and in again -----------------------------------------------------------------------------


def test_a_document_is_what_a_reader_expects() -> None:
    assert document(story("Late?", "# Chapter 1\n\nLate.", "Oh.", hidden=(2,))) == (
        '<!-- foreword {"markdown":1,"title":"Night ferry","char":"Bram","user":"Odile"} -->\n\n'
        "# Night ferry\n\n"
        "**Odile** · 2026-11-30 12:05 "
        '<!-- foreword {"role":"user","speaker":"Odile","sent_at":"2026-11-30T12:05"} -->\n\n'
        "Late?\n\n"
        "**Bram** · 2026-11-30 12:05 · hidden "
        '<!-- foreword {"role":"assistant","speaker":"Bram","sent_at":"2026-11-30T12:05",'
        '"hidden":true} -->\n\n'
        "# Chapter 1\n\nLate.\n\n"
        "**Odile** · 2026-11-30 12:05 · pinned "
        '<!-- foreword {"role":"user","speaker":"Odile","sent_at":"2026-11-30T12:05",'
        '"pinned":true} -->\n\n'
        "Oh.\n"
    )


@given(st.lists(hostile_texts(), min_size=1, max_size=5), st.data())
@example(["", "\n", "\n\n", " \n ", "\r\n"], None)
@example(["a\r\nb\r\n", "```\r\na", "a\r\n\r", "\r\n\n", "\r\n"], None)
@example(["```\na", "<!-- a", "- ```\n  b", "<pre>\n\nc", "\n```\n\n"], None)
def test_any_text_comes_back_as_it_was(texts: list[str], data: st.DataObject | None) -> None:
    hidden = data.draw(st.sets(st.integers(1, len(texts)))) if data else ()
    written = story(*texts, hidden=tuple(hidden))
    found = read(document(written))
    assert found.turns == tuple(map(carried, turns_of(written, MAIN)))
    assert (found.title, found.char, found.user) == ("Night ferry", "Bram", "Odile")


@settings(max_examples=15)  # whole bundles take long to draw
@given(bundles())
def test_any_branch_comes_back_with_its_parts_and_flags(written: Bundle) -> None:
    for state in written.branches:
        if state.entries:
            data = write_file("markdown", written, state.branch.id).data
            turns = turns_of(written, state.branch.id)
            assert read(data).turns == tuple(map(carried, turns))


@given(st.lists(hostile_texts(), min_size=1, max_size=4))
def test_an_editor_that_changes_line_endings_changes_no_text(texts: list[str]) -> None:
    written = document(story(*texts))
    assert read(written.replace("\n", "\r\n")) == read(written)


@given(hostile_texts())
def test_quoting_is_undone(text: str) -> None:
    assert unquoted(quoted(text)) == text
    assert "\r" not in quoted(text)


@given(hostile_texts())
def test_a_title_and_a_speaker_of_any_signs_come_back(name: str) -> None:
    speaker = " ".join(name.split()) or "x"
    one = version(1, Role.USER, speaker, (TextPart(text="a"),))
    other = version(2, Role.ASSISTANT, "Bram", (TextPart(text="b"),))
    found = read(document(bundle(one, other, title=name)))
    assert [turn.speaker for turn in found.turns] == [speaker, "Bram"]
    assert found.title == (name.strip() or "x")


def test_tools_and_media_come_back_and_are_shown() -> None:
    parts: tuple[Part, ...] = (
        ToolCallPart(call_id="c1", name="look", arguments='{"at": "```"}'),
        TextPart(text="between"),
        ToolResultPart(call_id="c1", text="a\r\nb"),
        MediaPart(media_type="image/png", reference="a b>.png"),
        MediaPart(media_type="text/plain", reference="data:" + "x" * 3000),
    )
    written = bundle(version(1, Role.TOOL, "Tool", parts))
    assert read(document(written)).turns == tuple(map(carried, turns_of(written, MAIN)))
    assert "````\n" in document(written)
    assert "![image/png](<a b%3E.png>)" in document(written)
    assert "*text/plain*" in document(written)


# --- what a stranger's viewer shows ---------------------------------------------------------------


@given(st.lists(hostile_texts(), min_size=1, max_size=4))
def test_no_text_swallows_the_turn_behind_it(texts: list[str]) -> None:
    shown = MarkdownIt("commonmark").parse(document(story(*texts, "end")))
    leads = [
        token.content
        for token in shown
        if token.type == "inline" and token.level == 1 and MARK in token.content
    ]
    assert len(leads) == len(texts) + 1
    assert shown[-2].content == "end"


def test_lines_that_end_as_on_windows_are_shown_as_lines() -> None:
    text = document(story("a\r\n\r\nb"))
    assert '"ends":"crlf"' in text
    assert "\n\na\n\nb\n" in text


def test_a_story_of_one_voice_is_prose_without_names() -> None:
    told = [version(n, Role.ASSISTANT, "Narrator", (TextPart(text=f"p{n}"),)) for n in (1, 2)]
    shown = MarkdownIt("commonmark").render(
        document(replace(bundle(*told), branches=(replace(bundle(*told).branches[0], pins=()),)))
    )
    lines = [line for line in shown.splitlines() if line and not line.startswith("<!--")]
    assert lines == ["<h1>Night ferry</h1>", "<p>p1</p>", "<p>p2</p>"]


def test_a_story_that_tells_its_title_has_it_once() -> None:
    assert document(story("# Night ferry\n\nLate.")).count("# Night ferry") == 1


def test_a_system_turn_says_so() -> None:
    said = bundle(version(1, Role.SYSTEM, "System", (TextPart(text="Be kind."),)))
    assert "**System** · 2026-11-30 12:05 · system · pinned <" in document(said)


# --- what people change ---------------------------------------------------------------------------


def test_a_changed_title_a_changed_text_and_a_new_beginning_are_taken() -> None:
    text = document(story("Late?", "Late."))
    text = text.replace("# Night ferry\n", "# Day \\*ferry\\*\n\nBy me.\n").replace("Late.", "No.")
    found = read(f"For you.\n\n{text}")
    assert found.title == "Day *ferry*"
    assert texts_of(found) == ["For you.", "By me.", "Late?", "No."]


def test_a_broken_mark_costs_its_fields_and_is_named() -> None:
    text = document(story("Late?", "Late.")).replace('{"role":"user"', '{"role":user')
    found = read(text)
    assert [(turn.speaker, turn.role) for turn in found.turns] == [
        ("Odile", Role.ASSISTANT),
        ("Bram", Role.ASSISTANT),
    ]
    assert [loss.where for loss in found.losses] == ["line 5"]


def test_fields_of_wrong_types_are_passed_over() -> None:
    head = '<!-- foreword {"markdown":1,"title":7,"char":[]} -->\n\n'
    found = read(head + '<!-- foreword {"role":"king","speaker":1,"hidden":"x"} -->\n\na\n')
    assert (found.title, found.char, found.user) == ("x", "Narrator", "")
    assert [(turn.speaker, turn.role, turn.hidden) for turn in found.turns] == [
        ("Narrator", Role.ASSISTANT, False)
    ]
    assert (
        texts_of(read(head + '<!-- foreword {"part":"tool_result","call_id":"1"} -->\n\na')) == []
    )


def test_a_later_format_is_refused() -> None:
    with pytest.raises(FileUnreadable, match=r"a later Foreword wrote it \(format 2\)"):
        read('<!-- foreword {"markdown":2} -->\n\na')


def test_a_document_without_turns_is_refused() -> None:
    with pytest.raises(FileUnreadable, match="holds no text"):
        read(document(replace(story(), title="x")))


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_document_in_another_encoding_reads_the_same(codec: str) -> None:
    text = document(story("Ночь", "夜"))
    assert read(text.encode(codec)) == read(text)


def test_a_document_is_recognised_before_it_is_plain_text() -> None:
    file = SourceFile(path="x.txt", data=document(story("a", "b")).encode())
    assert next(known.name for known in FORMATS if known.recognises(file)) == "markdown"


# --- what is left out -----------------------------------------------------------------------------


def test_what_the_document_has_no_place_for_is_named() -> None:
    one = story("a", "b")
    content = replace(one.versions[0].content, reasoning="hm", extra='{"a":1}')
    first = replace(one.versions[0], content=content)
    other = Version(
        id=VersionId(3),
        turn_id=TurnId(1),
        alt_no=2,
        content=content,
        tokens=1,
        digest=first.digest,
    )
    state = one.branches[0]
    row = Alternative(turn_id=TurnId(1), alt_no=2, version_id=VersionId(3))
    rows = (*state.alternatives, row)
    fork = replace(state, branch=replace(state.branch, id=BranchId(2), name="other"))
    written = replace(
        one,
        versions=(first, one.versions[1], other),
        branches=(replace(state, alternatives=rows), fork),
        settings={"char": "Bram", "mode": "manual", "system": "x"},
        templates={"summary": "x"},
    )
    assert [loss.what for loss in MarkdownWriter().write(written, MAIN).losses] == [
        "1 other alternative",
        "the reasoning of 1 turn",
        "the fields of 1 turn in the file they came from",
        "1 other branch",
        "settings: mode, system",
        "templates: summary",
    ]
