"""Messages to measure with: the same words for every system, from a seed.

Sentences are drawn from the Python reference that CPython ships (`pydoc_data`), until a message has
about 60 to 120 tokens. Every sentence returns often in a long story, so that no word is rare.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pydoc_data.topics import topics
from typing import Literal

SHORTEST, LONGEST = 260, 570
"""Characters of a message, roughly."""
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a chat."""

    role: Literal["user", "assistant"]
    text: str


@cache
def sentences() -> tuple[str, ...]:
    """Every sentence of middling length, in the order of the reference."""
    paragraphs = (part for name in sorted(topics) for part in _PARAGRAPH.split(topics[name]))
    found = (one for part in paragraphs for one in _SENTENCE.split(" ".join(part.split())))
    return tuple(one for one in found if 40 <= len(one) <= 300 and one[0].isalpha())


def texts(seed: str) -> Iterator[str]:
    """Yield texts without end; the same for the same seed."""
    draw = random.Random(seed)
    known = sentences()
    while True:
        chosen: list[str] = []
        wanted = draw.randint(SHORTEST, LONGEST)
        while (size := sum(map(len, chosen))) < wanted:
            sentence = draw.choice(known)
            if size + len(sentence) <= LONGEST:
                chosen.append(sentence)
            elif size >= SHORTEST:
                break
        yield " ".join(chosen)


def messages(seed: str, count: int) -> Iterator[Message]:
    """Yield so many messages, user and assistant by turns."""
    for number, text in enumerate(islice(texts(seed), count)):
        yield Message(role="assistant" if number % 2 else "user", text=text)
