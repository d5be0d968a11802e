"""The variables of the environment that Foreword reads: the reference lists them from here.

Above: the reference of settings. Below: the modules that read them. A key of a route may stand in
any other variable: the route names it.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.settings.data_dir import HOME_VARIABLE
from foreword.settings.database import DATABASE_FILE, DATABASE_VARIABLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable: what it is for, and what counts where it is not set or empty."""

    name: str
    about: str
    otherwise: str


VARIABLES = (
    Variable(
        name=HOME_VARIABLE,
        about=f"The data folder, with {DATABASE_FILE} and the files of keys.",
        otherwise="the user's data folder of the system, on Linux ~/.local/share/foreword",
    ),
    Variable(
        name=DATABASE_VARIABLE,
        about="The database: the path of a SQLite file, or postgresql://user@host/name.",
        otherwise=f"{DATABASE_FILE} in the data folder",
    ),
    Variable(
        name="FOREWORD_TRACEBACK",
        about="Set to anything: a bug of Foreword shows where it happened.",
        otherwise="one line says what happened",
    ),
    Variable(
        name="VISUAL",
        about="The editor of `templates edit`; before EDITOR.",
        otherwise="EDITOR",
    ),
    Variable(
        name="EDITOR",
        about="The editor of `templates edit`.",
        otherwise="an editor of the system",
    ),
    Variable(
        name="NO_COLOR",
        about="Set to anything: output has no colours and no dimmed text.",
        otherwise="colours on a terminal",
    ),
    Variable(
        name="COLUMNS",
        about="How wide tables are printed, in characters.",
        otherwise="the width of the terminal, else 80",
    ),
    Variable(
        name="PGPASSWORD",
        about="The password of a PostgreSQL database, read by its driver; so is ~/.pgpass.",
        otherwise="what the address says",
    ),
)
"""In the order in which a page lists them."""
