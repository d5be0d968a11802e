"""One attempt at one call: pieces as they are written, then the answer.

Above: retrying, which bounds its time and tries again. Below: `pydantic_ai`, guarding, dialects.
Invariant: an attempt ends with exactly one `ModelAnswer` or with `Failed`; closing it, or
cancelling who reads it, closes the connection.

Source: issue 3, section 1.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from pydantic_ai import messages as parts
from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    UserPromptPart,
)
from pydantic_ai.models import Model
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIChatModelSettings
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider

from foreword.domain.calls import Delta, Finish, ModelAnswer, ModelRequest, Usage
from foreword.domain.message import Message
from foreword.domain.routes import Route, RouteKind
from foreword.domain.storable import storable_text
from foreword.domain.turn import MESSAGE_OVERHEAD, Role
from foreword.errors import AnswerUnreadable, ModelUnreachable, RequestRefused
from foreword.llm.dialects import Dialect, Roles, shaped
from foreword.llm.failures import FOREIGN, Failed, Met, failed
from foreword.llm.guarding import GuardedClient
from foreword.ports.token_counter import TokenCounter
from foreword.quality.reasoning import ReasoningSplitter, split_reasoning

LEAST_DOUBLED: Final = 6
"""Pieces from which on pairs of equal ones are no accident."""
MOST_TEXT: Final = 4_000_000
"""Characters of an answer; a model that writes more does not stop by itself."""
NO_KEY: Final = "none"
"""What is sent as the key of a server that wants none."""

_HIGH: Final = ("\ud800", "\udbff")
_FINISHES: Final = {
    "stop": Finish.STOP,
    "length": Finish.LENGTH,
    "content_filter": Finish.FILTER,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How a model is reached."""

    route: Route
    url: str
    model: str
    key: str
    counter: TokenCounter
    now: Callable[[], datetime]
    dialect: Dialect

    @property
    def met(self) -> Met:
        """What errors need to be worded."""
        return Met(route=self.route.name, secrets=self.secrets, now=self.now())

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no error may repeat."""
        return (self.key,) if self.key else ()


def load(kind: RouteKind) -> None:
    """Import what a kind of route needs: a second or two that no timeout should count."""
    if kind is RouteKind.ANTHROPIC:
        importlib.import_module("pydantic_ai.models.anthropic")
        importlib.import_module("anthropic.resources.messages")
    else:
        importlib.import_module("openai.resources.chat.completions")
    # It warns of odd answers and of settings that a model does not take: nothing users can change.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"pydantic_ai\.")


async def attempt(
    connection: Connection, request: ModelRequest
) -> AsyncGenerator[Delta | ModelAnswer, None]:
    """Ask once and yield what comes.

    Raises:
        Failed: the call failed.
    """
    try:
        async with (
            GuardedClient(
                url=connection.url,
                route=connection.route.name,
                dialect=connection.dialect,
                secrets=connection.secrets,
            ) as client,
            aclosing(_asked(connection, request, client)) as events,
        ):
            async for event in events:
                yield event
    except Failed:
        raise
    except FOREIGN as error:
        raise failed(error, connection.met) from None


async def _asked(
    connection: Connection, request: ModelRequest, client: GuardedClient
) -> AsyncGenerator[Delta | ModelAnswer, None]:
    messages = _cleaned(request.messages)
    anthropic = connection.route.kind is RouteKind.ANTHROPIC
    roles = Roles.LEADING if anthropic else connection.dialect.roles
    hearing = _Hearing(connection)
    async with model_request_stream(
        _anthropic(connection, client) if anthropic else _openai(connection, client),
        [_sent(message) for message in shaped(messages, roles)],
        model_settings=_settings(request),
        instrument=False,
    ) as stream:
        async for event in stream:
            for delta in hearing.heard(event):
                yield delta
        for delta in hearing.rest():
            yield delta
        response = stream.get()
    yield hearing.answer(response, messages, done=client.done)


def _settings(request: ModelRequest) -> OpenAIChatModelSettings:
    # The usage of a stream is cumulative where it comes more than once; the guard takes the option
    # out of what is sent.
    settings = OpenAIChatModelSettings(openai_continuous_usage_stats=True)
    if request.max_tokens is not None:
        settings["max_tokens"] = request.max_tokens
    if request.temperature is not None:
        settings["temperature"] = request.temperature
    return settings


def _openai(connection: Connection, client: GuardedClient) -> Model:
    from openai import AsyncOpenAI  # noqa: PLC0415

    speaking = AsyncOpenAI(
        base_url=connection.url,
        api_key=connection.key or NO_KEY,
        http_client=client,
        max_retries=0,
        timeout=client.timeout,
    )
    profile = OpenAIModelProfile(openai_system_prompt_role="system")
    # Tags in the text are split by `quality`, which knows more of them and unclosed ones.
    profile["thinking_tags"] = _NO_TAGS
    profile["ignore_streamed_leading_whitespace"] = False
    return OpenAIChatModel(
        connection.model, provider=OpenAIProvider(openai_client=speaking), profile=profile
    )


_NO_TAGS: Final = ("\x00<", "\x00>")
"""Tags that no model writes."""


def _anthropic(connection: Connection, client: GuardedClient) -> Model:
    from anthropic import AsyncAnthropic  # noqa: PLC0415
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    speaking = AsyncAnthropic(
        base_url=connection.url.removesuffix("/v1"),
        api_key=connection.key or NO_KEY,
        http_client=client,
        max_retries=0,
        timeout=client.timeout,
    )
    return AnthropicModel(connection.model, provider=AnthropicProvider(anthropic_client=speaking))


def _cleaned(messages: Sequence[Message]) -> tuple[Message, ...]:
    return tuple(
        Message(role=message.role, content=storable_text(message.content)) for message in messages
    )


def _sent(message: Message) -> ModelMessage:
    match message.role:
        case Role.SYSTEM:
            return parts.ModelRequest(parts=[SystemPromptPart(content=message.content)])
        case Role.ASSISTANT:
            return ModelResponse(parts=[TextPart(content=message.content)])
        case Role.USER | Role.TOOL:
            return parts.ModelRequest(parts=[UserPromptPart(content=message.content)])


def _doubled(pieces: Sequence[str]) -> bool:
    """Say whether a server sent each event twice; a few equal neighbours are only words."""
    firsts, seconds = pieces[::2], pieces[1::2]
    return len(pieces) >= LEAST_DOUBLED and firsts == seconds and len(set(firsts)) > 1


@dataclass(slots=True)
class _Hearing:
    """What came so far."""

    connection: Connection
    splitter: ReasoningSplitter = field(default_factory=ReasoningSplitter)
    raw: list[str] = field(default_factory=list)
    apart: list[str] = field(default_factory=list)
    """Reasoning that the server itself told apart."""
    size: int = 0
    half: str = ""
    """The first half of a character whose second half comes with the next piece."""

    def heard(self, event: ModelResponseStreamEvent) -> tuple[Delta, ...]:
        """Return the pieces that an event brings."""
        text, thought = _pieces_of(event)
        found: tuple[Delta, ...] = ()
        if thought:
            thought = storable_text(thought)
            self.apart.append(thought)
            found = (Delta(text=thought, reasoning=True),)
        if text:
            text = self._whole(text)
            self.raw.append(text)
            found += self.splitter.feed(text)
        self.size += len(text) + len(thought)
        if self.size > MOST_TEXT:
            detail = f"it does not end: more than {MOST_TEXT:,} characters"
            raise Failed(AnswerUnreadable(route=self.connection.route.name, detail=detail))
        return found

    def rest(self) -> tuple[Delta, ...]:
        """Return the pieces that were held back."""
        found: tuple[Delta, ...] = ()
        if self.half:
            text, self.half = storable_text(self.half), ""
            self.raw.append(text)
            found = self.splitter.feed(text)
        return (*found, *self.splitter.finish())

    def answer(
        self, response: ModelResponse, messages: Sequence[Message], *, done: bool
    ) -> ModelAnswer:
        """Return the whole answer.

        Args:
            response: what the library made of it.
            messages: what was asked, for counting.
            done: the server said that it is complete.

        Raises:
            Failed: there is none.
        """
        if _doubled(self.raw):
            detail = "every piece of the answer came twice"
            raise Failed(AnswerUnreadable(route=self.connection.route.name, detail=detail))
        raw = "".join(self.raw)
        text, inside = split_reasoning(raw)
        reasoning = "\n".join(filter(None, ("".join(self.apart), inside)))
        details = response.provider_details or {}
        refused = details.get("refusal")
        if isinstance(refused, str) and not raw:
            raw = text = storable_text(refused)
        told = details.get("finish_reason")
        finish = _FINISHES.get(response.finish_reason or "", Finish.OTHER)
        if told is None and finish is Finish.STOP:
            # The library takes a missing reason for a proper end.
            finish = Finish.OTHER
        if not raw and not reasoning:
            self._refuse_nothing(finish, told)
        if finish is Finish.OTHER and told is None and not done:
            detail = "the connection broke off in the middle of the answer"
            raise Failed(ModelUnreachable(route=self.connection.route.name, detail=detail))
        return ModelAnswer(
            text=text,
            reasoning=reasoning,
            raw=raw,
            finish=finish,
            usage=self._usage(response, messages, raw, reasoning),
            model=self._model(response),
        )

    def _model(self, response: ModelResponse) -> str:
        route = self.connection.route
        # A local server names the whole path of the file.
        local = route.kind is RouteKind.LOCAL
        return route.maker if local else storable_text(response.model_name or "")

    def _refuse_nothing(self, finish: Finish, told: object) -> None:
        route = self.connection.route.name
        if finish is Finish.FILTER:
            raise Failed(RequestRefused(route=route, detail="the content filter left nothing"))
        if told is None:
            raise Failed(AnswerUnreadable(route=route, detail="it ended without a word"))

    def _whole(self, text: str) -> str:
        """Join characters that were cut in halves, and hold back a first half at the end."""
        text = self.half + text
        self.half = ""
        if _HIGH[0] <= text[-1] <= _HIGH[1]:
            text, self.half = text[:-1], text[-1]
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return storable_text(text)

    def _usage(
        self, response: ModelResponse, messages: Sequence[Message], raw: str, reasoning: str
    ) -> Usage:
        told = response.usage
        if told.input_tokens > 0 or told.output_tokens > 0:
            return Usage(
                tokens_in=told.input_tokens,
                tokens_cached=min(told.cache_read_tokens, told.input_tokens),
                tokens_out=told.output_tokens,
                tokens_reasoning=max(0, told.details.get("reasoning_tokens", 0)),
            )
        count = self.connection.counter.count
        thought = count(reasoning)
        return Usage(
            tokens_in=sum(count(message.content) + MESSAGE_OVERHEAD for message in messages),
            tokens_out=count(raw) + count("".join(self.apart)),
            tokens_reasoning=thought,
            reported=False,
        )


def _pieces_of(event: ModelResponseStreamEvent) -> tuple[str, str]:
    """Return the text and the reasoning in an event."""
    match event:
        case PartStartEvent(part=TextPart(content=text)):
            return text, ""
        case PartStartEvent(part=ThinkingPart(content=thought)):
            return "", thought
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)):
            return text, ""
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=thought)):
            return "", thought or ""
        case _:
            return "", ""
