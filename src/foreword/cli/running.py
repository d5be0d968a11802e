"""Running what calls models.

Above: commands. The event loop is loaded with the first of them: `--help` does without.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar

Result = TypeVar("Result")


def run_now(work: Coroutine[Any, Any, Result]) -> Result:
    """Run a use case to its end and return what it returns.

    A service manager's SIGTERM stops it as Ctrl-C does, so that leases are given back; the process
    then ends by that signal.
    """
    import asyncio

    try:
        return asyncio.run(_stoppable(work))
    except _Terminated:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTERM)
        raise


class _Terminated(BaseException):
    """SIGTERM came, and the work has been stopped."""


async def _stoppable(work: Coroutine[Any, Any, Result]) -> Result:
    import asyncio

    task = asyncio.ensure_future(work)
    terminated = False

    def stop() -> None:
        nonlocal terminated
        terminated = True
        task.cancel()

    with suppress(NotImplementedError, RuntimeError, ValueError):  # Windows, and other threads
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
    try:
        return await task
    except asyncio.CancelledError:
        if terminated:
            raise _Terminated from None
        raise
