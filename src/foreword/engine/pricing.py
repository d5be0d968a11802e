"""What memory work would cost, before it is done.

Above: dry runs. Below: routes and templates.
"""

from __future__ import annotations

from foreword.domain.calls import Usage
from foreword.domain.routes import Route
from foreword.engine.context import Engine, Reading, policy_of
from foreword.engine.spans import template_values
from foreword.engine.templates import compiled
from foreword.prompts.templates import TemplateName


def estimate(engine: Engine, route: Route | None, *, tokens_in: int, tokens_out: int) -> int | None:
    """Return what calls of a route would cost, in micro-dollars; None where no price is known.

    Args:
        engine: the engine.
        route: None for the built-in summariser, which costs nothing.
        tokens_in: counted here.
        tokens_out: what is expected to be written.
    """
    if route is None:
        return 0
    usage = Usage(tokens_in=tokens_in, tokens_out=tokens_out, reported=False)
    return engine.models.open(route).price(usage)


def template_tokens(engine: Engine, at: Reading) -> int:
    """Return the tokens of a request for a summary beside the turns in it."""
    template = compiled(engine, at.session, TemplateName.SUMMARY)
    return engine.counter.count(template.render(template_values(policy_of(at.session))))
