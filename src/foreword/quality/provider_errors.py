"""Is the draft an error text of a provider, proxy or program that was taken for an answer?

Above: `gates`. Below: wording. Invariant: an error that prose reports is no finding; only whole
answers, or lines of their own that the source does not have, are.
"""

import json
import re
from typing import Final

from foreword.quality.findings import Draft, Finding, Gate, Source
from foreword.quality.wording import plain, shortened, told_folded, words

_DIRECTION: Final = "Write the summary of the given text; leave out every error message."
_FENCE: Final = re.compile(r"\A```\w*\n(.*?)\n?```\Z", re.DOTALL)
_STREAM: Final = re.compile(r"\A(?:event: ?\w+\s+)?data: ?")
_HTML: Final = re.compile(
    r"\A\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype|html|head|body|title|center)\b"
    r"|<center><h1>\d{3}|</(?:html|body)>\s*\Z",
    re.IGNORECASE,
)
_TRACE: Final = re.compile(
    r"^Traceback \(most recent call last\)|^\s+at [\w.$<> ]+ ?\([^)\n]*:\d+(?::\d+)?\)"
    r"|^  File \"[^\"\n]+\", line \d+|^panic: .*|^thread '[^']*' panicked at",
    re.MULTILINE,
)
_PREFIX: Final = (
    r"(?:[*_`\[(]{0,3})(?:(?:api|http|server|request|upstream|provider|openai|anthropic|"
    r"openrouter|ollama|fetch|litellm|groq|mistral)[ ._-]*)?(?:\w+\.)*(?:\w*(?:error|exception))?"
    r"(?: ?code)?[\s:\]\-–—)*_`]{0,6}(?:\(?\d{3}\b\)?)?[\s:\]\-–—)*_`]{0,6}"
)
_MESSAGES: Final = (
    r"rate[ _-]?limit(?:ed|s)?(?: was| is| has been)?[ _-]?(?:reached|exceeded|error|hit)|"
    r"too many requests(?! (?:for|from|to)\b)|(?:an? )?internal (?:server )?error|bad gateway|"
    r"service (?:temporarily )?"
    r"unavailable|gateway time-?out|request timed? ?-?out|(?:the )?(?:connection|read|operation) "
    r"timed out|connection (?:error|refused|reset|closed)|econn(?:reset|refused|aborted)|"
    r"etimedout|you exceeded your current quota|insufficient[ _](?:quota|credits|balance|funds)|"
    r"context[ _]length[ _]exceeded|this model'?s maximum context length|"
    r"(?:the )?prompt is too long|"
    r"(?:the )?request (?:\(\d+ tokens\) )?exceeds (?:the )?available context|"
    r"overloaded(?:_error)?\b|"
    r"(?:the )?(?:server|model|engine) is (?:currently )?(?:overloaded|unavailable|loading|busy)|"
    r"(?:incorrect|invalid)[ _](?:api[ _]key|x-api-key|request[ _]error)|no auth credentials found|"
    r"authentication[ _]error|unauthorized\b|forbidden\W*\Z|model '?[\w.:/-]+'? (?:not found|does "
    r"not "
    r"exist)|the model `[^`\n]+` does not exist|no endpoints found|provider returned error|"
    r"the server had an error while|unexpected error\b(?=.*(?:contact|try again|retry))|"
    r"an? (?:unexpected|unknown|internal) error (?:has )?occurred\b|something went wrong[.!]|"
    r"access denied\s*(?:[|\-]|\Z)|(?:connect )?econnrefused|cuda (?:error|out of memory)|"
    r"out of memory\b[.:]|(?:text )?generation (?:failed|aborted)|payment required|"
    r"too many concurrent requests|context window (?:exceeded|full)|"
    r"(?:getaddrinfo )?(?:enotfound|eai_again)\b|socket hang up|ssl(?:error|: )|"
    r"certificate verify failed|max retries exceeded|read timeout|"
    r"\{\s*\"(?:type\"\s*:\s*\"error|error\"\s*:|message\"\s*:)|"
    r"(?:deadline|resource)[ _](?:exceeded|exhausted)\b|quota exceeded|"
    r"(?<=\d{3} )(?:bad request|not found|method not allowed|conflict|unprocessable entity|"
    r"payload too large|request timeout|not implemented)|llama runner process|failed to (?:fetch|"
    r"load model|connect)|"
    r"upstream (?:connect error|request timeout)|origin is unreachable|web server is down|"
    r"your credit balance is too low|error code: \d{3}|fetch failed|unexpected token <|"
    r"slot unavailable|billing_hard_limit_reached|content_filter\b|server_error\b|cf-ray\b"
)
_LINE: Final = re.compile(
    rf"(?:http/[\d.]+ )?(?:{_PREFIX})(?P<message>{_MESSAGES})[^\n]*", re.IGNORECASE
)
_JARGON: Final = re.compile(
    r"\b(?:errors?|http|requests?|time-?d? ?-?out|timeout|connections?|network|tokens?|models?|"
    r"servers?|"
    r"api|retry|try again(?: later)?|quota|limits?|auth\w*|status|failed|exception|invalid|upgrade|"
    r"plan|eof|aborted|not found|page|\w+(?:error|exception)|provider|upstream|high demand|null|"
    r"undefined|something went wrong|went wrong|oops|generat\w+|response|support|billing|usage|"
    r"check your|please|max_tokens|gateway|proxy|[45]\d\d)\b",
    re.IGNORECASE,
)
_SHORT: Final = 20
"""Words up to which a draft is judged by its shape."""
_PROSE: Final = re.compile(r"\s(?:was|were|had|came|stopped|made|kept|after which|so|because)\s")
_ERROR_KEYS: Final = frozenset({"error", "errors", "detail", "error_code", "traceback"})


