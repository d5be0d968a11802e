"""Use case: a ready prompt that has the model open every reply with the story's date.

Above: the doors. Below: the settings. It stands in the setting `system` between two marks, so that
it is put in once and taken out again whatever was written around it since.

Source: spec/summaryception (timestamps); DECISIONS, One vocabulary.
"""

from __future__ import annotations

import re
from typing import Final

from foreword.domain.ids import ConversationId
from foreword.engine.context import Engine, settings_of
from foreword.engine.conversations import change_setting

_BEGIN, _END = "<scene_header>", "</scene_header>"
HEADER_PROMPT: Final = f"""{_BEGIN}
Open every reply with one line that says when and where it happens, in this form:
[ Time: 09:40 PM | Date: Monday, March 03, 1873 AD | Place: Saltmarsh, mill | Weather: rain, 6 °C ]
- Let time pass as the scene needs it, with jumps for sleep, work and journeys.
- Use the calendar, era and names of days of this story; a day number will do where it has none.
- Name the place from the general to the particular, and change it when somebody moves.
- Let people feel the weather and the hour.
{_END}"""
_WRITTEN: Final = re.compile(rf"\n*{_BEGIN}.*?{_END}\n*", re.DOTALL)


def set_header_prompt(engine: Engine, conversation: ConversationId, *, on: bool = True) -> bool:
    """Put the header prompt at the end of the system text, or take it out.

    Returns:
        Whether anything changed.

    Raises:
        ConversationNotFound: there is none of that id.
    """
    with engine.store.read(engine.account, conversation) as session:
        before = settings_of(session).get("system", "")
    without = _WRITTEN.sub("\n\n", before).strip("\n")
    after = without if not on else "\n\n".join(filter(None, (without, HEADER_PROMPT)))
    if after == before:
        return False
    change_setting(engine, "system", after, conversation)
    return True
