"""The Python door: open the memory, work on a conversation, get prompts.

Above: programs. Below: `bootstrap` and the engine; no rule lives here. What asks a model or a
summariser is async, all else is plain.
"""

from foreword.library.conversation import Conversation
from foreword.library.memory import Memory, open_memory

__all__ = ["Conversation", "Memory", "open_memory"]
