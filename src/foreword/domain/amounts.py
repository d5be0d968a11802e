"""Numbers with their nouns, for sentences that people read.

Above: reports of what a file cannot hold, and the terminal. Below: nothing.
"""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 turn`, `4,096 tokens`; summaries and branches too."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}es" if noun.endswith(("ch", "s")) else f"{number:,} {noun}s"
