"""What a summary kept of its source, found out when it is made.

Above: drafting, the use cases on summaries, the report. Below: quality and the store. Invariant:
the work is linear in the source: what summaries go back to is carried along in what is stored of
them, never read again.

Source: issue 5, section 4; spec/cadence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from foreword.domain.ids import SummaryId
from foreword.domain.summarising import Passage
from foreword.domain.summary import CoverRow
from foreword.domain.survival import Survival
from foreword.engine.context import Reading
from foreword.engine.spans import Span, Stack, passages, texts
from foreword.quality.survival import survival

NOTHING: Final[Mapping[SummaryId, Survival]] = MappingProxyType({})


def survived(at: Reading, of: Span | Stack, text: str) -> Survival:
    """Find what a text kept of what was read for it."""
    if isinstance(of, Span):
        return survival(_condensed(of.source.passages), text)
    children = [row.summary_id for row in of.rows]
    if not children:  # drafts of the same commit; see `survived_drafts`
        return survival(of.source.blocks, text)
    behind = of.source.blocks[len(of.rows) :] if of.rolled else ()
    return survived_merge(at, children, of.source.blocks, text, behind=behind)


def survived_merge(
    at: Reading,
    children: Sequence[SummaryId],
    blocks: Sequence[str],
    text: str,
    *,
    behind: Sequence[str] = (),
    found: Mapping[SummaryId, Survival] = NOTHING,
) -> Survival:
    """Find what a text kept of stored summaries, and of the turns that they go back to.

    Args:
        at: where they are stored.
        children: the summaries.
        blocks: all texts that were merged.
        text: the merged one.
        behind: those of the blocks that are turns.
        found: what summaries kept that nothing is stored of.

    Summaries that nothing is known of count as turns themselves.
    """
    known = at.session.summaries(children)
    kept = [
        known[child].survival or found.get(child) or _whole(known[child].text) for child in children
    ]
    return survival(blocks, text, carried=[*kept, *map(_whole, behind)])


def survived_anew(
    at: Reading,
    row: CoverRow,
    text: str | None = None,
    *,
    known: Mapping[SummaryId, Survival] = NOTHING,
) -> Survival:
    """Find what a stored summary kept, or another text in its place, from its sources as they are.

    Turns that do not stand there any more are left out. Of sources with nothing stored, `known` may
    say what they kept.
    """
    summary = at.session.summaries([row.summary_id])[row.summary_id]
    written = summary.text if text is None else text
    made_from = {source.turn_id for source in summary.turns}
    span = at.session.between(at.branch.id, row.from_pos, row.to_pos) if made_from else ()
    turns = _condensed(passages(at, [one for one in span if one.turn_id in made_from]))
    if not summary.children:
        return survival(turns, written)
    blocks = [*texts(at.session, summary.children), *turns]
    return survived_merge(at, summary.children, blocks, written, behind=turns, found=known)


def survived_drafts(
    survivals: Sequence[Survival | None], texts: Sequence[str], text: str
) -> Survival:
    """Find what a text kept of drafts that are not stored yet, and of their turns."""
    kept = [known or _whole(draft) for known, draft in zip(survivals, texts, strict=True)]
    return survival(texts, text, carried=kept)


def _condensed(passages: Sequence[Passage]) -> list[str]:
    """Return what is to be condensed; pinned turns are sent anyway."""
    return [passage.text for passage in passages if not passage.pinned]


def _whole(text: str) -> Survival:
    """Return what a text has of itself."""
    return survival([text], text)
