"""Which branch a request continues, if any.

Below `recognise`, above `aligning`. Invariant: a request continues a conversation only by what
both hold beyond the opening that a card or a preset wrote, or by being its opening and no more.
Two chats that begin alike are two, as soon as something tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foreword.domain.turn import Role
from foreword.planning.recognition.aligning import Alignment, Sent, align, weigh, weight
from foreword.planning.recognition.cutting import cut, kept_answer
from foreword.planning.recognition.known import START, KnownBranch, KnownText, KnownTurn, TurnRef
from foreword.planning.recognition.normal import SHORT, Relation

MISSING = 0.5
"""What a turn that should have come weighs against a branch, of what it would weigh for it."""
STRANGE = 0.5
"""The same of messages between turns that are none."""
AFTER = 1.0
"""What turns behind the last that came weigh against a branch: it decides between equals."""
UNFINISHED = 2
"""Turns behind the last that came which give way: a line and an answer that no request showed."""
HINT = 1.1
"""What an equal hint multiplies: it tips the scales and decides nothing alone."""
SEVERAL = 2
"""Telling turns beyond the opening that make a branch sure, however much else is new."""
SHARE = 0.5
"""Or this share of what the request tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A branch that a request may continue."""

    branch: KnownBranch
    alignment: Alignment
    kept: KnownText | None
    """The answer, not yet a turn, that the first message behind the last turn is."""
    score: float

    @property
    def last(self) -> int:
        """The place of the last turn that came, -1 for none."""
        pairs = self.alignment.pairs
        return pairs[-1].turn + pairs[-1].more if pairs else -1

    @property
    def last_turn(self) -> TurnRef:
        """The last turn that came."""
        return self.branch.turns[self.last].id if self.last >= 0 else START

    @property
    def goes_on(self) -> bool:
        """Whether the branch goes on behind that turn, further than a line without its answer."""
        behind = self.branch.turns[self.last + 1 :]
        told = any(turn.shown and turn.role is not Role.USER for turn in behind)
        return len(behind) > UNFINISHED or told

    @property
    def rest(self) -> int:
        """The first message behind the last turn that came."""
        pairs = self.alignment.pairs
        return pairs[-1].message + 1 if pairs else 0


def choose(
    messages: Sequence[Sent],
    branches: Sequence[KnownBranch],
    hints: frozenset[str] = frozenset(),
) -> Candidate | None:
    """Return the branch that a request's history continues, or None for a new conversation.

    Args:
        messages: The request without its leading instructions.
        branches: What the look-up by keys found, in any order.
        hints: What the request says beside its messages about whose it is.
    """
    found = [one for branch in branches if (one := _candidate(messages, branch, hints))]
    return max(found, key=lambda one: (one.score, one.branch.used), default=None)


def _candidate(
    messages: Sequence[Sent], branch: KnownBranch, hints: frozenset[str]
) -> Candidate | None:
    pairs = cut(align(messages, branch.turns), messages, branch)
    if not pairs:
        return None
    alignment = weigh(pairs, messages, branch.turns)
    score = alignment.weight - MISSING * alignment.missing - STRANGE * alignment.strange
    one = Candidate(branch=branch, alignment=alignment, kept=None, score=score)
    kept = kept_answer(messages, one.rest, branch, one.last_turn)
    hinted = bool(hints & branch.hints)
    if kept is not None:
        score += weight(kept.form)
    if one.goes_on:
        score -= AFTER
    one = Candidate(
        branch=branch,
        alignment=alignment,
        kept=kept,
        score=score * HINT if hinted else score,
    )
    return one if _continues(messages, one, hinted=hinted) else None


def _continues(messages: Sequence[Sent], candidate: Candidate, *, hinted: bool) -> bool:
    """Say whether a request and a branch share more than an opening, or are both no more."""
    turns = candidate.branch.turns
    opening = _opening(turns)
    told = [at for at in _found(candidate) if at >= opening and _tells(turns[at])]
    if candidate.kept is not None and not candidate.goes_on:
        return True
    evidence = sum(weight(turns[at].text.form) for at in told)
    evidence += weight(candidate.kept.form) if candidate.kept is not None else 0.0
    if evidence < candidate.alignment.strange:
        return False
    if len(told) + (candidate.kept is not None) >= SEVERAL:
        return True
    behind = [one for one in messages[candidate.rest :] if one.role is not Role.SYSTEM]
    pairs = candidate.alignment.pairs
    if candidate.last + 1 == len(turns) and not candidate.alignment.missing:
        return pairs[0].turn == 0 or bool(told)
    if not told and candidate.kept is None:
        began = not any(one.role is not Role.SYSTEM for one in messages[: pairs[0].message])
        plain = all(pair.relation is Relation.SAME for pair in pairs)
        whole = candidate.last + 1 >= opening
        return began and plain and whole and (not behind or hinted)
    said = sum(weight(one.form) for one in messages if one.role is not Role.SYSTEM)
    new = weight(behind[-1].form) if behind else 0.0
    return candidate.alignment.weight >= SHARE * (said - new)


def _found(candidate: Candidate) -> Iterator[int]:
    for pair in candidate.alignment.pairs:
        yield from range(pair.turn, pair.turn + pair.more + 1)


def _tells(turn: KnownTurn) -> bool:
    return len(turn.text.form) >= SHORT


def _opening(turns: Sequence[KnownTurn]) -> int:
    """Return how many first turns many chats share: greetings, and the first line of the user."""
    first = next((at for at, turn in enumerate(turns) if turn.role is Role.USER), len(turns) - 1)
    return first + 1
