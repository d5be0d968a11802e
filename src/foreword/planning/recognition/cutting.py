"""How far an alignment is to be believed, from its beginning on.

Below `choosing`, above `aligning`. Invariant: what is cut off is the end of an alignment, so what
is left still lies in order; a chat that leaves another early and meets one of its lines by chance
later has left it early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from foreword.domain.turn import Role
from foreword.planning.recognition.aligning import Pair, Sent, is_version
from foreword.planning.recognition.known import KnownBranch, KnownText, KnownTurn
from foreword.planning.recognition.normal import SHORT, Relation, relation

LEAP = 4
"""So many turns may be left out before a single line; more only before a run of turns."""
RUN = 2
"""Turns that follow each other in the request and on the branch, which nobody repeats by chance."""


def cut(pairs: tuple[Pair, ...], messages: Sequence[Sent], branch: KnownBranch) -> tuple[Pair, ...]:
    """Return the pairs of an alignment up to where the request leaves the branch."""
    for at, pair in enumerate(pairs):
        # What is an answer of ours word for word is no edit of another.
        next_one = pairs[at + 1] if at + 1 < len(pairs) else None
        follows = (
            next_one is not None
            and next_one.message == pair.message + 1
            and next_one.relation is not Relation.ALIKE
        )
        last = branch.turns[pair.turn + pair.more].id
        if not follows and kept_answer(messages, pair.message + 1, branch, last) is not None:
            return pairs[: at + 1]
        if at + 1 < len(pairs) and not _is_sound(pairs, at, messages):
            return (*pairs[: at + 1], *_further(pair, messages, branch.turns))
    return pairs


def _further(pair: Pair, messages: Sequence[Sent], turns: Sequence[KnownTurn]) -> Iterator[Pair]:
    """Yield the pairs that go straight on: the line met later by chance may stand here too."""
    place = pair.turn + pair.more + 1
    for at in range(pair.message + 1, len(messages)):
        version = is_version(messages[at], turns[place]) if place < len(turns) else None
        if version is not None:
            yield Pair(message=at, turn=place, relation=Relation.SAME, version=version)
            place += 1
        elif messages[at].role is not Role.SYSTEM:
            return


def kept_answer(
    messages: Sequence[Sent], at: int, branch: KnownBranch, after: int
) -> KnownText | None:
    """Return the answer, given after a turn and not one yet, that a message is."""
    answers = branch.answers.get(after, ())
    if not answers or at >= len(messages):
        return None
    message = messages[at]
    equal = next((answer for answer in answers if answer.key == message.key), None)
    near = (Relation.CUT, Relation.GROWN, Relation.BEHIND)
    if equal is not None or len(message.form) < SHORT:
        return equal
    return next((one for one in answers if relation(message.form, one.form) in near), None)


def _is_sound(pairs: tuple[Pair, ...], at: int, messages: Sequence[Sent]) -> bool:
    """Say whether the pairs behind one, and a leap over turns, are more than chance."""
    here, there = pairs[at], pairs[at + 1]
    leap = there.turn - here.turn - here.more - 1
    if leap <= LEAP and not (leap and there.message - here.message > 1):
        return True
    run = [there]
    for before, after in pairwise(pairs[at + 1 :]):
        if after.turn != before.turn + before.more + 1:
            break
        run.append(after)
    told = any(len(messages[pair.message].form) >= SHORT for pair in run)
    return len(run) >= RUN and told
