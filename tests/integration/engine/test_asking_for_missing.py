"""`ask_missing`: one more question where a summary, otherwise fine, lost weighty details."""

from __future__ import annotations

from tests.integration.engine.stage import GOOD, stage

from foreword.engine.missing import HEADING
from foreword.errors import ModelUnreachable
from foreword.ports.store import Store
from foreword.testing.models import FakeModel

POOR = (
    "Someone waited under a bridge and paid somebody to be brought across the water some day. He "
    "swore that he would do it and hid the letter. A light was lit far away. Later he came back "
    "alone and said that it could not be done, since others hold the boat and the man was taken."
)
"""Fit to be remembered, without one name, number or day."""


def test_the_setting_is_off_unless_someone_wants_it(store: Store) -> None:
    on = stage(store, FakeModel([POOR, GOOD]))
    on.play.make(6)
    assert on.outcomes() == ["summary used"]


def test_a_poor_summary_is_asked_for_once_more_with_what_it_lost(store: Store) -> None:
    on = stage(store, FakeModel([POOR, GOOD]), ask_missing="on")
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [GOOD]
    assert on.outcomes() == ["summary rejected", "repair used"]
    _, again = on.prompts()
    assert f"{POOR}\n\n{HEADING}\n- " in again
    assert "- Captain Ilse\n" in again[again.index(HEADING) :]


def test_a_summary_that_kept_enough_is_not_asked_for_again(store: Store) -> None:
    on = stage(store, FakeModel([GOOD]), ask_missing="on")
    on.play.make(6)
    assert on.outcomes() == ["summary used"]


def test_the_first_summary_stays_where_the_second_kept_no_more(store: Store) -> None:
    on = stage(store, FakeModel([POOR, POOR.replace("some day", "one day")]), ask_missing="on")
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [POOR]
    assert on.outcomes() == ["summary used", "repair rejected"]


def test_the_first_summary_stays_where_the_second_may_not_be_remembered(store: Store) -> None:
    on = stage(store, FakeModel([POOR, "I'm sorry, I can't help with that."]), ask_missing="on")
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [POOR]
    assert on.outcomes() == ["summary used", "repair rejected"]


def test_the_first_summary_stays_where_the_model_fails(store: Store) -> None:
    gone = ModelUnreachable(route="summarise", detail="connection refused")
    on = stage(store, FakeModel([POOR, gone]), ask_missing="on")
    on.play.make(6)
    assert [view.text for view in on.play.summaries()] == [POOR]
    assert on.outcomes()[0] == "summary used"
