from __future__ import annotations

from foreword.domain.calls import Usage
from foreword.domain.routes import Route, route_from
from foreword.llm.prices import price_of

USAGE = Usage(tokens_in=1000, tokens_cached=400, tokens_out=100)


def route(**values: str) -> Route:
    return route_from("chat", {"url": "http://localhost:1/v1", "model": "m", **values})


def test_the_routes_own_prices_count_cached_tokens_apart() -> None:
    assert price_of(route(price_in="2", price_out="8"), USAGE) == 1000 * 2 + 100 * 8
    cached = route(price_in="2", price_cached="0.5", price_out="8")
    assert price_of(cached, USAGE) == 600 * 2 + 200 + 100 * 8
    assert price_of(route(price_in="0", price_out="0"), USAGE) == 0
    assert price_of(route(price_in="0.0005", price_out="0"), USAGE) == 1


def test_half_a_price_is_none_where_the_other_half_is_needed() -> None:
    assert price_of(route(price_in="2"), USAGE) is None
    assert price_of(route(price_out="2"), Usage(tokens_out=5)) == 10


def test_a_model_of_ones_own_costs_nothing_and_an_unknown_one_has_no_price() -> None:
    local = route_from("chat", {"kind": "local", "model": "a.gguf"})
    assert price_of(local, USAGE) == 0
    assert price_of(route(), USAGE) is None
    assert price_of(route(model="gpt-4o"), USAGE) is None
    assert price_of(route(url="https://api.openai.com/v1", model="no-such-model"), USAGE) is None


def test_published_prices_are_found_by_model_and_provider() -> None:
    known = route(url="https://api.openai.com/v1", model="gpt-4o-mini")
    assert price_of(known, USAGE) == 600 * 0.15 + 400 * 0.075 + 100 * 0.6
    assert price_of(route_from("chat", {"kind": "anthropic", "model": "claude-3-5-haiku-latest"}),
                    Usage(tokens_in=1000, tokens_out=100)) == 1000 * 0.8 + 100 * 4  # fmt: skip
