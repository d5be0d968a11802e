"""What a user does beside the workers: a command that may fail, a chat that went on elsewhere."""

from __future__ import annotations

from collections.abc import Coroutine, Sequence
from typing import Any

from tests.integration.engine.play import Play

from foreword.domain.interchange import Chat, ChatText, ChatTurn
from foreword.domain.turn import Role, TextPart
from foreword.engine import turns
from foreword.errors import ForewordError


async def quiet(work: Coroutine[Any, Any, object]) -> None:
    """Run a command; what it refuses or fails with is told to the user, and changes nothing."""
    try:
        await work
    except ForewordError:
        return


def chat_like(play: Play, kept: int, said: Sequence[str]) -> Chat:
    """Return a chat with the first turns of the branch and more behind them."""
    listed = turns.list_turns(play.engine, play.place)[: kept if kept < 20 else None]
    told = [
        ChatTurn(
            role=turn.content.role,
            speaker=turn.speaker_name,
            texts=(ChatText(parts=turn.content.parts),),
        )
        for turn in listed
    ]
    more = [
        ChatTurn(role=Role.USER, speaker="Ann", texts=(ChatText(parts=(TextPart(text=one),)),))
        for one in said
    ]
    return Chat(title="Story", turns=(*told, *more))
