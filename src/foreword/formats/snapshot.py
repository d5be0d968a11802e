"""A branch as it stands in a bundle, in the words of chat files: what writers start from.

Above: the formats that write one branch. Below: `domain.interchange`. Invariant: one turn for each
entry, in branch order, with all its alternatives and the shown one chosen.
"""

from __future__ import annotations

from collections import defaultdict

from foreword.domain.ids import BranchId, TurnId
from foreword.domain.interchange import BranchState, Bundle, ChatText, ChatTurn
from foreword.domain.turn import Content, Entry, Version


def state_of(bundle: Bundle, branch: BranchId) -> BranchState:
    """Return what is live on a branch of the bundle."""
    return next(state for state in bundle.branches if state.branch.id == branch)


def turns_of(bundle: Bundle, branch: BranchId) -> tuple[ChatTurn, ...]:
    """Return the turns of a branch, oldest first."""
    state = state_of(bundle, branch)
    versions = {version.id: version for version in bundle.versions}
    others: dict[TurnId, dict[int, Version]] = defaultdict(dict)
    for row in state.alternatives:
        others[row.turn_id][row.alt_no] = versions[row.version_id]
    pins = frozenset(state.pins)
    return tuple(
        _turn(
            bundle,
            entry,
            versions[entry.version_id],
            others[entry.turn_id],
            pinned=entry.turn_id in pins,
        )
        for entry in state.entries
    )


def _turn(
    bundle: Bundle, entry: Entry, shown: Version, others: dict[int, Version], *, pinned: bool
) -> ChatTurn:
    known = sorted({**others, shown.alt_no: shown}.items())
    return ChatTurn(
        role=entry.role,
        speaker=bundle.speakers[entry.speaker],
        texts=tuple(_text(version.content) for _, version in known),
        chosen=[number for number, _ in known].index(shown.alt_no),
        hidden=entry.hidden,
        pinned=pinned,
    )


def _text(content: Content) -> ChatText:
    return ChatText(
        parts=content.parts,
        reasoning=content.reasoning,
        sent_at=content.sent_at,
        extra=content.extra,
    )
