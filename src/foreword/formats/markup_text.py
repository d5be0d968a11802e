"""A page of a book, XHTML or HTML, as blocks of text with Markdown for what has a look.

Below `epub`. Below it: `markup`, `markup_inline`. Invariant: every word that readers see comes out
once and in order, whatever is open, closed twice or nested; what is left out is counted.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count, islice
from typing import Final

from foreword.formats.chapters import Block, Kind
from foreword.formats.markup import Side, Tag, tags_of
from foreword.formats.markup_inline import Run, kept_lines, words_of
from foreword.formats.prose import is_heading

DEEPEST: Final = 200
"""Elements that are open at once; of what is nested deeper the outermost is forgotten."""
NEAR: Final = 8
"""How many open elements are looked at for one whose end was forgotten."""
MOST_QUOTED: Final = 4
"""Levels of quotes and lists that are shown."""
_BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup html legend li main menu ol p "
    "pre section summary table tbody tfoot thead tr ul".split()
)
_VOID: Final = frozenset(
    "area base br col embed hr image img input link meta param source track wbr".split()
)
_UNSEEN: Final = frozenset(
    "audio canvas head iframe object script style svg template title video".split()
)
_SOUNDS: Final = frozenset({"audio", "video", "object", "iframe"})
_ITALIC: Final = frozenset({"em", "i", "cite", "dfn", "var"})
_BOLD: Final = frozenset({"strong", "b"})
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_ENDED_BY: Final = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "tr": frozenset({"tr", "td", "th"}),
    "td": frozenset({"td", "th"}),
    "th": frozenset({"td", "th"}),
}
"""What an element ends when its end was forgotten; any block ends a paragraph."""
_WALLS: Final = frozenset({"ul", "ol", "dl", "table", "body", "section", "div", "blockquote"})
_ORNAMENT: Final = re.compile(r"[*⁂·•~–—\-#_+=°◆◇★☆❦❧✦✧⸻\s]{1,40}")
_EMPTY_LINE: Final = re.compile(r"\n[ \t]*\n\s*")


@dataclass(slots=True, kw_only=True)
class _List:
    """A list under way."""

    ordered: bool
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """What holds where the reader stands."""

    unseen: bool = False
    italic: bool = False
    bold: bool = False
    kept: bool = False
    """Lines stay as they are."""
    level: int = 0
    quotes: int = 0
    lists: int = 0
    group: int = 0
    """Which list or table this is in, 0 for none: its rows stand without empty lines."""
    loose: bool = False
    """Within paragraphs of such a row: they stand with empty lines."""
    items: _List | None = None
    linked: bool = False
    """Within a link to a place in the book."""
    raised: bool = False
    noted: bool = False
    """The number of a note."""


@dataclass(slots=True)
class Page:
    """What a page holds."""

    blocks: list[Block] = field(default_factory=list)
    pictures: list[str] = field(default_factory=list)
    """What is said of each picture, empty where nothing is."""
    left: Counter[str] = field(default_factory=Counter)
    """What else is left out, by its name."""
    kinds: set[str] = field(default_factory=set)
    """What the page says it is: `cover`, `toc`."""
    signs: int = 0
    linked: int = 0
    """Of the signs, those in links."""
    links: int = 0

    @property
    def is_contents(self) -> bool:
        """Whether nearly all of it is links to other places, as in a table of contents."""
        return self.links >= 4 and self.linked * 10 >= self.signs * 8


def page_of(text: str) -> Page:
    """Return what a page of a book holds."""
    reader = _Reader()
    for one in tags_of(text):
        if isinstance(one, str):
            reader.says(one)
        elif one.side is Side.CLOSE:
            reader.closes(one.name)
        else:
            reader.opens(one)
    reader.ends_block()
    return reader.page


class _Reader:
    """Reads a row of tags and texts."""

    def __init__(self) -> None:
        self.page = Page()
        self._state = _State()
        self._open: deque[tuple[str, _State]] = deque(maxlen=DEEPEST)
        """Names of open elements with what held before them."""
        self._runs: list[Run] = []
        self._item = ""
        """What stands before the next block: the mark of a list item."""
        self._last_group = 0
        self._groups = count(1)

    def says(self, text: str) -> None:
        """Take in a text."""
        state = self._state
        if state.unseen:
            return
        if state.noted or (state.raised and state.linked):
            inner = text.strip().strip("[]()")
            text = text.replace(text.strip(), f"[{inner}]", 1) if inner else text
        signs = len(text.strip())
        self.page.signs += signs
        self.page.linked += signs if state.linked else 0
        marks = "*" * (state.italic + 2 * state.bold)
        self._runs.append(Run(text=text, marks=marks))

    def opens(self, tag: Tag) -> None:
        """Begin an element."""
        if tag.name in _BLOCKS or tag.name == "hr":
            self._ends_forgotten(tag.name)
            self.ends_block()
        self._puts(tag)
        if tag.side is Side.EMPTY or tag.name in _VOID:
            return
        self._open.append((tag.name, self._state))
        self._state = self._within(tag)

    def closes(self, name: str) -> None:
        """End an element and whatever is still open in it."""
        if name in _BLOCKS:
            self.ends_block()
        if name == "li":
            self._item = ""
        for depth, (opened, before) in enumerate(reversed(self._open), start=1):
            if opened == name:
                self._state = before
                for _ in range(depth):
                    self._open.pop()
                return

    def ends_block(self) -> None:
        """Make the texts since the last block a block."""
        runs, self._runs = self._runs, []
        state = self._state
        if state.kept:
            text = kept_lines(runs)
            self._adds(text)
            return
        text = words_of(runs, plain=bool(state.level))
        if state.level and text:
            words = " ".join(text.split())
            block = Block(kind=Kind.HEADING, text=f"{'#' * state.level} {words}", level=state.level)
            self.page.blocks.append(block)
            self._last_group, self._item = 0, ""
            return
        for paragraph in _EMPTY_LINE.split(text):
            self._adds(paragraph)

    def _adds(self, text: str) -> None:
        if not text.strip():
            return
        state = self._state
        kind = Kind.PROSE
        if _ORNAMENT.fullmatch(text):
            kind = Kind.BREAK
        elif is_heading(text) and not (state.group or state.quotes):
            kind = Kind.HEADING
        item, self._item = self._item if state.lists else "", ""
        row = bool(item) if state.lists else state.group > 0
        tight = row and not state.loose and state.group == self._last_group
        self._last_group = state.group
        shown = _indented(text, item, state)
        self.page.blocks.append(Block(kind=kind, text=shown, tight=tight))

    def _puts(self, tag: Tag) -> None:
        """Take in what an element is by itself: a line break, a rule, a picture."""
        if self._state.unseen and tag.name not in {"img", "image"}:
            return
        match tag.name:
            case "br":
                self._runs.append(Run(text="\n"))
            case "hr":
                self.page.blocks.append(Block(kind=Kind.BREAK, text="* * *"))
                self._last_group = 0
            case "img" | "image":
                self._sees(tag.attributes.get("alt") or "")
            case "td" | "th" if any(run.text.strip() for run in self._runs):
                self._runs.append(Run(text=" | "))
            case "li":
                self._item = self._item_mark(tag)
            case "math" if tag.attributes.get("alttext"):
                self.says(tag.attributes["alttext"])
            case name if name in _SOUNDS:
                self.page.left["sounds, films or other things to play"] += 1
            case _:
                pass

    def _sees(self, alt: str) -> None:
        """Take in a picture; one of a heading, or of a letter that begins a word, is its text."""
        words = " ".join(alt.split())
        is_letter = 0 < len(words) <= 2 and words.isalnum()
        if (is_letter or self._state.level) and words and not self._state.unseen:
            self.says(words)
        else:
            self.page.pictures.append(words)

    def _item_mark(self, tag: Tag) -> str:
        items = self._state.items
        if items is None or not items.ordered:
            return "- "
        value = tag.attributes.get("value", "")
        number = (
            int(value) if value.isascii() and value.isdigit() and len(value) < 7 else items.number
        )
        items.number = number + 1
        return f"{number}. "

    def _within(self, tag: Tag) -> _State:
        """Return what holds in an element."""
        state = self._state
        name = tag.name
        if name in {"body", "section", "div", "html"}:
            self.page.kinds.update(tag.attributes.get("epub:type", "").lower().split())
        if self._is_unseen(tag):
            return replace(state, unseen=True)
        if name == "a":
            return self._in_link(tag)
        if name in _LISTS:
            return self._in_list(tag)
        return replace(
            state,
            italic=state.italic or name in _ITALIC,
            bold=state.bold or name in _BOLD,
            kept=state.kept or name == "pre",
            loose=state.group > 0 and (state.loose or name in {"p", "div"}),
            level=int(name[1]) if name in {"h1", "h2", "h3", "h4", "h5", "h6"} else state.level,
            quotes=min(state.quotes + (name == "blockquote"), MOST_QUOTED),
            group=state.group or (next(self._groups) if name == "table" else 0),
            raised=state.raised or name == "sup",
        )

    def _is_unseen(self, tag: Tag) -> bool:
        """Say whether readers do not see what is in an element; count what they would miss."""
        if self._state.unseen:
            return True
        if tag.has("epub:type", "pagebreak") or tag.has("role", "doc-pagebreak"):
            self.page.left["page numbers"] += 1
            return True
        if tag.name == "nav":
            self.page.left["lists of contents"] += 1
            return True
        if tag.name in {"rt", "rp"}:
            self.page.left["readings beside signs (ruby)"] += tag.name == "rt"
            return True
        backlink = tag.has("epub:type", "backlink") or tag.has("role", "doc-backlink")
        formula = tag.name == "math" and bool(tag.attributes.get("alttext"))
        return backlink or formula or tag.name in _UNSEEN

    def _in_link(self, tag: Tag) -> _State:
        target = tag.attributes.get("href", "")
        inside = bool(target) and "://" not in target and not target.startswith("mailto:")
        self.page.links += inside
        noted = tag.has("epub:type", "noteref") or tag.has("role", "doc-noteref")
        return replace(
            self._state,
            linked=self._state.linked or inside,
            noted=self._state.noted or noted,
        )

    def _in_list(self, tag: Tag) -> _State:
        start = tag.attributes.get("start", "")
        number = int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1
        return replace(
            self._state,
            lists=min(self._state.lists + 1, MOST_QUOTED),
            items=_List(ordered=tag.name == "ol", number=number),
            group=self._state.group or next(self._groups),
        )

    def _ends_forgotten(self, name: str) -> None:
        """End what an element ends although nothing says so: `<p>` a paragraph, `<li>` an item."""
        ended = _ENDED_BY.get(name, frozenset()) | {"p"}
        for opened, _ in tuple(islice(reversed(self._open), NEAR)):
            if opened in ended:
                self.closes(opened)
                if name not in _ENDED_BY:
                    return
            elif opened in _WALLS:
                return


def _indented(text: str, item: str, state: _State) -> str:
    """Return a block with what shows that it is quoted or in a list."""
    inner = "  " * max(0, state.lists - 1)
    more = " " * len(item) if item else "  " * bool(state.lists)
    lines: Iterator[str] = iter(text.split("\n"))
    first = f"{inner}{item or more}{next(lines)}"
    quote = "> " * state.quotes
    return "\n".join(quote + line for line in (first, *(f"{inner}{more}{line}" for line in lines)))
