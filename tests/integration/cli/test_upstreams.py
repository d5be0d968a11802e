"""Upstreams through the door, and the proxy as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from tests.integration.cli.door import door

from foreword.bootstrap import open_engine
from foreword.engine.upstreams import set_upstream
from foreword.testing.model_server import ModelServer

URL = "http://localhost:8080/v1"


def upstream(name: str = "near", **changes: object) -> dict[str, object]:
    return {"name": name, "url": URL, "key_env": "", "context": None, **changes}


def test_an_upstream_is_set_changed_listed_and_removed() -> None:
    opened = door()
    assert opened.json("upstreams", "list") == []
    assert "No upstream is set." in opened.says("upstreams", "list")
    assert opened.json("upstreams", "set", "near", "--url", URL + "/") == upstream()
    changed = upstream(key_env="NEAR_KEY", context=8192)
    words = ("upstreams", "set", "near", "--key-env", "NEAR_KEY", "--context", "8192")
    assert opened.json(*words) == changed
    assert opened.json("upstreams", "set", "far", "--url", URL) == upstream("far")
    assert opened.json("upstreams", "list") == [upstream("far"), changed]
    shown = opened.says("upstreams", "list")
    assert "from $NEAR_KEY" in shown
    assert "8,192" in shown
    assert opened.json("upstreams", "remove", "near") == changed
    assert opened.says("upstreams", "remove", "far") == "Removed: far\n"
    assert opened.json("upstreams", "list") == []


def test_an_empty_value_is_taken_away() -> None:
    opened = door()
    opened.says("upstreams", "set", "near", "--url", URL, "--context", "8192")
    assert opened.json("upstreams", "set", "near", "--context", "") == upstream()


def test_the_query_of_an_address_is_not_shown() -> None:
    opened = door()
    assert opened.json("upstreams", "set", "near", "--url", URL + "?version=1") == upstream(
        url=URL + "?…"
    )


def test_what_cannot_be_is_refused() -> None:
    opened = door()
    code, error = opened.error("upstreams", "remove", "near")
    assert (code, error["type"]) == (3, "UpstreamNotFound")
    code, error = opened.error("upstreams", "set", "near", "--context", "8192")
    assert (code, error["type"], error["name"]) == (4, "InvalidSetting", "url")
    code, error = opened.error("upstreams", "set", "near")
    assert (code, error["type"]) == (2, "UsageError")


@pytest.mark.skipif(sys.platform == "win32", reason="signals end processes otherwise there")
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_the_proxy_serves_until_a_signal_and_keeps_its_port(
    tmp_path: Path, ending: signal.Signals
) -> None:
    program = [sys.executable, "-m", "foreword", "--data-dir", str(tmp_path)]
    with ModelServer() as server:
        engine = open_engine(tmp_path)
        set_upstream(engine, "near", {"url": server.url})
        engine.store.close()
        process = subprocess.Popen(
            [*program, "serve", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            text=True,
        )
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("Listening on ").strip()
        with urllib.request.urlopen(f"{url}/models", timeout=20) as answer:
            assert json.load(answer)["data"][0]["id"] == "fake"
        port = url.removesuffix("/v1").rpartition(":")[2]
        code, error = door().error("serve", "--port", port)
        assert (code, error["type"], error["port"]) == (4, "AddressUnavailable", int(port))
        process.send_signal(ending)
        said, log = process.communicate(timeout=30)
    assert (process.returncode, said) == (0, "")
    assert log.splitlines() == ["GET /v1/models: near answers 200", "Stopped."]
