"""The tables of automatic memory: jobs, its log, and what summaries know of their sources.

Above: `tables`, which has all of them. Below: `columns`. Invariant: a branch has one live job of a
kind at most (`live` is 1 while it waits or runs and null afterwards).

Source: DECISIONS D4; issue 5.
"""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, Table, UniqueConstraint

from foreword.storage.columns import KEY, key, metadata, number, text

job = Table(
    "job",
    metadata,
    Column("id", KEY, primary_key=True),
    key("conversation_no", ForeignKey("conversation.no")),
    key("branch_id", ForeignKey("branch.id")),
    text("kind"),
    text("state"),
    number("live", nullable=True),
    text("owner"),
    text("lease_until"),
    number("attempt"),
    text("made_at"),
    text("changed_at"),
    text("progress"),
    text("detail"),
    UniqueConstraint("branch_id", "kind", "live", name="uq_job_live"),
    Index("ix_job_waiting", "live", "lease_until", "id"),
    Index("ix_job_conversation", "conversation_no", "id"),
)

event = Table(
    "event",
    metadata,
    Column("id", KEY, primary_key=True),
    key("conversation_no", ForeignKey("conversation.no")),
    key("branch_id", ForeignKey("branch.id"), nullable=True),
    text("at"),
    text("level"),
    text("kind"),
    text("text"),
    text("data"),
    Index("ix_event_conversation", "conversation_no", "id"),
)

summary_detail = Table(
    "summary_detail",
    metadata,
    Column("summary_id", KEY, ForeignKey("summary.id"), primary_key=True, autoincrement=False),
    text("scene_time"),
    text("survival"),
)
"""Of summaries that have some of it; `survival` is JSON."""
