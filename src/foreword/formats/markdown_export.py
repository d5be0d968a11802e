"""A branch as a document in Markdown, for people, that reads back as the same turns.

Above: `registry`. Below: `markdown_marks`, `markdown_blocks`, `snapshot`. Invariant: what is
Foreword's own stands in comments under `foreword`, and a text that leaves a block open does not
swallow the turns behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from foreword.domain.amounts import counted
from foreword.domain.ids import BranchId
from foreword.domain.interchange import Bundle, ChatText, ChatTurn, Loss
from foreword.domain.turn import (
    PART_NAMES,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from foreword.formats.json_lines import JsonObject
from foreword.formats.markdown_blocks import closing_of
from foreword.formats.markdown_marks import (
    CRLF,
    ENDS_KEY,
    HEAD_KEY,
    MARKDOWN_FORMAT,
    escaped,
    quoted,
    written,
)
from foreword.formats.sillytavern_dates import instant_of
from foreword.formats.snapshot import state_of, turns_of
from foreword.ports.format import Written

_BACKTICKS = re.compile("`{3,}")
_LONGEST_LINK = 2000
"""Signs; a longer reference is the picture itself, which no reader wants to see as text."""
_IN_TITLE = frozenset({"char", "user"})
_WHY = "a document has no place for them; a bundle has"


class MarkdownWriter:
    """Writes one branch as a document, with a line on who speaks before each turn."""

    @property
    def name(self) -> str:
        """See Writer.name."""
        return "markdown"

    def write(self, bundle: Bundle, branch: BranchId) -> Written:
        """See Writer.write."""
        turns = turns_of(bundle, branch)
        led = len({turn.speaker for turn in turns}) > 1
        chunks = [written(_head(bundle))]
        if bundle.title.strip() and not _begins_with(turns, f"# {escaped(bundle.title)}"):
            chunks.append(f"# {escaped(bundle.title)}")
        for turn in turns:
            chunks += _chunks(turn, led=led)
        text = "\n\n".join(chunks) + "\n"
        return Written(data=text.encode(), losses=tuple(_losses(bundle, branch, turns)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """A part of a turn: what its mark says of it, and what stands in the document."""

    fields: JsonObject
    text: str


def _head(bundle: Bundle) -> JsonObject:
    names: JsonObject = {
        side: bundle.settings[side] for side in ("char", "user") if bundle.settings.get(side)
    }
    return {HEAD_KEY: MARKDOWN_FORMAT, "title": bundle.title, **names}


def _begins_with(turns: Sequence[ChatTurn], heading: str) -> bool:
    """Say whether the story tells its title itself."""
    parts = turns[0].texts[turns[0].chosen].parts[:1] if turns else ()
    return any(
        isinstance(part, TextPart) and part.text.split("\n", 1)[0].rstrip() == heading
        for part in parts
    )


def _chunks(turn: ChatTurn, *, led: bool) -> Iterator[str]:
    """Yield the paragraphs of a turn: a line with its mark before each part."""
    shown = turn.texts[turn.chosen]
    fields: JsonObject = {"role": turn.role.value, "speaker": turn.speaker}
    if shown.sent_at:
        fields["sent_at"] = shown.sent_at
    fields |= {flag: True for flag in ("hidden", "pinned") if getattr(turn, flag)}
    lead = _lead(turn, shown, led=led)
    parts = [_part(part) for part in shown.parts] or [_Shown(fields={"part": "none"}, text="")]
    for place, part in enumerate(parts):
        own = part.fields
        if place:
            own = {"part": "text", **own}
        mark = written({**fields, **own} if not place else own)
        yield f"{lead} {mark}" if lead and not place else mark
        yield part.text


def _lead(turn: ChatTurn, shown: ChatText, *, led: bool) -> str:
    """Return who speaks and when, or nothing where one speaker tells all and nothing is marked."""
    flags = [flag for flag in ("hidden", "pinned") if getattr(turn, flag)]
    if turn.role is Role.SYSTEM:
        flags.insert(0, "system")
    if not (led or flags):
        return ""
    date = _date(shown.sent_at)
    return " · ".join([f"**{escaped(turn.speaker)}**", *([date] if date else []), *flags])


def _date(sent_at: str) -> str:
    instant = instant_of(sent_at)
    return f"{instant:%Y-%m-%d %H:%M}" if instant else escaped(sent_at[:40])


def _part(part: Part) -> _Shown:
    name = PART_NAMES[type(part)]
    match part:
        case TextPart():
            return _prose(part.text)
        case ToolCallPart():
            call: JsonObject = {"part": name, "call_id": part.call_id, "name": part.name}
            return _fenced(call, part.arguments)
        case ToolResultPart():
            result: JsonObject = {"part": name, "call_id": part.call_id}
            return _fenced(result, part.text)
        case MediaPart():
            media: JsonObject = {
                "part": name,
                "media_type": part.media_type,
                "reference": part.reference,
            }
            return _Shown(fields=media, text=quoted(_link(part)))
        case _:
            assert_never(part)


def _prose(text: str) -> _Shown:
    fields, body = _with_newlines(text)
    closing = closing_of(body)
    if not closing:
        return _Shown(fields=fields, text=body)
    return _Shown(fields={**fields, "close": closing}, text=f"{body}\n{closing}")


def _fenced(fields: JsonObject, text: str) -> _Shown:
    ends, body = _with_newlines(text)
    longest = max(_BACKTICKS.findall(text), key=len, default="``")
    fence = "`" * (len(longest) + 1)
    return _Shown(fields={**fields, **ends}, text=f"{fence}\n{body}\n{fence}")


def _with_newlines(text: str) -> tuple[JsonObject, str]:
    """Return a quoted text; lines that all end as on Windows end in a newline, and a field."""
    if "\r\n" in text and text.count("\r\n") == text.count("\n") == text.count("\r"):
        return {ENDS_KEY: CRLF}, quoted(text.replace("\r\n", "\n"))
    return {}, quoted(text)


def _link(part: MediaPart) -> str:
    name = escaped(part.media_type) or "file"
    if len(part.reference) > _LONGEST_LINK:
        return f"*{name}*"
    target = "".join(f"%{ord(sign):02X}" if sign in "<>\\\n\r" else sign for sign in part.reference)
    mark = "!" if part.media_type.startswith("image") else ""
    return f"{mark}[{name}](<{target}>)"


def _losses(bundle: Bundle, branch: BranchId, turns: Sequence[ChatTurn]) -> Iterator[Loss]:
    """Name what the conversation has and the document has not."""
    state = state_of(bundle, branch)
    shown = [turn.texts[turn.chosen] for turn in turns]
    thinking = sum(bool(text.reasoning) for text in shown)
    foreign = sum(bool(text.extra) for text in shown)
    alternatives = sum(len(turn.texts) - 1 for turn in turns)
    counts = {
        counted(alternatives, "other alternative"): alternatives,
        f"the reasoning of {counted(thinking, 'turn')}": thinking,
        f"the fields of {counted(foreign, 'turn')} in the file they came from": foreign,
        counted(len(state.cover), "summary"): len(state.cover),
    }
    for what, number in counts.items():
        if number:
            yield Loss(where="the branch", what=what, why=_WHY)
    others = [one for one in bundle.branches if one.branch.id != branch and not one.branch.removed]
    if others:
        why = "a document holds one; `--branch` writes another"
        what = counted(len(others), "other branch")
        yield Loss(where="the conversation", what=what, why=why)
    settings = sorted(name for name in bundle.settings if name not in _IN_TITLE)
    if settings:
        yield Loss(where="the conversation", what=f"settings: {', '.join(settings)}", why=_WHY)
    if bundle.templates:
        what = f"templates: {', '.join(sorted(bundle.templates))}"
        yield Loss(where="the conversation", what=what, why=_WHY)
