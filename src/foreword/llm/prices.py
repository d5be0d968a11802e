"""What tokens cost: the route's own prices, else those that providers publish.

Above: models. Below: `genai_prices`, with the list it was released with. Invariant: nothing is
fetched; an unknown price is None, never a guess.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from foreword.domain.calls import Usage
from foreword.domain.routes import MICROS, Route, RouteKind


def price_of(route: Route, usage: Usage) -> int | None:
    """Return the price of a call's tokens in micro-dollars; None where it is not known."""
    if route.kind is RouteKind.BUILTIN or (route.kind is RouteKind.LOCAL and not _own(route)):
        return 0
    if _own(route):
        return _by_route(route, usage)
    return _published(route, usage)


def _own(route: Route) -> bool:
    return route.price_in is not None or route.price_out is not None


def _by_route(route: Route, usage: Usage) -> int | None:
    """A million tokens at a dollar: a micro-dollar each."""
    if route.price_in is None or route.price_out is None:
        # Half a price: the other half costs nothing only if nothing of it was used.
        missing = usage.tokens_in if route.price_in is None else usage.tokens_out
        if missing:
            return None
    read = Decimal(str(route.price_in or 0))
    cached = read if route.price_cached is None else Decimal(str(route.price_cached))
    written = Decimal(str(route.price_out or 0))
    known = min(usage.tokens_cached, usage.tokens_in)
    total = (usage.tokens_in - known) * read + known * cached + usage.tokens_out * written
    return _whole(total)


def _published(route: Route, usage: Usage) -> int | None:
    # Imported late: the list of all prices takes a while to read.
    import genai_prices  # noqa: PLC0415

    tokens = genai_prices.Usage(
        input_tokens=usage.tokens_in,
        cache_read_tokens=min(usage.tokens_cached, usage.tokens_in),
        output_tokens=usage.tokens_out,
    )
    try:
        found = genai_prices.calc_price(tokens, route.model, provider_api_url=route.url)
    except (LookupError, ValueError):
        return None
    return _whole(found.total_price * MICROS)


def _whole(micros: Decimal) -> int:
    return int(micros.to_integral_value(ROUND_HALF_UP))
