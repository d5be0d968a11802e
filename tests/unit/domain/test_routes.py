from collections.abc import Mapping
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreword.domain.routes import (
    ANTHROPIC_URL,
    INHERITS,
    OPENAI_URL,
    ROUTE_SETTINGS,
    Route,
    RouteKind,
    RouteName,
    route_from,
    route_name,
    routed,
    stored_route,
)
from foreword.errors import InvalidSetting, RouteNotFound, UnknownSetting

URL = "http://localhost:8080/v1"
SERVED = {"url": URL, "model": "m"}

words = st.text(
    st.characters(min_codepoint=33, max_codepoint=0x2FFF, exclude_categories=("Cs", "Z", "C")),
    min_size=1,
    max_size=20,
)


def whole(least: int, most: int) -> st.SearchStrategy[str]:
    return st.integers(least, most).map(str)


@st.composite
def decimals(draw: st.DrawFn, least: int, most: int) -> str:
    decimal = f"{draw(st.integers(least, most - 1))}.{draw(st.integers(0, 10**9 - 1)):09d}"
    return draw(st.sampled_from([str(most), decimal, decimal[:-6]]))


keys: st.SearchStrategy[dict[str, str]] = st.one_of(
    st.just(dict[str, str]()),
    st.from_regex(r"\A[A-Z_][A-Z_]{0,15}\Z").map(lambda name: {"key_env": name}),
    words.map(lambda name: {"key_file": f"{name}.txt"}),
)
models = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["openai", "anthropic", "local"]), "model": words},
        optional={"url": st.sampled_from([URL, "https://[::1]:1/", " HTTP://Host.example/a?b=c "])},
    ),
    st.fixed_dictionaries({"kind": st.just("builtin")}, optional={"model": words}),
    st.fixed_dictionaries({"model": words.map(lambda word: f"{word}.gguf")}),
    st.just({"model": "builtin"}),
    st.just(SERVED),
)
numbers = st.fixed_dictionaries(
    {},
    optional={
        "context": whole(256, 100_000_000),
        "told_context": whole(1, 100_000_000),
        "output": whole(1, 10_000_000),
        "temperature": decimals(0, 2),
        "timeout": decimals(1, 7200),
        "retries": whole(0, 10),
        "rpm": whole(1, 1_000_000),
        "concurrency": whole(1, 1000),
        "suffix": st.sampled_from(["on", "off"]),
        "price_in": decimals(0, 1_000_000),
        "price_cached": decimals(0, 1_000_000),
        "price_out": decimals(0, 1_000_000),
    },
)


@st.composite
def routes(draw: st.DrawFn) -> Route:
    """Draw a route of any kind with any of its values."""
    values = draw(models) | draw(numbers) | draw(keys)
    return route_from(draw(st.sampled_from(["summarise", "merge", "fallback"])), values)


def refusal(values: Mapping[str, str], name: str = "summarise") -> InvalidSetting:
    with pytest.raises(InvalidSetting) as raised:
        route_from(name, values)
    return raised.value


def refused(values: Mapping[str, str], name: str = "chat") -> InvalidSetting | None:
    try:
        route_from(name, values)
    except InvalidSetting as error:
        return error
    return None


@given(routes())
def test_a_stored_route_reads_as_itself(route: Route) -> None:
    assert route_from(route.name, stored_route(route)) == route


@given(routes())
def test_only_what_differs_from_its_default_is_stored(route: Route) -> None:
    bare = Route(name=route.name, kind=route.kind)
    differing = {
        entry.name
        for entry in fields(Route)
        if getattr(route, entry.name) != getattr(bare, entry.name)
    }
    assert stored_route(route).keys() == differing | {"kind"}


