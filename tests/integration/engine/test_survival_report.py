"""The report on what survived; where nothing is stored it is found out from the sources."""

from __future__ import annotations

from dataclasses import fields

import pytest
from tests.integration.engine.play import Play
from tests.integration.engine.stage import HALVES, Stage, stage

from foreword.domain.ids import SummaryId
from foreword.domain.ops import OpKind
from foreword.domain.summary import NewSummary
from foreword.engine.context import reading, writing
from foreword.engine.survival_report import SurvivalReport, survival_report
from foreword.engine.surviving import survived_drafts
from foreword.errors import SummaryNotFound
from foreword.ports.store import Store
from foreword.testing.models import FakeModel

MERGED = "Mara paid Tobin eleven coins. Captain Ilse was taken to the fort at Brennick."


def merged(store: Store) -> Stage:
    on = stage(store, FakeModel([*HALVES, MERGED])).route("merge")
    on.play.make(4)
    on.play.make(6)
    on.play.merge(1, 2)
    return on


def forget(play: Play) -> dict[SummaryId, SummaryId]:
    """Put in the place of every summary one that nothing is stored of, as in old versions."""
    put: dict[SummaryId, SummaryId] = {}
    with writing(play.engine, play.place) as to:
        rows = {row.summary_id: row for row in to.session.cover_rows(to.branch.id)}
        to.begin(OpKind.REMEMBER)
        for number, old in sorted(to.session.summaries(rows).items()):
            values = {field.name: getattr(old, field.name) for field in fields(NewSummary)}
            children = tuple(put[child] for child in old.children)
            new = NewSummary(**{**values, "children": children, "survival": None})
            put[number] = to.session.add_summary(new).id
        to.session.drop_cover(rows)
        for number, row in rows.items():
            moved = {field.name: getattr(row, field.name) for field in fields(row)}
            to.session.put_cover([type(row)(**{**moved, "summary_id": put[number]})])
    return put


def told(report: SurvivalReport) -> list[tuple[object, ...]]:
    return [(one.state, one.layer, one.order, one.survival) for one in report.summaries]


def test_old_summaries_are_reported_as_if_it_had_been_stored(store: Store) -> None:
    play = merged(store).play
    before = survival_report(play.engine, play.place, everything=True)
    put = forget(play)
    after = survival_report(play.engine, play.place, everything=True)
    assert [one.stored for one in before.summaries] == [True] * 3
    assert [one.stored for one in after.summaries] == [False] * 3
    assert told(after) == told(before)
    assert after.layers == before.layers
    top = survival_report(play.engine, play.place, summary_id=put[SummaryId(3)])
    assert top.summaries == after.summaries[-2:-1]


def test_a_merge_of_old_summaries_counts_them_as_its_turns(store: Store) -> None:
    on = stage(store, FakeModel([*HALVES, MERGED])).route("merge")
    on.play.make(4)
    on.play.make(6)
    forget(on.play)
    on.play.merge(3, 4)
    (one,) = survival_report(on.engine, on.play.place).summaries
    assert one.stored
    assert one.survival.share == one.survival.since_originals


def test_a_report_of_a_summary_that_the_branch_never_had_is_refused(store: Store) -> None:
    play = merged(store).play
    with pytest.raises(SummaryNotFound):
        survival_report(play.engine, play.place, summary_id=SummaryId(9))


def test_drafts_that_are_not_stored_yet_carry_what_they_kept(store: Store) -> None:
    play = merged(store).play
    with reading(play.engine, play.place) as at:
        found = at.session.summaries([SummaryId(1), SummaryId(2), SummaryId(3)])
    first, second, top = found.values()
    texts = [first.text, second.text]
    assert survived_drafts([first.survival, second.survival], texts, MERGED) == top.survival
    unknown = survived_drafts([None, None], texts, MERGED)
    assert unknown.since_originals == unknown.share
