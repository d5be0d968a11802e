"""When a text that a client sends is one that is stored, though clients rewrite what they keep.

Below everything else of recognition. Invariant: equal normal forms are equal whatever a client
does to spaces, case, Unicode form, emphasis, reasoning and the speaker's name before a text; what
is recognised here never validates a summary.

Source: recordings of clients, parts 1.4 and 4.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from hashlib import blake2b

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role

KEY_SIZE = 8
"""Bytes of a key."""
SHORT = 24
"""Characters of a normal form below which a text says little about who said it and when."""
ALIKE = 0.5
"""Share of the words of the longer of two texts from which they are versions of one."""

NEAR = 0.85
"""The same, from which they differ by no more than what a client fills in anew every time."""

_REASONING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_SPEAKER = re.compile(r"[^\W\d_][^\n:<>\"“”*.!?]{0,39}: +(?=\S)|[^\W\d_][^\n:<>\"“”*.!?]{0,39}:\n")
_EMPHASIS = str.maketrans("", "", "*_`\u200b\ufeff")
_REMEMBERED = 20_000
"""Texts whose normal form is kept: about two requests of 10,000 messages."""


class Relation(StrEnum):
    """How a client's text stands to a stored one."""

    SAME = "same"
    """The normal forms are equal."""
    CUT = "cut"
    """The client's is a beginning of the stored one: an answer that was stopped, or a newest
    message that was sent with more behind it when it was new."""
    GROWN = "grown"
    """It begins with the stored one: an answer that was continued, or one with more behind it."""
    BEHIND = "behind"
    """It ends with the stored one: a text that the client puts before each answer."""
    ALIKE = "alike"
    """Most words are the same: an edit, or a macro that was read again."""
    OTHER = "other"


@lru_cache(maxsize=_REMEMBERED)
def normal_form(text: str) -> str:
    """Return what of a text no client changes without meaning to."""
    spoken = _REASONING.sub(" ", text)
    folded = unicodedata.normalize("NFKC", spoken).translate(_EMPHASIS).casefold().strip()
    prefix = _SPEAKER.match(folded)
    return " ".join((folded[prefix.end() :] if prefix else folded).split())


def message_key(message: ClientMessage) -> bytes:
    """Return the key of a message: of its text, and of calls and pictures where it has some.

    The role is not part of it: a text comes back under another role when the player takes over
    what the model wrote for them.
    """
    form = normal_form(message.text)
    calls = "\x00".join(
        f"{call.call_id}\x01{call.name}\x01{call.arguments}" for call in message.calls
    )
    rest = (calls, message.answers, *message.media)
    return _digest(form if not any(rest) else "\x02".join((form, *rest)))


def relation(sent: str, stored: str) -> Relation:
    """Say how a client's text stands to a stored one, both as normal forms."""
    if sent == stored:
        return Relation.SAME
    if not sent or not stored:
        return Relation.OTHER
    if stored.startswith(sent):
        return Relation.CUT
    if sent.startswith(stored):
        return Relation.GROWN
    if sent.endswith(stored):
        return Relation.BEHIND
    return Relation.ALIKE if _share(sent, stored, ALIKE) else Relation.OTHER


def nearly_same(sent: str, stored: str) -> bool:
    """Say whether two normal forms differ by a word here and there."""
    return _share(sent, stored, NEAR)


def same_speaker(sent: Role, stored: Role, form: str) -> bool:
    """Say whether a text may be one turn under two roles.

    Long texts may: clients turn system messages into user ones, and what the model wrote for the
    player comes back as the player's.
    """
    return sent is stored or len(form) >= SHORT


def _share(one: str, other: str, share: float) -> bool:
    """Say whether so many words of the longer text are in the other, in whatever order."""
    first, second = one.split(), other.split()
    longer = max(len(first), len(second))
    if min(len(first), len(second)) < share * longer:
        return False
    left: dict[str, int] = {}
    for word in first:
        left[word] = left.get(word, 0) + 1
    shared = 0
    for word in second:
        if left.get(word, 0) > 0:
            left[word] -= 1
            shared += 1
    return shared > share * longer


def _digest(form: str) -> bytes:
    return blake2b(form.encode("utf-8", "surrogatepass"), digest_size=KEY_SIZE).digest()
