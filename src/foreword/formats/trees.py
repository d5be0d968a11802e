"""Conversations that branch, as paths that can be taken in one after the other.

Below the exports of chat services, above the domain. Invariant: every turn of the tree is once on a
path, or an alternative there: the main path is the first, and another begins as one before it does
and then goes on with a turn of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from foreword.domain.amounts import counted
from foreword.domain.interchange import ChatTurn, Loss

MOST_TURNS: Final = 1_000_000
"""So many turns may the paths of one conversation have together, those that they share counted
each time; nobody's conversation is near it, and made-up ones must not fill the memory."""


@dataclass(slots=True, eq=False)
class Node:
    """A turn with one text, and what follows it in the order in which it was written."""

    turn: ChatTurn
    main: bool = False
    """Whether it is on the path that is shown."""
    children: list[Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """The turns of one branch from the first on."""

    turns: tuple[ChatTurn, ...]
    root: int
    """Paths of the same number begin with the same turn; 0 is the main path's."""


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a path leaves one before it."""

    before: tuple[ChatTurn, ...]
    group: Sequence[Node]
    """What comes next: the node and those that stand beside it."""
    root: int


def paths_of(roots: Sequence[Node], losses: list[Loss], most: int = MOST_TURNS) -> tuple[Path, ...]:
    """Return the main path and then one for each answer that went on in another way.

    Answers beside a turn that did not go on are its alternatives, in the order of the file. Where
    the nodes do not say which is shown, the last one is.
    """
    waiting = deque([_Start((), roots, 0)] if roots else [])
    paths: list[Path] = []
    separate, held, dropped = 0, 0, 0
    while waiting:
        start = waiting.popleft()
        turns, group = list(start.before), start.group
        while group:
            node, alternatives, others = _chosen(group)
            for other in others:
                held += len(turns)
                if held > most:
                    dropped += 1
                    continue
                separate += not turns
                root = start.root if turns else separate
                waiting.append(_Start(tuple(turns), (other,), root))
            turns.append(_turn(node, alternatives))
            group = node.children
        paths.append(Path(turns=tuple(turns), root=start.root))
    if dropped:
        why = f"the branches of a conversation may have {most} turns together"
        losses.append(Loss(where="the conversation", what=counted(dropped, "branch"), why=why))
    return tuple(paths)


def _chosen(group: Sequence[Node]) -> tuple[Node, list[Node], list[Node]]:
    """Return the node that is shown, all that are alternatives with it, and the rest."""
    node = group[-1]
    if len(group) == 1:
        return node, [node], []
    node = next((one for one in group if one.main), node)
    alternatives = [one for one in group if one is node or _is_like(one, node)]
    others = [one for one in group if not any(one is known for known in alternatives)]
    return node, alternatives, others


def _is_like(one: Node, shown: Node) -> bool:
    mine, other = one.turn, shown.turn
    same = (mine.role, mine.speaker, mine.hidden) == (other.role, other.speaker, other.hidden)
    return not one.children and same


def _turn(node: Node, alternatives: Sequence[Node]) -> ChatTurn:
    if len(alternatives) == 1:
        return node.turn
    return ChatTurn(
        role=node.turn.role,
        speaker=node.turn.speaker,
        texts=tuple(text for one in alternatives for text in one.turn.texts),
        chosen=next(place for place, one in enumerate(alternatives) if one is node),
        hidden=node.turn.hidden,
    )
