"""Says on standard error how far a run is."""

import sys
import time

_BEGUN = time.monotonic()


def tell(sentence: str) -> None:
    """Print a line with the seconds since the beginning."""
    print(f"{time.monotonic() - _BEGUN:7.1f} s  {sentence}", file=sys.stderr, flush=True)
