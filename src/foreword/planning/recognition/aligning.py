"""Which messages of a request are which turns of one branch, with gaps and insertions.

Above `choosing`, below `known` and `normal`. Invariant: an alignment is increasing on both sides,
so no two messages are one turn out of order; a message may hold several turns that follow each
other, since clients join neighbours.

Equal beginnings and ends are taken off first. Between them the heaviest increasing chain of equal
texts is found: rare and long texts weigh most, so they decide where a repeated "Yes." belongs.
What is left between two neighbours is compared by the looser tests of `normal`.

Source: recordings of clients, part 4; the chain is the heaviest increasing subsequence over
candidate pairs (Hunt and Szymanski) with a Fenwick tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role
from foreword.planning.recognition.known import KnownTurn
from foreword.planning.recognition.normal import (
    SHORT,
    Relation,
    message_key,
    normal_form,
    relation,
    same_speaker,
)

LONGEST = 400
"""Characters from which a longer text says no more about where it belongs."""
LOOSE = 0.7
"""What a looser pair weighs beside an equal one."""
MOST_PLACES = 64
"""Places of one text that are tried on a branch: the newest ones, where it stands most often."""
MOST_LOOSE = 24
"""Messages and turns of a gap that are compared each with each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message of a request with what it is compared by."""

    message: ClientMessage
    key: bytes
    form: str

    @property
    def role(self) -> Role:
        """Who it says it is from."""
        return self.message.role


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A message that is a turn."""

    message: int
    """Its place in the request."""
    turn: int
    """The place of the turn on the branch."""
    relation: Relation
    version: int
    """Which version of the turn it is compared with."""
    more: int = 0
    """So many turns that follow are in the message too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alignment:
    """How a request and a branch lie on each other."""

    pairs: tuple[Pair, ...]
    weight: float
    """Of the turns that were found, beyond short ones that stand alone."""
    missing: float
    """Of the turns between those that were not found."""
    strange: float
    """Of the messages between those that are no turns, instructions left out."""


def sent(message: ClientMessage) -> Sent:
    """Return a message with what it is compared by."""
    return Sent(message=message, key=message_key(message), form=normal_form(message.text))


def align(messages: Sequence[Sent], turns: Sequence[KnownTurn]) -> tuple[Pair, ...]:
    """Return which messages of a request are which turns of a branch, in order."""
    equal = _equal_pairs(messages, turns)
    loose = [
        pair
        for gap in _gaps(equal, len(messages), len(turns))
        for pair in _loose_pairs(messages, turns, gap)
    ]
    return tuple(sorted((*equal, *loose), key=lambda pair: pair.message))


def weight(form: str) -> float:
    """Return how much a text says about where it belongs."""
    return sqrt(min(len(form), LONGEST))


def is_version(message: Sent, turn: KnownTurn) -> int | None:
    """Return which version of a turn a message is word for word, the held one first."""
    if not same_speaker(message.role, turn.role, message.form):
        return None
    if turn.text.key == message.key:
        return turn.selected
    if len(turn.versions) == 1:
        return None
    return next(
        (at for at, known in enumerate(turn.versions) if known.key == message.key),
        None,
    )


def _equal_pairs(messages: Sequence[Sent], turns: Sequence[KnownTurn]) -> list[Pair]:
    begin = _same_run(messages, turns)
    end = _same_run(messages[begin:][::-1], turns[begin:][::-1])
    middle = range(begin, len(messages) - end)
    found = [(at, at) for at in range(begin)]
    found += _chain(messages, turns, middle, range(begin, len(turns) - end))
    found += [(len(messages) - at, len(turns) - at) for at in range(end, 0, -1)]
    return [
        Pair(message=at, turn=place, relation=Relation.SAME, version=version)
        for at, place in found
        if (version := is_version(messages[at], turns[place])) is not None
    ]


def _same_run(messages: Sequence[Sent], turns: Sequence[KnownTurn]) -> int:
    """Return how many first messages are the first turns."""
    for at, (message, turn) in enumerate(zip(messages, turns, strict=False)):
        if is_version(message, turn) is None:
            return at
    return min(len(messages), len(turns))


def _chain(
    messages: Sequence[Sent], turns: Sequence[KnownTurn], of: range, on: range
) -> list[tuple[int, int]]:
    """Return the heaviest increasing chain of equal texts within two stretches."""
    places: dict[bytes, list[int]] = {}
    for place in on:
        for version in turns[place].versions:
            places.setdefault(version.key, []).append(place)
    best = _Heaviest(len(on))
    for at in of:
        message = messages[at]
        found = places.get(message.key)
        if not found:
            continue
        rarity = weight(message.form) / sqrt(len(found)) + 1.0
        # Later places first: one message takes one place.
        for place in reversed(found[-MOST_PLACES:]):
            if is_version(message, turns[place]) is not None:
                best.add(at, place - on.start, rarity)
    return [(at, place + on.start) for at, place in best.chain()]


class _Heaviest:
    """The heaviest chain of pairs, each pair later than the one before on both sides."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._tree: list[tuple[float, int]] = [(0.0, -1)] * (size + 1)
        self._pairs: list[tuple[int, int, int]] = []
        """Message, place, and the pair before in its chain."""
        self._best: tuple[float, int] = (0.0, -1)

    def add(self, message: int, place: int, weight: float) -> None:
        """Add a pair; messages come in order, places of one message from the last to the first."""
        before, previous = self._up_to(place)
        self._pairs.append((message, place, previous))
        chain = (before + weight, len(self._pairs) - 1)
        # Of equal chains the later wins: what clients leave out is the oldest.
        if chain[0] >= self._best[0]:
            self._best = chain
        at = place + 1
        while at <= self._size:
            if self._tree[at][0] <= chain[0]:
                self._tree[at] = chain
            at += at & -at

    def chain(self) -> list[tuple[int, int]]:
        """Return the pairs of the heaviest chain in order."""
        pairs: list[tuple[int, int]] = []
        at = self._best[1]
        while at >= 0:
            message, place, at = self._pairs[at]
            pairs.append((message, place))
        return pairs[::-1]

    def _up_to(self, place: int) -> tuple[float, int]:
        best = (0.0, -1)
        at = place
        while at > 0:
            if self._tree[at][0] > best[0]:
                best = self._tree[at]
            at -= at & -at
        return best


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """What lies between two equal pairs on both sides."""

    messages: range
    turns: range


