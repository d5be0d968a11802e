import asyncio
from contextlib import aclosing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.calls import (
    Delta,
    Finish,
    ModelAnswer,
    ModelEvent,
    ModelRequest,
    Usage,
)
from foreword.domain.message import Message
from foreword.domain.routes import Route, route_from
from foreword.domain.summarising import Passage
from foreword.domain.turn import Role
from foreword.errors import (
    AnswerUnreadable,
    CallFailed,
    ContextOverflow,
    KeyRejected,
    ModelOverloaded,
    ModelTimedOut,
    ModelUnknown,
    ModelUnreachable,
    QuotaExhausted,
    RateLimited,
    RequestRefused,
)
from foreword.ports.chat_model import ChatModel, ChatModels
from foreword.prompts.passages import fenced, passage_text
from foreword.quality.findings import Draft, Source
from foreword.quality.gates import judge
from foreword.testing.models import FakeModel, FakeModels, FaultyModel, plausible_summary

FAILURES: tuple[CallFailed, ...] = (
    *(
        kind(route="chat", detail="told to")
        for kind in (
            AnswerUnreadable, KeyRejected, ModelOverloaded, ModelTimedOut, ModelUnknown,
            ModelUnreachable, QuotaExhausted, RateLimited, RequestRefused,
        )
    ),
    ContextOverflow(route="chat", detail="told to"),
)  # fmt: skip
CHAT = (
    (
        "Mara waits under the old bridge with eleven coins in her glove. She asks whether the "
        "ferryman still takes passengers after dark."
    ),
    (
        "“Four coins for me,” says Tobin, “and seven for the boat.” He hides the letter for "
        "Captain Ilse in his left boot and points at the lantern on the far bank.\n\nThen he goes."
    ),
    (
        "Mara counts the coins into his hand, all eleven of them, and has him swear on his "
        "mother's ring that nobody opens the letter before Sunday."
    ),
)
FENCE = "FENCE-1"


def asking(prompt: str) -> ModelRequest:
    return ModelRequest(messages=(Message(role=Role.USER, content=prompt),))


def passages(*texts: str) -> tuple[Passage, ...]:
    return tuple(
        Passage(speaker=("Mara", "Tobin")[at % 2], role=(Role.USER, Role.ASSISTANT)[at % 2], text=t)
        for at, t in enumerate(texts)
    )


def summary_of(*texts: str) -> str:
    prompt = f"Summarise what is fenced.\n\n{passage_text(passages(*texts), FENCE)}\n\nBe brief."
    return plausible_summary(asking(prompt))


def words(text: str) -> int:
    return len(text.split())


def route(name: str) -> Route:
    return route_from(name, {"url": "http://model/v1", "model": "m-1"})


async def all_of(model: ChatModel, prompt: str = "Go on.") -> list[ModelEvent]:
    return [event async for event in model.stream(asking(prompt))]


def texts(model: ChatModel, times: int) -> list[str]:
    async def run() -> list[str]:
        answers = [(await all_of(model))[-1] for _ in range(times)]
        return [answer.text for answer in answers if isinstance(answer, ModelAnswer)]

    return asyncio.run(run())


def test_an_answer_is_streamed_in_pieces_and_then_told_whole() -> None:
    found = asyncio.run(all_of(FakeModel(["Mara left."], chunk=4), "Who left?"))
    usage = Usage(tokens_in=2, tokens_out=2, reported=False)
    assert found == [
        Delta(text="Mara"),
        Delta(text=" lef"),
        Delta(text="t."),
        ModelAnswer(text="Mara left.", raw="Mara left.", usage=usage, model="fake"),
    ]


def test_reasoning_comes_first_and_apart_and_the_raw_text_is_what_streams() -> None:
    answer = ModelAnswer(
        text="Yes.", reasoning="Hm.", raw="<b>Yes.", finish=Finish.LENGTH, model="x"
    )
    assert asyncio.run(all_of(FakeModel([answer]))) == [
        Delta(text="Hm.", reasoning=True),
        Delta(text="<b>Yes."),
        answer,
    ]


def test_a_used_up_list_repeats_its_last_answer() -> None:
    assert texts(FakeModel(["one", "two"]), 4) == ["one", "two", "two", "two"]


def test_a_function_answers_from_the_request() -> None:
    model = FakeModel(lambda request: request.messages[-1].content.upper())
    assert texts(model, 1) == ["GO ON."]
    assert model.requests == (asking("Go on."),)


@pytest.mark.parametrize("error", FAILURES, ids=lambda error: type(error).__name__)
def test_every_kind_of_failure_is_raised_as_it_was_given(error: CallFailed) -> None:
    for model in (FakeModel([error]), FaultyModel(error)):
        with pytest.raises(type(error)) as caught:
            asyncio.run(all_of(model))
        assert caught.value is error


def test_a_fake_without_an_answer_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="needs an answer"):
        FakeModel([])
    with pytest.raises(ValueError, match="at least a character"):
        FakeModel(["Yes."], chunk=0)


