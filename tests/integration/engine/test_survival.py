"""What summaries kept of their sources: stored when they are made, edited, merged, rolled on."""

from __future__ import annotations

import asyncio

from tests.integration.engine.play import Play
from tests.integration.engine.stage import GOOD, HALVES, STORY, stage

from foreword.domain.ids import SummaryId
from foreword.domain.survival import Survival
from foreword.engine import summaries
from foreword.engine.context import reading
from foreword.ports.store import Store
from foreword.quality.survival import survival
from foreword.testing.models import FakeModel

MERGED = "Mara paid Tobin eleven coins. Captain Ilse was taken to the fort at Brennick."


def stored(play: Play, number: int) -> Survival:
    with reading(play.engine, play.place) as at:
        found = at.session.summaries([SummaryId(number)])[SummaryId(number)].survival
    assert found is not None
    return found


def test_a_summary_of_turns_knows_what_it_kept_of_them(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    on.play.make(6)
    assert stored(on.play, 1) == survival(STORY, GOOD)


def test_the_built_in_summariser_is_judged_like_any_other(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]), routed=None)
    on.play.make(6)
    (view,) = on.play.summaries()
    assert stored(on.play, 1) == survival(STORY, view.text)


def test_an_edit_is_judged_by_the_same_turns(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    on.play.make(6)
    summaries.edit(on.engine, on.play.place, SummaryId(1), "Tobin has the letter.")
    assert stored(on.play, 2) == survival(STORY, "Tobin has the letter.")


def test_a_regenerated_summary_is_judged_anew(store: Store) -> None:
    on = stage(store, FakeModel([GOOD, GOOD[:-40] + " at Brennick."]))
    on.play.make(6)
    made = asyncio.run(summaries.regenerate(on.engine, on.play.place, SummaryId(1)))
    assert stored(on.play, 2) == survival(STORY, made.summary.text)


def test_a_merge_is_judged_by_its_summaries_and_by_the_turns_behind_them(store: Store) -> None:
    on = stage(store, FakeModel([*HALVES, MERGED])).route("merge")
    on.play.make(4)
    on.play.make(6)
    on.play.merge(1, 2)
    first, second, merged = (stored(on.play, number) for number in (1, 2, 3))
    texts = [view.text for view in on.play.summaries(all_states=True)][:2]
    assert merged == survival(texts, MERGED, carried=(first, second))
    assert merged.since_originals < merged.share


def test_pinned_turns_are_sent_anyway_and_lose_nothing(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]))
    on.play.pin(1)
    on.play.make(6)
    assert stored(on.play, 1) == survival(STORY[1:], GOOD)
