"""Kept prompts in a database: one row each, their own texts once.

Above: `records`. Below: `tables`. Invariant: a text stands in `plan_text` exactly as long as a
prompt of its conversation holds it.

Source: DECISIONS D1, plan.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b

from sqlalchemy import Connection, RowMapping, bindparam, delete, exists, func, insert, select

from foreword.domain.digest import DIGEST_SIZE
from foreword.domain.ids import BranchId, PlanId, Rev, SummaryId, VersionId
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role
from foreword.planning.coverage import Coverage, Dropped, Section, SectionName
from foreword.planning.records import (
    KeptMessage,
    NewRecord,
    Piece,
    PlainText,
    Record,
    SummaryText,
    TurnText,
)
from foreword.storage.keys import EVERYWHERE, Keys, id_of
from foreword.storage.portions import portions
from foreword.storage.tables import plan, plan_reply, plan_text, plan_use

_LAST = select(func.max(plan.c.id)).where(plan.c.id.between(bindparam("first"), bindparam("last")))
_OF_BRANCH = select(plan.c.id).where(plan.c.branch_id == bindparam("branch"))
_IDS = _OF_BRANCH.order_by(plan.c.id.desc())
_NEWEST_IDS = _IDS.limit(bindparam("size"))
_UNANSWERED = (
    _IDS.where(~exists().where(plan_reply.c.plan_id == plan.c.id))
    .limit(EVERYWHERE)
    .offset(bindparam("skip"))
)
_PLANS = select(plan).where(plan.c.id.in_(bindparam("ids", expanding=True))).order_by(plan.c.id)
_REPLIES = (
    select(plan_reply.c.plan_id, plan_reply.c.version_id)
    .where(plan_reply.c.plan_id.in_(bindparam("ids", expanding=True)))
    .order_by(plan_reply.c.version_id)
)
_OF_REPLY = select(plan_reply.c.plan_id).where(plan_reply.c.version_id == bindparam("version"))
_TEXTS = select(plan_text.c.digest, plan_text.c.text).where(
    plan_text.c.conversation_no == bindparam("conversation"),
    plan_text.c.digest.in_(bindparam("digests", expanding=True)),
)
_USED = select(plan_use.c.digest).where(plan_use.c.plan_id.in_(bindparam("ids", expanding=True)))
_STILL_USED = (
    select(plan_use.c.digest)
    .distinct()
    .where(
        plan_use.c.digest.in_(bindparam("digests", expanding=True)),
        plan_use.c.plan_id.between(bindparam("first"), bindparam("last")),
    )
)
_ADD_PLAN = insert(plan)
_ADD_TEXT = insert(plan_text)
_ADD_USE = insert(plan_use)
_ADD_REPLY = insert(plan_reply)
_DROP_PLANS = delete(plan).where(plan.c.id.in_(bindparam("ids", expanding=True)))
_DROP_USES = delete(plan_use).where(plan_use.c.plan_id.in_(bindparam("ids", expanding=True)))
_DROP_REPLIES = delete(plan_reply).where(plan_reply.c.plan_id.in_(bindparam("ids", expanding=True)))
_DROP_REPLY = delete(plan_reply).where(plan_reply.c.version_id == bindparam("version"))
_DROP_TEXTS = delete(plan_text).where(
    plan_text.c.conversation_no == bindparam("conversation"),
    plan_text.c.digest.in_(bindparam("digests", expanding=True)),
)

Digests = Mapping[bytes, str]


def record_ids(
    connection: Connection, keys: Keys, branch: BranchId, limit: int | None
) -> tuple[PlanId, ...]:
    """Return the prompts of a branch, newest first."""
    parameters = {"branch": keys.of(branch)}
    found = (
        connection.scalars(_IDS, parameters)
        if limit is None
        else connection.scalars(_NEWEST_IDS, {**parameters, "size": limit})
    )
    return tuple(PlanId(id_of(key)) for key in found)


def unanswered_records(
    connection: Connection, keys: Keys, branch: BranchId, skip: int
) -> tuple[PlanId, ...]:
    """Return prompts that no reply was written from, newest first, without the newest `skip`."""
    parameters = {"branch": keys.of(branch), "skip": skip}
    return tuple(PlanId(id_of(key)) for key in connection.scalars(_UNANSWERED, parameters))


def records_of(connection: Connection, keys: Keys, ids: Collection[PlanId]) -> tuple[Record, ...]:
    """Return the prompts that there are among the ids, oldest first."""
    found: list[Record] = []
    for portion in portions(sorted({keys.of(one) for one in ids})):
        rows = connection.execute(_PLANS, {"ids": portion}).mappings().all()
        replies: dict[int, list[VersionId]] = {}
        for key, version in connection.execute(_REPLIES, {"ids": portion}):
            replies.setdefault(key, []).append(VersionId(id_of(version)))
        texts = _texts(connection, keys, connection.scalars(_USED, {"ids": portion}).all())
        found += [_record(row, texts, replies.get(row["id"], ())) for row in rows]
    return tuple(found)


def record_of_reply(connection: Connection, keys: Keys, version: VersionId) -> PlanId | None:
    """Return the prompt that a version was written from."""
    key = connection.scalar(_OF_REPLY, {"version": keys.of(version)})
    return None if key is None else PlanId(id_of(key))


def add_record(connection: Connection, keys: Keys, new: NewRecord) -> PlanId:
    """Store a prompt and those of its texts that are not stored yet."""
    last = connection.scalar(_LAST, {"first": keys.first, "last": keys.last})
    record = PlanId(1 if last is None else id_of(last) + 1)
    texts = {_digest(text): text for text in map(storable_text, new.texts)}
    connection.execute(_ADD_PLAN, _values(keys, record, new))
    known = _texts(connection, keys, texts)
    missing = [
        {"conversation_no": keys.no, "digest": digest, "text": text}
        for digest, text in texts.items()
        if digest not in known
    ]
    if missing:
        connection.execute(_ADD_TEXT, missing)
    if texts:
        uses = [{"plan_id": keys.of(record), "digest": digest} for digest in texts]
        connection.execute(_ADD_USE, uses)
    return record


def link_reply(connection: Connection, keys: Keys, record: PlanId, version: VersionId) -> None:
    """Store what a version was written from, where that is still there."""
    if records_of(connection, keys, [record]):
        connection.execute(_DROP_REPLY, {"version": keys.of(version)})
        row = {"version_id": keys.of(version), "plan_id": keys.of(record)}
        connection.execute(_ADD_REPLY, row)


def drop_records(connection: Connection, keys: Keys, ids: Collection[PlanId]) -> None:
    """Delete prompts, and the texts that were theirs alone."""
    for portion in portions(sorted({keys.of(one) for one in ids})):
        held = set(connection.scalars(_USED, {"ids": portion}))
        for statement in (_DROP_REPLIES, _DROP_USES, _DROP_PLANS):
            connection.execute(statement, {"ids": portion})
        for digests in portions(sorted(held)):
            range_of = {"first": keys.first, "last": keys.last}
            still = set(connection.scalars(_STILL_USED, {"digests": digests, **range_of}))
            gone = [one for one in digests if one not in still]
            if gone:
                connection.execute(_DROP_TEXTS, {"conversation": keys.no, "digests": gone})


def _texts(connection: Connection, keys: Keys, digests: Iterable[bytes]) -> dict[bytes, str]:
    found: dict[bytes, str] = {}
    for portion in portions(sorted(set(digests))):
        rows = connection.execute(_TEXTS, {"conversation": keys.no, "digests": portion})
        found.update((bytes(digest), text) for digest, text in rows)
    return found


def _values(keys: Keys, record: PlanId, new: NewRecord) -> dict[str, int | str | bytes]:
    coverage, dropped = new.coverage, new.dropped
    proof = {
        "verbatim": coverage.verbatim,
        "covered": coverage.covered,
        "masked": coverage.masked,
        "hidden": coverage.hidden,
        "dropped": coverage.dropped,
        "turns": coverage.turns,
        "dropped_tokens": dropped.tokens,
        "limit": new.limit,
        "context": new.context,
        "reply": new.reply,
    }
    messages = [
        [message.role.value, message.section.value, [_written(one) for one in message.pieces]]
        for message in new.messages
    ]
    return {
        "id": keys.of(record),
        "branch_id": keys.of(new.branch),
        "rev": new.rev,
        "cover_version": new.cover_version,
        "at": new.at,
        "sections": _json([[part.name.value, part.tokens, part.turns] for part in new.sections]),
        "proof": _json(proof),
        "prefix_digest": new.prefix_digest,
        "messages": zlib.compress(_json(messages).encode()),
    }


def _record(row: RowMapping, texts: Digests, replies: Sequence[VersionId]) -> Record:
    proof = json.loads(row["proof"])
    counts = ("verbatim", "covered", "masked", "hidden", "dropped", "turns")
    return Record(
        id=PlanId(id_of(row["id"])),
        branch=BranchId(id_of(row["branch_id"])),
        rev=Rev(row["rev"]),
        cover_version=row["cover_version"],
        at=row["at"],
        messages=tuple(_messages(zlib.decompress(row["messages"]), texts)),
        sections=tuple(
            Section(name=SectionName(name), tokens=tokens, turns=turns)
            for name, tokens, turns in json.loads(row["sections"])
        ),
        coverage=Coverage(**{name: proof[name] for name in counts}),
        dropped=Dropped(turns=proof["dropped"], tokens=proof["dropped_tokens"]),
        limit=proof["limit"],
        context=proof["context"],
        reply=proof["reply"],
        prefix_digest=bytes(row["prefix_digest"]),
        replies=tuple(replies),
    )


def _messages(data: bytes, texts: Digests) -> Iterator[KeptMessage]:
    for role, section, pieces in json.loads(data):
        yield KeptMessage(
            role=Role(role),
            section=SectionName(section),
            pieces=tuple(_piece(one, texts) for one in pieces),
        )


def _written(piece: Piece) -> list[str | int]:
    match piece:
        case PlainText():
            return ["text", _digest(storable_text(piece.text)).hex()]
        case TurnText():
            return ["turn", piece.version_id]
        case SummaryText():
            return ["summary", piece.summary_id]


def _piece(fields: list[str | int], texts: Digests) -> Piece:
    match fields:
        case ["text", str(digest)]:
            return PlainText(texts[bytes.fromhex(digest)])
        case ["turn", int(version)]:
            return TurnText(VersionId(version))
        case ["summary", int(summary)]:
            return SummaryText(SummaryId(summary))
        case _:
            raise ValueError(f"a kept prompt holds an unknown kind of text: {fields[:1]}")


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=DIGEST_SIZE).digest()


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
