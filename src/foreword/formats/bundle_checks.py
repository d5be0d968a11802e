"""Whether what a bundle says fits together.

Below `bundle`. Invariant: a bundle that passes can be stored as it stands: every id it names is
there, every digest is that of its text, every count is that of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from foreword.domain.conversation import Branch
from foreword.domain.digest import DIGEST_SIZE, content_digest
from foreword.domain.ids import TurnId
from foreword.domain.interchange import BranchState, Bundle
from foreword.domain.summary import CoverRow, CoverState, Summary
from foreword.domain.turn import Entry, Version


def first_problem(bundle: Bundle) -> str:
    """Return the place and the kind of the first thing that is wrong, or an empty text."""
    return next(_problems(bundle), "")


def _problems(bundle: Bundle) -> Iterator[str]:
    yield from _gaps("versions", [version.id for version in bundle.versions])
    yield from _gaps("summaries", [summary.id for summary in bundle.summaries])
    for version in bundle.versions:
        yield from _version_problems(version, bundle)
    turns = frozenset(version.turn_id for version in bundle.versions)
    for summary in bundle.summaries:
        yield from _summary_problems(summary, turns)
    ids = [state.branch.id for state in bundle.branches]
    if ids != sorted(set(ids)) or not ids or ids[0] < 1:
        yield "branches: their ids do not rise"
    if bundle.current_branch not in ids:
        yield f"current_branch: there is no branch {bundle.current_branch}"
    for state in bundle.branches:
        yield from _branch_problems(state, bundle)


def _gaps(where: str, ids: Sequence[int]) -> Iterator[str]:
    for expected, found in enumerate(ids, start=1):
        if found != expected:
            yield f"{where}: id {found} stands where {expected} should"


def _version_problems(version: Version, bundle: Bundle) -> Iterator[str]:
    where = f"version {version.id}"
    if version.turn_id < 1 or version.alt_no < 1 or version.tokens < 0:
        yield f"{where}: its numbers are too small"
    if version.content.speaker not in bundle.speakers:
        yield f"{where}: there is no speaker {version.content.speaker!r}"
    if version.digest != content_digest(version.content):
        yield f"{where}: its text was changed (the digest does not match)"


def _summary_problems(summary: Summary, turns: frozenset[TurnId]) -> Iterator[str]:
    where = f"summary {summary.id}"
    if min(summary.layer, summary.depth, summary.tokens, summary.n_turns) < 0:
        yield f"{where}: its numbers are too small"
    digests = [summary.first_digest, summary.span_digest, *(turn.digest for turn in summary.turns)]
    if summary.context_digest:
        digests.append(summary.context_digest)
    if any(len(digest) != DIGEST_SIZE for digest in digests):
        yield f"{where}: a digest has the wrong length"
    for turn in summary.turns:
        if turn.turn_id not in turns:
            yield f"{where}: there is no turn {turn.turn_id}"
    earlier = [*summary.children]
    if summary.edited_from is not None:
        earlier.append(summary.edited_from)
    for source in earlier:
        if not 0 < source < summary.id:
            yield f"{where}: there is no earlier summary {source}"


def _branch_problems(state: BranchState, bundle: Bundle) -> Iterator[str]:
    branch = state.branch
    where = f"branch {branch.id}"
    known = {other.branch.id for other in bundle.branches if other.branch.id < branch.id}
    if branch.parent is not None and branch.parent not in known:
        yield f"{where}: there is no earlier branch {branch.parent}"
    for entry in state.entries:
        yield from _entry_problems(where, entry, bundle.versions)
    positions = [entry.pos for entry in state.entries]
    if not _rise([0, *positions]) or (positions and positions[-1] > branch.tip_pos):
        yield f"{where}: its positions do not rise to its tip"
    turns = [entry.turn_id for entry in state.entries]
    if len(set(turns)) != len(turns):
        yield f"{where}: a turn stands on it twice"
    if not set(state.pins) <= set(turns) or len(set(state.pins)) != len(state.pins):
        yield f"{where}: it pins a turn twice or one that is not on it"
    yield from _count_problems(where, branch, state.entries)
    yield from _alternative_problems(where, state, bundle.versions)
    yield from _cover_problems(where, state.cover, bundle.summaries)


def _entry_problems(where: str, entry: Entry, versions: Sequence[Version]) -> Iterator[str]:
    if not 0 < entry.version_id <= len(versions):
        yield f"{where}, position {entry.pos}: there is no version {entry.version_id}"
    elif not _is_of(entry, versions[entry.version_id - 1]):
        yield f"{where}, position {entry.pos}: it differs from version {entry.version_id}"


def _is_of(entry: Entry, version: Version) -> bool:
    content = version.content
    expected = (version.turn_id, content.role, content.speaker, version.tokens, version.digest)
    return (entry.turn_id, entry.role, entry.speaker, entry.tokens, entry.digest) == expected


def _count_problems(where: str, branch: Branch, entries: Iterable[Entry]) -> Iterator[str]:
    costs = [entry.cost for entry in entries if not entry.hidden]
    hidden = sum(1 for entry in entries if entry.hidden)
    counted = (len(costs), sum(costs), hidden)
    if (branch.visible_turns, branch.visible_tokens, branch.hidden_turns) != counted:
        yield f"{where}: its counts are not those of its turns"


def _alternative_problems(
    where: str, state: BranchState, versions: Sequence[Version]
) -> Iterator[str]:
    seen: set[tuple[int, int]] = set()
    turns = {entry.turn_id for entry in state.entries}
    for row in state.alternatives:
        place = f"{where}, alternative {row.alt_no} of turn {row.turn_id}"
        key = (row.turn_id, row.alt_no)
        if row.turn_id not in turns or key in seen:
            yield f"{place}: it stands twice, or its turn is not on the branch"
        elif not 0 < row.version_id <= len(versions):
            yield f"{place}: there is no version {row.version_id}"
        elif (versions[row.version_id - 1].turn_id, versions[row.version_id - 1].alt_no) != key:
            yield f"{place}: version {row.version_id} belongs to another turn or number"
        seen.add(key)


def _cover_problems(
    where: str, cover: Sequence[CoverRow], summaries: Sequence[Summary]
) -> Iterator[str]:
    for row in cover:
        place = f"{where}, summary {row.summary_id}"
        if not 0 < row.summary_id <= len(summaries):
            yield f"{place}: there is no such summary"
        elif row.layer != summaries[row.summary_id - 1].layer:
            yield f"{place}: its layer is {summaries[row.summary_id - 1].layer}, not {row.layer}"
        if row.from_pos > row.to_pos or row.from_pos < 1:
            yield f"{place}: its span is empty"
        if min(row.n_turns, row.src_tokens, row.tokens) < 0:
            yield f"{place}: its numbers are too small"
    used = sorted(
        (row for row in cover if row.state is CoverState.USED), key=lambda row: row.from_pos
    )
    for before, after in pairwise(used):
        if after.from_pos <= before.to_pos:
            yield f"{where}: summaries {before.summary_id} and {after.summary_id} overlap"


def _rise(positions: Sequence[int]) -> bool:
    return all(before < after for before, after in pairwise(positions))
