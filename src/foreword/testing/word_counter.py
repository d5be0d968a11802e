"""A token counter that anybody can check in their head: one word, one token."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WordCounter:
    """See `ports.token_counter.TokenCounter`."""

    @property
    def name(self) -> str:
        """See TokenCounter.name."""
        return "words"

    def count(self, text: str) -> int:
        """See TokenCounter.count."""
        return len(text.split())
