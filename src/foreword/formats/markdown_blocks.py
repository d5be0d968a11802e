"""The blocks of a text in Markdown: headings, scene breaks, paragraphs, and what they leave open.

Below `markdown` and `markdown_export`, above `markdown-it-py`. Invariant: the blocks hold every
line of the text, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from foreword.formats.chapters import Block, Kind
from foreword.formats.prose import is_heading

_CLOSINGS: Final = ("-->", "</pre>", "</script>", "</style>", "</textarea>", "?>", "]]>", ">")
"""What ends each block of HTML that an empty line does not end (CommonMark 0.31, 4.6)."""
_SENTENCE_END: Final = (".", "!", "?", ",", ";", ":", "…", '"', "”", "’", "»")
_LONGEST_UNDERLINED: Final = 80


def blocks_of(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a text whose lines end in `\n`."""
    lines = text.split("\n")
    tokens = [token for token in _parser().parse(text) if token.level == 0 and token.map]
    starts = [token.map[0] for token in tokens if token.map]
    starts.append(len(lines))
    yield from _block(None, lines[: starts[0]], 0)
    for token, (start, end) in zip(tokens, pairwise(starts), strict=True):
        yield from _block(token, lines[start:end], start)


def closing_of(text: str) -> str:
    """Return the line that ends what `text` leaves open, empty where it leaves nothing open."""
    if "<" not in text and "```" not in text and "~~~" not in text:
        return ""
    tokens = _parser().parse(text)
    fences = [token.markup for token in tokens[-1:] if token.type == "fence"]
    for closing in ("", *fences, *_CLOSINGS):
        if _stands_alone(f"{text}\n{closing}" if closing else text):
            return closing
    return ""


def _stands_alone(text: str) -> bool:
    """Say whether a paragraph behind `text` would be one."""
    tokens = _parser().parse(f"{text}\n\nx")
    last = [token.type for token in tokens if token.level == 0 and token.nesting >= 0]
    return last[-1:] == ["paragraph_open"]


def _block(token: Token | None, lines: Sequence[str], start: int) -> Iterator[Block]:
    blank = next((place for place, line in enumerate(lines) if line.strip()), len(lines))
    text = "\n".join(lines[blank:]).rstrip()
    if not text:
        return
    kind = _kind(token, text)
    marked = token is not None and token.type == "heading_open"
    level = int(token.tag[1:]) if token and marked and kind is Kind.HEADING else 0
    yield Block(kind=kind, text=text, line=start + blank + 1, level=level)


def _kind(token: Token | None, text: str) -> Kind:
    match token.type if token else "":
        case "heading_open" if token and (token.markup.startswith("#") or _is_underlined(text)):
            return Kind.HEADING
        case "hr":
            return Kind.BREAK
        case "fence" | "code_block" | "html_block":
            return Kind.WHOLE
        case _:
            return Kind.HEADING if is_heading(text) else Kind.PROSE


def _is_underlined(text: str) -> bool:
    """Say whether an underlined text is a heading; in stories most are a sentence and a break."""
    lines = text.split("\n")
    first = lines[0].strip()
    return (
        len(lines) == 2 and len(first) <= _LONGEST_UNDERLINED and not first.endswith(_SENTENCE_END)
    )


@cache
def _parser() -> MarkdownIt:
    """Return a parser that finds blocks only: what stands in them takes most of the time.

    A quote is a paragraph to it, which makes no difference here: a quote that lines without `>`
    carry on takes a time that grows with the square of the text.
    """
    parser = MarkdownIt("commonmark").disable("blockquote")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser
