"""What a game of a tournament is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kontor.game import Result, Value

POINT: Final = 120
"""Points are counted in so many parts, which all shares of a point at tables of two to six are whole numbers of."""


class TournamentGame(Value, frozen=True):
    """A game (or a duplicate match) that has ended. All in the order of the seats.

    ``number`` is that of the round, from 1; ``seats`` who sat there; ``points`` what they got for it, in parts of a
    point; ``scores`` what they had at the end of the game (its own points, ducats), empty where that was not
    reckoned."""

    number: int
    seats: tuple[str, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...] = ()


def shares(ranks: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The points of the seats, by what they reached: which share of the others at the table each has beaten, who is
    level with them half.

    So the first of a table has one point and the last none, however many sit there, and all have half a point on
    average: no table is worth more than another. For two it is 1, ½, 0.
    """
    others = len(ranks) - 1
    return tuple(
        (sum(2 * (mine > rank) + (mine == rank) for rank in ranks) - 1) * POINT // (2 * others) for mine in ranks
    )


def played(number: int, seats: Sequence[str], result: Result) -> TournamentGame:
    """A game that came to its end: who won by the rules comes first, then the points of the game count. Where the
    machine player finished it for somebody, it is theirs all the same."""
    ranks = [(seat in result.winners, points) for seat, points in enumerate(result.points)]
    return TournamentGame(number, tuple(seats), shares(ranks), result.points)


def played_early(number: int, seats: Sequence[str], winners: Sequence[int]) -> TournamentGame:
    """A game that the people at the table ended: who won by that has beaten all others; without a winner they
    share."""
    return TournamentGame(number, tuple(seats), shares([(seat in winners, 0) for seat in range(len(seats))]))


def duplicate_match(first: TournamentGame, second: TournamentGame) -> TournamentGame:
    """Two games with the same luck, the seats of the second swapped, as one match in the seats of the first.

    Who made more points in the two games wins it; if that is level, who is ahead in the sum of both games' scores
    (where both were reckoned); if that is too, it is a draw.
    """
    one, other = first.seats
    if second.seats != (other, one):
        raise ValueError("the seats of the second game are not those of the first, swapped")
    made = (first.points[0] + second.points[1], first.points[1] + second.points[0])
    scores: tuple[int, ...] = ()
    if first.scores and second.scores:
        scores = (first.scores[0] + second.scores[1], first.scores[1] + second.scores[0])
    ranks = list(zip(made, scores or (0, 0), strict=True))
    return TournamentGame(first.number, first.seats, shares(ranks), scores)
