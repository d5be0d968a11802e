from __future__ import annotations

import json
import socket
import ssl

import httpx2
import pytest
from pydantic_ai.exceptions import ModelAPIError, ModelHTTPError, UnexpectedModelBehavior

from foreword.errors import (
    AnswerUnreadable,
    CallFailed,
    ContextOverflow,
    ModelTimedOut,
    ModelUnreachable,
    RateLimited,
)
from foreword.llm.failures import Failed, Met, failed

KEY = "sk-secret-12345678"
MET = Met(route="chat", secrets=(KEY,))


def caused(outer: Exception, inner: Exception) -> Exception:
    outer.__cause__ = inner
    return outer


WRONG_CERTIFICATE = ssl.SSLCertVerificationError(
    1, "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate"
)


@pytest.mark.parametrize(
    ("error", "kind", "hard", "words"),
    [
        (httpx2.ConnectTimeout("x"), ModelUnreachable, True, "no connection"),
        (httpx2.ReadTimeout("x"), ModelTimedOut, False, "in time"),
        (TimeoutError(), ModelTimedOut, False, "in time"),
        (WRONG_CERTIFICATE, ModelUnreachable, True, "TLS: the certificate is not accepted (self-s"),
        (ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER]"), ModelUnreachable, True, "https"),
        (socket.gaierror(-2, "Name or service not known"), ModelUnreachable, True, "DNS"),
        (httpx2.ConnectError("[Errno 8] nodename nor servname"), ModelUnreachable, True, "DNS"),
        (httpx2.ConnectError("All connection attempts failed"), ModelUnreachable, True, "refused"),
        (ConnectionRefusedError(111, "x"), ModelUnreachable, True, "refused"),
        (ConnectionResetError(104, "x"), ModelUnreachable, False, "reset"),
        (OSError(101, "Network is unreachable"), ModelUnreachable, True, "no network"),
        (httpx2.UnsupportedProtocol("x"), ModelUnreachable, True, "URL"),
        (httpx2.ProxyError("x"), ModelUnreachable, True, "proxy"),
        (httpx2.ReadError("x"), ModelUnreachable, False, "broke off"),
        (httpx2.RemoteProtocolError("Server disconnected without sending a response."),
         ModelUnreachable, False, "hung up"),
        (httpx2.RemoteProtocolError("peer closed connection"), ModelUnreachable, False, "middle"),
        (httpx2.RemoteProtocolError("illegal status line"), ModelUnreachable, False, "HTTP"),
        (json.JSONDecodeError("Expecting value", "x", 0), AnswerUnreadable, False, "broken JSON"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x"), AnswerUnreadable, False, "UTF-8"),
        (UnexpectedModelBehavior(f"odd {KEY}"), AnswerUnreadable, False, "odd …"),
        (ModelAPIError("m", "odd"), AnswerUnreadable, False, "odd"),
        (ModelAPIError("m", "x", body={"message": "prompt is too long: 9 tokens > 5 maximum"}),
         ContextOverflow, False, "too long"),
        (ModelHTTPError(429, "m", {"message": "slow"}), RateLimited, False, "slow"),
        (AttributeError("'NoneType'"), AnswerUnreadable, False, "AttributeError"),
    ],
)  # fmt: skip
def test_an_exception_is_a_typed_error_however_deep_it_lies(
    error: Exception, kind: type[CallFailed], hard: bool, words: str
) -> None:
    for raised in (error, caused(ModelAPIError("m", "Connection error."), error)):
        found = failed(raised, MET)
        if isinstance(error, ModelAPIError | UnexpectedModelBehavior | AttributeError):
            found = failed(error, MET)
        assert (type(found.error), found.hard) == (kind, hard)
        assert words in found.error.detail
        assert KEY not in str(found)


def test_a_failure_that_has_its_error_keeps_it() -> None:
    inner = Failed(ModelTimedOut(route="chat", detail="x"))
    assert failed(caused(ValueError("y"), inner), MET) is inner
