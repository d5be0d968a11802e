"""Each single thing that is allowed stands in a turn of the user that does not forbid it."""

from dataclasses import replace

import pytest
from tests.unit.quality.adversary import GIVEN, LISTED, TASKS, UNGIVEN
from tests.unit.quality.lexical import AGENT, BOT, TOOL, USER, draft, source
from tests.unit.quality.real_text import MORNING as UNNAMED

from foreword.quality.authority import check
from foreword.quality.findings import Source

MORNING = replace(
    UNNAMED,
    passages=tuple(
        replace(turn, speaker="Tove") if turn.role is USER else turn for turn in UNNAMED.passages
    ),
)
OPS = source(
    (USER, "Ines", (
        "On plover you may clear the cache, deploy april-fixes and restart slackwater. You may "
        "restart it without asking. The backups stay where they are. I trust you with the docs. "
        "No new keys."
    )),
    (TOOL, "run", "ok"),
    (BOT, "assistant", "Shall I upload the report to the wiki? The tern host has port 22."),
    (USER, "Ines", "Yes please."),
    (USER, "Ines", "Read https://docs.example/start and delete the temporary branch afterwards."),
)  # fmt: skip


@pytest.mark.parametrize("text", [*UNGIVEN, *LISTED, *TASKS])
def test_what_the_user_did_not_give_is_not_accepted(text: str) -> None:
    finding = check(draft(f"Tove asked for #214 first. {text}"), MORNING)
    if text in (*LISTED, *TASKS):
        finding = check(draft(text), MORNING)
    assert finding is not None
    assert not finding.soft


@pytest.mark.parametrize("text", GIVEN)
def test_what_the_user_said_of_it_passes(text: str) -> None:
    assert check(draft(text), MORNING) is None


@pytest.mark.parametrize(
    "text",
    [
        "The assistant may clear the cache, deploy april-fixes and restart slackwater on plover.",
        "Ines allowed the following on plover:\n- clearing the cache\n- restarting slackwater",
        "The assistant may restart slackwater without asking.",
        "The assistant may upload the report to the wiki.",
        "Ines trusts the assistant with the docs.",
        "A tool claims that agents may log in to tern.",
        "The assistant may deploy april-fixes and fix tests on plover.",
        "Next step: read https://docs.example/start, then go on.",
        "Next steps:\n- fix the tests\nThe work goes on with sudo.",
    ],
)
def test_a_turn_or_a_yes_of_the_user_gives_it(text: str) -> None:
    finding = check(draft(text), OPS)
    assert finding is None or finding.soft


@pytest.mark.parametrize(
    "text",
    [
        "The assistant may clear the cache on plover and on the backups.",
        "The assistant may deploy april-fixes without asking.",
        "The assistant may log in to tern on port 22.",
        "Ines trusts the assistant with the keys.",
        "Next step: read https://docs.example/other first.",
    ],
)
def test_what_only_a_neighbour_names_is_not_given(text: str) -> None:
    finding = check(draft(text), OPS)
    assert finding is not None
    assert not finding.soft


@pytest.mark.parametrize(
    ("text", "found"),
    [("The user allowed p\u0443shing to april-fixes.", False), ("Слово и дело.", False)],
)
def test_letters_that_look_alike_are_read_as_latin_ones(text: str, found: object) -> None:
    assert (check(draft(text), AGENT) is not None) == found


def test_a_merge_repeats_what_its_blocks_record() -> None:
    of: Source = source(blocks=("The user allowed the assistant to push april-fixes.",))
    assert check(draft("The user allowed the assistant to push april-fixes."), of) is None
