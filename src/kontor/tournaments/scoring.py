"""Points for the games of a tournament."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from kontor.game import Result, Value

POINT: Final = 120
"""The parts of a point: a number that makes every share of a point a whole number, at tables of two to six."""


class TournamentGame(Value, frozen=True):
    """A finished game (or duplicate match). All tuples are in the order of the seats.

    ``number`` is that of the round, from 1. ``seats`` are the ids of the players. ``points`` are their tournament
    points, in parts of a point. ``scores`` are their scores in the game itself (its own points, ducats); empty if
    they were not computed.
    """

    number: int
    seats: tuple[str, ...]
    points: tuple[int, ...]
    scores: tuple[int, ...] = ()


def shares(ranks: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the points of the seats: the share of the others at the table that each has beaten; a tie counts half.

    So the first at a table has one point and the last none, at tables of any size. The average is half a point, so no
    table is worth more than another. For two, it is 1, ½, 0.
    """
    opponents = len(ranks) - 1
    return tuple(
        (sum(2 * (own_rank > rank) + (own_rank == rank) for rank in ranks) - 1) * POINT // (2 * opponents)
        for own_rank in ranks
    )


def played(number: int, seats: Sequence[str], result: Result, forfeits: Collection[int] = ()) -> TournamentGame:
    """Return the result of a game that ended by the rules.

    The winners by the rules come first; then the game's points count. Moves of a computer player that stood in count
    for the person of the seat. Seats with ``forfeits`` come last, however the game went on for them.
    """
    ranks = [(seat not in forfeits, seat in result.winners, points) for seat, points in enumerate(result.points)]
    return TournamentGame(number, tuple(seats), shares(ranks), result.points)


def played_early(
    number: int, seats: Sequence[str], winners: Sequence[int], forfeits: Collection[int] = ()
) -> TournamentGame:
    """Return the result of a game that the people at the table ended early.

    Its winners have beaten all others; without a winner all share, except that seats with ``forfeits`` come last.
    """
    ranks = [(seat not in forfeits, seat in winners) for seat in range(len(seats))]
    return TournamentGame(number, tuple(seats), shares(ranks))


def placed(number: int, seats: Sequence[str], places: Sequence[int]) -> TournamentGame:
    """Return the result of a game in which the seats have these places, from 1; it has no scores."""
    return TournamentGame(number, tuple(seats), shares([(-place,) for place in places]))


def duplicate_match(first: TournamentGame, second: TournamentGame) -> TournamentGame:
    """Return two games with the same luck and swapped seats as one match, in the seats of the first game.

    The player with more points in the two games wins it. If they are equal, the sum of both games' scores decides (if
    both have scores); if that is equal too, it is a draw. Raises ValueError if the seats are not swapped.
    """
    first_player, second_player = first.seats
    if second.seats != (second_player, first_player):
        raise ValueError("the seats of the second game are not those of the first, swapped")
    points = (first.points[0] + second.points[1], first.points[1] + second.points[0])
    scores: tuple[int, ...] = ()
    if first.scores and second.scores:
        scores = (first.scores[0] + second.scores[1], first.scores[1] + second.scores[0])
    ranks = list(zip(points, scores or (0, 0), strict=True))
    return TournamentGame(first.number, first.seats, shares(ranks), scores)
