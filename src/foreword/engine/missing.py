"""What a draft, otherwise fine, is asked for once more because it lost it.

Above: `drafting`. Below: `surviving`. Invariant: the list comes from the story, so it stands where
the draft stands, fenced as data, never among our own words.

Source: issue 5, section 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from foreword.engine.context import Engine, Place, policy_of, reading
from foreword.engine.spans import Span, Stack
from foreword.engine.surviving import survived
from foreword.quality.survival import missing

HEADING: Final = "Details of the source that the draft leaves out:"
DIRECTION: Final = (
    "Tell as many of the details listed behind the draft as the size allows, exactly as the source "
    "has them, and keep those that the draft has; leave out description instead."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """A draft, how much it kept, and what it lost."""

    draft: str
    share: float
    details: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The draft with the list behind it."""
        listed = "\n".join(f"- {' '.join(detail.split())}" for detail in self.details)
        return f"{self.draft}\n\n{HEADING}\n{listed}"


def missing_of(engine: Engine, place: Place, of: Span | Stack, draft: str) -> Missing | None:
    """Return what a draft should have told; None where it told enough, or nobody wants to know."""
    with reading(engine, place) as at:
        if not policy_of(at.session).ask_missing:
            return None
        kept = survived(at, of, draft)
    details = tuple(detail.text for detail in missing(kept))
    return Missing(draft=draft, share=kept.share, details=details) if details else None


def keeps_more(engine: Engine, place: Place, of: Span | Stack, draft: str, than: Missing) -> bool:
    """Say whether another draft kept more."""
    with reading(engine, place) as at:
        return survived(at, of, draft).share > than.share
