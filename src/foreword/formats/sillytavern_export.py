"""Writes a branch as a SillyTavern chat file.

Above: `registry`. Below: `sillytavern_rebuilding`, `sillytavern_new`. Invariant: a chat that was
read and not changed is written byte for byte; what was changed here is changed there, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foreword.domain.amounts import counted
from foreword.domain.ids import MAIN_BRANCH, BranchId
from foreword.domain.interchange import Bundle, ChatTurn, Loss
from foreword.formats.json_lines import STYLES, JsonObject, JsonValue, Style
from foreword.formats.sillytavern_fields import Names, object_at
from foreword.formats.sillytavern_new import new_header, new_message, parted, slug_of
from foreword.formats.sillytavern_rebuilding import (
    Kept,
    changed,
    kept_of,
    raw_value,
    unchanged,
)
from foreword.formats.snapshot import state_of, turns_of
from foreword.ports.format import Written

_MARKS = {
    "utf-8": b"\xef\xbb\xbf",
    "utf-16-le": b"\xff\xfe",
    "utf-16-be": b"\xfe\xff",
    "utf-32-le": b"\xff\xfe\x00\x00",
    "utf-32-be": b"\x00\x00\xfe\xff",
}
_FACE = ("force_avatar", "original_avatar", "is_group")
"""Whose picture a message shows: the same for a speaker's next ones, above all in groups."""
_NO_CHAT = "SillyTavern has no place for it"


class SillyTavernWriter:
    """Writes one branch with its swipes, hidden flags and every field that was read."""

    @property
    def name(self) -> str:
        """See Writer.name."""
        return "sillytavern"

    def write(self, bundle: Bundle, branch: BranchId) -> Written:
        """See Writer.write."""
        return write_chat(bundle, branch)


@dataclass(slots=True)
class ChatFile:
    """A chat file under way: its header, its messages and how they are written."""

    header: JsonObject | None
    raw_header: str
    note: JsonObject
    names: Names
    turns: tuple[ChatTurn, ...]
    kept: tuple[Kept | None, ...]
    messages: list[JsonObject | str] = field(default_factory=list)
    """An object to write, or a line as it stood."""
    losses: list[Loss] = field(default_factory=list)

    @property
    def style(self) -> Style:
        """How its JSON is spaced and escaped."""
        if not self.note:
            return STYLES[0]
        return Style(spaced=self.note.get("spaced") is True, ascii=self.note.get("ascii") is True)


def write_chat(bundle: Bundle, branch: BranchId) -> Written:
    """Return a branch as a chat file."""
    chat = opened(bundle, branch)
    fill(chat, ghosts_in(chat))
    chat.losses += left_out(bundle, branch)
    return Written(data=encoded(chat), losses=tuple(chat.losses))


def opened(bundle: Bundle, branch: BranchId) -> ChatFile:
    """Return the file with its header, and no message yet."""
    header, note, raw = _header(bundle, branch)
    turns = turns_of(bundle, branch)
    settings = bundle.settings
    char, user = (_text(note, side) or settings.get(side, "") for side in ("char", "user"))
    return ChatFile(
        header=header,
        raw_header=raw,
        note=note,
        names=Names(char=char, user=user),
        turns=turns,
        kept=tuple(kept_of(turn) for turn in turns),
    )


def ghosts_in(chat: ChatFile) -> frozenset[int]:
    """Return the turns that stay hidden in the file since they came so, for a summary's sake."""
    return frozenset(
        number
        for number, (turn, kept) in enumerate(zip(chat.turns, chat.kept, strict=True))
        if kept is not None and kept.ghost and not turn.hidden
    )


def fill(chat: ChatFile, ghosts: frozenset[int]) -> None:
    """Add the messages.

    Args:
        chat: without messages.
        ghosts: indexes of turns that are hidden in the file since a summary stands for them.
    """
    date: JsonValue = None
    faces: dict[str, JsonObject] = {}
    for number, (turn, kept) in enumerate(zip(chat.turns, chat.kept, strict=True)):
        message = _message(chat.names, turn, kept, date, ghost=number in ghosts)
        if kept is None and isinstance(message, dict):
            message |= faces.get(turn.speaker, {})
        chat.messages.append(message)
        value = message if isinstance(message, dict) else raw_value(kept) if kept else {}
        date = value.get("send_date") or date
        faces[turn.speaker] = {key: value[key] for key in _FACE if key in value}
        if not unchanged(value, turn, chat.names, ghost=number in ghosts):
            where = f"turn {number + 1}"
            chat.losses.append(Loss(where=where, what="some of its parts", why=_NO_CHAT))


