"""What a server means when it answers with an error: status, body and headers to a typed error.

Above: failures. Below: wording. Invariant: pure; every status and body, however odd, becomes one
`CallFailed`.

Source: issue 3, section 1.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

from foreword.errors import (
    AnswerUnreadable,
    CallFailed,
    ContextOverflow,
    KeyRejected,
    ModelOverloaded,
    ModelUnknown,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
)
from foreword.llm.wording import excerpt, html_words, is_html

_READ_CHARS: Final = 20_000
_DEPTH: Final = 6

_QUOTA: Final = re.compile(
    r"(?i)insufficient[_ ](?:quota|credit|balance|funds)|billing_hard_limit|billing_error"
    r"|credit balance is too low|exceeded (?:your|the) current quota|exceeded_current_quota"
    r"|(?:credits?|quota|balance)\s+(?:is |are |has been |have been )?"
    r"(?:exhausted|used up|depleted)"
    r"|_spend_limit_exceeded|_usage_limit_exceeded|credit_balance_exhausted|out of credits"
)
_BAD_KEY: Final = re.compile(
    r"(?i)invalid[_ ]api[_ ]key|incorrect api key|api key not valid|API_KEY_INVALID"
    r"|authentication_error|invalid x-api-key|no api key"
)
_NO_MODEL: Final = re.compile(
    r"(?i)model_not_found|(?:is )?not a valid model|model\b.{0,120}\b(?:not found|does not exist"
    r"|is not (?:available|loaded|known|supported)\b)|unknown model|invalid model\b|no such model"
    r"|no models? loaded"
)
_BUSY: Final = re.compile(
    r"(?i)overloaded|over capacity|server is busy|loading model|model is loading|unavailable_error"
)
_SLOWER: Final = re.compile(r"(?i)rate[_ ]limit|too many requests|too_many_requests|throttl")
_FILTER: Final = re.compile(
    r"(?i)content[_ ]?(?:filter|policy|management)|flagged|moderation|safety (?:system|settings)"
)

_TOO_LONG: Final = re.compile(
    r"(?i)context_length_exceeded|exceed_context_size|context[_ -]?(?:length|size|window)"
    r"|maximum (?:context|model|sequence|input|prompt|number of (?:input )?tokens)"
    r"|max_model_len|max_seq_len|prompt is too long|input is too long|too many (?:input )?tokens"
    r"|prompt.{0,40}(?:exceeds?|longer than|too (?:long|large)).{0,80}(?:token|context|max|limit)"
    r"|tokens? .{0,60}exceeds?|exceeds? .{0,60}(?:token|context)|exceeds? the available context"
    r"|reduce the length|trying to keep the first .{0,30}context|truncat\w+ .{0,30}context"
    r"|input.{0,20}token count"
)
_EXCEEDING: Final = re.compile(
    r"(?i)exceed|too (?:long|large|many)|longer|greater|larger|more than|reduce|however|"
    r"maximum|overflow|trying to keep|not enough|does ?n[o']t fit|at most|>"
)
_NUMBER: Final = r"(\d[\d,_.]*\d|\d)"
_NEEDED: Final = tuple(
    re.compile(pattern.replace("#", _NUMBER), re.IGNORECASE)
    for pattern in (
        r"\"?n_prompt_tokens\"?\s*[:=]\s*#",
        r"prompt is too long:\s*# tokens",
        r"you requested (?:about )?# tokens",
        (
            r"your (?:messages|prompt|request|input) (?:resulted in|contains?|has|is|was)"
            r" (?:at least |about )?# (?:input )?tokens"
        ),
        r"prompt (?:contains|has) (?:at least )?# (?:input |prompt )?tokens",
        r"(?:resulted in|prompt of|input of|request of) # tokens",
        r"\(# tokens?\)\s*(?:exceeds|is longer|is larger)",
        (
            r"(?:request|prompt|input)(?: length| size)?\s*\(?# ?(?:tokens?)?\)?,?\s*"
            r"(?:exceeds|is longer|is larger|is greater|> )"
        ),
        r"(?:input|prompt)?\s*tokens? (?:count|length)\s*(?:of |is |\(|:)?\s*\(?#\)?",
        r"(?:keep the|first) # tokens",
        r"input length (?:and `max_tokens` )?(?:exceed context limit: )?(?:of |is )?#",
        r"\brequest(?:ed)?:? # tokens",
        r"\b# tokens (?:were |was )?(?:given|requested|in the (?:messages|prompt))",
        r"\b# tokens? (?:exceeds|is (?:longer|larger|greater)|>)",
        r"prompt length\D{0,12}#",
        r"length #\)? (?:exceeds|is (?:longer|larger|greater))",
        r"got # tokens",
    )
)
_LIMIT: Final = tuple(
    re.compile(pattern.replace("#", _NUMBER), re.IGNORECASE)
    for pattern in (
        r"\"?n_ctx\"?\s*[:=]\s*#",
        r"exceed context limit:\s*[\d,]+\s*\+\s*[\d,]+\s*>\s*#",
        r"# maximum (?:context|model|sequence)",
        r"tokens?\s*>\s*# (?:maximum|max|limit)",
        (
            r"maximum (?:context|model|sequence|input|prompt) (?:length|window|size|len)"
            r"(?: \(max_model_len\))?(?: of this model)?(?: is| of|:| \()?\s*#"
        ),
        (
            r"(?:context|sequence|model)[ _-]?(?:length|window|size|limit|len)(?: is| of|:| \()*"
            r"(?: only| just| at most)?\s*#"
        ),
        r"available context size \(#",
        r"max_(?:model|seq)_len\w*\s*(?:is|of|=|:|\()?\s*#",
        r"maximum number of (?:input )?tokens(?: allowed)?\s*(?:is|of|:|\()?\s*\(?#",
        r"(?:limit|maximum|max)(?: is| of|:| \(|=)?\s*# ?(?:tokens)?",
        r"# tokens? (?:maximum|max\b|limit|context)",
        r"(?:than|exceeds?)(?: the)?(?: \w+){0,5} \(?#",
        r"only # tokens",
        r"at most # tokens",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An error as a server sent it."""

    status: int | None
    """None when the error came inside a stream."""
    body: object = None
    """Parsed JSON, or text."""
    headers: Mapping[str, str] | None = None
    secrets: tuple[str, ...] = ()
    """Keys that must not be repeated."""


