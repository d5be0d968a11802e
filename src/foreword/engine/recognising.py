"""Which conversation a chat that is read was imported into before, if any.

Below `importing`, above `matching`. Invariant: where it is not sure that two chats are one, they
are two: a conversation too many is seen and deleted, a mixed one is not taken apart again.

A chat is known by the integrity slug of its header or by the chat it says it branched from. One
with neither is known by its title, but only when more than an opening is the same: many chats of
one character begin with one greeting, and many files are called alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from foreword.domain.conversation import Conversation
from foreword.domain.ids import BranchId, ConversationId
from foreword.domain.interchange import Bundle, Chat, ChatTurn
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role, TextPart
from foreword.engine.context import Engine, Place, reading
from foreword.engine.matching import Match, longest_match
from foreword.engine.sources import from_header

SEVERAL = 2
"""So many turns after the opening make a chat known by its title."""
DISTINCTIVE = 60
"""So many characters of one turn after the opening do so too: nobody types them twice."""

Taken = dict[ConversationId, str]
"""The conversations that files of one import are, each with the path of its file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Others:
    """The files that are imported together with a chat's own: none of them is the same chat."""

    taken: Taken = field(default_factory=dict)
    path: str = ""
    """Of the chat's own file."""

    def have(self, known: ConversationId) -> bool:
        """Say whether a conversation is another file's."""
        return self.taken.get(known, self.path) != self.path


NO_OTHERS = Others()


def matching(engine: Engine, chat: Chat, others: Others) -> list[tuple[Conversation, BranchId]]:
    """Return the conversations that the chat is, each with its nearest branch, the surest first."""
    found: list[tuple[bool, int, Conversation, BranchId]] = []
    for known in same_sources(engine, chat, others):
        sure = _is_named(chat, known)
        with reading(engine, Place(conversation=known.id)) as at:
            match = longest_match(engine, at, chat)
        if match is not None and (sure or _is_enough(chat.turns, match)):
            found.append((sure, match.turns, known, match.branch))
    found.sort(key=lambda one: one[:2], reverse=True)
    return [(known, branch) for _, _, known, branch in found]


def same_sources(engine: Engine, chat: Chat, others: Others) -> Iterator[Conversation]:
    """Yield the conversations that may come from the same chat, the surest first."""
    store, account = engine.store, engine.account
    slug = from_header(chat.source, "integrity")
    main_chat = from_header(chat.source, "main_chat")
    seen: set[ConversationId] = set()
    for known in (
        *(store.conversations(account, origin=slug) if slug else ()),
        *(store.conversations(account, title=main_chat) if main_chat else ()),
        *store.conversations(account, title=title_of(chat), origin="" if slug else None),
    ):
        # A branch joins the chat that it left, which is another file of the same folder.
        joins = main_chat and _is_named(chat, known)
        if known.id not in seen and (joins or not others.have(known.id)):
            seen.add(known.id)
            yield known


def title_of(source: Chat | Bundle) -> str:
    """Return the title that a conversation made of it has."""
    return storable_text(source.title.strip()) or "Untitled"


def _is_named(chat: Chat, known: Conversation) -> bool:
    """Say whether the chat names the conversation, by its slug or as the one it branched from."""
    slug = from_header(chat.source, "integrity")
    main_chat = from_header(chat.source, "main_chat")
    return bool((slug and known.origin == slug) or (main_chat and known.title == main_chat))


def _is_enough(turns: Sequence[ChatTurn], match: Match) -> bool:
    """Say whether so much is the same that no two chats would share it by chance."""
    if match.whole_branch and match.turns == len(turns):
        return True
    shared = turns[_opening(turns) : match.turns]
    return len(shared) >= SEVERAL or any(_length(turn) >= DISTINCTIVE for turn in shared)


def _opening(turns: Sequence[ChatTurn]) -> int:
    """Return how many first turns a card or a preset wrote: system turns and one greeting."""
    first = next((at for at, one in enumerate(turns) if one.role is not Role.SYSTEM), len(turns))
    greets = first < len(turns) and turns[first].role is Role.ASSISTANT
    return first + greets


def _length(turn: ChatTurn) -> int:
    parts = turn.texts[turn.chosen].parts
    return sum(len(part.text) for part in parts if isinstance(part, TextPart))
