"""Plain text: a transcript becomes turns by speaker, any other prose turns of about 200 words.

Above: `registry`. Below: `transcript`, `prose`. Invariant: no word is lost but the speakers'
labels, which become speakers.
"""

from __future__ import annotations

import re
from collections import Counter

from foreword.domain.interchange import Chat, ChatText, ChatTurn, Loss
from foreword.domain.turn import Role, TextPart
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode, is_binary, storable
from foreword.formats.json_lines import parse
from foreword.formats.paths import title_of
from foreword.formats.prose import stretches
from foreword.formats.transcript import speakers_of, utterances
from foreword.ports.format import SourceFile

NARRATOR = "Narrator"
_USERS = frozenset("user you me human player prompt ich du moi toi yo tú ty я ты 我 你 私".split())
_SYSTEMS = frozenset({"system"})
_MACHINE_TEXT = re.compile(r'\{\s*["}]|\[\s*[\[{"\]]|<(?:!doctype|\?xml|html)\b', re.IGNORECASE)


class PlainTextFormat:
    """Reads text that people wrote: stories and transcripts, Markdown among them."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "plain text"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: text that is not made for machines."""
        text = decode(file.data).text
        return not is_binary(file.data, text) and not _is_machine_text(text)

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        decoded = decode(file.data)
        losses = list(decoded.losses)
        text = storable(decoded.text)
        if text != decoded.text:
            why = "databases cannot hold them; U+FFFD stands in their place"
            losses.append(Loss(where="the whole file", what="NUL characters", why=why))
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        title = title_of(file.path)
        speakers = speakers_of(text)
        chat = _transcript(title, text, speakers) if speakers else _prose(title, text)
        if not chat.turns:
            raise FileUnreadable(path=file.path, reason="it holds no text.")
        return Chat(
            title=chat.title,
            turns=chat.turns,
            char=chat.char,
            user=chat.user,
            losses=(*losses, *chat.losses),
        )


def _is_machine_text(text: str) -> bool:
    head = text.lstrip()
    if _MACHINE_TEXT.match(head):
        return True
    if not head.startswith("["):
        return False
    try:
        parse(head)
    except ValueError:
        return False
    return True


def _prose(title: str, text: str) -> Chat:
    turns = tuple(_turn(Role.ASSISTANT, NARRATOR, part) for part in stretches(text))
    return Chat(title=title, turns=turns, char=NARRATOR)


def _transcript(title: str, text: str, speakers: frozenset[str]) -> Chat:
    turns = tuple(
        _turn(_role(said.name), said.name or NARRATOR, said.text)
        for said in utterances(text, speakers)
    )
    user = _most_frequent(turns, Role.USER)
    why = "no name among the speakers says so (`User`, `You`, `Player` would)"
    unknown = Loss(where="the whole file", what="which speaker the player is", why=why)
    return Chat(
        title=title,
        turns=turns,
        char=_most_frequent(turns, Role.ASSISTANT),
        user=user,
        losses=() if user else (unknown,),
    )


def _role(name: str) -> Role:
    word = name.casefold().rstrip("0123456789 #")
    if word in _USERS:
        return Role.USER
    return Role.SYSTEM if word in _SYSTEMS else Role.ASSISTANT


def _most_frequent(turns: tuple[ChatTurn, ...], role: Role) -> str:
    names = [turn.speaker for turn in turns if turn.role is role]
    return max(Counter(names).items(), key=lambda item: item[1], default=("", 0))[0]


def _turn(role: Role, speaker: str, text: str) -> ChatTurn:
    return ChatTurn(role=role, speaker=speaker, texts=(ChatText(parts=(TextPart(text=text),)),))
