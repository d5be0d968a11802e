"""Plain text: a transcript becomes turns by speaker, any other prose turns of about 200 words.

Above: `registry`. Below: `telling`, `transcript`, `prose`. Invariant: no word is lost but the
speakers' labels, which become speakers.
"""

from __future__ import annotations

from dataclasses import replace

from foreword.domain.interchange import Chat
from foreword.domain.turn import Role
from foreword.errors import FileUnreadable
from foreword.formats.decoding import decode
from foreword.formats.paths import title_of
from foreword.formats.prose import stretches
from foreword.formats.telling import (
    NARRATOR,
    is_for_people,
    most_frequent,
    role_of_name,
    silent_labels,
    text_of_file,
    text_turn,
    unknown_player,
)
from foreword.formats.transcript import speakers_of, utterances
from foreword.ports.format import SourceFile


class PlainTextFormat:
    """Reads text that people wrote: stories and transcripts."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "plain text"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises: text that is not made for machines."""
        return is_for_people(file.data, decode(file.data).text)

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        found = text_of_file(file)
        title, text = title_of(file.path), found.text
        speakers = speakers_of(text)
        chat = transcript_of(title, text, speakers) if speakers else _prose(title, text)
        if not chat.turns:
            raise FileUnreadable(path=file.path, reason="it holds no text.")
        return replace(chat, losses=(*found.losses, *chat.losses))


def transcript_of(title: str, text: str, speakers: frozenset[str]) -> Chat:
    """Return what each of `speakers` said, see `transcript`, as a chat."""
    told = tuple(utterances(text, speakers))
    turns = tuple(
        text_turn(role_of_name(said.name), said.name or NARRATOR, said.text)
        for said in told
        if said.text
    )
    silent = silent_labels([said.name for said in told if not said.text])
    user = most_frequent(turns, Role.USER)
    return Chat(
        title=title,
        turns=turns,
        char=most_frequent(turns, Role.ASSISTANT),
        user=user,
        losses=(*silent, *unknown_player(user)),
    )


def _prose(title: str, text: str) -> Chat:
    turns = tuple(text_turn(Role.ASSISTANT, NARRATOR, part) for part in stretches(text))
    return Chat(title=title, turns=turns, char=NARRATOR)
