"""Rules of the user that clean drafts up: regular expressions, bounded in time and in room.

Above: engine, and the settings that hold them. Below: the `regex` package, whose searches end at a
time limit. Invariant: no rule takes a draft away, makes it much longer or holds anything up.

Source: issue 5, section 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from foreword.errors import InvalidSetting

NAME: Final = "cleanup"
"""The setting that holds the rules."""

MOST_RULES: Final = 50
LONGEST_PATTERN: Final = 1_000
SECONDS: Final = 0.2
"""That one rule may take on one draft."""

_RULE: Final = regex.compile(
    r"\s*/(?P<pattern>(?:\\.|[^\\/])+)/(?P<flags>[A-Za-z]*)\s*=>(?: (?P<replacement>.*)|\s*)"
)
_FLAGS: Final = {"i": regex.IGNORECASE, "m": regex.MULTILINE, "s": regex.DOTALL, "g": 0, "u": 0}
_FORM: Final = "one rule a line, as in /pattern/gi => replacement"
_ESCAPES: Final = regex.compile(r"\\([nt\\])|\$(?:(\$)|(&)|(\d{1,2})|<(\w{1,40})>)")
_SPECIAL: Final = {"n": "\n", "t": "\t", "\\": "\\"}
_TIMES: Final = 4
_MORE: Final = 2_000
"""A rule may make a draft so many times as long, and so much longer."""

SAMPLE: Final = (
    "Mara met Tobin under the old bridge on 12 Thaw 812, at 18:30, and paid him eleven coins "
    "(four for himself, seven for the boat). “Before Sunday,” he swore.\n\n"
    "- The letter for Captain Ilse is in his left boot.\n"
    "- The lantern on the far bank was lit once, not twice.\n"
)
"""What rules are tried on where a conversation has no summary yet."""

_STRAINS: Final = tuple(
    run * (1_000 // len(run)) + "!" for run in ("a", "A", " ", "0", "ab", "a ", ". ", "\n", "é")
)
"""Texts on which a careless pattern tries every way to split them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One line of the setting."""

    line: int
    pattern: regex.Pattern[str]
    replacement: str
    everywhere: bool
    """Not only the first match (flag g)."""


def rules_of(text: str) -> tuple[Rule, ...]:
    """Read rules, one a line; blank lines and lines that begin with # are skipped.

    Raises:
        InvalidSetting: a line is no rule, with its number and what is wrong.
    """
    rules = tuple(_rules(text))
    if len(rules) > MOST_RULES:
        raise InvalidSetting(name=NAME, value=text, wanted=f"at most {MOST_RULES} rules")
    return rules


def _rules(text: str) -> Iterator[Rule]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _rule(number, line)


def _rule(number: int, line: str) -> Rule:
    found = _RULE.fullmatch(line)
    if found is None:
        raise _invalid(number, line, _FORM)
    unknown = set(found["flags"]) - _FLAGS.keys()
    if unknown:
        raise _invalid(number, line, f"of the flags g, i, m, s and u only, not {min(unknown)!r}")
    if len(found["pattern"]) > LONGEST_PATTERN:
        raise _invalid(number, line, f"a pattern of at most {LONGEST_PATTERN} characters")
    flags = regex.VERSION0
    for flag in found["flags"]:
        flags |= _FLAGS[flag]
    try:
        pattern = regex.compile(found["pattern"].replace(r"\/", "/"), flags)
    except (regex.error, ValueError, OverflowError, RecursionError) as fault:
        wanted = f"a pattern that compiles ({fault})"
        raise _invalid(number, line, wanted) from fault
    rule = Rule(
        line=number,
        pattern=pattern,
        replacement=found["replacement"] or "",
        everywhere="g" in found["flags"],
    )
    if unknown_group := _unknown_group(rule):
        raise _invalid(number, line, f"a replacement without {unknown_group}, no such group")
    return rule


def _unknown_group(rule: Rule) -> str:
    for piece in _ESCAPES.finditer(rule.replacement):
        number, name = piece[4], piece[5]
        if number and int(number) > rule.pattern.groups:
            return f"${number}"
        if name and name not in rule.pattern.groupindex:
            return f"$<{name}>"
    return ""


def checked_rules(text: str, sample: str) -> tuple[Rule, ...]:
    """Read rules and try them, so that bad ones are never saved.

    Args:
        text: the setting.
        sample: a summary; blank for `SAMPLE`.

    Raises:
        InvalidSetting: a line is no rule, takes too long, makes a text far too long, or nothing is
            left of the sample.
    """
    rules = rules_of(text)
    sample = sample if sample.strip() else SAMPLE
    lines = text.splitlines()
    for rule in rules:
        for tried in (sample, SAMPLE, *_STRAINS):
            try:
                _applied(rule, tried)
            except TimeoutError as fault:
                wanted = "a pattern that is not so slow: it took too long on a sample"
                raise _invalid(rule.line, lines[rule.line - 1], wanted) from fault
            except OverflowError as fault:
                wanted = "a replacement that does not make texts so much longer"
                raise _invalid(rule.line, lines[rule.line - 1], wanted) from fault
    if rules and not any(map(str.isalnum, cleaned(sample, rules, keep=False))):
        wanted = "rules that leave something: nothing is left of a sample summary"
        raise InvalidSetting(name=NAME, value=text, wanted=wanted)
    return rules


def cleaned(text: str, rules: Sequence[Rule], *, keep: bool = True) -> str:
    """Return a draft after all rules; one that takes too long or adds too much is passed over.

    Args:
        text: the draft.
        rules: in order.
        keep: where no letter and no digit would be left, return the draft as it was.
    """
    done = text
    for rule in rules:
        try:
            done = _applied(rule, done)
        except (TimeoutError, OverflowError):
            continue
    return done if any(map(str.isalnum, done)) or not keep else text


def _applied(rule: Rule, text: str) -> str:
    """Apply a rule.

    Raises:
        TimeoutError: it takes too long.
        OverflowError: the text grows too much.
    """
    room = _TIMES * len(text) + _MORE

    def put(found: regex.Match[str]) -> str:
        nonlocal room
        new = _ESCAPES.sub(lambda piece: _expanded(piece, found), rule.replacement)
        room -= len(new)
        if room < 0:
            raise OverflowError("a rule makes the text too long")
        return new

    return rule.pattern.sub(put, text, count=0 if rule.everywhere else 1, timeout=SECONDS)


def _expanded(piece: regex.Match[str], found: regex.Match[str]) -> str:
    r"""Return what \n, $$, $&, $1 or $<name> of a replacement stands for."""
    if piece[1]:
        return _SPECIAL[piece[1]]
    if piece[2]:
        return "$"
    group = int(piece[4]) if piece[4] else piece[5] or 0
    return found[group] or ""


def _invalid(number: int, line: str, wanted: str) -> InvalidSetting:
    return InvalidSetting(name=NAME, value=line, wanted=f"{wanted} (line {number})")
