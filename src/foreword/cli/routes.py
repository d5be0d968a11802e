"""Commands on routes: list, set, remove, test. A key is read, stored and used, never shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli import model_shapes
from foreword.cli.call import Call, register
from foreword.cli.exits import ExitCode
from foreword.cli.printing import clean, note, show, table, write
from foreword.cli.running import run_now

if TYPE_CHECKING:
    from foreword.domain.routes import Route
    from foreword.engine.probing import Probe
    from foreword.engine.routes import RouteView

app = typer.Typer(
    name="routes", help="Say which model does which job, and try it.", no_args_is_help=True
)
Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A job: chat, summarise, merge or fallback.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """What can be set on a route; None leaves it, an empty text takes it away."""

    kind: Annotated[
        str | None,
        typer.Option(
            "--kind", metavar="K", help="openai, anthropic, local or builtin; else it is guessed."
        ),
    ] = None
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="The server; for openai it often ends with /v1."),
    ] = None
    model: Annotated[
        str | None,
        typer.Option("--model", metavar="M", help="Its name at the server, or a GGUF file."),
    ] = None
    key_env: Annotated[
        str | None,
        typer.Option("--key-env", metavar="VAR", help="The environment variable with the key."),
    ] = None
    key_file: Annotated[
        str | None,
        typer.Option("--key-file", metavar="FILE", help="A file with the key that is yours alone."),
    ] = None
    context: Annotated[
        str | None,
        typer.Option("--context", metavar="N", help="Size of its context in tokens; else asked."),
    ] = None
    output: Annotated[
        str | None, typer.Option("--output", metavar="N", help="Most tokens of one answer.")
    ] = None
    temperature: Annotated[
        str | None, typer.Option("--temperature", metavar="X", help="0 to 2; else the server's.")
    ] = None
    timeout: Annotated[
        str | None,
        typer.Option("--timeout", metavar="S", help="Seconds until an answer must be complete."),
    ] = None
    retries: Annotated[
        str | None,
        typer.Option("--retries", metavar="N", help="How often a failed call is tried again."),
    ] = None
    rpm: Annotated[
        str | None, typer.Option("--rpm", metavar="N", help="Most requests a minute.")
    ] = None
    concurrency: Annotated[
        str | None, typer.Option("--concurrency", metavar="N", help="Most requests at a time.")
    ] = None
    suffix: Annotated[
        str | None,
        typer.Option(
            "--suffix", metavar="on|off", help="Ask for summaries behind the chat's own prompt."
        ),
    ] = None
    price_in: Annotated[
        str | None,
        typer.Option("--price-in", metavar="X", help="US dollars for a million tokens read."),
    ] = None
    price_cached: Annotated[
        str | None,
        typer.Option("--price-cached", metavar="X", help="The same, read from the cache."),
    ] = None
    price_out: Annotated[
        str | None,
        typer.Option("--price-out", metavar="X", help="US dollars for a million tokens written."),
    ] = None

    def given(self) -> dict[str, str]:
        """Return the values that were named."""
        found = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: str(value) for name, value in found.items() if value is not None}


NOTHING = Values()


@register(app, "list")
def list_all(call: Call) -> None:
    """List the jobs and what does them."""
    from foreword.engine import routes

    views = routes.list_routes(call.engine)
    call.answer([model_shapes.route_json(view) for view in views], lambda: _show_list(views))


@register(app, "set")
def set_one(
    call: Call,
    name: Name,
    values: Values = NOTHING,
    ask_key: Annotated[
        bool,
        typer.Option("--ask-key", help="Read the key, hidden, and keep it in a file of its own."),
    ] = False,
) -> None:
    """Say which model does a job; what is not named stays, an empty value takes it away.

    The model of chat also writes summaries, and that of summarise also merges, as long as those
    jobs have no route of their own. A key is never part of the command line: name the variable or
    the file that holds it, or have it asked for.
    """
    from foreword.engine import routes

    changes = _changes(values.given())
    if not changes and not ask_key:
        raise typer.BadParameter("say what to set, for example --url URL --model MODEL")
    if ask_key and (changes.get("key_env") or changes.get("key_file")):
        raise typer.BadParameter("--ask-key makes a key file: give no --key-env or --key-file")
    routes.show_route(call.engine, name)
    view = routes.set_route(call.engine, name, changes)
    if ask_key:
        kept = {"key_file": str(_keep_key(call, name)), "key_env": ""}
        view = routes.set_route(call.engine, name, kept)
    call.answer(model_shapes.route_json(view), lambda: _show_list([view]))
    if view.route is not None and view.route.kind.value != "builtin":
        note(f"`foreword routes test {name}` tries it.")


@register(app)
def remove(call: Call, name: Name) -> None:
    """Take a route away; its job is done as it was before."""
    from foreword.engine import routes

    before = routes.show_route(call.engine, name)
    view = routes.remove_route(call.engine, name)
    call.answer(model_shapes.route_json(view), lambda: _show_list([view]))
    if before.route is not None and before.route.key_file:
        note(f"The file with its key stays: {before.route.key_file}")


@register(app)
def test(call: Call, name: Name) -> None:
    """Ask the model something small; say what it can do, or what is wrong."""
    from foreword.engine.probing import probe

    found = run_now(probe(call.engine, name))
    price = None if found.problem is not None else _price(call, found.route)
    call.answer(model_shapes.probe_json(found, price), lambda: _show_probe(found, price))
    if found.problem is not None:
        raise typer.Exit(ExitCode.MODEL)


def _changes(given: dict[str, str]) -> dict[str, str]:
    """Return the values with whole paths; of variable and file the one named replaces the other."""
    if given.get("key_file"):
        given["key_file"] = str(Path(given["key_file"]).expanduser().absolute())
        given.setdefault("key_env", "")
    elif given.get("key_env"):
        given.setdefault("key_file", "")
    model = Path(given.get("model", "")).expanduser()
    served_here = given.get("kind") == "local" or not (given.get("kind") or given.get("url"))
    if served_here and model.suffix.casefold() == ".gguf":
        given["model"] = str(model.absolute())
    return given


def _keep_key(call: Call, name: str) -> Path:
    from foreword.settings.data_dir import data_dir
    from foreword.settings.keys import write_key

    return write_key(data_dir(call.data_dir, os.environ), name, _read_key(name)).absolute()


def _read_key(name: str) -> str:
    if sys.stdin.isatty():
        return getpass(f"Key of route {name} (it is not shown): ", stream=sys.stderr).strip()
    return sys.stdin.readline().strip()


def _show_list(views: Sequence[RouteView]) -> None:
    made = table(
        "job", "kind", "model", "server", "context", "key", "price in / out", "",
        names=("model",), wide=("server", ""),
    )  # fmt: skip
    for view in views:
        if view.route is None:
            made.add_row(view.job.value, "", "", "", "", "", "", _without(view))
            continue
        route = view.route
        made.add_row(
            view.job.value,
            route.kind.value,
            clean(route.maker),
            clean(model_shapes.shown_url(route)),
            _context(route),
            _key(route),
            _prices(route),
            f"as {route.name}" if view.inherited else "",
        )
    show(made)


def _without(view: RouteView) -> str:
    jobs = {"chat": "no model: `write` needs one", "fallback": "nothing takes over"}
    return jobs.get(view.job.value, "the built-in summariser")


def _context(route: Route) -> str:
    if route.known_context is None:
        return "" if route.kind.value == "builtin" else "not known"
    told = route.known_context == route.told_context
    return f"{route.known_context:,} ({'told' if told else 'set'})"


def _key(route: Route) -> str:
    if route.key_env:
        return f"from ${route.key_env}"
    return "from a file" if route.key_file else "none"


def _prices(route: Route) -> str:
    if route.price_in is None and route.price_out is None:
        return ""
    shown = ("?" if one is None else f"${one:g}" for one in (route.price_in, route.price_out))
    return " / ".join(shown)


def _show_probe(found: Probe, price: tuple[float, float] | None) -> None:
    route = found.route
    where = f"{route.kind.value} {model_shapes.shown_url(route)}".strip()
    write(f"{route.name}: {route.maker} ({where})")
    if found.problem is not None:
        write(f"It does not work. {found.problem}")
        return
    first, total = found.first_seconds, found.total_seconds
    began = "" if first is None else f"first piece after {first:.2f} s, "
    write(f"{began}{total or 0:.2f} s in all")
    write(f"streams: {'yes' if found.streams else 'no, the answer comes in one piece'}")
    write(f"reasoning: {'yes, told apart from the answer' if found.reasoning else 'none seen'}")
    used = "yes" if found.usage_reported else "no, tokens are counted here instead"
    write(f"usage reported: {used}")
    write(f"context: {_told_context(found)}")
    write(f"price: {_told_price(price)}")
    write(f"it wrote: {clean(' '.join(found.answer.split()))[:200]}")


def _told_context(found: Probe) -> str:
    told = "" if found.context is None else f"{found.context:,} tokens, as the server tells"
    given = "" if found.route.context is None else f"{found.route.context:,} tokens, as set"
    return "; ".join(filter(None, (told, given))) or "not known; give it with --context"


def _price(call: Call, route: Route) -> tuple[float, float] | None:
    """Return what a million tokens cost, read and written, in US dollars."""
    from foreword.domain.calls import Usage

    model = call.engine.models.open(route)
    # Not a whole million: some providers ask more for long requests.
    part = 10_000
    read = model.price(Usage(tokens_in=part))
    written = model.price(Usage(tokens_out=part))
    if read is None or written is None:
        return None
    # Micro-dollars for a token are dollars for a million.
    return read / part, written / part


def _told_price(price: tuple[float, float] | None) -> str:
    if price is None:
        return "not known; give it with --price-in and --price-out"
    read, written = price
    if not read and not written:
        return "no cost"
    return f"${read:g} in, ${written:g} out for a million tokens"
