"""Chats in Markdown: a heading or a line in bold names who speaks, and the lines below are said.

Below `markdown`, above `markdown_blocks`. Invariant: every line that is no such label stays in
some turn, in order; the headings of a book are no labels.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from foreword.domain.interchange import ChatTurn
from foreword.domain.turn import Role
from foreword.formats.chapters import Block, Kind
from foreword.formats.sillytavern_dates import instant_of
from foreword.formats.telling import NARRATOR, role_of_name, text_turn

_BOLD: Final = re.compile(r"[*_]{2,3}(?P<name>[^*_\n]{1,60}?)[*_]{2,3}(?P<rest>[^\n]{0,80})$")
_STAMP: Final = re.compile(
    r"""[\s·•|,:–—-]* [(\[]? \s* (?P<stamp>
        (?: \d{1,4}[-/.:]\d | [A-Z][a-z]{2,8}\s\d{1,2},?\s\d{4} ) [\w\s:.,/+@-]{0,40}
    ) [)\]]? \s* $""",
    re.VERBOSE,
)
_FLAGS: Final = re.compile(r"(?: · (?:system|hidden|pinned))+$")
_SAID: Final = re.compile(
    r"\s+(?:said|wrote|asked|sagte|hast gesagt|a dit|avez dit|dijo|dijiste)$", re.IGNORECASE
)
_EDGE: Final = re.compile(r"^[\W_]+|[\W_]+$")
_USERS: Final = frozenset(
    "you user human me du ich sie vous toi moi tú tu yo usted usuario utilisateur benutzer nutzer "
    "пользователь ты вы я 你 用户 我 ユーザー あなた".split()
)
_MODELS: Final = re.compile(
    r"(?:assist[ae]nt|ai|bot|chatbot|model|llm|assistente|asistente|ассистент|助手|"
    r"アシスタント|chat ?gpt|gpt|claude|gemini|copilot|grok|deepseek|mistral|le chat|llama|qwen|"
    r"perplexity|bard|agent)(?:[ .(-][\w. ()-]{0,30})?"
)
_SYSTEMS: Final = frozenset({"system", "system prompt", "system message"})
_PAIRS: Final = (
    (frozenset({"prompt"}), frozenset({"response"})),
    (frozenset({"question", "q"}), frozenset({"answer", "a"})),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A line that names who speaks."""

    line: int
    """From 1."""
    below: int
    """How many lines it takes: an underlined heading has two."""
    name: str
    level: int
    """Of the heading; 0 for a line in bold."""
    sent_at: str = ""
    said: bool = False
    """It reads `Name said:`."""

    @property
    def word(self) -> str:
        """The name, to be compared."""
        return self.name.casefold()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A chat, as far as the labels tell."""

    turns: tuple[ChatTurn, ...]
    before: str
    """The lines above the first label."""
    silent: tuple[str, ...]
    """The names of labels below which nothing is said."""


def told_by_labels(text: str, blocks: Sequence[Block]) -> Told | None:
    """Return the turns of a chat, None where the text is no chat with such labels."""
    labels = [label for block in blocks if (label := _label(block))]
    headed = [label for label in labels if label.level]
    bold = [label for label in labels if not label.level]
    first = next((one.line for one in blocks if one.kind is not Kind.HEADING), 0)
    roles = _sides(headed)
    chosen = headed
    if not roles:
        roles, chosen = _sides(bold) or _recurring(bold, first), bold
    if not roles:
        return None
    levels = {label.word: label.level for label in reversed(chosen)}
    chosen = [one for one in chosen if one.word in roles and one.level == levels[one.word]]
    return _told(text.split("\n"), chosen, roles)


def _label(block: Block) -> Label | None:
    """Return the label that a block begins with."""
    first = block.text.split("\n", 1)[0].strip()
    bold = _BOLD.match(first)
    level = block.level
    if block.kind is Kind.HEADING and level:
        below = 1 if first.startswith("#") else 2
        written = block.title
    elif bold and block.kind is not Kind.WHOLE:
        rest = _FLAGS.sub("", bold["rest"].strip() and bold["rest"])
        if rest.strip(" :") and not _STAMP.match(rest):
            return None
        below, level, written = 1, 0, bold["name"] + rest
    else:
        return None
    stamp = _STAMP.search(written)
    name = _EDGE.sub("", written[: stamp.start()] if stamp else written)
    bare = _SAID.sub("", name)
    if not bare or len(bare) > 40:
        return None
    sent_at = stamp["stamp"].strip() if stamp and instant_of(stamp["stamp"].strip()) else ""
    return Label(
        line=block.line, below=below, name=bare, level=level, sent_at=sent_at, said=bare != name
    )


def _sides(labels: Sequence[Label]) -> dict[str, Role]:
    """Return the role of each name, by names that only chats with a model have; else nothing."""
    words = {label.word for label in labels}
    users, models = words & _USERS, {word for word in words if _MODELS.fullmatch(word)}
    named = {label.word for label in labels if label.said} - users
    if users and (models or named):
        models |= named
    else:
        both = (one for one in _PAIRS if words & one[0] and words & one[1])
        users, models = next(((words & one[0], words & one[1]) for one in both), (set(), set()))
    if not (users and models):
        return {}
    found = dict.fromkeys(models, Role.ASSISTANT) | dict.fromkeys(users, Role.USER)
    return found | dict.fromkeys(words & _SYSTEMS, Role.SYSTEM)


def _recurring(labels: Sequence[Label], first: int) -> dict[str, Role]:
    """Return the role of each name where at least two recur and one stands before all prose."""
    counts = Counter(label.word for label in labels)
    often = [word for word, count in counts.items() if count > 1]
    if len(often) < 2 or labels[0].line != first:
        return {}
    return {label.word: role_of_name(label.name) for label in labels}


def _told(lines: Sequence[str], labels: Sequence[Label], roles: dict[str, Role]) -> Told:
    ends = [*(label.line - 1 for label in labels[1:]), len(lines)]
    bodies = [
        _trimmed(lines[label.line - 1 + label.below : end])
        for label, end in zip(labels, ends, strict=True)
    ]
    ruled = all(_is_rule(body[-1]) for body in bodies[:-1] if body) and len(bodies) > 1
    turns = tuple(_turns(labels, bodies, roles, ruled=ruled))
    before = _trimmed(lines[: labels[0].line - 1])
    return Told(
        turns=turns,
        before="\n".join(_unruled(before) if ruled else before),
        silent=tuple(
            label.name
            for label, body in zip(labels, bodies, strict=True)
            if not (_unruled(body) if ruled else body)
        ),
    )


def _turns(
    labels: Sequence[Label], bodies: Sequence[list[str]], roles: dict[str, Role], *, ruled: bool
) -> Iterator[ChatTurn]:
    names = {label.word: label.name for label in reversed(labels)}
    for label, body in zip(labels, bodies, strict=True):
        text = "\n".join(_unruled(body) if ruled else body)
        if text:
            turn = text_turn(roles[label.word], names[label.word] or NARRATOR, text)
            (told,) = turn.texts
            yield replace(turn, texts=(replace(told, sent_at=label.sent_at),))


def _trimmed(lines: Sequence[str]) -> list[str]:
    """Return the lines without the empty ones at both ends."""
    full = [place for place, line in enumerate(lines) if line.strip()]
    return [line.rstrip() for line in lines[full[0] : full[-1] + 1]] if full else []


def _is_rule(line: str) -> bool:
    signs = "".join(line.split())
    return len(signs) > 2 and signs in {sign * len(signs) for sign in "-*_"}


def _unruled(lines: list[str]) -> list[str]:
    """Return the lines without the rule that sets a message apart from the next."""
    return _trimmed(lines[:-1]) if lines and _is_rule(lines[-1]) else lines
