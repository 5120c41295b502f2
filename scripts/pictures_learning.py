"""Draws docs/pictures/learning.svg from the output of examples/learn_shanghaien.py.

.venv/bin/python scripts/pictures_learning.py docs/pictures/learning.csv
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "learning.svg"

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 650, 44, 340
CURVES = (("random", "#1f4f8a"), ("greedy", "#9c2a1f"))
"""The computer players, each in a colour of the server (kontor.css: theirs, mine)."""


def text(x: float, y: float, words: str, anchor: str = "middle", colour: str = "#2b2118") -> str:
    """Return an SVG text element."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def drawn(points: list[dict[str, float]]) -> str:
    """Return the picture of the points as SVG: minutes to the right, shares of victories upwards."""
    last = points[-1]["seconds"]

    def x(seconds: float) -> float:
        return LEFT + (RIGHT - LEFT) * seconds / last

    def y(share: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * share

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#f3e9d2"/>']
    for percent in range(0, 101, 25):
        at = y(percent / 100)
        parts.append(f'<path d="M{LEFT} {at:.1f}H{RIGHT}" stroke="#a98f66" stroke-width="0.7"/>')
        parts.append(text(LEFT - 8, at + 5, f"{percent} %", "end"))
    for minute in range(int(last / 60) + 1):
        parts.append(text(x(60 * minute), BOTTOM + 22, str(minute)))
    parts.append(text((LEFT + RIGHT) / 2, HEIGHT - 16, "minutes of training on two cores"))
    parts.append(text(LEFT, TOP - 18, "win rate in Shanghaien", "start"))
    for name, colour in CURVES:
        line = " ".join(f"{x(point['seconds']):.1f},{y(point[name]):.1f}" for point in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(text(RIGHT + 8, y(points[-1][name]) + 5, name, "start", colour))
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="EB Garamond, Garamond, Georgia, serif" font-size="16">\n'
        f"<title>Shares of victories against random and greedy while learning</title>\n{body}\n</svg>\n"
    )


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8", newline="") as file:
        points = [{name: float(number) for name, number in row.items()} for row in csv.DictReader(file)]
    PICTURE.write_text(drawn(points), encoding="utf-8")
