"""What each message of a request is, when it continues a branch.

Below `recognise`, above `choosing`. Invariants: only the newest line of the user, answers of ours,
groups of tool calls and messages that stayed where they were become turns; what moves relative to
the end, appears or vanishes never does.

A message that is not known may be a turn (the player inserted it, another program wrote it) or an
injection (a note that the client puts so many messages before the end). At first sight nothing
tells them apart, so it is a suspect and passed on. When the next request that goes further shows
it between the same turns, it is a turn; when it has moved or vanished, it was an injection.

Source: recordings of clients, parts 1.3 and 4.5.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from foreword.domain.turn import Role
from foreword.planning.recognition.aligning import Pair, Sent
from foreword.planning.recognition.choosing import Candidate
from foreword.planning.recognition.known import START, Notes, Suspect, TurnRef
from foreword.planning.recognition.normal import SHORT
from foreword.planning.recognition.result import Place, ref_of_new

CAUGHT_UP = 2
"""So many answers that are not ours behind the last turn that is known, and the client has talked
elsewhere: what stands there is turns at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """What the messages of a request are."""

    places: tuple[Place, ...]
    turns: dict[int, tuple[TurnRef, ...]]
    """The turns that messages are, new ones included."""
    added: tuple[tuple[int, TurnRef], ...]
    """Messages that become turns, each with the turn that it follows, in order."""
    suspects: tuple[Suspect, ...]
    moved: frozenset[bytes]
    """Keys of messages that turned out to be injections."""
    displaced: frozenset[TurnRef]
    """Turns that turned out to be injections."""


def place(
    messages: Sequence[Sent],
    head: int,
    newest: int | None,
    candidate: Candidate,
    moved: Mapping[bytes, TurnRef],
) -> Placed:
    """Say what each message of a request is that continues the branch of a candidate.

    Args:
        messages: All of the request.
        head: So many of them are its leading instructions.
        newest: The newest line of the user.
        candidate: The branch, aligned with the messages behind `head`.
        moved: Turns that came in another place, by their keys (`displaced`).
    """
    return _Placing(
        messages=messages, head=head, newest=newest, candidate=candidate, moved=moved
    ).run()


def place_new(messages: Sequence[Sent], head: int, newest: int | None) -> Placed:
    """Say what each message of a request is that continues nothing."""
    last = _end_of_history(messages, newest)
    places = [Place.HEAD] * head
    added: list[tuple[int, TurnRef]] = []
    turns: dict[int, tuple[TurnRef, ...]] = {}
    after = START
    for at in range(head, len(messages)):
        if at > last:
            places.append(Place.TAIL)
        elif messages[at].role is Role.SYSTEM:
            places.append(Place.SUSPECT)
        else:
            places.append(Place.NEW)
            added.append((at, after))
            after = ref_of_new(at)
            turns[at] = (after,)
    return Placed(
        places=tuple(places),
        turns=turns,
        added=tuple(added),
        suspects=tuple(_suspects(messages, places, turns)),
        moved=frozenset(),
        displaced=frozenset(),
    )


def goes_on(candidate: Candidate, head: int, newest: int | None) -> bool:
    """Say whether a request goes further than the one that the notes of its branch are of."""
    if newest is not None and newest >= candidate.rest + head:
        return True
    turns, tip = candidate.branch.turns, candidate.branch.notes.tip
    return candidate.last > next((at for at, turn in enumerate(turns) if turn.id == tip), -1)