def test_every_value_reaches_the_route() -> None:
    values = {
        "kind": "openai",
        "url": URL,
        "model": "m-1",
        "key_env": "MY_KEY",
        "key_file": "",
        "context": "8192",
        "told_context": "4096",
        "output": "500",
        "temperature": "0.7",
        "timeout": "30.5",
        "retries": "0",
        "rpm": "20",
        "concurrency": "4",
        "suffix": "on",
        "price_in": "2.5",
        "price_cached": "0.25",
        "price_out": "10",
    }
    assert set(values) == set(ROUTE_SETTINGS)
    assert route_from("chat", values) == Route(
        name="chat",
        kind=RouteKind.OPENAI,
        url=URL,
        model="m-1",
        key_env="MY_KEY",
        context=8192,
        told_context=4096,
        output=500,
        temperature=0.7,
        timeout=30.5,
        retries=0,
        rpm=20,
        concurrency=4,
        suffix=True,
        price_in=2.5,
        price_cached=0.25,
        price_out=10.0,
    )


def test_what_is_not_named_has_its_default() -> None:
    assert route_from("chat", SERVED) == Route(
        name="chat", kind=RouteKind.OPENAI, url=URL, model="m"
    )


@pytest.mark.parametrize("blank", ["", " ", "\t\n"])
@pytest.mark.parametrize("name", [name for name in ROUTE_SETTINGS if name not in SERVED])
def test_a_blank_value_means_the_default(name: str, blank: str) -> None:
    assert route_from("chat", SERVED | {name: blank}) == route_from("chat", SERVED)


@pytest.mark.parametrize(
    ("values", "kind", "url"),
    [
        ({"model": "gpt-5"}, RouteKind.OPENAI, OPENAI_URL),
        ({"model": "m", "url": URL}, RouteKind.OPENAI, URL),
        ({"model": "a.gguf", "url": URL}, RouteKind.OPENAI, URL),
        ({"model": "builtin", "url": URL}, RouteKind.OPENAI, URL),
        ({"model": "a/B.GGUF"}, RouteKind.LOCAL, ""),
        ({"model": "Builtin"}, RouteKind.BUILTIN, ""),
        ({"kind": " Anthropic ", "model": "claude"}, RouteKind.ANTHROPIC, ANTHROPIC_URL),
        ({"kind": "anthropic", "model": "claude", "url": URL}, RouteKind.ANTHROPIC, URL),
        ({"kind": "local", "model": "a.bin"}, RouteKind.LOCAL, ""),
        ({"kind": "builtin"}, RouteKind.BUILTIN, ""),
    ],
)
def test_the_kind_and_address_are_known_from_the_rest(
    values: dict[str, str], kind: RouteKind, url: str
) -> None:
    route = route_from("summarise", values)
    assert (route.kind, route.url) == (kind, url)


