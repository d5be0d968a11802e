"""All tables, once, for every database.

Above: the modules of each aggregate. Invariant: what the migrations make equals this; a test
compares them. Rows of versioned tables stand from revision `rev_from` until just before `rev_to`.

Source: DECISIONS D1.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

from foreword.storage.columns import KEY, metadata
from foreword.storage.columns import digest as _digest
from foreword.storage.columns import key as _key
from foreword.storage.columns import number as _number
from foreword.storage.columns import text as _text
from foreword.storage.job_tables import event, job, summary_detail
from foreword.storage.record_tables import plan, plan_reply, plan_text, plan_use

__all__ = [
    "alternative",
    "branch",
    "changes",
    "conversation",
    "cover",
    "cover_heir",
    "entry",
    "event",
    "job",
    "lineage",
    "metadata",
    "model_call",
    "note",
    "op",
    "pin",
    "plan",
    "plan_reply",
    "plan_text",
    "plan_use",
    "route",
    "setting",
    "speaker",
    "summary",
    "summary_child",
    "summary_detail",
    "summary_turn",
    "tally",
    "template",
    "version",
]

conversation = Table(
    "conversation",
    metadata,
    Column("no", KEY, primary_key=True),
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
    UniqueConstraint("id"),
    Index("ix_conversation_account", "account_id", "no"),
)

speaker = Table(
    "speaker",
    metadata,
    _text("account_id"),
    _text("id"),
    _text("name"),
    PrimaryKeyConstraint("account_id", "id"),
)

setting = Table(
    "setting",
    metadata,
    _text("account_id"),
    _text("name"),
    _text("value"),
    PrimaryKeyConstraint("account_id", "name"),
)

template = Table(
    "template",
    metadata,
    _text("scope"),
    _text("name"),
    _text("text"),
    PrimaryKeyConstraint("scope", "name"),
)

branch = Table(
    "branch",
    metadata,
    Column("id", KEY, primary_key=True, autoincrement=False),
    _text("name"),
    _key("parent_id", ForeignKey("branch.id"), nullable=True),
    _number("fork_pos"),
    _number("fork_rev"),
    _number("tip_pos"),
    _number("visible_turns"),
    _number("visible_tokens"),
    _number("hidden_turns"),
    _number("cover_version"),
    _number("acknowledged"),
    _number("removed"),
)

lineage = Table(
    "lineage",
    metadata,
    _key("branch_id", ForeignKey("branch.id")),
    _number("depth"),
    _key("source_id", ForeignKey("branch.id")),
    _number("upto_pos"),
    _number("as_of_rev"),
    PrimaryKeyConstraint("branch_id", "depth"),
    sqlite_with_rowid=False,
)

op = Table(
    "op",
    metadata,
    _key("conversation_no", ForeignKey("conversation.no")),
    _number("rev"),
    _number("group_rev"),
    _key("branch_id", ForeignKey("branch.id")),
    _text("actor"),
    _text("kind"),
    _number("undoes_rev", nullable=True),
    _text("at"),
    PrimaryKeyConstraint("conversation_no", "rev"),
    Index("ix_op_branch", "branch_id", "rev"),
    sqlite_with_rowid=False,
)

version = Table(
    "version",
    metadata,
    Column("id", KEY, primary_key=True, autoincrement=False),
    _number("turn_id"),
    _number("alt_no"),
    _text("role"),
    _text("speaker_id"),
    _number("tokens"),
    _digest("digest"),
    _number("digest_v"),
    _text("sent_at"),
    _text("text"),
    _text("parts"),
    _text("reasoning"),
    _text("extra"),
    _number("named"),
)
"""A turn of one text part has it in `text`; any other has all its parts in `parts`, as JSON."""

entry = Table(
    "entry",
    metadata,
    _key("branch_id", ForeignKey("branch.id")),
    _number("pos"),
    _number("rev_from"),
    _number("rev_to"),
    _number("turn_id"),
    _key("version_id", ForeignKey("version.id"), nullable=True),
    _number("tokens", nullable=True),
    _digest("digest", nullable=True),
    _number("hidden"),
    PrimaryKeyConstraint("branch_id", "pos", "rev_from"),
    Index("ix_entry_standing", "branch_id", "rev_to", "pos", "tokens", "hidden"),
    Index("ix_entry_turn", "branch_id", "turn_id", "rev_to"),
    Index("ix_entry_opened", "branch_id", "rev_from"),
    sqlite_with_rowid=False,
)
"""Without version, tokens and digest: the branch deleted what it would inherit there."""

tally = Table(
    "tally",
    metadata,
    _key("branch_id", ForeignKey("branch.id")),
    _number("block"),
    _number("rev_from"),
    _number("rev_to"),
    _number("turns"),
    _number("hidden"),
    _number("tokens"),
    PrimaryKeyConstraint("branch_id", "block", "rev_from"),
    sqlite_with_rowid=False,
)
"""What rows of a branch within a block of positions count; blocks may have none, see `tallies`."""

pin = Table(
    "pin",
    metadata,
    _key("branch_id", ForeignKey("branch.id")),
    _number("turn_id"),
    _number("rev_from"),
    _number("rev_to"),
    PrimaryKeyConstraint("branch_id", "turn_id", "rev_from"),
    Index("ix_pin_standing", "branch_id", "rev_to", "turn_id"),
    Index("ix_pin_opened", "branch_id", "rev_from"),
    sqlite_with_rowid=False,
)

alternative = Table(
    "alternative",
    metadata,
    _key("branch_id", ForeignKey("branch.id")),
    _number("turn_id"),
    _number("alt_no"),
    _number("rev_from"),
    _number("rev_to"),
    _key("version_id", ForeignKey("version.id")),
    PrimaryKeyConstraint("branch_id", "turn_id", "alt_no", "rev_from"),
    Index("ix_alternative_closed", "branch_id", "rev_to"),
    Index("ix_alternative_opened", "branch_id", "rev_from"),
    sqlite_with_rowid=False,
)

summary = Table(
    "summary",
    metadata,
    Column("id", KEY, primary_key=True, autoincrement=False),
    _number("layer"),
    _number("depth"),
    _number("tokens"),
    _digest("first_digest"),
    _number("n_turns"),
    _digest("span_digest"),
    _digest("context_digest"),
    _text("maker"),
    _number("edited_from", nullable=True),
    _text("text"),
    _text("reasoning"),
    Index("ix_summary_span", "first_digest", "n_turns", "id"),
)

cover_heir = Table(
    "cover_heir",
    metadata,
    Column("branch_id", KEY, ForeignKey("branch.id"), primary_key=True, autoincrement=False),
)
"""Forks that read the merged rows of their parent's cover; older ones have copies of their own."""