def _gaps(pairs: Sequence[Pair], messages: int, turns: int) -> Iterator[_Gap]:
    ends = [(-1, -1), *((pair.message, pair.turn) for pair in pairs), (messages, turns)]
    for (message, turn), (next_message, next_turn) in pairwise(ends):
        of, on = range(message + 1, next_message), range(turn + 1, next_turn)
        if of and on:
            yield _Gap(messages=of, turns=on)


def _loose_pairs(messages: Sequence[Sent], turns: Sequence[KnownTurn], gap: _Gap) -> Iterator[Pair]:
    """Yield the pairs of a gap by the looser tests, in order, joined turns taken together."""
    # At an end of the request a gap may be long: what is near the rest is compared.
    on = gap.turns[:MOST_LOOSE] if gap.messages.start > 0 else gap.turns[-MOST_LOOSE:]
    at = 0
    for message in gap.messages:
        pair = _first_loose(messages[message], message, turns, on[at:])
        if pair is not None:
            yield pair
            at = pair.turn + pair.more + 1 - on.start


def _first_loose(message: Sent, at: int, turns: Sequence[KnownTurn], places: range) -> Pair | None:
    """Return the pair of a message with the first turn that it is another form of."""
    for place in places:
        turn = turns[place]
        for version in _held_first(turn):
            found = relation(message.form, turn.versions[version].form)
            if found is Relation.OTHER or not _is_likely(message, turn, found):
                continue
            return Pair(
                message=at,
                turn=place,
                relation=found,
                version=version,
                more=_joined(message.form, turns, place) if found is Relation.GROWN else 0,
            )
    return None


def _held_first(turn: KnownTurn) -> Iterator[int]:
    yield turn.selected
    for version in range(len(turn.versions)):
        if version != turn.selected:
            yield version


def _is_likely(message: Sent, turn: KnownTurn, found: Relation) -> bool:
    """Say whether a looser relation is more than chance."""
    if message.message.calls or message.message.answers:
        return False
    if message.role is turn.role:
        return found is not Relation.BEHIND or len(turn.text.form) >= SHORT
    return min(len(message.form), len(turn.text.form)) >= SHORT and found is not Relation.ALIKE


def _joined(form: str, turns: Sequence[KnownTurn], first: int) -> int:
    """Return how many turns after `first` stand in a text that begins with it, in order."""
    at = len(turns[first].text.form)
    count = 0
    for turn in turns[first + 1 : first + 1 + MOST_LOOSE]:
        found = form.find(turn.text.form, at) if turn.text.form else -1
        if found < 0 or (len(turn.text.form) < SHORT and found > at + 1):
            break
        at = found + len(turn.text.form)
        count += 1
    return count


def weigh(
    pairs: tuple[Pair, ...], messages: Sequence[Sent], turns: Sequence[KnownTurn]
) -> Alignment:
    """Return an alignment of one pair or more, with what speaks for it and against it."""
    found: set[int] = set()
    total = 0.0
    for at, pair in enumerate(pairs):
        places = range(pair.turn, pair.turn + pair.more + 1)
        found.update(places)
        said = sum(weight(turns[place].text.form) for place in places)
        if len(messages[pair.message].form) < SHORT and not _has_neighbour(pairs, at):
            continue
        total += said if pair.relation is Relation.SAME else said * LOOSE
    first, last = min(found), max(found)
    return Alignment(
        pairs=pairs,
        weight=total,
        missing=sum(
            weight(turns[at].text.form)
            for at in range(first, last)
            if at not in found and not turns[at].hidden
        ),
        strange=_strange(pairs, messages),
    )


def _strange(pairs: tuple[Pair, ...], messages: Sequence[Sent]) -> float:
    found = {pair.message for pair in pairs}
    return sum(
        weight(messages[at].form)
        for at in range(min(found), max(found))
        if at not in found and messages[at].role is not Role.SYSTEM
    )


def _has_neighbour(pairs: Sequence[Pair], at: int) -> bool:
    """Say whether the turn before or after was found beside it."""
    pair = pairs[at]
    before = at > 0 and pairs[at - 1].turn + pairs[at - 1].more + 1 == pair.turn
    after = at + 1 < len(pairs) and pair.turn + pair.more + 1 == pairs[at + 1].turn
    return before or after
