"""What readers found of a conversation, kept for those who read it at the same revision.

Above: `sql_store`, `viewed_read`. Invariants: a view holds only what is committed at its revision,
so a reader whose conversation has another revision gets another view, and so does everybody once
texts of accounts were changed; what one reader adds to a view another would have read alike; how
much is kept is bounded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from foreword.domain.ids import AccountId, BranchId, Rev, SpeakerId, SummaryId
from foreword.domain.summary import CoverRow, CoverState
from foreword.domain.turn import Entry
from foreword.storage.lineage import Levels

CONVERSATIONS_KEPT: Final = 64
NEWEST_KEPT: Final = 1024
"""Entries of a branch, about 300 bytes each: more than the window of most contexts."""
TEXTS_KEPT: Final = 512
"""Summaries of a conversation whose texts are kept: more than a cover holds for long."""
TEMPLATES_KEPT: Final = 1024
SPEAKERS_KEPT: Final = 4096


@dataclass(slots=True)
class BranchView:
    """What is known of a branch; None for what nobody asked for."""

    newest: tuple[Entry, ...] = ()
    """From the tip on without a gap, newest first, as far as somebody read."""
    cover: dict[CoverState, tuple[CoverRow, ...]] = field(default_factory=dict)
    pins: tuple[Entry, ...] | None = None

    def with_appended(self, appended: Sequence[Entry]) -> BranchView:
        """Return the view after these entries were put behind the tip, oldest first."""
        newest = (*reversed(appended), *self.newest)[:NEWEST_KEPT]
        return BranchView(newest=newest, cover=dict(self.cover), pins=self.pins)


@dataclass(slots=True)
class View:
    """What is known of a conversation at a revision."""

    rev: Rev
    branches: dict[BranchId, BranchView] = field(default_factory=dict)
    levels: dict[BranchId, Levels] = field(default_factory=dict)
    """Of committed branches: they never change."""
    summary_texts: dict[SummaryId, str] = field(default_factory=dict)
    """Of committed summaries: they never change."""
    scene_times: dict[SummaryId, str] = field(default_factory=dict)
    """Of committed summaries; empty where there is none."""

    def branch(self, branch: BranchId) -> BranchView:
        """Return what is known of a branch, to be added to."""
        return self.branches.setdefault(branch, BranchView())

    def keep_texts(self, texts: Mapping[SummaryId, str]) -> None:
        """Keep texts of summaries, as many as there is room for."""
        if len(self.summary_texts) + len(texts) > TEXTS_KEPT:
            self.summary_texts = {}
        if len(texts) <= TEXTS_KEPT:
            self.summary_texts.update(texts)

    def keep_times(self, times: Mapping[SummaryId, str]) -> None:
        """Keep scene times of summaries, as many as there is room for."""
        if len(self.scene_times) + len(times) > TEXTS_KEPT:
            self.scene_times = {}
        if len(times) <= TEXTS_KEPT:
            self.scene_times.update(times)

    def after(
        self, rev: Rev, *, appended: Mapping[BranchId, Sequence[Entry]], changed: Iterable[BranchId]
    ) -> View:
        """Return the view after a writer's changes.

        Args:
            rev: the conversation's since then.
            appended: what was put behind the tip of branches, oldest first.
            changed: branches of which anything else changed; nothing is known of them any more.
        """
        gone = frozenset(changed)
        branches = {
            branch: known.with_appended(appended[branch]) if branch in appended else known
            for branch, known in self.branches.copy().items()  # readers may add to it meanwhile
            if branch not in gone
        }
        return View(rev, branches, dict(self.levels), self.summary_texts, self.scene_times)


@dataclass(slots=True)
class TextsView:
    """What is known of texts of accounts, as of a number of changes to any of them."""

    changes: int
    defaults: dict[AccountId, Mapping[str, str]] = field(default_factory=dict)
    templates: dict[tuple[str, str], str | None] = field(default_factory=dict)
    """By scope and name; None where there is none."""
    routes: dict[AccountId, Mapping[str, Mapping[str, str]]] = field(default_factory=dict)
    speakers: dict[tuple[AccountId, SpeakerId], str] = field(default_factory=dict)
    """Names of committed speakers: they never change."""

    def keep_template(self, scope: str, name: str, text: str | None) -> None:
        """Keep the text of a template."""
        if len(self.templates) >= TEMPLATES_KEPT:
            self.templates = {}
        self.templates[scope, name] = text

    def keep_speakers(self, account: AccountId, names: Mapping[SpeakerId, str]) -> None:
        """Keep the names of speakers."""
        if len(self.speakers) + len(names) > SPEAKERS_KEPT:
            self.speakers = {}
        self.speakers.update({(account, speaker): name for speaker, name in names.items()})


class Views:
    """The views of the conversations that were used last; may be shared by threads."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._lock = Lock()
        self._views: OrderedDict[int, View] = OrderedDict()
        self._texts = TextsView(0)

    def at(self, no: int, rev: Rev, changes: int) -> tuple[View, TextsView]:
        """Return what is known to a reader.

        Args:
            no: the conversation.
            rev: its revision that the reader sees.
            changes: the changes to texts of accounts that the reader sees. They are few, and a
                backup that is put in the place of everything counts as one.
        """
        with self._lock:
            if changes > self._texts.changes:
                self._texts = TextsView(changes)
                self._views.clear()
            if changes < self._texts.changes:
                return View(rev), TextsView(changes)  # this reader sees the past
            view = self._views.get(no)
            if view is not None and view.rev > rev:
                return View(rev), self._texts
            if view is None or view.rev < rev:
                view = View(rev)
            self._keep(no, view)
            return view, self._texts

    def texts(self, changes: int) -> TextsView | None:
        """Return what is known of texts where it is of that number of changes."""
        texts = self._texts
        return texts if texts.changes == changes else None

    def advance(self, no: int, before: Rev, view: View) -> None:
        """Keep the view after a committed change, where the one before it is the one kept."""
        with self._lock:
            known = self._views.get(no)
            if known is not None and known.rev == before:
                self._keep(no, view)

    def _keep(self, no: int, view: View) -> None:
        self._views[no] = view
        self._views.move_to_end(no)
        while len(self._views) > CONVERSATIONS_KEPT:
            self._views.popitem(last=False)
