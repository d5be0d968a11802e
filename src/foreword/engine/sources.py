"""What a conversation keeps of the files it came from: a JSON object, SillyTavern's header.

Below `importing`. Invariant: whatever stands in it, nothing here raises.
"""

from __future__ import annotations

import json

from foreword.domain.ids import BranchId
from foreword.domain.storable import storable_text


def from_header(source: str, name: str) -> str:
    """Return what a chat says under a name, or an empty text.

    SillyTavern wrote it into the chat's metadata; readers of other formats put it into their note.
    """
    header = _object(source)
    for holder in (header.get("chat_metadata"), header.get("foreword")):
        value = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(value, str):
            return storable_text(value)
    return ""


def with_branch(source: str, branch: BranchId, of: str) -> str:
    """Return a conversation's header with the one of a branch's own file beside it, for export."""
    known, own = _object(source), _object(of)
    note = known.get("foreword")
    if not own or not isinstance(note, dict):
        return source
    branches = note.get("branches")
    kept = {**(branches if isinstance(branches, dict) else {}), str(branch): of}
    return json.dumps({**known, "foreword": {**note, "branches": kept}}, ensure_ascii=True)


def _object(text: str) -> dict[str, object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):  # none, or one that somebody changed by hand in a bundle
        return {}
    return value if isinstance(value, dict) else {}
