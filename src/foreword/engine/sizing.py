"""The size of the context that a conversation is planned for, and where it comes from.

Above: everything that plans. Below: settings, the chat route and its calibration.

Source: DECISIONS, Defaults.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from foreword.domain.policy import SMALLEST_CONTEXT, Policy, policy_from
from foreword.domain.routes import RouteName
from foreword.engine.context import Engine, settings_of
from foreword.engine.learning import calibration_of
from foreword.engine.rooms import model_route
from foreword.planning.calibration import usable
from foreword.ports.store import ReadSession


@dataclass(frozen=True, slots=True, kw_only=True)
class SizedPolicy:
    """The settings in force, with the context that there really is."""

    policy: Policy
    """Its context is what surely fits, in tokens as they are counted here."""
    context: int
    """Size of the model's context, in the model's tokens."""
    source: str
    """Where it comes from: `given`, `setting`, `route` or `default`."""


def sized_policy(
    engine: Engine, session: ReadSession, *, context: int | None = None
) -> SizedPolicy:
    """Return the settings in force: the context as given, as set, of the chat route, or default.

    Raises:
        InvalidSetting: `context` is out of range.
    """
    settings = settings_of(session)
    route = model_route(engine, RouteName.CHAT, session)
    source = "setting" if "context" in settings else "default"
    if context is not None:
        settings["context"], source = str(context), "given"
    elif source == "default" and route is not None and route.known_context is not None:
        known = max(SMALLEST_CONTEXT, route.known_context)
        settings["context"], source = str(known), "route"
    policy = policy_from(settings)
    size = policy.context
    if route is not None:
        fits = max(SMALLEST_CONTEXT, usable(size, calibration_of(engine, route)))
        policy = replace(policy, context=fits)
    return SizedPolicy(policy=policy, context=size, source=source)
