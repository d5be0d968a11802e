"""Use case: how full the context is, and whether a recap is due."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from foreword.domain.ids import Pos
from foreword.domain.summary import CoverState
from foreword.engine.context import Engine, Place, reading
from foreword.engine.loading import Loaded, load
from foreword.planning.recap import Advice
from foreword.planning.recap_states import sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerSize:
    """The summaries in use of one layer."""

    layer: int
    summaries: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The advice, and what the cover looks like."""

    advice: Advice
    sentence: str
    """What the state means and what to do; turns by their order."""
    reply: int
    """Tokens kept for the reply."""
    fixed_tokens: int
    pins_tokens: int
    """Of the covered pinned turns."""
    context: int
    """Size of the model's context, in the model's tokens; `advice` has what surely fits of it."""
    context_source: str
    """Where it comes from: `given`, `setting`, `route` or `default`."""
    token_source: str
    """What counted the tokens."""
    boundary: int
    """ORDER of the last covered turn; 0 for none."""
    pile_turns: int
    turns: int
    hidden: int
    layers: tuple[LayerSize, ...]
    stale: int
    """Stale summaries whose place no summary in use has taken."""


def status(engine: Engine, place: Place, *, context: int | None = None) -> Status:
    """Say how full the context is.

    Args:
        engine: the engine.
        place: the branch.
        context: size of the context in tokens, instead of the setting.

    Raises:
        InvalidSetting: `context` is out of range.
    """
    with reading(engine, place) as at:
        loaded = load(engine, at, context=context)
        advice = loaded.advice()
        return Status(
            advice=advice,
            sentence=advice_sentence(loaded, advice),
            reply=loaded.policy.reply_reserve,
            fixed_tokens=loaded.load.fixed,
            pins_tokens=loaded.load.pins,
            context=loaded.context,
            context_source=loaded.context_source,
            token_source=engine.counter.name,
            boundary=_order(loaded, loaded.pile.boundary),
            pile_turns=loaded.pile.turns,
            turns=at.branch.turns,
            hidden=at.branch.hidden_turns,
            layers=_layers(loaded),
            stale=open_stale(loaded),
        )


def advice_sentence(loaded: Loaded, advice: Advice) -> str:
    """Return what the advice means, with the turn it names by its order."""
    if advice.turn_id is None:
        return advice.sentence
    session, branch = loaded.at.session, loaded.at.branch
    entry = session.entry(branch.id, advice.turn_id)
    order = 0 if entry is None else session.order(branch.id, entry.pos)
    return sentence(advice.state, advice.reason, turn=str(order))


def _order(loaded: Loaded, pos: Pos) -> int:
    return loaded.at.session.order(loaded.at.branch.id, pos) if pos else 0


def open_stale(loaded: Loaded) -> int:
    """Return how many stale summaries there are whose place no summary in use has taken."""
    session, branch = loaded.at.session, loaded.at.branch
    used = loaded.pile.cover
    return sum(
        not any(top.from_pos <= row.from_pos and row.to_pos <= top.to_pos for top in used)
        for row in session.cover(branch.id, CoverState.STALE)
    )


def _layers(loaded: Loaded) -> tuple[LayerSize, ...]:
    automatic = loaded.policy.mode.automatic  # where their budget is a budget of what is sent
    rows = sorted(loaded.sent_cover if automatic else loaded.pile.cover, key=lambda row: row.layer)
    return tuple(
        LayerSize(
            layer=layer,
            summaries=len(members),
            tokens=sum(row.tokens for row in members),
        )
        for layer, members in (
            (layer, list(group)) for layer, group in groupby(rows, key=lambda row: row.layer)
        )
    )
