"""Prompts that are kept: what was printed or sent, and the replies written from it.

Run by Alembic. Never changed once released: a later schema is a later file.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add the tables of kept prompts, all empty."""
    op.create_table(
        "plan",
        _number("id"),
        _number("branch_id", sa.ForeignKey("branch.id", name="fk_plan_branch_id")),
        _number("rev"),
        _number("cover_version"),
        _text("at"),
        _text("sections"),
        _text("proof"),
        _bytes("prefix_digest"),
        _bytes("messages"),
        sa.PrimaryKeyConstraint("id", name="pk_plan"),
    )
    op.create_index("ix_plan_branch", "plan", ["branch_id", "id"])
    op.create_table(
        "plan_text",
        _number(
            "conversation_no",
            sa.ForeignKey("conversation.no", name="fk_plan_text_conversation_no"),
        ),
        _bytes("digest"),
        _text("text"),
        sa.PrimaryKeyConstraint("conversation_no", "digest", name="pk_plan_text"),
    )
    op.create_table(
        "plan_use",
        _number("plan_id", sa.ForeignKey("plan.id", name="fk_plan_use_plan_id")),
        _bytes("digest"),
        sa.PrimaryKeyConstraint("plan_id", "digest", name="pk_plan_use"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_plan_use_digest", "plan_use", ["digest", "plan_id"])
    op.create_table(
        "plan_reply",
        _number("version_id", sa.ForeignKey("version.id", name="fk_plan_reply_version_id")),
        _number("plan_id", sa.ForeignKey("plan.id", name="fk_plan_reply_plan_id")),
        sa.PrimaryKeyConstraint("version_id", name="pk_plan_reply"),
    )
    op.create_index("ix_plan_reply_plan", "plan_reply", ["plan_id"])


def _number(name: str, *references: sa.ForeignKey) -> sa.Column[int]:
    return sa.Column(name, NUMBER, *references, nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=False)