@pytest.mark.parametrize(
    ("written", "url"),
    [
        (" https://host.example/v1/ ", "https://host.example/v1"),
        ("HTTP://Host:1//", "HTTP://Host:1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("http://[::FFFF:127.0.0.1]:65535", "http://[::FFFF:127.0.0.1]:65535"),
        ("https://bücher.example/v1", "https://bücher.example/v1"),
        (
            "https://a1b2c3d4e5f6a7b8c9d0-8000.example/v1",
            "https://a1b2c3d4e5f6a7b8c9d0-8000.example/v1",
        ),
        ("https://host/v1?api-version=2", "https://host/v1?api-version=2"),
    ],
)
def test_an_address_is_taken_without_what_is_around_it(written: str, url: str) -> None:
    assert route_from("chat", {"model": "m", "url": written}).url == url


@pytest.mark.parametrize(
    "url",
    [
        *("/", "localhost:8080", "ftp://host", "http://", "http:///v1", "x", "http://:8080/v1"),
        *("http://host:port", "http://host:65536/v1", "http://host:100000", "http://host:1:2"),
        *("http://[::1/v1", "http://::1]/v1", "http://[:]/v1", "http://[1.2]", "http://[::1]x"),
        *("http://host\x00/v1", "http://host/\x07v1", "http://\ud800/v1"),
    ],
)
def test_what_is_no_address_is_refused(url: str) -> None:
    error = refusal({"model": "m", "url": url})
    assert (error.name, error.value) == ("url", url)
    assert error.wanted.startswith("an address such as http://localhost:8080/v1")


@pytest.mark.parametrize(
    "url",
    [
        "https://me:hidden@host/v1",
        "https://me:hid/den@host/v1",
        "hidden@host",
        "ftp://host/?key=hidden",
        "https://host/v1?key=hidden@",
        "https://host/v1?api_key=hidden",
        "https://host/v1?api-version=2&X-Auth-Token=hidden",
        "https://host/v1?;key=hidden",
        "https://host/v1?code=hidden",
        "https://host/v1?hiddenHidden1hidden",
        "https://host#hidden",
        "https://host/v1#key=hidden",
        "sk-hidden",
        "host/gsk_hidden",
        "Bearer hidden",
        "http:/hiddenhiddenhidden",
    ],
)
def test_a_refused_address_is_not_repeated_where_it_may_hold_a_password(url: str) -> None:
    error = refusal({"model": "m", "url": url})
    assert (error.name, error.value) == ("url", "…")
    assert "hid" not in str(error)


@pytest.mark.parametrize(
    "key",
    [
        "sk-secret-1",
        "sk-ant-api03-a1b2c3d4",
        "gsk_a1B2c3D4e5F6g7H8i9J0k1L2",
        "hf_aBcDeFgHiJkLmN1oPqRsTuVwXyZ",
        "9f86d081884c7d659a2feaa0c55ad015",
        "f86d081884c7d659a2feaa0c55ad0159",
        "Bearer abc",
        "KEY=value",
        "$MY_KEY",
    ],
)
def test_a_key_given_for_its_variable_is_refused_and_not_repeated(key: str) -> None:
    error = refusal(SERVED | {"key_env": key})
    assert vars(error) == {
        "name": "key_env",
        "value": "…",
        "wanted": "the name of an environment variable, not the key",
    }
    assert key not in str(error)


@given(
    st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=32),
    st.sampled_from(["", "sk-", "sk-proj-", "gsk_", "hf_", "r8_"]),
)
def test_a_random_key_with_digits_among_its_letters_never_becomes_a_variable(
    key: str, prefix: str
) -> None:
    secret = f"{prefix}{key[:15]}7{key[15:]}z"
    assert secret not in str(refusal(SERVED | {"key_env": secret}))


@given(
    st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", min_size=16),
    st.sampled_from(["", "http:/", "http://", "Bearer ", "host/v1/", "https://host/v1#key="]),
)
def test_a_key_given_for_an_address_is_never_repeated(key: str, before: str) -> None:
    error = refused({"model": "m", "url": before + key})
    if before == "http://":
        assert error is None  # there it may be the name of a host
    else:
        assert error is not None
        assert error.value == "…"
        assert key not in str(error)


@given(
    st.dictionaries(
        st.sampled_from(list(ROUTE_SETTINGS)),
        st.one_of(
            st.text(max_size=30),
            st.text("htp:/?#@[]&;=.-019ak _", max_size=30).map(lambda rest: f"http://{rest}"),
            st.floats().map(str),
            st.integers().map(str),
        ),
    ),
    st.sampled_from(RouteName),
)
def test_whatever_is_given_becomes_a_route_that_can_be_stored_or_is_refused(
    values: dict[str, str], job: RouteName
) -> None:
    all_values = {"model": "m"} | values
    if error := refused(all_values, job.value):
        assert error.name in ROUTE_SETTINGS
    else:
        route = route_from(job.value, all_values)
        assert route_from(job.value, stored_route(route)) == route