def refusal(route: str, reply: Reply, now: datetime) -> CallFailed:
    """Return the error that a server's reply stands for.

    Args:
        route: name of the route.
        reply: what the server sent.
        now: the time, for a Retry-After that is a date.
    """
    text = _all_text(reply.body)
    if is_html(text) and reply.status not in {401, 402, 403, 407, 429}:
        if reply.status is not None and reply.status >= 500:
            return ModelOverloaded(route=route, detail=_words(reply))
        return AnswerUnreadable(route=route, detail=_words(reply))
    overflow = _overflow(route, reply, text)
    if overflow is not None:
        return overflow
    kind = _by_words(text, reply.status) or _by_status(reply.status)
    if kind is RateLimited:
        return RateLimited(
            route=route, detail=_words(reply), retry_after=retry_after(reply.headers or {}, now)
        )
    return kind(route=route, detail=_words(reply))


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return what a server asks to wait, in seconds; None when it does not say.

    Args:
        headers: of its reply, in any case.
        now: the time, for a date.
    """
    given = {name.casefold(): value.strip() for name, value in headers.items()}
    milliseconds = _seconds(given.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = given.get("retry-after", "")
    seconds = _seconds(value)
    if seconds is not None or not value:
        return seconds
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def message_of(body: object) -> str:
    """Return what an error's body says to people; empty when it says nothing."""
    if isinstance(body, str):
        parsed = _parsed(body)
        return body if parsed is None else message_of(parsed)
    if isinstance(body, list):
        return message_of(body[0]) if body else ""
    if not isinstance(body, dict):
        return ""
    for name in ("error", "message", "msg", "detail", "details", "reason", "errors"):
        inner = body.get(name)
        found = inner if isinstance(inner, str) else message_of(inner)
        if found:
            return found
    return ""


