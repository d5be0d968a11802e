"""How far a chat that is read and the branches of a conversation are the same.

Below `importing`. Invariant: turns are the same where a model would read the same; what a branch
has hidden, pinned or summarised makes no difference.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest
from foreword.domain.ids import BranchId, Pos, speaker_id
from foreword.domain.interchange import Chat, ChatTurn
from foreword.domain.storable import storable_name
from foreword.domain.turn import Content, Entry
from foreword.engine.context import Engine, Reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How far a chat and a branch are the same."""

    branch: BranchId
    turns: int
    """So many of the first turns are the same."""
    of_branch: int
    """So many turns the branch has."""
    last: Entry
    """The last of those that are the same."""

    @property
    def whole_branch(self) -> bool:
        """Whether the chat has all that the branch has."""
        return self.turns == self.of_branch


def longest_match(engine: Engine, at: Reading, chat: Chat) -> Match | None:
    """Return the branch that shares most turns with the chat, the opened one if equal."""
    digests = [
        [content_digest(content) for content in contents_of(engine, turn)] for turn in chat.turns
    ]
    chosen = [known[turn.chosen] for known, turn in zip(digests, chat.turns, strict=True)]
    others = [one for one in at.session.branches() if not one.removed and one != at.branch]
    matches = [_match(at, branch, chosen, digests) for branch in (at.branch, *others)]
    found = [match for match in matches if match is not None]
    return max(found, key=lambda match: (match.turns, match.whole_branch), default=None)


def _match(
    at: Reading, branch: Branch, chosen: Sequence[bytes], digests: Sequence[Collection[bytes]]
) -> Match | None:
    last: Entry | None = None
    same = 0
    entries = at.session.between(branch.id, Pos(1), branch.tip_pos)
    for entry, digest, known in zip(entries, chosen, digests, strict=False):
        is_last = same + 1 == branch.turns
        if entry.digest != digest and not (is_last and entry.digest in known):
            break
        last, same = entry, same + 1
    if last is None:
        return None
    return Match(branch=branch.id, turns=same, of_branch=branch.turns, last=last)


def contents_of(engine: Engine, turn: ChatTurn) -> list[Content]:
    """Return what a turn of a chat says in each of its versions, as this account stores it."""
    speaker = speaker_id(engine.account, storable_name(turn.speaker))
    return [
        Content(
            role=turn.role,
            speaker=speaker,
            parts=text.parts,
            reasoning=text.reasoning,
            sent_at=text.sent_at,
            extra=text.extra,
        )
        for text in turn.texts
    ]
