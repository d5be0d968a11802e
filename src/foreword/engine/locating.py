"""Which turns a summary is of that names them only by a digest of their texts, as Marginalia's do.

Above: `adding`. A block begins at the first turn or where another ends, so the search is linear in
the turns for each block. The digest is SHA-512 over the texts in order; one of a meta summary has
each inner summary after the text of its last turn, but not that of the last turn of all.

Invariant: what is found reads word for word as it did when the summary was made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha512

from foreword.domain.interchange import ChatSummary, Loss


def located(
    summaries: Sequence[ChatSummary], texts: Sequence[str | None]
) -> tuple[tuple[ChatSummary, ...], tuple[Loss, ...]]:
    """Return the summaries with their turns, those inside a meta summary left out.

    Args:
        summaries: those with a digest are looked for, the others returned as they are.
        texts: of every turn; None for hidden ones.
    """
    known = [summary for summary in summaries if not summary.sha512]
    found: list[ChatSummary] = []
    wanted = [summary for summary in summaries if summary.sha512]
    for layer in sorted({summary.layer for summary in wanted}):
        here = {summary.sha512: summary for summary in wanted if summary.layer == layer}
        found += _blocks(here, found, texts)
    missing = {one.sha512 for one in wanted} - {one.sha512 for one in found}
    losses = tuple(
        Loss(where="summaries", what=f"the summary {_short(one.text)!r}", why=_UNLIKE)
        for one in wanted
        if one.sha512 in missing
    )
    return (*known, *_outermost(found)), losses


_UNLIKE = "no turns here read as those it was made from"


def _blocks(
    wanted: dict[str, ChatSummary], inner: Sequence[ChatSummary], texts: Sequence[str | None]
) -> list[ChatSummary]:
    """Find the blocks of one layer; `inner` are those of the layers below."""
    inside = {one.turns[-1]: one.text for one in sorted(inner, key=lambda one: one.layer)}
    starts = sorted({0, *(end + 1 for end in inside)})
    found: list[ChatSummary] = []
    seen: set[int] = set()
    while starts:
        start = starts.pop(0)
        if start in seen:
            continue
        seen.add(start)
        block = _block(start, wanted, inside, texts)
        if block is not None:
            found.append(block)
            starts.append(block.turns[-1] + 1)
    return found


def _block(
    start: int, wanted: dict[str, ChatSummary], inside: dict[int, str], texts: Sequence[str | None]
) -> ChatSummary | None:
    digest = sha512()
    turns: list[int] = []
    for number in range(start, len(texts)):
        text = texts[number]
        if text is None:
            continue
        digest.update(text.encode())
        turns.append(number)
        summary = wanted.get(digest.hexdigest())
        if summary is not None:
            return replace(summary, turns=tuple(turns))
        digest.update(inside.get(number, "").encode())
    return None


def _outermost(found: Sequence[ChatSummary]) -> list[ChatSummary]:
    """Return the summaries that are not within one of a higher layer, in the order of turns."""
    taken: set[int] = set()
    kept: list[ChatSummary] = []
    for summary in sorted(found, key=lambda one: -one.layer):
        if not taken.intersection(summary.turns):
            kept.append(summary)
            taken.update(summary.turns)
    return sorted(kept, key=lambda one: one.turns)


def _short(text: str) -> str:
    return " ".join(text.split())[:60]
