"""Counting tokens."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """Says how many tokens a text takes."""

    @property
    def name(self) -> str:
        """What is shown as the source of a number of tokens."""
        ...

    def count(self, text: str) -> int:
        """Return the tokens of `text`; 0 for the empty text."""
        ...
