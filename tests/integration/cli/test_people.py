"""What people read: the numbers that matter, with their units, without colour."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.integration.cli.door import Door, door, story

from foreword.cli.recaps import BAR, GOES_ON
from foreword.engine.recap import MERGE_FIRST
from foreword.testing.summarisers import FixedSummariser


def long_story() -> Door:
    opened = story(40, words=60)
    opened.json("settings", "set", "c1", "context", "1024")
    return opened


def test_an_empty_list_says_how_to_begin() -> None:
    assert "foreword import PATH" in door().says("list")


def test_a_list_says_that_there_are_other_branches() -> None:
    opened = story(2)
    opened.json("branch", "new", "c1", "--from", "1", "--name", "side")
    assert "side (of 2)" in opened.says("list")


def test_delete_says_how_to_get_it_back() -> None:
    assert "`foreword restore c1`" in story(1).run("delete", "c1").stderr


def test_import_says_what_became_of_each_file_and_what_was_lost(tmp_path: Path) -> None:
    opened = door()
    path = tmp_path / "lamp.txt"
    path.write_text("Once there was a lamp.", encoding="utf-8")
    assert opened.says("import", str(path)) == f"{path}: imported as 'lamp' (c1), 1 turn\n"
    assert opened.says("import", str(path)) == f"{path}: nothing new for 'lamp' (c1)\n"
    chat = tmp_path / "chat.jsonl"
    lines = ['{"name": "A", "is_user": true, "mes": "hello"}', '{"mes": "cut'] * 30
    chat.write_text("\n".join(lines), encoding="utf-8")
    result = opened.run("import", str(chat))
    assert "30 turns" in result.stdout
    assert "line 2:" in result.stderr
    assert "--json lists all" in result.stderr


def test_import_says_that_a_changed_file_became_a_branch(tmp_path: Path) -> None:
    opened = door()
    path = tmp_path / "chat.jsonl"
    line = '{{"name": "A", "is_user": true, "mes": "{}"}}\n'
    path.write_text("".join(line.format(text) for text in ("a", "b", "c", "d")), encoding="utf-8")
    opened.says("import", str(path))
    path.write_text("".join(line.format(text) for text in ("a", "b", "c", "e")), encoding="utf-8")
    assert opened.says("import", str(path)) == (
        f"{path}: differs from 'chat' (c1): the new branch 'branch 2' has 1 new turn; the current "
        "branch stays as it is, `foreword branch switch c1 2` goes there\n"
    )
    assert [view["current"] for view in opened.json("branch", "list", "c1")] == [True, False]
    grown = "".join(line.format(text) for text in ("a", "b", "c", "e", "f"))
    path.write_text(grown, encoding="utf-8")
    assert "added 1 turn to" in opened.says("import", str(path))


def test_export_says_where_the_bundle_is(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert f"Wrote {path}" in story(1).says("export", "c1", "-o", str(path))


def test_status_shows_label_bar_and_where_the_context_comes_from() -> None:
    shown = story(4).says("status", "c1")
    assert shown.startswith("chat more first: There isn't enough piled up yet")
    assert "░" * (BAR - 1) in shown
    assert "counted by words" in shown
    assert "the default" in shown
    assert "given with --context" in story(4).says("status", "c1", "--context", "4096")


def test_status_shows_layers_hidden_and_stale() -> None:
    opened = story(8)
    opened.json("summary", "make", "c1", "--through", "2")
    opened.json("summary", "make", "c1", "--through", "6")
    opened.json("turn", "hide", "c1", "7")
    opened.json("turn", "edit", "c1", "1", "--text", "T1")
    shown = opened.says("status", "c1")
    assert "layer 0" in shown
    assert "1 stale" in shown
    assert "turn 6 of 8, 1 hidden" in shown


def test_recap_says_what_it_reads_and_what_it_made() -> None:
    opened = long_story()
    dry = opened.says("recap", "c1", "--dry-run")
    assert "turns 1-" in dry
    assert "summaries to make" in dry
    result = opened.run("recap", "c1")
    assert result.stderr.startswith("Piece 1: reading ")
    assert "S1" in result.stdout.split()
    assert "█" in result.stdout


def test_recap_with_nothing_to_do_says_why() -> None:
    assert "There isn't enough piled up yet" in story(1).says("recap", "c1", "--dry-run")
    assert "There isn't enough piled up yet" in story(1).run("recap", "c1").stderr


def test_a_recap_that_stops_says_why_after_what_it_made() -> None:
    opened = story(120, words=60)
    opened.engine = replace(opened.engine, summariser=FixedSummariser(text="w " * 120))
    opened.json("settings", "set", "c1", "context", "1024")
    result = opened.run("recap", "c1")
    assert "S1" in result.stdout.split()
    assert result.output.splitlines()[-1] == MERGE_FIRST


def test_a_dry_run_says_that_merging_goes_on_at_a_cost_nobody_knows() -> None:
    opened = story(120, words=60)
    opened.json("settings", "set", "c1", "context", "1024")
    assert MERGE_FIRST in opened.says("recap", "c1", "--dry-run")
    merging = opened.says("recap", "c1", "--dry-run", "--merge")
    assert merging.splitlines()[-1] == GOES_ON
    assert "--merge" not in merging
    assert opened.json("recap", "c1", "--dry-run", "--merge")["reason"] == GOES_ON
    assert GOES_ON not in story(1).says("recap", "c1", "--dry-run", "--merge")


def test_prompt_shows_messages_sections_and_the_proof() -> None:
    opened = long_story()
    shown = opened.says("prompt", "c1")
    assert "--- user\nt39 w w" in shown
    assert "Every turn once: " in shown
    assert "= 40 turns." in shown
    assert "Dropped for want of room: " in shown


def test_a_change_says_which_summaries_went_and_came_back() -> None:
    opened = story(4)
    opened.json("summary", "make", "c1", "--through", "4")
    gone = opened.run("turn", "edit", "c1", "2", "--text", "T2")
    assert gone.stderr.startswith("1 summary out of force, since the text changed: S1.")
    back = opened.run("undo", "c1")
    assert (back.stdout, back.stderr) == (
        "Undone: edit (6). The branch has 4 turns now.\n",
        "1 summary in force again: S1.\n",
    )


def test_undo_and_redo_say_how_long_the_branch_is_now() -> None:
    opened = story(2)
    assert opened.says("undo", "c1") == "Undone: append (2). The branch has 1 turn now.\n"
    assert opened.says("redo", "c1") == "Redone: append (2). The branch has 2 turns now.\n"


def test_undo_of_a_fork_says_where_it_leads() -> None:
    opened = story(3)
    opened.json("branch", "new", "c1", "--from", "2", "--name", "side")
    assert (
        opened.says("undo", "c1")
        == "Undone: fork (4). You are on branch main now; it has 3 turns.\n"
    )
    assert (
        opened.says("redo", "c1")
        == "Redone: fork (4). You are on branch side now; it has 2 turns.\n"
    )


def test_history_shows_what_was_undone() -> None:
    opened = story(1)
    opened.json("undo", "c1")
    shown = [" ".join(line.split()) for line in opened.says("history", "c1").splitlines()]
    assert "2 undo of 1 2026-01-01T00:00:00+00:00 user" in shown
    assert "1 append 2026-01-01T00:00:00+00:00 user undone" in shown
    assert "Nothing happened" in story(0).says("history", "c1")


def test_turns_show_their_flags_and_alternatives() -> None:
    opened = story(3)
    opened.json("turn", "hide", "c1", "1")
    opened.json("turn", "pin", "c1", "2")
    opened.json("turn", "choose", "c1", "3", "--text", "other words")
    shown = " ".join(opened.says("turn", "list", "c1").split())
    assert "hidden t1" in shown
    assert "pinned t2" in shown
    assert "2/2 other words" in shown
    one = opened.says("turn", "show", "c1", "3")
    assert "other words\n\n[alternative 1, 1 token]\n\nt3\n" in one
    assert "There are no turns here." in story(0).says("turn", "list", "c1")


def test_reasoning_is_shown_apart_from_the_text(tmp_path: Path) -> None:
    path = tmp_path / "chat.jsonl"
    line = '{"name": "B", "is_user": false, "mes": "hello", "extra": {"reasoning": "be nice"}}'
    path.write_text(line, encoding="utf-8")
    opened = door()
    opened.says("import", str(path))
    assert "[reasoning]\nbe nice\n\nhello\n" in opened.says("turn", "show", "c1", "1")


def test_summaries_are_shown_as_a_tree_of_layers() -> None:
    opened = story(8)
    for through in ("2", "4", "6"):
        opened.json("summary", "make", "c1", "--through", through)
    opened.json("summary", "merge", "c1", "S1", "S2")
    opened.json("summary", "delete", "c1", "S3")
    lines = opened.says("summary", "list", "c1", "--all").splitlines()
    named = [(len(line) - len(line.lstrip(" │├└─")), line.strip(" │├└─")) for line in lines]
    heads = [(depth, text.split(",")[0]) for depth, text in named if text.startswith("S")]
    assert heads == [(4, "S4"), (8, "S1"), (8, "S2"), (4, "S3")]
    assert "in use, counted by words" in lines[-1]
    assert "There are no summaries" in story(1).says("summary", "list", "c1")


def test_a_summary_is_shown_in_full() -> None:
    opened = story(4)
    opened.json("summary", "make", "c1", "--through", "4")
    assert opened.says("summary", "show", "c1", "S1") == (
        "S1, 1-4, layer 0, depth 1, 1 token, in use, by echo-1\nsum(t1,t2,t3,t4)\n\n"
    )


def test_what_leaves_use_says_what_takes_its_place() -> None:
    opened = story(4)
    opened.json("summary", "make", "c1", "--through", "2")
    opened.json("summary", "make", "c1", "--through", "4")
    opened.json("summary", "merge", "c1", "S1", "S2")
    assert "In use again:" in opened.says("summary", "unwind", "c1", "S3")
    assert "sent in full again" in opened.says("summary", "delete", "c1", "S2")


def test_repair_says_what_it_takes_and_what_it_did() -> None:
    opened = story(6)
    opened.json("summary", "make", "c1", "--through", "4")
    assert "No stale summary" in opened.run("summary", "repair", "c1").stderr
    opened.json("turn", "edit", "c1", "2", "--text", "T2")
    dry = opened.says("summary", "repair", "c1", "--dry-run")
    assert dry.startswith("S1 from its turns: reads 20 tokens\n1 summary to remake")
    done = opened.run("summary", "repair", "c1")
    assert done.stderr == "S1: reading 20 tokens\nS2 stands for S1 now.\n"


def test_branches_show_where_they_forked_and_which_is_current() -> None:
    opened = story(3)
    shown = opened.says("branch", "new", "c1", "--from", "2", "--name", "side")
    assert "* 2 side 1 turn 2 2" in " ".join(shown.split())


def test_search_and_verify_say_what_they_found() -> None:
    opened = story(3)
    assert "t2" in opened.says("search", "c1", "t2").split()
    assert opened.says("search", "c1", "nothing") == "Nothing found.\n"
    assert opened.says("verify") == "3 items checked: all sound.\n"


def test_templates_and_settings_are_readable() -> None:
    opened = story(0)
    assert "builtin" in opened.says("templates", "list")
    assert "summaries" in opened.says("templates", "show", "master")
    assert opened.says("templates", "check") == "6 templates in force: ok\n"
    assert opened.says("templates", "check", "meta", "--text", "x {{ summary_blocks }}") == (
        "meta: ok\n"
    )
    saved = opened.run("templates", "set", "master", "--text", "no variable")
    assert saved.stdout == "master is the account's now.\n"
    assert saved.stderr.startswith("Warning: ")
    assert opened.says("templates", "reset", "master") == "In force now: builtin.\n"
    assert "Text that opens every prompt." in opened.says("settings", "show", width=200)


@pytest.mark.parametrize("words", [["list"], ["status", "c1"], ["turn", "list", "c1"]])
def test_nothing_is_coloured_when_colour_is_not_wanted(words: list[str]) -> None:
    assert "\x1b" not in story(2).says(*words)
