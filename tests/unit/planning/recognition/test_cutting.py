"""Where a request leaves a branch."""

from __future__ import annotations

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role
from foreword.planning.recognition.aligning import Pair, sent
from foreword.planning.recognition.cutting import LEAP, cut
from foreword.planning.recognition.known import KnownBranch, KnownText, KnownTurn
from foreword.planning.recognition.normal import Relation, message_key, normal_form

LINES = tuple(f"Line {at}, and some more words about the weather." for at in range(12))


def message(text: str, role: Role = Role.USER) -> ClientMessage:
    return ClientMessage(role=role, text=text)


def branch(*texts: str) -> KnownBranch:
    turns = tuple(
        KnownTurn(
            id=at + 1,
            role=Role.USER,
            versions=(KnownText(key=message_key(message(text)), form=normal_form(text)),),
        )
        for at, text in enumerate(texts)
    )
    return KnownBranch(conversation="1", branch=1, turns=turns)


def pairs(*places: tuple[int, int]) -> tuple[Pair, ...]:
    return tuple(
        Pair(message=at, turn=place, relation=Relation.SAME, version=0) for at, place in places
    )


def test_a_single_line_far_away_is_chance_and_stands_where_the_chat_went_straight_on() -> None:
    known = branch(*LINES[:3], *LINES[3:], LINES[2])
    request = [sent(message(LINES[at])) for at in range(3)]
    far = pairs((0, 0), (1, 1), (2, len(known.turns) - 1))
    assert cut(far, request, known) == pairs((0, 0), (1, 1), (2, 2))


def test_instructions_between_do_not_end_what_goes_straight_on() -> None:
    known = branch(*LINES, LINES[2])
    note = message("[Keep it short.]", Role.SYSTEM)
    request = [sent(one) for one in (message(LINES[1]), note, message(LINES[2]), note)]
    assert cut(pairs((0, 1), (2, len(LINES))), request, known) == pairs((0, 1), (2, 2))


def test_a_run_of_telling_turns_is_worth_a_leap() -> None:
    known = branch(*LINES)
    request = [sent(message(LINES[at])) for at in (0, 8, 9)]
    assert cut(pairs((0, 0), (1, 8), (2, 9)), request, known) == pairs((0, 0), (1, 8), (2, 9))


def test_a_few_turns_may_be_left_out_before_a_single_line() -> None:
    known = branch(*LINES)
    request = [sent(message(LINES[at])) for at in (0, LEAP + 1)]
    found = pairs((0, 0), (1, LEAP + 1))
    assert cut(found, request, known) == found
