"""SillyTavern's chat files: a header or none, then one message a line.

Above: `registry`. Below: `sillytavern_message`. Invariant: every readable message becomes one
turn, in the file's order; whatever is skipped, guessed or not used stands among the losses.

`Chat.source` is the header as it stood, with one key more, `foreword`, that says what the lines do
not: `format`, `encoding`, `mark` (a byte order mark), `ending`, `final` (a line ending after the
last line), `spaced` and `ascii` (the style of its JSON), `header` (whether there was one), `array`
(one list instead of lines), `char` and `user` (whom greetings name), `raw`, the header's own line
where the style does not give it, `start`, what stands before the first line that is used, and
`end`, what stands after the header where that is not `ending`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from foreword.domain.interchange import Chat, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role
from foreword.errors import FileUnreadable
from foreword.formats.decoding import Decoded, decode
from foreword.formats.json_lines import (
    STYLES,
    JsonObject,
    Line,
    Style,
    parse,
    read_lines,
    split_lines,
    to_json,
)
from foreword.formats.memories import memories_of
from foreword.formats.paths import title_of
from foreword.formats.sillytavern_fields import (
    Names,
    is_header,
    is_message,
    role_of,
)
from foreword.formats.sillytavern_message import read_message
from foreword.formats.sillytavern_unused import unused_fields
from foreword.ports.format import SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """How the objects stand in the file."""

    ending: str = "\n"
    final: bool = False
    array: bool = False

    @property
    def last(self) -> str:
        """What ends the last line."""
        return self.ending if self.final else ""


class SillyTavernFormat:
    """Reads chats that SillyTavern wrote, of one character or of a group."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "sillytavern"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: one header or one message is enough."""
        text = decode(file.data).text
        if _is_array(text):
            return any(is_message(line.value) for line in _array_lines(text, []))
        return any(_is_chat_line(raw) for raw in split_lines(text)[0])

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        decoded = decode(file.data)
        losses = list(decoded.losses)
        lines, layout = _lines_of(decoded.text, losses)
        header = lines.pop(0) if lines and is_header(lines[0].value) else None
        messages = _messages(lines, losses)
        start, (header, messages) = _with_ends(decoded.text, layout, header, messages)
        if header is None and not messages:
            raise FileUnreadable(path=file.path, reason="it holds no message that can be read.")
        if not messages:
            losses.append(
                Loss(where="the whole file", what="messages", why="it holds a header only")
            )
        styles = Counter(line.style for line in lines if line.style)
        style = styles.most_common(1)[0][0] if styles else STYLES[0]
        names = _names(header, messages)
        usual = "" if layout.array else layout.ending
        memories = memories_of(header.value if header else {}, messages, losses)
        ends = [usual] * (len(messages) - 1) + [layout.last]
        turns = tuple(
            read_message(
                line,
                names,
                style=style,
                end=end,
                losses=losses,
                ghost=number in memories.ghosts,
            )
            for number, (line, end) in enumerate(zip(messages, ends, strict=False))
        )
        losses += unused_fields(header.value if header else {}, messages, memories.used)
        return Chat(
            title=title_of(file.path, names.char),
            turns=tuple(
                replace(turn, pinned=True) if number in memories.pins else turn
                for number, turn in enumerate(turns)
            ),
            summaries=memories.summaries,
            char=names.char,
            user=names.user,
            source=to_json(_source(header, decoded, layout, style, start=start, names=names)),
            losses=tuple(losses),
        )


def _is_array(text: str) -> bool:
    return text.lstrip().startswith("[")


def _is_chat_line(raw: str) -> bool:
    if '"mes"' not in raw and '"chat_metadata"' not in raw and '"user_name"' not in raw:
        return False
    try:
        value = parse(raw)
    except ValueError:
        return False
    return isinstance(value, dict) and (is_message(value) or is_header(value))


def _lines_of(text: str, losses: list[Loss]) -> tuple[list[Line], _Layout]:
    if _is_array(text):
        return list(_array_lines(text, losses)), _Layout(array=True)
    raw, ending = split_lines(text)
    layout = _Layout(ending=ending, final=not raw[-1].strip())
    return list(read_lines(raw, losses)), layout


def _array_lines(text: str, losses: list[Loss]) -> list[Line]:
    """Return the objects of a file that is one list, as if each stood on its line."""
    try:
        value = parse(text)
    except ValueError:
        return []
    lines: list[Line] = []
    for number, item in enumerate(value if isinstance(value, list) else (), start=1):
        if isinstance(item, dict):
            lines.append(Line(number=number, value=item, raw="", style=STYLES[0]))
        else:
            why = "it is no JSON object"
            losses.append(Loss(where=f"line {number}", what="the whole item", why=why))
    return lines


def _with_ends(
    text: str, layout: _Layout, header: Line | None, messages: list[Line]
) -> tuple[str, tuple[Line | None, list[Line]]]:
    """Return what stands before the first line, and the lines with what stands after each."""
    if layout.array:
        return "", (header, messages)
    ends = [0]
    separator = "\r" if layout.ending == "\r" else "\n"
    while (found := text.find(separator, ends[-1])) >= 0:
        ends.append(found + 1)
    ends.append(len(text))
    used = [*([header] if header else []), *messages]
    starts = [ends[line.number - 1] for line in used] + [len(text)]
    kept = [
        replace(line, end=text[starts[place] + len(line.raw) : starts[place + 1]])
        for place, line in enumerate(used)
    ]
    return text[: starts[0]], (kept.pop(0) if header else None, kept)


def _messages(lines: Sequence[Line], losses: list[Loss]) -> list[Line]:
    messages: list[Line] = []
    for line in lines:
        if is_message(line.value):
            messages.append(line)
        else:
            second = is_header(line.value)
            why = "it is a second header" if second else "it is no message"
            losses.append(Loss(where=line.where, what="the whole line", why=why))
    return messages


def _names(header: Line | None, messages: Sequence[Line]) -> Names:
    """Return the names in the header, else the most frequent ones: newer headers say unused."""
    written = header.value if header else {}
    return Names(
        char=_name(written.get("character_name")) or _most_frequent(messages, Role.ASSISTANT),
        user=_name(written.get("user_name")) or _most_frequent(messages, Role.USER),
    )


def _name(value: object) -> str:
    name = storable_text(value).strip() if isinstance(value, str) else ""
    return "" if name.lower() in {"unused", "null", "undefined"} else name


def _most_frequent(messages: Sequence[Line], role: Role) -> str:
    names = Counter(
        name
        for line in messages
        if (name := _name(line.value.get("name"))) and role_of(line.value) is role
    )
    return names.most_common(1)[0][0] if names else ""


def _source(
    header: Line | None,
    decoded: Decoded,
    layout: _Layout,
    style: Style,
    *,
    start: str,
    names: Names,
) -> JsonObject:
    note: JsonObject = {
        "format": "sillytavern",
        "encoding": decoded.encoding,
        "mark": decoded.marked,
        "ending": layout.ending,
        "final": layout.final,
        "spaced": style.spaced,
        "ascii": style.ascii,
        "header": header is not None,
        "array": layout.array,
        "char": names.char,
        "user": names.user,
    }
    if start:
        note["start"] = start
    if header and header.end != layout.ending:
        note["end"] = header.end
    if header and (header.style != style or "foreword" in header.value):
        note["raw"] = header.raw
    return {**(header.value if header else {}), "foreword": note}
