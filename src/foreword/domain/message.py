"""One message of a request to a model, as chat APIs take it.

Above: prompts, which words messages; ports and engine, which send them. Below: turns.
"""

from dataclasses import dataclass

from foreword.domain.turn import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a request, as chat APIs take it."""

    role: Role
    """Never `tool`: results of tools are sent as text."""
    content: str
