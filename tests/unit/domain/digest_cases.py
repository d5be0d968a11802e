"""What the committed digest vectors are of; the vectors themselves are in `digest_vectors.json`.

`written()` was run once to make that file. Changing the canonical form must fail the tests, not
rewrite the file: another form needs another version number and another file.
"""

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import replace

from foreword.domain.digest import content_digest, match_key, span_digest
from foreword.domain.ids import SpeakerId
from foreword.domain.turn import (
    Content,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)


def said(*parts: Part | str, role: Role = Role.USER, speaker: str = "a1") -> Content:
    """Make a content; strings stand for prose."""
    made = tuple(TextPart(text=part) if isinstance(part, str) else part for part in parts)
    return Content(role=role, speaker=SpeakerId(speaker), parts=made)


NAME = "Zoë Ångström"
CALL = ToolCallPart(call_id="c1", name="look", arguments='{"at":"ferry"}')

CONTENTS: Mapping[str, Content] = {
    "one text": said("The ferry left."),
    "another speaker": said("The ferry left.", speaker="b2"),
    "no speaker": said("The ferry left.", speaker=""),
    **{f"role {role.value}": said("Hm.", role=role) for role in Role},
    "composed": said(unicodedata.normalize("NFC", NAME)),
    "decomposed": said(unicodedata.normalize("NFD", NAME)),
    "capitals": said(NAME.upper()),
    "wide": said("灯籠の道、🐉‍🔥"),
    "right to left": said("العَرَبِيَّة"),
    "half a pair": said("\ud83d"),
    "nul": said("a\x00b"),
    "empty text": said(""),
    "no part": said(),
    "two empty texts": said("", ""),
    "space": said(" "),
    "line end": said("The ferry left.\n"),
    "one part": said("ab"),
    "two parts": said("a", "b"),
    "other two parts": said("", "ab"),
    "paragraphs": said("a\n\nb"),
    "text that looks like a frame": said("a\x00\x00\x00\x00\x00\x00\x00\x04text"),
    "text that names a kind": said("text", "media"),
    "call": said(CALL, role=Role.ASSISTANT),
    "call with shifted fields": said(
        ToolCallPart(call_id="c1l", name="ook", arguments='{"at":"ferry"}'), role=Role.ASSISTANT
    ),
    "call as text": said('look({"at":"ferry"})', role=Role.ASSISTANT),
    "call after text": said("Look.", CALL, role=Role.ASSISTANT),
    "text after call": said(CALL, "Look.", role=Role.ASSISTANT),
    "result": said(ToolResultPart(call_id="c1", text="Gone."), role=Role.TOOL),
    "result of another call": said(ToolResultPart(call_id="c2", text="Gone."), role=Role.TOOL),
    "result as media": said(MediaPart(media_type="c1", reference="Gone."), role=Role.TOOL),
    "media": said(MediaPart(media_type="image/png", reference="blob:1")),
    "media with shifted fields": said(MediaPart(media_type="image/pngb", reference="lob:1")),
}

SPANS: Mapping[str, tuple[str, ...]] = {
    "nothing": (),
    "one": ("one text",),
    "two": ("one text", "composed"),
    "two in the other order": ("composed", "one text"),
    "one twice": ("one text", "one text"),
}

MATCHES: Mapping[str, str] = {
    "plain": "The ferry left.",
    "empty": "",
    "name": NAME,
    "wide": "灯籠の道",
}


def written() -> str:
    """Return the vectors as the JSON file that is committed."""
    digests = {name: content_digest(content) for name, content in CONTENTS.items()}
    spans = {
        name: span_digest(digests[one] for one in contents) for name, contents in SPANS.items()
    }
    keys = {name: match_key(text) for name, text in MATCHES.items()}
    vectors = {"contents": digests, "spans": spans, "match_keys": keys}
    as_hex = {
        kind: {name: value.hex() for name, value in values.items()}
        for kind, values in vectors.items()
    }
    return json.dumps(as_hex, indent=2) + "\n"


def with_what_no_model_reads(content: Content) -> Content:
    """Return the content with fields that are not part of its digest."""
    return replace(content, reasoning="I wonder.", sent_at="2026-11-30", extra='{"swipe_id":1}')
