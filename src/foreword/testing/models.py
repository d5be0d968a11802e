"""Models without a server: one that answers as it is told, and one that fails as it is told.

Above: tests. Below: `ports.chat_model`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing

from foreword.domain.calls import Delta, Finish, ModelAnswer, ModelEvent, ModelRequest, Usage
from foreword.domain.routes import Route
from foreword.errors import ForewordError
from foreword.ports.chat_model import ChatModel

Answer = str | ModelAnswer | ForewordError
"""What a model writes, or the error it ends with."""

_MARK = re.compile(r"^▸ (.+?) \[[^\]]*\]: (.*?)(?=^▸ |\Z)", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"<<<(\S+)\n(.*?)\n\1>>>", re.DOTALL)
_MARKUP = re.compile(
    r"^\s*(?:```.*|[-+*>#]+\s|\d+[.)]\s)|[`*_~|(){}\[\]<>\"“”„«»「」『』]", re.MULTILINE
)
"""What would stay open when a text is cut."""
_UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+")
"""A word, or a character where words are not set apart."""
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]\Z")
_TRAILING = " .,;:!?…—–-'’。，、；：！？"


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

        Raises:
            ValueError: `answers` is empty, or a piece would be.
        """
        if chunk < 1 or not (answers is None or callable(answers) or answers):
            raise ValueError("a fake model needs an answer, and pieces of at least a character")
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

    async def prepare(self) -> None:
        """See `ChatModel.prepare`."""

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

    def __init__(
        self, *errors: ForewordError, begun: str = "", then: FakeModel | None = None
    ) -> None:
        """Take the errors.

        Args:
            errors: what the first calls end with.
            begun: what is written before a call fails or hangs.
            then: what answers later calls; None: they never end.
        """
        self._errors = list(errors)
        self._begun = begun
        self._then = then
        self._requests: list[ModelRequest] = []
        self.stopped = 0
        """Calls that were ended by whoever waited for them; `then` counts its own."""

    @property
    def requests(self) -> tuple[ModelRequest, ...]:
        """What was asked, oldest first."""
        return tuple(self._requests)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelEvent, None]:
        """See `ChatModel.stream`."""
        self._requests.append(request)
        await asyncio.sleep(0)
        error = self._errors.pop(0) if self._errors else None
        if error is None and self._then is not None:
            async with aclosing(self._then.stream(request)) as events:
                async for event in events:
                    yield event
            return
        try:
            if self._begun:
                yield Delta(text=self._begun)
            if error is None:
                await asyncio.Event().wait()
        except (asyncio.CancelledError, GeneratorExit):
            self.stopped += 1
            raise
        if error is not None:
            raise error

    async def prepare(self) -> None:
        """See `ChatModel.prepare`."""

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

    The source is what stands between fences, or else the whole prompt: the first third of every
    passage or block is told, without markup. Where that is no shorter, as with passages of a word,
    only the first ones are told; of a single one at least a word.
    """
    prompt = request.messages[-1].content
    source = "\n".join(found[2] for found in _FENCED.finditer(prompt)) or prompt
    passages = _MARK.findall(source) or [("", block) for block in source.split("\n\n")]
    told = [sentence for name, text in passages if (sentence := _told(name, text))]
    most = sum(len(_UNIT.findall(text)) for _, text in passages)
    while len(told) > 1 and len(_UNIT.findall(" ".join(told))) >= most:
        told.pop()
    return " ".join(told)


def _told(name: str, text: str) -> str:
    """Return a sentence with the first third of a text; empty when it has no words."""
    plain = " ".join(_MARKUP.sub(" ", text).split())
    units = list(_UNIT.finditer(plain))
    some = plain[: units[max(1, len(units) // 3) - 1].end()].rstrip(_TRAILING) if units else ""
    if not some:
        return ""
    end = "。" if _UNSPACED.search(some) else "."
    return f"{name} says: {some}{end}" if name else some + end


def _complete(answer: str | ModelAnswer, request: ModelRequest) -> ModelAnswer:
    if isinstance(answer, ModelAnswer):
        return answer
    read = sum(len(message.content.split()) for message in request.messages)
    usage = Usage(tokens_in=read, tokens_out=len(answer.split()), reported=False)
    return ModelAnswer(text=answer, raw=answer, finish=Finish.STOP, usage=usage, model="fake")
