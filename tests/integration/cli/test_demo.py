"""The demonstration on the built-in summariser: its words are explained, its numbers have units."""

import re

import pytest
from tests.integration.cli.door import Door

from foreword.llm.builtin import BuiltinSummariser
from foreword.testing.engines import engine_on
from foreword.testing.memory_store import MemoryStore


@pytest.fixture(scope="module")
def shown() -> str:
    engine = engine_on(MemoryStore(), summariser=BuiltinSummariser())
    return Door(engine).says("demo")


def test_the_demo_explains_its_words_before_it_uses_them(shown: str) -> None:
    beginning, _, rest = shown.partition("[█")
    for word in ("Pile: ", "Layer: ", "Depth: "):
        assert word in beginning
    assert "3 of the 266 messages are hidden and never sent." in beginning
    assert "pile " in rest


def test_every_number_of_the_status_has_its_unit(shown: str) -> None:
    lines = [line for line in shown.splitlines() if line.startswith("pile ")]
    assert len(lines) == 2
    for line in lines:
        assert re.sub(r"[\d,]+ (tokens?|turns?)\b", "", line) == (
            "pile  in , due at ; room for the story ; summaries "
        )


def test_only_the_oldest_summary_of_the_demo_is_shown_with_what_it_merged(shown: str) -> None:
    tree = [line for line in shown.splitlines() if re.match(r"[│├└ ]+── S", line)]
    tops = [number for number, line in enumerate(tree) if line[0] in "├└"]
    assert tops == [0, *range(len(tree) - len(tops) + 1, len(tree))]
    assert any(re.search(r"… [\d,]+ more inside", line) for line in tree)


def test_the_demo_ends_with_a_sound_store(shown: str) -> None:
    assert shown.splitlines()[-1].endswith(" checked, 0 problems")