def test_context_and_price_are_what_was_told() -> None:
    model = FakeModel(["Yes."], context=4096, price_in=1.0, price_out=2.5)
    faulty = FaultyModel(then=model)
    usage = Usage(tokens_in=100, tokens_out=10)
    for told in (model, faulty):
        assert asyncio.run(told.context()) == 4096
        assert told.price(usage) == 125
    for silent in (FakeModel(["Yes."], price_in=1.0), FaultyModel()):
        assert asyncio.run(silent.context()) is None
        assert silent.price(usage) is None


def test_a_stream_that_is_closed_early_counts_as_stopped() -> None:
    async def run() -> None:
        model = FakeModel(["Mara left."], chunk=2)
        for faulty, begun in ((None, "Ma"), (FaultyModel(then=model), "Ma")):
            async with aclosing((faulty or model).stream(asking("Go on."))) as stream:
                assert await anext(stream) == Delta(text=begun)
        assert model.stopped == 2
        await all_of(model)
        assert model.stopped == 2

    asyncio.run(run())


def test_a_task_can_be_cancelled_before_every_piece() -> None:
    async def stopped_after(steps: int) -> tuple[int, bool]:
        model = FakeModel(["abcd"], chunk=1)
        task = asyncio.create_task(all_of(model))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return model.stopped, task.cancelled()

    found = [asyncio.run(stopped_after(steps)) for steps in range(1, 6)]
    assert found == [(1, True)] * 5


def test_a_faulty_model_fails_as_often_as_told_and_then_answers() -> None:
    model = FaultyModel(*FAILURES[:2], then=FakeModel(["Mara left."]))
    for error in FAILURES[:2]:
        with pytest.raises(type(error)):
            asyncio.run(all_of(model))
    assert texts(model, 1) == ["Mara left."]
    assert len(model.requests) == 3
    assert model.stopped == 0


def test_a_faulty_model_can_fail_in_the_middle() -> None:
    async def run() -> None:
        stream = FaultyModel(FAILURES[3], begun="Mara").stream(asking("Go on."))
        assert await anext(stream) == Delta(text="Mara")
        with pytest.raises(ModelTimedOut):
            await anext(stream)

    asyncio.run(run())


@pytest.mark.parametrize("begun", ["", "Mara"])
def test_a_model_that_hangs_waits_until_it_is_cancelled(begun: str) -> None:
    async def run() -> None:
        model = FaultyModel(begun=begun)
        task = asyncio.create_task(all_of(model))
        for _ in range(10):
            await asyncio.sleep(0)
        assert (len(model.requests), task.done()) == (1, False)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert model.stopped == 1

    asyncio.run(run())


def test_one_model_does_every_job_or_each_has_its_own() -> None:
    one, other = FakeModel(["one"]), FakeModel(["other"])
    all_jobs, each = FakeModels(one), FakeModels({"chat": one, "merge": other})
    opening: ChatModels = each
    assert [all_jobs.open(route("chat")), all_jobs.open(route("merge"))] == [one, one]
    assert [opening.open(route("chat")), opening.open(route("merge"))] == [one, other]
    assert each.opened == [route("chat"), route("merge")]
    with pytest.raises(KeyError, match="fallback"):
        each.open(route("fallback"))


def test_a_plausible_summary_tells_the_source_and_the_gates_take_it() -> None:
    told = summary_of(*CHAT)
    tokens = sum(words(text) for text in CHAT)
    assert {"Mara", "Tobin", "bridge", "Four", "coins"} <= set(told.split())
    source = Source(passages=passages(*CHAT), tokens=tokens, target_tokens=tokens // 3)
    assert judge(Draft(text=told), source, count=words).findings == ()


def test_a_plausible_summary_of_other_passages_is_another_one() -> None:
    assert summary_of("Ilse found nine keys today.") == "Mara says: Ilse."
    assert summary_of("Ilse found nine keys in the well at noon.") == "Mara says: Ilse found nine."
    assert summary_of(*CHAT) != summary_of(*reversed(CHAT))


def test_a_plausible_summary_leaves_nothing_open() -> None:
    code = "```python\nprint('hi')\n```\nRun it twice, please, and then tell me what it prints."
    assert summary_of(code, "- one\n- two\n- three") == (
        "Mara says: print 'hi' Run it. Tobin says: one."
    )
    assert summary_of("玛拉在旧桥下等着摆渡人。") == "Mara says: 玛拉在旧。"
    assert summary_of("...", "Nine boats left.") == "Tobin says: Nine."


def test_a_plausible_summary_of_blocks_needs_no_speakers() -> None:
    blocks = "Mara paid eleven coins to Tobin.\n\nTobin lost the letter in Brennick."
    merged = plausible_summary(asking(f"Merge.\n\n{fenced(blocks, FENCE)}"))
    assert merged == "Mara paid. Tobin lost."
    assert plausible_summary(asking("Tell of the six ships.")) == "Tell."
    assert plausible_summary(asking("")) == ""


@given(st.lists(st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1), min_size=1))
def test_a_plausible_summary_is_shorter_than_what_is_not_tiny(told: list[list[str]]) -> None:
    chat = [" ".join(text) for text in told]
    summary = summary_of(*chat)
    assert summary
    assert words(summary) < max(sum(map(len, told)), 4)
