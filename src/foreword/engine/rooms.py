"""How much a route can read at once, in tokens as they are counted here.

Above: spans, which cut what they ask to fit. Below: routes and what calls taught about them.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.policy import LastResort
from foreword.domain.routes import Route, RouteKind, RouteName, route_from, routed
from foreword.engine.context import Engine, Place, policy_of, reading
from foreword.engine.learning import asked_lately, calibration_of, learn_context
from foreword.planning.calibration import usable
from foreword.ports.store import ReadSession


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What a request and its answer may take."""

    route: str = ""
    tokens: int | None = None
    """Counted here; None for no limit that is known."""

    def holds(self, tokens: int) -> bool:
        """Say whether a request of so many tokens, its answer included, fits."""
        return self.tokens is None or tokens <= self.tokens


NO_LIMIT = Room()


def routes_of(engine: Engine, session: ReadSession | None = None) -> dict[str, Route]:
    """Return the routes that are set, by name; with a session that is open, it is quicker."""
    as_of = None if session is None else session.text_changes
    stored = engine.ledger.routes(engine.account, as_of=as_of)
    return {name: route_from(name, values) for name, values in stored.items()}


def model_route(engine: Engine, job: RouteName, session: ReadSession | None = None) -> Route | None:
    """Return the route of a model that does a job; None where the built-in summariser does it."""
    route = routed(routes_of(engine, session), job)
    return None if route is None or route.kind is RouteKind.BUILTIN else route


def room_of(engine: Engine, route: Route | None) -> Room:
    """Return what fits into a route's context, as far as its size is known."""
    if route is None or route.known_context is None:
        return NO_LIMIT
    tokens = usable(route.known_context, calibration_of(engine, route))
    return Room(route=route.name, tokens=tokens)


async def asked_room(engine: Engine, job: RouteName) -> Room:
    """Return what fits into the context of the route for a job; a size not known is asked for."""
    route = model_route(engine, job)
    if route is None or route.known_context is not None:
        return room_of(engine, route)
    if asked_lately(engine, route):
        return NO_LIMIT
    told = await engine.models.open(route).context()
    learn_context(engine, route, told)
    return room_of(engine, model_route(engine, job))


def room_beyond(engine: Engine, place: Place, needed: int) -> Room | None:
    """Return what they can read at once who take over where the route of a job cannot.

    Args:
        engine: the engine.
        place: whose last resort it is.
        needed: the tokens that are too many for the route of the job.

    Returns:
        The room of the fallback, or of the built-in summariser; None where neither may do it.
    """
    fallback = routes_of(engine).get(RouteName.FALLBACK)
    if fallback is not None:
        room = NO_LIMIT if fallback.kind is RouteKind.BUILTIN else room_of(engine, fallback)
        if room.holds(needed):
            return room
    with reading(engine, place) as at:
        resort = policy_of(at.session).last_resort
    return NO_LIMIT if resort is LastResort.BUILTIN else None


def answer_room(target_tokens: int) -> int:
    """Return the tokens to keep free for a summary of that target."""
    return 2 * target_tokens + 64
