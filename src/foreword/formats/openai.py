"""Messages of OpenAI's chat API: one conversation, or many in one file.

Above: `registry`. Below: `openai_message`, `openai_own`. Reads a list of messages, an object with
`messages` (a recorded request, a record for fine-tuning), and lines of either. Invariant: every
message that can be read is in one conversation, in the file's order; the leading system messages
become the conversation's `system` setting, as the texts of a card do.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

from foreword.domain.interchange import Chat, ChatTurn, Loss
from foreword.domain.turn import Role, TextPart
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode
from foreword.formats.json_items import Item, json_items
from foreword.formats.json_lines import JsonObject, JsonValue, refuse_deep, to_json
from foreword.formats.openai_message import ROLES, is_message, read_message
from foreword.formats.openai_own import KEY, told_by
from foreword.formats.openai_parts import content_parts
from foreword.formats.paths import title_of
from foreword.formats.sillytavern_fields import Report
from foreword.ports.format import SourceFile

_LOOKED_AT: Final = 100
"""So many values are looked at for one that shows the format."""


_CUT: Final = re.compile(r'\s*(?:\[\s*)?\{[^{}\[\]]*"(?:messages"\s*:\s*\[\s*\{\s*"role|role)"\s*:')
"""How a file begins that is cut off in its first value."""


class OpenAIFormat:
    """Reads messages as they go to a model, or as a training file holds them."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "OpenAI messages"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: one message or one object with messages is enough."""
        text = decode(file.data).text
        if '"role"' not in text and f'"{KEY}"' not in text:
            return False
        items = islice(json_items(text, []), _LOOKED_AT)
        first = next(items, None)
        if first is None:
            return _CUT.match(text) is not None
        return any(_is_either(item.value) for item in chain([first], items))

    def read(self, file: SourceFile) -> Chat | tuple[Chat, ...]:
        """See Format.read."""
        decoded = decode(file.data)
        losses = list(decoded.losses)
        records = _without_beginnings(_records(json_items(decoded.text, losses), losses))
        title = title_of(file.path)
        chats: list[Chat] = []
        for number, record in enumerate(records, start=1):
            several = len(records) > 1
            chat = _chat(record, f"{title} {number}" if several else title, named=not several)
            if chat.turns or chat.settings or KEY in record.beside:
                chats.append(chat)
            else:
                losses += chat.losses
        if not chats:
            why = f": {losses[0].why}" if losses else ""
            reason = f"it holds no message that can be read{why}."
            raise FileUnreadable(path=file.path, reason=reason)
        chats[0] = replace(chats[0], losses=(*losses, *chats[0].losses))
        return chats[0] if len(chats) == 1 else tuple(chats)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """The messages of one conversation, with what else stands beside them."""

    where: str
    messages: list[JsonValue]
    places: Sequence[str]
    """Of the messages, where they have some of their own."""
    beside: JsonObject


def _is_either(value: JsonValue) -> bool:
    return is_message(value) or _is_record(value)


def _is_record(value: JsonValue) -> bool:
    messages = value.get("messages") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(messages, list):
        return False
    return any(map(is_message, messages[:_LOOKED_AT])) or (
        not messages and isinstance(value.get(KEY), dict)
    )


def _records(items: Iterable[Item], losses: list[Loss]) -> list[_Record]:
    """Return the conversations of a file; messages that stand by themselves are one."""
    loose = _Record(where="the file", messages=[], places=[], beside={})
    places: list[str] = []
    records: list[_Record] = []
    for item in items:
        value = item.value
        if isinstance(value, dict) and isinstance(value.get("messages"), list):
            messages = value["messages"]
            beside = {key: one for key, one in value.items() if key != "messages"}
            if isinstance(messages, list):
                records.append(
                    _Record(where=item.where, messages=messages, places=(), beside=beside)
                )
        elif isinstance(value, dict) and "role" in value:
            loose.messages.append(value)
            places.append(item.where)
        else:
            why = "it is no message and has none"
            losses.append(Loss(where=item.where, what="the whole value", why=why))
    if loose.messages:
        records.insert(0, replace(loose, places=places))
    return records


