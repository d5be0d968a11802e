"""The systems that are measured: one adapter for each, in one file for each package.

An adapter is loaded only in the process that measures it. What is not installed is left out.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

from benchmarks.systems.protocol import Kind, Place, System

KINDS: tuple[Kind, ...] = (
    Kind(
        name="Foreword",
        home="foreword:WithSummaries",
        packages=("foreword",),
        storage="SQLite file",
        forgets="nothing: summaries in layers, originals stored",
    ),
    Kind(
        name="Foreword, no summaries",
        home="foreword:WithoutSummaries",
        packages=("foreword",),
        storage="SQLite file",
        forgets="older turns are not sent, originals stored",
    ),
    Kind(
        name="LangChain trim_messages",
        home="langchain:Trimming",
        packages=("langchain-core",),
        storage="none",
        forgets="older messages are not sent; tokens estimated from characters",
    ),
    Kind(
        name="LangChain trim_messages, exact tokens",
        home="langchain:TrimmingExactly",
        packages=("langchain-core", "bpe-openai"),
        storage="none",
        forgets="older messages are not sent; tokens counted",
    ),
    Kind(
        name="LangChain SummarizationMiddleware",
        home="langchain:Summarising",
        packages=("langchain", "langchain-core"),
        storage="none",
        forgets="older messages are replaced by one summary",
    ),
    Kind(
        name="LangChain agent, SqliteSaver",
        home="langchain:Agent",
        packages=("langchain", "langgraph", "langgraph-checkpoint-sqlite"),
        storage="SQLite file",
        forgets="older messages are replaced by one summary",
        most_turns=1_000,
    ),
    Kind(
        name="LangMem SummarizationNode",
        home="langmem:Summarising",
        packages=("langmem", "langchain-core"),
        storage="none",
        forgets="older messages are replaced by a running summary",
    ),
    Kind(
        name="LlamaIndex Memory",
        home="llama_index:InMemory",
        packages=("llama-index-core",),
        storage="SQLite in memory",
        forgets="older messages are not sent",
    ),
    Kind(
        name="LlamaIndex Memory, file",
        home="llama_index:InFile",
        packages=("llama-index-core",),
        storage="SQLite file",
        forgets="older messages are not sent",
    ),
    Kind(
        name="OpenAI Agents SQLiteSession, limit",
        home="openai_agents:Newest",
        packages=("openai-agents",),
        storage="SQLite file",
        forgets="all but the newest 84 messages, whatever their size",
    ),
    Kind(
        name="OpenAI Agents SQLiteSession",
        home="openai_agents:Everything",
        packages=("openai-agents",),
        storage="SQLite file",
        forgets="nothing: the whole conversation is sent, whatever the budget",
    ),
)


READ_BEFORE = Kind(
    name="Foreword, file read before",
    home="foreword:ReadBefore",
    packages=("foreword",),
    storage="SQLite file",
    forgets="nothing",
)
"""For imports alone: tokens, digests, full text and rows of messages that are read already."""


def kind_of(name: str) -> Kind:
    """Return the kind with that name."""
    return next(kind for kind in (*KINDS, READ_BEFORE) if kind.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Who takes part in a benchmark."""

    kinds: tuple[Kind, ...]
    absent: dict[str, str]
    """Systems that cannot take part, and why."""
    versions: dict[str, str]
    """Of their packages."""


def field_of(kinds: Iterable[Kind] = KINDS) -> Field:
    """Return those that are installed."""
    wanted = tuple(kinds)
    found = {package: _version(package) for kind in wanted for package in kind.packages}
    absent = {
        kind.name: f"not installed: {', '.join(gone)}"
        for kind in wanted
        if (gone := [package for package in kind.packages if not found[package]])
    }
    return Field(
        kinds=tuple(kind for kind in wanted if kind.name not in absent),
        absent=absent,
        versions={name: found[name] for name in sorted(found) if found[name]},
    )


def load(name: str, place: Place) -> System:
    """Return the adapter of a system, ready for chats."""
    module, _, adapter = kind_of(name).home.partition(":")
    made: System = getattr(import_module(f"benchmarks.systems.{module}"), adapter)(place)
    return made


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
