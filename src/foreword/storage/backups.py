"""Backups: a database as one SQLite file, whatever it is itself, and back from such a file.

Above: the command line. Below: `sql_store`, `copying`. Invariants: a backup is written beside its
name and checked before it gets it; a restore is one transaction, checked before it begins.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from foreword.errors import FileUnreadable, OverwriteRefused, StoreDamaged
from foreword.storage.connecting import SQLITE, address_of, connect, shown
from foreword.storage.copying import is_empty, replace_rows
from foreword.storage.failures import file_access, translated
from foreword.storage.schema import SCHEMAS, bring_up_to_date, found_schema
from foreword.storage.sql_store import SqlStore

Check = Callable[[SqlStore], tuple[str, ...]]
"""Returns what is wrong with the contents of a store."""
_MAGIC = b"SQLite format 3\x00"
_BUSY_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaFound:
    """Which schema a database has."""

    name: str
    kind: str
    found: str | None
    """None: there is nothing yet."""
    wanted: str = SCHEMAS[-1]


def schema_at(place: str | Path, *, migrate: bool) -> SchemaFound:
    """Say which schema a database has, and bring it to ours if wanted; else nothing is changed.

    Raises:
        InvalidSetting, ExtraMissing, StoreError: it cannot be opened.
    """
    url = address_of(place)
    kind, name = url.get_backend_name(), shown(url)
    found: str | None = None
    if migrate or kind != SQLITE or Path(name).exists():
        database = connect(place, busy_seconds=_BUSY_SECONDS)
        with translated(name):
            try:
                found = bring_up_to_date(database) if migrate else found_schema(database)
            finally:
                database.engine.dispose()
    return SchemaFound(name=name, kind=kind, found=found)


def back_up(store: SqlStore, path: Path, *, check: Check, force: bool = False) -> None:
    """Write everything of a store into a SQLite file.

    Args:
        store: it may be in use meanwhile; the backup is what it was at one moment.
        path: of the backup.
        check: what a sound backup passes.
        force: replace what is there.

    Raises:
        OverwriteRefused: something is there.
        StoreDamaged: what was written is not sound; nothing of that name was written.
        StoreFull, StoreReadOnly: the file cannot be written.
    """
    with file_access(str(path)):
        if path.exists() and not force:
            raise OverwriteRefused(str(path))
        folder = TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent)
        with folder as beside:
            made = Path(beside) / "backup.db"
            _copy_out(store, made)
            _prove(made, path, check)
            made.replace(path)


def restore(store: SqlStore, path: Path, *, check: Check, force: bool = False) -> int:
    """Put a backup in the place of everything that a store holds; return how many rows it has.

    Args:
        store: whoever else uses it waits.
        path: of the backup, which is only read; one of an older Foreword is migrated on the way.
        check: what a sound backup passes.
        force: replace what the store holds.

    Raises:
        OverwriteRefused: the store holds something.
        StoreDamaged: the file is no sound backup; nothing was changed.
        FileUnreadable: there is no such file, or it cannot be read.
        MigrationNeeded: a later Foreword made it.
    """
    with TemporaryDirectory(prefix="foreword-restore-") as folder:
        copy = Path(folder) / "backup.db"
        try:
            _take_in(path, copy)
        except OSError as error:
            reason = f"it cannot be read ({error.strerror}). Name a file that `backup` wrote."
            raise FileUnreadable(path=str(path), reason=reason) from error
        _prove(copy, path, check)
        with _opened(copy) as backup, backup.reading() as source, store.writing() as target:
            if not force and not is_empty(target):
                raise OverwriteRefused(store.name)
            return replace_rows(source, target)


def _copy_out(store: SqlStore, made: Path) -> None:
    if store.engine.dialect.name == SQLITE:
        with translated(str(made)), closing(sqlite3.connect(made)) as target:
            made.chmod(0o600)
            with store.reading() as source:
                source.connection.driver_connection.backup(target)  # type: ignore[union-attr]
            target.execute("PRAGMA journal_mode = DELETE")
        return
    with _opened(made) as backup, store.reading() as source, backup.writing() as target:
        replace_rows(source, target)


def _take_in(path: Path, copy: Path) -> None:
    """Copy a backup, with what a database in use has written beside its file."""
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise StoreDamaged(path=str(path), reason="it is no backup")
    shutil.copyfile(path, copy)
    beside = path.with_name(f"{path.name}-wal")
    if beside.exists():
        shutil.copyfile(beside, copy.with_name(f"{copy.name}-wal"))


def _prove(made: Path, path: Path, check: Check) -> None:
    """Check a backup, by the database's own means and by ours."""
    with translated(str(path)), closing(sqlite3.connect(made)) as plain:
        (said,) = plain.execute("PRAGMA integrity_check(1)").fetchone()
        lost = plain.execute("PRAGMA foreign_key_check").fetchone()
    if said != "ok" or lost is not None:
        raise StoreDamaged(path=str(path), reason=said if said != "ok" else f"rows of {lost[0]}")
    with _opened(made) as backup:
        problems = check(backup)
    if problems:
        raise StoreDamaged(path=str(path), reason=problems[0])


@contextmanager
def _opened(path: Path) -> Iterator[SqlStore]:
    store = SqlStore.open(path)
    try:
        yield store
    finally:
        store.close()
