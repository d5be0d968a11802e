"""Usage that servers report: believed as long as it can be true.

Above: engine. Below: calls. A number that cannot be true would spoil every sum that it goes into.
"""

from __future__ import annotations

from foreword.domain.calls import Usage

LARGEST_SHARE = 8
"""How many times the tokens counted here a server may count."""
SPARE_IN = 10_000
"""Tokens that a server may put around a request: tools, templates, its own words."""
SPARE_OUT = 1_000_000
"""Tokens of reasoning that a server may bill and not show."""


def believable(usage: Usage, *, read: int, written: int) -> Usage:
    """Return the usage as reported, or as counted here where the report cannot be true.

    Args:
        usage: as the server told, or as counted by whoever asked it.
        read: tokens of the request, counted here.
        written: tokens of the answer, reasoning included, counted here.
    """
    whole = 0 <= usage.tokens_in <= LARGEST_SHARE * read + SPARE_IN
    answer = 0 <= usage.tokens_out <= LARGEST_SHARE * written + SPARE_OUT
    if whole and answer and 0 <= usage.tokens_cached <= usage.tokens_in:
        return usage
    return Usage(tokens_in=read, tokens_out=written, reported=False)
