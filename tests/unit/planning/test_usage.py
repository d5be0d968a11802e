"""Reported usage: believed where it can be true."""

import pytest

from foreword.domain.calls import Usage
from foreword.planning.usage import SPARE_IN, SPARE_OUT, believable

COUNTED = Usage(tokens_in=1000, tokens_out=50, reported=False)


@pytest.mark.parametrize(
    "usage",
    [
        Usage(tokens_in=1100, tokens_cached=1000, tokens_out=60),
        Usage(tokens_in=8000 + SPARE_IN, tokens_out=400 + SPARE_OUT),
        Usage(),
    ],
)
def test_what_can_be_true_is_believed(usage: Usage) -> None:
    assert believable(usage, read=1000, written=50) == usage


@pytest.mark.parametrize(
    "usage",
    [
        Usage(tokens_in=10**30, tokens_out=60),
        Usage(tokens_in=8001 + SPARE_IN, tokens_out=60),
        Usage(tokens_in=1100, tokens_out=401 + SPARE_OUT),
        Usage(tokens_in=-1, tokens_out=60),
        Usage(tokens_in=1100, tokens_out=-60),
        Usage(tokens_in=100, tokens_cached=101, tokens_out=60),
        Usage(tokens_in=100, tokens_cached=-1, tokens_out=60),
    ],
)
def test_what_cannot_be_true_is_counted_here(usage: Usage) -> None:
    assert believable(usage, read=1000, written=50) == COUNTED
