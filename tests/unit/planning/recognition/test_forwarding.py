"""What of a request goes to the model."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from tests.unit.planning.recognition.recordings import OTHER_CLIENTS, PLAYER_CHATS, recorded
from tests.unit.planning.recognition.shelf import Shelf
from tests.unit.planning.recognition.test_recognise import (
    ANSWERS,
    HEAD,
    LINES,
    NOTE,
    assistant,
    history,
    system,
    told,
    user,
)

from foreword.domain.client_message import ClientMessage
from foreword.domain.turn import Role, ToolCallPart
from foreword.planning.recognition.forwarding import Covered, Forwarding, plan_forwarding
from foreword.planning.recognition.recognise import recognise
from foreword.planning.recognition.result import Place

CALL = ClientMessage(
    role=Role.ASSISTANT, calls=(ToolCallPart(call_id="c1", name="tide", arguments="{}"),)
)
GREETING_ELSEWHERE = "*A clerk looks up.* The office is closed until the tide has turned."
RESULT = ClientMessage(role=Role.TOOL, text="2 feet", answers="c1")


def forwarded(
    shelf: Shelf,
    request: Sequence[ClientMessage],
    *spans: range,
    branch: int,
    limit: int | None = None,
) -> Forwarding:
    """Plan a request with summaries over stretches of a branch, a token a message."""
    turns = shelf.branches[branch].turns
    cover = [Covered(turns=tuple(turns[at].id for at in span), tokens=1) for span in spans]
    found = recognise(request, tuple(shelf.branches.values()))
    return plan_forwarding(request, found, cover, tokens=[1] * len(request), limit=limit)


def test_covered_turns_give_way_to_the_memory_behind_the_instructions() -> None:
    shelf, branch = told(4)
    request = [HEAD, *history(5)]
    plan = forwarded(shelf, request, range(3), range(3, 5), branch=branch)
    assert plan == Forwarding(
        kept=(0, 6, 7, 8, 9, 10),
        memory_at=1,
        summaries=(0, 1),
        covered=(1, 2, 3, 4, 5),
        dropped=(),
        tokens=8,
    )


def test_a_note_between_covered_turns_goes_on() -> None:
    shelf, branch = told(4)
    chat = history(5)
    request = [HEAD, *chat[:2], system(NOTE), *chat[2:]]
    plan = forwarded(shelf, request, range(5), branch=branch)
    assert 3 in plan.kept
    assert plan.covered == (1, 2, 4, 5, 6)


def test_a_summary_of_a_turn_that_was_left_out_between_others_is_not_used() -> None:
    shelf, branch = told(4)
    chat = history(5)
    plan = forwarded(shelf, [HEAD, *chat[:1], *chat[3:]], range(3), range(3, 5), branch=branch)
    assert plan.summaries == (1,)
    assert plan.covered == (2, 3)


def test_a_summary_of_turns_that_the_client_trimmed_is_used() -> None:
    shelf, branch = told(4)
    plan = forwarded(shelf, [HEAD, *history(5)[4:]], range(4), branch=branch)
    assert (plan.summaries, plan.covered) == ((0,), ())


def test_a_summary_of_a_turn_that_was_edited_is_not_used() -> None:
    shelf, branch = told(4)
    chat = history(5)
    chat[1] = user("I came up the outer stair, the watchman stopped me on the way.")
    plan = forwarded(shelf, [HEAD, *chat], range(3), branch=branch)
    assert (plan.summaries, plan.covered) == ((), ())


def test_a_chat_that_leaves_a_branch_takes_no_summary_of_what_came_later() -> None:
    shelf, branch = told(4)
    request = [HEAD, *history(2), user("Then I shall come back by daylight.")]
    plan = forwarded(shelf, request, range(3), range(3, 7), branch=branch)
    assert plan.summaries == (0,)


def test_a_new_chat_has_no_memory() -> None:
    shelf, branch = told(4)
    request = [HEAD, assistant(GREETING_ELSEWHERE), user("Is this the weather office?")]
    plan = forwarded(shelf, request, range(3), branch=branch)
    assert (plan.summaries, plan.kept) == ((), (0, 1, 2))


def test_what_does_not_fit_is_left_out_from_the_oldest_on_and_named() -> None:
    shelf, branch = told(4)
    plan = forwarded(shelf, [HEAD, *history(5)], branch=branch, limit=5)
    assert plan.dropped == (1, 2, 3, 4, 5, 6)
    assert plan.kept == (0, 7, 8, 9, 10)
    assert plan.tokens == 5


def test_the_newest_line_and_all_behind_it_go_on_however_small_the_limit() -> None:
    shelf, branch = told(3)
    nudge = system("[Write the next reply only as Oda.]")
    request = [HEAD, *history(3), nudge, assistant("Oda considers this. ")]
    plan = forwarded(shelf, request, branch=branch, limit=1)
    assert plan.kept == (0, 6, 7, 8)
    assert plan.tokens == 4


def test_a_call_and_its_results_go_together() -> None:
    shelf, branch = told(2)
    chat = [*history(2), CALL, RESULT, assistant(ANSWERS[2]), user(LINES[3])]
    plan = forwarded(shelf, [HEAD, *chat], branch=branch, limit=4)
    assert plan.dropped == (1, 2, 3, 4, 5, 6)
    plan = forwarded(shelf, [HEAD, *chat], branch=branch, limit=5)
    assert plan.dropped == (1, 2, 3, 4)


def test_a_message_that_holds_more_than_a_summary_covers_goes_on() -> None:
    shelf, branch = told(3)
    chat = history(4)
    joined = user("\n\n".join((LINES[0], ANSWERS[0], LINES[1])))
    plan = forwarded(shelf, [HEAD, chat[0], joined, *chat[4:]], range(3), branch=branch)
    assert plan.covered == (1,)


def test_a_request_without_a_line_of_the_user_goes_on_as_it_is() -> None:
    request = [HEAD, assistant(ANSWERS[0]), RESULT]
    plan = plan_forwarding(request, recognise(request, ()), (), tokens=[9, 9, 9], limit=1)
    assert plan.kept == (0, 1, 2)


def test_instructions_alone_go_on_as_they_are() -> None:
    plan = plan_forwarding([HEAD], recognise([HEAD], ()), (), tokens=[9], limit=1)
    assert (plan.kept, plan.memory_at, plan.tokens) == ((0,), 1, 9)


@given(share=st.floats(0.1, 1.0), size=st.integers(1, 6))
def test_every_recorded_request_keeps_what_it_must_keep(share: float, size: int) -> None:
    path = (*PLAYER_CHATS, *OTHER_CLIENTS)[size % len((*PLAYER_CHATS, *OTHER_CLIENTS))]
    shelf = Shelf()
    for request in list(recorded(path))[:20]:
        messages = request.messages
        before = dict(shelf.branches)
        found, branch = shelf.request(messages)
        cover: list[Covered] = []
        if found.branch is not None:
            ids = [turn.id for turn in before[found.branch.branch].turns if not turn.hidden]
            blocks = range(0, max(0, len(ids) - 2), size)
            cover = [Covered(turns=tuple(ids[at : at + size]), tokens=2) for at in blocks]
        limit = int(len(messages) * share)
        plan = plan_forwarding(messages, found, cover, tokens=[1] * len(messages), limit=limit)
        gone = {*plan.covered, *plan.dropped}
        assert sorted((*plan.kept, *gone)) == list(range(len(messages)))
        must = (Place.HEAD, Place.INJECTION, Place.SUSPECT, Place.TAIL)
        assert not any(found.places[at] in must for at in gone)
        assert found.newest not in gone
        assert len(messages) - 1 not in gone
        came = {turn for turns in found.turns.values() for turn in turns}
        for at in plan.summaries:
            here = [turn for turn in cover[at].turns if turn in came]
            assert set(here) <= found.faithful
        if request.answer:
            shelf.answer(branch, request.answer)
