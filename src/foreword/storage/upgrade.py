"""Running the migrations.

Above: `schema`, which imports this only when a database is not up to date, since Alembic takes
longer to import than everything else that a command does.
"""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(connection: Connection) -> None:
    """Bring the connection's database to the newest schema, inside its transaction."""
    command.upgrade(configuration(connection), "head")


def configuration(connection: Connection | None = None) -> Config:
    """Return what Alembic wants to know."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
