"""The table of a season: points by places, of which the best results count. Pure: no storage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from kontor.game import Value

Player = TypeVar("Player", str, int)


class SeasonRow(Value, frozen=True):
    """A player's row: the place, the total, and the points in each tournament; None for one not played."""

    place: int
    player: str
    total: Fraction
    results: tuple[Fraction | None, ...]
    counted: tuple[bool, ...]


def season_table(given: Sequence[Mapping[str, Fraction]], best: int | None = None) -> tuple[SeasonRow, ...]:
    """Return the table of a season; ``given`` are the points of the players in each tournament.

    Of each player the ``best`` results count. Players with the same total are ranked by their best result, then the
    second, and so on.
    """
    players = sorted({player for shares in given for player in shares})
    keys = {}
    rows = {}
    for player in players:
        results = tuple([shares.get(player) for shares in given])
        order = sorted(
            [number for number, share in enumerate(results) if share is not None],
            key=lambda number: (-(results[number] or 0), number),
        )
        chosen = set(order[:best])
        total = sum((results[number] or Fraction(0) for number in chosen), Fraction(0))
        rows[player] = (total, results, tuple([number in chosen for number in range(len(results))]))
        keys[player] = (total, *(results[number] or Fraction(0) for number in order))
    ranked = sorted(players, key=lambda player: keys[player], reverse=True)
    places: dict[str, int] = {}
    for number, player in enumerate(ranked, 1):
        above = ranked[number - 2] if number > 1 else None
        places[player] = places[above] if above is not None and keys[above] == keys[player] else number
    return tuple([SeasonRow(places[player], player, *rows[player]) for player in ranked])


def points_of(places: Mapping[Player, int], points: Sequence[int]) -> dict[Player, Fraction]:
    """Return the points of the players of a tournament by their places, from 1.

    Players who share a place share the points of the places that they take up.
    """
    counts = Counter(places.values())
    worth = {place: Fraction(sum(points[place - 1 : place - 1 + count]), count) for place, count in counts.items()}
    return {player: worth[place] for player, place in places.items()}
