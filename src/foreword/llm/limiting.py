"""At most so many calls of one model at a time, whatever threads and event loops make them.

Above: retrying. Below: nothing. Invariant: every slot that was given is given back once; a waiter
that goes away leaves no gap.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache


@dataclass(slots=True, eq=False)
class _Waiter:
    loop: asyncio.AbstractEventLoop
    turn: asyncio.Future[None]
    most: int
    granted: bool = False

    def wake(self) -> None:
        if not self.turn.done():
            self.turn.set_result(None)


@dataclass(slots=True, eq=False)
class Limiter:
    """Slots of one model."""

    taken: int = 0
    _waiting: deque[_Waiter] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @asynccontextmanager
    async def slot(self, most: int) -> AsyncGenerator[None, None]:
        """Hold one of `most` slots; wait for it in the order of asking."""
        await self._take(most)
        try:
            yield
        finally:
            self._give_back()

    async def _take(self, most: int) -> None:
        loop = asyncio.get_running_loop()
        with self._lock:
            if self.taken < most and not self._waiting:
                self.taken += 1
                return
            waiter = _Waiter(loop=loop, turn=loop.create_future(), most=most)
            self._waiting.append(waiter)
        try:
            await waiter.turn
        except BaseException:
            with self._lock:
                granted = waiter.granted
                if not granted:
                    self._waiting.remove(waiter)
            if granted:
                self._give_back()
            raise

    def _give_back(self) -> None:
        with self._lock:
            self.taken -= 1
            while self._waiting and self.taken < self._waiting[0].most:
                waiter = self._waiting.popleft()
                waiter.granted = True
                try:
                    waiter.loop.call_soon_threadsafe(waiter.wake)
                except RuntimeError:
                    # Its event loop is closed: nobody waits there any more.
                    continue
                self.taken += 1


@cache
def limiter(provider: str, model: str) -> Limiter:
    """Return the slots of a model: the same for everybody in this process."""
    del provider, model
    return Limiter()