def encoded(chat: ChatFile) -> bytes:
    """Return the bytes of a file, encoded and ended as the one that was read."""
    if chat.note.get("array") is True:
        items = [one for one in (chat.header, *chat.messages) if isinstance(one, dict)]
        return chat.style.write([*items]).encode("utf-8", "surrogatepass")
    text = "".join(_lines(chat))
    encoding = chat.note.get("encoding")
    name = encoding if isinstance(encoding, str) else "utf-8"
    try:
        data = text.encode(name)
    except (UnicodeEncodeError, LookupError):
        name, data = "utf-8", text.encode("utf-8", "replace")
    return _MARKS[name] + data if chat.note.get("mark") is True and name in _MARKS else data


def _lines(chat: ChatFile) -> Iterator[str]:
    """Yield the lines of the file, each followed by what ends it."""
    ending = _text(chat.note, "ending") or "\n"
    last = ending if chat.note.get("final") is True else ""
    yield _text(chat.note, "start") or ""
    lines: list[tuple[str, str | None]] = []
    if chat.header is not None:
        header = chat.raw_header or chat.style.write(chat.header)
        lines.append((header, _text(chat.note, "end")))
    for message, kept in zip(chat.messages, chat.kept, strict=True):
        line = message if isinstance(message, str) else chat.style.write(message)
        lines.append((line, kept.end if kept else None))
    for place, (line, end) in enumerate(lines, start=1):
        usual = ending if place < len(lines) else last
        written = usual if end is None else end
        broken = place < len(lines) and not written.endswith(("\n", "\r"))
        yield line + written + (ending if broken else "")


def _message(
    names: Names, turn: ChatTurn, kept: Kept | None, date: JsonValue, *, ghost: bool
) -> JsonObject | str:
    if kept is None:
        message = new_message(turn, date)
        return {**message, "is_system": True} if ghost else message
    same = kept.holder == turn.chosen
    if same and kept.raw and unchanged(raw_value(kept), turn, names, ghost=ghost):
        return kept.raw
    if same and unchanged(kept.value, turn, names, ghost=ghost):
        return kept.value
    return changed(kept, turn, ghost=ghost)


def _header(bundle: Bundle, branch: BranchId) -> tuple[JsonObject | None, JsonObject, str]:
    """Return the header of a branch's file, what was noted of that file, and its line."""
    header, note = parted(bundle.source)
    if branch != MAIN_BRANCH:
        own = object_at(note, "branches").get(str(branch))
        if isinstance(own, str) and parted(own)[1]:
            header, note = parted(own)
        else:
            header = _forked(bundle, branch, header or new_header(bundle))
            note = {key: value for key, value in note.items() if key not in {"raw", "start", "end"}}
            return header, {**note, "header": True}, ""
    if not note:
        return new_header(bundle), {}, ""
    raw = _text(note, "raw") or ""
    if note.get("header") is not True:
        return None, note, ""
    return header, note, raw


def _forked(bundle: Bundle, branch: BranchId, header: JsonObject) -> JsonObject:
    """Return the header that the client writes for a branch: its parent's, and who that is."""
    state = state_of(bundle, branch).branch
    parent = state.parent or MAIN_BRANCH
    of = bundle.title if parent == MAIN_BRANCH else state_of(bundle, parent).branch.name
    metadata = object_at(header, "chat_metadata")
    slug = slug_of(metadata.get("integrity"), bundle.created_at, branch, state.name)
    return {**header, "chat_metadata": {**metadata, "integrity": slug, "main_chat": of}}


def _text(note: JsonObject, key: str) -> str | None:
    value = note.get(key)
    return value if isinstance(value, str) else None


def left_out(
    bundle: Bundle, branch: BranchId, *, summaries: bool = True, pins: bool = True
) -> Sequence[Loss]:
    """Name what the branch has and no chat file holds; summaries and pins if they are left out."""
    state = state_of(bundle, branch)
    losses: list[Loss] = []
    if state.cover and summaries:
        why = "a chat file has no place for them; bundle and summaryception have"
        losses.append(Loss(where="the branch", what=counted(len(state.cover), "summary"), why=why))
    if state.pins and pins:
        losses.append(Loss(where="the branch", what=counted(len(state.pins), "pin"), why=_NO_CHAT))
    others = [one for one in bundle.branches if one.branch.id != branch and not one.branch.removed]
    if others:
        why = "a chat file holds one; `--branch` writes another"
        what = counted(len(others), "other branch")
        losses.append(Loss(where="the conversation", what=what, why=why))
    return losses
