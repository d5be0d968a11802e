"""Upstreams: the servers that the memory proxy passes requests on to, by name.

Stored upstreams are strings by name; `upstream_from` turns them into one checked value and
`choose_upstream` says which one a request is for. A key is never part of an upstream, only the
name of the variable that holds it.

Source: issue 6, section 1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foreword.domain.routes import checked_context, checked_url, checked_variable
from foreword.errors import InvalidSetting, UnknownSetting, UpstreamNotFound, UpstreamUnclear

DEFAULT = "default"
"""The upstream of that name is asked when a request names none."""
UPSTREAM_SETTINGS = ("url", "key_env", "context")

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?")
_VERSION = re.compile(r"/v[0-9][a-z0-9]*(?=/|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class UpstreamServer:
    """A server behind the proxy."""

    name: str
    url: str
    """Its address, without a slash at the end."""
    key_env: str = ""
    """The variable with the key that replaces what clients send; empty: theirs is passed on."""
    context: int | None = None
    """Size of the context of its models, in tokens."""

    def address(self, rest: str, *, query: str = "", anthropic: bool = False) -> str:
        """Return where a request goes.

        Args:
            rest: the path behind `/v1/`.
            query: of the request, without its question mark.
            anthropic: the request speaks Anthropic's protocol, whose servers are named without
                their `/v1`.
        """
        base, _, own = self.url.partition("?")
        _, _, place = base.partition("://")
        _, slash, path = place.partition("/")
        versioned = _VERSION.search(slash + path)
        if not versioned and (anthropic or not path):
            base += "/v1"
        whole = "&".join(part for part in (own, query) if part)
        return f"{base}/{rest}" + (f"?{whole}" if whole else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The upstream that a request is for, and the model that it is asked for."""

    server: UpstreamServer
    model: str | None
    """Without the upstream's name before it; None: the request names no model."""


def upstream_from(name: str, values: Mapping[str, str]) -> UpstreamServer:
    """Return the upstream that `values` describe; what they do not name has its default.

    Raises:
        InvalidSetting: the name or a value does not fit.
        UnknownSetting: an upstream has no such value.
    """
    if not _NAME.fullmatch(name):
        wanted = "up to 64 letters, digits, dots, dashes and underscores"
        raise InvalidSetting(name="name", value=name, wanted=wanted)
    for key in values:
        if key not in UPSTREAM_SETTINGS:
            raise UnknownSetting(name=key, known=UPSTREAM_SETTINGS)
    given = {key: value.strip() for key, value in values.items() if value.strip()}
    if "url" not in given:
        wanted = "the address of a server such as http://localhost:8080/v1"
        raise InvalidSetting(name="url", value="", wanted=wanted)
    return UpstreamServer(
        name=name,
        url=checked_url(given["url"]),
        key_env=checked_variable(given),
        context=checked_context(given),
    )


def stored_upstream(server: UpstreamServer) -> dict[str, str]:
    """Return what `upstream_from` makes it from; what is not set is left out."""
    context = "" if server.context is None else str(server.context)
    values = {"url": server.url, "key_env": server.key_env, "context": context}
    return {key: value for key, value in values.items() if value}


def choose_upstream(
    servers: Sequence[UpstreamServer], *, named: str | None = None, model: str | None = None
) -> Chosen:
    """Return the upstream a request is for: by its path, by its model, the default or the only one.

    Args:
        servers: all there are.
        named: the name in the path, as in `/u/NAME/v1`; then the model's name stays as it is.
        model: what the request asks for; `NAME/model` names the upstream where there is one of
            that name, and is a model's own name where there is none.

    Raises:
        UpstreamNotFound: none has the name in the path.
        UpstreamUnclear: there is none, or there are several and nothing says which.
    """
    by_name = {server.name: server for server in servers}
    if named is not None:
        if named not in by_name:
            raise UpstreamNotFound(named)
        return Chosen(server=by_name[named], model=model)
    first, slash, rest = (model or "").partition("/")
    if slash and rest and first in by_name:
        return Chosen(server=by_name[first], model=rest)
    if DEFAULT in by_name:
        return Chosen(server=by_name[DEFAULT], model=model)
    if len(servers) == 1:
        return Chosen(server=servers[0], model=model)
    raise UpstreamUnclear(names=tuple(by_name))
