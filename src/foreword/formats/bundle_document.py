"""The JSON of a bundle, checked while it is read.

Below `bundle`. Invariant: the document holds everything in `domain.interchange.Bundle` and nothing
else; unknown fields and wrong types are refused with their place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from foreword.domain.ids import BranchId, SpeakerId, TurnId, VersionId
from foreword.domain.interchange import BranchState, Bundle
from foreword.domain.summary import Summary
from foreword.domain.turn import (
    Content,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Version,
)

BUNDLE_FORMAT = 1


class _Document(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, ser_json_bytes="hex", val_json_bytes="hex"
    )


class TextDocument(_Document):
    """A `TextPart`."""

    type: Literal["text"]
    text: str

    def part(self) -> Part:
        """Return the part that is written here."""
        return TextPart(text=self.text)


class ToolCallDocument(_Document):
    """A `ToolCallPart`."""

    type: Literal["tool_call"]
    call_id: str
    name: str
    arguments: str

    def part(self) -> Part:
        """Return the part that is written here."""
        return ToolCallPart(call_id=self.call_id, name=self.name, arguments=self.arguments)


class ToolResultDocument(_Document):
    """A `ToolResultPart`."""

    type: Literal["tool_result"]
    call_id: str
    text: str

    def part(self) -> Part:
        """Return the part that is written here."""
        return ToolResultPart(call_id=self.call_id, text=self.text)


class MediaDocument(_Document):
    """A `MediaPart`."""

    type: Literal["media"]
    media_type: str
    reference: str

    def part(self) -> Part:
        """Return the part that is written here."""
        return MediaPart(media_type=self.media_type, reference=self.reference)


PartDocument = Annotated[
    TextDocument | ToolCallDocument | ToolResultDocument | MediaDocument,
    Field(discriminator="type"),
]


class VersionDocument(_Document):
    """A `Version` with its content beside its ids."""

    id: VersionId
    turn_id: TurnId
    alt_no: int
    role: Role
    speaker: SpeakerId
    tokens: int
    digest: bytes
    parts: tuple[PartDocument, ...]
    reasoning: str = ""
    sent_at: str = ""
    extra: str = ""
    named: bool = False

    @classmethod
    def of(cls, version: Version) -> VersionDocument:
        """Return what is written for `version`."""
        content = version.content
        return cls(
            id=version.id,
            turn_id=version.turn_id,
            alt_no=version.alt_no,
            role=content.role,
            speaker=content.speaker,
            tokens=version.tokens,
            digest=version.digest,
            parts=tuple(_part_document(part) for part in content.parts),
            reasoning=content.reasoning,
            sent_at=content.sent_at,
            extra=content.extra,
            named=content.named,
        )

    def version(self) -> Version:
        """Return the version that is written here."""
        content = Content(
            role=self.role,
            speaker=self.speaker,
            parts=tuple(document.part() for document in self.parts),
            reasoning=self.reasoning,
            sent_at=self.sent_at,
            extra=self.extra,
            named=self.named,
        )
        return Version(
            id=self.id,
            turn_id=self.turn_id,
            alt_no=self.alt_no,
            content=content,
            tokens=self.tokens,
            digest=self.digest,
        )


class BundleDocument(_Document):
    """A `Bundle` with the number of its format."""

    foreword_bundle: int
    title: str
    created_at: str
    source: str
    current_branch: BranchId
    settings: dict[str, str]
    templates: dict[str, str]
    speakers: dict[SpeakerId, str]
    versions: tuple[VersionDocument, ...]
    summaries: tuple[Summary, ...]
    branches: tuple[BranchState, ...]

    @classmethod
    def of(cls, bundle: Bundle) -> BundleDocument:
        """Return what is written for `bundle`; names in alphabetical order."""
        return cls(
            foreword_bundle=BUNDLE_FORMAT,
            title=bundle.title,
            created_at=bundle.created_at,
            source=bundle.source,
            current_branch=bundle.current_branch,
            settings=_sorted(bundle.settings),
            templates=_sorted(bundle.templates),
            speakers=dict(sorted(bundle.speakers.items())),
            versions=tuple(VersionDocument.of(version) for version in bundle.versions),
            summaries=bundle.summaries,
            branches=bundle.branches,
        )

    def bundle(self) -> Bundle:
        """Return the bundle that is written here."""
        return Bundle(
            title=self.title,
            settings=self.settings,
            source=self.source,
            created_at=self.created_at,
            current_branch=self.current_branch,
            speakers=self.speakers,
            versions=tuple(document.version() for document in self.versions),
            summaries=self.summaries,
            branches=self.branches,
            templates=self.templates,
        )


def _sorted(values: Mapping[str, str]) -> dict[str, str]:
    return dict(sorted(values.items()))


def _part_document(part: Part) -> PartDocument:
    match part:
        case TextPart():
            return TextDocument(type="text", text=part.text)
        case ToolCallPart():
            return ToolCallDocument(
                type="tool_call", call_id=part.call_id, name=part.name, arguments=part.arguments
            )
        case ToolResultPart():
            return ToolResultDocument(type="tool_result", call_id=part.call_id, text=part.text)
        case MediaPart():
            return MediaDocument(type="media", media_type=part.media_type, reference=part.reference)
