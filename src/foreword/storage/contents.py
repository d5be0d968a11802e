"""Versions and summaries: immutable content.

Above: `read_session`, `write_session`. Below: `tables`. Invariant: rows here are never updated.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select

from foreword.domain.digest import DIGEST_VERSION, content_digest
from foreword.domain.ids import SpeakerId, SummaryId, TurnId, VersionId
from foreword.domain.storable import storable_content, storable_text
from foreword.domain.summary import NewSummary, SourceTurn, Summary
from foreword.domain.turn import (
    Content,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Version,
)
from foreword.ports.store import NewVersion
from foreword.storage.keys import Keys, id_of
from foreword.storage.portions import portions
from foreword.storage.prepared import Prepared
from foreword.storage.survivals import survival_of, survival_text
from foreword.storage.tables import (
    summary,
    summary_child,
    summary_detail,
    summary_turn,
    version,
)

_ROLES = {role.value: role for role in Role}
_SHOWN_VERSION = select(
    version.c.id,
    version.c.turn_id,
    version.c.alt_no,
    version.c.role,
    version.c.speaker_id,
    version.c.tokens,
    version.c.digest,
    version.c.sent_at,
    version.c.text,
    version.c.parts,
    version.c.reasoning,
    version.c.extra,
    version.c.named,
)
_VERSIONS = _SHOWN_VERSION.where(version.c.id.in_(bindparam("ids", expanding=True)))
_ONE_VERSION = Prepared(_SHOWN_VERSION.where(version.c.id == bindparam("id")))
_TURNS_OF_VERSIONS = select(version.c.turn_id).where(
    version.c.id.in_(bindparam("ids", expanding=True))
)
_ADD_VERSION = Prepared(insert(version), names=[column.name for column in version.c])

_SUMMARIES = (
    select(summary, summary_detail.c.scene_time, summary_detail.c.survival)
    .outerjoin(summary_detail, summary_detail.c.summary_id == summary.c.id)
    .where(summary.c.id.in_(bindparam("ids", expanding=True)))
)
_SUMMARY_TEXTS = select(summary.c.id, summary.c.text).where(
    summary.c.id.in_(bindparam("ids", expanding=True))
)
_SCENE_TIMES = select(summary_detail.c.summary_id, summary_detail.c.scene_time).where(
    summary_detail.c.summary_id.in_(bindparam("ids", expanding=True)),
    summary_detail.c.scene_time != "",
)
_OF_SPAN = (
    select(summary.c.id)
    .where(
        summary.c.first_digest == bindparam("first"),
        summary.c.n_turns == bindparam("turns"),
        summary.c.id.between(bindparam("lowest"), bindparam("highest")),
        summary.c.span_digest == bindparam("span"),
    )
    .order_by(summary.c.id)
)
_TURNS = (
    select(summary_turn.c.summary_id, summary_turn.c.turn_id, summary_turn.c.digest)
    .where(summary_turn.c.summary_id.in_(bindparam("ids", expanding=True)))
    .order_by(summary_turn.c.summary_id, summary_turn.c.n)
)
_CHILDREN = (
    select(summary_child.c.summary_id, summary_child.c.child_id)
    .where(summary_child.c.summary_id.in_(bindparam("ids", expanding=True)))
    .order_by(summary_child.c.summary_id, summary_child.c.n)
)
_ADD_SUMMARY = insert(summary)
_ADD_TURN = insert(summary_turn)
_CHILDREN_OF = Prepared(
    select(summary_child.c.child_id)
    .where(summary_child.c.summary_id == bindparam("id"))
    .order_by(summary_child.c.n)
)
_ADD_CHILD = insert(summary_child)
_ADD_DETAIL = insert(summary_detail)


def versions_of(
    connection: Connection, keys: Keys, ids: Collection[VersionId]
) -> dict[VersionId, Version]:
    """Return the versions that there are among the ids."""
    wanted = {keys.of(version_id) for version_id in ids}
    if len(wanted) == 1:
        rows = _ONE_VERSION.rows(connection, {"id": wanted.pop()})
        return {one.id: one for one in map(_version, rows)}
    found: dict[VersionId, Version] = {}
    for portion in portions(wanted):
        for row in connection.execute(_VERSIONS, {"ids": portion}):
            one = _version(row)
            found[one.id] = one
    return found


def turns_of_versions(
    connection: Connection, keys: Keys, ids: Collection[VersionId]
) -> frozenset[TurnId]:
    """Return the turns of those of the versions that there are."""
    return frozenset(
        TurnId(turn)
        for portion in portions({keys.of(version_id) for version_id in ids})
        for turn in connection.scalars(_TURNS_OF_VERSIONS, {"ids": portion})
    )


def stored_version(new: NewVersion, version_id: VersionId) -> Version:
    """Return a version as it is going to be stored."""
    content = storable_content(new.content)
    return Version(
        id=version_id,
        turn_id=new.turn_id,
        alt_no=new.alt_no,
        content=content,
        tokens=new.tokens,
        digest=new.digest if content is new.content else content_digest(content),
    )


def add_versions(connection: Connection, keys: Keys, versions: Sequence[Version]) -> None:
    """Store versions; at least one."""
    _ADD_VERSION.run_all(
        connection,
        [
            {
                "id": keys.of(one.id),
                "turn_id": one.turn_id,
                "alt_no": one.alt_no,
                "role": one.content.role.value,
                "speaker_id": one.content.speaker,
                "tokens": one.tokens,
                "digest": one.digest,
                "digest_v": DIGEST_VERSION,
                "sent_at": one.content.sent_at,
                "text": _plain_text(one.content.parts) or "",
                "parts": _parts_json(one.content.parts),
                "reasoning": one.content.reasoning,
                "extra": one.content.extra,
                "named": int(one.content.named),
            }
            for one in versions
        ],
    )


def summaries_of(
    connection: Connection, keys: Keys, ids: Collection[SummaryId]
) -> dict[SummaryId, Summary]:
    """Return the summaries that there are among the ids."""
    found: dict[SummaryId, Summary] = {}
    for portion in portions({keys.of(summary_id) for summary_id in ids}):
        rows = connection.execute(_SUMMARIES, {"ids": portion}).all()
        turns: dict[int, list[SourceTurn]] = {}
        for key, turn_id, digest in connection.execute(_TURNS, {"ids": portion}):
            turns.setdefault(key, []).append(SourceTurn(turn_id=TurnId(turn_id), digest=digest))
        children: dict[int, list[SummaryId]] = {}
        for key, child in connection.execute(_CHILDREN, {"ids": portion}):
            children.setdefault(key, []).append(SummaryId(id_of(child)))
        for row in rows:
            summary_id = SummaryId(id_of(row.id))
            found[summary_id] = Summary(
                id=summary_id,
                layer=row.layer,
                depth=row.depth,
                text=row.text,
                tokens=row.tokens,
                first_digest=row.first_digest,
                n_turns=row.n_turns,
                span_digest=row.span_digest,
                maker=row.maker,
                turns=tuple(turns.get(row.id, ())),
                children=tuple(children.get(row.id, ())),
                reasoning=row.reasoning,
                context_digest=row.context_digest,
                edited_from=row.edited_from,
                scene_time=row.scene_time or "",
                survival=survival_of(row.survival),
            )
    return found


def children_of(connection: Connection, keys: Keys, summary_id: SummaryId) -> tuple[SummaryId, ...]:
    """Return what a summary merged, oldest first."""
    rows = _CHILDREN_OF.rows(connection, {"id": keys.of(summary_id)})
    return tuple(SummaryId(id_of(key)) for (key,) in rows)


def summary_texts(
    connection: Connection, keys: Keys, ids: Collection[SummaryId]
) -> dict[SummaryId, str]:
    """Return the texts of the summaries that there are among the ids; sources are not read."""
    return {
        SummaryId(id_of(key)): text
        for portion in portions({keys.of(summary_id) for summary_id in ids})
        for key, text in connection.execute(_SUMMARY_TEXTS, {"ids": portion})
    }


def scene_times(
    connection: Connection, keys: Keys, ids: Collection[SummaryId]
) -> dict[SummaryId, str]:
    """Return the scene times of the summaries that have one among the ids."""
    return {
        SummaryId(id_of(key)): time
        for portion in portions({keys.of(summary_id) for summary_id in ids})
        for key, time in connection.execute(_SCENE_TIMES, {"ids": portion})
    }


def summaries_of_span(
    connection: Connection, keys: Keys, span: tuple[bytes, int, bytes]
) -> tuple[Summary, ...]:
    """Return the conversation's summaries with this first digest, number of turns and digest."""
    first, turns, digest = span
    parameters = {
        "first": first,
        "turns": turns,
        "span": digest,
        "lowest": keys.first,
        "highest": keys.last,
    }
    ids = [SummaryId(id_of(key)) for key in connection.scalars(_OF_SPAN, parameters)]
    found = summaries_of(connection, keys, ids) if ids else {}
    return tuple(found[summary_id] for summary_id in ids)


