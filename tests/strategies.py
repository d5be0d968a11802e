"""Hypothesis strategies: texts, contents, whole bundles that fit together, odd chat messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest, span_digest
from foreword.domain.ids import (
    BranchId,
    Pos,
    SpeakerId,
    SummaryId,
    TurnId,
    VersionId,
)
from foreword.domain.interchange import BranchState, Bundle
from foreword.domain.summary import CoverRow, CoverState, SourceTurn, Summary
from foreword.domain.turn import (
    Alternative,
    Content,
    Entry,
    MediaPart,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    Version,
)

SPEAKERS = {SpeakerId("a1"): "Anneke", SpeakerId("b2"): "Matthis", SpeakerId("c3"): "Ночь"}


def texts(*, min_size: int = 0, max_size: int = 40) -> st.SearchStrategy[str]:
    """Any Unicode text that every database stores: no NUL, no surrogates."""
    return st.text(
        st.characters(exclude_characters="\x00", exclude_categories=["Cs"]),
        min_size=min_size,
        max_size=max_size,
    )


def parts() -> st.SearchStrategy[Part]:
    return st.one_of(
        st.builds(TextPart, text=texts()),
        st.builds(ToolCallPart, call_id=texts(), name=texts(), arguments=texts()),
        st.builds(ToolResultPart, call_id=texts(), text=texts()),
        st.builds(MediaPart, media_type=texts(), reference=texts()),
    )


def contents(speakers: Sequence[SpeakerId] = tuple(SPEAKERS)) -> st.SearchStrategy[Content]:
    return st.builds(
        Content,
        role=st.sampled_from(Role),
        speaker=st.sampled_from(list(speakers)),
        parts=st.lists(parts(), min_size=1, max_size=3).map(tuple),
        reasoning=texts(),
        sent_at=texts(max_size=10),
        extra=st.sampled_from(["", '{"line":{"b":1,"a":2}}']),
        named=st.booleans(),
    )


@st.composite
def versions(draw: st.DrawFn, *, max_turns: int = 5) -> tuple[Version, ...]:
    """Versions of up to `max_turns` turns, one to three alternatives each, ids without gaps."""
    found: list[Version] = []
    for turn in range(1, draw(st.integers(1, max_turns)) + 1):
        for alternative in range(1, draw(st.integers(1, 3)) + 1):
            content = draw(contents())
            version = Version(
                id=VersionId(len(found) + 1),
                turn_id=TurnId(turn),
                alt_no=alternative,
                content=content,
                tokens=draw(st.integers(0, 500)),
                digest=content_digest(content),
            )
            found.append(version)
    return tuple(found)


@st.composite
def branch_states(draw: st.DrawFn, branch: BranchId, stored: tuple[Version, ...]) -> BranchState:
    """A branch on which some of the turns stand, without a cover."""
    turns = sorted({version.turn_id for version in stored})
    standing = [turn for turn in turns if draw(st.booleans())]
    entries: list[Entry] = []
    for turn in standing:
        version = draw(st.sampled_from([item for item in stored if item.turn_id == turn]))
        last = entries[-1].pos if entries else 0
        entry = Entry(
            pos=Pos(last + draw(st.integers(1, 2048))),
            turn_id=turn,
            version_id=version.id,
            role=version.content.role,
            speaker=version.content.speaker,
            tokens=version.tokens,
            digest=version.digest,
            hidden=draw(st.booleans()),
        )
        entries.append(entry)
    visible = [entry for entry in entries if not entry.hidden]
    return BranchState(
        branch=Branch(
            id=branch,
            name=draw(texts(max_size=10)),
            parent=None if branch == 1 else BranchId(draw(st.integers(1, branch - 1))),
            fork_pos=Pos(draw(st.integers(0, 9))),
            tip_pos=Pos((entries[-1].pos if entries else 0) + draw(st.integers(0, 9))),
            visible_turns=len(visible),
            visible_tokens=sum(entry.cost for entry in visible),
            hidden_turns=len(entries) - len(visible),
            cover_version=draw(st.integers(0, 9)),
        ),
        entries=tuple(entries),
        pins=tuple(turn for turn in standing if draw(st.booleans())),
        alternatives=tuple(
            Alternative(turn_id=item.turn_id, alt_no=item.alt_no, version_id=item.id)
            for item in stored
            if item.turn_id in standing
        ),
    )


@st.composite
def bundles(draw: st.DrawFn) -> Bundle:
    """Bundles of one to three branches, each turn with a summary in force on some of them."""
    stored = draw(versions())
    count = draw(st.integers(1, 3))
    bare = [draw(branch_states(BranchId(number), stored)) for number in range(1, count + 1)]
    summaries: list[Summary] = []
    branches = tuple(_covered(draw, state, summaries) for state in bare)
    return Bundle(
        title=draw(texts(max_size=20)),
        settings=draw(st.dictionaries(texts(max_size=8), texts(max_size=8), max_size=3)),
        source=draw(st.sampled_from(["", '{"user_name":"Odile"}'])),
        created_at="2026-11-30T12:00:00+00:00",
        current_branch=BranchId(draw(st.integers(1, count))),
        speakers=SPEAKERS,
        versions=stored,
        summaries=tuple(summaries),
        branches=branches,
        templates=draw(st.dictionaries(st.sampled_from(["summary", "meta"]), texts(), max_size=2)),
    )


def _covered(draw: st.DrawFn, state: BranchState, summaries: list[Summary]) -> BranchState:
    """Give some visible turns of `state` a summary each, and sometimes all of those a meta."""
    rows: list[CoverRow] = []
    metas = draw(st.booleans())
    for entry in state.entries:
        if not entry.hidden and draw(st.booleans()):
            summaries.append(_summary(draw, entry, SummaryId(len(summaries) + 1)))
            merged = CoverState.MERGED if metas else CoverState.USED
            rows.append(
                _row(summaries[-1], [entry], draw(st.sampled_from([merged, CoverState.STALE])))
            )
    merged_rows = [row for row in rows if row.state is CoverState.MERGED]
    if merged_rows:
        inside = {row.from_pos for row in merged_rows}
        covered = [entry for entry in state.entries if entry.pos in inside]
        summaries.append(_meta(draw, covered, merged_rows, SummaryId(len(summaries) + 1)))
        rows.append(_row(summaries[-1], covered, CoverState.USED))
    return BranchState(
        branch=state.branch,
        entries=state.entries,
        pins=state.pins,
        alternatives=state.alternatives,
        cover=tuple(rows),
    )


def _summary(draw: st.DrawFn, entry: Entry, number: SummaryId) -> Summary:
    return Summary(
        id=number,
        layer=0,
        depth=1,
        text=draw(texts()),
        tokens=draw(st.integers(0, 99)),
        first_digest=entry.digest,
        n_turns=1,
        span_digest=span_digest([entry.digest]),
        maker="user",
        turns=(SourceTurn(turn_id=entry.turn_id, digest=entry.digest),),
        context_digest=draw(st.sampled_from([b"", bytes(16)])),
        edited_from=SummaryId(number - 1) if number > 1 and draw(st.booleans()) else None,
    )


def _meta(
    draw: st.DrawFn, covered: Sequence[Entry], rows: Sequence[CoverRow], number: SummaryId
) -> Summary:
    return Summary(
        id=number,
        layer=1,
        depth=2,
        text=draw(texts()),
        tokens=draw(st.integers(0, 99)),
        first_digest=covered[0].digest,
        n_turns=len(covered),
        span_digest=span_digest(entry.digest for entry in covered),
        maker="user",
        children=tuple(row.summary_id for row in rows),
    )


def _row(summary: Summary, covered: Sequence[Entry], state: CoverState) -> CoverRow:
    return CoverRow(
        summary_id=summary.id,
        state=state,
        layer=summary.layer,
        from_pos=covered[0].pos,
        to_pos=covered[-1].pos,
        n_turns=len(covered),
        src_tokens=sum(entry.cost for entry in covered),
        tokens=summary.tokens,
    )


FIELDS = (
    "name is_user is_system mes swipes swipe_id swipe_info extra send_date gen_started "
    "user_name character_name chat_metadata"
).split()
EXTRAS = "reasoning type isSmallSys tool_invocations media files file image video memory".split()


def json_values() -> st.SearchStrategy[Any]:
    """Any value that Python's `json` writes, lone surrogates, NaN and huge numbers among them."""
    return st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
        ),
        max_leaves=8,
    )


@st.composite
def chat_lines(draw: st.DrawFn, samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """One of `samples` with some fields of any type, and sometimes one missing."""
    line = dict(draw(st.sampled_from(list(samples))))
    for field in draw(st.lists(st.sampled_from(FIELDS), max_size=4)):
        line[field] = draw(json_values())
    if draw(st.booleans()):
        line["extra"] = draw(st.dictionaries(st.sampled_from(EXTRAS), json_values(), max_size=3))
    if draw(st.booleans()):
        line.pop(draw(st.sampled_from(sorted(line))), None)
    return line
