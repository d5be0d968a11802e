"""Turns from text that people wrote: who a name stands for, and what is no such text.

Below `plain_text`, `markdown` and `epub`, above `decoding`. Invariant: the text of a file is
storable and its lines end in a newline; what that cost is reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from foreword.domain.amounts import counted
from foreword.domain.interchange import ChatText, ChatTurn, Loss
from foreword.domain.storable import storable_text
from foreword.domain.turn import Role, TextPart
from foreword.formats.decoding import decode, is_binary
from foreword.formats.json_lines import parse
from foreword.ports.format import SourceFile

NARRATOR = "Narrator"
_USERS = frozenset("user you me human player prompt ich du moi toi yo tú ty я ты 我 你 私".split())
_SYSTEMS = frozenset({"system"})
_MACHINE_TEXT = re.compile(r'\{\s*["}]|\[\s*[\[{"\]]|<(?:!doctype|\?xml|html)\b', re.IGNORECASE)
_KEY = re.compile(r'"[\w.@ -]{1,40}" ?: ?["\d\[{tfn-]')
_SIGNS = re.compile(r'[{}\[\]":,]')
_SAMPLE = 65_536
_QUOTED = ("```", "<!--")
"""Where JSON stands in a text that people wrote."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    r"""The text of a file with `\n` at the end of its lines."""

    text: str
    losses: tuple[Loss, ...]


def text_of_file(file: SourceFile) -> FileText:
    """Return what a file says, and what of it could not be read."""
    decoded = decode(file.data)
    losses = list(decoded.losses)
    text = storable_text(decoded.text)
    if text != decoded.text:
        why = "databases cannot hold them; U+FFFD stands in their place"
        losses.append(Loss(where="the whole file", what="NUL characters", why=why))
    return FileText(text=text.replace("\r\n", "\n").replace("\r", "\n"), losses=tuple(losses))


def is_for_people(data: bytes, text: str) -> bool:
    """Say whether `data`, decoded to `text`, is text that is not made for machines."""
    return not is_binary(data, text) and not _is_machine_text(text)


def role_of_name(name: str) -> Role:
    """Return who speaks under a name: the user, the system, or else the model."""
    word = name.casefold().rstrip("0123456789 #")
    if word in _USERS:
        return Role.USER
    return Role.SYSTEM if word in _SYSTEMS else Role.ASSISTANT


def most_frequent(turns: Sequence[ChatTurn], role: Role) -> str:
    """Return the name that speaks most often in a role, empty where none does."""
    names = [turn.speaker for turn in turns if turn.role is role]
    return max(Counter(names).items(), key=lambda item: item[1], default=("", 0))[0]


def text_turn(role: Role, speaker: str, text: str) -> ChatTurn:
    """Return a turn of one text."""
    return ChatTurn(role=role, speaker=speaker, texts=(ChatText(parts=(TextPart(text=text),)),))


def silent_labels(names: Sequence[str]) -> tuple[Loss, ...]:
    """Return the loss of labels below which nothing is said."""
    if not names:
        return ()
    what = f"{counted(len(names), 'label')} ({', '.join(dict.fromkeys(names))[:200]})"
    return (Loss(where="the whole file", what=what, why="nothing is said below"),)


def unknown_player(user: str) -> tuple[Loss, ...]:
    """Return the loss that nobody among the speakers is known to be the player, if so."""
    why = "no name among the speakers says so (`User`, `You`, `Player` would)"
    unknown = Loss(where="the whole file", what="which speaker the player is", why=why)
    return () if user else (unknown,)


def _is_machine_text(text: str) -> bool:
    head = text.lstrip()
    if _MACHINE_TEXT.match(head):
        return True
    if _is_rest_of_json(head[:_SAMPLE]):
        return True
    if not head.startswith("["):
        return False
    try:
        parse(head)
    except ValueError:
        return False
    return True


def _is_rest_of_json(text: str) -> bool:
    """Say whether this is JSON without its beginning: some keys, and more signs than prose has."""
    keys = len(_KEY.findall(text))
    if keys < 3 or keys * 400 < len(text) or any(mark in text for mark in _QUOTED):
        return False
    return len(_SIGNS.findall(text)) * 12 > len(text)
