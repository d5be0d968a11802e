"""What memory did and why, in lines a person understands.

Above: whatever does memory work. Below: `ports.jobs`, which keeps it. Invariants: no key of a
provider gets into the log; a log that cannot be written stops no memory work.

Source: issue 5, section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foreword.domain.calls import Purpose
from foreword.domain.jobs import Event, EventKind, EventLevel, NewEvent
from foreword.domain.policy import MemoryLog
from foreword.domain.routes import Route
from foreword.domain.secrets import without_secrets
from foreword.engine.context import Engine, Place, policy_of, reading
from foreword.engine.rooms import routes_of
from foreword.engine.summary_views import SummaryView
from foreword.errors import ForewordError, StoreError

_HELD: Mapping[MemoryLog, int] = {level: at for at, level in enumerate(MemoryLog)}
_LEVELS: Mapping[EventLevel, int] = {level: at for at, level in enumerate(EventLevel)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """The log of a branch."""

    engine: Engine
    place: Place

    def tell(self, kind: EventKind, text: str, **data: object) -> None:
        """Write a line that every log has."""
        self._write(EventLevel.NORMAL, kind, text, data)

    def debug(self, kind: EventKind, text: str, **data: object) -> None:
        """Write a line for who wants to know why."""
        self._write(EventLevel.DEBUG, kind, text, data)

    def asked(self, route: Route, purpose: Purpose, words: tuple[str, str], reason: str) -> None:
        """Write what a model was asked and what it wrote, and what is wrong with it."""
        verdict = f"refused: {reason}" if reason else "accepted"
        said = f"{route.maker} wrote a {purpose.value} for route {route.name}; it is {verdict}."
        prompt, answer = words
        self._write(EventLevel.TRACE, EventKind.ANSWERED, said, {})
        data = {"prompt": prompt, "answer": answer}
        self._write(EventLevel.PROMPTS, EventKind.ASKED, "This was asked and answered.", data)

    def made(self, kind: EventKind, views: Sequence[SummaryView], why: str) -> None:
        """Tell of summaries that came into force."""
        for view in views:
            where = f"turns {view.from_order} to {view.order}"
            source = f" ({view.src_tokens:,} tokens)" if view.src_tokens is not None else ""
            self.tell(
                kind,
                f"S{view.id} of layer {view.layer} stands for {where}{source} in {view.tokens:,} "
                f"tokens, written by {view.maker}. {why}".rstrip(),
                summary=view.id,
                layer=view.layer,
                depth=view.generation_depth,
            )

    def handed_over(self, to: str, why: str) -> None:
        """Tell that the route of the job gave no summary, and who writes it instead."""
        self.tell(EventKind.REJECTED, f"{to[0].upper()}{to[1:]} takes over: {why}")

    def failed(self, error: ForewordError) -> None:
        """Tell why memory work ended without what it was to make."""
        self.tell(EventKind.FAILED, f"{error}", error=type(error).__name__)

    def _write(
        self, level: EventLevel, kind: EventKind, text: str, data: Mapping[str, object]
    ) -> None:
        try:
            with reading(self.engine, self.place) as at:
                held, branch = policy_of(at.session).memory_log, at.branch.id
            if _LEVELS[level] > _HELD[held]:
                return
            keys = self.engine.keys(routes_of(self.engine).values())
            event = NewEvent(
                at=self.engine.moment(),
                level=level,
                kind=kind,
                text=without_secrets(text, keys),
                data=tuple((name, without_secrets(str(one), keys)) for name, one in data.items()),
                branch=branch,
            )
            self.engine.jobs.log(self.engine.account, self.place.conversation, [event])
        except StoreError:
            return  # what memory does is not undone because nobody could write it down


def events(
    engine: Engine,
    place: Place,
    *,
    level: EventLevel = EventLevel.PROMPTS,
    after: int = 0,
    limit: int = 50,
) -> tuple[Event, ...]:
    """Return the newest events of a conversation, oldest first.

    Args:
        engine: the engine.
        place: the conversation.
        level: up to which one; what the setting `memory_log` did not hold is not there.
        after: only those with a higher id.
        limit: how many at most.
    """
    return engine.jobs.events(
        engine.account, place.conversation, level=level, after=after, limit=limit
    )
