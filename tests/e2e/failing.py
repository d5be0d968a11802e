"""The program with a bug: it cannot even open its engine."""

from pathlib import Path

from foreword.cli.main import main
from foreword.engine.context import Engine


def broken(_folder: Path | None, _database: str | None) -> Engine:
    raise ZeroDivisionError("one of us is wrong")


if __name__ == "__main__":
    main(opener=broken)
