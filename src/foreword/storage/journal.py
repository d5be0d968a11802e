"""The journal: one row for each revision, and which rows a revision changed.

Above: `read_session`, `write_session`. Below: `versioned`, `tables`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, Select, bindparam, insert, select

from foreword.domain.ids import BranchId, Rev
from foreword.domain.ops import Op, OpKind, RowKey
from foreword.storage.cover import ALTERNATIVES, COVER, PINS
from foreword.storage.entry_changes import ENTRIES
from foreword.storage.keys import EVERYWHERE, Keys, id_of
from foreword.storage.portions import portions
from foreword.storage.prepared import Prepared
from foreword.storage.tables import op

_PORTION = 32
_LARGEST_PORTION = 256
_ADD = Prepared(insert(op), names=[column.name for column in op.c])

OpSelect = Select[int, int, int, str, str, int | None, str]


def _newest(*, branch: bool, actor: bool) -> OpSelect:
    statement = select(
        op.c.rev, op.c.group_rev, op.c.branch_id, op.c.actor, op.c.kind, op.c.undoes_rev, op.c.at
    ).where(op.c.conversation_no == bindparam("conversation"), op.c.rev < bindparam("below"))
    if branch:
        statement = statement.where(op.c.branch_id == bindparam("branch"))
    if actor:
        statement = statement.where(op.c.actor == bindparam("actor"))
    return statement.order_by(op.c.rev.desc()).limit(bindparam("size"))


_NEWEST = {
    (branch, actor): _newest(branch=branch, actor=actor)
    for branch in (True, False)
    for actor in (True, False)
}
_AT = select(
    op.c.rev, op.c.group_rev, op.c.branch_id, op.c.actor, op.c.kind, op.c.undoes_rev, op.c.at
).where(
    op.c.conversation_no == bindparam("conversation"),
    op.c.rev.in_(bindparam("revs", expanding=True)),
)
_KINDS = (ENTRIES, PINS, ALTERNATIVES, COVER)


def add_op(connection: Connection, keys: Keys, new: Op) -> None:
    """Write an op into the journal."""
    _ADD.run(
        connection,
        {
            "conversation_no": keys.no,
            "rev": new.rev,
            "group_rev": new.group,
            "branch_id": keys.of(new.branch_id),
            "actor": new.actor,
            "kind": new.kind.value,
            "undoes_rev": new.undoes,
            "at": new.at,
        },
    )


def newest_ops(
    connection: Connection, keys: Keys, branch: BranchId | None, actor: str | None
) -> Iterator[Op]:
    """Yield ops, newest first, of one branch or actor when given."""
    statement = _NEWEST[branch is not None, actor is not None]
    parameters: dict[str, int | str] = {"conversation": keys.no, "below": EVERYWHERE}
    if branch is not None:
        parameters["branch"] = keys.of(branch)
    if actor is not None:
        parameters["actor"] = actor
    size = _PORTION
    while True:
        rows = connection.execute(statement, {**parameters, "size": size}).all()
        yield from map(_op, rows)
        if len(rows) < size:
            return
        parameters["below"] = rows[-1].rev
        size = min(2 * size, _LARGEST_PORTION)


def ops_at(connection: Connection, keys: Keys, revs: Collection[Rev]) -> dict[Rev, Op]:
    """Return the ops of these revisions."""
    found: dict[Rev, Op] = {}
    for portion in portions(set(revs)):
        parameters = {"conversation": keys.no, "revs": portion}
        for row in connection.execute(_AT, parameters):
            one = _op(row)
            found[one.rev] = one
    return found


def _op(row: Sequence[Any]) -> Op:
    rev, group, branch_key, by, kind, undoes, at = row
    return Op(
        rev=Rev(rev),
        group=Rev(group),
        branch_id=BranchId(id_of(branch_key)),
        actor=by,
        kind=OpKind(kind),
        at=at,
        undoes=None if undoes is None else Rev(undoes),
    )


def touched_rows(connection: Connection, branch: int, rev: Rev) -> frozenset[RowKey]:
    """Return the rows of the branch that the op opened or closed."""
    found: set[RowKey] = set()
    for table in _KINDS:
        for row in connection.execute(table.touched, {"branch": branch, "rev": rev}):
            found.add(table.row_key(tuple(row)))
    return frozenset(found)
