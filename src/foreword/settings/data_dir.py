"""Where conversations are kept: the folder given, the environment's, or the system's own place.

Above: bootstrap. Below: `platformdirs`. Invariant: the folder exists afterwards, and one that was
made here is open to its owner alone.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping
from pathlib import Path

from foreword.errors import StoreFull, StoreReadOnly

HOME_VARIABLE = "FOREWORD_HOME"
OWNER_ONLY = 0o700
"""Permissions of a new folder: stories are private."""


def data_dir(given: Path | None, environ: Mapping[str, str]) -> Path:
    """Return the folder that conversations are kept in: given, `FOREWORD_HOME` or the user's.

    Args:
        given: what the command line or a program asked for.
        environ: the environment's variables; an empty one counts as none.
    """
    if given is not None:
        return given.expanduser()
    home = environ.get(HOME_VARIABLE, "")
    if home.strip():
        return Path(home).expanduser()
    # Imported late: with a folder given it is not needed.
    from platformdirs import user_data_path  # noqa: PLC0415

    return user_data_path("foreword", appauthor=False)


def made_dir(folder: Path) -> Path:
    """Return the folder, made when it is not there.

    Raises:
        StoreReadOnly: it cannot be made, or something else stands there.
        StoreFull: no space is left for it.
    """
    try:
        folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StoreFull(str(folder)) from error
        raise StoreReadOnly(str(folder)) from error
    return folder
