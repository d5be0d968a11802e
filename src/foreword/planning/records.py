"""Prompts as they are kept: exact, and yet without a text that is stored already.

Above: ports and engine. Below: `planning.coverage`, domain. A message is kept as pieces: texts of
turns and summaries by id, whatever stands around them as text. Invariant: the pieces of a message,
one after the other, are the message as it was sent, whatever a template made of it.

Source: DECISIONS D1, plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import assert_never

from foreword.domain.digest import DIGEST_SIZE
from foreword.domain.ids import BranchId, PlanId, Rev, SummaryId, VersionId
from foreword.domain.message import Message
from foreword.domain.turn import Role
from foreword.planning.coverage import Coverage, Dropped, PromptPlan, Section, SectionName
from foreword.planning.placement import layout

WITH_MEMORY = frozenset({SectionName.SYSTEM, SectionName.SUMMARIES})
"""Sections whose messages may hold summaries."""

KEPT = 100
"""Prompts of a branch that are kept beside those that replies were written from: the newest."""


@dataclass(frozen=True, slots=True)
class PlainText:
    """A piece that is stored for prompts alone, once however many hold it."""

    text: str


@dataclass(frozen=True, slots=True)
class TurnText:
    """The text of one version of a turn."""

    version_id: VersionId


@dataclass(frozen=True, slots=True)
class SummaryText:
    """The text of a summary."""

    summary_id: SummaryId


Piece = PlainText | TurnText | SummaryText


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptMessage:
    """One message of a kept prompt."""

    role: Role
    section: SectionName
    """What it belongs to; the system message to `system`, whatever else stands in it, a message
    that is nothing but summaries to `summaries`."""
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecord:
    """A prompt before the store has given it an id."""

    branch: BranchId
    rev: Rev
    """Revision of the conversation that it was made at."""
    cover_version: int
    at: str
    """ISO 8601, UTC."""
    messages: tuple[KeptMessage, ...]
    sections: tuple[Section, ...]
    coverage: Coverage
    dropped: Dropped
    limit: int
    context: int
    reply: int
    """Tokens kept for the reply."""
    prefix_digest: bytes
    """Of the messages as they were sent; see `messages_digest`."""

    @property
    def tokens(self) -> int:
        """Tokens that the prompt takes."""
        return sum(section.tokens for section in self.sections)

    @property
    def versions(self) -> tuple[VersionId, ...]:
        """The versions of turns whose texts it holds, in its order."""
        return tuple(one.version_id for one in self._pieces() if isinstance(one, TurnText))

    @property
    def summaries(self) -> tuple[SummaryId, ...]:
        """The summaries whose texts it holds, in its order."""
        return tuple(one.summary_id for one in self._pieces() if isinstance(one, SummaryText))

    @property
    def texts(self) -> tuple[str, ...]:
        """The other texts, in its order."""
        return tuple(one.text for one in self._pieces() if isinstance(one, PlainText))

    def says_the_same(self, other: NewRecord) -> bool:
        """Say whether another one sends the same messages, counted and accounted for alike."""
        return (self.prefix_digest, self.sections, self.coverage, self.limit) == (
            other.prefix_digest,
            other.sections,
            other.coverage,
            other.limit,
        )

    def _pieces(self) -> Iterable[Piece]:
        return (piece for message in self.messages for piece in message.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(NewRecord):
    """A prompt that is kept."""

    id: PlanId
    replies: tuple[VersionId, ...] = ()
    """Versions of turns that a model wrote from it, by id."""


def messages_digest(messages: Iterable[Message]) -> bytes:
    """Return the 16-byte BLAKE2b digest of messages, roles included."""
    digest = blake2b(digest_size=DIGEST_SIZE)
    for message in messages:
        content = message.content.encode("utf-8", "surrogatepass")
        digest.update(f"{message.role.value} {len(content)}\n".encode() + content)
    return digest.digest()


def kept_messages(
    plan: PromptPlan,
    messages: Sequence[Message],
    *,
    turns: Mapping[VersionId, str],
    summaries: Mapping[SummaryId, str],
) -> tuple[KeptMessage, ...]:
    """Cut the messages of a plan into pieces.

    Args:
        plan: what the messages were made from.
        messages: as they are sent.
        turns: the texts of the plan's versions.
        summaries: the texts of the plan's summaries.
    """
    covered = [(SummaryText(one), summaries[one]) for one in plan.summaries if one in summaries]
    has_system = len(messages) > len(layout(plan, has_system=False))
    kept: list[KeptMessage] = []
    for message, slot in zip(messages, layout(plan, has_system=has_system), strict=True):
        # The summaries may be sent twice, one after the other.
        known: Iterable[tuple[Piece, str]] = ()
        if slot.section in WITH_MEMORY:
            known = (*covered, *covered)
        if slot.entry is not None:
            known = [(TurnText(slot.entry.version_id), turns[slot.entry.version_id])]
        pieces = cut(message.content, known)
        kept.append(KeptMessage(role=message.role, section=slot.section, pieces=pieces))
    return tuple(kept)


def joined(
    messages: Iterable[KeptMessage],
    *,
    turns: Mapping[VersionId, str],
    summaries: Mapping[SummaryId, str],
) -> tuple[Message, ...]:
    """Put the pieces of messages together again, with the texts of turns and summaries."""

    def text(piece: Piece) -> str:
        match piece:
            case PlainText():
                return piece.text
            case TurnText():
                return turns[piece.version_id]
            case SummaryText():
                return summaries[piece.summary_id]
            case _:
                assert_never(piece)

    return tuple(
        Message(role=message.role, content="".join(map(text, message.pieces)))
        for message in messages
    )


def cut(text: str, known: Iterable[tuple[Piece, str]]) -> tuple[Piece, ...]:
    """Cut a text into the known ones that stand in it, in their order, and what is around them.

    A known text that does not stand there word for word is passed over.
    """
    pieces: list[Piece] = []
    done = 0
    for piece, part in known:
        start = text.find(part, done) if part else -1
        if start < 0:
            continue
        if start > done:
            pieces.append(PlainText(text[done:start]))
        pieces.append(piece)
        done = start + len(part)
    if done < len(text):
        pieces.append(PlainText(text[done:]))
    return tuple(pieces)