def add_summary(
    connection: Connection, keys: Keys, new: NewSummary, summary_id: SummaryId
) -> Summary:
    """Store a summary with its sources and return it."""
    stored = Summary(
        id=summary_id,
        layer=new.layer,
        depth=new.depth,
        text=storable_text(new.text),
        tokens=new.tokens,
        first_digest=new.first_digest,
        n_turns=new.n_turns,
        span_digest=new.span_digest,
        maker=storable_text(new.maker),
        turns=new.turns,
        children=new.children,
        reasoning=storable_text(new.reasoning),
        context_digest=new.context_digest,
        edited_from=new.edited_from,
        scene_time=storable_text(new.scene_time),
        survival=new.survival,
    )
    key = keys.of(summary_id)
    connection.execute(
        _ADD_SUMMARY,
        {
            "id": key,
            "layer": stored.layer,
            "depth": stored.depth,
            "tokens": stored.tokens,
            "first_digest": stored.first_digest,
            "n_turns": stored.n_turns,
            "span_digest": stored.span_digest,
            "context_digest": stored.context_digest,
            "maker": stored.maker,
            "edited_from": stored.edited_from,
            "text": stored.text,
            "reasoning": stored.reasoning,
        },
    )
    if stored.scene_time or stored.survival is not None:
        detail = {"scene_time": stored.scene_time, "survival": survival_text(stored.survival)}
        connection.execute(_ADD_DETAIL, {"summary_id": key, **detail})
    turns = [
        {"summary_id": key, "n": n, "turn_id": turn.turn_id, "digest": turn.digest}
        for n, turn in enumerate(stored.turns)
    ]
    if turns:
        connection.execute(_ADD_TURN, turns)
    children = [
        {"summary_id": key, "n": n, "child_id": keys.of(child)}
        for n, child in enumerate(stored.children)
    ]
    if children:
        connection.execute(_ADD_CHILD, children)
    return stored


