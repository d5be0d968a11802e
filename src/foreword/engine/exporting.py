"""Use case: write a conversation out."""

from __future__ import annotations

from foreword.domain.ids import ConversationId
from foreword.engine.bundles import bundle_of
from foreword.engine.context import Engine, Place
from foreword.ports.format import Written

BUNDLE = "bundle"
"""The format that holds everything."""


def export_bundle(engine: Engine, conversation: ConversationId) -> bytes:
    """Return the conversation as a bundle: importing it gives an equal state."""
    return engine.write_bundle(bundle_of(engine, conversation))


def export(engine: Engine, place: Place, form: str = BUNDLE) -> Written:
    """Return a conversation as a file of the format named `form`.

    Formats that hold one branch get the one of `place`, by default the current one.

    Raises:
        ExportFormatUnknown: no format of that name can be written.
    """
    bundle = bundle_of(engine, place.conversation)
    return engine.write_file(form, bundle, place.branch or bundle.current_branch)
