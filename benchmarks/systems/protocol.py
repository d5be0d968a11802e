"""What an adapter offers to be measured: chats, and the import of a file."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from benchmarks.corpus import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A system as the tables show it, known before its packages are loaded."""

    name: str
    home: str
    """`module:class` of its adapter in this folder."""
    packages: tuple[str, ...]
    storage: str
    """Where a turn is after it was appended."""
    forgets: str
    """What becomes of turns that do not fit into the budget."""
    most_turns: int = 1_000_000
    """Longest conversation it is measured with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What an adapter is made with."""

    folder: Path
    """An empty folder for its files."""
    budget: int
    """Tokens of a prompt."""


class Chat(Protocol):
    """One conversation of a system."""

    def say(self, text: str) -> int:
        """Append a user's turn, get the prompt for the reply, and return its messages' number."""
        ...

    def answer(self, text: str) -> None:
        """Append the reply, where `say` has not."""
        ...


@runtime_checkable
class Kept(Protocol):
    """A chat that a program keeps short between turns, by a call of its own."""

    def upkeep(self) -> None:
        """Summarise what is due."""
        ...


class System(Protocol):
    """An adapter: made with a `Place`, in a process of its own."""

    def chat(self, number: int, before: Iterable[Message]) -> Chat:
        """Return conversation `number`, counted from 0, which holds the messages `before`."""
        ...


class Importer(System, Protocol):
    """A system that takes in many messages at once."""

    def import_file(self, path: Path) -> int:
        """Take a chat of SillyTavern in, as a conversation that is new, and return its turns."""
        ...
