"""What an export to OpenAI's format says under `foreword`, and how it is read again.

Above: `openai`, `openai_export`. Below: `openai_message`. The messages are the truth: the note only
says which of them make a turn, and what no message says. Invariant: a file that was not changed
gives the turns that were written; a message that was changed counts as it stands now.

The note has `version`, `title`, `char`, `user`, `settings` (names of the settings that the first
messages hold, one each) and `turns`. A turn has, where it is not as its messages say or the usual:
`messages` (how many are its own, usually 1; a hidden turn has 0), `role`, `speaker`, `hidden`,
`pinned`, `parts` with `of` (the digest of the messages they were written as), `reasoning`,
`sent_at`, `extra`, `others` (its alternatives) and `chosen` (the place of the shown one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, assert_never

from foreword.domain.interchange import ChatText, ChatTurn, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import MediaPart, Part, Role, TextPart, ToolCallPart, ToolResultPart
from foreword.formats.json_lines import JsonObject, JsonValue, refuse_deep, to_json
from foreword.formats.openai_message import read_message
from foreword.formats.sillytavern_fields import Report, list_at

KEY: Final = "foreword"
VERSION: Final = 1
SETTINGS: Final = ("system", "personas")
"""Settings that a request says in its first messages, in this order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a file says with the help of its note."""

    title: str
    char: str
    user: str
    settings: dict[str, str]
    turns: tuple[ChatTurn, ...]


def note_of(turn: ChatTurn, messages: Sequence[JsonObject]) -> JsonObject:
    """Return what the messages of a turn do not say of it."""
    plain = turn_of(messages)
    shown = turn.texts[turn.chosen]
    note: JsonObject = {} if len(messages) == 1 else {"messages": len(messages)}
    if plain is None or plain.role is not turn.role:
        note["role"] = turn.role.value
    if plain is None or plain.speaker != turn.speaker:
        note["speaker"] = turn.speaker
    if plain is None or plain.texts[0].parts != shown.parts:
        note["parts"] = [part_json(part) for part in shown.parts]
        if messages:
            note["of"] = digest_of(messages)
    note |= _flags(turn) | _beside(shown)
    others = [text for number, text in enumerate(turn.texts) if number != turn.chosen]
    if others:
        note["others"] = [
            {"parts": [part_json(part) for part in text.parts], **_beside(text)} for text in others
        ]
    if turn.chosen:
        note["chosen"] = turn.chosen
    return note


def told_by(messages: Sequence[JsonValue], note: JsonObject, losses: list[Loss]) -> Told | None:
    """Return what a file holds, or None where the note does not fit the messages."""
    try:
        return _told(messages, note, losses)
    except ValueError as error:
        losses.append(Loss(where=KEY, what="what Foreword had noted", why=str(error)))
        return None


def turn_of(messages: Sequence[JsonObject]) -> ChatTurn | None:
    """Return the turn that messages make together, as they stand; None for no messages."""
    unheard: list[Loss] = []
    read = [read_message(message, Report("", unheard), {}) for message in messages]
    turns = [turn for turn in read if turn is not None]
    if not turns:
        return None
    parts = tuple(part for turn in turns for part in turn.texts[0].parts)
    first = turns[0]
    return ChatTurn(role=first.role, speaker=first.speaker, texts=(ChatText(parts=parts),))


def digest_of(messages: Sequence[JsonValue]) -> str:
    """Return a digest that tells whether messages were changed.

    Raises:
        ValueError: they are nested too deep.
    """
    refuse_deep([*messages])
    return blake2b(to_json([*messages]).encode(), digest_size=8).hexdigest()


def part_json(part: Part) -> JsonValue:
    """Return a part as it is noted: prose as a text, others as objects."""
    match part:
        case TextPart():
            return part.text
        case ToolCallPart():
            return {"id": part.call_id, "call": part.name, "arguments": part.arguments}
        case ToolResultPart():
            return {"id": part.call_id, "result": part.text}
        case MediaPart():
            return {"media": part.media_type, "reference": part.reference}
        case _:
            assert_never(part)


def _flags(turn: ChatTurn) -> JsonObject:
    flags = {"hidden": turn.hidden, "pinned": turn.pinned}
    return {name: True for name, given in flags.items() if given}


def _beside(text: ChatText) -> JsonObject:
    beside = {"reasoning": text.reasoning, "sent_at": text.sent_at, "extra": text.extra}
    return {name: value for name, value in beside.items() if value}


def _told(messages: Sequence[JsonValue], note: JsonObject, losses: list[Loss]) -> Told:
    version = note.get("version")
    if not isinstance(version, int) or version > VERSION:
        msg = "a later Foreword wrote it; the messages count as they stand"
        raise ValueError(msg)
    names = [_words(name, "settings") for name in list_at(note, "settings")]
    notes = [_object(one) for one in list_at(note, "turns")]
    counts = [_count(one) for one in notes]
    own = [_object(message) for message in messages]
    if len(names) + sum(counts) != len(own) or not set(names) <= set(SETTINGS):
        msg = "messages were added or taken away since; they count as they stand"
        raise ValueError(msg)
    settings = {
        name: _text_of(message) for name, message in zip(names, own[: len(names)], strict=True)
    }
    turns: list[ChatTurn] = []
    at = len(names)
    for one, count in zip(notes, counts, strict=True):
        turns.append(_turn(one, own[at : at + count], f"turn {len(turns) + 1}", losses))
        at += count
    title, char, user = (_words(note.get(key, ""), key) for key in ("title", "char", "user"))
    return Told(title=title, char=char, user=user, settings=settings, turns=tuple(turns))


def _turn(
    note: JsonObject, messages: Sequence[JsonObject], where: str, losses: list[Loss]
) -> ChatTurn:
    plain = turn_of(messages)
    parts = None
    if "parts" in note:
        if messages and note.get("of") != digest_of(messages):
            why = "its messages were changed since; they count as they stand"
            losses.append(Loss(where=where, what="what Foreword had noted", why=why))
        else:
            parts = _parts(note)
    if parts is None:
        if plain is None:
            msg = f"{where} has no message and no parts"
            raise ValueError(msg)
        parts = plain.texts[0].parts
    texts = [_text(_object(other), _parts(_object(other))) for other in list_at(note, "others")]
    chosen = note.get("chosen", 0)
    if not isinstance(chosen, int) or not 0 <= chosen <= len(texts):
        msg = f"{where} has no alternative {chosen!r}"
        raise ValueError(msg)
    texts.insert(chosen, _text(note, parts))
    role = Role(_words(note.get("role", plain.role.value if plain else None), "role"))
    speaker = _words(note.get("speaker", plain.speaker if plain else None), "speaker")
    return ChatTurn(
        role=role,
        speaker=speaker if speaker.strip() else role.value,
        texts=tuple(texts),
        chosen=chosen,
        hidden=note.get("hidden") is True,
        pinned=note.get("pinned") is True,
    )


def _text(note: JsonObject, parts: tuple[Part, ...]) -> ChatText:
    reasoning, sent_at, extra = (
        _words(note.get(key, ""), key) for key in ("reasoning", "sent_at", "extra")
    )
    return ChatText(parts=parts, reasoning=reasoning, sent_at=sent_at, extra=extra)


def _parts(note: JsonObject) -> tuple[Part, ...]:
    parts = tuple(_part(part) for part in list_at(note, "parts"))
    if not parts:
        msg = "a turn has no parts"
        raise ValueError(msg)
    return parts


def _part(value: JsonValue) -> Part:
    match value:
        case str():
            return TextPart(text=storable_text(value))
        case {"id": str(call_id), "call": str(name), "arguments": str(arguments)}:
            return ToolCallPart(
                call_id=storable_text(call_id),
                name=storable_text(name),
                arguments=storable_text(arguments),
            )
        case {"id": str(call_id), "result": str(text)}:
            return ToolResultPart(call_id=storable_text(call_id), text=storable_text(text))
        case {"media": str(media_type), "reference": str(reference)}:
            return MediaPart(
                media_type=storable_text(media_type), reference=storable_text(reference)
            )
        case _:
            msg = "a part is none"
            raise ValueError(msg)


def _text_of(message: JsonObject) -> str:
    turn = turn_of([message])
    parts = turn.texts[0].parts if turn else ()
    return "\n\n".join(part.text for part in parts if isinstance(part, TextPart))


def _count(note: JsonObject) -> int:
    count = note.get("messages", 1)
    if not isinstance(count, int) or isinstance(count, bool) or count < 0:
        msg = "the number of a turn's messages is none"
        raise ValueError(msg)
    return count


def _object(value: JsonValue) -> JsonObject:
    if isinstance(value, dict):
        return value
    msg = "it is no JSON object"
    raise ValueError(msg)


def _words(value: JsonValue, name: str) -> str:
    if isinstance(value, str):
        return storable_text(value)
    msg = f"{name} is no text"
    raise ValueError(msg)
