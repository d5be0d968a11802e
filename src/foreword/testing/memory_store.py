"""The store in memory: the oracle that every other store is compared with, and a fast fake.

It copies whole branches and looks at every row, so it is obviously right and slow for long
conversations. Above: tests. Below: `memory_write`, `memory_read`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from threading import Condition, Lock
from typing import TypeVar

from foreword.domain.conversation import Branch, Conversation
from foreword.domain.ids import MAIN_BRANCH, AccountId, ConversationId, Rev
from foreword.domain.storable import storable_text, storable_texts
from foreword.errors import ConversationNotFound, StoreBusy, StoreConflict
from foreword.ports.changes import Changes
from foreword.testing.memory_changes import MemoryChanges
from foreword.testing.memory_jobs import MemoryJobs, Shown, Work
from foreword.testing.memory_read import MemoryRead
from foreword.testing.memory_state import Path, Shelf, Story, defaults_of
from foreword.testing.memory_write import MemoryWrite

Key = TypeVar("Key")


class MemoryStore:
    """See `ports.store.Store`."""

    def __init__(self, *, busy_seconds: float = 30.0) -> None:
        """Begin empty; a writer waits at most `busy_seconds` for another one."""
        self._shelf = Shelf()
        self._writer = Lock()
        self._committed = Condition()
        self._busy_seconds = busy_seconds

    @property
    def jobs(self) -> MemoryJobs:
        """The jobs of its conversations, and the log of their memory."""
        return MemoryJobs(
            changing=self._changing,
            shown=self._shown,
            work=lambda: self._shelf.work,
            keep=self._keep_work,
        )

    def create(
        self,
        account: AccountId,
        conversation: ConversationId,
        *,
        title: str,
        at: str,
        settings: Mapping[str, str],
        deleted: bool = False,
    ) -> Conversation:
        """See `Store.create`."""
        info = Conversation(
            id=conversation,
            account=account,
            title=storable_text(title),
            rev=Rev(0),
            current_branch=MAIN_BRANCH,
            created_at=at,
            settings=storable_texts(settings),
            deleted=deleted,
        )
        main = Path(Branch(id=MAIN_BRANCH, name="main"), [(Rev(0), {})])
        with self._changing() as shelf:
            if conversation in shelf.stories:
                raise StoreConflict(f"conversation {conversation!r}")
            stories = {**shelf.stories, conversation: Story(info, {MAIN_BRANCH: main})}
            self._shelf = replace(shelf, stories=stories)
        return info

    def conversations(
        self, account: AccountId, *, title: str | None = None, origin: str | None = None
    ) -> tuple[Conversation, ...]:
        """See `Store.conversations`."""
        return tuple(
            story.info
            for story in self._shelf.stories.values()
            if story.info.account == account
            and not story.info.deleted
            and (title is None or story.info.title == storable_text(title))
            and (origin is None or story.info.origin == storable_text(origin))
        )

    @contextmanager
    def read(self, account: AccountId, conversation: ConversationId) -> Iterator[MemoryRead]:
        """See `Store.read`."""
        shelf = self._shelf
        yield MemoryRead(_story(shelf, account, conversation), shelf)

    @contextmanager
    def write(self, account: AccountId, conversation: ConversationId) -> Iterator[MemoryWrite]:
        """See `Store.write`."""
        with self._changing() as shelf:
            story = _story(shelf, account, conversation).copy()
            session = MemoryWrite(story, shelf)
            yield session
            added = {(account, speaker): name for speaker, name in session.names.items()}
            work = shelf.work
            for branch, kind, at in session.wanted:
                work, _ = work.wanting(account, (conversation, branch), kind, at)
            self._shelf = replace(
                shelf,
                work=work,
                stories={**shelf.stories, conversation: story},
                speakers={**shelf.speakers, **added},
            )

    def defaults(self, account: AccountId) -> Mapping[str, str]:
        """See `Store.defaults`."""
        return defaults_of(self._shelf, account)

    def set_default(self, account: AccountId, name: str, value: str | None) -> None:
        """See `Store.set_default`."""
        with self._changing() as shelf:
            changed = _changed(shelf.defaults, (account, storable_text(name)), value)
            self._shelf = replace(shelf, defaults=changed)

    def template(self, scope: str, name: str) -> str | None:
        """See `Store.template`."""
        return self._shelf.templates.get((scope, name))

    def set_template(self, scope: str, name: str, text: str | None) -> None:
        """See `Store.set_template`."""
        with self._changing() as shelf:
            changed = _changed(shelf.templates, (scope, storable_text(name)), text)
            self._shelf = replace(shelf, templates=changed)

    def swap_template(self, scope: str, name: str, text: str, *, before: str | None) -> None:
        """See `Store.swap_template`."""
        with self._changing() as shelf:
            key = (scope, storable_text(name))
            if shelf.templates.get(key) != before:
                raise StoreConflict(f"template {name!r}")
            self._shelf = replace(shelf, templates=_changed(shelf.templates, key, text))

    def changes(self, account: AccountId, conversation: ConversationId | None = None) -> Changes:
        """See `Store.changes`."""

        def revisions() -> Mapping[ConversationId, Rev]:
            stories = self._shelf.stories.values()
            shown = [story.info for story in stories if story.info.account == account]
            return {one.id: one.rev for one in shown if conversation in {None, one.id}}

        if conversation is not None:
            _story(self._shelf, account, conversation)
        return MemoryChanges(self._committed, revisions)

    def close(self) -> None:
        """See `Store.close`."""

    def _shown(self) -> Shown:
        stories = self._shelf.stories.items()
        return {one: (story.info, frozenset(story.paths)) for one, story in stories}

    def _keep_work(self, work: Work) -> None:
        self._shelf = replace(self._shelf, work=work)

    @contextmanager
    def _changing(self) -> Iterator[Shelf]:
        """Let one writer at a time see what there is and replace it."""
        if not self._writer.acquire(timeout=self._busy_seconds):
            raise StoreBusy("the memory")
        try:
            yield self._shelf
        finally:
            self._writer.release()
        with self._committed:
            self._committed.notify_all()


def _story(shelf: Shelf, account: AccountId, conversation: ConversationId) -> Story:
    story = shelf.stories.get(conversation)
    if story is None or story.info.account != account:
        raise ConversationNotFound(conversation)
    return story


def _changed(texts: Mapping[Key, str], key: Key, text: str | None) -> dict[Key, str]:
    """Return a copy with one text set, or taken away when it is None."""
    rest = {known: kept for known, kept in texts.items() if known != key}
    return rest if text is None else {**rest, key: storable_text(text)}
