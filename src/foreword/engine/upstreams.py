"""Use cases on upstreams: list, set, remove. They are notes of the account.

Source: issue 6, section 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from foreword.domain.upstreams import UpstreamServer, stored_upstream, upstream_from
from foreword.engine.context import Engine
from foreword.errors import UpstreamNotFound

UPSTREAM = "upstream"
"""The kind of note that holds one, under its name."""


def list_upstreams(engine: Engine) -> tuple[UpstreamServer, ...]:
    """Return every upstream, by name."""
    stored = engine.ledger.notes(engine.account, UPSTREAM)
    return tuple(upstream_from(name, stored[name]) for name in sorted(stored))


def set_upstream(engine: Engine, name: str, changes: Mapping[str, str]) -> UpstreamServer:
    """Set values of an upstream; those that are not named stay, an empty one is taken away.

    Raises:
        UnknownSetting, InvalidSetting: see each; nothing was changed.
    """
    before = engine.ledger.note(engine.account, UPSTREAM, name)
    server = upstream_from(name, {**before, **changes})
    engine.ledger.set_note(engine.account, UPSTREAM, name, stored_upstream(server))
    return server


def remove_upstream(engine: Engine, name: str) -> UpstreamServer:
    """Take an upstream away and return what it was.

    Raises:
        UpstreamNotFound: there is none of that name.
    """
    stored = engine.ledger.note(engine.account, UPSTREAM, name)
    if not stored:
        raise UpstreamNotFound(name)
    engine.ledger.set_note(engine.account, UPSTREAM, name, {})
    return upstream_from(name, stored)
