"""A branch with summaries of summaries, kept in the plainest way: what rules are compared with.

Turns stand at even positions, so that there is room between them. Every version of every turn
reads differently.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from foreword.domain.digest import span_digest
from foreword.domain.ids import Pos, SpeakerId, SummaryId, TurnId, VersionId
from foreword.domain.summary import CoverRow, CoverState, SourceTurn, Summary
from foreword.domain.turn import Entry, Role
from foreword.planning.validity import BranchCover, SpanState


def at(turn: int) -> Pos:
    """Return the position of the turn with this number."""
    return Pos(2 * turn)


def digest_of(turn: int, version: int = 0) -> bytes:
    """Return the digest of a version of a turn."""
    return turn.to_bytes(8, "big") + version.to_bytes(8, "big")


def turn(number: int, version: int = 0, *, hidden: bool = False) -> Entry:
    """Make a turn that costs 100 tokens and one for each version."""
    return Entry(
        pos=at(number),
        turn_id=TurnId(number),
        version_id=VersionId(100 * number + version),
        role=Role.USER,
        speaker=SpeakerId("a1"),
        tokens=96 + version,
        digest=digest_of(number, version),
        hidden=hidden,
    )


@dataclass
class Forest:
    """Turns, summaries and rows of one branch."""

    turns: dict[int, Entry] = field(default_factory=dict)
    summaries: dict[SummaryId, Summary] = field(default_factory=dict)
    rows: dict[SummaryId, CoverRow] = field(default_factory=dict)

    def visible(self, lo: Pos, hi: Pos) -> list[Entry]:
        """Return the visible turns between two positions, both included."""
        inside = (entry for _, entry in sorted(self.turns.items()) if lo <= entry.pos <= hi)
        return [entry for entry in inside if not entry.hidden]

    def span(self, lo: Pos, hi: Pos) -> SpanState:
        """Return their state, worked out anew."""
        visible = self.visible(lo, hi)
        return SpanState(
            digest=span_digest([entry.digest for entry in visible]),
            first_digest=visible[0].digest if visible else b"",
            n_turns=len(visible),
            src_tokens=sum(entry.tokens + 4 for entry in visible),
        )

    def says_its_span(self, row: CoverRow) -> bool:
        """Say whether the visible turns there are those the summary was made from."""
        digests = [entry.digest for entry in self.visible(row.from_pos, row.to_pos)]
        return digests == self.sources(row.summary_id)

    def sources(self, summary_id: SummaryId) -> list[bytes]:
        """Return the digests of all turns a summary was made from, through what it merged."""
        summary = self.summaries[summary_id]
        own = [source.digest for source in summary.turns]
        return own + [one for child in summary.children for one in self.sources(child)]

    def in_state(self, state: CoverState) -> list[CoverRow]:
        """Return the rows in one state, oldest span first."""
        rows = [row for row in self.rows.values() if row.state is state]
        return sorted(rows, key=lambda row: (row.from_pos, row.summary_id))

    @property
    def used(self) -> list[CoverRow]:
        return self.in_state(CoverState.USED)

    def put(self, rows: Iterable[CoverRow]) -> None:
        self.rows.update((row.summary_id, row) for row in rows)

    def states(self) -> dict[int, str]:
        """Return what the branch does with each summary that it holds."""
        return {int(key): row.state.value for key, row in sorted(self.rows.items())}

    def summarise(
        self, first: int, last: int, *, edited_from: int | None = None, tokens: int = 30
    ) -> Summary:
        """Make and use a summary of the turns from `first` to `last`."""
        visible = self.visible(at(first), at(last))
        summary = Summary(
            id=SummaryId(len(self.summaries) + 1),
            layer=0,
            depth=1,
            text=f"Turns {first} to {last}.",
            tokens=tokens,
            first_digest=visible[0].digest,
            n_turns=len(visible),
            span_digest=span_digest(entry.digest for entry in visible),
            maker="user",
            turns=tuple(SourceTurn(turn_id=one.turn_id, digest=one.digest) for one in visible),
            edited_from=None if edited_from is None else SummaryId(edited_from),
        )
        self._use(summary, visible[0].pos, visible[-1].pos)
        return summary

    def merge(self, *ids: int, tokens: int = 20) -> Summary:
        """Make and use a meta summary of summaries in use, oldest first."""
        merged = [self.rows[SummaryId(number)] for number in ids]
        state = self.span(merged[0].from_pos, merged[-1].to_pos)
        meta = Summary(
            id=SummaryId(len(self.summaries) + 1),
            layer=1 + max(row.layer for row in merged),
            depth=1 + max(self.summaries[row.summary_id].depth for row in merged),
            text="Both.",
            tokens=tokens,
            first_digest=state.first_digest,
            n_turns=state.n_turns,
            span_digest=state.digest,
            maker="user",
            children=tuple(row.summary_id for row in merged),
        )
        self.put(replace(row, state=CoverState.MERGED) for row in merged)
        self._use(meta, merged[0].from_pos, merged[-1].to_pos)
        return meta

    def _use(self, summary: Summary, lo: Pos, hi: Pos) -> None:
        state = self.span(lo, hi)
        self.summaries[summary.id] = summary
        self.rows[summary.id] = CoverRow(
            summary_id=summary.id,
            state=CoverState.USED,
            layer=summary.layer,
            from_pos=lo,
            to_pos=hi,
            n_turns=state.n_turns,
            src_tokens=state.src_tokens,
            tokens=summary.tokens,
        )

    def cover(self) -> BranchCover:
        """Show the branch the way the checks look at it."""
        return BranchCover(
            used_between=lambda lo, hi: [row for row in self.used if row.overlaps(lo, hi)],
            stale_between=lambda lo, hi: [
                row for row in self.in_state(CoverState.STALE) if row.overlaps(lo, hi)
            ],
            rows_of=lambda ids: [self.rows[one] for one in ids if one in self.rows],
            children=lambda one: self.summaries[one].children,
            summary=self.summaries.__getitem__,
            span=self.span,
        )

    def copy(self) -> "Forest":
        return Forest(turns=dict(self.turns), summaries=dict(self.summaries), rows=dict(self.rows))


def forest_of(turns: int, *spans: tuple[int, int], hidden: Sequence[int] = ()) -> Forest:
    """Make a branch of so many turns with these spans summarised, S1 the first."""
    made = Forest(
        turns={number: turn(number, hidden=number in hidden) for number in range(1, turns + 1)}
    )
    for first, last in spans:
        made.summarise(first, last)
    return made


@st.composite
def forests(draw: st.DrawFn, *, turns: int = 14) -> Forest:
    """Branches with hidden turns, holes, and summaries merged up to three layers high."""
    hidden = draw(st.sets(st.integers(1, turns), max_size=4))
    made = forest_of(turns, hidden=sorted(hidden))
    start = 1
    while start <= turns:
        last = min(turns, start + draw(st.integers(0, 3)))
        if draw(st.integers(0, 5)) and made.visible(at(start), at(last)):
            made.summarise(start, last)
        start = last + 1
    for _ in range(draw(st.integers(0, 4))):
        runs = list(_runs(made))
        if runs:
            made.merge(*(int(row.summary_id) for row in draw(st.sampled_from(runs))))
    return made


def _runs(made: Forest) -> Iterable[Sequence[CoverRow]]:
    """Yield two or three neighbouring summaries in use with no visible turn between them."""
    used = made.used
    for size in (2, 3):
        for place in range(len(used) - size + 1):
            run = used[place : place + size]
            covered = sum(row.n_turns for row in run)
            if made.span(run[0].from_pos, run[-1].to_pos).n_turns == covered:
                yield run
