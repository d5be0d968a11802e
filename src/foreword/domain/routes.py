"""Routes: which model does a job, with its limits.

Stored routes are strings by name; `route_from` turns them into one checked value, and `routed`
says which route does a job when the user set none for it. Doors show names and descriptions from
here. A key is never part of a route, only where it is to be read.

Source: issue 3; DECISIONS, One vocabulary.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from ipaddress import IPv6Address

from foreword.domain.setting_values import switch, written_value
from foreword.errors import InvalidSetting, RouteNotFound, UnknownSetting


class RouteName(StrEnum):
    """The jobs that a model can be given."""

    CHAT = "chat"
    """Writes the next turn."""
    SUMMARISE = "summarise"
    """Summarises turns; the chat route when none is set, and the built-in summariser without one.
    """
    MERGE = "merge"
    """Merges summaries; the summarise route when none is set."""
    FALLBACK = "fallback"
    """Takes over memory work when the other route fails or writes nothing usable."""


class RouteKind(StrEnum):
    """How a model is spoken to."""

    OPENAI = "openai"
    """Any server that speaks OpenAI's chat completions."""
    ANTHROPIC = "anthropic"
    LOCAL = "local"
    """A GGUF file, served in this process."""
    BUILTIN = "builtin"
    """The extractive summariser: no model, no network."""


INHERITS: Mapping[RouteName, RouteName | None] = {
    RouteName.CHAT: None,
    RouteName.SUMMARISE: RouteName.CHAT,
    RouteName.MERGE: RouteName.SUMMARISE,
    RouteName.FALLBACK: None,
}
"""The route that does a job for which none is set."""

OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com"
MICROS = 1_000_000
"""Micro-dollars in a dollar: money is counted in whole ones."""


def _about(sentence: str) -> dict[str, str]:
    return {"about": sentence}


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Which model does a job, and its limits."""

    name: str
    """Of the job that it was set for; another job may inherit it."""
    kind: RouteKind = field(metadata=_about("openai, anthropic, local or builtin."))
    url: str = field(
        default="", metadata=_about("Where the server is; for openai it often ends with /v1.")
    )
    model: str = field(
        default="", metadata=_about("Name of the model, or the path of a GGUF file.")
    )
    key_env: str = field(
        default="", metadata=_about("Name of the environment variable that holds the key.")
    )
    key_file: str = field(
        default="", metadata=_about("A file with the key, readable by its owner alone (0600).")
    )
    context: int | None = field(
        default=None, metadata=_about("Size of the model's context in tokens; asked when unset.")
    )
    told_context: int | None = field(
        default=None, metadata=_about("Size of the context that the server told, in tokens.")
    )
    output: int | None = field(
        default=None, metadata=_about("Most tokens of one answer, reasoning included.")
    )
    temperature: float | None = field(
        default=None, metadata=_about("0 to 2; the server's own when unset.")
    )
    timeout: float = field(
        default=120.0, metadata=_about("Seconds within which an answer must be complete.")
    )
    retries: int = field(
        default=3, metadata=_about("How often a failed call is tried again, 0 to 10.")
    )
    rpm: int | None = field(default=None, metadata=_about("Most requests a minute."))
    concurrency: int = field(default=1, metadata=_about("Most requests at a time."))
    suffix: bool = field(
        default=False,
        metadata=_about(
            "on: summaries of turns are asked for behind the chat's own prompt, so that the "
            "provider's cache pays for them; where the chat route is this model too."
        ),
    )
    price_in: float | None = field(
        default=None, metadata=_about("US dollars for a million tokens read.")
    )
    price_cached: float | None = field(
        default=None, metadata=_about("US dollars for a million tokens read from the cache.")
    )
    price_out: float | None = field(
        default=None, metadata=_about("US dollars for a million tokens written.")
    )

    @property
    def known_context(self) -> int | None:
        """The size of the context: as set or as the server told, the smaller; None if unknown."""
        known = [size for size in (self.context, self.told_context) if size is not None]
        return min(known, default=None)

    def same_model(self, other: Route) -> bool:
        """Say whether another route asks the same model of the same server in the same way."""
        mine = (self.kind, self.url, self.model, self.key_env, self.key_file, self.temperature)
        return mine == (
            other.kind,
            other.url,
            other.model,
            other.key_env,
            other.key_file,
            other.temperature,
        )

    @property
    def provider(self) -> str:
        """What an account's key and quota belong to: scheme and host of the URL."""
        return re.sub(r"^(\w+://[^/?#]+).*", r"\1", self.url) or self.kind.value

    @property
    def maker(self) -> str:
        """How a summary says which model wrote it."""
        if self.kind is RouteKind.LOCAL:
            return re.split(r"[\\/]", self.model)[-1]
        return self.model


