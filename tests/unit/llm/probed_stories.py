"""Stories with questions about them, and how many answers the built-in summariser keeps."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

from foreword.domain.probes import Probe, kept
from foreword.domain.summarising import Passage, SummaryRequest
from foreword.domain.turn import Role, part_text
from foreword.formats.probes import read_probes
from foreword.formats.sillytavern import SillyTavernFormat
from foreword.llm.builtin import BuiltinSummariser
from foreword.ports.format import SourceFile
from foreword.ports.token_counter import TokenCounter

HARBOUR = Path(__file__).parents[2] / "data" / "harbour"
SPAN = 20


@dataclass(frozen=True, slots=True)
class EveryWord:
    """Counts words and marks: no alphabet costs more than another."""

    name: str = "every-word"

    def count(self, text: str) -> int:
        return len(re.findall(r"\w+|[^\w\s]", text))


@dataclass(frozen=True, slots=True)
class Probed:
    """A story cut into spans, with the probes whose answers stand in them."""

    spans: tuple[tuple[Passage | None, ...], ...]
    """None for a hidden turn."""
    probes: tuple[Probe, ...]

    @property
    def texts(self) -> Iterator[str]:
        for passage in self._passages():
            yield passage.speaker
            yield passage.text

    def told_as(self, change: Callable[[str], str]) -> Probed:
        """The same story with every text changed, and the answers too."""
        probes = tuple(
            replace(probe, answer=change(probe.answer), aliases=tuple(map(change, probe.aliases)))
            for probe in self.probes
        )
        return Probed(self.spans, probes).with_passages(
            lambda one: replace(one, speaker=change(one.speaker), text=change(one.text))
        )

    def with_passages(self, change: Callable[[Passage], Passage]) -> Probed:
        spans = tuple(
            tuple(None if one is None else change(one) for one in span) for span in self.spans
        )
        return Probed(spans, self.probes)

    def score(self, share: float, counter: TokenCounter, *, more: Sequence[Passage] = ()) -> float:
        """Percent of the answers in each span that its summary keeps.

        Args:
            share: of the tokens of a span, what its summary may have.
            counter: of tokens.
            more: passages that are put behind those of every span.
        """
        summariser = BuiltinSummariser(counter)
        earlier: list[str] = []
        pairs = found = first = 0
        for span in self.spans:
            passages = (*(one for one in span if one is not None), *more)
            budget = int(share * sum(counter.count(one.text) for one in passages))
            request = SummaryRequest(
                passages=passages, earlier=tuple(earlier), target_tokens=budget
            )
            earlier.append(asyncio.run(summariser.summarise(request)).text)
            orders = set(range(first + 1, first + len(span) + 1))
            first += len(span)
            asked = [probe for probe in self.probes if orders.intersection(probe.evidence)]
            pairs += len(asked)
            found += len(kept(asked, earlier[-1]))
        return 100 * found / pairs

    def _passages(self) -> Iterator[Passage]:
        return (one for span in self.spans for one in span if one is not None)


def lantern_road() -> Probed:
    """The story that comes with the product."""
    folder = files("foreword") / "data" / "lantern_road"
    story = (folder / "lantern-road.jsonl").read_bytes()
    chat = SillyTavernFormat().read(SourceFile(path="lantern-road.jsonl", data=story))
    passages = [
        None
        if turn.hidden
        else Passage(
            speaker=turn.speaker,
            role=turn.role,
            text="\n\n".join(map(part_text, turn.texts[turn.chosen].parts)),
        )
        for turn in chat.turns
    ]
    return _probed(passages, (folder / "lantern-road.probes.json").read_bytes())


def harbour_agent() -> Probed:
    """A session of an agent: calls, code, errors, tables."""
    lines = (HARBOUR / "agent.jsonl").read_text("utf-8").splitlines()
    passages = [_said(json.loads(line)) for line in lines]
    return _probed(passages, (HARBOUR / "agent.probes.json").read_bytes())


def _said(message: dict[str, object]) -> Passage:
    calls = message.get("tool_calls")
    parts = [str(message.get("content") or "")] + [
        f"{call['function']['name']}({call['function']['arguments']})"
        for call in (calls if isinstance(calls, list) else ())
    ]
    role = Role(str(message["role"]))
    return Passage(speaker=str(message.get("name", "")), role=role, text="\n\n".join(parts))


def _probed(passages: Sequence[Passage | None], probes: bytes) -> Probed:
    spans = [tuple(passages[at : at + SPAN]) for at in range(0, len(passages), SPAN)]
    return Probed(tuple(spans), read_probes(SourceFile(path="probes", data=probes)))
