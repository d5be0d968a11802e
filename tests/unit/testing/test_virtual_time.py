import asyncio
from datetime import timedelta

import pytest

from foreword.ports.clock import Clock
from foreword.testing.fixed_clock import START
from foreword.testing.virtual_time import VirtualTime


def test_sleeping_moves_the_clock_on_and_is_written_down() -> None:
    async def run() -> None:
        time = VirtualTime()
        told: Clock = time
        await time.sleep(600)
        await time.sleep(0.5)
        assert time.slept == [600, 0.5]
        assert told.now() == START + timedelta(seconds=600.5)

    asyncio.run(run())


def test_others_get_their_turn_while_somebody_sleeps() -> None:
    async def run() -> list[str]:
        time, said = VirtualTime(), list[str]()

        async def other() -> None:
            said.append("other")

        task = asyncio.create_task(other())
        await time.sleep(1)
        said.append("awake")
        await task
        return said

    assert asyncio.run(run()) == ["other", "awake"]


def test_whoever_sleeps_can_be_cancelled() -> None:
    async def run() -> None:
        time = VirtualTime()
        task = asyncio.create_task(time.sleep(1))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.slept == [1]

    asyncio.run(run())
