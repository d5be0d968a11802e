"""The story so far, for any model.

Foreword keeps long conversations inside a model's context: recent turns go out word for word,
older ones as layered summaries, and every original stays stored and restorable.

    import foreword

    with foreword.open("stories") as memory:
        story = memory.import_file("chat.jsonl")
        print(story.prompt(context=8192).messages)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foreword import errors
    from foreword.domain.turn import Role, Turn
    from foreword.engine.costs import Costs
    from foreword.engine.history import UndoResult
    from foreword.engine.probing import Probe
    from foreword.engine.prompting import Prompt
    from foreword.engine.recap import RecapRun
    from foreword.engine.replying import Reply
    from foreword.engine.routes import RouteView
    from foreword.engine.status import Status
    from foreword.engine.summary_views import SummaryView
    from foreword.library import Conversation, Memory
    from foreword.library import open_memory as open  # noqa: A004  as in shelve.open

__version__ = "0.1.0"

__all__ = [
    "Conversation",
    "Costs",
    "Memory",
    "Probe",
    "Prompt",
    "RecapRun",
    "Reply",
    "Role",
    "RouteView",
    "Status",
    "SummaryView",
    "Turn",
    "UndoResult",
    "__version__",
    "errors",
    "open",
]

_HOMES = {
    "Conversation": "foreword.library:Conversation",
    "Costs": "foreword.engine.costs:Costs",
    "Memory": "foreword.library:Memory",
    "Probe": "foreword.engine.probing:Probe",
    "Prompt": "foreword.engine.prompting:Prompt",
    "RecapRun": "foreword.engine.recap:RecapRun",
    "Reply": "foreword.engine.replying:Reply",
    "Role": "foreword.domain.turn:Role",
    "RouteView": "foreword.engine.routes:RouteView",
    "Status": "foreword.engine.status:Status",
    "SummaryView": "foreword.engine.summary_views:SummaryView",
    "Turn": "foreword.domain.turn:Turn",
    "UndoResult": "foreword.engine.history:UndoResult",
    "errors": "foreword.errors:",
    "open": "foreword.library:open_memory",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for, so that importing the package is fast."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'foreword' has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    loaded = import_module(module)
    return getattr(loaded, attribute) if attribute else loaded
