"""Use cases on templates: which text is in force, list, save, take away again."""

from __future__ import annotations

from functools import lru_cache

from foreword.domain.ids import ConversationId
from foreword.engine.context import Engine
from foreword.ports.store import ReadSession
from foreword.prompts.rendering import CompiledTemplate, compile_template
from foreword.prompts.templates import (
    ChosenTemplate,
    TemplateName,
    check_template,
    choose_template,
)


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
