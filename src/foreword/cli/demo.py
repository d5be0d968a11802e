"""`foreword demo`: the whole main job on the bundled story, in a folder of its own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from foreword.cli import demo_views
from foreword.cli.call import Call, register
from foreword.cli.printing import note, show, write
from foreword.cli.running import run_now

if TYPE_CHECKING:
    import typer
    from rich.console import RenderableType

    from foreword.domain.probes import Probe
    from foreword.engine.context import Engine, Place
    from foreword.engine.prompting import Prompt
    from foreword.engine.recap import Progress
    from foreword.ports.format import SourceFile

STORY = "lantern-road.jsonl"
PROBES = "lantern-road.probes.json"
CONTEXT = 4096
EDITED = "18"
NEW_TEXT = (
    '*I wipe my fingers and hold out my hand for the whistle.* "I can mend most things that have '
    "holes in, for two groats. What does it do that it shouldn't?\""
)
TOLD_EVERY = 20
"""Summaries between two lines of progress."""


def demo(call: Call) -> None:
    """Recap a story of 266 messages until it fits into 4,096 tokens, and show what is kept."""
    with TemporaryDirectory(prefix="foreword-demo-") as folder:
        engine = call.opener(Path(folder), None)
        try:
            document = run_now(_Demo(engine, quiet=call.json).run())
        finally:
            engine.store.close()
    call.answer(document, lambda: None)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    register(app)(demo)


class _Demo:
    """A demonstration under way; quiet, it only does the work."""

    def __init__(self, engine: Engine, *, quiet: bool) -> None:
        self.engine = engine
        self.quiet = quiet
        self.step = 0

    async def run(self) -> dict[str, object]:
        from foreword.engine import conversations, importing, verifying
        from foreword.engine.context import Place
        from foreword.formats.probes import read_probes

        engine = self.engine
        story = importing.import_file(engine, _bundled(STORY))
        place = Place(conversation=story.conversation, branch=story.branch)
        conversations.change_setting(engine, "context", str(CONTEXT), story.conversation)
        self.head(f"{story.turns} messages of a story, and a context of {CONTEXT:,} tokens")
        self.status(place, explained=True)
        await self.recap(place)
        sent = self.prompt(place)
        await self.edit(place)
        probes = read_probes(_bundled(PROBES))
        kept = self.survival(place, probes)
        verdict = verifying.verify(engine)
        self.say(demo_views.verdict_line(verdict))
        return {
            "context": CONTEXT,
            "tokens": sent.plan.tokens,
            "dropped": sent.plan.dropped.turns,
            "probes": len(probes),
            "kept": kept,
            "verified": verdict.ok,
        }

    def status(self, place: Place, *, explained: bool = False) -> None:
        from foreword.engine.status import status

        found = status(self.engine, place)
        if explained:
            self.say(demo_views.words_line(found))
        self.say(*demo_views.status_lines(found))

    async def recap(self, place: Place) -> None:
        from foreword.engine.recap import recap
        from foreword.engine.summary_views import list_summaries

        self.head("Recap, and merge whenever the next recap would leave no room")
        run = await recap(self.engine, place, merge=True, watch=_tell)
        self.status(place)
        made = list_summaries(self.engine, place, all_states=True)
        metas = sum(view.layer > 0 for view in made)
        self.say(f"{len(run.made)} summaries were made; {metas} of them merge others. In use:")
        self.say(demo_views.summary_tree(made))

    def prompt(self, place: Place) -> Prompt:
        from foreword.engine.prompting import prompt

        self.head("The prompt for the next reply, and where every turn of the story is")
        sent = prompt(self.engine, place)
        self.say(demo_views.prompt_table(sent), demo_views.proof_line(sent))
        self.say(demo_views.beginning(sent.memory))
        return sent

    async def edit(self, place: Place) -> None:
        from foreword.engine import repairing, turns

        self.head(f"Edit turn {EDITED}: what stood on it goes out of force until it is repaired")
        change = turns.edit(self.engine, place, EDITED, NEW_TEXT)
        plan = repairing.plan(self.engine, place)
        repaired = await repairing.repair(self.engine, place)
        self.say(*demo_views.repair_lines(change, plan, repaired))

    def survival(self, place: Place, probes: tuple[Probe, ...]) -> dict[str, int]:
        from foreword.domain.probes import kept
        from foreword.engine.prompting import prompt
        from foreword.engine.searching import search

        sent = prompt(self.engine, place)
        whole = "\n\n".join(message.content for message in sent.messages)
        found = [
            probe
            for probe in probes
            if any(
                hit.order in probe.evidence
                for answer in probe.answers
                for hit in search(self.engine, place, f'"{answer}"', limit=500)
            )
        ]
        counts = {
            "prompt": len(kept(probes, whole)),
            "summaries": len(kept(probes, sent.memory)),
            "search": len(found),
        }
        self.head(f"What is kept of {len(probes)} details that somebody asked about afterwards")
        self.say(demo_views.survival_table(counts, len(probes)))
        return counts

    def head(self, text: str) -> None:
        self.step += 1
        self.say(f"\n{self.step}  {text}\n")

    def say(self, *blocks: RenderableType) -> None:
        if self.quiet:
            return
        for block in blocks:
            if isinstance(block, str):
                write(block)
            else:
                show(block)


def _bundled(name: str) -> SourceFile:
    from foreword.ports.format import SourceFile

    data = resources.files("foreword") / "data" / "lantern_road" / name
    return SourceFile(path=name, data=data.read_bytes())


def _tell(progress: Progress) -> None:
    if progress.made % TOLD_EVERY == 0:
        left = f"{progress.left_tokens:,} tokens of story left to recap"
        note(f"  {progress.made} summaries made, {left}")
