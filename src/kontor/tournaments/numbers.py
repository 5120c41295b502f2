"""Numbers of points, as people write them."""

from __future__ import annotations

from kontor.words import Words


def number(words: Words, value: float) -> str:
    """Return a number of points as people write it: ``3``, ``2½``, ``1.67``."""
    whole, rest = int(value), value - int(value)
    if rest < 0.005:
        return str(whole)
    if abs(rest - 0.5) < 0.005:
        return f"{whole or ''}½"
    return words.say("{whole}.{tenths}", whole=whole, tenths=f"{rest:.2f}"[2:])
