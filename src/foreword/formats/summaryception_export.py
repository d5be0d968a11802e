"""Writes a branch as a SillyTavern chat with its summaries in Summaryception's store.

Above: `registry`. Below: `sillytavern_export`, `summaryception`. Invariant: every turn that a
summary stands for is hidden in the file and owned by the store, and no other turn is; a message
that somebody else hid is in no summary.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from foreword.domain.amounts import counted
from foreword.domain.ids import BranchId, Pos
from foreword.domain.interchange import BranchState, Bundle, Loss
from foreword.domain.summary import CoverRow, CoverState
from foreword.formats.json_lines import JsonObject, JsonValue
from foreword.formats.sillytavern_export import ChatFile, encoded, fill, left_out, opened
from foreword.formats.sillytavern_fields import list_at, object_at
from foreword.formats.sillytavern_new import new_header, slug_of
from foreword.formats.sillytavern_rebuilding import raw_value
from foreword.formats.snapshot import state_of
from foreword.formats.summaryception import MAX_LAYERS, plain_text, snippets_of
from foreword.ports.format import Written

_DATE = "current_date_time:"
_OLDER_KEYS = frozenset({"summarizedUpTo", "ghostedIndices"})
_NEWER_KEYS = frozenset({"ghostedMessageIds"})


class SummaryceptionWriter:
    """Writes the store that names messages by id, as Summaryception 20 and later reads it."""

    @property
    def name(self) -> str:
        """See Writer.name."""
        return "summaryception"

    def write(self, bundle: Bundle, branch: BranchId) -> Written:
        """See Writer.write."""
        chat, spans = _with_ghosts(bundle, branch)
        ids = _identified(chat, bundle, branch)
        old = _store(chat)
        known = {
            _members(snippet): snippet
            for _, _, snippet in snippets_of(old)
            if list_at(snippet, "sourceMessageIds")
        }
        layers = _layers(spans)
        for span in spans:
            members = [ids[number] for number in span.turns]
            _add(layers, span, _kept(known, members, span) or _newer(span, members))
        ghosts: list[JsonValue] = [ids[number] for span in spans for number in span.turns]
        kept = {key: value for key, value in old.items() if key not in _OLDER_KEYS}
        store: JsonObject = {**kept, "layers": layers, "ghostedMessageIds": ghosts}
        return _written(chat, store, bundle, branch)


class OlderSummaryceptionWriter:
    """Writes the store that names messages by index, as Summaryception 5 reads it."""

    @property
    def name(self) -> str:
        """See Writer.name."""
        return "summaryception-5"

    def write(self, bundle: Bundle, branch: BranchId) -> Written:
        """See Writer.write."""
        chat, spans = _with_ghosts(bundle, branch)
        covered = sorted(number for span in spans for number in span.turns)
        _flag(chat, frozenset(covered))
        layers = _layers(spans)
        for span in spans:
            _add(layers, span, {**snippet_of(span), "turnRange": [span.turns[0], span.turns[-1]]})
        kept = {key: value for key, value in _store(chat).items() if key not in _NEWER_KEYS}
        store: JsonObject = {
            **kept,
            "layers": layers,
            "summarizedUpTo": max(covered, default=-1),
            "ghostedIndices": [*covered],
        }
        chat.losses += _holes(chat, covered)
        return _written(chat, store, bundle, branch)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A summary in force, as the store needs it."""

    text: str
    turns: tuple[int, ...]
    """Indexes of the turns it stands for."""
    layer: int
    merged: int
    """So many summaries were merged into it."""


def _with_ghosts(bundle: Bundle, branch: BranchId) -> tuple[ChatFile, tuple[Span, ...]]:
    """Return the file with its messages, and the summaries in force; what they cover is hidden."""
    state = state_of(bundle, branch)
    spans = _spans(bundle, state)
    chat = opened(bundle, branch)
    fill(chat, frozenset(number for span in spans for number in span.turns))
    stale = sum(row.state is CoverState.STALE for row in state.cover)
    if stale:
        why = "their turns read differently now, and are sent in full"
        what = counted(stale, "outdated summary")
        chat.losses.append(Loss(where="the branch", what=what, why=why))
    return chat, spans


def _spans(bundle: Bundle, state: BranchState) -> tuple[Span, ...]:
    """Return the summaries in force, oldest first, their layers never rising with time."""
    summaries = {summary.id: summary for summary in bundle.summaries}
    rows = sorted(
        (row for row in state.cover if row.state is CoverState.USED), key=lambda row: row.from_pos
    )
    places = [entry.pos for entry in state.entries]
    spans: list[Span] = []
    layer = 0
    for row in reversed(rows):
        # Layers are told from the deepest: an older summary may not stand in a later layer.
        summary = summaries[row.summary_id]
        layer = min(MAX_LAYERS - 1, max(layer, summary.depth - 1))
        spans.append(
            Span(
                text=_dated(summary.text, summary.scene_time),
                turns=_turns(state, places, row),
                layer=layer,
                merged=len(summary.children),
            )
        )
    return tuple(reversed(spans))


