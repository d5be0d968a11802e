"""Bundles: a whole conversation out, and in again in an equal state with the same ids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count, islice
from typing import TypeVar

from foreword.domain.conversation import Branch
from foreword.domain.ids import (
    MAIN_BRANCH,
    BranchId,
    ConversationId,
    Pos,
    Rev,
    SummaryId,
    VersionId,
)
from foreword.domain.interchange import BranchState, Bundle, Loss
from foreword.domain.ops import OpKind
from foreword.domain.storable import storable_name
from foreword.domain.summary import Summary
from foreword.domain.turn import Version
from foreword.engine.context import Engine, Place, Writing, reading
from foreword.errors import TemplateInvalid
from foreword.ports.store import NewVersion, ReadSession
from foreword.prompts.templates import TemplateName, check_template

PORTION = 1000
Stored = TypeVar("Stored")
Id = TypeVar("Id", VersionId, SummaryId)


def bundle_of(engine: Engine, conversation: ConversationId) -> Bundle:
    """Return everything of a conversation but its journal."""
    with reading(engine, Place(conversation=conversation)) as at:
        session = at.session
        versions = tuple(_all(session.versions, VersionId))
        speakers = {version.content.speaker for version in versions}
        known = session.conversation
        return Bundle(
            title=known.title,
            settings=dict(known.settings),
            source=session.source(),
            created_at=known.created_at,
            current_branch=known.current_branch,
            speakers=dict(sorted(session.speaker_names(speakers).items())),
            versions=versions,
            summaries=tuple(_all(session.summaries, SummaryId)),
            branches=tuple(branch_state(session, branch) for branch in session.branches()),
            templates=_templates(engine, conversation),
        )


def branch_state(session: ReadSession, branch: Branch) -> BranchState:
    """Return everything live on a branch, without revisions.

    Two branches in equal states give equal results, however they came there.
    """
    entries = tuple(session.between(branch.id, Pos(1), branch.tip_pos))
    turn_ids = [entry.turn_id for entry in entries]
    alternatives = session.alternatives(branch.id, turn_ids)
    tip = entries[-1].pos if entries else branch.fork_pos
    return BranchState(
        branch=replace(branch, tip_pos=tip, fork_rev=Rev(0), acknowledged=Rev(0), cover_version=0),
        entries=entries,
        pins=tuple(pin.turn_id for pin in session.pins(branch.id)),
        alternatives=tuple(one for turn_id in turn_ids for one in alternatives.get(turn_id, ())),
        cover=tuple(replace(row, since=Rev(0)) for row in session.cover_rows(branch.id)),
    )


def fill_from_bundle(to: Writing, bundle: Bundle) -> None:
    """Put everything of a bundle into the empty conversation of `to`."""
    speakers = {key: storable_name(name) for key, name in bundle.speakers.items()}
    to.session.ensure_speakers(speakers)
    states = {state.branch.id: state for state in bundle.branches}
    _fill(to, bundle.versions, bundle.summaries, [*states], states.__getitem__)


def fill_from_session(to: Writing, session: ReadSession) -> None:
    """Put everything of another conversation of the account into the empty one of `to`.

    Of texts only `PORTION` are held at once, of branches one.
    """
    ids = [branch.id for branch in session.branches()]
    versions, summaries = _all(session.versions, VersionId), _all(session.summaries, SummaryId)

    def state(branch: BranchId) -> BranchState:
        return branch_state(session, session.branch(branch))

    _fill(to, versions, summaries, ids, state)


def _fill(
    to: Writing,
    versions: Iterable[Version],
    summaries: Iterable[Summary],
    branches: Iterable[BranchId],
    state: Callable[[BranchId], BranchState],
) -> None:
    """Put texts and branches into an empty conversation; all ids stay what they are."""
    waiting = iter(versions)
    while portion := list(islice(waiting, PORTION)):
        to.session.add_versions(
            [
                NewVersion(
                    turn_id=version.turn_id,
                    alt_no=version.alt_no,
                    content=version.content,
                    tokens=version.tokens,
                    digest=version.digest,
                )
                for version in portion
            ]
        )
    for summary in summaries:
        to.session.add_summary(summary)
    # Forks inherit alternatives, and those that a parent got later are not theirs: all branches
    # are there before any has one.
    placed = [_place_turns(to, state(branch)) for branch in branches]
    for there in placed:
        _fill_branch(there, state(there.branch.id))


def _place_turns(to: Writing, state: BranchState) -> Writing:
    """Make a branch with its turns, and nothing else on it."""
    session = to.session
    if state.branch.id == MAIN_BRANCH:
        branch = session.branch(MAIN_BRANCH)
        session.change_branch(branch.id, name=state.branch.name)
    else:
        parent = MAIN_BRANCH if state.branch.parent is None else state.branch.parent
        branch = session.add_branch(
            state.branch.name, parent=parent, fork_pos=state.branch.fork_pos
        )
    there = Writing(engine=to.engine, session=session, branch=branch)
    there.begin(OpKind.IMPORT)
    inherited = {entry.pos: entry for entry in session.between(branch.id, Pos(1), branch.tip_pos)}
    wanted = {entry.pos: entry for entry in state.entries}
    session.drop_entries([pos for pos in inherited if pos not in wanted])
    session.put_entries([entry for pos, entry in wanted.items() if inherited.get(pos) != entry])
    return there


def _fill_branch(there: Writing, state: BranchState) -> None:
    """Put on a branch what its turns have, as part of the same command."""
    session, branch = there.session, there.branch
    there.begin(OpKind.IMPORT, group=next(session.ops(branch.id)).group)
    session.put_alternatives(state.alternatives)
    session.put_pins(state.pins)
    session.put_cover(state.cover)
    if state.branch.removed:
        session.change_branch(branch.id, removed=True)


def usable_templates(bundle: Bundle) -> tuple[dict[TemplateName, str], tuple[Loss, ...]]:
    """Return the templates that may be saved, and what became of the others."""
    kept: dict[TemplateName, str] = {}
    losses: list[Loss] = []
    known = {name.value: name for name in TemplateName}
    for name, text in bundle.templates.items():
        why = "" if name in known else "There is no such template."
        try:
            if name in known:
                check_template(known[name], text)
                kept[known[name]] = text
        except TemplateInvalid as error:
            why = f"Line {error.line}: {error.reason}." if error.line else f"{error.reason}."
        if why:
            losses.append(Loss(where="templates", what=name[:80], why=why))
    return kept, tuple(losses)


def _all(
    load: Callable[[Collection[Id]], Mapping[Id, Stored]], make: Callable[[int], Id]
) -> Iterator[Stored]:
    """Yield everything whose ids count from 1 without gaps, in portions."""
    for start in count(1, PORTION):
        ids = [make(number) for number in range(start, start + PORTION)]
        found = load(ids)
        yield from (found[one] for one in ids if one in found)
        if len(found) < PORTION:
            return


def _templates(engine: Engine, conversation: ConversationId) -> dict[str, str]:
    saved = {
        name.value: engine.store.template(f"conversation:{conversation}", name)
        for name in TemplateName
    }
    return {name: text for name, text in saved.items() if text is not None}
