"""Conversations and their branches, as rows.

Above: `store`, `read_session`, `write_session`. Below: `tables`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import AccountId, BranchId, ConversationId, Pos, Rev
from foreword.domain.storable import storable_text
from foreword.storage.account_texts import CHANGED_TEXTS
from foreword.storage.dialects import POSTGRES
from foreword.storage.keys import Keys, id_of
from foreword.storage.prepared import Prepared, Rows
from foreword.storage.tables import branch, changes, conversation

_SHOWN = [column for column in conversation.c if column.name != "source"]
"""A header may be large: it is read and written by itself."""
_TEXT_CHANGES = (
    select(changes.c.count)
    .where(changes.c.of == CHANGED_TEXTS)
    .scalar_subquery()
    .label("text_changes")
)
_ONE = select(*_SHOWN, _TEXT_CHANGES).where(
    conversation.c.id == bindparam("id"), conversation.c.account_id == bindparam("account")
)
_ONE_TO_CHANGE = _ONE.with_for_update(of=conversation)
"""On PostgreSQL writers of one conversation wait here; on SQLite they have waited before."""
_TAKEN = select(conversation.c.no).where(conversation.c.id == bindparam("id"))
_ALL = (
    select(*_SHOWN)
    .where(conversation.c.account_id == bindparam("account"), conversation.c.deleted == 0)
    .order_by(conversation.c.no)
)
_REVISIONS = select(conversation.c.id, conversation.c.rev).where(
    conversation.c.account_id == bindparam("account")
)
_REVISION = _REVISIONS.where(conversation.c.id == bindparam("id"))
_READ_ONE = Prepared(_ONE)
_ADD = insert(conversation)
_CHANGE = update(conversation).where(conversation.c.no == bindparam("b_no"))
_SOURCE = select(conversation.c.source).where(conversation.c.no == bindparam("no"))

_BRANCH = Prepared(select(branch).where(branch.c.id == bindparam("id")))
_BRANCHES = (
    select(branch)
    .where(branch.c.id.between(bindparam("lowest"), bindparam("highest")))
    .order_by(branch.c.id)
)
_ADD_BRANCH = insert(branch)
_CHANGE_BRANCH = update(branch).where(branch.c.id == bindparam("b_id"))
_MOVE_BRANCH = Prepared(
    _CHANGE_BRANCH,
    names=[
        "b_id",
        "tip_pos",
        "visible_turns",
        "visible_tokens",
        "hidden_turns",
        "cover_version",
        "acknowledged",
    ],
)
"""Changes what an op changes of a branch, or may."""
_MOVE = Prepared(
    _CHANGE,
    names=[
        "b_no",
        "rev",
        "current_branch",
        "deleted",
        "last_turn",
        "last_version",
        "last_summary",
        "last_branch",
    ],
)
"""Changes what an op changes, or may."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counters:
    """The highest ids that were ever given out in a conversation."""

    turn: int = 0
    version: int = 0
    summary: int = 0
    branch: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """A conversation with what only the database knows of it."""

    keys: Keys
    conversation: Conversation
    counters: Counters
    text_changes: int = 0
    """How often texts of accounts were changed until now."""


def find_record(
    connection: Connection,
    account: AccountId,
    conversation_id: ConversationId,
    *,
    to_change: bool = False,
) -> Record | None:
    """Return the account's conversation of that id, a deleted one too.

    Args:
        connection: in a transaction.
        account: whose it must be.
        conversation_id: its id.
        to_change: wait for others that change it, and have them wait for this transaction.
    """
    parameters = {"id": storable_text(conversation_id), "account": account}
    rows: Rows
    if to_change and connection.dialect.name == POSTGRES:
        rows = connection.execute(_ONE_TO_CHANGE, parameters).all()
    else:
        rows = _READ_ONE.rows(connection, parameters)
    return _record(rows[0], text_changes=rows[0][-1] or 0) if rows else None


def conversations_of(
    connection: Connection, account: AccountId, *, title: str | None, origin: str | None
) -> tuple[Conversation, ...]:
    """Return the account's conversations that are not deleted, oldest first, see `Store`."""
    wanted = _ALL
    if title is not None:
        wanted = wanted.where(conversation.c.title == storable_text(title))
    if origin is not None:
        wanted = wanted.where(conversation.c.origin == storable_text(origin))
    rows = connection.execute(wanted, {"account": account})
    return tuple(_record(row).conversation for row in rows)


def revisions(
    connection: Connection, account: AccountId, only: ConversationId | None
) -> dict[ConversationId, Rev]:
    """Return the newest revision of one conversation, or of all of the account."""
    if only is None:
        rows = connection.execute(_REVISIONS, {"account": account})
    else:
        rows = connection.execute(_REVISION, {"account": account, "id": storable_text(only)})
    return {ConversationId(found): Rev(rev) for found, rev in rows}


def is_taken(connection: Connection, conversation_id: ConversationId) -> bool:
    """Say whether any account has a conversation of that id."""
    return connection.scalar(_TAKEN, {"id": conversation_id}) is not None


def add_record(connection: Connection, new: Conversation, counters: Counters) -> Keys:
    """Store a conversation and return what makes its keys."""
    values = {**_values(new), **_moving_values(new, counters)}
    result = connection.execute(_ADD, {"id": new.id, "source": "", **values})
    (no,) = result.inserted_primary_key or (0,)
    return Keys(no)


