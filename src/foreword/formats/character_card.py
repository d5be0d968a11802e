"""Character cards of versions 1 to 3, as JSON or inside a PNG picture.

Above: `registry`. Below: `png_text`, `lore`. Invariant: a card becomes a conversation with its
texts in the settings and its greetings as the first turn; the card itself is kept whole.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from foreword.domain.interchange import Chat, ChatText, ChatTurn, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role, TextPart
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode
from foreword.formats.json_lines import JsonObject, JsonValue, parse, to_json
from foreword.formats.lore import entry_of, lore_text, objects_in
from foreword.formats.paths import title_of
from foreword.formats.png_text import has_text, is_png, text_chunks
from foreword.formats.sillytavern_fields import Names, list_at, object_at, with_names
from foreword.ports.format import SourceFile

_KEYWORDS = frozenset({"chara", "ccv3"})
_PERSONA = (
    ("", "description"),
    ("Personality: ", "personality"),
    ("Scenario: ", "scenario"),
    ("Examples of how they speak:\n", "mes_example"),
)
_SYSTEM = ("system_prompt", "post_history_instructions")
_UNUSED = ("creator_notes", "assets", "group_only_greetings", "nickname")


class CharacterCardFormat:
    """Reads a card as a conversation that has not begun."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "character card"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: the JSON of a card, or a picture with one in it."""
        if is_png(file.data):
            return has_text(file.data, _KEYWORDS)
        text = decode(file.data).text
        if not text.lstrip().startswith("{") or '"name"' not in text:
            return False
        try:
            value = parse(text)
        except ValueError:
            return False
        return isinstance(value, dict) and _is_card(value)

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        card = _card_in(file)
        data = object_at(card, "data") or card
        losses: list[Loss] = []
        name = _text(data, "name", losses) or title_of(file.path, "Unnamed")
        names = Names(char=name)
        persona = [_filled(data, key, head, names, losses) for head, key in _PERSONA]
        system = [_filled(data, key, "", names, losses) for key in _SYSTEM]
        book = object_at(data, "character_book")
        entries = [entry_of(one) for one in objects_in(book.get("entries"))]
        system.append(with_names(lore_text(entries, "the card's lorebook", losses), names))
        settings = {"personas": _paragraphs(persona), "system": _paragraphs(system)}
        if settings["personas"]:
            settings["personas"] = f"{name}\n{settings['personas']}"
        losses += _unused(data)
        kept: JsonObject = {"card": card, "foreword": {"format": "character card"}}
        return Chat(
            title=name,
            turns=_greeting(data, name, losses),
            char=name,
            source=to_json(kept),
            losses=tuple(losses),
            settings={key: text for key, text in settings.items() if text},
        )


def _is_card(value: JsonObject) -> bool:
    spec = value.get("spec")
    if isinstance(spec, str) and spec.startswith("chara_card"):
        return isinstance(value.get("data"), dict)
    return isinstance(value.get("name"), str) and "first_mes" in value and "description" in value


def _card_in(file: SourceFile) -> JsonObject:
    """Return the card; of two in a picture the newer version counts."""
    text = decode(file.data).text
    if is_png(file.data):
        chunks = text_chunks(file.data, file.path, _KEYWORDS)
        packed = chunks.get("ccv3") or chunks.get("chara") or b""
        try:
            text = base64.b64decode(packed, validate=False).decode("utf-8")
        except (binascii.Error, ValueError):
            reason = "the card in the picture is damaged. Get it again from where it came."
            raise FileUnreadable(path=file.path, reason=reason) from None
    try:
        value = parse(text)
    except ValueError as error:
        raise FileUnreadable(path=file.path, reason=f"the card is damaged: {error}.") from None
    if not isinstance(value, dict) or not _is_card(value):
        raise FileUnreadable(path=file.path, reason="what the picture holds is no character card.")
    return value


def _text(data: JsonObject, key: str, losses: list[Loss]) -> str:
    value = data.get(key)
    if value is not None and not isinstance(value, str):
        losses.append(Loss(where="the card", what=key, why="it is no text"))
    return storable_text(value).strip() if isinstance(value, str) else ""


def _filled(data: JsonObject, key: str, head: str, names: Names, losses: list[Loss]) -> str:
    text = with_names(_text(data, key, losses), names).replace("{{original}}", "").strip()
    return f"{head}{text}" if text else ""


def _paragraphs(texts: Sequence[str]) -> str:
    return "\n\n".join(text for text in texts if text)


def _greeting(data: JsonObject, name: str, losses: list[Loss]) -> tuple[ChatTurn, ...]:
    others: list[JsonValue] = list_at(data, "alternate_greetings")
    first = _text(data, "first_mes", losses)
    texts = [first, *(storable_text(one).strip() for one in others if isinstance(one, str))]
    told = [with_names(text, Names(char=name)) for text in texts if text]
    if not told:
        return ()
    parts = tuple(ChatText(parts=(TextPart(text=text),)) for text in dict.fromkeys(told))
    return (ChatTurn(role=Role.ASSISTANT, speaker=name, texts=parts),)


def _unused(data: JsonObject) -> list[Loss]:
    why = "it is kept with the conversation and not used"
    return [Loss(where="the card", what=key, why=why) for key in _UNUSED if data.get(key)]
