"""A GGUF file served inside this process, at an address of this machine that is spoken to as any.

Above: models. Below: the extra `foreword[local]` (`xllamacpp`). Invariant: one server for a file
and its sizes, alive as long as the process; nobody else on this machine has its key.
"""

from __future__ import annotations

import importlib
import importlib.util
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from foreword.errors import ModelUnknown, ModelUnreachable
from foreword.llm.wording import excerpt

PACKAGE: Final = "xllamacpp"
MAGIC: Final = b"GGUF"
DEFAULT_CONTEXT: Final = 8192
"""Where the route sets none; a model trained on less is given less by the server."""
_QUIET: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A running server."""

    url: str
    key: str
    _server: object
    """Served until it is collected."""


_running: Final[dict[tuple[Path, int, int], LocalServer]] = {}
_starting: Final = threading.Lock()


def is_installed() -> bool:
    """Say whether the extra is there."""
    return importlib.util.find_spec(PACKAGE) is not None


def local_server(route: str, path: Path, *, context: int | None, slots: int) -> LocalServer:
    """Return the server of a file, started when it is not running; takes seconds.

    Args:
        route: name of the route, for errors.
        path: of the GGUF file.
        context: tokens of each request's context; None for a usual size.
        slots: requests at a time.

    Raises:
        ModelUnknown: there is no such file, or it is no GGUF.
        ModelUnreachable: it could not be loaded.
    """
    file = _checked(route, path)
    size = context or DEFAULT_CONTEXT
    at = (file, size, slots)
    with _starting:
        if at not in _running:
            _running[at] = _started(route, file, size, slots)
        return _running[at]


def _checked(route: str, path: Path) -> Path:
    file = path.expanduser()
    try:
        if not file.is_file():
            raise ModelUnknown(route=route, detail=f"there is no file {excerpt(str(file))}")
        with file.open("rb") as opened:
            magic = opened.read(len(MAGIC))
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) else None
        detail = f"{excerpt(str(file))}: {said or 'cannot be read'}"
        raise ModelUnknown(route=route, detail=detail) from error
    if magic != MAGIC:
        raise ModelUnknown(route=route, detail=f"{excerpt(str(file))} is no GGUF file")
    return file.resolve()


def _started(route: str, file: Path, size: int, slots: int) -> LocalServer:
    package = importlib.import_module(PACKAGE)
    key = secrets.token_urlsafe(24)
    params: Any = package.CommonParams()
    params.model.path = str(file)
    params.n_ctx = size * slots
    params.n_parallel = slots
    params.hostnames = ["127.0.0.1"]
    params.api_keys = [key]
    params.ui = False
    params.verbosity = _QUIET
    try:
        server: Any = package.Server(params)
        address = str(server.listening_address)
    except (RuntimeError, OSError, ValueError) as error:
        detail = f"{file.name} cannot be loaded: {excerpt(str(error), most=120)}"
        raise ModelUnreachable(route=route, detail=detail) from error
    return LocalServer(url=f"{address}/v1", key=key, _server=server)
