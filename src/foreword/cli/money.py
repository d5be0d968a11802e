"""Money and time in words.

Above: commands that show what was spent. Below: nothing. Money is counted in micro-dollars.
"""

from __future__ import annotations

MICROS = 1_000_000
EXACT_BELOW = MICROS // 100
"""Under a cent, whole cents would say nothing."""


def dollars(micros: int) -> str:
    """Return an amount in US dollars: to the cent, and under a cent as exact as it is known."""
    if 0 < micros < EXACT_BELOW:
        return "$" + f"{micros / MICROS:.6f}".rstrip("0")
    return f"${micros / MICROS:,.2f}" if micros % EXACT_BELOW == 0 else f"${micros / MICROS:,.4f}"


def money(micros: int | None) -> str:
    """Return an amount, or that it is not known."""
    return "not known" if micros is None else dollars(micros)


def price_in_words(micros: int | None) -> str:
    """Return what work would cost."""
    if micros == 0:
        return "no cost"
    return "price not known" if micros is None else f"about {dollars(micros)}"


def seconds(milliseconds: int | None) -> str:
    """Return a duration: `0.42 s`, `12.3 s`, `3 min 20 s`; empty when there is none."""
    if milliseconds is None:
        return ""
    whole = milliseconds / 1000
    if whole < 10:
        return f"{whole:.2f} s"
    if whole < 120:
        return f"{whole:.1f} s"
    minutes, rest = divmod(round(whole), 60)
    return f"{minutes:,} min {rest} s"
