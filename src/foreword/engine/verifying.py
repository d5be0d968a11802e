"""Use case: prove by enumeration that what is stored is sound."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest
from foreword.domain.ids import ConversationId, Pos, SummaryId
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.domain.turn import Entry
from foreword.engine.context import Engine, Place, Reading, reading
from foreword.planning.validity import overlapping, says, span_state
from foreword.ports.store import ReadSession

PORTION = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a check found."""

    ok: bool
    checked: int
    """Turns, summaries and cover rows that were looked at."""
    problems: tuple[str, ...]


def verify(engine: Engine, conversation: ConversationId | None = None) -> Verdict:
    """Check one conversation, or all: counts, digests, covers, sources."""
    problems: list[str] = []
    checked = 0
    if conversation is None:
        chosen = [known.id for known in engine.store.conversations(engine.account)]
    else:
        chosen = [conversation]
    for one in chosen:
        with reading(engine, Place(conversation=one)) as opened:
            verdict = verify_opened(opened.session)
        problems += [f"{one}, {text}" for text in verdict.problems]
        checked += verdict.checked
    return Verdict(ok=not problems, checked=checked, problems=tuple(problems))


def verify_opened(session: ReadSession) -> Verdict:
    """Check one conversation as a session sees it, with what the session has changed."""
    problems: list[str] = []
    checked = 0
    for branch in session.branches():
        check = _BranchCheck(at=Reading(session=session, branch=branch))
        problems += [f"branch {branch.name}: {text}" for text in check.problems()]
        checked += check.checked
    return Verdict(ok=not problems, checked=checked, problems=tuple(problems))


@dataclass(slots=True)
class _BranchCheck:
    at: Reading
    checked: int = 0

    def problems(self) -> Iterator[str]:
        session, branch = self.at.session, self.at.branch
        entries = tuple(session.between(branch.id, Pos(1), branch.tip_pos))
        rows = session.cover_rows(branch.id)
        self.checked += len(entries) + len(rows)
        yield from _counts(branch, entries)
        yield from self._texts(entries)
        yield from self._cover(rows, entries)

    def _texts(self, entries: Sequence[Entry]) -> Iterator[str]:
        """Check every shown text against its digest and its place."""
        for start in range(0, len(entries), PORTION):
            portion = entries[start : start + PORTION]
            versions = self.at.session.versions([entry.version_id for entry in portion])
            for entry in portion:
                version = versions.get(entry.version_id)
                if version is None:
                    yield f"turn id:{entry.turn_id} has no text"
                elif entry.digest != content_digest(version.content):
                    yield f"turn id:{entry.turn_id} does not match its digest"
                elif (entry.turn_id, entry.tokens) != (version.turn_id, version.tokens):
                    yield f"turn id:{entry.turn_id} shows a text of another turn"

    def _cover(self, rows: Sequence[CoverRow], entries: Sequence[Entry]) -> Iterator[str]:
        session = self.at.session
        texts = session.summary_texts([row.summary_id for row in rows])
        used = [row.summary_id for row in rows if row.state is CoverState.USED]
        summaries = session.summaries(used)
        self.checked += len(texts)
        pair = overlapping(rows)
        if pair is not None:
            yield f"S{pair[0].summary_id} and S{pair[1].summary_id} cover the same turns"
        held = {row.summary_id for row in rows}
        for row in rows:
            if row.summary_id not in texts:
                yield f"S{row.summary_id} has no text"
            elif row.state is CoverState.USED:
                summary = summaries[row.summary_id]
                yield from _sources(summary, held)
                state = span_state(_between(entries, row.from_pos, row.to_pos))
                if not says(summary, state):
                    yield f"S{row.summary_id} is in use, but its turns read differently"
                elif (state.n_turns, state.src_tokens) != (row.n_turns, row.src_tokens):
                    yield f"S{row.summary_id} counts its turns wrongly"


def _between(entries: Sequence[Entry], lo: Pos, hi: Pos) -> Sequence[Entry]:
    first = bisect_left(entries, lo, key=lambda entry: entry.pos)
    return entries[first : bisect_right(entries, hi, key=lambda entry: entry.pos)]


def _sources(summary: Summary, held: set[SummaryId]) -> Iterator[str]:
    missing = [child for child in summary.children if child not in held]
    if missing:
        yield f"S{summary.id} is in use, but S{missing[0]}, which it merged, is gone"


def _counts(branch: Branch, entries: Sequence[Entry]) -> Iterator[str]:
    visible = [entry for entry in entries if not entry.hidden]
    counted = (len(visible), sum(entry.cost for entry in visible), len(entries) - len(visible))
    stored = (branch.visible_turns, branch.visible_tokens, branch.hidden_turns)
    if counted != stored:
        yield f"its counts are {stored}, counted are {counted} (turns, tokens, hidden)"
    if any(left.pos >= right.pos for left, right in pairwise(entries)):
        yield "its turns are out of order"
