"""The ledger: calls of models, routes, and what was learnt from calls.

Run by Alembic. Never changed once released: a later schema is a later file.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables of the ledger; nothing that is there changes."""
    _make_call()
    op.create_table(
        "route",
        _text("account_id"),
        _text("name"),
        _text("settings"),
        sa.PrimaryKeyConstraint("account_id", "name", name="pk_route"),
    )
    op.create_table(
        "note",
        _text("account_id"),
        _text("kind"),
        _text("key"),
        _text("settings"),
        sa.PrimaryKeyConstraint("account_id", "kind", "key", name="pk_note"),
    )


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, NUMBER, nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _make_call() -> None:
    op.create_table(
        "model_call",
        _number("id"),
        _text("account_id"),
        _text("conversation_id", nullable=True),
        _number("branch_id", nullable=True),
        _text("purpose"),
        _text("route"),
        _text("model"),
        sa.Column("request_digest", sa.LargeBinary(), nullable=False),
        _text("outcome"),
        _number("is_open"),
        _text("started_at"),
        _number("tokens_counted"),
        _number("milliseconds", nullable=True),
        _text("finish", nullable=True),
        _number("reported", nullable=True),
        _number("tokens_in"),
        _number("tokens_cached"),
        _number("tokens_out"),
        _number("tokens_reasoning"),
        _number("money", nullable=True),
        _number("summary_id", nullable=True),
        _text("failure"),
        _text("detail"),
        _text("answered_by"),
        _text("answer"),
        _text("reasoning"),
        _text("raw"),
        sa.PrimaryKeyConstraint("id", name="pk_model_call"),
    )
    _index("account", "id")
    _index("conversation", "conversation_id", "id")
    _index("request", "conversation_id", "request_digest", "is_open", "id")
    _index("route", "route", "started_at", "id")
    _index("time", "started_at")


def _index(name: str, *columns: str) -> None:
    op.create_index(f"ix_model_call_{name}", "model_call", ["account_id", *columns])
