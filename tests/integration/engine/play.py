"""Short words for what tests do with a conversation, and for what they look at."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from foreword.domain.ids import MAIN_BRANCH, BranchId, Pos, Rev, SummaryId
from foreword.domain.interchange import BranchState
from foreword.domain.turn import Role
from foreword.engine import branches, conversations, history, prompting, recap, summaries, turns
from foreword.engine.bundles import branch_state
from foreword.engine.context import Engine, Place, reading
from foreword.engine.prompting import Prompt
from foreword.engine.recap import RecapRun
from foreword.engine.summary_views import SummaryView, list_summaries
from foreword.engine.verifying import verify


@dataclass(frozen=True, slots=True)
class Play:
    """A branch of a conversation, driven by an engine."""

    engine: Engine
    place: Place

    def on(self, branch: int) -> Play:
        return replace(self, place=replace(self.place, branch=BranchId(branch)))

    def say(self, *texts: str, first: Role = Role.USER) -> Play:
        """Append turns: the user and the assistant in turn."""
        roles = (first, Role.ASSISTANT if first is Role.USER else Role.USER)
        for number, text in enumerate(texts):
            turns.append(self.engine, self.place, text, role=roles[number % 2])
        return self

    def make(self, through: int, *, reuse: bool = False) -> SummaryId:
        made = asyncio.run(summaries.make(self.engine, self.place, str(through), reuse=reuse))
        return made.summary.id

    def merge(self, *ids: int) -> SummaryId:
        ticked = [SummaryId(one) for one in ids]
        return asyncio.run(summaries.merge(self.engine, self.place, ticked)).summary.id

    def recap(self, *, anyway: bool = False, merge: bool = False) -> RecapRun:
        return asyncio.run(recap.recap(self.engine, self.place, anyway=anyway, merge=merge))

    def fork(self, after: int) -> Play:
        return self.on(branches.fork(self.engine, self.place, str(after)).id)

    def edit(self, turn: int, text: str) -> turns.TurnChange:
        return turns.edit(self.engine, self.place, str(turn), text)

    def delete(self, turn: int, *, following: bool = False) -> turns.TurnChange:
        return turns.delete(self.engine, self.place, str(turn), following=following)

    def hide(self, *wanted: int) -> turns.TurnChange:
        return turns.set_hidden(self.engine, self.place, list(map(str, wanted)), hidden=True)

    def unhide(self, *wanted: int) -> turns.TurnChange:
        return turns.set_hidden(self.engine, self.place, list(map(str, wanted)), hidden=False)

    def pin(self, *wanted: int) -> turns.TurnChange:
        return turns.set_pinned(self.engine, self.place, list(map(str, wanted)), pinned=True)

    def unpin(self, *wanted: int) -> turns.TurnChange:
        return turns.set_pinned(self.engine, self.place, list(map(str, wanted)), pinned=False)

    def unwind(self, summary: int) -> tuple[SummaryView, ...]:
        return summaries.unwind(self.engine, self.place, SummaryId(summary))

    def delete_summary(self, summary: int) -> tuple[SummaryView, ...]:
        return summaries.delete(self.engine, self.place, SummaryId(summary))

    def undo(self, command: int | None = None) -> history.UndoResult:
        wanted = None if command is None else Rev(command)
        return history.undo(self.engine, self.place, wanted)

    def redo(self) -> history.UndoResult:
        return history.redo(self.engine, self.place)

    def last_command(self) -> Rev:
        return history.history(self.engine, self.place, limit=1)[0].id

    def set(self, **settings: str) -> Play:
        for name, value in settings.items():
            conversations.change_setting(self.engine, name, value, self.place.conversation)
        return self

    def prompt(self, context: int | None = None) -> Prompt:
        return prompting.prompt(self.engine, self.place, context=context)

    def sent(self, context: int | None = None) -> list[str]:
        """Return the memory block, if there is one, and the messages after the system message."""
        prompt = self.prompt(context)
        memory = [prompt.memory] if prompt.memory else []
        return memory + [one.content for one in prompt.messages[len(memory) :]]

    def cover(self) -> str:
        """Return the branch by order: `S1[1 2 (3) 4] 5 6`, hidden turns in round brackets."""
        with reading(self.engine, self.place) as at:
            session, branch = at.session, at.branch
            rows = session.cover(branch.id)
            entries = list(session.between(branch.id, Pos(1), branch.tip_pos))
        words = [f"({order})" if one.hidden else f"{order}" for order, one in enumerate(entries, 1)]
        for row in rows:
            inside = [at for at, one in enumerate(entries) if row.overlaps(one.pos, one.pos)]
            words[inside[0]] = f"S{row.summary_id}[{words[inside[0]]}"
            words[inside[-1]] += "]"
        return " ".join(words)

    def summaries(self, *, all_states: bool = False) -> tuple[SummaryView, ...]:
        return list_summaries(self.engine, self.place, all_states=all_states)

    def states(self) -> dict[int, str]:
        """Return the state of every summary the branch ever had."""
        return {view.id: view.state for view in self.summaries(all_states=True)}

    def state(self) -> BranchState:
        """Return the canonical state of the branch."""
        with reading(self.engine, self.place) as at:
            return branch_state(at.session, at.branch)

    def problems(self) -> tuple[str, ...]:
        return verify(self.engine, self.place.conversation).problems


def start(engine: Engine, turns_: int = 0, **settings: str) -> Play:
    """Begin a conversation whose turns read `t1 spoke`, `t2 spoke` and so on."""
    known = conversations.create(engine, "Story", settings)
    play = Play(engine, Place(conversation=known.id, branch=MAIN_BRANCH))
    return play.say(*(f"t{number} spoke" for number in range(1, turns_ + 1)))


def spoke(*numbers: int) -> list[str]:
    """Return the texts of turns as `start` makes them."""
    return [f"t{number} spoke" for number in numbers]
