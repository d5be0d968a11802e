"""Error texts of providers are found; prose about errors is not."""

import pytest
from tests.unit.quality.lexical import AGENT, TOWER, draft

from foreword.quality.findings import Gate, Source
from foreword.quality.provider_errors import check


@pytest.mark.parametrize(
    "text",
    [
        '{"error": {"message": "Rate limit", "type": "requests", "code": "rate_limit_exceeded"}}',
        '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
        '```json\n{"error":{"message":"Provider returned error","code":502}}\n```',
        '{"error":"model \'llama3\' not found, try pulling it first"}',
        '{"error":{"code":400,"message":"the request exceeds the available context size',
        '[{"error": {"code": 503, "status": "UNAVAILABLE"}}]',
        '{"message": "Not found", "code": 404}',
        'data: {"error": {"message": "overloaded"}}',
        "<html>\n<head><title>502 Bad Gateway</title></head>\n<body>nginx</body></html>",
        "<!DOCTYPE html><title>Just a moment...</title>",
        "Rate limit reached for gpt-4o in organization org-1 on tokens per min.",
        "Internal server error",
        "502 Bad Gateway",
        "Error code: 429 - {'error': {'message': 'insufficient_quota'}}",
        "openai.RateLimitError: You exceeded your current quota, please check your plan.",
        "Error: context_length_exceeded",
        "This model's maximum context length is 8192 tokens.",
        "Request timed out.",
        "[API Error: Connection error.]",
        "Mara climbed the tower.\n\nInternal server error",
        'Traceback (most recent call last):\n  File "a.py", line 3, in run\nKeyError: 1',
        "TypeError: fetch failed\n    at node (internal/deps/undici.js:11457:11)",
    ],
)
def test_an_error_text_is_found(text: str) -> None:
    finding = check(draft(text), TOWER)
    assert finding is not None
    assert (finding.gate, finding.soft, len(finding.detail) <= 120) == (
        Gate.PROVIDER_ERROR,
        False,
        True,
    )


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("The mirror answered 502 Bad Gateway and a rate limit was reached; the cache was used.",
         AGENT),
        ("Rate limit reached for gpt-4o was what the mirror said, so the cache was used.", AGENT),
        ("All tests pass after the fix in tides.py.\n502 Bad Gateway\nThe cache stood in.", AGENT),
        ("The server in the inn spilled the soup; 502 lanterns burned, and Mara went on.", TOWER),
        ("Mara counted 502 steps in the Grey Tower.", TOWER),
        ('{"summary": "Mara asked Tobin for the key."}', TOWER),
        ("[Day 2] Mara asked Tobin for the key.", TOWER),
        ("[]", TOWER),
    ],
)  # fmt: skip
def test_prose_about_an_error_is_none(text: str, of: Source) -> None:
    assert check(draft(text), of) is None
