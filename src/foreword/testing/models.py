"""Models without a server: one that answers as it is told, and one that fails as it is told.

Above: tests. Below: `ports.chat_model`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

from foreword.domain.calls import Delta, Finish, ModelAnswer, ModelEvent, ModelRequest, Usage
from foreword.domain.routes import Route
from foreword.errors import ForewordError
from foreword.ports.chat_model import ChatModel

Answer = str | ModelAnswer | ForewordError
"""What a model writes, or the error it ends with."""

_MARK = re.compile(r"^▸ (.+?) \[[^\]]*\]: (.*)$", re.MULTILINE)
_FENCED = re.compile(r"<<<(\S+)\n(.*?)\n\1>>>", re.DOTALL)


class FakeModel:
    """Answers with what it is given, streamed in pieces; a used-up list repeats its last entry.

    With a function it answers what that makes of the request. Without anything it writes a
    plausible summary, see `plausible_summary`.

        model = FakeModel(["Mara left.", RateLimited(route="summarise", detail="429")])
    """

    def __init__(
        self,
        answers: Sequence[Answer] | Callable[[ModelRequest], Answer] | None = None,
        *,
        context: int | None = None,
        price_in: float | None = None,
        price_out: float | None = None,
        chunk: int = 24,
    ) -> None:
        """Take the answers.

        Args:
            answers: in order, or a function; None for plausible summaries.
            context: size of the context that `context` tells, in tokens.
            price_in: US dollars for a million tokens read; None for unknown prices.
            price_out: US dollars for a million tokens written.
            chunk: characters of a piece of the stream.
        """
        self._answers = plausible_summary if answers is None else answers
        self._context = context
        self._prices = (price_in, price_out)
        self._chunk = chunk
        self._requests: list[ModelRequest] = []
        self.stopped = 0
        """Streams that were ended by whoever read them."""

    @property
    def requests(self) -> tuple[ModelRequest, ...]:
        """What was asked, oldest first."""
        return tuple(self._requests)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """See `ChatModel.stream`."""
        self._requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, ForewordError):
            await asyncio.sleep(0)
            raise answer
        try:
            for reasoning, text in ((True, answer.reasoning), (False, answer.raw or answer.text)):
                for at in range(0, len(text), self._chunk):
                    await asyncio.sleep(0)
                    yield Delta(text=text[at : at + self._chunk], reasoning=reasoning)
            await asyncio.sleep(0)
        except (asyncio.CancelledError, GeneratorExit):
            self.stopped += 1
            raise
        yield answer

    async def context(self) -> int | None:
        """See `ChatModel.context`."""
        await asyncio.sleep(0)
        return self._context

    def price(self, usage: Usage) -> int | None:
        """See `ChatModel.price`."""
        price_in, price_out = self._prices
        if price_in is None or price_out is None:
            return None
        return round(usage.tokens_in * price_in + usage.tokens_out * price_out)

    def _answer(self, request: ModelRequest) -> ModelAnswer | ForewordError:
        if callable(self._answers):
            answer = self._answers(request)
        else:
            answer = self._answers[min(len(self._requests), len(self._answers)) - 1]
        return answer if isinstance(answer, ForewordError) else _complete(answer, request)


class FaultyModel:
    """Fails with the errors it is given, one call each, and then answers like `then`, or hangs."""

    def __init__(self, *errors: ForewordError, then: FakeModel | None = None) -> None:
        """Take the errors.

        Args:
            errors: what the first calls end with.
            then: what answers later calls; None: they never end.
        """
        self._errors = list(errors)
        self._then = then
        self._requests: list[ModelRequest] = []
        self.stopped = 0
        """Calls that were ended by whoever waited for them."""

    @property
    def requests(self) -> tuple[ModelRequest, ...]:
        """What was asked, oldest first."""
        return tuple(self._requests)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """See `ChatModel.stream`."""
        self._requests.append(request)
        await asyncio.sleep(0)
        if self._errors:
            raise self._errors.pop(0)
        if self._then is None:
            try:
                await asyncio.Event().wait()
            finally:
                self.stopped += 1
            return
        async for event in self._then.stream(request):
            yield event

    async def context(self) -> int | None:
        """See `ChatModel.context`."""
        return None if self._then is None else await self._then.context()

    def price(self, usage: Usage) -> int | None:
        """See `ChatModel.price`."""
        return None if self._then is None else self._then.price(usage)


class FakeModels:
    """Opens the same model for every route, or one by the route's name."""

    def __init__(self, models: ChatModel | Mapping[str, ChatModel]) -> None:
        """Take one model for all, or models by the names of routes."""
        self._models = models
        self.opened: list[Route] = []
        """Routes whose models were asked for, oldest first."""

    def open(self, route: Route) -> ChatModel:
        """See `ChatModels.open`."""
        self.opened.append(route)
        return self._models[route.name] if isinstance(self._models, Mapping) else self._models


def plausible_summary(request: ModelRequest) -> str:
    """Return a summary that tells what the request's source holds, in sentences, and less of it.

    The source is what stands between fences: the first words of every passage, or of every block.
    """
    prompt = request.messages[-1].content
    source = "\n".join(found[2] for found in _FENCED.finditer(prompt)) or prompt
    passages = [(name, text) for name, text in _MARK.findall(source)]
    told = passages or [("", block) for block in source.split("\n\n") if block.strip()]
    return " ".join(_told(name, text) for name, text in told)


def _told(name: str, text: str) -> str:
    words = text.split()
    some = " ".join(words[: max(1, len(words) // 3)]).rstrip(".,;:!?…—-\"'”’")
    return f"{name} says: {some}." if name else f"{some}."


def _complete(answer: str | ModelAnswer, request: ModelRequest) -> ModelAnswer:
    if isinstance(answer, ModelAnswer):
        return answer
    read = sum(len(message.content.split()) for message in request.messages)
    usage = Usage(tokens_in=read, tokens_out=len(answer.split()), reported=False)
    return ModelAnswer(text=answer, raw=answer, finish=Finish.STOP, usage=usage, model="fake")