def check(draft: Draft, source: Source) -> Finding | None:
    """Find an error object, an error page, a stack trace or a bare error line."""
    text = plain(draft.text).strip()
    body = _unwrapped(text)
    if _is_error_object(body) or _HTML.search(body):
        return _finding(body)
    told = told_folded(source.texts)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    trace = _TRACE.search(text)
    if trace and (trace.group().casefold() not in told or len(lines) < 3):
        return _finding(trace.group())
    total = sum(map(len, lines))
    for line in lines:
        found = _LINE.match(line)
        if found is None or _PROSE.search(line, found.end("message")):
            continue
        if line.casefold() not in told or len(line) * 2 > total:
            return _finding(line)
    return _finding(text) if _is_jargon(text, told) else None


def _is_jargon(text: str, told: str) -> bool:
    """A short draft of the words of errors, which tells nothing of its source."""
    said = words(text)
    if not said or len(said) > _SHORT:
        return False
    technical = sum(len(part.split()) for part in _JARGON.findall(text)) * 5 >= len(said) * 2
    heard = frozenset(words(told))
    carried = [word for word in said if len(word) > 3]
    return technical and sum(word in heard for word in carried) * 3 <= len(carried)


def _unwrapped(text: str) -> str:
    fenced = _FENCE.match(text)
    return _STREAM.sub("", fenced.group(1).strip() if fenced else text)


def _is_error_object(text: str) -> bool:
    if not text.startswith(("{", "[")):
        return False
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return bool(re.match(r"[\[{\s]*\"(?:error|errors|detail)\"\s*:", text))
    if isinstance(value, list) and value:
        value = value[0]
    return isinstance(value, dict) and (
        bool(_ERROR_KEYS & value.keys())
        or value.get("type") == "error"
        or value.get("object") == "error"
        or ("message" in value and bool({"code", "status", "statusCode"} & value.keys()))
    )


def _finding(found: str) -> Finding:
    return Finding(
        gate=Gate.PROVIDER_ERROR,
        detail=f"the draft holds an error message: “{shortened(found, 70)}”",
        direction=_DIRECTION,
    )