def save_record(connection: Connection, record: Record, *, before: Record) -> None:
    """Store what changed of a conversation; the texts only when one of them did."""
    shown = record.conversation
    values = {"b_no": record.keys.no, **_moving_values(shown, record.counters)}
    if _texts(shown) == _texts(before.conversation):
        _MOVE.run(connection, values)
    else:
        connection.execute(_CHANGE, {**values, **_values(shown)})


def source_of(connection: Connection, keys: Keys) -> str:
    """Return the header of the file a conversation came from."""
    return str(connection.scalar(_SOURCE, {"no": keys.no}) or "")


def save_source(connection: Connection, keys: Keys, source: str) -> None:
    """Store the header of the file a conversation came from."""
    connection.execute(_CHANGE, {"b_no": keys.no, "source": source})


def find_branch(connection: Connection, keys: Keys, branch_id: BranchId) -> Branch | None:
    """Return a branch of the conversation."""
    rows = _BRANCH.rows(connection, {"id": keys.of(branch_id)})
    return _branch(rows[0]) if rows else None


def branches_of(connection: Connection, keys: Keys) -> tuple[Branch, ...]:
    """Return all branches of the conversation, by id."""
    parameters = {"lowest": keys.first, "highest": keys.last}
    return tuple(_branch(row) for row in connection.execute(_BRANCHES, parameters))


def add_branch(connection: Connection, keys: Keys, new: Branch) -> None:
    """Store a branch."""
    connection.execute(_ADD_BRANCH, {"id": keys.of(new.id), **_branch_values(keys, new)})


def save_branch(
    connection: Connection, keys: Keys, changed: Branch, *, before: Branch | None
) -> None:
    """Store what changed of a branch; its name and the like only when one of them did."""
    values = {"b_id": keys.of(changed.id), **_branch_counts(changed)}
    if before is not None and (before.name, before.removed) == (changed.name, changed.removed):
        _MOVE_BRANCH.run(connection, values)
    else:
        connection.execute(_CHANGE_BRANCH, {**values, **_branch_values(keys, changed)})


def _record(row: Sequence[Any], *, text_changes: int = 0) -> Record:
    no, conversation_id, account, title, rev, current, created_at, settings, origin = row[:9]
    deleted, last_turn, last_version, last_summary, last_branch = row[9:14]
    return Record(
        Keys(no),
        Conversation(
            id=ConversationId(conversation_id),
            account=AccountId(account),
            title=title,
            rev=Rev(rev),
            current_branch=BranchId(current),
            created_at=created_at,
            settings=json.loads(settings),
            origin=origin,
            deleted=bool(deleted),
        ),
        Counters(turn=last_turn, version=last_version, summary=last_summary, branch=last_branch),
        text_changes,
    )


def _texts(shown: Conversation) -> tuple[object, ...]:
    """Return what seldom changes, to be compared."""
    return (shown.account, shown.title, shown.created_at, shown.settings, shown.origin)


def _values(shown: Conversation) -> dict[str, str | int]:
    """Return what seldom changes."""
    return {
        "account_id": shown.account,
        "title": shown.title,
        "created_at": shown.created_at,
        "settings": json.dumps(dict(shown.settings), ensure_ascii=False),
        "origin": shown.origin,
    }


def _moving_values(shown: Conversation, counters: Counters) -> dict[str, str | int]:
    """Return what an op changes, or may."""
    return {
        "rev": shown.rev,
        "current_branch": shown.current_branch,
        "deleted": int(shown.deleted),
        "last_turn": counters.turn,
        "last_version": counters.version,
        "last_summary": counters.summary,
        "last_branch": counters.branch,
    }


def _branch(row: Sequence[Any]) -> Branch:
    key, name, parent, fork_pos, fork_rev, tip_pos, visible_turns, visible_tokens = row[:8]
    hidden_turns, cover_version, acknowledged, removed = row[8:12]
    return Branch(
        id=BranchId(id_of(key)),
        name=name,
        parent=None if parent is None else BranchId(id_of(parent)),
        fork_pos=Pos(fork_pos),
        fork_rev=Rev(fork_rev),
        tip_pos=Pos(tip_pos),
        visible_turns=visible_turns,
        visible_tokens=visible_tokens,
        hidden_turns=hidden_turns,
        cover_version=cover_version,
        acknowledged=Rev(acknowledged),
        removed=bool(removed),
    )


def _branch_values(keys: Keys, shown: Branch) -> dict[str, str | int | None]:
    return {
        "name": shown.name,
        "parent_id": None if shown.parent is None else keys.of(shown.parent),
        "fork_pos": shown.fork_pos,
        "fork_rev": shown.fork_rev,
        "removed": int(shown.removed),
        **_branch_counts(shown),
    }


def _branch_counts(shown: Branch) -> dict[str, int]:
    return {
        "tip_pos": shown.tip_pos,
        "visible_turns": shown.visible_turns,
        "visible_tokens": shown.visible_tokens,
        "hidden_turns": shown.hidden_turns,
        "cover_version": shown.cover_version,
        "acknowledged": shown.acknowledged,
    }