def _turns(state: BranchState, places: Sequence[Pos], row: CoverRow) -> tuple[int, ...]:
    inside = range(bisect_left(places, row.from_pos), bisect_right(places, row.to_pos))
    return tuple(number for number in inside if not state.entries[number].hidden)


def _identified(chat: ChatFile, bundle: Bundle, branch: BranchId) -> list[str]:
    """Give every message an `sc_id`, unless it has one of its own, and return them."""
    entries = state_of(bundle, branch).entries
    ids: dict[str, None] = {}
    for number, entry in enumerate(entries):
        value = _value(chat, number)
        own = value.get("sc_id")
        if not isinstance(own, str) or not own or own in ids:
            own = slug_of(bundle.created_at, "sc_id", entry.turn_id)
            chat.messages[number] = {**value, "sc_id": own}
        ids[own] = None
    return list(ids)


def _flag(chat: ChatFile, covered: frozenset[int]) -> None:
    """Mark the messages that the older store hides, and no others."""
    for number in range(len(chat.messages)):
        value = _value(chat, number)
        extra = object_at(value, "extra")
        if (extra.get("sc_ghosted") is True) != (number in covered):
            rest = {key: item for key, item in extra.items() if key != "sc_ghosted"}
            own: JsonObject = {"sc_ghosted": True} if number in covered else {}
            chat.messages[number] = {**value, "extra": {**rest, **own}}


def _value(chat: ChatFile, number: int) -> JsonObject:
    """Return a message as an object, whether it is written anew or as it stood."""
    message, kept = chat.messages[number], chat.kept[number]
    if isinstance(message, dict):
        return message
    return raw_value(kept) if kept else {}


def _store(chat: ChatFile) -> JsonObject:
    return object_at(object_at(chat.header or {}, "chat_metadata"), "summaryception")


def _members(snippet: JsonObject) -> frozenset[JsonValue]:
    return frozenset(one for one in list_at(snippet, "sourceMessageIds") if isinstance(one, str))


def _kept(
    known: Mapping[frozenset[JsonValue], JsonObject], members: Iterable[str], span: Span
) -> JsonObject | None:
    """Return the snippet that was there before, where it says the same of the same messages."""
    snippet = known.get(frozenset(members))
    return snippet if snippet is not None and plain_text(snippet) == span.text else None


def _newer(span: Span, members: Sequence[str]) -> JsonObject:
    date = _date_of(span.text)
    dated: JsonObject = {"currentDateTime": date} if date else {}
    return {**snippet_of(span), "sourceMessageIds": [*members], **dated}


def snippet_of(span: Span) -> JsonObject:
    """Return a snippet without what it stands for; `plain_text` gives the words back."""
    body, _, last = span.text.rpartition("\n")
    if _date_of(span.text):
        text = f"<narrative>{body.strip()}</narrative>\n{last.strip()}"
    else:
        text = f"<narrative>{span.text.strip()}</narrative>"
    snippet: JsonObject = {"text": text}
    if span.layer:
        snippet |= {"promoted": True, "fromLayer": span.layer - 1}
    if span.merged:
        snippet["mergedCount"] = span.merged
    return snippet


def _date_of(text: str) -> str:
    body, _, last = text.rpartition("\n")
    return last.strip().removeprefix(_DATE).strip() if body and last.startswith(_DATE) else ""


def _dated(text: str, scene_time: str) -> str:
    """Return the words of a summary with the time that it ends at as their last line."""
    if not scene_time or _date_of(text):
        return text
    return f"{text}\n{_DATE} {' '.join(scene_time.split())}"


def _layers(spans: Sequence[Span]) -> list[JsonValue]:
    return [[] for _ in range(1 + max((span.layer for span in spans), default=0))]


def _add(layers: list[JsonValue], span: Span, snippet: JsonObject) -> None:
    layer = layers[span.layer]
    if isinstance(layer, list):
        layer.append(snippet)


def _holes(chat: ChatFile, covered: Sequence[int]) -> list[Loss]:
    """Name the turns that the older store takes for summarised although no summary has them."""
    inside = set(covered)
    left = [
        number + 1
        for number in range(max(covered, default=-1) + 1)
        if number not in inside and not chat.turns[number].hidden
    ]
    if not left:
        return []
    why = "it takes everything before its newest summary for summarised; they are sent in full"
    return [
        Loss(
            where=f"turn {left[0]}", what=f"{counted(len(left), 'turn')} without a summary", why=why
        )
    ]


def _written(chat: ChatFile, store: JsonObject, bundle: Bundle, branch: BranchId) -> Written:
    """Return the file with its new store; the old one stays where nothing in it is different."""
    header = chat.header or new_header(bundle)
    metadata = object_at(header, "chat_metadata")
    epoch = store.get("mutationEpoch")
    if store != object_at(metadata, "summaryception"):
        number = epoch if isinstance(epoch, int) and not isinstance(epoch, bool) else 0
        store = {**store, "mutationEpoch": number + 1}
        chat.header = {**header, "chat_metadata": {**metadata, "summaryception": store}}
        chat.raw_header = ""
    losses = [*chat.losses, *left_out(bundle, branch, summaries=False)]
    return Written(data=encoded(chat), losses=tuple(losses))
