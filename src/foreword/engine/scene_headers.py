"""Whether replies carry the dates that memory needs to say when things happened.

Above: import and the memory status. Below: `domain.scene_time`.

Source: spec/summaryception (timestamps); DECISIONS, One vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from foreword.domain.interchange import ChatTurn
from foreword.domain.scene_time import header_share
from foreword.domain.turn import Role, TextPart
from foreword.engine.context import Reading

LOOKED_AT: Final = 50
"""Newest replies that are looked at: enough to tell one in five."""
ENOUGH: Final = 0.2
"""Share of replies with a date from which on memory keeps time well."""


def share_of_chat(turns: Sequence[ChatTurn]) -> float | None:
    """Return the share of a file's newest replies with a usable header; None without replies."""
    replies = [
        "".join(part.text for part in turn.texts[turn.chosen].parts if isinstance(part, TextPart))
        for turn in reversed(turns)
        if turn.role is Role.ASSISTANT and not turn.hidden
    ]
    return header_share(replies[:LOOKED_AT]) if replies else None


def share_of_branch(at: Reading) -> float | None:
    """Return the share of a branch's newest visible replies with a usable header."""
    newest = (
        one
        for one in at.session.newest(at.branch.id)
        if one.role is Role.ASSISTANT and not one.hidden
    )
    entries = list(islice(newest, LOOKED_AT))
    versions = at.session.versions([one.version_id for one in entries])
    texts = [versions[one.version_id].content.text for one in entries]
    return header_share(texts) if texts else None
