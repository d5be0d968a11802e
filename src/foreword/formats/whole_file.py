"""Writing a file whole or not at all.

Above: the doors. Invariant: where a file cannot be written, one that was there stays as it was.
"""

from __future__ import annotations

import errno
from pathlib import Path

from foreword.errors import FileUnwritable, StoreFull


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name first, and put it in its place once it is whole.

    Raises:
        StoreFull: there is no room for it.
        FileUnwritable: it cannot be there.
    """
    draft = path
    try:
        special = path.exists() and not path.is_file()
        draft = path if special else path.with_name(f"{path.name}.part")
        draft.write_bytes(data)
        if draft is not path:
            draft.replace(path)
    except ValueError as error:  # the path has a NUL, or no name at its end
        raise FileUnwritable(path=str(path), reason=str(error)) from error
    except OSError as error:
        if draft is not path:
            draft.unlink(missing_ok=True)
        if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
            raise StoreFull(str(path)) from error
        reason = (error.strerror or str(error)).lower()
        raise FileUnwritable(path=str(path), reason=reason) from error
