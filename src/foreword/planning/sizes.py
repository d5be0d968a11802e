"""How long a summary should be."""

from __future__ import annotations

LEAST_RECAP, LARGEST_RECAP = 120, 600
RECAPS_PER_CONTEXT = 64
LARGEST_SUMMARY = 2400
LEAST_SUMMARY = 40


def recap_target(context: int) -> int:
    """Return the tokens of one recap for a context of so many tokens.

    Source: DECISIONS, Recaps.
    """
    return min(LARGEST_RECAP, max(LEAST_RECAP, context // RECAPS_PER_CONTEXT))


def summary_target(context: int, src_tokens: int) -> int:
    """Return the tokens of a summary made by hand.

    A recap's, or an eighth of the source where the user chose a longer stretch than a recap takes.
    """
    return max(recap_target(context), min(src_tokens // 8, LARGEST_SUMMARY))


def span_target(wanted: int, src_tokens: int) -> int:
    """Return the tokens of a summary of a span: those wanted, but at most half of its source.

    Even a summary of very little may have `LEAST_SUMMARY`.
    """
    return max(LEAST_SUMMARY, min(wanted, src_tokens // 2))
