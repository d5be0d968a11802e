"""The five states of a pile and what people read about them.

Above: `planning.recap` decides which one holds. Labels are the pages' words.

Source: spec/recaps; DECISIONS, Recaps.
"""

from __future__ import annotations

from enum import StrEnum
from typing import assert_never


class State(StrEnum):
    """What the user should do, least severe first."""

    CHAT_MORE = "chat_more"
    RECAP_NOW = "recap_now"
    RECAP_DUE = "recap_due"
    OVERFLOWING = "overflowing"
    NO_ROOM = "no_room"


SEVERITY = {state: rank for rank, state in enumerate(State)}


class Reason(StrEnum):
    """Why a recap alone does not help."""

    NONE = ""
    FIXED_TOO_LARGE = "fixed_too_large"
    SUMMARIES = "summaries"
    PINS = "pins"
    TURN_TOO_LARGE = "turn_too_large"
    """What must stay verbatim is too large by itself, one turn of it above all."""


def label(state: State) -> str:
    """Return the name of the state as the pages show it."""
    match state:
        case State.CHAT_MORE:
            return "chat more first"
        case State.RECAP_NOW:
            return "recap now"
        case State.RECAP_DUE:
            return "Recap due"
        case State.OVERFLOWING:
            return "Context overflowing"
        case State.NO_ROOM:
            return "No room to win: merge summaries"
        case _:
            assert_never(state)


def sentence(state: State, reason: Reason = Reason.NONE, *, turn: str = "") -> str:
    """Return what the state means and what to do.

    Args:
        state: which one.
        reason: what stands in the way, if anything.
        turn: how to name the turn of `Reason.TURN_TOO_LARGE`: its order, or `id:N`.
    """
    match reason:
        case Reason.NONE:
            return _meaning(state)
        case Reason.FIXED_TOO_LARGE:
            return (
                "The fixed texts leave no room for the story, even without summaries and pins. "
                "Raise the context or shorten them."
            )
        case Reason.SUMMARIES:
            return "The summaries take the room that a recap would win. Merge some of them."
        case Reason.PINS:
            return "The pinned turns take the room that a recap would win. Unpin some of them."
        case Reason.TURN_TOO_LARGE:
            return (
                f"Turn {turn} stands in the stretch that stays verbatim and is too large for a "
                "recap alone to help. Raise the context, shorten it or go on until it is older."
            )
        case _:
            assert_never(reason)


def _meaning(state: State) -> str:
    match state:
        case State.CHAT_MORE:
            return (
                "There isn't enough piled up yet to make even one recap worth writing. "
                "Nothing to do."
            )
        case State.RECAP_NOW:
            return (
                "There's enough to compress. "
                "Best hit at a natural break in the story rather than mid scene."
            )
        case State.RECAP_DUE:
            return "The pile has hit the point your cadence sets. Good moment to hit recap now."
        case State.OVERFLOWING:
            return (
                "The live story doesn't fit anymore, and turns are getting left out of what "
                "gets sent. Recap now."
            )
        case State.NO_ROOM:
            return "Nothing that a recap could win is left."
        case _:
            assert_never(state)
