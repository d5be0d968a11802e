"""Running what calls models.

Above: commands. The event loop is loaded with the first of them: `--help` does without.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_now(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a use case to its end and return what it returns."""
    import asyncio

    return asyncio.run(work)
