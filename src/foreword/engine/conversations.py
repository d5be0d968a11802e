"""Use cases on conversations: create, list, rename, delete, settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from foreword.domain.conversation import Conversation
from foreword.domain.ids import ConversationId
from foreword.domain.policy import SMALLEST_CONTEXT, policy_from, setting_names, written
from foreword.domain.routes import RouteName
from foreword.domain.storable import storable_text
from foreword.engine.cleaning import check_cleanup
from foreword.engine.context import Engine, Place, reading, writing
from foreword.engine.rooms import model_route
from foreword.errors import EmptyText
from foreword.quality.cleanup import NAME as CLEANUP


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationView:
    """A conversation as a list shows it, with the size of its current branch."""

    id: ConversationId
    title: str
    branch: str
    branches: int
    turns: int
    tokens: int
    """Of the visible turns, message overhead included."""
    created_at: str


def create(engine: Engine, title: str, settings: Mapping[str, str] | None = None) -> Conversation:
    """Make an empty conversation.

    Raises:
        EmptyText: the title is empty.
        UnknownSetting, InvalidSetting: a setting does not exist or does not fit.
    """
    if not title.strip():
        raise EmptyText("title")
    kept = {name: storable_text(value) for name, value in (settings or {}).items() if value != ""}
    policy_from(kept)
    check_cleanup(kept.get(CLEANUP, ""), None)
    return engine.store.create(
        engine.account,
        ConversationId(engine.new_id()),
        title=storable_text(title.strip()),
        at=engine.now(),
        settings=kept,
    )


def list_conversations(engine: Engine) -> tuple[ConversationView, ...]:
    """Return the conversations that are not deleted, oldest first."""
    return tuple(
        view(engine, conversation.id) for conversation in engine.store.conversations(engine.account)
    )


def view(engine: Engine, conversation: ConversationId) -> ConversationView:
    """Return one conversation as a list shows it."""
    with reading(engine, Place(conversation=conversation)) as at:
        return ConversationView(
            id=conversation,
            title=at.session.conversation.title,
            branch=at.branch.name,
            branches=sum(not branch.removed for branch in at.session.branches()),
            turns=at.branch.turns,
            tokens=at.branch.visible_tokens,
            created_at=at.session.conversation.created_at,
        )


def rename(engine: Engine, conversation: ConversationId, title: str) -> ConversationView:
    """Give a conversation another title."""
    if not title.strip():
        raise EmptyText("title")
    with writing(engine, Place(conversation=conversation)) as to:
        to.session.change_conversation(title=storable_text(title.strip()))
    return view(engine, conversation)


def delete(engine: Engine, conversation: ConversationId, *, deleted: bool = True) -> None:
    """Take a conversation off the list, or put it back; nothing of it is destroyed."""
    with writing(engine, Place(conversation=conversation)) as to:
        to.session.change_conversation(deleted=deleted)


def show_settings(engine: Engine, conversation: ConversationId | None = None) -> dict[str, str]:
    """Return every setting with its value in force; unset, the chat route's context counts."""
    settings = _set(engine, conversation)
    policy = policy_from(settings)
    route = model_route(engine, RouteName.CHAT)
    if "context" not in settings and route is not None and route.known_context is not None:
        policy = replace(policy, context=max(SMALLEST_CONTEXT, route.known_context))
    return {name: written(policy, name) for name in setting_names()}


def change_setting(
    engine: Engine, name: str, value: str, conversation: ConversationId | None = None
) -> dict[str, str]:
    """Change a setting of a conversation, or the default of all; an empty value takes it away.

    Raises:
        UnknownSetting: no setting has that name.
        InvalidSetting: the value does not fit.
    """
    policy = policy_from({name: storable_text(value)})
    value = written(policy, name) if value else ""
    if conversation is None:
        if name == CLEANUP:
            check_cleanup(value, None)
        engine.store.set_default(engine.account, name, value or None)
        return show_settings(engine)
    if name == CLEANUP:
        with reading(engine, Place(conversation=conversation)) as at:
            check_cleanup(value, at)
    with writing(engine, Place(conversation=conversation)) as to:
        settings = {**to.session.conversation.settings, name: value}
        to.session.change_conversation(
            settings={key: kept for key, kept in settings.items() if kept != ""}
        )
    return show_settings(engine, conversation)


def _set(engine: Engine, conversation: ConversationId | None) -> dict[str, str]:
    defaults = dict(engine.store.defaults(engine.account))
    if conversation is None:
        return defaults
    with reading(engine, Place(conversation=conversation)) as at:
        return {**defaults, **at.session.conversation.settings}
