"""Everything that a conversation, its branches and its search need.

Run by Alembic. Never changed once released: a later schema is a later file.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

FTS5_OPTIONS = "content='', detail='none', tokenize='ascii'"
FULL_TEXT = {
    "sqlite": (f"CREATE VIRTUAL TABLE turn_text USING fts5(terms, {FTS5_OPTIONS})",),
    "postgresql": (
        "CREATE TABLE turn_text (id BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL)",
        "CREATE INDEX ix_turn_text_terms ON turn_text USING gin (terms)",
    ),
}


def upgrade() -> None:
    """Make all tables."""
    _make_branch()
    _make_conversation()
    _make_setting()
    _make_speaker()
    _make_summary()
    _make_template()
    _make_version()
    _make_alternative()
    _make_cover()
    _make_entry()
    _make_lineage()
    _make_op()
    _make_pin()
    _make_summary_child()
    _make_summary_turn()
    for statement in FULL_TEXT[op.get_context().dialect.name]:
        op.execute(statement)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, NUMBER, nullable=nullable)


def _given(name: str) -> sa.Column[int]:
    """Make a key that is never counted by the database."""
    return sa.Column(name, NUMBER, nullable=False, autoincrement=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _bytes(name: str, *, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary(), nullable=nullable)


def _points(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [to], name=f"fk_{table}_{column}")


def _make_branch() -> None:
    op.create_table(
        "branch",
        _given("id"),
        _text("name"),
        _number("parent_id", nullable=True),
        _number("fork_pos"),
        _number("fork_rev"),
        _number("tip_pos"),
        _number("visible_turns"),
        _number("visible_tokens"),
        _number("hidden_turns"),
        _number("cover_version"),
        _number("acknowledged"),
        _number("removed"),
        _points("branch", "parent_id", "branch.id"),
        sa.PrimaryKeyConstraint("id", name="pk_branch"),
    )


def _make_conversation() -> None:
    op.create_table(
        "conversation",
        _number("no"),
        _text("id"),
        _text("account_id"),
        _text("title"),
        _number("rev"),
        _number("current_branch"),
        _text("created_at"),
        _text("settings"),
        _text("source"),
        _text("origin"),
        _number("deleted"),
        _number("last_turn"),
        _number("last_version"),
        _number("last_summary"),
        _number("last_branch"),
        sa.PrimaryKeyConstraint("no", name="pk_conversation"),
        sa.UniqueConstraint("id", name="uq_conversation_id"),
    )
    op.create_index("ix_conversation_account", "conversation", ["account_id", "no"])


def _make_setting() -> None:
    op.create_table(
        "setting",
        _text("account_id"),
        _text("name"),
        _text("value"),
        sa.PrimaryKeyConstraint("account_id", "name", name="pk_setting"),
    )


def _make_speaker() -> None:
    op.create_table(
        "speaker",
        _text("account_id"),
        _text("id"),
        _text("name"),
        sa.PrimaryKeyConstraint("account_id", "id", name="pk_speaker"),
    )


def _make_summary() -> None:
    op.create_table(
        "summary",
        _given("id"),
        _number("layer"),
        _number("depth"),
        _number("tokens"),
        _bytes("first_digest"),
        _number("n_turns"),
        _bytes("span_digest"),
        _bytes("context_digest"),
        _text("maker"),
        _number("edited_from", nullable=True),
        _text("text"),
        _text("reasoning"),
        sa.PrimaryKeyConstraint("id", name="pk_summary"),
    )
    op.create_index("ix_summary_span", "summary", ["first_digest", "n_turns", "id"])


def _make_template() -> None:
    op.create_table(
        "template",
        _text("scope"),
        _text("name"),
        _text("text"),
        sa.PrimaryKeyConstraint("scope", "name", name="pk_template"),
    )


def _make_version() -> None:
    op.create_table(
        "version",
        _given("id"),
        _number("turn_id"),
        _number("alt_no"),
        _text("role"),
        _text("speaker_id"),
        _number("tokens"),
        _bytes("digest"),
        _number("digest_v"),
        _text("sent_at"),
        _text("text"),
        _text("parts"),
        _text("reasoning"),
        _text("extra"),
        _number("named"),
        sa.PrimaryKeyConstraint("id", name="pk_version"),
    )


def _make_alternative() -> None:
    op.create_table(
        "alternative",
        _number("branch_id"),
        _number("turn_id"),
        _number("alt_no"),
        _number("rev_from"),
        _number("rev_to"),
        _number("version_id"),
        _points("alternative", "branch_id", "branch.id"),
        _points("alternative", "version_id", "version.id"),
        sa.PrimaryKeyConstraint(
            "branch_id", "turn_id", "alt_no", "rev_from", name="pk_alternative"
        ),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_alternative_closed", "alternative", ["branch_id", "rev_to"])
    op.create_index("ix_alternative_opened", "alternative", ["branch_id", "rev_from"])


def _make_cover() -> None:
    op.create_table(
        "cover",
        _number("branch_id"),
        _number("summary_id"),
        _number("rev_from"),
        _number("rev_to"),
        _text("state"),
        _number("layer"),
        _number("from_pos"),
        _number("to_pos"),
        _number("n_turns"),
        _number("src_tokens"),
        _number("tokens"),
        _points("cover", "branch_id", "branch.id"),
        _points("cover", "summary_id", "summary.id"),
        sa.PrimaryKeyConstraint("branch_id", "summary_id", "rev_from", name="pk_cover"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_cover_opened", "cover", ["branch_id", "rev_from"])
    op.create_index("ix_cover_span", "cover", ["branch_id", "rev_to", "to_pos", "from_pos"])
    op.create_index("ix_cover_standing", "cover", ["branch_id", "rev_to", "state", "from_pos"])


def _make_entry() -> None:
    op.create_table(
        "entry",
        _number("branch_id"),
        _number("pos"),
        _number("rev_from"),
        _number("rev_to"),
        _number("turn_id"),
        _number("version_id", nullable=True),
        _number("tokens", nullable=True),
        _bytes("digest", nullable=True),
        _number("hidden"),
        _points("entry", "branch_id", "branch.id"),
        _points("entry", "version_id", "version.id"),
        sa.PrimaryKeyConstraint("branch_id", "pos", "rev_from", name="pk_entry"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entry_opened", "entry", ["branch_id", "rev_from"])
    op.create_index(
        "ix_entry_standing", "entry", ["branch_id", "rev_to", "pos", "tokens", "hidden"]
    )
    op.create_index("ix_entry_turn", "entry", ["branch_id", "turn_id", "rev_to"])


def _make_lineage() -> None:
    op.create_table(
        "lineage",
        _number("branch_id"),
        _number("depth"),
        _number("source_id"),
        _number("upto_pos"),
        _number("as_of_rev"),
        _points("lineage", "branch_id", "branch.id"),
        _points("lineage", "source_id", "branch.id"),
        sa.PrimaryKeyConstraint("branch_id", "depth", name="pk_lineage"),
        sqlite_with_rowid=False,
    )


def _make_op() -> None:
    op.create_table(
        "op",
        _number("conversation_no"),
        _number("rev"),
        _number("group_rev"),
        _number("branch_id"),
        _text("actor"),
        _text("kind"),
        _number("undoes_rev", nullable=True),
        _text("at"),
        _points("op", "conversation_no", "conversation.no"),
        _points("op", "branch_id", "branch.id"),
        sa.PrimaryKeyConstraint("conversation_no", "rev", name="pk_op"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_op_branch", "op", ["branch_id", "rev"])


def _make_pin() -> None:
    op.create_table(
        "pin",
        _number("branch_id"),
        _number("turn_id"),
        _number("rev_from"),
        _number("rev_to"),
        _points("pin", "branch_id", "branch.id"),
        sa.PrimaryKeyConstraint("branch_id", "turn_id", "rev_from", name="pk_pin"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_pin_opened", "pin", ["branch_id", "rev_from"])
    op.create_index("ix_pin_standing", "pin", ["branch_id", "rev_to", "turn_id"])


def _make_summary_child() -> None:
    op.create_table(
        "summary_child",
        _number("summary_id"),
        _number("n"),
        _number("child_id"),
        _points("summary_child", "summary_id", "summary.id"),
        _points("summary_child", "child_id", "summary.id"),
        sa.PrimaryKeyConstraint("summary_id", "n", name="pk_summary_child"),
        sqlite_with_rowid=False,
    )


def _make_summary_turn() -> None:
    op.create_table(
        "summary_turn",
        _number("summary_id"),
        _number("n"),
        _number("turn_id"),
        _bytes("digest"),
        _points("summary_turn", "summary_id", "summary.id"),
        sa.PrimaryKeyConstraint("summary_id", "n", name="pk_summary_turn"),
        sqlite_with_rowid=False,
    )
