"""Settings of every test: Hypothesis profiles, and a network that is closed."""

import os
import sys
from typing import cast

from hypothesis import settings

LOOPBACK = frozenset({"", "127.0.0.1", "::1", "localhost"})

settings.register_profile("fast", max_examples=40, deadline=None)
settings.register_profile("ci", max_examples=100, deadline=None, derandomize=True, print_blob=True)
settings.register_profile("long", max_examples=10_000, deadline=None, print_blob=True)
settings.load_profile(
    os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") == "true" else "fast")
)


class NetworkClosed(RuntimeError):
    """A test wanted to leave this machine."""


def _close_network(event: str, args: tuple[object, ...]) -> None:
    """Refuse every address but Unix sockets and this machine; an audit hook patches nothing."""
    if event in {"socket.connect", "socket.sendto", "socket.sendmsg"}:
        address = args[1]
        if not isinstance(address, tuple):  # a path: AF_UNIX; None: a connected socket
            return
        host = cast("tuple[object, ...]", address)[0]
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if name is not None and name not in LOOPBACK:
        msg = f"tests may not reach {name!r}: give them a fake from foreword.testing"
        raise NetworkClosed(msg)


sys.addaudithook(_close_network)
