"""The tables of kept prompts.

Above: `tables`, which has all of them. Below: `columns`. Their texts are those of versions and
summaries, by id, and what stands around them, by digest.

Source: DECISIONS D1, plan.
"""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, PrimaryKeyConstraint, Table

from foreword.storage.columns import KEY, digest, key, metadata, number, text

plan = Table(
    "plan",
    metadata,
    Column("id", KEY, primary_key=True, autoincrement=False),
    key("branch_id", ForeignKey("branch.id")),
    number("rev"),
    number("cover_version"),
    text("at"),
    text("sections"),
    text("proof"),
    digest("prefix_digest"),
    digest("messages"),
    Index("ix_plan_branch", "branch_id", "id"),
)
"""A prompt that was printed or sent; `messages` is JSON, compressed."""

plan_text = Table(
    "plan_text",
    metadata,
    key("conversation_no", ForeignKey("conversation.no")),
    digest("digest"),
    text("text"),
    PrimaryKeyConstraint("conversation_no", "digest"),
)

plan_use = Table(
    "plan_use",
    metadata,
    key("plan_id", ForeignKey("plan.id")),
    digest("digest"),
    PrimaryKeyConstraint("plan_id", "digest"),
    Index("ix_plan_use_digest", "digest", "plan_id"),
    sqlite_with_rowid=False,
)
"""Which prompts hold a text of their own."""

plan_reply = Table(
    "plan_reply",
    metadata,
    Column("version_id", KEY, ForeignKey("version.id"), primary_key=True, autoincrement=False),
    key("plan_id", ForeignKey("plan.id")),
    Index("ix_plan_reply_plan", "plan_id"),
)
"""Which prompt a version of a turn was written from."""
