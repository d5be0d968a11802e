"""Text made inert: whatever it holds, a model and its server read it as words and nothing else.

Above: passages. Below: domain. Invariants: what was made inert once is not changed again; no line
of it is a passage mark; it holds none of our tags and no control token of a chat template.

Source: DESIGN rule 7; issue 3, section 3.
"""

from __future__ import annotations

import re

from foreword.domain.scene_time import DATE_LINE

MEMORY_MACROS = ("summaries", "summaryception_memory")
"""What stands in double braces where a text wants the summaries."""

BREAK = "·"
"""Goes into what must not be read as what it looks like."""

MARK = "▸"
"""Opens a passage."""

_LOOKALIKES = "▶►‣▹▷⯈❯"

_LINE_BREAK = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_BLANK_LETTER = re.compile("[\u2800\u3164\uffa0]")
"""Drawn as nothing and yet no white space."""
_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"  # controls
    "\xad\u180e\u200b\u2060-\u2064\ufeff"  # of no width
    "\u202a-\u202e\u2066-\u2069\u206a-\u206f"  # turn the reading order
    "\ufff9-\ufffb\U000e0000-\U000e007f\U000e0100-\U000e01ef]"  # carry text that nobody sees
)
"""Hides or reorders what stands around it. Joiners and plain direction marks, which Persian, Hindi
and emoji need, stay."""

UNSEEN = "[\u034f\u061c\u200c-\u200f\ufe00-\ufe0f]*"
"""A pattern for what stays though it is not seen: it may stand inside a word to disguise it."""

_BEFORE_WORDS = re.compile("(?:[^\\w\n]|[_\u115f\u1160])*")
_PLAIN_MARK = re.compile(f"(?<!{BREAK}){MARK}")
_ANY_MARK = re.compile(f"(?<!{BREAK})[{MARK}{_LOOKALIKES}]")
_ROLE = re.compile(r"\[\s*(?:user|assistant|system|tool)\b", re.IGNORECASE)

_OUR_TAGS = (
    "narrative declined summary summaries think thinking reasoning tool_call tool_response"
).split()
_TOKENS_IN_ANGLES = (
    "s bos eos unk pad mask sop eop start_of_turn end_of_turn start_of_image "
    "fim_prefix fim_middle fim_suffix file_sep repo_name"
).split()
_TOKENS_IN_BRACKETS = (
    "INST SYSTEM_PROMPT AVAILABLE_TOOLS TOOL_CALLS TOOL_RESULTS TOOL_CONTENT MODEL_SETTINGS "
    "gMASK sMASK THINK"
).split()


def disguised(word: str) -> str:
    """Return a pattern for `word`, with or without unseen characters inside."""
    return UNSEEN.join(map(re.escape, word))


def _one_of(words: list[str]) -> str:
    return "(?:" + "|".join(map(disguised, words)) + ")"


_GAP = "[\\s/\u034f\u061c\u200c-\u200f\ufe00-\ufe0f]{0,16}"
_TAG = re.compile(f"<(?={_GAP}{_one_of(_OUR_TAGS)}(?![\\w-]))([^<>]{{0,200}}>)?", re.IGNORECASE)
_TOKEN = re.compile(
    "<(?=[|｜][^<>|｜\n]{1,80}[|｜]>)"
    f"|<(?={_GAP}{_one_of(_TOKENS_IN_ANGLES)}{_GAP}>)"
    f"|<(?=<{_GAP}{disguised('SYS')}{_GAP}>>)"
    f"|\\[(?={_GAP}{_one_of(_TOKENS_IN_BRACKETS)}{_GAP}\\])",
    re.IGNORECASE,
)


_DATE_LINE = re.compile(f"^(?=[ \t]*{disguised(DATE_LINE)}[ \t]*:)", re.IGNORECASE | re.MULTILINE)
_MACRO = re.compile(f"{{(?={{{_GAP}{_one_of(list(MEMORY_MACROS))}{_GAP}}}}})", re.IGNORECASE)


def inert(text: str) -> str:
    """Return `text` with everything broken up that could pass for something other than text.

    Line breaks of every kind become line feeds; characters that hide or reorder others go; passage
    marks, control tokens of chat templates, memory macros and lines that name the time of a summary
    get a `·`; our own tags stand in `‹ ›`.
    """
    clean = _LINE_BREAK.sub("\n", _HIDDEN.sub("", text))
    clean = _TAG.sub(_shown_tag, _BLANK_LETTER.sub(" ", clean))
    clean = _TOKEN.sub(rf"\g<0>{BREAK}", clean)
    clean = _MACRO.sub(rf"\g<0>{BREAK}", _DATE_LINE.sub(BREAK, clean))
    if _ANY_MARK.search(clean) is None:
        return clean
    return "\n".join(map(_without_mark, clean.split("\n")))


def _shown_tag(found: re.Match[str]) -> str:
    rest = found[1]
    return f"‹{rest[:-1]}›" if rest else "‹"


def _without_mark(line: str) -> str:
    """Break up the marks before the first word of a line, and all on a line that names a role."""
    if _ROLE.search(line):
        return _ANY_MARK.sub(rf"{BREAK}\g<0>", line)
    before = _BEFORE_WORDS.match(line)
    end = before.end() if before else 0
    return _PLAIN_MARK.sub(rf"{BREAK}\g<0>", line[:end]) + line[end:]
