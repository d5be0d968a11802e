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

COUNT_BLOCKS = """
INSERT INTO tally (branch_id, block, rev_from, rev_to, turns, hidden, tokens)
SELECT entry.branch_id, entry.pos / 1048576, conversation.rev, 4611686018427387904,
    count(entry.tokens), sum(entry.hidden),
    coalesce(sum((entry.tokens + 4) * (1 - entry.hidden)), 0)
FROM entry
JOIN branch ON branch.id = entry.branch_id
JOIN conversation ON conversation.no = branch.id >> 32
WHERE entry.rev_to = 4611686018427387904 AND entry.pos / 1048576 < branch.tip_pos / 1048576
GROUP BY entry.branch_id, entry.pos / 1048576, conversation.rev
"""


def upgrade() -> None:
    """Add two tables, and count what stands now in the blocks that tips have left behind."""
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
    op.execute(COUNT_BLOCKS)
    op.create_table(
        "changes",
        sa.Column("of", sa.Text(), nullable=False),
        _number("count"),
        sa.PrimaryKeyConstraint("of", name="pk_changes"),
        sqlite_with_rowid=False,
    )


def _number(name: str, *references: sa.ForeignKey) -> sa.Column[int]:
    return sa.Column(name, NUMBER, *references, nullable=False)
