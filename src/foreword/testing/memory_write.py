"""Changing a conversation of the in-memory store, on a copy that replaces it when all went well.

Above: `memory_store`. Below: `memory_read`. See `ports.store.WriteSession` for every method.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from foreword.domain.conversation import Branch
from foreword.domain.digest import content_digest
from foreword.domain.ids import BranchId, Pos, Rev, SpeakerId, SummaryId, TurnId, VersionId
from foreword.domain.jobs import JobKind
from foreword.domain.ops import Op, OpKind, RowKey, RowKind
from foreword.domain.storable import storable_content, storable_text, storable_texts
from foreword.domain.summary import CoverRow, NewSummary, Summary
from foreword.domain.turn import Alternative, Entry, Version
from foreword.ports.store import NewVersion
from foreword.testing.memory_read import MemoryRead
from foreword.testing.memory_records import MemoryRecordWrites
from foreword.testing.memory_state import (
    Path,
    Row,
    Shelf,
    Story,
    Value,
    alternative_key,
    entry_key,
    inherited_rows,
)


class MemoryWrite(MemoryRecordWrites, MemoryRead):
    """See `ports.store.WriteSession`."""

    def __init__(self, story: Story, shelf: Shelf) -> None:
        """Change `story`, a copy that nobody else sees."""
        super().__init__(story, shelf)
        self._op: Op | None = None
        self._cover_changed = False
        self.wanted: list[tuple[BranchId, JobKind, str]] = []
        """Jobs that are due once this is committed."""

    @property
    def names(self) -> Mapping[SpeakerId, str]:
        """The account's speakers, with those that were added."""
        return self._names

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
        path = self._path(branch)
        rev = Rev(self._story.info.rev + 1)
        self._op = Op(
            rev=rev,
            group=rev if group is None else group,
            branch_id=branch,
            actor=storable_text(actor),
            kind=kind,
            at=at,
            undoes=undoes,
        )
        self._cover_changed = False
        self._story.info = replace(self._story.info, rev=rev)
        self._story.journal.append(self._op)
        path.copies.append((rev, dict(path.rows)))
        return rev

    def add_branch(
        self, name: str, *, parent: BranchId, fork_pos: Pos, merged: bool = False
    ) -> Branch:
        """See `WriteSession.add_branch`."""
        rev = self._story.info.rev
        branch = Branch(
            id=BranchId(len(self._story.paths) + 1),
            name=storable_text(name),
            parent=parent,
            fork_pos=fork_pos,
            fork_rev=rev,
            tip_pos=fork_pos,
        )
        inherited = inherited_rows(self._path(parent).rows, fork_pos, merged=merged)
        path = Path(branch, [(rev, inherited)])
        path.recount()
        self._story.paths[branch.id] = path
        self._op = None
        return path.info

    def new_turn_ids(self, count: int) -> tuple[TurnId, ...]:
        """See `WriteSession.new_turn_ids`."""
        first = self._story.last_turn + 1
        self._story.last_turn += count
        return tuple(TurnId(number) for number in range(first, first + count))

    def ensure_speakers(self, names: Mapping[SpeakerId, str]) -> None:
        """See `WriteSession.ensure_speakers`."""
        for speaker, name in names.items():
            self._names.setdefault(speaker, storable_text(name))

    def add_versions(self, versions: Sequence[NewVersion]) -> tuple[Version, ...]:
        """See `WriteSession.add_versions`."""
        return tuple(self._add_version(version) for version in versions)

    def put_entries(self, entries: Iterable[Entry]) -> None:
        """See `WriteSession.put_entries`."""
        for entry in entries:
            self._put(entry_key(entry), entry)
        self._own_path().recount()

    def drop_entries(self, positions: Iterable[Pos]) -> None:
        """See `WriteSession.drop_entries`."""
        path = self._own_path()
        for pos in positions:
            key = RowKey(RowKind.ENTRY, pos)
            if key in path.rows and path.rows[key].value is not None:
                self._take_away(key)
        path.recount()

    def put_pins(self, turn_ids: Iterable[TurnId]) -> None:
        """See `WriteSession.put_pins`."""
        for turn_id in turn_ids:
            self._put(RowKey(RowKind.PIN, turn_id), turn_id)

    def drop_pins(self, turn_ids: Iterable[TurnId]) -> None:
        """See `WriteSession.drop_pins`."""
        for turn_id in turn_ids:
            self._own_path().rows.pop(RowKey(RowKind.PIN, turn_id), None)

    def put_alternatives(self, alternatives: Iterable[Alternative]) -> None:
        """See `WriteSession.put_alternatives`."""
        for alternative in alternatives:
            self._put(alternative_key(alternative), alternative)

    def add_summary(self, summary: NewSummary) -> Summary:
        """See `WriteSession.add_summary`."""
        stored = Summary(
            id=SummaryId(len(self._story.summaries) + 1),
            layer=summary.layer,
            depth=summary.depth,
            text=storable_text(summary.text),
            tokens=summary.tokens,
            first_digest=summary.first_digest,
            n_turns=summary.n_turns,
            span_digest=summary.span_digest,
            maker=storable_text(summary.maker),
            turns=summary.turns,
            children=summary.children,
            reasoning=storable_text(summary.reasoning),
            context_digest=summary.context_digest,
            edited_from=summary.edited_from,
            scene_time=storable_text(summary.scene_time),
            survival=summary.survival,
        )
        self._story.summaries[stored.id] = stored
        return stored

    def put_cover(self, rows: Iterable[CoverRow]) -> None:
        """See `WriteSession.put_cover`."""
        for row in rows:
            self._put(RowKey(RowKind.COVER, row.summary_id), row)

    def drop_cover(self, summary_ids: Iterable[SummaryId]) -> None:
        """See `WriteSession.drop_cover`."""
        path = self._own_path()
        for summary_id in summary_ids:
            key = RowKey(RowKind.COVER, summary_id)
            if key in path.rows and path.rows[key].value is not None:
                self._take_away(key)
                self._count_cover_change()

    def restore(self, keys: Collection[RowKey], before: Rev) -> None:
        """See `WriteSession.restore`."""
        path = self._own_path()
        then = path.just_before(before)
        for key in keys:
            row = then.get(key)
            if row is None:
                self._forget(key)
            elif row.branch == path.info.id:
                self._put(key, row.value)
            else:
                if key.kind is RowKind.COVER and path.rows.get(key) != row:
                    self._count_cover_change()
                path.rows[key] = row
        path.recount()

    def acknowledge(self, branch: BranchId, rev: Rev) -> None:
        """See `WriteSession.acknowledge`."""
        path = self._path(branch)
        path.info = replace(path.info, acknowledged=rev)

    def change_branch(
        self, branch: BranchId, *, name: str | None = None, removed: bool | None = None
    ) -> None:
        """See `WriteSession.change_branch`."""
        path = self._path(branch)
        if name is not None:
            path.info = replace(path.info, name=storable_text(name))
        if removed is not None:
            path.info = replace(path.info, removed=removed)

    def want(self, branch: BranchId, kind: JobKind, at: str) -> None:
        """See `WriteSession.want`."""
        self.wanted.append((branch, kind, at))

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
        info = self._story.info
        self._story.info = replace(
            info,
            title=info.title if title is None else storable_text(title),
            settings=info.settings if settings is None else storable_texts(settings),
            current_branch=info.current_branch if current_branch is None else current_branch,
            origin=info.origin if origin is None else storable_text(origin),
            deleted=info.deleted if deleted is None else deleted,
        )
        if source is not None:
            self._story.source = storable_text(source)

    def _begun(self) -> Op:
        if self._op is None:
            raise ValueError("begin an op before changing rows of a branch")
        return self._op

    def _own_path(self) -> Path:
        return self._story.paths[self._begun().branch_id]

    def _put(self, key: RowKey, value: Value) -> None:
        op = self._begun()
        if isinstance(value, CoverRow):
            value = replace(value, since=op.rev)
        if key.kind is RowKind.COVER:
            self._count_cover_change()
        self._own_path().rows[key] = Row(value, op.branch_id, op.rev)

    def _take_away(self, key: RowKey) -> None:
        """Remove a row; blank it where the branch would inherit one."""
        path = self._own_path()
        if key in path.inherited:
            self._put(key, None)
        else:
            del path.rows[key]

    def _forget(self, key: RowKey) -> None:
        """Make the row as if it had never been."""
        if self._own_path().rows.pop(key, None) is not None and key.kind is RowKind.COVER:
            self._count_cover_change()

    def _count_cover_change(self) -> None:
        """Count the op once, however many rows of the cover it changes."""
        if not self._cover_changed:
            self._cover_changed = True
            path = self._own_path()
            path.info = replace(path.info, cover_version=path.info.cover_version + 1)

    def _add_version(self, new: NewVersion) -> Version:
        content = storable_content(new.content)
        version = Version(
            id=VersionId(len(self._story.versions) + 1),
            turn_id=new.turn_id,
            alt_no=new.alt_no,
            content=content,
            tokens=new.tokens,
            digest=new.digest if content is new.content else content_digest(content),
        )
        self._story.versions[version.id] = version
        self._story.last_turn = max(self._story.last_turn, new.turn_id)
        return version
