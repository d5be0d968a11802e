"""The program with a summariser that answers once and then never again: somebody has to stop it.

It says `waiting` on standard error when it is asked the second time.
"""

import asyncio
import sys
from pathlib import Path

from foreword.bootstrap import open_engine
from foreword.cli.main import main
from foreword.domain.summarising import MergeRequest, SummaryDraft, SummaryRequest
from foreword.engine.context import Engine


class Pausing:
    maker = "pausing-1"

    def __init__(self) -> None:
        self.asked = 0

    async def summarise(self, request: SummaryRequest) -> SummaryDraft:
        self.asked += 1
        if self.asked > 1:
            sys.stderr.write("waiting\n")
            sys.stderr.flush()
            await asyncio.Event().wait()
        return SummaryDraft(text=f"{len(request.passages)} turns")

    async def merge(self, request: MergeRequest) -> SummaryDraft:
        return SummaryDraft(text=f"{len(request.blocks)} summaries")


def opened(folder: Path | None, database: str | None) -> Engine:
    return open_engine(folder, database=database, summariser=Pausing())


if __name__ == "__main__":
    main(opener=opened)
