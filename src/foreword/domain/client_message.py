"""One message of a request, as a client of the proxy sent it, in the words of no protocol.

Above: the doors, which read it from a protocol and keep the bytes that they read it from, and
`planning.recognition`, which finds out what it is. Below: turns.
"""

from __future__ import annotations

from dataclasses import dataclass

from foreword.domain.turn import Role, ToolCallPart


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientMessage:
    """What a client's message says, whatever protocol it came in."""

    role: Role
    """`developer` and every role that is not known are read as `system`."""
    text: str = ""
    """All its text parts, one paragraph each; of a tool's answer, the answer."""
    name: str = ""
    """The name that the client gave beside the role."""
    calls: tuple[ToolCallPart, ...] = ()
    """The tools that the model called in it."""
    answers: str = ""
    """The id of the call that it answers, of a tool's message."""
    media: tuple[str, ...] = ()
    """Digests or addresses of its pictures and files, in order."""
