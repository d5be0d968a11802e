"""Requests cannot be passed on: by what was asked, or by the server behind the proxy."""

from __future__ import annotations

from collections.abc import Sequence

from foreword.errors.inputs import NotFound
from foreword.errors.tree import InputError, ModelError


class UpstreamNotFound(NotFound):
    """No upstream has that name."""

    what = "upstream"
    hint = "`foreword upstreams list` shows all of them."


class UpstreamUnclear(InputError):
    """A request names no upstream, and none is the default.

    `names` are those there are; empty when none is set.
    """

    def __init__(self, *, names: Sequence[str]) -> None:
        self.names = tuple(names)
        if not self.names:
            super().__init__(
                "No upstream is set. Name the model's server: `foreword upstreams set default "
                "--url URL`."
            )
            return
        super().__init__(
            f"The request does not say which upstream it is for ({', '.join(self.names)}). Choose "
            f"with the model's name '{self.names[0]}/MODEL', with the address "
            f"/u/{self.names[0]}/v1, or give one of them the name 'default'."
        )


class BodyTooLarge(InputError):
    """A request is larger than what is passed on."""

    def __init__(self, *, limit: int) -> None:
        self.limit = limit
        super().__init__(
            f"The request is larger than {limit // 1024**2} MB. Choose smaller images or "
            "fewer files."
        )


class UpstreamKeyMissing(InputError):
    """The variable that an upstream's key is to be read from holds none."""

    def __init__(self, *, upstream: str, variable: str) -> None:
        self.upstream = upstream
        self.variable = variable
        super().__init__(
            f"Upstream {upstream!r} needs a key and the variable {variable} holds none where the "
            "proxy runs. Set it and start the proxy again, or let clients send their own: "
            f"`foreword upstreams set {upstream} --key-env ''`."
        )


class AddressUnavailable(InputError):
    """The server cannot listen at an address."""

    def __init__(self, *, host: str, port: int, reason: str) -> None:
        self.host = host
        self.port = port
        self.reason = reason
        super().__init__(
            f"Foreword cannot listen on {host}, port {port}: {reason}. Another one may be running "
            "there; choose another --port or --host."
        )


class UpstreamUnreachable(ModelError):
    """The server behind the proxy gave no answer."""

    retryable = True

    def __init__(self, *, upstream: str, detail: str) -> None:
        self.upstream = upstream
        self.detail = detail
        super().__init__(
            f"Upstream {upstream!r} gave no answer ({detail}). See that it runs and that its URL "
            "is right: `foreword upstreams list`."
        )


class UpstreamCut(ModelError):
    """The server behind the proxy ended its answer in the middle."""

    retryable = True

    def __init__(self, *, upstream: str, detail: str) -> None:
        self.upstream = upstream
        self.detail = detail
        super().__init__(
            f"Upstream {upstream!r} ended its answer in the middle ({detail}). Try again."
        )


class UpstreamRedirects(ModelError):
    """The server behind the proxy names another address instead of answering."""

    def __init__(self, *, upstream: str, location: str) -> None:
        self.upstream = upstream
        self.location = location
        super().__init__(
            f"Upstream {upstream!r} points to {location or 'another address'} instead of "
            f"answering. Set the right URL: `foreword upstreams set {upstream} --url URL`."
        )
