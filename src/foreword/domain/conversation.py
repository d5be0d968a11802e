"""Conversations and branches: the paths that turns stand on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foreword.domain.ids import AccountId, BranchId, ConversationId, Pos, Rev


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One story, chat or agent session."""

    id: ConversationId
    account: AccountId
    title: str
    rev: Rev
    current_branch: BranchId
    created_at: str
    """ISO 8601, UTC."""
    settings: Mapping[str, str] = field(default_factory=dict)
    origin: str = ""
    """What the file it came from is recognised by, SillyTavern's slug; empty for nothing."""
    deleted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """An ordered path of turns; a fork shares its prefix with its parent."""

    id: BranchId
    name: str
    parent: BranchId | None = None
    fork_pos: Pos = Pos(0)
    """Last position shared with the parent."""
    fork_rev: Rev = Rev(0)
    """Revision as of which the parent is read."""
    tip_pos: Pos = Pos(0)
    """Highest position ever used; the next turn goes behind it."""
    visible_turns: int = 0
    visible_tokens: int = 0
    """Tokens of the visible turns, message overhead included."""
    hidden_turns: int = 0
    cover_version: int = 0
    """Counts the ops that changed the cover."""
    acknowledged: Rev = Rev(0)
    """Summaries that went stale up to this revision need no question any more."""
    removed: bool = False
    """Its fork was undone."""

    @property
    def turns(self) -> int:
        """All turns on the branch, hidden ones included."""
        return self.visible_turns + self.hidden_turns
