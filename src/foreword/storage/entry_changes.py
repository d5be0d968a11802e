"""Changing the entries of a branch, and what that does to its running counts.

Above: `write_session`. Below: `entries`, `versioned`. Invariant: the tally that is returned is the
difference between what stood and what stands, so that the branch's counts stay those of an
enumeration.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from foreword.domain.ids import Pos, Rev
from foreword.domain.ops import RowKind
from foreword.domain.turn import MESSAGE_OVERHEAD, Entry
from foreword.storage.entries import of_level, standing
from foreword.storage.keys import Keys
from foreword.storage.lineage import Levels
from foreword.storage.prepared import Listed
from foreword.storage.tables import entry
from foreword.storage.tallies import BLOCK, NOTHING, Tally, complete, recount
from foreword.storage.versioned import Key, Place, Values, Versioned

ENTRIES = Versioned(RowKind.ENTRY, entry, "pos")

_OLD_AT = Listed(entry.c.pos, lambda listed: select(entry).where(*standing(own=False), listed))
_COLUMNS = [column.name for column in entry.c]


@dataclass(frozen=True, slots=True)
class Page:
    """The branch whose entries are changed."""

    place: Place
    keys: Keys
    levels: Levels
    tip: Pos
    """Behind it nothing stands, so nothing is looked up there."""


def put_entries(page: Page, entries: Iterable[Entry]) -> Tally:
    """Open rows of these entries in the place of what stood at their positions."""
    rows = {(entry.pos, 0): _row(page.keys, entry) for entry in entries}
    known = [key for key in rows if key[0] <= page.tip]
    own = ENTRIES.own(page.place, known)
    replaced = {**_inherited(page, known), **own}
    ENTRIES.close(page.place, own.values())
    ENTRIES.open(page.place, rows.values())
    recount(page.place, [rows[key] for key in known], own.values())
    complete(page.place, _left_behind(page.tip, [pos for pos, _ in rows if pos > page.tip]))
    return _tally(rows.values()) - _tally(replaced.values())


def _left_behind(tip: Pos, appended: Sequence[int]) -> list[int]:
    """Return the blocks with rows that the tip leaves when entries are put behind it."""
    if not appended or max(appended) // BLOCK == tip // BLOCK:
        return []
    return sorted({tip // BLOCK, *(pos // BLOCK for pos in appended)})[:-1]


def drop_entries(page: Page, positions: Iterable[Pos]) -> Tally:
    """Take away what stands at these positions; what is inherited there is blanked."""
    asked: set[Key] = {(pos, 0) for pos in positions}
    own = ENTRIES.own(page.place, asked)
    inherited = _inherited(page, asked)
    stood = {key: row for key, row in {**inherited, **own}.items() if row["version_id"] is not None}
    ended = [own[key] for key in stood if key in own]
    ENTRIES.close(page.place, ended)
    recount(page.place, (), ended)
    ENTRIES.open(page.place, [_blank(stood[key]) for key in stood if key in inherited])
    return NOTHING - _tally(stood.values())


def restore_entries(page: Page, keys: Collection[Key], before: Rev) -> Tally:
    """Make the entries at these positions what they were just before a revision."""
    inherited = _inherited(page, keys)
    own, past = ENTRIES.own(page.place, keys), ENTRIES.own(page.place, keys, as_of=before - 1)
    ENTRIES.close(page.place, own.values())
    ENTRIES.open(page.place, past.values())
    recount(page.place, past.values(), own.values())
    now, then = {**inherited, **own}, {**inherited, **past}
    return _tally(then.values()) - _tally(now.values())


def _inherited(page: Page, keys: Collection[Key]) -> dict[Key, Values]:
    """Return what would stand at these positions without own rows, blanks left out."""
    found: dict[Key, Values] = {}
    rest = {pos for pos, _ in keys}
    for level in page.levels[1:]:
        asked = [pos for pos in rest if pos <= level.upto]
        for row in _OLD_AT.rows(page.place.connection, of_level(level), asked):
            values: Values = dict(zip(_COLUMNS, row, strict=True))
            key = ENTRIES.key_of(values)
            found[key] = values
            rest.discard(key[0])
    return {key: row for key, row in found.items() if row["version_id"] is not None}


def _row(keys: Keys, entry: Entry) -> Values:
    return {
        "pos": entry.pos,
        "turn_id": entry.turn_id,
        "version_id": keys.of(entry.version_id),
        "tokens": entry.tokens,
        "digest": entry.digest,
        "hidden": int(entry.hidden),
    }


def _blank(row: Values) -> Values:
    return {
        "pos": row["pos"],
        "turn_id": row["turn_id"],
        "version_id": None,
        "tokens": None,
        "digest": None,
        "hidden": 0,
    }


def _tally(rows: Iterable[Values]) -> Tally:
    turns = hidden_turns = visible_tokens = 0
    for row in rows:
        tokens, hidden = row["tokens"], row["hidden"]
        if tokens is None:
            continue
        if not isinstance(tokens, int) or not isinstance(hidden, int):
            raise TypeError("tokens and hidden are numbers")
        turns += 1
        hidden_turns += hidden
        visible_tokens += 0 if hidden else tokens + MESSAGE_OVERHEAD
    return Tally(turns, hidden_turns, visible_tokens)
