"""Where in a template a fault stands: its line, its column where that is certain, and the line.

Above: checking and rendering. Below: Jinja's lexer. Jinja itself tells lines only; columns are read
from the words that it cuts a template into. Invariant: a column that is told is the fault's; where
several places of the line could be meant, none is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from jinja2 import Environment, TemplateSyntaxError
from jinja2.ext import Extension
from jinja2.lexer import Token, TokenStream

from foreword.errors import TemplateInvalid

LINE_ENDS = re.compile(r"\r\n|\r|\n")
OPENINGS = frozenset({"variable_begin", "block_begin"})
NO_WORDS = frozenset(
    {"whitespace", "comment_begin", "comment", "comment_end", "raw_begin", "raw_end"}
)
"""What Jinja's lexer cuts out and its parser never sees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A piece of a template that Jinja's parser sees."""

    line: int
    column: int
    kind: str
    text: str


class Faults:
    """Makes the errors about one template."""

    def __init__(self, environment: Environment, name: str, text: str) -> None:
        """Name places in a text as the environment reads it."""
        self._environment = environment
        self._name = name
        self._lines = LINE_ENDS.split(text)

    def nowhere(self, reason: str) -> TemplateInvalid:
        """Return the error about the template as a whole."""
        return TemplateInvalid(name=self._name, line=0, reason=reason)

    def at_line(self, line: int, reason: str) -> TemplateInvalid:
        """Return the error about the tag on a line; the column is told when it is the only one."""
        openings = [word for word in self._words_on(line) if word.kind in OPENINGS]
        return self._error(line, openings[0].column if len(openings) == 1 else 0, reason)

    def at_name(self, line: int, reason: str, name: str, *, is_filter: bool) -> TemplateInvalid:
        """Return the error about the first use of a name on a line, as a filter or a variable."""
        words = self._words_on(line)
        pairs = zip([None, *words], words, strict=False)
        columns = (
            word.column
            for before, word in pairs
            if word.kind == "name"
            and word.text == name
            and (before is not None and before.text == "|") == is_filter
        )
        return self._error(line, next(columns, 0), reason)

    def in_syntax(self, error: TemplateSyntaxError, reason: str) -> TemplateInvalid:
        """Return the error about what Jinja could not read."""
        words, stopped = self._read()
        place = stopped or _at_end(words, self._parsed())
        known = place is not None and place.line == error.lineno
        return self._error(error.lineno, place.column if place and known else 0, reason)

    def _error(self, line: int, column: int, reason: str) -> TemplateInvalid:
        shown = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        return TemplateInvalid(
            name=self._name, line=line, column=column, shown=shown, reason=reason
        )

    def _words_on(self, line: int) -> list[Word]:
        return [word for word in self._read()[0] if word.line == line]

    def _read(self) -> tuple[list[Word], Word | None]:
        """Return the words, and where the lexer stopped when it could not go on."""
        text = "\n".join(self._lines)
        words: list[Word] = []
        end = 0
        try:
            for start, kind, piece in _cut(text, self._environment):
                end = start + len(piece)
                if kind not in NO_WORDS:
                    words.append(_word_at(text, start, kind, piece))
        except TemplateSyntaxError:
            return words, _word_at(text, end, "", "")
        return words, None

    def _parsed(self) -> int:
        """Return how many words Jinja's parser took before it could not go on."""
        counting = self._environment.overlay(extensions=[_Counting])
        with suppress(TemplateSyntaxError):
            counting.parse("\n".join(self._lines))
        (counter,) = (one for one in counting.extensions.values() if isinstance(one, _Counting))
        return counter.seen


class _Counting(Extension):
    """Counts the words that a parser takes."""

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        self.seen = 0

    # typing.override needs Python 3.12.
    def filter_stream(self, stream: TokenStream) -> Iterable[Token]:  # type: ignore[explicit-override]
        """See Jinja's Extension.filter_stream."""
        for token in stream:
            self.seen += 1
            yield token


def _cut(text: str, environment: Environment) -> Iterator[tuple[int, str, str]]:
    """Yield the pieces of a text with where each begins; what tags strip stands in none."""
    end = 0
    for _, kind, piece in environment.lexer.tokeniter(text, None):
        start = text.find(piece, end)
        end = start + len(piece)
        yield start, kind, piece


def _word_at(text: str, start: int, kind: str, piece: str) -> Word:
    line_start = text.rfind("\n", 0, start) + 1
    line = text.count("\n", 0, start) + 1
    return Word(line=line, column=start - line_start + 1, kind=kind, text=piece)


def _at_end(words: Sequence[Word], seen: int) -> Word | None:
    """Return the word that a parser took last; None behind the end."""
    return words[seen - 1] if 0 < seen < len(words) else None
