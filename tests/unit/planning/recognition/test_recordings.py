"""What recognition makes of everything that real clients were recorded to send."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.unit.planning.recognition.recordings import (
    OTHER_CLIENTS,
    PLAYER_CHATS,
    Recorded,
    recorded,
)
from tests.unit.planning.recognition.shelf import Shelf

from foreword.domain.turn import Role
from foreword.planning.recognition.result import Place, Recognised, Recognition, ReplyKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """A request and what it was taken for."""

    request: Recorded
    found: Recognition
    branch: int
    turns: int
    """Turns of the branch after the answer, hidden ones left out."""


def replay(paths: Sequence[Path]) -> Iterator[Replayed]:
    shelf = Shelf()
    for path in paths:
        for request in recorded(path):
            found, branch = shelf.request(request.messages)
            if request.answer:
                shelf.answer(branch, request.answer)
            turns = [turn for turn in shelf.branches[branch].turns if not turn.hidden]
            yield Replayed(request=request, found=found, branch=branch, turns=len(turns))


@pytest.fixture(scope="module")
def pooled() -> tuple[Replayed, ...]:
    """All player chats as one stream: one user, the same greetings, the same lines."""
    return tuple(replay(PLAYER_CHATS))


def is_passing(request: Recorded) -> bool:
    """Say whether a request holds nothing of the chat that it was made for, or no messages."""
    return (
        len(request.messages) <= 2
        and request.kind in ("quiet", "normal")
        and (request.turns_after > 3)
    )


def test_requests_of_known_chats_find_their_branch(pooled: tuple[Replayed, ...]) -> None:
    owner: dict[int, str] = {}
    where: dict[str, int] = {}
    results: Counter[bool] = Counter()
    for one in pooled:
        chat, found = one.request.chat, one.found
        if is_passing(one.request):
            continue
        if chat in where:
            left = found.branch.branch if found.branch and found.fork_after is not None else -1
            results[
                owner.get(one.branch) == chat or left == where[chat] or owner.get(left) == chat
            ] += 1
            owner[one.branch] = chat
        else:
            owner.setdefault(one.branch, chat)
        where[chat] = one.branch
    assert results.total() > 250
    assert results[True] / results.total() >= 0.99


@pytest.mark.parametrize("path", PLAYER_CHATS, ids=lambda path: path.name.split(".")[0])
def test_hardly_a_turn_is_stored_that_the_chat_does_not_have(path: Path) -> None:
    went_on = [one for one in replay([path]) if Place.NEW in one.found.places]
    last = {one.branch: one for one in went_on if not is_passing(one.request)}
    requests = sum(1 for _ in recorded(path))
    for one in last.values():
        extra = one.turns - one.request.turns_after
        assert extra <= max(1, 0.1 * requests), (one.request.seq, one.turns)


def test_the_same_request_again_changes_nothing() -> None:
    for path in (*PLAYER_CHATS, *OTHER_CLIENTS):
        shelf = Shelf()
        for request in recorded(path):
            first, branch = shelf.request(request.messages)
            again, same = shelf.request(request.messages)
            assert again.changes == (), request.seq
            assert same == branch, request.seq
            assert again.turns.keys() == first.turns.keys(), request.seq
            if request.answer:
                shelf.answer(branch, request.answer)


def test_quiet_requests_store_no_turn(pooled: tuple[Replayed, ...]) -> None:
    for one in pooled:
        if one.request.kind in ("quiet", "impersonate") and len(one.request.messages) > 2:
            assert not any(place is Place.NEW for place in one.found.places[-1:]), one.request.seq
            assert one.found.reply.kind is not ReplyKind.VERSION, one.request.seq


def test_the_end_of_a_request_is_never_taken_for_an_old_turn_that_it_is_not(
    pooled: tuple[Replayed, ...],
) -> None:
    for one in pooled:
        last = one.found.places[-1]
        assert last in (Place.TURN, Place.NEW, Place.TAIL, Place.INJECTION), one.request.seq


def test_all_leading_instructions_are_left_where_they_are(pooled: tuple[Replayed, ...]) -> None:
    for one in pooled:
        roles = [message.role for message in one.request.messages]
        for role, what in zip(roles, one.found.places, strict=True):
            if what is not Place.HEAD:
                break
            assert role is Role.SYSTEM


@pytest.mark.parametrize("path", OTHER_CLIENTS, ids=lambda path: path.name.split(".")[0])
def test_other_clients_continue_what_they_began(path: Path) -> None:
    long = [one for one in replay([path]) if len(one.request.messages) > 5]
    assert long
    assert all(one.found.how in (Recognised.EXACT, Recognised.ALIGNED) for one in long[1:])
