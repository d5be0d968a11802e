"""Markdown that Foreword wrote, read again: marks to turns.

Above: `markdown`. Below: `markdown_marks`. Invariant: what `MarkdownWriter` wrote gives equal
turns; what people changed in it is taken as they wrote it, and a broken mark costs its fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from foreword.domain.interchange import Chat, ChatText, ChatTurn, Loss
from foreword.domain.turn import MediaPart, Part, Role, TextPart, ToolCallPart, ToolResultPart
from foreword.errors import FileUnreadable
from foreword.formats.json_lines import JsonObject, to_json
from foreword.formats.markdown_marks import (
    CRLF,
    ENDS_KEY,
    HEAD_KEY,
    MARKDOWN_FORMAT,
    Mark,
    escaped,
    head_of,
    marks_in,
    text_at,
    unescaped,
    unquoted,
)
from foreword.formats.paths import title_of
from foreword.formats.telling import NARRATOR, most_frequent, text_turn

_BOLD: Final = re.compile(r"\*\*(.+?)\*\*(?: |$)")
_FENCE: Final = re.compile(r"`{3,}")


def is_own(text: str) -> bool:
    """Say whether Foreword wrote this Markdown."""
    return head_of(text) >= 0


def read_own(path: str, text: str) -> Chat:
    r"""Return the chat in a text that has a head and whose lines end in `\n`.

    Raises:
        FileUnreadable: a later Foreword wrote it.
    """
    start = head_of(text)
    before = text[:start].strip()
    head, *marks = marks_in(text[start:], text.count("\n", 0, start) + 1)
    fields = head.value or {}
    _check_version(path, fields)
    losses: list[Loss] = []
    title, rest = _title(text_at(fields, "title"), head.body)
    told = tuple(text_turn(Role.ASSISTANT, NARRATOR, one) for one in (before, rest) if one)
    turns = (*told, *_turns(marks, losses))
    return Chat(
        title=title.strip() or title_of(path),
        turns=turns,
        char=text_at(fields, "char") or most_frequent(turns, Role.ASSISTANT),
        user=text_at(fields, "user") or most_frequent(turns, Role.USER),
        source=to_json({"foreword": {"format": "markdown"}}),
        losses=tuple(losses),
    )


def _check_version(path: str, fields: JsonObject) -> None:
    version = fields.get(HEAD_KEY)
    if isinstance(version, int) and version > MARKDOWN_FORMAT:
        reason = (
            f"a later Foreword wrote it (format {version}). Update Foreword, or export it again."
        )
        raise FileUnreadable(path=path, reason=reason)


def _title(kept: str, body: str) -> tuple[str, str]:
    """Return the title, as the heading has it now, and what else stands before the first turn."""
    first, _, rest = body.lstrip("\n").partition("\n")
    if not first.startswith("# "):
        return kept, body.strip()
    shown = first.removeprefix("# ").strip()
    return kept if shown == escaped(kept) else unescaped(shown), rest.strip()


def _turns(marks: Sequence[Mark], losses: list[Loss]) -> Iterator[ChatTurn]:
    """Yield the turns; a mark without a role carries on with another part of the last one."""
    under_way: ChatTurn | None = None
    for mark in marks:
        fields = mark.value
        if fields is None:
            why = "its comment is no JSON any more; the line before it says who speaks"
            losses.append(Loss(where=f"line {mark.line}", what="what the mark says", why=why))
            fields = {"role": Role.ASSISTANT.value, "speaker": _speaker_in(mark.lead)}
        if under_way is not None and "role" not in fields:
            under_way = _with_part(under_way, _part(fields, mark.body))
            continue
        if under_way is not None:
            yield under_way
        under_way = _turn(fields, mark)
    if under_way is not None:
        yield under_way


def _turn(fields: JsonObject, mark: Mark) -> ChatTurn:
    known = {role.value: role for role in Role}
    parts = () if fields.get("part") == "none" else (_part(fields, mark.body),)
    return ChatTurn(
        role=known.get(text_at(fields, "role"), Role.ASSISTANT),
        speaker=text_at(fields, "speaker") or _speaker_in(mark.lead),
        texts=(ChatText(parts=parts, sent_at=text_at(fields, "sent_at")),),
        hidden=fields.get("hidden") is True,
        pinned=fields.get("pinned") is True,
    )


def _with_part(turn: ChatTurn, part: Part) -> ChatTurn:
    (text,) = turn.texts
    return replace(turn, texts=(replace(text, parts=(*text.parts, part)),))


def _speaker_in(lead: str) -> str:
    found = _BOLD.match(lead)
    return " ".join(unescaped(found[1]).split()) if found else NARRATOR


def _part(fields: JsonObject, body: str) -> Part:
    call_id = text_at(fields, "call_id")
    match fields.get("part"):
        case "tool_call":
            name, text = text_at(fields, "name"), _text(fields, _in_fence(body))
            return ToolCallPart(call_id=call_id, name=name, arguments=text)
        case "tool_result":
            return ToolResultPart(call_id=call_id, text=_text(fields, _in_fence(body)))
        case "media":
            return MediaPart(
                media_type=text_at(fields, "media_type"), reference=text_at(fields, "reference")
            )
        case _:
            closing = text_at(fields, "close")
            prose = body.removesuffix(f"\n{closing}") if closing else body
            return TextPart(text=_text(fields, prose))


def _text(fields: JsonObject, body: str) -> str:
    text = unquoted(body)
    return text.replace("\n", "\r\n") if fields.get(ENDS_KEY) == CRLF else text


def _in_fence(body: str) -> str:
    first, _, rest = body.partition("\n")
    inner, _, last = rest.rpartition("\n")
    is_fence = bool(_FENCE.fullmatch(first)) and first == last
    return inner if is_fence else body
