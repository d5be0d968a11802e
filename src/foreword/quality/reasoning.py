"""Takes reasoning out of what a model wrote, whole or as it streams.

Above: gates, llm. Below: domain. Invariant: every character of an answer is in the text, in the
reasoning, or is a tag or white space between containers; only containers before the answer or on
lines of their own outside code fences are reasoning, so prose about tags loses nothing.
"""

import re
from typing import Final

from foreword.domain.calls import Delta

_NAMES: Final = (
    "think|thinking|thought|thoughts|reasoning|reflect|reflection|inner_monologue|analysis"
    "|seed:think"
)
_OPEN: Final = re.compile(
    rf"<(?P<angle>{_NAMES})(?:\s[^<>]{{0,200}})?>|\[(?P<square>THINK|THINKING)\]"
    r"|(?P<harmony>(?:<\|start\|>assistant)?<\|channel\|>(?:analysis|commentary)"
    r"[^<]{0,80}<\|message\|>)"
    r"|(?P<gemma><\|channel>thought\b)"
    r"|(?P<final>(?:<\|start\|>assistant)?<\|channel\|>final[^<]{0,80}<\|message\|>)",
    re.IGNORECASE,
)
_ORPHAN: Final = re.compile(
    rf"</(?P<angle>{_NAMES})\s*>|\[/(?P<square>THINK|THINKING)\]", re.IGNORECASE
)
_LITERALS: Final = (
    *(f"<{name}" for name in _NAMES.split("|")), "[think]", "[thinking]", "<|channel>thought",
)  # fmt: skip
_HARMONY: Final = ("<|start|>assistant<|channel|>", "<|channel|>")
_RETURN: Final = "<|return|>"
"""Closes an answer in the harmony format; some servers leave it in."""
_FENCE: Final = re.compile(r"\s*(?:```|~~~)")
_LONGEST_TAG: Final = 240


def split_reasoning(raw: str) -> tuple[str, str]:
    """Return the answer and the reasoning of `raw`, both without outer white space.

    A closing tag that nothing opens (the chat template opened it in the prompt) makes all before
    it reasoning when it begins or ends a line or follows the end of a sentence.
    """
    lost, rest = _before_orphan(raw)
    splitter = ReasoningSplitter()
    deltas = (*splitter.feed(rest), *splitter.finish())
    text = "".join(delta.text for delta in deltas if not delta.reasoning).strip()
    parts = (lost, *(delta.text for delta in deltas if delta.reasoning))
    return text, "".join(parts).strip()


def _before_orphan(raw: str) -> tuple[str, str]:
    if _OPEN.match(raw.lstrip()):
        return "", raw
    for found in _ORPHAN.finditer(raw):
        before, after = raw[: found.start()], raw[found.end() :]
        name = found["angle"] or found["square"]
        opened = re.search(rf"[<\[]{re.escape(name)}\b", before, re.IGNORECASE)
        fenced = sum(bool(_FENCE.match(line)) for line in before.splitlines()) % 2
        if opened or fenced:
            return "", raw
        bare = before.rstrip(" \t")
        line_end = not after.strip() or after.lstrip(" \t").startswith("\n")
        if not bare or bare.endswith("\n") or (line_end and bare[-1] not in "`\"'“‘„«"):
            return before, after
        if bare[-1] in ".!?…。！？" and after[:1] not in "`\"'”’»":
            return before, after
    return "", raw


