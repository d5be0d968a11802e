"""Counts of blocks of entries, and how often texts of accounts were changed.

Run by Alembic. Never changed once released: a later schema is a later file.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add two tables, both empty: a block without counts is counted when somebody asks."""
    op.create_table(
        "tally",
        _number("branch_id", sa.ForeignKey("branch.id", name="fk_tally_branch_id")),
        _number("block"),
        _number("rev_from"),
        _number("rev_to"),
        _number("turns"),
        _number("hidden"),
        _number("tokens"),
        sa.PrimaryKeyConstraint("branch_id", "block", "rev_from", name="pk_tally"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "changes",
        sa.Column("of", sa.Text(), nullable=False),
        _number("count"),
        sa.PrimaryKeyConstraint("of", name="pk_changes"),
        sqlite_with_rowid=False,
    )


def _number(name: str, *references: sa.ForeignKey) -> sa.Column[int]:
    return sa.Column(name, NUMBER, *references, nullable=False)
