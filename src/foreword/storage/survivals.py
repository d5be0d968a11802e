"""What a summary kept, as the text of a column.

Above: `contents`. Below: `domain.survival`. Invariant: what is written reads back equal.
"""

from __future__ import annotations

import json

from foreword.domain.specific_kinds import SpecificKind
from foreword.domain.survival import Detail, Survival


def survival_text(survival: Survival | None) -> str:
    """Return what is stored; empty for None."""
    if survival is None:
        return ""
    details = [[one.kind.value, one.text, one.weight, int(one.kept)] for one in survival.details]
    shares = [survival.had, survival.kept, survival.share, survival.since_originals]
    return json.dumps([*shares, details], ensure_ascii=False, separators=(",", ":"))


def survival_of(text: str | None) -> Survival | None:
    """Return what was stored so; None where nothing was."""
    if not text:
        return None
    had, kept, share, since_originals, details = json.loads(text)
    return Survival(
        had=had,
        kept=kept,
        share=share,
        since_originals=since_originals,
        details=tuple(
            Detail(kind=SpecificKind(kind), text=word, weight=weight, kept=bool(there))
            for kind, word, weight, there in details
        ),
    )
