"""Run by Alembic: brings the database of the connection it is given to the newest schema."""

from __future__ import annotations

from alembic import context

from foreword.storage.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
