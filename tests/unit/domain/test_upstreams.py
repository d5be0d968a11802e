from __future__ import annotations

import pytest

from foreword.domain.upstreams import (
    Chosen,
    UpstreamServer,
    choose_upstream,
    stored_upstream,
    upstream_from,
)
from foreword.errors import InvalidSetting, UnknownSetting, UpstreamNotFound, UpstreamUnclear


def server(name: str = "near", url: str = "http://127.0.0.1:8080/v1") -> UpstreamServer:
    return UpstreamServer(name=name, url=url)


@pytest.mark.parametrize(
    "values",
    [
        {"url": "http://127.0.0.1:8080/v1"},
        {"url": "https://models.example", "key_env": "NEAR_KEY", "context": "8192"},
    ],
)
def test_what_is_stored_makes_the_same_upstream_again(values: dict[str, str]) -> None:
    made = upstream_from("near", values)
    assert stored_upstream(made) == values
    assert upstream_from("near", stored_upstream(made)) == made


def test_values_are_checked_and_trimmed() -> None:
    given = {"url": " http://localhost:8080/v1/ ", "key_env": "", "context": " 4096 "}
    assert upstream_from("near", given) == UpstreamServer(
        name="near", url="http://localhost:8080/v1", context=4096
    )


@pytest.mark.parametrize(
    ("name", "values", "wrong"),
    [
        ("a/b", {"url": "http://localhost"}, "name"),
        ("", {"url": "http://localhost"}, "name"),
        ("near", {}, "url"),
        ("near", {"url": "localhost:8080"}, "url"),
        ("near", {"url": "http://localhost?api_key=1"}, "url"),
        ("near", {"url": "http://localhost", "key_env": "sk-1234"}, "key_env"),
        ("near", {"url": "http://localhost", "context": "many"}, "context"),
    ],
)
def test_what_does_not_fit_is_refused(name: str, values: dict[str, str], wrong: str) -> None:
    with pytest.raises(InvalidSetting) as caught:
        upstream_from(name, values)
    assert caught.value.name == wrong


def test_a_value_that_upstreams_do_not_have_is_refused() -> None:
    with pytest.raises(UnknownSetting):
        upstream_from("near", {"url": "http://localhost", "model": "m"})


@pytest.mark.parametrize(
    ("url", "anthropic", "address"),
    [
        ("http://h:1/v1", False, "http://h:1/v1/x"),
        ("http://h:1/v1", True, "http://h:1/v1/x"),
        ("http://h:1", False, "http://h:1/v1/x"),
        ("http://h:1", True, "http://h:1/v1/x"),
        ("http://h/api", False, "http://h/api/x"),
        ("http://h/api", True, "http://h/api/v1/x"),
        ("http://h/v1beta/openai", False, "http://h/v1beta/openai/x"),
        ("http://h/v1?a=1", False, "http://h/v1/x?a=1"),
    ],
)
def test_a_path_is_put_behind_the_address(url: str, anthropic: bool, address: str) -> None:
    assert server(url=url).address("x", anthropic=anthropic) == address


def test_the_query_of_a_request_follows_that_of_the_address() -> None:
    assert server(url="http://h/v1?a=1").address("x", query="b=2") == "http://h/v1/x?a=1&b=2"


NEAR, FAR, FIRST = server("near"), server("far"), server("default")


@pytest.mark.parametrize(
    ("servers", "named", "model", "chosen"),
    [
        ((NEAR,), None, None, Chosen(server=NEAR, model=None)),
        ((NEAR,), None, "org/m", Chosen(server=NEAR, model="org/m")),
        ((NEAR,), None, "near/", Chosen(server=NEAR, model="near/")),
        ((NEAR, FAR), None, "far/org/m", Chosen(server=FAR, model="org/m")),
        ((NEAR, FIRST), None, "m", Chosen(server=FIRST, model="m")),
        ((NEAR, FAR), "near", "far/m", Chosen(server=NEAR, model="far/m")),
    ],
)
def test_the_path_the_model_or_the_default_chooses(
    servers: tuple[UpstreamServer, ...], named: str | None, model: str | None, chosen: Chosen
) -> None:
    assert choose_upstream(servers, named=named, model=model) == chosen


def test_an_upstream_that_is_not_there_is_not_replaced_by_another() -> None:
    with pytest.raises(UpstreamNotFound):
        choose_upstream((NEAR,), named="far")


@pytest.mark.parametrize("servers", [(), (NEAR, FAR)])
def test_nothing_is_guessed_between_several_upstreams(servers: tuple[UpstreamServer, ...]) -> None:
    with pytest.raises(UpstreamUnclear) as caught:
        choose_upstream(servers, model="m")
    assert caught.value.names == tuple(one.name for one in servers)
