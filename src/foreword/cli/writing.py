"""The command that lets the model write the next turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from foreword.cli.asking import agreed, somebody_there
from foreword.cli.call import Call, read_text, register
from foreword.cli.exits import ExitCode
from foreword.cli.options import Conv, GoOn, OnBranch
from foreword.cli.printing import count, note, write
from foreword.cli.running import run_now
from foreword.cli.streaming import Streaming
from foreword.errors import ForewordError, OutdatedSummaries

if TYPE_CHECKING:
    from foreword.engine.context import Place
    from foreword.engine.replying import Reply

ENDINGS: Mapping[str, str] = {
    "length": "The model ran into the limit of an answer; `foreword write CONV` goes on.",
    "filter": "The provider's content filter stopped the answer; what came until then is kept.",
}
"""What to say of a reply that did not end by itself."""

Said = Annotated[str | None, typer.Argument(metavar="TEXT", help="What you say.")]
AsOption = Annotated[
    str | None,
    typer.Option("--text", metavar="T", help="The same; - reads it from standard input."),
]


def write_next(
    call: Call,
    conversation: Conv,
    said: Said = None,
    text: AsOption = None,
    go_on: GoOn = None,
    branch: OnBranch = None,
) -> None:
    """Say something, if you like, and let the model of route chat write the next turn.

    The reply is shown as it comes. Ctrl-C stops the model at once and keeps what it wrote.
    """
    from foreword.cli import model_shapes
    from foreword.engine.costs import show_call

    if said is not None and text is not None:
        raise typer.BadParameter("give the text once, as TEXT or with --text")
    words = said if text is None else read_text(text)
    place = call.place(conversation, branch)
    writing = _Writing(call, place, words)
    done = writing.run(go_on)
    if call.json:
        row = show_call(call.engine, done.call)
        call.answer(model_shapes.reply_json(done, row), lambda: None)
        return
    writing.finish(done)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app, "write")(write_next)


class _Writing:
    """A reply under way in the terminal."""

    def __init__(self, call: Call, place: Place, words: str | None) -> None:
        self.call = call
        self.place = place
        self.words = words
        self.stream = Streaming(quiet=call.json, reply=True)

    def run(self, go_on: bool | None) -> Reply:
        """Reply; ask about outdated summaries where somebody is there to answer."""
        try:
            return self._reply(go_on=bool(go_on))
        except OutdatedSummaries as error:
            if go_on is False or self.call.json or not somebody_there():
                raise
            if not agreed(error.question):
                note("Stopped. Nothing was changed.")
                raise typer.Exit(ExitCode.REFUSED) from error
        return self._reply(go_on=True)

    def finish(self, done: Reply) -> None:
        """Show what was not shown as it came, and what there is to know about the reply."""
        self.stream.end_line()
        if self.stream.broken is not None:
            raise self.stream.broken
        if self.stream.text.strip() != done.answer.text.strip():
            write(done.answer.text.strip())
        if done.reused:
            note("This reply was on record from a run that did not end: it was not paid again.")
        dropped = done.prompt.plan.dropped
        if dropped.turns:
            note(
                f"The model did not see {count(dropped.turns, 'turn')} "
                f"({count(dropped.tokens, 'token')}) for want of room; a recap would keep what "
                "they say."
            )
        if done.answer.finish in ENDINGS:
            note(ENDINGS[done.answer.finish])

    def _reply(self, *, go_on: bool) -> Reply:
        from foreword.engine.replying import reply

        before = self._turns()
        try:
            with self.stream:
                engine, hear = self.call.engine, self.stream.hear
                return run_now(reply(engine, self.place, self.words, go_on=go_on, listen=hear))
        except ForewordError:
            if self._turns() > before:
                note("What you said is kept; `foreword write CONV` asks the model again.")
            raise
        except KeyboardInterrupt:
            self.call.kept = self._kept(self._turns() - before)
            raise

    def _kept(self, turns: int) -> str:
        """Return what stays of a reply that was stopped."""
        said = self.words is not None
        if turns > said:
            what = "you said and what the model" if said else "the model"
            return f"What {what} wrote until then is kept; one undo takes it back."
        return "What you said is kept; the model had written nothing yet." if turns else ""

    def _turns(self) -> int:
        from foreword.engine.context import reading

        with reading(self.call.engine, self.place) as at:
            return at.branch.turns