class ReasoningSplitter:
    """Tells text from reasoning while an answer arrives in pieces of any size.

    With a closing tag that nothing opens, what was shown before stays shown: only
    `split_reasoning` of the complete answer takes it out.
    """

    def __init__(self) -> None:
        self._buffer = ""
        self._line = ""
        self._close: re.Pattern[str] | None = None
        self._started = False
        self._fenced = False
        self._searched = 0
        self._unclosed: set[str] = set()

    def feed(self, piece: str) -> tuple[Delta, ...]:
        """Take the next piece and return what is certain by now."""
        self._buffer += piece
        return self._advance(final=False)

    def finish(self) -> tuple[Delta, ...]:
        """Return what was held back until the end was known."""
        return self._advance(final=True)

    def _advance(self, *, final: bool) -> tuple[Delta, ...]:
        found: list[Delta] = []
        while self._buffer and self._step(found, final=final):
            pass
        return tuple(delta for delta in found if delta.text)

    def _step(self, found: list[Delta], *, final: bool) -> bool:
        """Decide on the next stretch; False when more must arrive first."""
        if self._close is not None:
            return self._inside(self._close, found, final=final)
        return self._text(found, final=final) if self._started else self._start(final=final)

    def _start(self, *, final: bool) -> bool:
        self._buffer = self._buffer.lstrip()
        opened = _OPEN.match(self._buffer)
        if opened is None:
            if not final and _may_open(self._buffer):
                return False
            self._started = True
            return True
        self._buffer = self._buffer[opened.end() :]
        if opened["final"]:
            self._started = True
        else:
            self._close = _closing(opened)
        return True

    def _inside(self, close: re.Pattern[str], found: list[Delta], *, final: bool) -> bool:
        end = close.search(self._buffer)
        if end is not None:
            found.append(Delta(text=self._buffer[: end.start()], reasoning=True))
            self._buffer, self._close = self._buffer[end.end() :], None
            return True
        keep = 0 if final else min(len(self._buffer), 40)
        cut = len(self._buffer) - keep
        found.append(Delta(text=self._buffer[:cut], reasoning=True))
        self._buffer = self._buffer[cut:]
        return False

    def _text(self, found: list[Delta], *, final: bool) -> bool:
        if not self._line and not self._fenced:
            taken = self._block(found, final=final)
            if taken is not None:
                return taken
        certain = _before_return(self._buffer)
        if final and self._buffer[certain:].rstrip() == _RETURN:
            self._buffer = self._buffer[:certain]
        elif final:
            certain = len(self._buffer)
        if not certain:
            return False
        head, newline, rest = self._buffer[:certain].partition("\n")
        rest += self._buffer[certain:]
        self._line += head
        if newline:
            self._fenced ^= bool(_FENCE.match(self._line))
            self._line = ""
        found.append(Delta(text=head + newline))
        self._buffer, self._searched = rest, 0
        return True

    def _block(self, found: list[Delta], *, final: bool) -> bool | None:
        """Take a block on lines of its own; None when there is none, False when it may be one."""
        line, newline, _ = self._buffer.partition("\n")
        bare = line.strip()
        opened = _OPEN.fullmatch(bare)
        if opened is None or opened["final"]:
            waits = not final and not newline and (not bare or _may_open(bare))
            return False if waits else None
        if not newline:
            return None if final else False
        ending = r"(?:\n|\Z)" if final else r"\n"
        pattern = rf"^[ \t]*(?:{_closing(opened).pattern})[ \t]*{ending}"
        if pattern in self._unclosed:
            return None
        close = re.compile(pattern, re.IGNORECASE | re.MULTILINE)
        start = max(len(line) + 1, self._searched - _LONGEST_TAG)
        end = close.search(self._buffer, start)
        if end is None:
            self._searched = len(self._buffer)
            if final:
                self._unclosed.add(pattern)
            return None if final else False
        found.append(Delta(text=self._buffer[len(line) + 1 : end.start()], reasoning=True))
        self._buffer, self._searched = self._buffer[end.end() :], 0
        return True


def _closing(opened: re.Match[str]) -> re.Pattern[str]:
    if opened["angle"]:
        return re.compile(rf"</{re.escape(opened['angle'])}\s{{0,8}}>", re.IGNORECASE)
    if opened["square"]:
        return re.compile(rf"\[/{opened['square']}\]", re.IGNORECASE)
    return re.compile(r"<channel\|>" if opened["gemma"] else r"<\|end\|>|(?=<\|start\|>)")


def _before_return(text: str) -> int:
    """Where a closing mark of the answer, or the beginning of one, stands at the end of `text`."""
    start = text.rfind("<")
    return start if start >= 0 and _RETURN.startswith(text[start:].rstrip()) else len(text)


def _may_open(text: str) -> bool:
    """Whether more characters could make an opening tag of `text`."""
    low = text.lower()
    if len(low) > _LONGEST_TAG or (low[:1] not in "<["):
        return False
    for literal in _LITERALS:
        if literal.startswith(low):
            return True
        open_tag = literal[0] == "<" and literal[1] != "|" and low.startswith(literal)
        if open_tag and low[len(literal)].isspace() and not set(low[1:]) & set("<>"):
            return True
    return any(
        mark.startswith(low) or (low.startswith(mark) and "<|message|>" not in low)
        for mark in _HARMONY
    )
