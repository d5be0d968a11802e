"""Run the benchmarks, one after the other; stop them at any time and keep what was measured.

python -m benchmarks [NAME...] [--small] [--results FOLDER] [--work FOLDER]
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp

from benchmarks import costs, growth, imports, operations, searches, survival, turns
from benchmarks.progress import tell
from benchmarks.records import RESULTS, Outcome, write
from benchmarks.scales import FULL, SMALL, Scale

BENCHMARKS: dict[str, Callable[[Scale, Path], Iterator[Outcome]]] = {
    "survival": survival.run,
    "operations": operations.run,
    "search": searches.run,
    "import": imports.run,
    "costs": costs.run,
    "growth": growth.run,
    "turns": turns.run,
}
ROOT = Path(__file__).parents[1]


def run(names: list[str], scale: Scale, *, results: Path, work: Path) -> bool:
    """Run benchmarks and write what they find; return whether all of them were finished."""
    for name in names:
        tell(name)
        found: list[Outcome] = []
        try:
            found.extend(BENCHMARKS[name](scale, work / name))
        except KeyboardInterrupt:
            tell(f"{name}: stopped; what was measured is kept")
            return False
        finally:
            if found and found[-1].rows:
                write(found[-1], results)
            shutil.rmtree(work / name, ignore_errors=True)
    return True


def main() -> int:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--small", action="store_true", help="two minutes, short conversations")
    parser.add_argument("--results", type=Path, help="where to write (benchmarks/results)")
    parser.add_argument("--work", type=Path, default=ROOT / "build", help="for its files")
    given = parser.parse_args()
    unknown = set(given.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    results = given.results or (ROOT / "build" / "small-results" if given.small else RESULTS)
    given.work.mkdir(parents=True, exist_ok=True)
    work = Path(mkdtemp(prefix="benchmarks-", dir=given.work))
    try:
        done = run(
            given.names or list(BENCHMARKS),
            SMALL if given.small else FULL,
            results=results,
            work=work,
        )
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return 0 if done else 130


if __name__ == "__main__":
    sys.exit(main())
