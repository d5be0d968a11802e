"""One message of a SillyTavern chat, as a turn with its alternatives.

Below `sillytavern`, above `sillytavern_fields` and `sillytavern_parts`.

What Foreword does not know is kept in `ChatText.extra`, a JSON object with these keys:

- `line`, on the shown alternative: the message with its keys in their order;
- `swipe`: the alternative's entry in `swipe_info`;
- `raw`, on the shown alternative: the line as it stood, where the file's style does not give it;
- `ghost`, on the shown alternative: true where the message is hidden since a summary stood for it;
- `end`, on the shown alternative: what stands after the line, where it is not what ends others.

In `line` and `swipe`, `{"$": "text"}` stands for the alternative's text, `{"$": "reasoning"}` for
its reasoning, and `{"$": "swipe"}` for its `swipe`; within the lists `swipes` and `swipe_info` the
alternative is the one of that index. Invariant: put back, they give the message with nothing
changed; what cannot be told by reference, like a text that had to be repaired, stays in full.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from foreword.domain.interchange import ChatText, ChatTurn, Loss
from foreword.domain.turn import TextPart
from foreword.formats.json_lines import JsonObject, Line, Style, to_json
from foreword.formats.sillytavern_fields import (
    Names,
    Report,
    check_flags,
    is_hidden,
    list_at,
    object_at,
    role_of,
    shows_the_same,
    speaker_of,
    text_of,
    time_of,
    with_names,
)
from foreword.formats.sillytavern_parts import parts_of

TEXT: JsonObject = {"$": "text"}
REASONING: JsonObject = {"$": "reasoning"}
SWIPE: JsonObject = {"$": "swipe"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """All alternatives' texts, and which is shown."""

    texts: tuple[str, ...]
    chosen: int


def read_message(
    line: Line,
    names: Names,
    *,
    style: Style | None,
    losses: list[Loss],
    end: str = "",
    ghost: bool = False,
) -> ChatTurn:
    """Return the turn that `line` holds.

    Args:
        line: an object that `is_message`.
        names: of the chat; macros in greetings are replaced with them, as the client does.
        style: the file's; a line in another one is kept as it stood.
        losses: what is guessed or not carried is added here.
        end: what ends the other lines; what stands after this one is kept where it differs.
        ghost: it is hidden only because a summary stood for it, so the turn is not.
    """
    report = Report(line.where, losses)
    value = line.value
    check_flags(value, report)
    role = role_of(value)
    speaker = speaker_of(value, role, names, report)
    greeting = Names() if value.get("gen_started") else Names(char=speaker, user=names.user)
    shown = _shown(value, greeting, report)
    texts = tuple(_text(value, shown, number) for number in range(len(shown.texts)))
    kept = [
        _kept(line, texts, number, chosen=shown.chosen, style=style) for number in range(len(texts))
    ]
    if ghost:
        kept[shown.chosen]["ghost"] = True
    if line.end != end:
        kept[shown.chosen]["end"] = line.end
    return ChatTurn(
        role=role,
        speaker=speaker,
        texts=tuple(
            replace(text, extra=to_json(extra) if extra else "")
            for text, extra in zip(texts, kept, strict=True)
        ),
        chosen=shown.chosen,
        hidden=is_hidden(value, role) and not ghost,
    )


def _shown(value: JsonObject, names: Names, report: Report) -> _Shown:
    """Decide what is shown: `mes` is the truth, and what it contradicts stays an alternative."""
    mes = text_of(value.get("mes"), report)
    swipes = _swipes(value, report)
    if not swipes:
        if mes is None:
            report.lost("the text", "it is missing or no text")
        return _Shown(texts=(mes or "",), chosen=0)
    chosen = _swipe_id(value, len(swipes))
    if mes is None:
        chosen = len(swipes) - 1 if chosen is None else chosen
        report.lost(
            "certainty about the shown text", f"`mes` is no text; swipe {chosen + 1} is shown"
        )
    elif chosen is None or not shows_the_same(swipes[chosen], mes):
        return _contradicting(mes, swipes, names, report)
    texts = [with_names(text, names) for text in swipes]
    if mes is not None and mes != swipes[chosen]:
        texts[chosen] = mes
    return _Shown(texts=tuple(texts), chosen=chosen)


