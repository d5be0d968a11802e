"""The command that starts the proxy."""

from __future__ import annotations

from typing import Annotated

import typer

from foreword.cli.call import Call, register
from foreword.cli.printing import clean, note, write


def serve(
    call: Call,
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="The address to listen on.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65_535, help="0 takes any that is free.")
    ] = 7373,
) -> None:
    """Pass the requests of chat clients on to the upstreams, until Ctrl-C.

    Point a client at the address that is printed. Requests and answers pass unchanged: memory is
    not part of it yet. Other machines reach it only when --host says so.
    """
    import asyncio

    from foreword.bootstrap import open_upstream, upstream_keys
    from foreword.engine.upstreams import list_upstreams
    from foreword.server.running import Parts, address_of, listen
    from foreword.server.running import serve as run

    known = list_upstreams(call.engine)
    listener = listen(host, port)
    parts = Parts(
        engine=call.engine,
        upstream=open_upstream(),
        read_key=upstream_keys(),
        tell=lambda line: note(clean(line)),
    )
    address = address_of(listener)
    call.answer(
        {"url": address, "upstreams": [server.name for server in known]},
        lambda: write(f"Listening on {address}"),
    )
    if not known:
        note("No upstream is set yet: `foreword upstreams set default --url URL`.")
    asyncio.run(run(parts, listener))
    note("Stopped.")


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app)(serve)
