"""Use cases on routes: list, set, remove, test.

Source: issue 3, section 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from foreword.domain.routes import (
    Route,
    RouteKind,
    RouteName,
    route_from,
    route_name,
    routed,
    stored_route,
)
from foreword.engine.context import Engine
from foreword.engine.learning import calibration_of
from foreword.engine.rooms import routes_of
from foreword.errors import RouteNotFound

ADDRESS = frozenset({"kind", "url", "model"})
"""What makes a route another model: what a server told of the old one does not hold any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteView:
    """A job, and what does it."""

    job: RouteName
    route: Route | None
    """None: no model is set; the built-in summariser does memory work, nothing writes replies."""
    inherited: bool
    """It is another job's route."""
    ratio: float
    """Tokens as the model counts them, over those counted here, as far as is known."""


def list_routes(engine: Engine) -> tuple[RouteView, ...]:
    """Return every job with the route that does it."""
    return tuple(_view(engine, job) for job in RouteName)


def show_route(engine: Engine, name: str) -> RouteView:
    """Return one job with the route that does it.

    Raises:
        RouteNotFound: no job has that name.
    """
    return _view(engine, route_name(name))


def set_route(engine: Engine, name: str, changes: Mapping[str, str]) -> RouteView:
    """Set values of a route; those that are not named stay, an empty one is taken away.

    Raises:
        RouteNotFound, UnknownSetting, InvalidSetting: see each; nothing was changed.
    """
    before = dict(engine.ledger.routes(engine.account).get(route_name(name), {}))
    if changes.keys() & ADDRESS:
        before.pop("told_context", None)
        if "kind" not in changes:
            before.pop("kind", None)
        if "model" in changes and "url" not in changes and _served_here(changes["model"]):
            before.pop("url", None)
    route = route_from(name, {**before, **changes})
    engine.ledger.set_route(engine.account, name, stored_route(route))
    return show_route(engine, name)


def remove_route(engine: Engine, name: str) -> RouteView:
    """Take a route away, so that its job inherits again.

    Raises:
        RouteNotFound: no job has that name, or none was set for it.
    """
    if route_name(name).value not in engine.ledger.routes(engine.account):
        raise RouteNotFound(name)
    engine.ledger.set_route(engine.account, name, None)
    return show_route(engine, name)


def _served_here(model: str) -> bool:
    lowered = model.casefold()
    return lowered == RouteKind.BUILTIN or lowered.endswith(".gguf")


def _view(engine: Engine, job: RouteName) -> RouteView:
    route = routed(routes_of(engine), job)
    return RouteView(
        job=job,
        route=route,
        inherited=route is not None and route.name != job.value,
        ratio=1.0 if route is None else calibration_of(engine, route).ratio,
    )
