"""A draft that may become memory: asked, judged, repaired once, then asked of the fallback.

Above: the use cases that make summaries. Below: asking and the gates. Invariant: what is returned
passed the gates, or comes from the built-in summariser; what did not pass is kept in the ledger.

Source: DESIGN rules 4, 6 and 7; issue 3, section 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from foreword.domain.calls import CallId, Finish, Outcome, Purpose, Restart
from foreword.domain.message import Message
from foreword.domain.policy import LastResort
from foreword.domain.routes import Route, RouteKind, RouteName
from foreword.domain.summarising import SummaryDraft
from foreword.domain.survival import Survival
from foreword.domain.turn import MESSAGE_OVERHEAD, Role
from foreword.engine import missing
from foreword.engine.asking import Asked, Listen, Question, ask
from foreword.engine.cleaning import Clean, cleaner
from foreword.engine.context import Engine, Place, policy_of, reading
from foreword.engine.event_log import Log
from foreword.engine.learning import close_breakers, count_failure
from foreword.engine.missing import keeps_more, missing_of
from foreword.engine.rooms import NO_LIMIT, Room, answer_room, model_route, room_of, routes_of
from foreword.engine.spans import Span, Stack, template_values
from foreword.engine.suffix import Suffix, suffix_of
from foreword.engine.surviving import survived
from foreword.engine.templates import compiled
from foreword.errors import (
    AnswerUnreadable,
    ContextOverflow,
    ExtraMissing,
    FailureClass,
    ForewordError,
    KeyUnavailable,
    ModelError,
    PriceUnknown,
    SummaryUnusable,
)
from foreword.prompts.passages import repair_values
from foreword.prompts.templates import TemplateName
from foreword.prompts.variables import DEFAULT_FENCE
from foreword.quality.findings import Draft, Finding, Gate
from foreword.quality.gates import Judgement, judge

LEAST_LIMIT = 1024
"""Tokens that an answer may always take: some models think before they write."""

WIDER = 4
"""How much more an answer may take after one that was cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """A draft that may be committed, and the calls it took."""

    draft: SummaryDraft
    maker: str
    """The model that wrote it, or the built-in summariser with its version."""
    route: Route | None = None
    """Of that model."""
    calls: tuple[CallId, ...] = ()
    """All that were made for it, also those whose answers were refused."""
    final: CallId | None = None
    """The one that wrote it."""
    context_digest: bytes = b""
    """Of what it was asked behind, where that was the chat's own prompt."""
    survival: Survival | None = None
    """What it kept of what was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How a draft is to be asked for."""

    room: Room = NO_LIMIT
    """What the route can read at once."""
    listen: Listen | None = None
    """Told of every piece as a model writes it, drafts that are refused included."""
    fresh: bool = False
    """Do not take answers that an unfinished run left on record."""
    banded: bool = False
    """Automatic memory asks, whose summaries have sizes by layer."""
    shrunk: bool = False
    """A request was too long and was made smaller: a model that it still does not fit failed."""
    beyond: ForewordError | None = None
    """Why the route of the job is passed over: it cannot read what is to be read."""


async def draft(engine: Engine, place: Place, of: Span | Stack, asking: Asking) -> Drafted:
    """Return a summary of what was read, fit to be committed.

    Args:
        engine: the engine.
        place: where the summary is to stand.
        of: turns, or summaries to merge.
        asking: how.

    Raises:
        SummaryUnusable: nothing that was written may become memory.
        ContextOverflow: the request does not fit and was not made smaller yet.
        BreakerOpen, SpendCapReached, PriceUnknown, CallFailed: no model wrote anything.
        KeyUnavailable, ExtraMissing: the route cannot be used here.
    """
    job = RouteName.MERGE if isinstance(of, Stack) else RouteName.SUMMARISE
    primary = model_route(engine, job)
    if primary is None:
        drafted = await _builtin(engine, of)
    else:
        drafted = await _Ladder(engine=engine, place=place, of=of, asking=asking).climb(primary)
    with reading(engine, place) as at:
        return replace(drafted, survival=survived(at, of, drafted.draft.text))


async def _builtin(engine: Engine, of: Span | Stack) -> Drafted:
    if isinstance(of, Stack):
        written = await engine.summariser.merge(of.request)
    else:
        written = await engine.summariser.summarise(of.request)
    return Drafted(draft=written, maker=engine.summariser.maker)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """An answer, judged."""

    asked: Asked
    judgement: Judgement
    context_digest: bytes = b""
    """Of what it was asked behind; see `Drafted`."""