@pytest.mark.parametrize(
    "values",
    [
        {"key_env": "a" * 100_000},
        {"key_env": "1a" * 50_000},
        {"key_env": "a" + "1" * 100_000},
        {"url": "http://host/" + "?" * 100_000},
        {"url": "http://host/?" + "key" * 30_000},
        {"url": "http://host/?" + "a" * 100_000},
        {"url": "h" * 100_000},
    ],
    ids=range(7),
)
def test_a_hundred_thousand_characters_are_judged_like_a_few(values: dict[str, str]) -> None:
    few = {name: value[:60] for name, value in values.items()}
    outcomes = [refused(SERVED | one) is None for one in (few, values)]
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize(
    "name",
    [
        *("OPENAI_API_KEY", "_key", "K", "OPENAI_API_KEY_2", "AZUREOPENAIAPIKEY1"),
        *("MY_COMPANY_2026_KEY", "my_very_long_but_readable_name_of_a_variable", "S3_KEY_OF_7B"),
    ],
)
def test_a_name_of_a_variable_is_taken(name: str) -> None:
    assert route_from("chat", SERVED | {"key_env": f" {name} "}).key_env == name


@pytest.mark.parametrize("folder", ["", "/home/me/", "C:\\Users\\me\\"])
@pytest.mark.parametrize(
    "key", ["sk-secret-1", "sk-proj-a_b-c1", "9f86d081884c7d659a2feaa0c55ad015", "a1" * 8]
)
def test_a_key_given_for_its_file_is_refused_and_not_repeated(folder: str, key: str) -> None:
    error = refusal(SERVED | {"key_file": folder + key})
    assert vars(error) == {
        "name": "key_file",
        "value": "…",
        "wanted": "the path of a file with the key, not the key",
    }
    assert key not in str(error)


@pytest.mark.parametrize(
    "path",
    [
        *("key", "sk-1", "openrouter-api-key-2026", "sk-secret-1.txt", "C:\\keys\\chat", "keys/"),
        *("sk-secret-1/key", "/home/9f86d081884c7d659a2feaa0c55ad015/key", "my_openai_key"),
    ],
)
def test_a_path_of_a_key_is_taken(path: str) -> None:
    assert route_from("chat", SERVED | {"key_file": path}).key_file == path


def test_a_key_comes_from_one_place() -> None:
    error = refusal(SERVED | {"key_env": "MY_KEY", "key_file": "sk-secret-1"})
    assert vars(error) == {
        "name": "key_file",
        "value": "…",
        "wanted": "either a variable or a file, not both",
    }


@pytest.mark.parametrize(
    ("name", "wanted", "values"),
    [
        ("context", "a whole number from 256 to 100000000", "255 100000001 many -1 1e5 8k 1.5 ٣٠٠"),
        ("told_context", "a whole number from 1 to 100000000", "0 x"),
        ("output", "a whole number from 1 to 10000000", "0 10000001"),
        ("temperature", "a number from 0 to 2", "2.1 -0.1 nan inf 1e0 .5 1. 0,5"),
        ("timeout", "a number from 1 to 7200", "0 0.999 7200.1 60s"),
        ("retries", "a whole number from 0 to 10", "-1 11 1.0"),
        ("rpm", "a whole number from 1 to 1000000", "0 1000001"),
        ("concurrency", "a whole number from 1 to 1000", "0 1001"),
        ("price_in", "a number from 0 to 1000000", "-1 1000000.1 $2 0.0000000001"),
        ("price_cached", "a number from 0 to 1000000", "free"),
        ("price_out", "a number from 0 to 1000000", "1_0 1000000000000"),
    ],
)
def test_a_number_that_does_not_fit_is_refused(name: str, wanted: str, values: str) -> None:
    for value in values.split():
        error = refusal(SERVED | {name: value})
        assert (error.name, error.value, error.wanted) == (name, value, wanted)


def test_an_unknown_kind_is_refused_with_those_there_are() -> None:
    error = refusal(SERVED | {"kind": "llama"})
    assert (error.name, error.value) == ("kind", "llama")
    assert error.wanted == "one of openai, anthropic, local, builtin"


@pytest.mark.parametrize("kind", ["openai", "anthropic", "local"])
@pytest.mark.parametrize("model", [{}, {"model": ""}, {"model": " \n"}])
def test_a_model_is_needed(kind: str, model: dict[str, str]) -> None:
    error = refusal({"kind": kind} | model)
    assert (error.name, error.wanted) == ("model", "the name of a model")


