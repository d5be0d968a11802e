"""Use cases on templates: which text is in force, list, save, take away again."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from foreword.domain.ids import ConversationId
from foreword.domain.storable import storable_text
from foreword.engine.context import Engine
from foreword.errors import StoreConflict
from foreword.ports.store import ReadSession
from foreword.prompts.rendering import CompiledTemplate, compile_template
from foreword.prompts.templates import (
    ChosenTemplate,
    TemplateName,
    TemplateScope,
    check_template,
    choose_template,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What became of a template that was edited."""

    template: ChosenTemplate
    """In force now."""
    changed: bool
    """False when the text was the same: nothing was saved."""
    warnings: tuple[str, ...] = ()


def chosen(
    engine: Engine, name: TemplateName, conversation: ConversationId | None = None
) -> ChosenTemplate:
    """Return the text in force for a template: the conversation's, the account's, the built-in."""
    store = engine.store
    own = None if conversation is None else store.template(_scope(engine, conversation), name)
    return choose_template(
        name,
        conversation=own,
        account=store.template(_scope(engine, None), name),
        builtin=engine.templates[name],
    )


def compiled(engine: Engine, session: ReadSession, name: TemplateName) -> CompiledTemplate:
    """Return the template in force for the conversation, ready to render."""
    return _compiled(name, in_force(engine, session, name).text)


def in_force(engine: Engine, session: ReadSession, name: TemplateName) -> ChosenTemplate:
    """Return the text in force for the conversation that is opened."""
    return choose_template(
        name,
        conversation=session.template(_scope(engine, session.conversation.id), name),
        account=session.template(_scope(engine, None), name),
        builtin=engine.templates[name],
    )


def list_templates(
    engine: Engine, conversation: ConversationId | None = None
) -> tuple[ChosenTemplate, ...]:
    """Return every template with the text in force."""
    return tuple(chosen(engine, name, conversation) for name in TemplateName)


def save(
    engine: Engine, name: TemplateName, text: str, conversation: ConversationId | None = None
) -> tuple[str, ...]:
    """Replace a template, for one conversation or for all, and return warnings about it.

    Raises:
        TemplateInvalid: it does not render; nothing was saved.
    """
    warnings = check_template(name, text)
    engine.store.set_template(_scope(engine, conversation), name, text)
    return warnings


def edit(
    engine: Engine, base: ChosenTemplate, text: str, conversation: ConversationId | None = None
) -> Edited:
    """Replace the text that was read by another, for one conversation or for all.

    Args:
        engine: the engine.
        base: what `chosen` gave for the same conversation, and was edited.
        text: what it became.
        conversation: the one to save it for; None for all.

    Raises:
        TemplateInvalid: it does not render; nothing was saved.
        StoreConflict: somebody else changed it meanwhile; nothing was saved.
    """
    text = storable_text(text)
    if text == base.text:
        return Edited(template=base, changed=False)
    warnings = check_template(base.name, text)
    if chosen(engine, base.name, conversation) != base:
        raise StoreConflict(f"template {base.name.value!r}")
    own = TemplateScope.ACCOUNT if conversation is None else TemplateScope.CONVERSATION
    before = base.text if base.scope is own else None
    engine.store.swap_template(_scope(engine, conversation), base.name, text, before=before)
    template = ChosenTemplate(name=base.name, scope=own, text=text)
    return Edited(template=template, changed=True, warnings=warnings)


def forget(engine: Engine, name: TemplateName, conversation: ConversationId | None = None) -> None:
    """Take a saved template away, so that the next one in the order is in force again."""
    engine.store.set_template(_scope(engine, conversation), name, None)


def _scope(engine: Engine, conversation: ConversationId | None) -> str:
    if conversation is None:
        return f"account:{engine.account}"
    return f"conversation:{conversation}"


@lru_cache(maxsize=64)
def _compiled(name: TemplateName, text: str) -> CompiledTemplate:
    return compile_template(name, text)
