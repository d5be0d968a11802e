"""Reads a summary back as passages: a line that begins with a name keeps it.

Above: `extractive`. Below: `domain.summarising`. Invariant: the lines' words, in order.
"""

import re
from collections.abc import Iterator
from typing import Final

from foreword.domain.summarising import Passage
from foreword.domain.turn import Role

_LABEL: Final = re.compile(r"([^\W\d_][^:：\n\"“”.!?\[\]]{0,40}?)[:：]\s+(?=\S)")
_MAX_WORDS: Final = 4


def read_block(block: str) -> Iterator[Passage]:
    """Yield one passage for each line; a line without a label is the narrator's."""
    for line in block.splitlines():
        label = _LABEL.match(line)
        if label and len(label[1].split()) <= _MAX_WORDS:
            yield Passage(speaker=label[1], role=Role.USER, text=line[label.end() :])
        elif line.strip():
            yield Passage(speaker="", role=Role.ASSISTANT, text=line)