class _Placing:
    def __init__(
        self,
        *,
        messages: Sequence[Sent],
        head: int,
        newest: int | None,
        candidate: Candidate,
        moved: Mapping[bytes, TurnRef],
    ) -> None:
        self.messages = messages
        self.newest = newest
        self.candidate = candidate
        self.branch = candidate.branch
        self.notes: Notes = candidate.branch.notes
        self.head = head
        self.pairs: dict[int, Pair] = {
            pair.message + head: pair for pair in candidate.alignment.pairs
        }
        self.places: list[Place] = [Place.HEAD] * head
        self.turns: dict[int, tuple[TurnRef, ...]] = {}
        self.added: list[tuple[int, TurnRef]] = []
        self.stayed = {(one.key, one.after) for one in self.notes.suspects}
        self.suspected = {one.key for one in self.notes.suspects}
        self.displaced = moved

    def run(self) -> Placed:
        rest = self.candidate.rest + self.head
        last = max(_end_of_history(self.messages, self.newest), rest - 1)
        others = [self.messages[at].role is Role.ASSISTANT for at in range(rest + 1, last + 1)]
        elsewhere = sum(others) >= CAUGHT_UP or self.candidate.goes_on
        after = START
        advances = goes_on(self.candidate, self.head, self.newest)
        moved: set[bytes] = set()
        for at in range(self.head, len(self.messages)):
            found = self._what(at, after, rest, last, elsewhere=elsewhere, advances=advances)
            if found is Place.NEW:
                self.added.append((at, after))
                self.turns[at] = (ref_of_new(at),)
            if found is Place.INJECTION:
                moved.add(self.messages[at].key)
            after = self.turns[at][-1] if at in self.turns else after
            self.places.append(found)
        return Placed(
            places=tuple(self.places),
            turns=self.turns,
            added=tuple(self.added),
            suspects=tuple(_suspects(self.messages, self.places, self.turns)),
            moved=frozenset(moved),
            displaced=frozenset(self.displaced.values()),
        )

    def _what(
        self, at: int, after: TurnRef, rest: int, last: int, *, elsewhere: bool, advances: bool
    ) -> Place:
        message = self.messages[at]
        pair = self.pairs.get(at)
        if pair is not None:
            places = range(pair.turn, pair.turn + pair.more + 1)
            self.turns[at] = tuple(self.branch.turns[one].id for one in places)
            return Place.TURN
        if at > last:
            return Place.TAIL
        if message.key in self.notes.injected or message.key in self.displaced:
            return Place.INJECTION
        if self._is_new(at, after, rest, elsewhere=elsewhere):
            return Place.NEW
        if advances and (message.key, after) in self.stayed:
            return Place.NEW
        if advances and message.key in self.suspected and len(message.form) >= SHORT:
            return Place.INJECTION
        return Place.SUSPECT

    def _is_new(self, at: int, after: TurnRef, rest: int, *, elsewhere: bool) -> bool:
        """Say whether a message behind the last turn that came is one at first sight."""
        if at < rest:
            return False
        if at == self.newest or (at == rest and self.candidate.kept is not None):
            return True
        if elsewhere and self.messages[at].role is not Role.SYSTEM:
            return True
        return self._is_work(at) or self._replaces(at, after)

    def _is_work(self, at: int) -> bool:
        """Say whether a message belongs to a call of a tool."""
        message = self.messages[at].message
        return bool(message.calls) or message.role is Role.TOOL

    def _replaces(self, at: int, after: TurnRef) -> bool:
        """Say whether a message stands where an answer of ours stood that no request showed."""
        if self.messages[at].role is not Role.ASSISTANT or after != self.candidate.last_turn:
            return False
        behind = self.branch.turns[self.candidate.last + 1 :]
        return bool(behind) and behind[0].role is Role.ASSISTANT


def displaced(
    messages: Sequence[Sent], head: int, newest: int | None, candidate: Candidate
) -> dict[bytes, TurnRef]:
    """Return the turns that did not come in their place but further down, by their keys.

    The newest line is one only when another line is as new: a player may say a thing again.
    """
    pairs = candidate.alignment.pairs
    placed = {pair.message + head for pair in pairs}
    found = {one for pair in pairs for one in range(pair.turn, pair.turn + pair.more + 1)}
    first = min(found, default=0)
    absent = {
        turn.text.key: turn.id
        for at, turn in enumerate(candidate.branch.turns)
        if first <= at <= candidate.last + 1 and at not in found and turn.shown
    }
    fresh = [
        at
        for at in range(candidate.rest + head, len(messages))
        if messages[at].role is Role.USER and at not in placed
    ]
    return {
        messages[at].key: absent[messages[at].key]
        for at in range(head, len(messages))
        if at not in placed
        and messages[at].key in absent
        and len(messages[at].form) >= SHORT
        and (at != newest or len(fresh) > 1)
    }


def _end_of_history(messages: Sequence[Sent], newest: int | None) -> int:
    """Return the last message that is history: what the user said, or work that followed it."""
    if newest is None:
        return -1
    last = newest
    for at in range(newest + 1, len(messages)):
        message = messages[at].message
        if message.calls or message.role is Role.TOOL:
            last = at
    return last


def _suspects(
    messages: Sequence[Sent], places: Sequence[Place], turns: dict[int, tuple[TurnRef, ...]]
) -> Iterator[Suspect]:
    after = START
    for at, what in enumerate(places):
        if at in turns:
            after = turns[at][-1]
        if what is Place.SUSPECT:
            before = next((turns[one][0] for one in range(at, len(places)) if one in turns), START)
            yield Suspect(key=messages[at].key, after=after, before=before)
