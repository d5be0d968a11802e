"""`summary rebuild`: what it would take, what it makes, and how it is chosen."""

from tests.integration.cli.door import Door, story, summary

from foreword.cli.exits import ExitCode


def merged() -> Door:
    opened = story(12)
    for through in ("4", "8"):
        opened.json("summary", "make", "c1", "--through", through)
    opened.json("summary", "merge", "c1", "S1", "S2")
    return opened


def test_a_dry_run_prices_the_rebuild_and_changes_nothing() -> None:
    opened = merged()
    price = {
        "summaries": [3],
        "turns": 8,
        "calls": 1,
        "tokens_in": 40,
        "tokens_out": 40,
        "model": "echo-1",
        "money": 0,
    }
    assert opened.json("summary", "rebuild", "c1", "--dry-run") == price
    shown = opened.says("summary", "rebuild", "c1", "--dry-run")
    assert shown == (
        "1 summary to rebuild from 8 turns: 1 call, 40 tokens in, about 40 tokens out, by echo-1: "
        "no cost.\n"
    )
    assert [one["id"] for one in opened.json("summary", "list", "c1")] == [3]


def test_a_rebuilt_summary_comes_from_the_turns_themselves() -> None:
    opened = merged()
    text = "sum(t1,t2,t3,t4,t5,t6,t7,t8)"
    (made,) = opened.json("summary", "rebuild", "c1", "S3")
    assert made == summary(
        id=4,
        text=text,
        turn_id=8,
        order=8,
        sources={"turns": [*range(1, 9)]},
        source_tokens=40,
    )
    states = {one["id"]: one["state"] for one in opened.json("summary", "list", "c1", "--all")}
    assert states == {1: "deleted", 2: "deleted", 3: "replaced", 4: "in_use"}
    opened.json("undo", "c1")
    assert [one["id"] for one in opened.json("summary", "list", "c1")] == [3]


def test_turns_choose_the_summaries_that_cover_them() -> None:
    opened = story(12)
    for through in ("4", "8"):
        opened.json("summary", "make", "c1", "--through", through)
    made = opened.json("summary", "rebuild", "c1", "--from", "5")
    assert [one["text"] for one in made] == ["sum(t5,t6,t7,t8)"]
    made = opened.json("summary", "rebuild", "c1", "--through", "4")
    assert [one["text"] for one in made] == ["sum(t1,t2,t3,t4)"]


def test_progress_is_told_before_each_summary() -> None:
    opened = story(12)
    for through in ("4", "8"):
        opened.json("summary", "make", "c1", "--through", through)
    told = opened.run("summary", "rebuild", "c1").stderr.splitlines()
    assert told == [
        "1: summarising turns 1 to 4 (20 tokens), 40 tokens to go",
        "2: summarising turns 5 to 8 (20 tokens), 20 tokens to go",
    ]


def test_without_summaries_there_is_nothing_to_rebuild() -> None:
    words = "There is no summary in use to rebuild.\n"
    assert story(2).says("summary", "rebuild", "c1", "--dry-run") == words
    assert story(2).says("summary", "rebuild", "c1") == words


def test_a_summary_that_is_not_in_use_is_refused() -> None:
    code, error = merged().error("summary", "rebuild", "c1", "S1")
    assert (code, error["type"]) == (ExitCode.REFUSED, "SummaryNotInUse")