def route_name(reference: str) -> RouteName:
    """Return the job of that name.

    Raises:
        RouteNotFound: there is none.
    """
    try:
        return RouteName(reference)
    except ValueError as error:
        raise RouteNotFound(reference) from error


def routed(routes: Mapping[str, Route], job: RouteName) -> Route | None:
    """Return the route that does a job: its own, else the one it inherits, else None."""
    at: RouteName | None = job
    while at is not None:
        if at.value in routes:
            return routes[at.value]
        at = INHERITS[at]
    return None


def route_from(name: str, values: Mapping[str, str]) -> Route:
    """Return the route that `values` describe; what they do not name has its default.

    Raises:
        RouteNotFound: no job has that name.
        UnknownSetting: a route has no such value.
        InvalidSetting: a value does not fit, or values do not fit together.
    """
    route_name(name)
    for key in values:
        if key not in ROUTE_SETTINGS:
            raise UnknownSetting(name=key, known=tuple(ROUTE_SETTINGS))
    given = {key: value.strip() for key, value in values.items() if value.strip()}
    kind = _kind(given)
    route = Route(
        name=name,
        kind=kind,
        url=_url(given, kind),
        model=given.get("model", ""),
        key_env=checked_variable(given),
        key_file=given.get("key_file", ""),
        context=checked_context(given),
        told_context=_whole(given, "told_context", 1, 100_000_000),
        output=_whole(given, "output", 1, 10_000_000),
        temperature=_decimal(given, "temperature", 0, 2),
        timeout=_decimal({"timeout": "120", **given}, "timeout", 1, 7200) or 0,
        retries=_whole({"retries": "3", **given}, "retries", 0, 10) or 0,
        rpm=_whole(given, "rpm", 1, 1_000_000),
        concurrency=_whole({"concurrency": "1", **given}, "concurrency", 1, 1000) or 1,
        suffix=switch("suffix", given.get("suffix", "off")),
        price_in=_decimal(given, "price_in", 0, 1_000_000),
        price_cached=_decimal(given, "price_cached", 0, 1_000_000),
        price_out=_decimal(given, "price_out", 0, 1_000_000),
    )
    _refuse_unfit(route)
    return route


def stored_route(route: Route) -> dict[str, str]:
    """Return what `route_from` makes it from; values that have their default are left out."""
    shown = {
        entry.name: getattr(route, entry.name)
        for entry in fields(Route)
        if entry.name != "name" and getattr(route, entry.name) != entry.default
    }
    return {name: _written(value) for name, value in shown.items()}


ROUTE_SETTINGS: Mapping[str, str] = {
    entry.name: str(entry.metadata["about"]) for entry in fields(Route) if entry.name != "name"
}
"""What each value of a route means, in the order a page would list them."""


def _written(value: object) -> str:
    if isinstance(value, bool):
        return written_value(value)
    if isinstance(value, float):
        # As many digits as are read, and never in the way of 1e-05, which is not.
        return f"{value:.9f}".rstrip("0").rstrip(".")
    return str(value)


def _kind(given: Mapping[str, str]) -> RouteKind:
    """Return the kind that is named, or the one that the other values speak of."""
    if "kind" not in given:
        if "url" in given:
            return RouteKind.OPENAI
        model = given.get("model", "")
        if model.casefold() == RouteKind.BUILTIN.value:
            return RouteKind.BUILTIN
        return RouteKind.LOCAL if model.casefold().endswith(".gguf") else RouteKind.OPENAI
    word = given["kind"].casefold()
    for kind in RouteKind:
        if kind.value == word:
            return kind
    raise InvalidSetting(name="kind", value=given["kind"], wanted=f"one of {', '.join(RouteKind)}")


def _url(given: Mapping[str, str], kind: RouteKind) -> str:
    return checked_url(given.get("url", _URLS.get(kind, "")))


def checked_url(url: str) -> str:
    """Return the address of a server without a slash at its end; empty when none is given.

    Raises:
        InvalidSetting: it is no address, or holds a key.
    """
    if url and (not _is_address(url) or _holds_key(url)):
        raise InvalidSetting(
            name="url",
            value="…" if _SECRETS.search(url) else url,
            wanted="an address such as http://localhost:8080/v1, without "
            "a key in it (--key-env or --key-file name where that is)",
        )
    return url.rstrip("/")


