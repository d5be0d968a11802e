"""Branches in memory that do what recognition says, so that recordings can be replayed purely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role
from foreword.planning.recognition.known import START, KnownBranch, KnownText, KnownTurn, Notes
from foreword.planning.recognition.normal import message_key, normal_form
from foreword.planning.recognition.recognise import recognise
from foreword.planning.recognition.result import (
    Add,
    Drop,
    Hide,
    Recognition,
    ReplyKind,
    Revise,
    Select,
)


def known_text(message: ClientMessage) -> KnownText:
    return KnownText(key=message_key(message), form=normal_form(message.text))


@dataclass
class Shelf:
    """All that is known, and what the last request became."""

    branches: dict[int, KnownBranch] = field(default_factory=dict)
    clock: int = 0
    added: int = 0
    """Turns that were stored, in conversations of more than one request."""

    def request(
        self, messages: Sequence[ClientMessage], hints: frozenset[str] = frozenset()
    ) -> tuple[Recognition, int]:
        """Recognise a request and do what it says; returns the branch too."""
        found = recognise(messages, tuple(self.branches.values()), hints)
        self.clock += 1
        branch = self._branch(found)
        ids = {START: START}
        turns = list(branch.turns)
        for change in found.changes:
            places = {turn.id: at for at, turn in enumerate(turns)}
            match change:
                case Add():
                    text = known_text(messages[change.message])
                    new = self._tick()
                    ids[-1 - change.message] = new
                    others = tuple(one for one in change.answers if one.key != text.key)
                    after = ids.get(change.after, change.after)
                    at = places[after] + 1 if after else 0
                    role = messages[change.message].role
                    turns.insert(at, KnownTurn(id=new, role=role, versions=(text, *others)))
                    self.added += 1
                case Revise():
                    at = places[change.turn]
                    old = turns[at]
                    text = known_text(messages[change.message])
                    turns[at] = replace(
                        old, versions=(*old.versions, text), selected=len(old.versions)
                    )
                case Select():
                    at = places[change.turn]
                    turns[at] = replace(turns[at], selected=change.version)
                case Hide():
                    at = places[change.turn]
                    turns[at] = replace(turns[at], hidden=change.hidden)
                case Drop():
                    del turns[places[change.turn]]
        came = {ids.get(one, one) for turn in found.turns.values() for one in turn}
        turns = [replace(turn, shown=True) if turn.id in came else turn for turn in turns]
        answers = {
            turn: known
            for turn, known in branch.answers.items()
            if not any(
                isinstance(one, Add) and one.answers and one.after == turn for one in found.changes
            )
        }
        self.branches[branch.branch] = replace(
            branch,
            turns=tuple(turns),
            answers=answers,
            notes=self._notes(found.notes, ids),
            used=self.clock,
            hints=branch.hints | hints,
        )
        self._reply = replace(found.reply, turn=ids.get(found.reply.turn, found.reply.turn))
        return found, branch.branch

    def answer(self, branch: int, text: str) -> None:
        """Store what the model answered to the last request."""
        known = self.branches[branch]
        new = known_text(ClientMessage(role=Role.ASSISTANT, text=text))
        turns = list(known.turns)
        answers = dict(known.answers)
        at = next((at for at, turn in enumerate(turns) if turn.id == self._reply.turn), -1)
        match self._reply.kind:
            case ReplyKind.TURN:
                turn = KnownTurn(id=self._tick(), role=Role.ASSISTANT, versions=(new,), shown=False)
                turns.insert(at + 1, turn)
                self.added += 1
            case ReplyKind.VERSION:
                old = turns[at]
                turns[at] = replace(old, versions=(*old.versions, new), selected=len(old.versions))
            case ReplyKind.ANSWER:
                key = self._reply.turn
                answers[key] = (*answers.get(key, ()), new)
            case ReplyKind.NOTHING:
                pass
        self.branches[branch] = replace(known, turns=tuple(turns), answers=answers)

    def _branch(self, found: Recognition) -> KnownBranch:
        if found.branch is None:
            name = self._tick()
            return KnownBranch(conversation=str(name), branch=name, turns=())
        if found.fork_after is None:
            return found.branch
        turns = found.branch.turns
        at = next((at for at, turn in enumerate(turns) if turn.id == found.fork_after), -1)
        return replace(found.branch, branch=self._tick(), turns=turns[: at + 1])

    def _notes(self, notes: Notes, ids: dict[int, int]) -> Notes:
        return replace(
            notes,
            tip=ids.get(notes.tip, notes.tip),
            suspects=tuple(
                replace(
                    one,
                    after=ids.get(one.after, one.after),
                    before=ids.get(one.before, one.before),
                )
                for one in notes.suspects
            ),
        )

    def _tick(self) -> int:
        self.clock += 1
        return self.clock
