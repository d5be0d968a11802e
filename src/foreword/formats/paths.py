"""Titles from file names.

Below the formats. Invariant: a title is never empty and always storable.
"""

from __future__ import annotations

import re

from foreword.domain.storable import storable_text

UNTITLED = "Untitled"
_SUFFIX = re.compile(r"(?<=.)\.[A-Za-z0-9]{1,8}$", re.DOTALL)


def title_of(path: str, fallback: str = "") -> str:
    """Return the file's name without its ending: users know their files by it."""
    name = re.split(r"[\\/]", path.rstrip("\\/"))[-1]
    stem = _SUFFIX.sub("", name).strip()
    return storable_text("" if stem in {"-", "<stdin>"} else stem) or fallback or UNTITLED
