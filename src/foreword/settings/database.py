"""Which database conversations are kept in: the one given, the environment's, or a file.

Above: bootstrap. Below: `data_dir`. Invariant: a choice made for one call stands before one made
for all, and the database stands before the folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from foreword.settings.data_dir import data_dir, made_dir

DATABASE_VARIABLE = "FOREWORD_DATABASE"
DATABASE_FILE = "foreword.db"
"""Name of the database's file in the data folder."""


def chosen_database(
    given: str | Path | None, folder: Path | None, environ: Mapping[str, str]
) -> str | Path:
    """Return the path of a SQLite file, or the address of a database.

    Args:
        given: what the command line or a program asked for.
        folder: the data folder that it asked for; `FOREWORD_DATABASE` counts only without one.
        environ: the environment's variables; an empty one counts as none.

    Raises:
        StoreReadOnly, StoreFull: the data folder cannot be made.
    """
    chosen = given
    if chosen is None and folder is None:
        chosen = environ.get(DATABASE_VARIABLE, "").strip() or None
    if chosen is None:
        return made_dir(data_dir(folder, environ)) / DATABASE_FILE
    if isinstance(chosen, str) and ("://" in chosen or not chosen.strip()):
        return chosen
    return Path(chosen).expanduser()
