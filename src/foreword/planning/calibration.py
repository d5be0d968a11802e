"""Calibration: how a model's tokens compare with those counted here.

Above: engine, which stores one calibration for each model. Below: routes. Counts are multiplied by
a ratio that is learnt from the usage servers report, in bounded steps.

Source: research, token accounting; issue 3, section 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, isnan

from foreword.domain.routes import Route

SMALLEST_RATIO, LARGEST_RATIO = 0.5, 2.0
WEIGHT = 0.2
"""Of one report against all before it."""
LARGEST_STEP = 0.15
LEAST_TOKENS = 200
"""Smaller requests say more about the server's own words around them than about the text."""
PARTS = 10_000
"""Of a ratio: with whole numbers, what fits here fits there to the last token."""
STEP = 500
"""Parts in a step of 0.05: what fits is found with ratios in steps, so that it rarely changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The model's tokens over those counted here."""

    ratio: float = 1.0
    samples: int = 0
    """Reports it was learnt from."""


def observed(calibration: Calibration, counted: int, reported: int) -> Calibration:
    """Learn from a request that was counted here and by the server."""
    if counted < LEAST_TOKENS or reported <= 0:
        return calibration
    step = WEIGHT * (_ratio(reported, counted) - calibration.ratio)
    return _moved(calibration, max(-LARGEST_STEP, min(LARGEST_STEP, step)))


def overflowed(
    calibration: Calibration, counted: int, needed: int | None, limit: int | None
) -> Calibration:
    """Learn from a request that the server found too long: the ratio never falls.

    Args:
        calibration: before.
        counted: tokens of the request as counted here, not calibrated.
        needed: its tokens as the server counts them, if it tells.
        limit: size of the context, if it tells.
    """
    if counted <= 0:
        return calibration
    if needed is not None and needed > 0:
        return _moved(calibration, max(0.0, _ratio(needed, counted) - calibration.ratio))
    if limit is not None and calibrated(counted, calibration) > limit:
        return calibration
    return _moved(calibration, LARGEST_STEP)


def calibrated(tokens: int, calibration: Calibration) -> int:
    """Return how many tokens the model is expected to count."""
    return _divided_up(tokens * _parts(calibration), PARTS)


def usable(limit: int, calibration: Calibration) -> int:
    """Return how many tokens counted here surely fit where the model has room for `limit`.

    Never more than `limit`: a model that seems to count fewer may still count more elsewhere.
    """
    steps = _divided_up(max(PARTS, _parts(calibration)), STEP)
    return limit * PARTS // (steps * STEP)


def calibration_key(route: Route, counter: str) -> str:
    """Return what a calibration is stored under: the model, and what counts here."""
    return f"{route.provider} {route.model} {counter}"


def stored_calibration(calibration: Calibration) -> dict[str, str]:
    """Return the values that `calibration_from` makes the calibration from."""
    return {"ratio": repr(calibration.ratio), "samples": str(calibration.samples)}


def calibration_from(values: Mapping[str, str]) -> Calibration:
    """Return the stored calibration; one that cannot be read counts as none."""
    try:
        ratio, samples = float(values.get("ratio", "1")), int(values.get("samples", "0"))
    except ValueError:
        return Calibration()
    if isnan(ratio) or samples < 0:
        return Calibration()
    return Calibration(ratio=_bounded(ratio), samples=samples)


def _ratio(theirs: int, ours: int) -> float:
    # What servers say can be too large for a float.
    return _bounded(min(theirs, ceil(LARGEST_RATIO * ours)) / ours)


def _parts(calibration: Calibration) -> int:
    # Up, but not for the last binary digits of a product.
    return ceil(round(calibration.ratio * PARTS, 6))


def _divided_up(number: int, by: int) -> int:
    return -(-number // by)


def _bounded(ratio: float) -> float:
    return max(SMALLEST_RATIO, min(LARGEST_RATIO, ratio))


def _moved(calibration: Calibration, step: float) -> Calibration:
    return Calibration(ratio=_bounded(calibration.ratio + step), samples=calibration.samples + 1)
