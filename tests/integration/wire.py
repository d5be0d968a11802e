"""A wire to a PostgreSQL server that can be cut at a chosen word."""

from __future__ import annotations

import selectors
import socket
from contextlib import suppress
from pathlib import Path
from threading import Thread

from sqlalchemy import make_url
from tests.postgres import address_of

COMMIT = b"COMMIT\x00"


class Wire:
    """Passes on what clients and the server say to each other, on a port of its own."""

    def __init__(self, database: str) -> None:
        url = make_url(address_of(database))
        self._server = str(Path(str(url.query["host"])) / ".s.PGSQL.5432")
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = url.set(
            host="127.0.0.1", port=self._listening.getsockname()[1], query={"sslmode": "disable"}
        ).render_as_string(hide_password=False)
        self.cut_at_commit = False
        """Whether the next commit reaches the server and its answer nobody."""
        self.silent_then = False
        """Whether nobody gets through after that."""
        Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        server = socket.socket(socket.AF_UNIX)
        with client, server, suppress(OSError), selectors.DefaultSelector() as ends:
            server.connect(self._server)
            ends.register(client, selectors.EVENT_READ, server)
            ends.register(server, selectors.EVENT_READ, client)
            while True:
                for key, _ in ends.select():
                    source: socket.socket = key.fileobj  # type: ignore[assignment]
                    said = source.recv(1 << 16)
                    if not said:
                        return
                    key.data.sendall(said)
                    if self.cut_at_commit and source is client and COMMIT in said:
                        self._cut(server)
                        return

    def _cut(self, server: socket.socket) -> None:
        """Wait until the server has done what it was told, and tell nobody."""
        server.recv(1 << 16)
        self.cut_at_commit = False
        if self.silent_then:
            self.close()
