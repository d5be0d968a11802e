"""Commands on the database as a whole: its schema, and backups of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli.call import Call, register
from foreword.cli.exits import ExitCode
from foreword.cli.printing import clean, count, write

if TYPE_CHECKING:
    from foreword.storage.backups import SchemaFound
    from foreword.storage.sql_store import SqlStore

app = typer.Typer(
    name="database", help="Back the database up, restore it, migrate it.", no_args_is_help=True
)
Replace = Annotated[bool, typer.Option("--force", help="Replace what is there.")]
KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


@register(app, "migrate")
def migrate_(
    call: Call,
    check: Annotated[
        bool, typer.Option("--check", help="Only say it; exit code 1 when it is not up to date.")
    ] = False,
) -> None:
    """Say which schema the database has and bring it up to date; other commands do so too."""
    from foreword.settings.database import chosen_database
    from foreword.storage.backups import schema_at

    found = schema_at(chosen_database(call.database, call.data_dir, os.environ), migrate=not check)
    current = found.found == found.wanted
    document = {
        "database": found.name,
        "kind": found.kind,
        "found": found.found,
        "wanted": found.wanted,
        "current": current or not check,
        "migrated": not (current or check),
    }
    call.answer(document, lambda: write(clean(_schema_told(found, check=check))))
    if check and not current:
        raise typer.Exit(ExitCode.PROBLEM)


@register(app, "backup")
def backup(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    force: Replace = False,
) -> None:
    """Write everything into one SQLite file and check it: stories, settings, the ledger."""
    from foreword.bootstrap import open_database
    from foreword.storage.backups import back_up

    store = open_database(call.data_dir, call.database)
    try:
        back_up(store, file, check=_problems, force=force)
        name, kind = store.name, store.engine.dialect.name
    finally:
        store.close()
    size = file.stat().st_size
    document = {"database": name, "kind": kind, "path": str(file), "bytes": size}
    made = f"{KINDS[kind]} database {name} backed up and checked: {file}, {size:,} bytes."
    call.answer(document, lambda: write(clean(made)))


@register(app, "restore")
def restore(
    call: Call,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `backup` wrote.")],
    force: Replace = False,
) -> None:
    """Put a backup into the database, once it was checked; also into one of the other kind."""
    from foreword.bootstrap import open_database
    from foreword.storage.backups import restore as take_back

    store = open_database(call.data_dir, call.database)
    try:
        rows = take_back(store, file, check=_problems, force=force)
        name, kind = store.name, store.engine.dialect.name
    finally:
        store.close()
    document = {"database": name, "kind": kind, "path": str(file), "rows": rows}
    call.answer(document, lambda: write(clean(f"{count(rows, 'row')} of {file} put into {name}.")))


def _problems(store: SqlStore) -> tuple[str, ...]:
    """Return what `verify` finds in the contents of a store."""
    from foreword.bootstrap import open_engine
    from foreword.engine.verifying import verify

    return verify(open_engine(store=store, ledger=store.ledger, jobs=store.jobs)).problems


def _schema_told(found: SchemaFound, *, check: bool) -> str:
    if found.found == found.wanted:
        return f"{found.name} has schema {found.wanted} and is up to date."
    was = "nothing was there" if found.found is None else f"it was {found.found}"
    if check:
        return f"{found.name} needs schema {found.wanted}, {was}: run `foreword database migrate`."
    return f"{found.name} has schema {found.wanted} now, {was}."
