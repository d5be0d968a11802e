"""Use case: write a conversation out."""

from __future__ import annotations

from foreword.domain.ids import ConversationId
from foreword.engine.bundles import bundle_of
from foreword.engine.context import Engine


def export_bundle(engine: Engine, conversation: ConversationId) -> bytes:
    """Return the conversation as a bundle: importing it gives an equal state."""
    return engine.write_bundle(bundle_of(engine, conversation))
