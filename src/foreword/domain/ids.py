"""Identifiers, each its own type so that one cannot be passed for another.

Turn, version, summary and branch ids count from 1 within one conversation.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import NewType

AccountId = NewType("AccountId", str)
ConversationId = NewType("ConversationId", str)
BranchId = NewType("BranchId", int)
TurnId = NewType("TurnId", int)
VersionId = NewType("VersionId", int)
SummaryId = NewType("SummaryId", int)
PlanId = NewType("PlanId", int)
SpeakerId = NewType("SpeakerId", str)
Rev = NewType("Rev", int)
"""Revision of a conversation; every op makes the next one. 0 is the empty conversation."""
Pos = NewType("Pos", int)
"""Place of a turn on a branch: only its order means anything, gaps are normal."""

DEFAULT_ACCOUNT = AccountId("default")
MAIN_BRANCH = BranchId(1)
POSITION_GAP = 1024
_SHORT = 200
"""Names up to this length are remembered: there are few, and each is met often."""


def speaker_id(account: AccountId, name: str) -> SpeakerId:
    """Return the id of the speaker whom `account` first met under `name`.

    The same name gives the same id, so that re-importing a file meets its speakers again.

    Source: DECISIONS D3.
    """
    return _short_speaker(account, name) if len(name) <= _SHORT else _speaker(account, name)


def _speaker(account: AccountId, name: str) -> SpeakerId:
    seen = f"{account}\x00{name}".encode("utf-8", "surrogatepass")
    return SpeakerId(blake2b(seen, digest_size=8).hexdigest())


_short_speaker = lru_cache(maxsize=1024)(_speaker)