def _is_address(url: str) -> bool:
    found = _URL.fullmatch(url)
    if not found or not url.isprintable() or int(found["port"] or 0) > LAST_PORT:
        return False
    try:
        return found["ipv6"] is None or bool(IPv6Address(found["ipv6"]))
    except ValueError:
        return False


def _holds_key(url: str) -> bool:
    query = url.partition("?")[2]
    names = (part.partition("=")[0] for part in re.split("[?&;]", query))
    return any(_KEY_NAME.search(name) for name in names) or bool(_KEY.search(query))


def checked_variable(given: Mapping[str, str]) -> str:
    """Return the value `key_env`, the name of a variable; empty when none is given.

    Raises:
        InvalidSetting: no variable is named so; it may be a key.
    """
    name = given.get("key_env", "")
    if name and (not _VARIABLE.fullmatch(name) or _KEY.search(name)):
        # Probably the key itself: it must not be repeated in an error.
        raise InvalidSetting(
            name="key_env", value="…", wanted="the name of an environment variable, not the key"
        )
    return name


def _refuse_unfit(route: Route) -> None:
    """Refuse values that do not fit together."""
    if route.kind is RouteKind.BUILTIN:
        if route.name == RouteName.CHAT:
            wanted = "a model: the built-in summariser cannot write replies"
            raise InvalidSetting(name="kind", value=route.kind.value, wanted=wanted)
    elif not route.model:
        raise InvalidSetting(name="model", value="", wanted="the name of a model")
    if route.key_env and route.key_file:
        wanted = "either a variable or a file, not both"
        raise InvalidSetting(name="key_file", value="…", wanted=wanted)
    if _KEY_FOR_FILE.fullmatch(re.split(r"[\\/]", route.key_file)[-1]):
        wanted = "the path of a file with the key, not the key"
        raise InvalidSetting(name="key_file", value="…", wanted=wanted)


def checked_context(given: Mapping[str, str]) -> int | None:
    """Return the value `context`, the size of a model's context in tokens; None when not given.

    Raises:
        InvalidSetting: it is no such size.
    """
    return _whole(given, "context", 256, 100_000_000)


def _whole(given: Mapping[str, str], name: str, least: int, most: int) -> int | None:
    found = _number(given, name, least, most, _WHOLE)
    return None if found is None else int(found)


def _decimal(given: Mapping[str, str], name: str, least: int, most: int) -> float | None:
    return _number(given, name, least, most, _DECIMAL)


def _number(
    given: Mapping[str, str], name: str, least: int, most: int, form: re.Pattern[str]
) -> float | None:
    if name not in given:
        return None
    value = given[name]
    number = float(value) if form.fullmatch(value) else None
    if number is None or not least <= number <= most:
        kind = "whole number" if form is _WHOLE else "number"
        wanted = f"a {kind} from {least} to {most}"
        raise InvalidSetting(name=name, value=value, wanted=wanted)
    return number


_URLS: Mapping[RouteKind, str] = {
    RouteKind.OPENAI: OPENAI_URL,
    RouteKind.ANTHROPIC: ANTHROPIC_URL,
}
LAST_PORT = 65_535
_URL = re.compile(
    r"https?://(?:\[(?P<ipv6>[0-9a-f:.]+)\]|[^\s/?#@:\[\]]+)(?::(?P<port>[0-9]{1,5}))?(?:/[^\s@#]*)?",
    re.IGNORECASE,
)
_PREFIX = "(?<![a-z0-9])(?:sk|pk|rk|gsk|hf|xai|r8)[-_]"
"""What providers begin their keys with."""
_SECRETS = re.compile(rf"[?#@\s]|[a-z0-9_-]{{16}}|{_PREFIX}", re.IGNORECASE | re.ASCII)
"""What is no address and has these may hold a password or a key, or be one."""
_KEY_NAME = re.compile("key|token|secret|passw|pwd|cred|auth|sig|^code$", re.IGNORECASE)
"""Of a part of a query."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY = re.compile(r"(?=[A-Za-z]{0,40}[0-9]{1,40}[A-Za-z])[A-Za-z0-9]{16}")
"""What keys have and names of variables do not: many letters with digits among them."""
_KEY_FOR_FILE = re.compile(
    rf"{_PREFIX}[a-z0-9_-]{{8,}}|{_KEY.pattern}[a-z0-9]*", re.IGNORECASE | re.ASCII
)
"""The last part of a path that nobody would name a file."""
_WHOLE = re.compile(r"[0-9]{1,9}")
_DECIMAL = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")
