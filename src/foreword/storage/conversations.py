"""Conversations and their branches, as rows.

Above: `store`, `read_session`, `write_session`. Below: `tables`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, RowMapping, bindparam, insert, select, update

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import AccountId, BranchId, ConversationId, Pos, Rev
from foreword.domain.storable import storable_text
from foreword.storage.account_texts import CHANGED_TEXTS
from foreword.storage.keys import Keys, id_of
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
_ADD = insert(conversation)
_CHANGE = update(conversation).where(conversation.c.no == bindparam("b_no"))
_SOURCE = select(conversation.c.source).where(conversation.c.no == bindparam("no"))

_BRANCH = select(branch).where(branch.c.id == bindparam("id"))
_BRANCHES = (
    select(branch)
    .where(branch.c.id.between(bindparam("lowest"), bindparam("highest")))
    .order_by(branch.c.id)
)
_ADD_BRANCH = insert(branch)
_CHANGE_BRANCH = update(branch).where(branch.c.id == bindparam("b_id"))


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
    query = _ONE_TO_CHANGE if to_change else _ONE
    row = connection.execute(query, parameters).mappings().one_or_none()
    return None if row is None else replace(_record(row), text_changes=row["text_changes"] or 0)


def conversations_of(connection: Connection, account: AccountId) -> tuple[Conversation, ...]:
    """Return the account's conversations that are not deleted, oldest first."""
    rows = connection.execute(_ALL, {"account": account}).mappings()
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
    values = _moving_values(shown, record.counters)
    if _values(shown) != _values(before.conversation):
        values = {**values, **_values(shown)}
    connection.execute(_CHANGE, {"b_no": record.keys.no, **values})


def source_of(connection: Connection, keys: Keys) -> str:
    """Return the header of the file a conversation came from."""
    return str(connection.scalar(_SOURCE, {"no": keys.no}) or "")


def save_source(connection: Connection, keys: Keys, source: str) -> None:
    """Store the header of the file a conversation came from."""
    connection.execute(_CHANGE, {"b_no": keys.no, "source": source})


def find_branch(connection: Connection, keys: Keys, branch_id: BranchId) -> Branch | None:
    """Return a branch of the conversation."""
    row = connection.execute(_BRANCH, {"id": keys.of(branch_id)}).mappings().one_or_none()
    return None if row is None else _branch(row)


def branches_of(connection: Connection, keys: Keys) -> tuple[Branch, ...]:
    """Return all branches of the conversation, by id."""
    parameters = {"lowest": keys.first, "highest": keys.last}
    return tuple(_branch(row) for row in connection.execute(_BRANCHES, parameters).mappings())


def add_branch(connection: Connection, keys: Keys, new: Branch) -> None:
    """Store a branch."""
    connection.execute(_ADD_BRANCH, {"id": keys.of(new.id), **_branch_values(keys, new)})


def save_branch(connection: Connection, keys: Keys, changed: Branch) -> None:
    """Store what changed of a branch."""
    values = _branch_values(keys, changed)
    connection.execute(_CHANGE_BRANCH, {"b_id": keys.of(changed.id), **values})


def _record(row: RowMapping) -> Record:
    settings: Mapping[str, str] = json.loads(row["settings"])
    return Record(
        Keys(row["no"]),
        Conversation(
            id=ConversationId(row["id"]),
            account=AccountId(row["account_id"]),
            title=row["title"],
            rev=Rev(row["rev"]),
            current_branch=BranchId(row["current_branch"]),
            created_at=row["created_at"],
            settings=settings,
            origin=row["origin"],
            deleted=bool(row["deleted"]),
        ),
        Counters(
            turn=row["last_turn"],
            version=row["last_version"],
            summary=row["last_summary"],
            branch=row["last_branch"],
        ),
    )


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


def _branch(row: RowMapping) -> Branch:
    parent = row["parent_id"]
    return Branch(
        id=BranchId(id_of(row["id"])),
        name=row["name"],
        parent=None if parent is None else BranchId(id_of(parent)),
        fork_pos=Pos(row["fork_pos"]),
        fork_rev=Rev(row["fork_rev"]),
        tip_pos=Pos(row["tip_pos"]),
        visible_turns=row["visible_turns"],
        visible_tokens=row["visible_tokens"],
        hidden_turns=row["hidden_turns"],
        cover_version=row["cover_version"],
        acknowledged=Rev(row["acknowledged"]),
        removed=bool(row["removed"]),
    )


def _branch_values(keys: Keys, shown: Branch) -> dict[str, str | int | None]:
    return {
        "name": shown.name,
        "parent_id": None if shown.parent is None else keys.of(shown.parent),
        "fork_pos": shown.fork_pos,
        "fork_rev": shown.fork_rev,
        "tip_pos": shown.tip_pos,
        "visible_turns": shown.visible_turns,
        "visible_tokens": shown.visible_tokens,
        "hidden_turns": shown.hidden_turns,
        "cover_version": shown.cover_version,
        "acknowledged": shown.acknowledged,
        "removed": int(shown.removed),
    }