def _contradicting(mes: str, swipes: tuple[str, ...], names: Names, report: Report) -> _Shown:
    texts = tuple(with_names(text, names) for text in swipes)
    same = [number for number, text in enumerate(swipes) if shows_the_same(text, mes)]
    if same:
        why = f"swipe_id names none of the swipes, or another; the text is that of {same[0] + 1}"
        report.lost("the number of the shown swipe", why)
        return _Shown(texts=(*texts[: same[0]], mes, *texts[same[0] + 1 :]), chosen=same[0])
    why = "it differs from the chosen swipe; it is shown, and the swipes stay as alternatives"
    report.lost("agreement about the shown text", why)
    return _Shown(texts=(*texts, mes), chosen=len(texts))


def _swipes(value: JsonObject, report: Report) -> tuple[str, ...]:
    found = value.get("swipes")
    if found is not None and not isinstance(found, list):
        report.lost("the swipes", "they are no list")
        return ()
    texts: list[str] = []
    for number, item in enumerate(found or (), start=1):
        text = text_of(item, report, place=f"swipe {number}")
        if text is None:
            report.lost("the text", "it is no text", place=f"swipe {number}")
        texts.append(text or "")
    return tuple(texts)


def _swipe_id(value: JsonObject, count: int) -> int | None:
    found = value.get("swipe_id", 0)
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 9:
        found = int(found)
    if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < count:
        return found
    return None


def _info(value: JsonObject, number: int) -> JsonObject:
    infos = list_at(value, "swipe_info")
    info = infos[number] if number < len(infos) else None
    return info if isinstance(info, dict) else {}


def _text(value: JsonObject, shown: _Shown, number: int) -> ChatText:
    """Return an alternative without its kept fields; the shown one has the message's own."""
    info = _info(value, number)
    extra, sent_at = object_at(info, "extra"), time_of(info.get("send_date"))
    if number == shown.chosen:
        extra = object_at(value, "extra") or extra
        sent_at = time_of(value.get("send_date")) or sent_at
    unheard: list[Loss] = []
    reasoning = text_of(extra.get("reasoning"), Report("", unheard)) or ""
    return ChatText(
        parts=parts_of(shown.texts[number], extra), reasoning=reasoning, sent_at=sent_at
    )


def _kept(
    line: Line, texts: tuple[ChatText, ...], number: int, *, chosen: int, style: Style | None
) -> JsonObject:
    kept: JsonObject = {}
    info = _info(line.value, number)
    if number == chosen:
        kept["line"] = _line(line.value, texts, chosen)
    if info:
        kept["swipe"] = _without_reasoning(info, texts[number])
    if number == chosen and line.style != style:
        kept["raw"] = line.raw
    return kept


def _line(value: JsonObject, texts: tuple[ChatText, ...], chosen: int) -> JsonObject:
    """Return the message with references in place of what the turn itself holds."""
    line = _without_reasoning(value, texts[chosen])
    carried = [_prose(text) for text in texts]
    if value.get("mes") == carried[chosen]:
        line["mes"] = TEXT
    if isinstance(value.get("swipes"), list):
        swipes = list_at(value, "swipes")
        line["swipes"] = [
            TEXT if item == text else item for item, text in zip(swipes, carried, strict=False)
        ]
    if isinstance(value.get("swipe_info"), list):
        line["swipe_info"] = [
            SWIPE if number < len(texts) and item and isinstance(item, dict) else item
            for number, item in enumerate(list_at(value, "swipe_info"))
        ]
    return line


def _prose(text: ChatText) -> str:
    first = text.parts[0]
    return first.text if isinstance(first, TextPart) else ""


def _without_reasoning(value: JsonObject, text: ChatText) -> JsonObject:
    extra = value.get("extra")
    if isinstance(extra, dict) and text.reasoning and extra.get("reasoning") == text.reasoning:
        return {**value, "extra": {**extra, "reasoning": REASONING}}
    return dict(value)
