"""What a summary kept of its source, found out when it is made.

Above: drafting, the use cases on summaries, the report. Below: quality and the store. Invariant:
the work is linear in the source: what summaries go back to is carried along in what is stored of
them, never read again. A merge of summaries that several merges made is judged by the heaviest
details that each of its sources carries, those included that were lost on the way.

Source: issue 5, section 4; spec/cadence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from foreword.domain.ids import SummaryId
from foreword.domain.summary import CoverRow
from foreword.domain.survival import Detail, Survival
from foreword.engine.context import Reading
from foreword.engine.spans import Span, Stack, passages, texts
from foreword.quality.survival import survival


def survived(at: Reading, of: Span | Stack, text: str) -> Survival:
    """Find what a text kept of what was read for it."""
    if isinstance(of, Span):
        return survival(of.source.texts, text)
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
) -> Survival:
    """Find what a text kept of stored summaries, and of the turns that they go back to.

    Args:
        at: where they are stored.
        children: the summaries.
        blocks: all texts that were merged.
        text: the merged one.
        behind: those of the blocks that are turns.

    Summaries that nothing is stored of count as turns themselves.
    """
    known = at.session.summaries(children)
    stored = [known[child] for child in children]
    unknown = [source.text for source in stored if source.survival is None]
    return survival(
        blocks,
        text,
        original_texts=(*unknown, *behind),
        carried=_carried(source.survival for source in stored),
    )


def survived_anew(at: Reading, row: CoverRow, text: str | None = None) -> Survival:
    """Find what a stored summary kept, or another text in its place, from its sources as they are.

    Turns that do not stand there any more are left out.
    """
    summary = at.session.summaries([row.summary_id])[row.summary_id]
    written = summary.text if text is None else text
    made_from = {source.turn_id for source in summary.turns}
    span = at.session.between(at.branch.id, row.from_pos, row.to_pos) if made_from else ()
    turns = [one.text for one in passages(at, [one for one in span if one.turn_id in made_from])]
    if not summary.children:
        return survival(turns, written)
    blocks = [*texts(at.session, summary.children), *turns]
    return survived_merge(at, summary.children, blocks, written, behind=turns)


def survived_drafts(
    survivals: Sequence[Survival | None], texts: Sequence[str], text: str
) -> Survival:
    """Find what a text kept of drafts that are not stored yet, and of their turns."""
    return survival(texts, text, original_texts=(), carried=_carried(survivals))


def _carried(survivals: Iterable[Survival | None]) -> tuple[Detail, ...]:
    """Return the details of original turns that sources carry, lost ones too."""
    return tuple(detail for one in survivals if one is not None for detail in one.details)