summary_turn = Table(
    "summary_turn",
    metadata,
    _key("summary_id", ForeignKey("summary.id")),
    _number("n"),
    _number("turn_id"),
    _digest("digest"),
    PrimaryKeyConstraint("summary_id", "n"),
    sqlite_with_rowid=False,
)

summary_child = Table(
    "summary_child",
    metadata,
    _key("summary_id", ForeignKey("summary.id")),
    _number("n"),
    _key("child_id", ForeignKey("summary.id")),
    PrimaryKeyConstraint("summary_id", "n"),
    sqlite_with_rowid=False,
)

cover = Table(
    "cover",
    metadata,
    _key("branch_id", ForeignKey("branch.id")),
    _key("summary_id", ForeignKey("summary.id")),
    _number("rev_from"),
    _number("rev_to"),
    _text("state"),
    _number("layer"),
    _number("from_pos"),
    _number("to_pos"),
    _number("n_turns"),
    _number("src_tokens"),
    _number("tokens"),
    PrimaryKeyConstraint("branch_id", "summary_id", "rev_from"),
    Index("ix_cover_standing", "branch_id", "rev_to", "state", "from_pos"),
    Index("ix_cover_span", "branch_id", "rev_to", "to_pos", "from_pos"),
    Index("ix_cover_opened", "branch_id", "rev_from"),
    sqlite_with_rowid=False,
)

model_call = Table(
    "model_call",
    metadata,
    Column("id", KEY, primary_key=True),
    _text("account_id"),
    Column("conversation_id", Text, nullable=True),
    _number("branch_id", nullable=True),
    _text("purpose"),
    _text("route"),
    _text("model"),
    _digest("request_digest"),
    _text("outcome"),
    _number("is_open"),
    _text("started_at"),
    _number("tokens_counted"),
    _number("milliseconds", nullable=True),
    Column("finish", Text, nullable=True),
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
    Index("ix_model_call_account", "account_id", "id"),
    Index("ix_model_call_conversation", "account_id", "conversation_id", "id"),
    Index(
        "ix_model_call_request", "account_id", "conversation_id", "request_digest", "is_open", "id"
    ),
    Index("ix_model_call_route", "account_id", "route", "started_at", "id"),
    Index("ix_model_call_time", "account_id", "started_at"),
)
"""A call has an answer when it has `finish`. Long texts stand last, so that sums do not read them.

Ids of branches and summaries are those within the conversation. `tokens_in` is what totals add up:
as counted here until an answer tells, and 0 when a call ended before anything came.
"""

route = Table(
    "route",
    metadata,
    _text("account_id"),
    _text("name"),
    _text("settings"),
    PrimaryKeyConstraint("account_id", "name"),
)

note = Table(
    "note",
    metadata,
    _text("account_id"),
    _text("kind"),
    _text("key"),
    _text("settings"),
    PrimaryKeyConstraint("account_id", "kind", "key"),
)

changes = Table(
    "changes",
    metadata,
    _text("of"),
    _number("count"),
    PrimaryKeyConstraint("of"),
    sqlite_with_rowid=False,
)
"""How often something was changed, so that readers know whether what they kept still holds."""
