"""The Python door: open the memory, work on a conversation, get prompts.

Above: programs. Below: `bootstrap` and the engine; no rule lives here. What asks a summariser is
async, all else is plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from foreword.bootstrap import open_engine
from foreword.domain.ids import BranchId, ConversationId, Rev, SummaryId
from foreword.domain.turn import Role, Turn
from foreword.engine import (
    branches,
    conversations,
    exporting,
    history,
    importing,
    prompting,
    recap,
    references,
    repairing,
    searching,
    status,
    summaries,
    summary_views,
    turns,
    verifying,
)
from foreword.engine.context import Engine, Place
from foreword.errors import FileUnreadable, InvalidSetting
from foreword.ports.format import SourceFile


def open_memory(data_dir: str | Path | None = None) -> Memory:
    """Open the memory in a folder, which is made when it is not there.

    Args:
        data_dir: the folder; by default `FOREWORD_HOME` or the user's data folder.

    Raises:
        StoreReadOnly, StoreDamaged, StoreUnavailable, MigrationNeeded: see each.
    """
    return Memory(open_engine(None if data_dir is None else Path(data_dir)))


class Memory:
    """All conversations of a data folder; use it in a `with` block or close it."""

    def __init__(self, engine: Engine) -> None:
        """Work on an engine that somebody has put together."""
        self.engine = engine

    def __enter__(self) -> Memory:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of files and connections."""
        self.engine.store.close()

    def new(self, title: str, **settings: str) -> Conversation:
        """Make an empty conversation; settings as `foreword settings show` lists them."""
        made = conversations.create(self.engine, title, settings)
        return Conversation(self.engine, Place(conversation=made.id))

    def import_file(self, path: str | Path) -> Conversation:
        """Take a chat file in; the same chat again adds only what is new. A bundle is a copy.

        Raises:
            FileUnreadable, FormatUnknown, BundleTooNew: see each.
        """
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            reason = f"it cannot be read ({error.strerror})."
            raise FileUnreadable(path=str(path), reason=reason) from error
        done = importing.import_file(self.engine, SourceFile(path=str(path), data=data))
        return Conversation(self.engine, Place(conversation=done.conversation, branch=done.branch))

    def conversation(self, reference: str) -> Conversation:
        """Return the conversation with that id, title or unique beginning of either.

        Raises:
            ConversationNotFound, AmbiguousReference: see each.
        """
        return Conversation(self.engine, references.find_place(self.engine, reference))

    def conversations(self) -> tuple[conversations.ConversationView, ...]:
        """Return all conversations that are not deleted, oldest first."""
        return conversations.list_conversations(self.engine)

    def verify(self) -> verifying.Verdict:
        """Prove by enumeration that everything stored is sound."""
        return verifying.verify(self.engine)


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

    def on_branch(self, reference: str) -> Conversation:
        """Return the conversation on the branch with that name or number.

        Raises:
            BranchNotFound, AmbiguousReference: see each.
        """
        branch = references.find_branch(self.engine, self.id, reference)
        return Conversation(self.engine, Place(conversation=self.id, branch=branch.id))

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

    def search(self, query: str, *, limit: int = 20) -> tuple[searching.Hit, ...]:
        """Return the turns that hold every word of the query, newest first."""
        return searching.search(self.engine, self.place, query, limit=limit)

    def status(self, *, context: int | None = None) -> status.Status:
        """Say how full the context is, and whether a recap is due."""
        return status.status(self.engine, self.place, context=context)

    def prompt(self, *, context: int | None = None) -> prompting.Prompt:
        """Assemble the prompt for the next reply.

        Raises:
            ContextTooSmall: what must be sent does not fit.
        """
        return prompting.prompt(self.engine, self.place, context=context)

    async def recap(
        self, *, anyway: bool = False, merge: bool = False, watch: recap.Watch | None = None
    ) -> recap.RecapRun:
        """Recap everything compressible, oldest first."""
        return await recap.recap(self.engine, self.place, anyway=anyway, merge=merge, watch=watch)

    async def summarise(self, through: int | str) -> summary_views.SummaryView:
        """Summarise from the end of the summary before up to a turn."""
        return (await summaries.make(self.engine, self.place, str(through))).summary

    async def merge(self, *named: int) -> summary_views.SummaryView:
        """Condense summaries, from the oldest to the newest named one, into a meta summary."""
        ids = [SummaryId(one) for one in named]
        return (await summaries.merge(self.engine, self.place, ids)).summary

    async def repair(self) -> tuple[repairing.Repaired, ...]:
        """Remake the summaries whose text changed."""
        return await repairing.repair(self.engine, self.place)

    def summaries(self, *, all_states: bool = False) -> tuple[summary_views.SummaryView, ...]:
        """Return the summaries in use, oldest span first, or all there ever were."""
        return summary_views.list_summaries(self.engine, self.place, all_states=all_states)

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

    def export(self, path: str | Path) -> None:
        """Write everything of the conversation but its journal into a bundle."""
        Path(path).write_bytes(exporting.export_bundle(self.engine, self.id))


def _role(role: str) -> Role:
    try:
        return Role(role)
    except ValueError as error:
        wanted = ", ".join(Role)
        raise InvalidSetting(name="role", value=role, wanted=f"one of {wanted}") from error


def _names(named: Sequence[int | str]) -> list[str]:
    return [str(one) for one in named]
