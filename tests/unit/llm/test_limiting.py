from __future__ import annotations

import asyncio
import threading

import pytest

from foreword.llm.limiting import Limiter, limiter


def test_a_model_has_the_same_slots_everywhere() -> None:
    assert limiter("https://a.example", "m") is limiter("https://a.example", "m")
    assert limiter("https://a.example", "m") is not limiter("https://a.example", "n")


def test_never_more_hold_a_slot_than_may() -> None:
    async def run() -> int:
        slots, most = Limiter(), 0

        async def hold() -> None:
            nonlocal most
            async with slots.slot(3):
                most = max(most, slots.taken)
                await asyncio.sleep(0)

        await asyncio.gather(*(hold() for _ in range(20)))
        assert slots.taken == 0
        return most

    assert asyncio.run(run()) == 3


def test_a_waiter_that_goes_away_leaves_no_gap() -> None:
    async def run() -> None:
        slots = Limiter()

        async def hold() -> None:
            async with slots.slot(1):
                pass

        async with slots.slot(1):
            waiters = [asyncio.create_task(hold()) for _ in range(3)]
            await asyncio.sleep(0)
            waiters[0].cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiters[0]
        # The second was granted the slot just now and goes away before it wakes.
        waiters[1].cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiters[1]
        await asyncio.wait_for(waiters[2], 5)
        assert slots.taken == 0

    asyncio.run(run())


def test_slots_are_shared_by_the_loops_of_several_threads() -> None:
    slots, most = Limiter(), []

    async def hold() -> None:
        for _ in range(50):
            async with slots.slot(2):
                most.append(slots.taken)
                await asyncio.sleep(0)

    threads = [threading.Thread(target=lambda: asyncio.run(hold())) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert (slots.taken, len(most), max(most) <= 2) == (0, 250, True)


def test_a_closed_loop_that_waited_is_passed_over() -> None:
    slots = Limiter()
    gone, here = asyncio.new_event_loop(), asyncio.new_event_loop()
    holding = slots.slot(1)
    here.run_until_complete(holding.__aenter__())
    waiting = slots.slot(1).__aenter__()
    task = gone.create_task(waiting)
    gone.run_until_complete(asyncio.sleep(0))
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    gone.close()
    here.run_until_complete(holding.__aexit__(None, None, None))
    assert slots.taken == 0
    here.close()
