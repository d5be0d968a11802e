"""The HTTP client of calls: speaks a server's dialect, and lets nothing through but a stream.

Above: streaming. Below: `httpx2`, dialects. Invariant: what leaves a `GuardedClient` is an error
status with a bounded body, or server-sent events with bounded lines; anything else is `Failed`.

Source: issue 3, Checks.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import cache
from typing import Final

import httpx2

from foreword.errors import AnswerUnreadable
from foreword.llm.dialects import Dialect, rewritten
from foreword.llm.failures import Failed
from foreword.llm.refusals import Reply, message_of, refusal
from foreword.llm.wording import excerpt, html_words, is_html

CONNECT_SECONDS: Final = 15.0
MOST_LINE: Final = 16_000_000
"""Bytes of one event; longer ones are no answer."""
MOST_ERROR: Final = 200_000
MOST_DOCUMENT: Final = 32_000_000
_SNIFFED: Final = 64_000
_EVENTS: Final = (b"data", b"event", b"id", b"retry", b":")
_BOM: Final = b"\xef\xbb\xbf"
_TAIL: Final = 64
_OWN_HEADERS: Final = ("openai-organization", "openai-project")


@cache
def tls_context() -> ssl.SSLContext:
    """Return the certificates that are trusted; reading them takes time, so it is done once."""
    return httpx2.create_ssl_context()


class GuardedClient(httpx2.AsyncClient):
    """A client for one call."""

    def __init__(
        self, *, url: str, route: str, dialect: Dialect | None, secrets: tuple[str, ...] = ()
    ) -> None:
        """Take what errors name; without a dialect, requests are sent as they come."""
        self._route = route
        self._dialect = dialect
        self._secrets = secrets
        self.done = False
        """The server said that the answer is complete."""
        super().__init__(
            verify=tls_context() if url.lower().startswith("https:") else False,
            headers={"Accept-Encoding": "identity"},
            timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
            follow_redirects=False,
        )

    async def send(  # type: ignore[explicit-override]
        self,
        request: httpx2.Request,
        *,
        stream: bool = False,
        auth: object = None,  # noqa: ARG002
        follow_redirects: object = False,  # noqa: ARG002
    ) -> httpx2.Response:
        """Send a request in the dialect and return a response that can be trusted."""
        response = await super().send(self._spoken(request), stream=True, follow_redirects=False)
        try:
            guarded = await self._guarded(response)
        except BaseException:
            await response.aclose()
            raise
        if not stream:
            await guarded.aread()
        return guarded

    def _spoken(self, request: httpx2.Request) -> httpx2.Request:
        if self._dialect is None:
            return request
        headers = request.headers.copy()
        for name in ("content-length", *_OWN_HEADERS):
            headers.pop(name, None)
        return httpx2.Request(
            request.method,
            request.url,
            headers=headers,
            content=rewritten(request.content, self._dialect),
            extensions=request.extensions,
        )

    async def _guarded(self, response: httpx2.Response) -> httpx2.Response:
        if 300 <= response.status_code < 400:
            host = response.headers.get("location", "")
            raise self._failed(f"it sends on to another address: {host}")
        if response.status_code >= 400:
            body = await _beginning(response, MOST_ERROR)
            return self._made(response, response.status_code, _Whole(body))
        pieces = response.aiter_bytes()
        head = b""
        while len(head.lstrip(_BOM).lstrip()) < 8 and len(head) < _SNIFFED:
            piece = await anext(pieces, None)
            if piece is None:
                break
            head += piece
        head = head.removeprefix(_BOM)
        if head.lstrip().startswith(_EVENTS):
            return self._made(response, 200, _Lines(response, head, pieces, self))
        return await self._document(response, head, pieces)

    async def _document(
        self, response: httpx2.Response, head: bytes, pieces: AsyncIterator[bytes]
    ) -> httpx2.Response:
        """Return the stream that a whole document stands for, or say what it is instead."""
        body = bytearray(head)
        async for piece in pieces:
            body += piece
            if len(body) > MOST_DOCUMENT:
                raise self._failed("an answer without end")
        await response.aclose()
        text = body.decode("utf-8", "replace")
        if not text.strip():
            raise self._failed("an empty answer", hard=False)
        if is_html(text):
            raise self._failed(html_words(text, self._secrets))
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError):
            kind = response.headers.get("content-type", "no content type")
            said = f"{kind}: {text}"
            raise self._failed(excerpt(said, self._secrets, most=120)) from None
        return self._made(response, 200, _Whole(self._as_events(parsed)))

    def _as_events(self, parsed: object) -> bytes:
        """Return a complete answer, sent without a stream, as the events of one."""
        if not isinstance(parsed, dict):
            raise self._failed("JSON, but no answer")
        choices = parsed.get("choices")
        if not isinstance(choices, list):
            self._raise_error(parsed)
        elif not choices:
            raise self._failed("no choices", hard=False)
        chunk = {**parsed, "object": "chat.completion.chunk", "choices": []}
        for choice in (choices or [])[:1]:
            if not isinstance(choice, dict):
                raise self._failed("JSON, but no answer")
            message = choice.get("message")
            said = message if isinstance(message, dict) else {"content": choice.get("text")}
            reason = choice.get("finish_reason")
            chunk["choices"] = [{"index": 0, "delta": said, "finish_reason": reason}]
        return b"data: " + json.dumps(chunk).encode() + b"\n\ndata: [DONE]\n\n"

    def _raise_error(self, parsed: dict[str, object]) -> None:
        """Raise what a JSON document without choices stands for."""
        inner = parsed.get("error")
        code = inner.get("code") if isinstance(inner, dict) else None
        status = code if isinstance(code, int) and 400 <= code < 600 else 200
        if not message_of(parsed):
            raise self._failed("JSON, but no answer")
        reply = Reply(status=status, body=parsed, secrets=self._secrets)
        now = datetime.fromtimestamp(0, UTC)
        raise Failed(refusal(self._route, reply, now), hard=True, said=str(parsed))

    def _made(
        self, response: httpx2.Response, status: int, stream: httpx2.AsyncByteStream
    ) -> httpx2.Response:
        headers = response.headers.copy()
        for name in ("content-encoding", "content-length", "transfer-encoding"):
            headers.pop(name, None)
        if status == 200:
            headers["content-type"] = "text/event-stream"
        return httpx2.Response(status, headers=headers, stream=stream, request=response.request)

    def _failed(self, detail: str, *, hard: bool = True) -> Failed:
        shown = excerpt(detail, self._secrets)
        return Failed(AnswerUnreadable(route=self._route, detail=shown), hard=hard)

    def too_long(self) -> Failed:
        """Return the failure of a line without end."""
        return self._failed("one event of it has no end", hard=False)


class _Whole(httpx2.AsyncByteStream):
    """A body that is there already."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:  # type: ignore[explicit-override]
        yield self._body


class _Lines(httpx2.AsyncByteStream):
    """Events as they come, as long as lines end."""

    def __init__(
        self,
        response: httpx2.Response,
        head: bytes,
        pieces: AsyncIterator[bytes],
        client: GuardedClient,
    ) -> None:
        self._response = response
        self._head = head
        self._pieces = pieces
        self._client = client

    async def __aiter__(self) -> AsyncIterator[bytes]:  # type: ignore[explicit-override]
        open_line = len(self._head) - self._head.rfind(b"\n")
        tail = self._head[-_TAIL:]
        yield self._head
        async for piece in self._pieces:
            end = piece.rfind(b"\n")
            open_line = len(piece) - end if end >= 0 else open_line + len(piece)
            if open_line > MOST_LINE:
                raise self._client.too_long()
            tail = (tail + piece)[-_TAIL:]
            yield piece
        self._client.done = b"[DONE]" in tail

    async def aclose(self) -> None:  # type: ignore[explicit-override]
        await self._response.aclose()


async def _beginning(response: httpx2.Response, most: int) -> bytes:
    body = bytearray()
    async for piece in response.aiter_bytes():
        body += piece
        if len(body) >= most:
            break
    await response.aclose()
    return bytes(body[:most])