@dataclass(slots=True, kw_only=True)
class _Ladder:
    """One draft under way."""

    engine: Engine
    place: Place
    of: Span | Stack
    asking: Asking
    calls: list[CallId] = field(default_factory=list)
    problem: ForewordError | None = None
    """Why the route that was asked last gave nothing."""

    async def climb(self, primary: Route) -> Drafted:
        self.problem = self.asking.beyond
        try:
            found = None if self.problem else await self._on(primary, repairs=True)
            fallback = routes_of(self.engine).get(RouteName.FALLBACK)
            if found is None and fallback is not None and fallback != primary:
                found = await self._fall_back(fallback)
        except BaseException:
            # Stopped, or nothing to go on with: what was answered is not taken up again.
            self._close()
            raise
        if found is not None:
            return found
        self._close()
        with reading(self.engine, self.place) as at:
            last_resort = policy_of(at.session).last_resort
        if last_resort is LastResort.BUILTIN:
            return await self._stand_in()
        if self.problem is None:
            raise ValueError("a ladder ends with a draft or a problem")
        raise self.problem

    async def _fall_back(self, fallback: Route) -> Drafted | None:
        if fallback.kind is RouteKind.BUILTIN:
            return await self._stand_in()
        needed = self.engine.counter.count(self._prompt) + answer_room(self._target)
        if not room_of(self.engine, fallback).holds(needed):
            return None
        self._hand_over(f"route {fallback.name!r}")
        return await self._on(fallback, repairs=False)

    async def _stand_in(self) -> Drafted:
        self._hand_over("the built-in summariser")
        return replace(await _builtin(self.engine, self.of), calls=tuple(self.calls))

    async def _on(self, route: Route, *, repairs: bool) -> Drafted | None:
        """Ask one route, at most twice; None with the problem when it gives nothing usable."""
        tried: list[_Tried] = []
        try:
            tried.append(await self._first(route, primary=repairs))
            if repairs and not tried[0].judgement.usable:
                tried.append(await self._repair(route, tried[0]))
        except PriceUnknown:
            raise  # a setting is missing: another route would only hide that
        except (ModelError, KeyUnavailable, ExtraMissing) as error:
            if isinstance(error, ContextOverflow) and not self.asking.shrunk and not tried:
                raise
            if not tried:
                self.problem = error
                return None
        good = [one for one in tried if one.judgement.usable]
        fair = [one for one in tried if one.judgement.acceptable]
        if good and repairs:
            return self._take(route, await self._fuller(route, good[-1]))
        if good or fair:
            return self._take(route, (good or fair)[-1])
        self._refuse(route, tried)
        return None

    async def _repair(self, route: Route, refused: _Tried) -> _Tried:
        """Ask once more, with the draft and what is wrong with it."""
        findings = refused.judgement.findings
        self._say(f"the draft was refused: {_reason(findings)}")
        direction = "\n".join(finding.direction for finding in findings)
        prompt = self._repair_prompt(refused.asked.answer.text, direction)
        limit = self._limit(route)
        if limit is not None and any(one.gate is Gate.TRUNCATED for one in findings):
            limit *= WIDER
        tried = await self._try(route, prompt, limit, Purpose.REPAIR)
        return replace(tried, context_digest=refused.context_digest)

    async def _fuller(self, route: Route, good: _Tried) -> _Tried:
        """Ask once more for what a usable draft lost, where that is wanted; return the better."""
        text = good.judgement.text
        lost = missing_of(self.engine, self.place, self.of, text)
        if lost is None:
            return good
        self._say(f"the draft lost {len(lost.details)} weighty details and is asked for once more")
        prompt = self._repair_prompt(lost.shown, missing.DIRECTION)
        try:
            again = await self._try(route, prompt, self._limit(route), Purpose.REPAIR)
        except (ModelError, KeyUnavailable, PriceUnknown):
            return good
        again = replace(again, context_digest=good.context_digest)
        if not again.judgement.usable:
            return good
        more = keeps_more(self.engine, self.place, self.of, again.judgement.text, lost)
        worse = good if more else again
        self._reject(worse.asked, "another draft kept more of the details")
        return again if more else good

    def _repair_prompt(self, draft: str, direction: str) -> str:
        with reading(self.engine, self.place) as at:
            base = template_values(policy_of(at.session))
            values = repair_values(
                self.of.request,
                replace(base, scene_time=self.of.begins),
                draft=draft,
                direction=direction,
            )
            return compiled(self.engine, at.session, TemplateName.REPAIR).render(values)

    async def _first(self, route: Route, *, primary: bool) -> _Tried:
        """Ask behind the chat's own prompt where that is wanted and can be had, else without it."""
        if primary and isinstance(self.of, Span):
            suffix = suffix_of(self.engine, self.place, route, self.of)
            tried = None if suffix is None else await self._behind(route, suffix)
            if tried is not None:
                return tried
        return await self._try(route, self._prompt, self._limit(route), self._purpose)

    async def _behind(self, route: Route, suffix: Suffix) -> _Tried | None:
        """Ask behind the chat's prompt; None for a tool call, or where it was too long."""
        limit = self._limit(route, suffix.tokens)
        try:
            tried = await self._try(route, suffix.prompt, limit, self._purpose, suffix)
        except (ContextOverflow, AnswerUnreadable):
            return None
        called = tried.asked.answer.finish is Finish.OTHER and not tried.judgement.usable
        return None if called else tried

    async def _try(
        self,
        route: Route,
        prompt: str,
        limit: int | None,
        purpose: Purpose,
        suffix: Suffix | None = None,
    ) -> _Tried:
        fence = self.engine.new_fence()
        sent = prompt.replace(DEFAULT_FENCE, fence)
        before = () if suffix is None else suffix.messages
        source = self.of.source if suffix is None else suffix.source
        asked = await ask(
            self.engine,
            Question(
                place=self.place,
                route=route,
                purpose=purpose,
                messages=(*before, Message(role=Role.USER, content=sent)),
                canonical=(*before, Message(role=Role.USER, content=prompt)),
                max_tokens=limit,
                fresh=self.asking.fresh,
                follow_up=purpose is Purpose.REPAIR,
            ),
            self.asking.listen,
        )
        self.calls.append(asked.call)
        answer = asked.answer
        judgement = judge(
            Draft(text=answer.text, finish=answer.finish),
            replace(source, fence=fence, layer=self.of.layer if self.asking.banded else None),
            count=self.engine.counter.count,
            repaired=purpose is Purpose.REPAIR,
            clean=self._clean,
        )
        reason = _reason(judgement.findings)
        log = Log(engine=self.engine, place=self.place)
        log.asked(route, purpose, (sent, answer.raw or answer.text), reason)
        if judgement.findings:
            self._reject(asked, reason)
        digest = b"" if suffix is None else suffix.context_digest
        return _Tried(asked=asked, judgement=judgement, context_digest=digest)

    def _take(self, route: Route, tried: _Tried) -> Drafted:
        close_breakers(self.engine, route, self.place.conversation, judged=True)
        return Drafted(
            draft=SummaryDraft(
                text=tried.judgement.text,
                reasoning=tried.asked.answer.reasoning,
                scene_time=tried.judgement.scene_time,
            ),
            maker=route.maker,
            route=route,
            calls=tuple(self.calls),
            final=tried.asked.call,
            context_digest=tried.context_digest,
        )

    def _refuse(self, route: Route, tried: Sequence[_Tried]) -> None:
        last = tried[-1]
        findings = last.judgement.findings
        gates = {finding.gate for finding in findings}
        if not all(one.asked.reused for one in tried):
            saves = Gate.LONGER_THAN_SOURCE not in gates
            failure = FailureClass.UNUSABLE if saves else FailureClass.NO_PROGRESS
            count_failure(self.engine, route, self.place.conversation, failure)
        self.problem = SummaryUnusable(
            maker=route.maker,
            reason=_reason(findings),
            raw=last.asked.answer.raw or last.asked.answer.text,
            gates=tuple(finding.gate.value for finding in findings),
            call=last.asked.call,
        )

    def _reject(self, asked: Asked, why: str) -> None:
        engine = self.engine
        engine.ledger.mark(engine.account, asked.call, Outcome.REJECTED, detail=why)

    def _say(self, reason: str) -> None:
        """Tell whoever listens that what was shown is not taken."""
        if self.asking.listen is not None:
            self.asking.listen(Restart(reason=reason))

    def _hand_over(self, to: str) -> None:
        problem = self.problem
        why = problem.reason if isinstance(problem, SummaryUnusable) else str(problem or "")
        self._say(f"{to} takes over: {why}")
        if self.asking.banded:
            Log(engine=self.engine, place=self.place).handed_over(to, why)

    def _limit(self, route: Route, asked: int | None = None) -> int | None:
        """Return the most tokens an answer may take, behind a request of so many."""
        if route.output is not None:
            return route.output
        room = room_of(self.engine, route).tokens
        wanted = max(LEAST_LIMIT, 4 * self._target)
        if room is None:
            return wanted
        if asked is None:
            asked = self.engine.counter.count(self._prompt) + MESSAGE_OVERHEAD
        left = room - asked
        return max(1, min(wanted, left))

    def _close(self) -> None:
        if self.calls:
            self.engine.ledger.close(self.engine.account, self.calls)

    @property
    def _clean(self) -> Clean:
        with reading(self.engine, self.place) as at:
            return cleaner(policy_of(at.session), self.of.source)

    @property
    def _prompt(self) -> str:
        return self.of.request.prompt

    @property
    def _target(self) -> int:
        return self.of.request.target_tokens

    @property
    def _purpose(self) -> Purpose:
        return Purpose.MERGE if isinstance(self.of, Stack) else Purpose.SUMMARY


def _reason(findings: Sequence[Finding]) -> str:
    return "; ".join(finding.detail for finding in findings)
