"""Keys of routes: read from a variable or a file of the user's, written to a file of their own.

Above: bootstrap and the doors. Below: `domain.routes`. Invariant: a key is in no error, log or
database; a file with a key that others could read is not used.

Source: issue 3, section 1.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from foreword.domain.routes import Route
from foreword.domain.upstreams import UpstreamServer
from foreword.errors import KeyUnavailable, StoreReadOnly, UpstreamKeyMissing

FOLDER = "keys"
OWNER_FILE = 0o600
OWNER_FOLDER = 0o700
MOST_BYTES = 64_000
"""No key is longer; a file that is, is something else."""

_UNFIT = re.compile(r"[^\x21-\x7e]")
_UNFIT_NAME = re.compile(r"[^A-Za-z0-9_-]")


def read_key(route: Route, environ: Mapping[str, str], data_dir: Path) -> str:
    """Return the key of a route; empty when the route names none.

    Args:
        route: names the variable or the file.
        environ: the environment's variables.
        data_dir: what a relative path of a key file starts from.

    Raises:
        KeyUnavailable: it is not there, not a key, or not for the user's eyes alone.
    """
    if route.key_env:
        return _of_variable(route, environ)
    if route.key_file:
        return _of_file(route, data_dir / Path(route.key_file).expanduser())
    return ""


def read_upstream_key(server: UpstreamServer, environ: Mapping[str, str]) -> str:
    """Return the key of an upstream; empty when it names no variable.

    Raises:
        UpstreamKeyMissing: the variable holds no key.
    """
    key = environ.get(server.key_env, "").strip() if server.key_env else ""
    if server.key_env and (not key or _UNFIT.search(key)):
        raise UpstreamKeyMissing(upstream=server.name, variable=server.key_env)
    return key


def known_keys(
    routes: Iterable[Route], environ: Mapping[str, str], data_dir: Path
) -> tuple[str, ...]:
    """Return the keys of routes that can be read; those that cannot be are not sent either."""
    found: list[str] = []
    for route in routes:
        try:
            found.append(read_key(route, environ, data_dir))
        except KeyUnavailable:
            continue
    return tuple(key for key in found if key)


def write_key(data_dir: Path, route_name: str, key: str) -> Path:
    """Write the key of a route to a file that its owner alone can read, and return its path.

    Raises:
        KeyUnavailable: the text is no key.
        StoreReadOnly: the file cannot be written.
    """
    checked = _checked(route_name, key)
    folder = data_dir / FOLDER
    path = folder / (_UNFIT_NAME.sub("_", route_name) or "_")
    passing = folder / f".{path.name}.{secrets.token_hex(4)}"
    try:
        folder.mkdir(mode=OWNER_FOLDER, parents=True, exist_ok=True)
        folder.chmod(OWNER_FOLDER)
        descriptor = os.open(passing, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_FILE)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(checked + "\n")
                file.flush()
                os.fsync(file.fileno())
            passing.replace(path)
        except OSError:
            passing.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StoreReadOnly(str(folder)) from error
    return path


def _of_variable(route: Route, environ: Mapping[str, str]) -> str:
    value = environ.get(route.key_env, "")
    if not value.strip():
        raise KeyUnavailable(
            route=route.name,
            reason=f"the variable {route.key_env} is not set. Set it, or name "
            "another with --key-env.",
        )
    return _checked(route.name, value)


def _of_file(route: Route, path: Path) -> str:
    try:
        # Non-blocking: a named pipe would wait for a writer for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            _refuse_open_file(route, path, os.fstat(file.fileno()))
            held = file.read(MOST_BYTES + 1)
    except OSError as error:
        reason = f"{path}: {error.strerror or 'cannot be read'}. Name another with --key-file."
        raise KeyUnavailable(route=route.name, reason=reason) from error
    if len(held) > MOST_BYTES:
        raise KeyUnavailable(route=route.name, reason=f"{path} holds more than a key.")
    text = held.decode("utf-8-sig", "replace")
    if not text.strip():
        raise KeyUnavailable(route=route.name, reason=f"{path} is empty. Write the key into it.")
    return _checked(route.name, text)


def _refuse_open_file(route: Route, path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise KeyUnavailable(route=route.name, reason=f"{path} is not a regular file.")
    if os.name != "posix":
        return
    if found.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        reason = f"{path} can be read by others. Close it to them: `chmod 600 {path}`."
        raise KeyUnavailable(route=route.name, reason=reason)
    if found.st_uid != os.geteuid():
        reason = f"{path} belongs to somebody else. Give the route a file of your own."
        raise KeyUnavailable(route=route.name, reason=reason)


def _checked(route_name: str, text: str) -> str:
    key = text.strip("\r\n \t")
    if not key or _UNFIT.search(key):
        reason = (
            "what is there is no key: a key is one line of letters, digits and signs, without "
            "spaces. Correct it."
        )
        raise KeyUnavailable(route=route_name, reason=reason)
    return key
