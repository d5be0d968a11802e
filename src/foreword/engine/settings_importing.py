"""Use case: take the settings of another program over, for a conversation or as defaults of all.

Above: doors. Below: cleaning. Invariant: nothing changes unless every value fits.

Source: issue 5, section 5.
"""

from __future__ import annotations

from dataclasses import replace

from foreword.domain.ids import ConversationId
from foreword.domain.interchange import ForeignSettings, Loss, TakenSetting
from foreword.domain.policy import policy_from
from foreword.engine.cleaning import check_cleanup
from foreword.engine.context import Engine, Place, reading, writing
from foreword.errors import InvalidSetting
from foreword.ports.format import SourceFile
from foreword.quality.cleanup import NAME as CLEANUP


def import_settings(
    engine: Engine,
    file: SourceFile,
    conversation: ConversationId | None = None,
    *,
    dry_run: bool = False,
) -> ForeignSettings:
    """Set what a file of Summaryception says, and return what was taken and what was not.

    Settings that the file does not name stay as they are.

    Raises:
        FileUnreadable: the file has no such settings.
    """
    found = _usable(engine, engine.read_settings(file), conversation)
    values = {one.name: one.value for one in found.taken}
    policy_from(values)
    if dry_run or not values:
        return found
    if conversation is None:
        for name, value in values.items():
            engine.store.set_default(engine.account, name, value)
        return found
    with writing(engine, Place(conversation=conversation)) as to:
        to.session.change_conversation(settings={**to.session.conversation.settings, **values})
    return found


def _usable(
    engine: Engine, found: ForeignSettings, conversation: ConversationId | None
) -> ForeignSettings:
    """Leave out clean-up rules that would take a whole summary away, or too long."""
    rules = next((one for one in found.taken if one.name == CLEANUP), None)
    if rules is None:
        return found
    try:
        if conversation is None:
            check_cleanup(rules.value, None)
        else:
            with reading(engine, Place(conversation=conversation)) as at:
                check_cleanup(rules.value, at)
    except InvalidSetting as fault:
        return replace(
            found,
            taken=tuple(one for one in found.taken if one is not rules),
            losses=(*found.losses, _refused(rules, fault)),
        )
    return found


def _refused(rules: TakenSetting, fault: InvalidSetting) -> Loss:
    return Loss(where=rules.field, what=rules.value, why=f"not {fault.wanted}")
