"""One conversation, on one of its branches.

Above: programs, through `foreword.library`. Below: the engine; no rule lives here. What asks a
model or a summariser is async, all else is plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, overload

from foreword.domain.ids import BranchId, ConversationId, PlanId, Rev, SummaryId
from foreword.domain.interchange import Loss
from foreword.domain.turn import Role, Turn
from foreword.engine import (
    branches,
    conversations,
    duplicating,
    exporting,
    history,
    kept_prompts,
    prompting,
    recap,
    references,
    repairing,
    replying,
    searching,
    status,
    summaries,
    summary_views,
    survival_report,
    turn_history,
    turns,
    watching,
)
from foreword.engine.asking import Listen
from foreword.engine.context import Engine, Place
from foreword.engine.kept_prompts import Comparison, Listed, Shown
from foreword.engine.turn_history import TurnRevision
from foreword.errors import InvalidSetting
from foreword.formats.whole_file import write_whole
from foreword.library.automatic import AutomaticMemory


class Conversation:
    """One conversation, on one of its branches; the current one unless another was named.

    Turns are named by ORDER from 1 or as `id:N`, summaries by their number.
    """

    def __init__(self, engine: Engine, place: Place) -> None:
        """Work at a place."""
        self.engine = engine
        self.place = place

    @property
    def id(self) -> ConversationId:
        """Its id, for `Memory.conversation` and the command line."""
        return self.place.conversation

    @property
    def memory(self) -> AutomaticMemory:
        """What memory does by itself here, and how it is steered."""
        return AutomaticMemory(self.engine, self.place)

    def on_branch(self, reference: str) -> Conversation:
        """Return the conversation on the branch with that name or number.

        Raises:
            BranchNotFound, AmbiguousReference: see each.
        """
        branch = references.find_branch(self.engine, self.id, reference)
        return Conversation(self.engine, Place(conversation=self.id, branch=branch.id))

    def duplicate(self, title: str | None = None) -> Conversation:
        """Copy the whole conversation and return the copy, on its current branch.

        Raises:
            EmptyText: the title is empty.
        """
        done = duplicating.duplicate(self.engine, self.id, title=title)
        return Conversation(self.engine, Place(conversation=done.conversation, branch=done.branch))

    def set(self, name: str, value: str) -> None:
        """Change a setting.

        Raises:
            UnknownSetting, InvalidSetting: see each.
        """
        conversations.change_setting(self.engine, name, value, self.id)

    def append(
        self, text: str, *, role: str | Role = Role.USER, speaker: str | None = None
    ) -> Turn:
        """Put a turn at the end.

        Raises:
            EmptyText: there is no text.
            InvalidSetting: there is no such role.
        """
        done = turns.append(self.engine, self.place, text, role=_role(role), speaker=speaker)
        return done.turns[0]

    def edit(self, turn: int | str, text: str) -> turns.TurnChange:
        """Give a turn another text; summaries made from the old one go out of force."""
        return turns.edit(self.engine, self.place, str(turn), text)

    def delete(self, turn: int | str, *, following: bool = False) -> turns.TurnChange:
        """Take a turn off the branch, and all that follow it if wanted."""
        return turns.delete(self.engine, self.place, str(turn), following=following)

    def hide(self, *named: int | str, hidden: bool = True) -> turns.TurnChange:
        """Exclude turns from everything a model reads, or take them in again."""
        return turns.set_hidden(self.engine, self.place, _names(named), hidden=hidden)

    def pin(self, *named: int | str, pinned: bool = True) -> turns.TurnChange:
        """Send turns word for word always, or no longer."""
        return turns.set_pinned(self.engine, self.place, _names(named), pinned=pinned)

    def choose(self, turn: int | str, alternative: int) -> turns.TurnChange:
        """Show another alternative of a turn."""
        return turns.choose(self.engine, self.place, str(turn), alternative)

    def turns(self, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Return the turns from one ORDER to another, both included."""
        return turns.list_turns(self.engine, self.place, first=first, last=last)

    def revisions(self, turn: int | str) -> tuple[TurnRevision, ...]:
        """Return every text that a turn ever had on the branch, oldest first.

        Raises:
            TurnNotFound: there is no such turn, and never was; a deleted one is found as `id:N`.
        """
        return turn_history.revisions(self.engine, self.place, str(turn))

    def revision(self, turn: int | str, number: int) -> TurnRevision:
        """Return what a turn said at a revision of the conversation.

        Raises:
            TurnNotFound: there is no such turn, and never was.
            RevisionNotFound: there is no such revision, or the turn did not stand there then.
        """
        return turn_history.revision(self.engine, self.place, str(turn), number)

    def search(self, query: str, *, limit: int = 20, skip: int = 0) -> tuple[searching.Hit, ...]:
        """Return the turns that answer a query best, which may be a whole message; best first.

        Any word may be missing, phrases in quotes may not. `skip` leaves out so many of the best.
        """
        return searching.search(self.engine, self.place, query, limit=limit, skip=skip)

    def status(self, *, context: int | None = None) -> status.Status:
        """Say how full the context is, and whether a recap is due."""
        return status.status(self.engine, self.place, context=context)

    def prompt(self, *, context: int | None = None, keep: bool = False) -> prompting.Prompt:
        """Assemble the prompt for the next reply.

        Args:
            context: size of the context in tokens, instead of the setting.
            keep: keep it too, for `kept_prompts` and `prompt_diff`; `write` always does.

        Raises:
            ContextTooSmall: what must be sent does not fit.
        """
        made = prompting.prompt(self.engine, self.place, context=context)
        if keep:
            kept_prompts.keep(self.engine, self.id, made)
        return made

    def kept_prompts(self) -> tuple[Listed, ...]:
        """Return the prompts that are kept of the branch, newest first."""
        return kept_prompts.list_prompts(self.engine, self.place)

    def kept_prompt(self, number: int) -> Shown:
        """Return a kept prompt as it was sent.

        Raises:
            PromptNotFound: none of that number is kept.
        """
        return kept_prompts.show(self.engine, self.place, PlanId(number))

    def prompt_of_reply(self, turn: int | str) -> Shown:
        """Return the prompt that a model wrote a turn from.

        Raises:
            TurnNotFound, PromptNotFound: there is no such turn, or no prompt of it is kept.
        """
        return kept_prompts.show_for_reply(self.engine, self.place, str(turn))

    def prompt_diff(self, number: int | None = None) -> Comparison:
        """Compare a kept prompt, by default the newest, with the one before it on its branch.

        Raises:
            PromptNotFound: none of that number is kept.
        """
        wanted = None if number is None else PlanId(number)
        return kept_prompts.compare(self.engine, self.place, wanted)

    def forget_prompts(self) -> int:
        """Take all kept prompts of the conversation away for good; return how many there were."""
        return kept_prompts.forget_prompts(self.engine, self.place)

    async def write(
        self, text: str | None = None, *, go_on: bool = False, listen: Listen | None = None
    ) -> replying.Reply:
        """Say something, if you like, and let the model of route chat write the next turn.

        A task that is cancelled stops the model at once; what it had written is kept as the turn.

        Args:
            text: what the user says; None lets the model go on.
            go_on: go on without summaries that went out of force.
            listen: told of every piece as the model writes it.

        Raises:
            RouteMissing: no model is set for chat.
            OutdatedSummaries: summaries went out of force and `go_on` is false; nothing changed.
            EmptyText, NothingToAnswer, ContextTooSmall: see each.
            ModelError: the model gave no reply; what the user said is kept.
        """
        return await replying.reply(self.engine, self.place, text, go_on=go_on, listen=listen)

    async def recap(
        self,
        *,
        anyway: bool = False,
        merge: bool = False,
        watch: recap.Watch | None = None,
        listen: Listen | None = None,
    ) -> recap.RecapRun:
        """Recap everything compressible, oldest first."""
        return await recap.recap(
            self.engine, self.place, anyway=anyway, merge=merge, watch=watch, listen=listen
        )

    @overload
    async def summarise(
        self, through: int | str, *, split: Literal[False] = ..., listen: Listen | None = ...
    ) -> summary_views.SummaryView: ...
    @overload
    async def summarise(
        self, through: int | str, *, split: Literal[True], listen: Listen | None = ...
    ) -> tuple[summary_views.SummaryView, ...]: ...
    async def summarise(
        self, through: int | str, *, split: bool = False, listen: Listen | None = None
    ) -> summary_views.SummaryView | tuple[summary_views.SummaryView, ...]:
        """Summarise from the end of the summary before up to a turn.

        Args:
            through: the last turn to cover.
            split: make as few summaries as the model can read one by one, and return all of them.
            listen: told of every piece as the model writes it.

        Raises:
            SpanTooLong: the model cannot read so much at once.
            ModelError: nothing usable was written; nothing was changed.
        """
        name = str(through)
        if split:
            made = await summaries.make_several(self.engine, self.place, name, listen=listen)
            return tuple(one.summary for one in made)
        return (await summaries.make(self.engine, self.place, name, listen=listen)).summary

    @overload
    async def merge(
        self, *named: int, split: Literal[False] = ..., listen: Listen | None = ...
    ) -> summary_views.SummaryView: ...
    @overload
    async def merge(
        self, *named: int, split: Literal[True], listen: Listen | None = ...
    ) -> tuple[summary_views.SummaryView, ...]: ...
    async def merge(
        self, *named: int, split: bool = False, listen: Listen | None = None
    ) -> summary_views.SummaryView | tuple[summary_views.SummaryView, ...]:
        """Condense summaries, from the oldest to the newest named one, into a meta summary.

        With `split`, into as few as the model can read one by one; all of them are returned.

        Raises:
            SpanTooLong: the model cannot read so much at once.
            ModelError: nothing usable was written; nothing was changed.
        """
        ids = [SummaryId(one) for one in named]
        if split:
            made = await summaries.merge_several(self.engine, self.place, ids, listen=listen)
            return tuple(one.summary for one in made)
        return (await summaries.merge(self.engine, self.place, ids, listen=listen)).summary

    async def repair(
        self, *, split: bool = False, listen: Listen | None = None
    ) -> tuple[repairing.Repaired, ...]:
        """Remake the summaries whose text changed; `split` makes several of one that is too long.

        Raises:
            SpanTooLong: the model cannot read so much at once.
            ModelError: nothing usable was written; those remade before stay.
        """
        return await repairing.repair(self.engine, self.place, split=split, listen=listen)

    def summaries(self, *, all_states: bool = False) -> tuple[summary_views.SummaryView, ...]:
        """Return the summaries in use, oldest span first, or all there ever were."""
        return summary_views.list_summaries(self.engine, self.place, all_states=all_states)

    def survival(
        self, *, layer: int | None = None, summary: int | None = None, all_states: bool = False
    ) -> survival_report.SurvivalReport:
        """Return what the summaries in use kept of the story's specifics, also by layer.

        Raises:
            SummaryNotFound: the branch does not hold that summary.
        """
        one = None if summary is None else SummaryId(summary)
        return survival_report.survival_report(
            self.engine, self.place, layer=layer, summary_id=one, everything=all_states
        )

    def unwind(self, summary: int) -> tuple[summary_views.SummaryView, ...]:
        """Take a meta summary away; what it merged is in use again."""
        return summaries.unwind(self.engine, self.place, SummaryId(summary))

    def fork(self, turn: int | str, *, name: str | None = None) -> Conversation:
        """Start a branch after a turn, make it the current one and return it."""
        made = branches.fork(self.engine, self.place, str(turn), name=name)
        return Conversation(self.engine, Place(conversation=self.id, branch=made.id))

    def branches(self) -> tuple[branches.BranchView, ...]:
        """Return its branches."""
        return branches.list_branches(self.engine, self.place)

    def switch(self, branch: int) -> None:
        """Make a branch the current one."""
        branches.switch(self.engine, self.place, BranchId(branch))

    def undo(self, command: int | None = None) -> history.UndoResult:
        """Take back the last command on the branch, or the one given.

        Raises:
            NothingToUndo, UndoConflict, UndoOverlap, AlreadyUndone, ForkInUse: see each.
        """
        return history.undo(self.engine, self.place, None if command is None else Rev(command))

    def redo(self) -> history.UndoResult:
        """Do again what the last undo took back.

        Raises:
            NothingToRedo, UndoConflict, UndoOverlap: see each.
        """
        return history.redo(self.engine, self.place)

    def changes(self, *, timeout: float | None = None) -> watching.Watch:
        """Notice changes from now on, of whoever and in whatever process.

        Args:
            timeout: seconds without a change after which there are no more; None: wait for ever.

        Returns:
            The newest revision each time something was changed; to be used in a `with` block.
        """
        return watching.watch(self.engine, self.place, timeout=timeout)

    def export(self, path: str | Path, form: str = exporting.BUNDLE) -> tuple[Loss, ...]:
        """Write a file (a bundle holds all but the journal) and return what it could not hold.

        Raises:
            ExportFormatUnknown: no format of that name can be written.
            FileUnwritable, StoreFull: the file cannot be written; one that was there stays.
        """
        written = exporting.export(self.engine, self.place, form)
        write_whole(Path(path), written.data)
        return written.losses


def _role(role: str) -> Role:
    try:
        return Role(role)
    except ValueError as error:
        wanted = ", ".join(Role)
        raise InvalidSetting(name="role", value=role, wanted=f"one of {wanted}") from error


def _names(named: Sequence[int | str]) -> list[str]:
    return [str(one) for one in named]