def numbers_of_overflow(text: str) -> tuple[int | None, int | None]:
    """Return tokens needed and the limit, as an error's text tells them."""
    beginning = text[:_READ_CHARS]
    limit = _first_number(_LIMIT, beginning)
    needed = _first_number(_NEEDED, beginning)
    if needed is None:
        sums = re.search(r"([\d,]+)\s*\+\s*([\d,]+)\s*>\s*[\d,]+", beginning)
        needed = _number(sums[1]) if sums else None
    if needed is not None and limit is not None and needed == limit:
        # One number was read twice: it is the limit.
        needed = None
    return needed, limit


def _overflow(route: str, reply: Reply, text: str) -> ContextOverflow | None:
    if reply.status not in {None, 200, 400, 413, 422, 500}:
        return None
    if not (_TOO_LONG.search(text) and _EXCEEDING.search(text)):
        return None
    needed, limit = numbers_of_overflow(text)
    named = "context_length_exceeded" in text or "exceed_context_size" in text
    if not named and needed is None and limit is None and not _says_tokens(text):
        return None
    return ContextOverflow(route=route, detail=_words(reply), needed=needed, limit=limit)


def _says_tokens(text: str) -> bool:
    return (
        re.search(r"(?i)token|context|prompt|input is too long|of the messages", text) is not None
    )


def _by_words(text: str, status: int | None) -> type[CallFailed] | None:
    """Return what an error's words say where its status says less."""
    if status in {401, 403}:
        return RequestRefused if status == 403 and _FILTER.search(text) else None
    if _QUOTA.search(text) and status in {None, 200, 400, 402, 429}:
        return QuotaExhausted
    if status in {None, 200, 400, 422}:
        for pattern, kind in _WORDS:
            if pattern.search(text):
                return kind
    if status == 500 and _NO_MODEL.search(text):
        return ModelUnknown
    return None


_WORDS: Final[tuple[tuple[re.Pattern[str], type[CallFailed]], ...]] = (
    (_BAD_KEY, KeyRejected),
    (_SLOWER, RateLimited),
    (_NO_MODEL, ModelUnknown),
    (_BUSY, ModelOverloaded),
    (_FILTER, RequestRefused),
)


def _by_status(status: int | None) -> type[CallFailed]:
    if status is None or status < 300:
        return AnswerUnreadable
    if status >= 500:
        return ModelOverloaded
    return _STATUSES.get(status, RequestRefused if status >= 400 else AnswerUnreadable)


_STATUSES: Final[Mapping[int, type[CallFailed]]] = {
    401: KeyRejected,
    402: QuotaExhausted,
    403: KeyRejected,
    404: ModelUnknown,
    405: ModelUnknown,
    407: KeyRejected,
    408: ModelOverloaded,
    409: ModelOverloaded,
    425: ModelOverloaded,
    429: RateLimited,
}


def _words(reply: Reply) -> str:
    """Return what the server said, with its status."""
    status = "" if reply.status is None else f"status {reply.status}"
    text = reply.body if isinstance(reply.body, str) else ""
    if is_html(text):
        said = html_words(text, reply.secrets)
    else:
        said = excerpt(message_of(reply.body), reply.secrets)
    return ": ".join(filter(None, (status, said))) or "it does not say why"


def _all_text(body: object) -> str:
    """Return every word and number of a body, names included: numbers hide in fields."""
    if isinstance(body, str):
        return body[:_READ_CHARS]
    return "\n".join(_leaves(body, ""))[:_READ_CHARS]


def _leaves(value: object, name: str, depth: int = 0) -> Iterator[str]:
    if depth > _DEPTH:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, str(key), depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, name, depth + 1)
    elif value is not None:
        yield f"{name}: {value}"


def _parsed(text: str) -> object:
    """Return the JSON object or array in a text, else None."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        parsed: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict | list) else None


def _first_number(patterns: tuple[re.Pattern[str], ...], text: str) -> int | None:
    for pattern in patterns:
        found = pattern.search(text)
        number = _number(found[1]) if found else None
        if number is not None:
            return number
    return None


def _number(text: str) -> int | None:
    digits = re.sub(r"[,_.]", "", text)
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 10 else None


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None
