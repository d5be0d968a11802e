"""Markdown: what Foreword wrote, and stories and chats from anywhere.

Above: `registry`. Below: `markdown_own`. Invariant: Foreword's own comes back as it was.
"""

from __future__ import annotations

from dataclasses import replace

from foreword.domain.interchange import Chat
from foreword.errors import FileUnreadable
from foreword.formats.markdown_own import is_own, read_own
from foreword.formats.telling import text_of_file
from foreword.ports.format import SourceFile


class MarkdownFormat:
    """Reads Markdown as turns."""

    @property
    def name(self) -> str:
        """See Format.name."""
        return "markdown"

    def recognises(self, file: SourceFile) -> bool:
        """See Format.recognises."""
        return is_own(text_of_file(file).text)

    def read(self, file: SourceFile) -> Chat:
        """See Format.read."""
        found = text_of_file(file)
        chat = read_own(file.path, found.text)
        if not chat.turns:
            raise FileUnreadable(path=file.path, reason="it holds no text.")
        return replace(chat, losses=(*found.losses, *chat.losses))
