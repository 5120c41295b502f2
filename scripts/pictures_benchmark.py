"""Draws docs/pictures/benchmark.svg from the output of ``python -m bench.research ppo`` for both games.

.venv/bin/python scripts/pictures_benchmark.py
"""

from __future__ import annotations

import csv
from pathlib import Path

from pictures_learning import text

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"

WIDTH, HEIGHT = 720, 320
WIDE, TOP, BOTTOM = 260, 44, 260
PANELS = (
    ("shanghaien", "Shanghaien", 70, (-1, -0.5, 0, 0.5, 1), "#1f4f8a"),
    ("dutchman", "Der fliegende Holländer", 420, (0, 0.25, 0.5, 0.75, 1), "#9c2a1f"),
)
"""Games with their names, the left edge of their panel, the rewards at its side, and their colour."""


def panel(
    points: list[dict[str, float]], name: str, left: float, rewards: tuple[float, ...], colour: str
) -> list[str]:
    """Return the SVG of a game's panel: a thin curve for each seed, their mean, and its interval as a band."""
    last = points[-1]["decisions"]

    def x(point: dict[str, float]) -> float:
        return left + WIDE * point["decisions"] / last

    def y(reward: float) -> float:
        share = (reward - rewards[0]) / (rewards[-1] - rewards[0])
        return BOTTOM - (BOTTOM - TOP) * min(max(share, 0), 1)

    def line(rewards: list[float]) -> str:
        return " ".join(f"{x(point):.1f},{y(reward):.1f}" for point, reward in zip(points, rewards, strict=True))

    parts = [text(left, TOP - 18, name, "start")]
    for reward in rewards:
        parts.append(f'<path d="M{left} {y(reward):.1f}h{WIDE}" stroke="#a98f66" stroke-width="0.7"/>')
        parts.append(text(left - 8, y(reward) + 5, f"{reward:g}".replace("-", "−"), "end"))
    for share in (0, 0.5, 1):
        parts.append(text(left + WIDE * share, BOTTOM + 22, f"{share * last / 1e6:.2g}"))
    parts.append(text(left + WIDE / 2, BOTTOM + 44, "million decisions of the learner"))
    upper = line([point["reward"] + point["interval"] for point in points])
    lower = line([point["reward"] - point["interval"] for point in points]).split()
    parts.append(f'<polygon points="{upper} {" ".join(reversed(lower))}" fill="{colour}" opacity="0.2"/>')
    for seed in (name for name in points[0] if name.startswith("seed ")):
        thin = line([point[seed] for point in points])
        parts.append(f'<polyline points="{thin}" fill="none" stroke="{colour}" stroke-width="0.6"/>')
    mean = line([point["reward"] for point in points])
    parts.append(f'<polyline points="{mean}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
    return parts


def drawn() -> str:
    """Return the picture of both games as SVG."""
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#f3e9d2"/>']
    for game, name, left, rewards, colour in PANELS:
        with (FOLDER / f"ppo-{game}.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["update"].isdecimal()]
        points = [{name: float(number) for name, number in row.items()} for row in rows]
        parts += panel(points, name, left, rewards, colour)
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'font-family="EB Garamond, Garamond, Georgia, serif" font-size="16">\n'
        "<title>Rewards of PPO against random steps: five seeds, their mean and a 95 % interval</title>\n"
        f"{body}\n</svg>\n"
    )


if __name__ == "__main__":
    (FOLDER / "benchmark.svg").write_text(drawn(), encoding="utf-8")
