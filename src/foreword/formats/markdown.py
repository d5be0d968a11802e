"""Markdown: what Foreword wrote, and stories and chats from anywhere.

Above: `registry`. Below: `markdown_own`, `markdown_chat`, `chapters`. Invariant: Foreword's own
comes back as it was; of others no line is lost but labels, which become speakers, and the title of
a chat.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from foreword.domain.interchange import Chat, ChatTurn, Loss
from foreword.domain.turn import Role
from foreword.errors import FileUnreadable
from foreword.formats.chapters import Block, Kind, parts_of
from foreword.formats.front_matter import FrontMatter, front_matter_of
from foreword.formats.json_lines import JsonObject, to_json
from foreword.formats.markdown_blocks import blocks_of
from foreword.formats.markdown_chat import told_by_labels
from foreword.formats.markdown_marks import unescaped
from foreword.formats.markdown_own import is_own, read_own
from foreword.formats.paths import title_of
from foreword.formats.plain_text import transcript_of
from foreword.formats.telling import (
    NARRATOR,
    is_for_people,
    most_frequent,
    silent_labels,
    text_of_file,
    text_turn,
    unknown_player,
)
from foreword.formats.transcript import speakers_of
from foreword.ports.format import SourceFile

_MAYBE_HEADING: Final = re.compile(
    r"^(?: {0,3}#{1,6}[ \t]+\S| {0,3}(?:=+|-+)[ \t]*$)", re.MULTILINE
)
_MAYBE_LABEL: Final = re.compile(r"^(?:\*\*|__)\S[^*_\n]{0,60}(?:\*\*|__)", re.MULTILINE)
_KNOWN_FIELDS: Final = {
    "title": ("title",),
    "author": ("author", "authors", "creator"),
    "language": ("language", "lang"),
    "date": ("date", "created", "published"),
}


class MarkdownFormat:
    """Reads Markdown as turns: a chat by its labels, a story by its chapters."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "markdown"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: text for people with front matter, headings or labels in bold."""
        text = text_of_file(file).text
        if is_own(text):
            return True
        if not is_for_people(file.data, text):
            return False
        front = front_matter_of(text)
        return bool(front.raw) or _has_headings(text) or len(_MAYBE_LABEL.findall(text)) > 1

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        found = text_of_file(file)
        own = is_own(found.text)
        chat = read_own(file.path, found.text) if own else _read(file.path, found.text)
        if not chat.turns:
            raise FileUnreadable(path=file.path, reason="it holds no text.")
        return replace(chat, losses=(*found.losses, *chat.losses))


def _read(path: str, text: str) -> Chat:
    front = front_matter_of(text)
    blocks = tuple(blocks_of(front.rest))
    heading = _title_heading(blocks)
    chat = _chat(front, blocks, heading)
    title = front.first("title") or unescaped(chat.title).strip() or title_of(path)
    losses = (*chat.losses, *_unused(front))
    return replace(chat, title=title, source=_source(front), losses=losses)


def _chat(front: FrontMatter, blocks: Sequence[Block], heading: Block | None) -> Chat:
    """Return the turns; a heading that became the title of a chat is not said by anybody."""
    text = front.rest
    title = heading.title if heading is not None else ""
    is_title = heading is not None and front.first("title") in {"", title}
    above = heading.text if heading is not None and is_title else ""
    told = told_by_labels(text, blocks)
    if told is not None:
        before = told.before.removeprefix(above).strip("\n")
        turns = (*_narrated([before] if before else []), *told.turns)
        user = most_frequent(turns, Role.USER)
        return Chat(
            title=title if heading is not None and told.before.startswith(heading.text) else "",
            turns=turns,
            char=most_frequent(told.turns, Role.ASSISTANT),
            user=user,
            losses=(*silent_labels(told.silent), *unknown_player(user)),
        )
    said = text.lstrip("\n").removeprefix(above)
    speakers = speakers_of(said)
    if speakers:
        return transcript_of(title, said, speakers)
    return Chat(title=title, turns=_narrated(parts_of(blocks)), char=NARRATOR)


def _title_heading(blocks: Sequence[Block]) -> Block | None:
    """Return the heading at the top when no other is as high: it names the whole."""
    top = [block for block in blocks if block.kind is Kind.HEADING and block.level == 1]
    return top[0] if len(top) == 1 and top[0] is blocks[0] else None


def _narrated(texts: Iterable[str]) -> tuple[ChatTurn, ...]:
    return tuple(text_turn(Role.ASSISTANT, NARRATOR, text) for text in texts)


def _has_headings(text: str) -> bool:
    """Say whether one of the lines that look like a heading is one, the first if in doubt."""
    found = _MAYBE_HEADING.search(text)
    if not found:
        return False
    upto = text[: found.end()]
    return any(block.level for block in blocks_of(upto)) or any(
        block.level for block in blocks_of(text)
    )


def _source(front: FrontMatter) -> str:
    value: JsonObject = {name: front.first(*keys) for name, keys in _KNOWN_FIELDS.items()}
    kept: JsonObject = {name: text for name, text in value.items() if text}
    if front.raw:
        kept["front_matter"] = front.raw
    return to_json({**kept, "foreword": {"format": "markdown"}})


def _unused(front: FrontMatter) -> tuple[Loss, ...]:
    known = {key for keys in _KNOWN_FIELDS.values() for key in keys}
    others = [key for key in front.fields if key not in known]
    why = "they are kept with the conversation and not used"
    loss = Loss(where="the front matter", what=", ".join(others), why=why)
    return (loss,) if others else ()
