"""The exact prompts of six conversations: a change of any of them has to be meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden.stories import CASES

from foreword.engine.prompting import Prompt

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
    for number, message in enumerate(prompt.messages, start=1):
        lines += ["", f"## {number} {message.role}", "", message.content.strip("\n")]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", CASES)
def test_a_prompt_is_as_it_was(name: str, update_golden: bool) -> None:
    tell, context = CASES[name]
    play = tell()

    page = shown(name, play.prompt(context))

    path = FOLDER / f"{name}.md"
    if update_golden:
        path.write_text(page, "utf-8")
    assert path.read_text("utf-8") == page
    assert play.problems() == ()


def test_every_golden_file_belongs_to_a_story() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(CASES)
