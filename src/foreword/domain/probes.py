"""Probes: questions about a conversation whose answers are known, to see what a memory keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """A question and the words that answer it."""

    id: str
    question: str
    answer: str
    aliases: tuple[str, ...] = ()
    evidence: tuple[int, ...] = ()
    """ORDER of each turn in which the answer or an alias stands."""

    @property
    def answers(self) -> tuple[str, ...]:
        """Every wording that counts."""
        return (self.answer, *self.aliases)


def stands_in(probe: Probe, text: str) -> bool:
    """Say whether one of the answers stands in `text`, as whole words.

    Case, kinds of quotes and white space do not count.
    """
    folded = _folded(text)
    return any(_holds(folded, _folded(answer)) for answer in probe.answers)


def kept(probes: Iterable[Probe], text: str) -> tuple[Probe, ...]:
    """Return the probes whose answer stands in `text`."""
    return tuple(probe for probe in probes if stands_in(probe, text))


def _holds(text: str, answer: str) -> bool:
    return bool(answer) and re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", text) is not None


def _folded(text: str) -> str:
    plain = text.casefold().translate(str.maketrans("’‘“”", "''\"\""))
    return " ".join(plain.split())
