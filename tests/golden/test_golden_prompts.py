"""The exact prompts of many conversations: a change of any of them has to be meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.databases import new_sqlite_store
from tests.golden.cases import CASES
from tests.golden.telling import engine_for

from foreword.engine.prompting import Prompt
from foreword.testing.memory_store import MemoryStore

FOLDER = Path(__file__).parent


def shown(name: str, prompt: Prompt) -> str:
    """Return a prompt as a page: what it consists of, then every message word for word."""
    plan, coverage = prompt.plan, prompt.plan.coverage
    counted = [
        (what, getattr(coverage, what))
        for what in ("verbatim", "covered", "masked", "hidden", "dropped")
    ]
    lines = [
        f"# {name}",
        "",
        f"{plan.tokens} of {plan.limit} tokens, context {prompt.context}.",
        "",
        "| section | tokens | turns |",
        "|---|---|---|",
        *(f"| {part.name} | {part.tokens} | {part.turns} |" for part in plan.sections),
        "",
        f"{coverage.turns} turns: " + ", ".join(f"{n} {what}" for what, n in counted) + ".",
    ]
    if prompt.outdated is not None:
        lines += ["", f"Asked first: {prompt.outdated.question}"]
    for number, message in enumerate(prompt.messages, start=1):
        lines += ["", f"## {number} {message.role}", "", message.content.strip("\n")]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_a_prompt_is_as_it_was(name: str, update_golden: bool) -> None:
    tell, context = CASES[name]
    play = tell(engine_for(MemoryStore()))

    page = shown(name, play.prompt(context))

    path = FOLDER / f"{name}.md"
    if update_golden:
        path.write_text(page, "utf-8", newline="\n")
    assert path.read_bytes().decode() == page
    assert play.problems() == ()


@pytest.mark.parametrize("name", CASES)
def test_a_database_gives_the_same_prompt(name: str, tmp_path: Path) -> None:
    tell, context = CASES[name]
    store = new_sqlite_store(tmp_path)
    try:
        page = shown(name, tell(engine_for(store)).prompt(context))
    finally:
        store.close()
    assert (FOLDER / f"{name}.md").read_bytes().decode() == page


def test_every_golden_file_belongs_to_a_story() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(CASES)
