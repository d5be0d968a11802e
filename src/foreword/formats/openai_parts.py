"""What one message of a chat API holds, as parts of a turn.

Below `openai_message`, above `sillytavern_fields`. Takes the kinds of OpenAI's chat completions and
responses and those of Anthropic's messages, since gateways record both under one name. Invariant:
every text becomes a part; whatever else becomes none stands in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from foreword.domain.storable import storable_text
from foreword.domain.turn import MediaPart, Part, TextPart, ToolCallPart, ToolResultPart
from foreword.formats.json_lines import JsonObject, JsonValue, refuse_deep, to_json
from foreword.formats.media import media_part, media_type_of
from foreword.formats.sillytavern_fields import Report, list_at, object_at, text_of

_ONLY_A_DIGEST: Final = "files written into a message are not kept, only their digest"


def content_parts(value: JsonValue, report: Report) -> Iterator[Part]:
    """Yield the parts of a message's content: a text, a list of parts, or nothing."""
    if value is None:
        return
    if isinstance(value, list):
        for number, item in enumerate(value, start=1):
            yield from _part(item, number, report)
        return
    if isinstance(value, dict):
        yield from _part(value, 1, report)
        return
    text = text_of(value, report)
    if text is None:
        report.lost("the content", "it is no text and no list of parts")
    else:
        yield TextPart(text=text)


def call_parts(value: JsonObject, report: Report) -> Iterator[ToolCallPart]:
    """Yield the calls of tools in a message, of today's form and of that before it."""
    calls = value.get("tool_calls")
    if calls is not None and not isinstance(calls, list):
        report.lost("the calls of tools", "they are no list")
    for number, call in enumerate(list_at(value, "tool_calls"), start=1):
        if not isinstance(call, dict):
            report.lost("a call of a tool", "it is no JSON object", place=f"call {number}")
            continue
        function = object_at(call, "function") or object_at(call, "custom")
        yield ToolCallPart(
            call_id=words(call.get("id")) or f"call_{number}",
            name=words(function.get("name")) or "tool",
            arguments=words(function.get("arguments", function.get("input"))),
        )
    function = object_at(value, "function_call")
    if function:
        name = words(function.get("name")) or "tool"
        yield ToolCallPart(call_id=name, name=name, arguments=words(function.get("arguments")))


def result_parts(call_id: str, value: JsonValue, report: Report) -> Iterator[Part]:
    """Yield the answer of a tool: each of its texts, and its media."""
    parts = list(content_parts(value, report)) or [TextPart(text="")]
    for part in parts:
        if isinstance(part, TextPart):
            yield ToolResultPart(call_id=call_id, text=part.text)
        else:
            yield part


def words(value: JsonValue) -> str:
    """Return a field as storable text: a text as it is, nothing as empty, all else as JSON.

    Raises:
        ValueError: it is nested too deep.
    """
    if isinstance(value, str):
        return storable_text(value)
    if value is None:
        return ""
    refuse_deep(value)
    return storable_text(to_json(value))


def _part(item: JsonValue, number: int, report: Report) -> Iterator[Part]:
    place = f"part {number}"
    if isinstance(item, str):
        yield TextPart(text=text_of(item, report, place=place) or "")
        return
    if not isinstance(item, dict):
        report.lost("a part", "it is no JSON object", place=place)
        return
    kind = item.get("type")
    kind = kind if isinstance(kind, str) else ""
    if kind in _REASONING:
        return
    read = _KINDS.get(kind)
    found = tuple(read(item, report)) if read else ()
    if found:
        yield from found
        return
    text = item.get("text")
    if isinstance(text, str):
        yield TextPart(text=text_of(text, report, place=place) or "")
    what = "certainty about a part" if isinstance(text, str) else "a part"
    report.lost(what, f"it is of the kind {kind[:40]!r}, or says nothing of it", place=place)


_REASONING: Final = frozenset({"thinking", "reasoning", "redacted_thinking"})


def reasoning_in(value: JsonValue) -> str:
    """Return what a list of parts says as the model's thoughts."""
    found = [
        words(item.get("thinking") or item.get("text"))
        for item in (value if isinstance(value, list) else ())
        if isinstance(item, dict) and words(item.get("type")) in _REASONING
    ]
    return "\n\n".join(text for text in found if text)


def _text(item: JsonObject, report: Report) -> Iterator[Part]:
    text = text_of(item.get("text"), report)
    if text is not None:
        yield TextPart(text=text)


def _refusal(item: JsonObject, report: Report) -> Iterator[Part]:
    text = text_of(item.get("refusal"), report)
    if text is not None:
        yield TextPart(text=text)


def _image(item: JsonObject, report: Report) -> Iterator[Part]:
    holder = object_at(item, "image_url")
    found = holder.get("url") if holder else item.get("image_url")
    detail = (holder or item).get("detail")
    reference = words(found) or words(item.get("file_id"))
    if detail not in {None, "auto"} and isinstance(detail, str):
        report.lost("the detail of a picture", f"there is no place for {detail[:20]!r}")
    if reference:
        yield _media(reference, "image", report)


def _audio(item: JsonObject, report: Report) -> Iterator[Part]:
    audio = object_at(item, "input_audio")
    data, form = words(audio.get("data")), words(audio.get("format")) or "*"
    if data:
        yield _media(f"data:audio/{form};base64,{data}", "audio", report)


def _file(item: JsonObject, report: Report) -> Iterator[Part]:
    file = object_at(item, "file") or item
    kind = media_type_of(words(file.get("filename")), "file")
    named = words(file.get("file_id")) or words(file.get("file_url"))
    data = words(file.get("file_data"))
    if data and not named:
        yield _media(data if data.startswith("data:") else f"data:{kind},{data}", kind, report)
    elif named or file.get("filename"):
        yield _media(named or words(file.get("filename")), kind, report)


def _source(item: JsonObject, report: Report) -> Iterator[Part]:
    """Read a picture or document in Anthropic's form."""
    source = object_at(item, "source")
    kind = words(source.get("media_type")) or words(item.get("type"))
    if source.get("type") == "text" and isinstance(source.get("data"), str):
        yield TextPart(text=words(source.get("data")))
        return
    data = words(source.get("data"))
    reference = words(source.get("url") or source.get("file_id"))
    if data or reference:
        yield _media(f"data:{kind};base64,{data}" if data else reference, kind, report)


def _tool_use(item: JsonObject, _report: Report) -> Iterator[Part]:
    name = words(item.get("name")) or "tool"
    arguments = words(item.get("input", item.get("arguments")))
    yield ToolCallPart(call_id=words(item.get("id")) or name, name=name, arguments=arguments)


def _tool_result(item: JsonObject, report: Report) -> Iterator[Part]:
    refuse_deep(item)
    call_id = words(item.get("tool_use_id") or item.get("name"))
    return result_parts(call_id, item.get("content"), report)


def _media(reference: str, kind: str, report: Report) -> MediaPart:
    if reference.startswith("data:"):
        report.lost("a file", _ONLY_A_DIGEST)
    return media_part(reference, kind)


_KINDS: Final[Mapping[str, Callable[[JsonObject, Report], Iterator[Part]]]] = {
    "text": _text,
    "input_text": _text,
    "output_text": _text,
    "refusal": _refusal,
    "image_url": _image,
    "input_image": _image,
    "input_audio": _audio,
    "file": _file,
    "input_file": _file,
    "image": _source,
    "document": _source,
    "tool_use": _tool_use,
    "server_tool_use": _tool_use,
    "tool_result": _tool_result,
    "web_search_tool_result": _tool_result,
}
