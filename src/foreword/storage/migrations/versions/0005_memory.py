"""Automatic memory: jobs, its log, and what a summary knows of its source.

Run by Alembic. Never changed once released: a later schema is a later file.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add four empty tables."""
    op.create_table(
        "job",
        _number("id"),
        _number("conversation_no", sa.ForeignKey("conversation.no", name="fk_job_conversation_no")),
        _number("branch_id", sa.ForeignKey("branch.id", name="fk_job_branch_id")),
        _text("kind"),
        _text("state"),
        sa.Column("live", NUMBER, nullable=True),
        _text("owner"),
        _text("lease_until"),
        _number("attempt"),
        _text("made_at"),
        _text("changed_at"),
        _text("progress"),
        _text("detail"),
        sa.PrimaryKeyConstraint("id", name="pk_job"),
        sa.UniqueConstraint("branch_id", "kind", "live", name="uq_job_live"),
    )
    op.create_index("ix_job_waiting", "job", ["live", "lease_until", "id"])
    op.create_index("ix_job_conversation", "job", ["conversation_no", "id"])
    op.create_table(
        "event",
        _number("id"),
        _number(
            "conversation_no", sa.ForeignKey("conversation.no", name="fk_event_conversation_no")
        ),
        sa.Column(
            "branch_id",
            NUMBER,
            sa.ForeignKey("branch.id", name="fk_event_branch_id"),
            nullable=True,
        ),
        _text("at"),
        _text("level"),
        _text("kind"),
        _text("text"),
        _text("data"),
        sa.PrimaryKeyConstraint("id", name="pk_event"),
    )
    op.create_index("ix_event_conversation", "event", ["conversation_no", "id"])
    op.create_table(
        "cover_heir",
        _number("branch_id", sa.ForeignKey("branch.id", name="fk_cover_heir_branch_id")),
        sa.PrimaryKeyConstraint("branch_id", name="pk_cover_heir"),
    )
    op.create_table(
        "summary_detail",
        _number("summary_id", sa.ForeignKey("summary.id", name="fk_summary_detail_summary_id")),
        _text("scene_time"),
        _text("survival"),
        sa.PrimaryKeyConstraint("summary_id", name="pk_summary_detail"),
    )


def _number(name: str, *references: sa.ForeignKey) -> sa.Column[int]:
    return sa.Column(name, NUMBER, *references, nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)
