"""Every exception of a call as one typed error.

Above: streaming. Below: refusals, for what servers say; `pydantic_ai` and `httpx2`, whose
exceptions end here. Invariant: no exception of a library leaves `llm`, and no error holds a key.

Source: issue 3, sections 1 and Checks.
"""

from __future__ import annotations

import errno
import json
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx2
from pydantic import ValidationError
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelHTTPError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)

from foreword.errors import (
    AnswerUnreadable,
    CallFailed,
    ModelTimedOut,
    ModelUnreachable,
)
from foreword.llm.refusals import Reply, refusal
from foreword.llm.wording import excerpt


class Failed(Exception):
    """A call failed; `hard` when another try seldom helps though the error's kind allows one.

    `said` is the server's own text for those who adapt to it; it never leaves `llm`.
    """

    def __init__(self, error: CallFailed, *, hard: bool = False, said: str = "") -> None:
        self.error = error
        self.hard = hard
        self.said = said
        super().__init__(str(error))


FOREIGN = (
    ModelAPIError,
    UnexpectedModelBehavior,
    httpx2.HTTPError,
    httpx2.StreamError,
    httpx2.InvalidURL,
    OSError,
    ValidationError,
    # What parsing and decoding raise, and what libraries raise when a server's JSON has another
    # shape than they take for granted.
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    AssertionError,
    RecursionError,
    # Of the library, where a program of somebody else's makes warnings errors.
    UserWarning,
)
"""What a call may raise when a server misbehaves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """Where an exception was met."""

    route: str
    secrets: tuple[str, ...] = ()
    now: datetime | None = None

    def words(self, error: BaseException) -> str:
        """Return what an exception says, safe to show."""
        return excerpt(str(error), self.secrets) or type(error).__name__


def failed(error: Exception, met: Met) -> Failed:
    """Return what an exception of a call means."""
    chain = tuple(_chain(error))
    for one in chain:
        if isinstance(one, Failed):
            return one
    for one in chain:
        if isinstance(one, ModelHTTPError):
            return _refused(one, met)
    for one in chain:
        found = _unreachable(one, met)
        if found is not None:
            return found
    if isinstance(error, ModelAPIError) and error.body is not None:
        reply = Reply(status=None, body=_body(error), secrets=met.secrets)
        now = met.now or datetime.fromtimestamp(0, UTC)
        return Failed(refusal(met.route, reply, now), said=str(error.body))
    return Failed(AnswerUnreadable(route=met.route, detail=_unreadable(chain, met)))


def _refused(error: ModelHTTPError, met: Met) -> Failed:
    reply = Reply(
        status=None if error.in_stream else error.status_code,
        body=_body(error),
        headers=getattr(error, "headers", None),
        secrets=met.secrets,
    )
    now = met.now or datetime.fromtimestamp(0, UTC)
    kind = refusal(met.route, reply, now)
    if isinstance(kind, AnswerUnreadable) and error.in_stream:
        # The library knows the status that the provider uses for it elsewhere.
        told = Reply(status=error.status_code, body=reply.body, secrets=met.secrets)
        kind = refusal(met.route, told, now)
    return Failed(kind, hard=isinstance(kind, AnswerUnreadable), said=str(error.body))


def _body(error: ModelAPIError) -> object:
    return error.message if error.body is None else error.body


def _unreachable(error: BaseException, met: Met) -> Failed | None:
    """Return the failure of a connection that an exception of the transport stands for."""
    if isinstance(error, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        detail = "no connection within the time allowed"
        return Failed(ModelUnreachable(route=met.route, detail=detail), hard=True)
    if isinstance(error, ModelTimeoutError | httpx2.TimeoutException | TimeoutError):
        return Failed(ModelTimedOut(route=met.route, detail="it did not answer in time"))
    found = _connection(error)
    if found is None:
        return None
    detail, hard = found
    return Failed(ModelUnreachable(route=met.route, detail=detail), hard=hard)


def _connection(error: BaseException) -> tuple[str, bool] | None:
    """Return what is wrong with a connection, and whether it will stay so."""
    text = str(error)
    if isinstance(error, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY" in text:
        return f"TLS: {_certificate(error)}", True
    if isinstance(error, ssl.SSLError) or "[SSL" in text:
        return "TLS: no encrypted connection; is it http:// instead of https://?", True
    if isinstance(error, socket.gaierror) or (
        isinstance(error, OSError | httpx2.ConnectError) and _DNS & set(text.casefold().split())
    ):
        return "no host of that name (DNS)", True
    if isinstance(error, OSError) and error.errno in _NO_WAY:
        return "no network leads there", True
    for kind, detail, hard in _KINDS:
        if isinstance(error, kind):
            return detail, hard
    if isinstance(error, httpx2.ConnectError):
        return _by_words(error), True
    if isinstance(error, httpx2.NetworkError | httpx2.RemoteProtocolError):
        return _broken(text), False
    return None


_KINDS: tuple[tuple[type[BaseException], str, bool], ...] = (
    (ConnectionRefusedError, "connection refused: nothing listens there", True),
    (ConnectionError, "the connection was reset", False),
    (httpx2.UnsupportedProtocol, "the URL cannot be used", True),
    (httpx2.InvalidURL, "the URL cannot be used", True),
    (httpx2.ProxyError, "the proxy refuses the connection", True),
)
_DNS = {"name", "nodename", "getaddrinfo", "resolution"}
_NO_WAY = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL}


def _by_words(error: BaseException) -> str:
    text = str(error).casefold()
    if "refused" in text or "all connection attempts failed" in text:
        return "connection refused: nothing listens there"
    return "no connection to that address"


def _broken(text: str) -> str:
    if "without sending a response" in text or "without response" in text:
        return "the server hung up without an answer"
    if "peer closed" in text or "incomplete" in text:
        return "the connection broke off in the middle of the answer"
    if "illegal" in text or "malformed" in text:
        return "the server does not speak HTTP"
    return "the connection broke off"


def _certificate(error: BaseException) -> str:
    text = getattr(error, "verify_message", "") or str(error)
    words = excerpt(text.split("certificate verify failed:")[-1], most=100)
    return f"the certificate is not accepted ({words.strip(' :')})"


def _unreadable(chain: tuple[BaseException, ...], met: Met) -> str:
    for one in chain:
        if isinstance(one, UnicodeDecodeError):
            return "its bytes are no UTF-8"
        if isinstance(one, json.JSONDecodeError):
            return f"broken JSON: {one.msg} at character {one.pos}"
    first = chain[0]
    if isinstance(first, ModelAPIError | UnexpectedModelBehavior):
        return excerpt(first.message, met.secrets)
    return f"not what the protocol says ({type(first).__name__})"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield an exception and those it came from, each once."""
    seen: set[int] = set()
    at: BaseException | None = error
    while at is not None and id(at) not in seen:
        seen.add(id(at))
        yield at
        at = at.__cause__ or at.__context__
