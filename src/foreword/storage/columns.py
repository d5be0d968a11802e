"""What all tables are made of: the metadata they belong to, and the kinds of their columns.

Above: `tables`, `record_tables`. Below: SQLAlchemy.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, LargeBinary, MetaData, Text

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

KEY = BigInteger().with_variant(Integer, "sqlite")
"""64 bits everywhere; SQLite makes only INTEGER primary keys its row ids."""


def key(name: str, *references: ForeignKey, nullable: bool = False) -> Column[int]:
    """Return a column of keys, which may refer to others."""
    return Column(name, KEY, *references, nullable=nullable)


def number(name: str, *, nullable: bool = False) -> Column[int]:
    """Return a column of numbers."""
    return Column(name, KEY, nullable=nullable)


def text(name: str) -> Column[str]:
    """Return a column of texts; none is null."""
    return Column(name, Text, nullable=False)


def digest(name: str, *, nullable: bool = False) -> Column[bytes]:
    """Return a column of bytes."""
    return Column(name, LargeBinary, nullable=nullable)