def _without_beginnings(records: Sequence[_Record]) -> list[_Record]:
    """Leave out requests that the next one begins with: of a recorded chat the last has all."""
    kept: list[_Record] = []
    for record in records:
        if kept and kept[-1].messages == record.messages[: len(kept[-1].messages)]:
            kept.pop()
        kept.append(record)
    return kept


def _chat(record: _Record, title: str, *, named: bool) -> Chat:
    losses: list[Loss] = []
    beside = dict(record.beside)
    note = beside.pop(KEY, None)
    told = told_by(record.messages, note, losses) if isinstance(note, dict) else None
    source, unused = _source(beside)
    losses += unused
    turns: Sequence[ChatTurn]
    if told is not None:
        settings, turns = dict(told.settings), told.turns
        char, user = told.char, told.user
        title = told.title if named and told.title else title
    else:
        system, turns = _split(_turns(record, losses), beside, losses)
        settings = {"system": system} if system else {}
        char, user = _most_frequent(turns, Role.ASSISTANT), _most_frequent(turns, Role.USER)
    return Chat(
        title=title,
        turns=tuple(turns),
        char=char,
        user=user,
        source=source,
        losses=tuple(losses),
        settings=settings,
    )


def _turns(record: _Record, losses: list[Loss]) -> list[ChatTurn]:
    turns: list[ChatTurn] = []
    tools: dict[str, str] = {}
    places = record.places or [f"message {n}" for n in range(1, len(record.messages) + 1)]
    for value, where in zip(record.messages, places, strict=True):
        if not isinstance(value, dict):
            losses.append(Loss(where=where, what="the whole message", why="it is no JSON object"))
            continue
        turn = read_message(value, Report(where, losses), tools)
        if turn is not None:
            turns.append(turn)
    return turns


def _split(
    turns: Sequence[ChatTurn], beside: JsonObject, losses: list[Loss]
) -> tuple[str, Sequence[ChatTurn]]:
    """Return the text of the leading system messages, and the turns after them."""
    count = 0
    while count < len(turns) and _is_opening(turns[count]):
        count += 1
    texts = [part.text for part in _system_parts(beside, losses) if isinstance(part, TextPart)]
    for turn in turns[:count]:
        texts += [part.text for part in turn.texts[0].parts if isinstance(part, TextPart)]
    return "\n\n".join(text for text in texts if text.strip()), turns[count:]


def _is_opening(turn: ChatTurn) -> bool:
    """Say whether a turn is a system message that the setting can hold."""
    named = turn.speaker != turn.role.value
    return (
        turn.role is Role.SYSTEM
        and not named
        and all(isinstance(part, TextPart) for part in turn.texts[0].parts)
    )


def _system_parts(beside: JsonObject, losses: list[Loss]) -> list[object]:
    """Return what a request in Anthropic's form says as its system text."""
    try:
        return [*content_parts(beside.get("system"), Report("system", losses))]
    except ValueError as error:
        losses.append(Loss(where="system", what="the system text", why=str(error)))
        return []


def _source(beside: JsonObject) -> tuple[str, list[Loss]]:
    """Return what is kept of a request beside its messages, and name what is not used."""
    names = [name for name in beside if name != "system"]
    why = "they are kept with the conversation and not used"
    losses = [Loss(where="the request", what=", ".join(names)[:200], why=why)] if names else []
    try:
        refuse_deep(beside)
    except ValueError as error:
        return "", [Loss(where="the request", what=", ".join(names)[:200], why=str(error))]
    note: JsonObject = {"format": "openai"}
    return to_json({**({"request": beside} if names else {}), KEY: note}), losses


def _most_frequent(turns: Sequence[ChatTurn], role: Role) -> str:
    names = Counter(
        turn.speaker for turn in turns if turn.role is role and turn.speaker not in ROLES
    )
    return names.most_common(1)[0][0] if names else ""
