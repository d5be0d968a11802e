"""Changing one conversation in a database, inside one transaction.

Above: `store`. Below: `read_session` and the module of each aggregate. See
`ports.store.WriteSession` for every method. Invariant: what the session knows of the conversation
and its branches is written once, by `flush`, at the end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from sqlalchemy import Connection
from typing_extensions import override

from foreword.domain.conversation import Branch
from foreword.domain.ids import (
    BranchId,
    Pos,
    Rev,
    SpeakerId,
    SummaryId,
    TurnId,
    VersionId,
)
from foreword.domain.jobs import JobKind
from foreword.domain.ops import Op, OpKind, RowKey, RowKind
from foreword.domain.storable import storable_text, storable_texts
from foreword.domain.summary import CoverRow, NewSummary, Summary
from foreword.domain.turn import Alternative, Entry, Version
from foreword.ports.store import NewVersion
from foreword.storage import (
    account_texts,
    contents,
    conversations,
    entry_changes,
    journal,
    sql_jobs,
)
from foreword.storage.conversations import Record
from foreword.storage.cover import (
    ALTERNATIVES,
    COVER,
    PINS,
    alternative_values,
    cover_values,
    drop_cover,
    pin_values,
)
from foreword.storage.dialects import announce
from foreword.storage.entry_changes import Page
from foreword.storage.lineage import Levels, add_levels, fork_of
from foreword.storage.ordinals import count_entries
from foreword.storage.read_session import SqlRead
from foreword.storage.records import SqlRecordWrites
from foreword.storage.search import index_versions, settle_index
from foreword.storage.tallies import Tally
from foreword.storage.versioned import Place, keys_of
from foreword.storage.views import TextsView, View


class SqlWrite(SqlRecordWrites, SqlRead):
    """See `ports.store.WriteSession`."""

    def __init__(
        self,
        connection: Connection,
        record: Record,
        levels: Mapping[BranchId, Levels],
        texts: TextsView,
    ) -> None:
        """Change a conversation inside the connection's transaction.

        Args:
            connection: in a transaction that writes.
            record: the conversation as it is.
            levels: of branches that are known.
            texts: of accounts that are known; committed ones are added.
        """
        super().__init__(connection, record)
        self._levels_known.update(levels)
        self._texts = texts
        self._named = False
        """Speakers were added by this session."""
        self._stored = record
        self._indexed = 0
        """Versions that were made searchable."""
        self._appended: dict[BranchId, list[Entry]] = {}
        self._reshaped: set[BranchId] = set()
        self._op: Op | None = None
        self._cover_counted = False
        self._changed: dict[BranchId, Branch | None] = {}

    def flush(self) -> None:
        """Write what changed of the conversation and its branches."""
        settle_index(self._connection, self._indexed)
        for branch, before in sorted(self._changed.items()):
            after = self._known[branch]
            conversations.save_branch(self._connection, self._keys, after, before=before)
        conversations.save_record(self._connection, self._record, before=self._stored)
        changed = self.conversation
        if changed.rev != self._stored.conversation.rev:
            announce(self._connection, changed.account, changed.id, changed.rev)

    def view_after(self, view: View) -> View:
        """Return what readers know once this is committed, from what they knew before."""
        after = view.after(self.conversation.rev, appended=self._appended, changed=self._reshaped)
        after.levels.update(self._levels_known)
        return after

    def begin(
        self,
        branch: BranchId,
        kind: OpKind,
        *,
        actor: str,
        at: str,
        group: Rev | None = None,
        undoes: Rev | None = None,
    ) -> Rev:
        """See `WriteSession.begin`."""
        rev = Rev(self.conversation.rev + 1)
        self._op = Op(
            rev=rev,
            group=rev if group is None else group,
            branch_id=self.branch(branch).id,
            actor=storable_text(actor),
            kind=kind,
            at=at,
            undoes=undoes,
        )
        self._cover_counted = False
        journal.add_op(self._connection, self._keys, self._op)
        self._record = replace(self._record, conversation=replace(self.conversation, rev=rev))
        return rev

    def add_branch(
        self, name: str, *, parent: BranchId, fork_pos: Pos, merged: bool = False
    ) -> Branch:
        """See `WriteSession.add_branch`."""
        inherited = self._levels(parent)
        counted = self._counted_upto(parent, fork_pos)
        rev = self.conversation.rev
        branch = Branch(
            id=BranchId(self._next("branch", 1)),
            name=storable_text(name),
            parent=parent,
            fork_pos=fork_pos,
            fork_rev=rev,
            tip_pos=fork_pos,
            visible_turns=counted.turns - counted.hidden,
            visible_tokens=counted.visible_tokens,
            hidden_turns=counted.hidden,
        )
        levels = fork_of(inherited, self._keys.of(branch.id), fork_pos, rev, merged=merged)
        conversations.add_branch(self._connection, self._keys, branch)
        add_levels(self._connection, levels)
        self._known[branch.id] = branch
        self._levels_known[branch.id] = levels
        self._op = None
        return branch

    def new_turn_ids(self, count: int) -> tuple[TurnId, ...]:
        """See `WriteSession.new_turn_ids`."""
        first = self._next("turn", count)
        return tuple(TurnId(number) for number in range(first, first + count))

    @override
    def speaker_names(self, ids: Collection[SpeakerId]) -> Mapping[SpeakerId, str]:
        """See `ReadSession.speaker_names`."""
        account, known = self.conversation.account, self._texts.speakers
        found = {one: known[account, one] for one in ids if (account, one) in known}
        missing = [one for one in ids if one not in found]
        if not missing:
            return found
        read = super().speaker_names(missing)
        if not self._named:  # what is not committed yet must not be known to others
            self._texts.keep_speakers(account, read)
        return found | dict(read)

    def ensure_speakers(self, names: Mapping[SpeakerId, str]) -> None:
        """See `WriteSession.ensure_speakers`."""
        account = self.conversation.account
        new = {
            one: name for one, name in names.items() if (account, one) not in self._texts.speakers
        }
        if new:
            self._named = True
            account_texts.add_speakers(self._connection, account, new)

    def add_versions(self, versions: Sequence[NewVersion]) -> tuple[Version, ...]:
        """See `WriteSession.add_versions`."""
        if not versions:
            return ()
        first = self._next("version", len(versions))
        stored = tuple(
            contents.stored_version(new, VersionId(number))
            for number, new in enumerate(versions, start=first)
        )
        contents.add_versions(self._connection, self._keys, stored)
        index_versions(self._connection, self._keys, stored)
        self._indexed += len(stored)
        highest = max(self._record.counters.turn, *(new.turn_id for new in versions))
        counters = replace(self._record.counters, turn=highest)
        self._record = replace(self._record, counters=counters)
        return stored

    def put_entries(self, entries: Iterable[Entry]) -> None:
        """See `WriteSession.put_entries`."""
        rows = list(entries)
        branch, tip = self._begun().branch_id, self._tip()
        if all(entry.pos > tip for entry in rows):
            self._appended.setdefault(branch, []).extend(sorted(rows, key=attrgetter("pos")))
        else:
            self._reshaped.add(branch)
        difference = entry_changes.put_entries(self._page(), rows)
        self._count(difference, tip=max((entry.pos for entry in rows), default=Pos(0)))

    def drop_entries(self, positions: Iterable[Pos]) -> None:
        """See `WriteSession.drop_entries`."""
        self._reshaping()
        self._count(entry_changes.drop_entries(self._page(), positions))

    def put_pins(self, turn_ids: Iterable[TurnId]) -> None:
        """See `WriteSession.put_pins`."""
        PINS.put(self._reshaping(), pin_values(turn_ids))

    def drop_pins(self, turn_ids: Iterable[TurnId]) -> None:
        """See `WriteSession.drop_pins`."""
        PINS.drop(self._reshaping(), {(turn_id, 0) for turn_id in turn_ids})

    def put_alternatives(self, alternatives: Iterable[Alternative]) -> None:
        """See `WriteSession.put_alternatives`."""
        ALTERNATIVES.put(self._place(), alternative_values(self._keys, alternatives))

    def add_summary(self, summary: NewSummary) -> Summary:
        """See `WriteSession.add_summary`."""
        summary_id = SummaryId(self._next("summary", 1))
        return contents.add_summary(self._connection, self._keys, summary, summary_id)

    def put_cover(self, rows: Iterable[CoverRow]) -> None:
        """See `WriteSession.put_cover`."""
        values = cover_values(self._keys, rows)
        COVER.put(self._reshaping(), values)
        self._count_cover(len(values))

    def drop_cover(self, summary_ids: Iterable[SummaryId]) -> None:
        """See `WriteSession.drop_cover`."""
        keys = {(self._keys.of(summary_id), 0) for summary_id in summary_ids}
        levels = self._levels(self._begun().branch_id)
        self._count_cover(drop_cover(self._reshaping(), levels, keys))

    def restore(self, keys: Collection[RowKey], before: Rev) -> None:
        """See `WriteSession.restore`."""
        place = self._reshaping()
        self._orders_known.clear()
        asked = {kind: keys_of(kind, keys, self._keys) for kind in RowKind}
        self._count(entry_changes.restore_entries(self._page(), asked[RowKind.ENTRY], before))
        PINS.restore(place, asked[RowKind.PIN], before)
        ALTERNATIVES.restore(place, asked[RowKind.ALTERNATIVE], before)
        self._count_cover(COVER.restore(place, asked[RowKind.COVER], before))

    def acknowledge(self, branch: BranchId, rev: Rev) -> None:
        """See `WriteSession.acknowledge`."""
        self._save(replace(self.branch(branch), acknowledged=rev))

    def change_branch(
        self, branch: BranchId, *, name: str | None = None, removed: bool | None = None
    ) -> None:
        """See `WriteSession.change_branch`."""
        shown = self.branch(branch)
        self._save(
            replace(
                shown,
                name=shown.name if name is None else storable_text(name),
                removed=shown.removed if removed is None else removed,
            )
        )

    def want(self, branch: BranchId, kind: JobKind, at: str) -> None:
        """See `WriteSession.want`."""
        sql_jobs.want(self._connection, self._keys, branch, kind=kind, at=at)

    def change_conversation(
        self,
        *,
        title: str | None = None,
        settings: Mapping[str, str] | None = None,
        current_branch: BranchId | None = None,
        source: str | None = None,
        origin: str | None = None,
        deleted: bool | None = None,
    ) -> None:
        """See `WriteSession.change_conversation`."""
        shown = self.conversation
        changed = replace(
            shown,
            title=shown.title if title is None else storable_text(title),
            settings=shown.settings if settings is None else storable_texts(settings),
            current_branch=shown.current_branch if current_branch is None else current_branch,
            origin=shown.origin if origin is None else storable_text(origin),
            deleted=shown.deleted if deleted is None else deleted,
        )
        if source is not None:
            conversations.save_source(self._connection, self._keys, storable_text(source))
        self._record = replace(self._record, conversation=changed)

    def _next(self, counter: str, count: int) -> int:
        """Give out `count` ids of a kind and return the first."""
        counters = self._record.counters
        last: int = getattr(counters, counter)
        counters = replace(counters, **{counter: last + count})
        self._record = replace(self._record, counters=counters)
        return last + 1

    def _begun(self) -> Op:
        if self._op is None:
            raise ValueError("begin an op before changing rows of a branch")
        return self._op

    def _place(self) -> Place:
        op = self._begun()
        return Place(self._connection, self._keys.of(op.branch_id), op.rev)

    def _reshaping(self) -> Place:
        """Return the place of a change that is not only something more behind the tip."""
        self._reshaped.add(self._begun().branch_id)
        return self._place()

    def _page(self) -> Page:
        branch = self._begun().branch_id
        return Page(self._place(), self._keys, self._levels(branch), self._tip())

    def _tip(self) -> Pos:
        return self.branch(self._begun().branch_id).tip_pos

    def _counted_upto(self, branch: BranchId, pos: Pos) -> Tally:
        """Count what stands up to a position, from whichever end is nearer."""
        shown, levels = self.branch(branch), self._levels(branch)
        if pos <= shown.tip_pos // 2:
            return count_entries(self._connection, levels, above=0, upto=pos)
        everything = Tally(shown.turns, shown.hidden_turns, shown.visible_tokens)
        return everything - count_entries(self._connection, levels, above=pos, upto=shown.tip_pos)

    def _count(self, difference: Tally, tip: Pos = Pos(0)) -> None:
        """Bring the running counts of the op's branch up to date."""
        shown = self.branch(self._begun().branch_id)
        if difference.turns:
            self._orders_known.clear()
        self._save(
            replace(
                shown,
                tip_pos=max(shown.tip_pos, tip),
                visible_turns=shown.visible_turns + difference.turns - difference.hidden,
                visible_tokens=shown.visible_tokens + difference.visible_tokens,
                hidden_turns=shown.hidden_turns + difference.hidden,
            )
        )

    def _count_cover(self, rows: int) -> None:
        """Count the op once as one that changed the cover, however many rows it changes."""
        if rows and not self._cover_counted:
            self._cover_counted = True
            shown = self.branch(self._begun().branch_id)
            self._save(replace(shown, cover_version=shown.cover_version + 1))

    def _save(self, changed: Branch) -> None:
        self._changed.setdefault(changed.id, self._known.get(changed.id))
        self._known[changed.id] = changed
