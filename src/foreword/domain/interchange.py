"""What files hold, once read: chats from other programs, and Foreword's own bundles.

Formats translate between bytes and these values; the engine stores them. Speakers are names here,
since ids depend on the account that imports.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foreword.domain.conversation import Branch
from foreword.domain.ids import BranchId, SpeakerId, TurnId
from foreword.domain.summary import CoverRow, Summary
from foreword.domain.turn import Alternative, Entry, Part, Role, Version


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """Something in a file that could not be carried over, or only in part."""

    where: str
    """Place in the file, as a person would look for it: `line 12`, `line 12, swipe 2`."""
    what: str
    """What is missing now."""
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatText:
    """One version of a turn in a chat file."""

    parts: tuple[Part, ...]
    reasoning: str = ""
    sent_at: str = ""
    extra: str = ""
    """Unknown fields as a JSON object, in the file's order; empty for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTurn:
    """One turn of a chat file."""

    role: Role
    speaker: str
    texts: tuple[ChatText, ...]
    """Its alternatives in order, at least one."""
    chosen: int = 0
    """Index of the alternative that is shown."""
    hidden: bool = False
    pinned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSummary:
    """A summary that a chat file brings with it."""

    text: str
    turns: tuple[int, ...]
    """Indexes in `Chat.turns` of the visible turns it stands for, rising."""
    layer: int = 0
    """How often its material had been summarised before; 0 for a summary of messages."""
    maker: str = "import"
    """The program that keeps it."""
    sha512: str = ""
    """In place of `turns`: a digest of their texts, in lower hex; they are to be looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One chat file, read."""

    title: str
    turns: tuple[ChatTurn, ...]
    char: str = ""
    """Name of the character or narrator that the model writes."""
    user: str = ""
    source: str = ""
    """The file's header as a JSON object, kept for export; empty for none."""
    losses: tuple[Loss, ...] = ()
    summaries: tuple[ChatSummary, ...] = ()
    """Oldest first; no turn is in two of them."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What the file says of the conversation itself, by the name of the setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchState:
    """Everything live on a branch: what an export, a comparison or a bundle holds of it."""

    branch: Branch
    """Its counts are those of the moment; revisions in it are 0."""
    entries: tuple[Entry, ...]
    """Oldest first."""
    pins: tuple[TurnId, ...] = ()
    """Of turns that stand on the branch, in branch order."""
    alternatives: tuple[Alternative, ...] = ()
    """In branch order, then by number."""
    cover: tuple[CoverRow, ...] = ()
    """Rows of every state; `since` is 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """A whole conversation: every branch as it stands, and every text there ever was.

    Importing a bundle gives an equal state, with the same ids. The journal does not travel.
    """

    title: str
    settings: Mapping[str, str]
    source: str
    created_at: str
    current_branch: BranchId
    speakers: Mapping[SpeakerId, str]
    versions: tuple[Version, ...]
    """By id, without gaps."""
    summaries: tuple[Summary, ...]
    """By id, without gaps."""
    branches: tuple[BranchState, ...]
    """By id; parents come before their forks."""
    templates: Mapping[str, str] = field(default_factory=dict)
    """Templates saved for this conversation, by name."""


FileContents = Chat | Bundle | tuple[Chat, ...]
"""What a file holds: one conversation, or at least one in the order in which they are taken in. A
chat that begins as one before it and has the same origin is a branch of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenSetting:
    """A setting of ours, and the field it comes from."""

    name: str
    value: str
    field: str
    """The field's name in the file."""
    note: str = ""
    """What is different from the file, where something is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignSettings:
    """What a settings file of another program says, in our words."""

    taken: tuple[TakenSetting, ...]
    losses: tuple[Loss, ...]