def test_the_builtin_summariser_writes_no_replies() -> None:
    error = refusal({"kind": "builtin"}, "chat")
    assert (error.name, error.value) == ("kind", "builtin")
    assert error.wanted == "a model: the built-in summariser cannot write replies"


def test_an_unknown_job_or_value_is_refused() -> None:
    with pytest.raises(RouteNotFound) as unknown_job:
        route_from("sing", SERVED)
    assert unknown_job.value.reference == "sing"
    with pytest.raises(UnknownSetting) as unknown_value:
        route_from("chat", SERVED | {"key": "sk-secret-1"})
    assert (unknown_value.value.name, unknown_value.value.known) == ("key", tuple(ROUTE_SETTINGS))
    assert "sk-secret-1" not in str(unknown_value.value)


def test_every_job_has_a_name_that_reads_as_itself() -> None:
    assert [route_name(job.value) for job in RouteName] == list(RouteName)


def test_every_value_has_a_sentence_of_help() -> None:
    assert [name for name, about in ROUTE_SETTINGS.items() if not about.endswith(".")] == []
    assert set(ROUTE_SETTINGS) == {entry.name for entry in fields(Route)} - {"name"}


CHAT, SUMMARISE, MERGE, FALLBACK = (
    replace(route_from("chat", SERVED), name=job.value) for job in RouteName
)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ((), (None, None, None, None)),
        ((CHAT,), (CHAT, CHAT, CHAT, None)),
        ((SUMMARISE,), (None, SUMMARISE, SUMMARISE, None)),
        ((CHAT, MERGE), (CHAT, CHAT, MERGE, None)),
        ((MERGE, FALLBACK), (None, None, MERGE, FALLBACK)),
        ((CHAT, SUMMARISE, MERGE, FALLBACK), (CHAT, SUMMARISE, MERGE, FALLBACK)),
    ],
)
def test_a_job_without_a_route_inherits_one(
    stored: tuple[Route, ...], expected: tuple[Route | None, ...]
) -> None:
    known = {route.name: route for route in stored}
    assert tuple(routed(known, job) for job in RouteName) == expected
    assert set(INHERITS) == set(RouteName)


@pytest.mark.parametrize(
    ("context", "told", "known"),
    [("", "", None), ("8192", "", 8192), ("", "4096", 4096), ("8192", "4096", 4096),
     ("2048", "4096", 2048)],
)  # fmt: skip
def test_the_known_context_is_the_smaller_one(context: str, told: str, known: int | None) -> None:
    route = route_from("chat", SERVED | {"context": context, "told_context": told})
    assert route.known_context == known


@pytest.mark.parametrize(
    ("values", "provider"),
    [
        ({"model": "m", "url": "https://api.example.com/v1?x=1"}, "https://api.example.com"),
        ({"model": "m", "url": "http://127.0.0.1:8080"}, "http://127.0.0.1:8080"),
        ({"model": "m", "url": "http://[::1]:1/v1"}, "http://[::1]:1"),
        ({"model": "m"}, "https://api.openai.com"),
        ({"model": "a.gguf"}, "local"),
        ({"kind": "builtin"}, "builtin"),
    ],
)
def test_a_provider_is_where_the_account_is(values: dict[str, str], provider: str) -> None:
    assert route_from("summarise", values).provider == provider


@pytest.mark.parametrize(
    ("values", "maker"),
    [
        ({"model": "org/m-1", "url": URL}, "org/m-1"),
        ({"model": "/home/me/models/tiny.gguf"}, "tiny.gguf"),
        ({"model": r"C:\models\tiny.gguf"}, "tiny.gguf"),
    ],
)
def test_a_maker_is_the_model_without_its_folder(values: dict[str, str], maker: str) -> None:
    assert route_from("summarise", values).maker == maker