def _version(row: Sequence[Any]) -> Version:
    key, turn_id, alt_no, role, speaker, tokens, digest = row[:7]
    sent_at, text, parts, thought, extra, named = row[7:]
    return Version(
        id=VersionId(id_of(key)),
        turn_id=TurnId(turn_id),
        alt_no=alt_no,
        content=Content(
            role=_ROLES[role],
            speaker=SpeakerId(speaker),
            parts=_parts(text, parts),
            reasoning=thought,
            sent_at=sent_at,
            extra=extra,
            named=bool(named),
        ),
        tokens=tokens,
        digest=digest,
    )


def _plain_text(parts: tuple[Part, ...]) -> str | None:
    """Return the text of content that is one text part, None for any other."""
    match parts:
        case (TextPart(text=text),):
            return text
        case _:
            return None


def _parts_json(parts: tuple[Part, ...]) -> str:
    """Return the parts as JSON, or nothing when the text says it all."""
    if _plain_text(parts) is not None:
        return ""
    return json.dumps([_part_fields(part) for part in parts], ensure_ascii=False)


def _part_fields(part: Part) -> list[str]:
    match part:
        case TextPart():
            return ["text", part.text]
        case ToolCallPart():
            return ["tool_call", part.call_id, part.name, part.arguments]
        case ToolResultPart():
            return ["tool_result", part.call_id, part.text]
        case MediaPart():
            return ["media", part.media_type, part.reference]


def _parts(text: str, parts: str) -> tuple[Part, ...]:
    if not parts:
        return (TextPart(text=text),)
    return tuple(_part(fields) for fields in json.loads(parts))


def _part(fields: list[str]) -> Part:
    match fields:
        case ["text", text]:
            return TextPart(text=text)
        case ["tool_call", call_id, name, arguments]:
            return ToolCallPart(call_id=call_id, name=name, arguments=arguments)
        case ["tool_result", call_id, text]:
            return ToolResultPart(call_id=call_id, text=text)
        case ["media", media_type, reference]:
            return MediaPart(media_type=media_type, reference=reference)
        case _:
            raise ValueError(f"stored parts hold an unknown kind: {fields[:1]}")
