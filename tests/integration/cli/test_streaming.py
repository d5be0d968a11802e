"""What a model writes, as the terminal shows it."""

from __future__ import annotations

import pytest

from foreword.cli.streaming import Streaming
from foreword.domain.calls import Delta, Restart


def shown(
    capsys: pytest.CaptureFixture[str], *events: Delta | Restart, reply: bool = True
) -> tuple[str, str]:
    with Streaming(quiet=False, reply=reply) as stream:
        for event in events:
            stream.hear(event)
    return tuple(capsys.readouterr())  # type: ignore[return-value]


def test_a_reply_goes_to_standard_output_and_reasoning_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    events = (Delta(text="Hm", reasoning=True), Delta(text="."), Delta(text="Yes"))
    assert shown(capsys, *events) == (".Yes\n", "Hm\n")


def test_a_summary_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    events = (Delta(text="A lamp"), Delta(text=" burns."))
    assert shown(capsys, *events, reply=False) == ("", "A lamp burns.\n")


def test_reasoning_and_summary_stand_on_lines_of_their_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    events = (Delta(text="Hm", reasoning=True), Delta(text="A lamp"), Delta(text=" burns."))
    assert shown(capsys, *events, reply=False) == ("", "Hm\nA lamp burns.\n")


def test_an_answer_that_is_begun_anew_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    events = (Delta(text="A la"), Restart(reason="the line broke"), Delta(text="A lamp"))
    assert shown(capsys, *events, reply=False) == (
        "",
        "A la\nBegun anew: the line broke\nA lamp\n",
    )


def test_only_what_counts_is_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    stream = Streaming(quiet=True)
    for event in (
        Delta(text="A"),
        Restart(reason="x"),
        Delta(text="B"),
        Delta(text="C", reasoning=True),
    ):
        stream.hear(event)
    stream.end_line()
    assert (stream.text, *capsys.readouterr()) == ("B", "", "")


def test_a_model_cannot_move_the_cursor_or_break_lines_twice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    events = (Delta(text="\x1b[2Jone\r"), Delta(text="\ntwo\x07"), Delta(text=""))
    assert shown(capsys, *events) == ("[2Jone\ntwo\n", "")
