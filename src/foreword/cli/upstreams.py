"""Commands on upstreams: list, set, remove. Keys are never shown, only where they are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli.call import Call, register
from foreword.cli.printing import clean, show, table, write

if TYPE_CHECKING:
    from foreword.domain.upstreams import UpstreamServer

app = typer.Typer(
    name="upstreams",
    help="Say which servers `serve` passes requests on to.",
    no_args_is_help=True,
)
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="An upstream; `default` is asked unless another is.")
]


@register(app, "list")
def list_all(call: Call) -> None:
    """List the upstreams."""
    from foreword.engine.upstreams import list_upstreams

    servers = list_upstreams(call.engine)
    call.answer([upstream_json(server) for server in servers], lambda: _show(servers))


@register(app, "set")
def set_one(
    call: Call,
    name: Name,
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="The server; it often ends with /v1."),
    ] = None,
    key_env: Annotated[
        str | None,
        typer.Option(
            "--key-env",
            metavar="VAR",
            help="The variable with the key that replaces the client's; else that is passed on.",
        ),
    ] = None,
    context: Annotated[
        str | None,
        typer.Option("--context", metavar="N", help="Size of its models' context in tokens."),
    ] = None,
) -> None:
    """Add an upstream or change it; what is not named stays, an empty value takes it away."""
    from foreword.engine.upstreams import set_upstream

    given = {"url": url, "key_env": key_env, "context": context}
    changes = {key: value for key, value in given.items() if value is not None}
    if not changes:
        raise typer.BadParameter("say what to set, for example --url URL")
    server = set_upstream(call.engine, name, changes)
    call.answer(upstream_json(server), lambda: _show([server]))


@register(app)
def remove(call: Call, name: Name) -> None:
    """Take an upstream away."""
    from foreword.engine.upstreams import remove_upstream

    server = remove_upstream(call.engine, name)
    call.answer(upstream_json(server), lambda: write(f"Removed: {clean(server.name)}"))


def upstream_json(server: UpstreamServer) -> dict[str, object]:
    """Return an upstream for programs."""
    return {
        "name": server.name,
        "url": _shown(server),
        "key_env": server.key_env,
        "context": server.context,
    }


def _show(servers: Sequence[UpstreamServer]) -> None:
    if not servers:
        write("No upstream is set. `foreword upstreams set default --url URL` adds one.")
        return
    made = table("upstream", "server", "key", "context", names=("upstream",), wide=("server",))
    for server in servers:
        made.add_row(
            clean(server.name),
            clean(_shown(server)),
            f"from ${server.key_env}" if server.key_env else "the client's",
            "" if server.context is None else f"{server.context:,}",
        )
    show(made)


def _shown(server: UpstreamServer) -> str:
    """Return the address without its query: there may be a key in it."""
    return re.sub(r"\?.*", "?…", server.url, flags=re.DOTALL)
