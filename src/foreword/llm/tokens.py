"""Token counters: o200k from `bpe-openai`, and an estimate by script where that is missing.

Above: bootstrap chooses with `default_counter`. Below: `ports.token_counter`. Invariant: any string
is counted, in time linear in its length; equal text gives equal counts.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from typing import Final, Protocol, cast

from foreword.domain.storable import storable_text
from foreword.ports.token_counter import TokenCounter

ENCODING: Final = "o200k_base"
PIECE_CHARS: Final = 40_000
"""Longest text handed to the tokenizer at once; it refuses more than 200 000 tokens."""

PACKAGE: Final = "bpe_openai"
COMPILED: Final = "_bindings"
_BREAK: Final = re.compile(r"\s\S*\Z")
_WIDE: Final = re.compile(
    r"[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
    r"\U00020000-\U0003ffff]"
)
_EMOJI: Final = re.compile(r"[\u2190-\u2bff\U0001f000-\U0001faff]")
_OTHER_SCRIPT: Final = re.compile(r"[\u0590-\u10ff\u1200-\u1cff]")
_CASED_SCRIPT: Final = re.compile(r"[\u0370-\u058f\u1f00-\u1fff]")
_DIGITS: Final = re.compile(r"\d{1,3}")
_SYMBOL: Final = re.compile(r"[^\w\s]|\n+")
_LETTER: Final = re.compile(r"[A-Za-z\u00c0-\u036f\u1e00-\u1eff_]+")
_PER_LETTER: Final = 1 / 4.6
_PER_WORD: Final = 0.25
_PER_SYMBOL: Final = 0.7


class _Tokenizer(Protocol):
    def count(self, text: str) -> int: ...


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


@dataclass(frozen=True, slots=True)
class _ByEncoding:
    """Counts through the package's public interface."""

    encoding: _Encoding

    def count(self, text: str) -> int:
        return len(self.encoding.encode_ordinary(text))


@cache
def _tokenizer(name: str, package: str) -> _Tokenizer:
    """Return what counts in an encoding.

    Importing the package reads all its vocabularies in Python: 2 s and 100 MB before the first
    count. Its compiled part has them too and is ready in 0.1 s, so that is loaded by itself.
    """
    found = importlib.util.find_spec(package)
    folders = None if found is None else found.submodule_search_locations
    spec = PathFinder.find_spec(f"{package}.{COMPILED}", folders)
    if spec is None or spec.loader is None:
        module = importlib.import_module(package)
        return _ByEncoding(cast("_Encoding", module.get_encoding(name)))
    compiled = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(compiled)
    return cast("_Tokenizer", compiled.tokenizer_for_encoding(name))


@dataclass(frozen=True, slots=True)
class BpeCounter:
    """Counts with a published vocabulary."""

    encoding: str = ENCODING
    package: str = PACKAGE

    @property
    def name(self) -> str:
        """See TokenCounter.name."""
        return self.encoding

    def count(self, text: str) -> int:
        """See TokenCounter.count."""
        tokenizer = _tokenizer(self.encoding, self.package)
        text = storable_text(text)
        if len(text) <= PIECE_CHARS:
            return tokenizer.count(text)
        return sum(tokenizer.count(piece) for piece in _pieces(text))


@dataclass(frozen=True, slots=True)
class ScriptEstimator:
    """Estimates by script: about four Latin letters, or one Han character, to a token."""

    @property
    def name(self) -> str:
        """See TokenCounter.name."""
        return "script-estimate"

    def count(self, text: str) -> int:
        """See TokenCounter.count."""
        if not text:
            return 0
        words = _LETTER.findall(text)
        tokens = (
            sum(map(len, words)) * _PER_LETTER
            + len(words) * _PER_WORD
            + len(_DIGITS.findall(text))
            + len(_WIDE.findall(text)) * 0.9
            + len(_CASED_SCRIPT.findall(text)) * 0.35
            + len(_OTHER_SCRIPT.findall(text)) * 0.45
            + len(_EMOJI.findall(text)) * 1.3
            + len(_SYMBOL.findall(text)) * _PER_SYMBOL
        )
        return max(1, round(tokens))


def default_counter(*, package: str = PACKAGE) -> TokenCounter:
    """Return the counter of `package` when that is installed, else the estimator."""
    if importlib.util.find_spec(package) is None:
        return ScriptEstimator()
    return BpeCounter()


def _pieces(text: str) -> Iterator[str]:
    """Cut a text before white space, where the tokenizer begins a token of its own."""
    at = 0
    while len(text) - at > PIECE_CHARS:
        window = text[at : at + PIECE_CHARS]
        tail = window[-1000:]
        found = _BREAK.search(tail)
        end = at + PIECE_CHARS - (len(tail) - found.start() if found else 0)
        yield text[at:end]
        at = end
    if at < len(text):
        yield text[at:]
