"""Questions in the terminal.

Above: commands that cannot go on by themselves. Below: standard input.
"""

from __future__ import annotations

import sys

from foreword.cli.printing import clean


def somebody_there() -> bool:
    """Say whether a question would be read by a person."""
    return sys.stdin.isatty()


def agreed(question: str) -> bool:
    """Ask a question in the terminal until it is answered with yes or no."""
    while True:
        sys.stderr.write(f"{clean(question)} [y/n] ")
        sys.stderr.flush()
        line = sys.stdin.readline()
        if not line:
            return False
        if line.strip().casefold() in {"y", "yes", "n", "no"}:
            return line.strip().casefold().startswith("y")
