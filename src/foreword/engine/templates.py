"""Use cases on templates: which text is in force, list, check."""

from __future__ import annotations

from functools import lru_cache

from foreword.domain.ids import ConversationId
from foreword.engine.context import Engine
from foreword.ports.store import ReadSession
from foreword.prompts.rendering import CompiledTemplate, compile_template
from foreword.prompts.templates import ChosenTemplate, TemplateName, choose_template


def chosen(
    engine: Engine, name: TemplateName, conversation: ConversationId | None = None
) -> ChosenTemplate:
    """Return the text in force for a template: the conversation's, the account's, the built-in."""
    store = engine.store
    own = None if conversation is None else store.template(f"conversation:{conversation}", name)
    return choose_template(
        name,
        conversation=own,
        account=store.template(f"account:{engine.account}", name),
        builtin=engine.templates[name],
    )


def compiled(engine: Engine, session: ReadSession, name: TemplateName) -> CompiledTemplate:
    """Return the template in force for the conversation, ready to render."""
    return _compiled(name, chosen(engine, name, session.conversation.id).text)


def list_templates(
    engine: Engine, conversation: ConversationId | None = None
) -> tuple[ChosenTemplate, ...]:
    """Return every template with the text in force."""
    return tuple(chosen(engine, name, conversation) for name in TemplateName)


@lru_cache(maxsize=64)
def _compiled(name: TemplateName, text: str) -> CompiledTemplate:
    return compile_template(name, text)
