"""The end of a game as a story: the points after each round as two lines, and what decided it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.scoring import Crew, comparisons, totals
from kontor.games.shanghaien.rules.state import Shanghai
from kontor.web.adapter import Seen
from kontor.words import Words

Score = Sequence[tuple[int, int]]
"""The points of both seats: before the first round, and after each."""

_WIDTH: Final = 400
_HEIGHT: Final = 150
"""Of the field in which the lines are drawn."""

_APART: Final = 26
"""Least distance between the two sums as written."""

_STEP: Final = 5
"""Points from one line across to the next."""


def afterwards(words: Words, names: Sequence[str], reader: int | None, seen: Sequence[Sequence[Seen]]) -> Score:
    """Return the points of both seats at the start and after each round; ``seen`` has all steps, by seat."""
    steps = seen[0]
    rounds = [after.crews for _, event, _, after in steps if isinstance(event.action, Shanghai)]
    return tuple(totals(crews) for crews in (steps[0][2].crews, *rounds))


# ------------------------------------------------------------------------------------------------- as it is drawn


def course(score: Score, seat: int) -> list[tuple[int, int]]:
    """Return the coordinates of a captain's points."""
    return [(number * _WIDTH // ROUNDS, _y(score, points[seat])) for number, points in enumerate(score)]


def scale(score: Score) -> list[tuple[int, int]]:
    """Return the points and the height of each horizontal line."""
    return [(points, _y(score, points)) for points in range(0, _top(score) + 1, _STEP)]


def label(score: Score, seat: int, me: int) -> int:
    """Return the height of a captain's total; the two do not overlap, and mine is the lower if they are equal."""
    own, other = (_y(score, score[-1][one]) for one in (seat, 1 - seat))
    lacking = max(0, _APART - abs(own - other))
    above = own < other or (own == other and seat != me)
    return own - (lacking + 1) // 2 if above else own + lacking // 2


def _y(score: Score, points: int) -> int:
    return _HEIGHT - points * _HEIGHT // _top(score)


def _top(score: Score) -> int:
    most = max(_STEP, *(max(points) for points in score))
    return -(-most // _STEP) * _STEP


# --------------------------------------------------------------------------------------------- what decided it


def outcome(words: Words, names: Sequence[str], score: Score) -> str:
    """Say when the winner took the lead for good, or, after a draw, how close the game was."""
    winner, leads = _leads(score)
    if not leads[-1]:
        return _describe_draw(words, names, leads)
    number = 1 + max(number for number, lead in enumerate(leads) if lead <= 0)
    if number == 1:
        return words.say("{name} led from start to finish.", name=names[winner])
    if number == ROUNDS:
        return words.say("It was decided in the last round: {name} had not led before.", name=names[winner])
    return words.say("{name} took the lead in round {round} and kept it.", name=names[winner], round=number)


def reasons(words: Words, names: Sequence[str], score: Score, crews: tuple[Crew, Crew]) -> list[str]:
    """Say in one or two sentences what decided a game; return none for a draw."""
    winner, leads = _leads(score)
    return [_dearest(words, names, winner, leads), *_best_nation(words, names, winner, crews)] if leads[-1] else []


def _leads(score: Score) -> tuple[int, list[int]]:
    """Return the winner, or seat 0 after a draw, and their lead at the start and after each round."""
    winner = 0 if score[-1][0] >= score[-1][1] else 1
    return winner, [points[winner] - points[1 - winner] for points in score]


def _describe_draw(words: Words, names: Sequence[str], leads: Sequence[int]) -> str:
    number = max(range(len(leads)), key=lambda number: abs(leads[number]))
    if not leads[number]:
        return words.say("Neither player ever led.")
    return words.count(
        "A close game: after round {round} {name} led by {n} point, but could not hold the lead.",
        "A close game: after round {round} {name} led by {n} points, but could not hold the lead.",
        abs(leads[number]),
        round=number,
        name=names[0 if leads[number] > 0 else 1],
    )


def _dearest(words: Words, names: Sequence[str], winner: int, leads: Sequence[int]) -> str:
    """Name the round in which the lead changed most."""
    gained = [after - before for before, after in pairwise(leads)]
    number = max(range(ROUNDS), key=lambda number: abs(gained[number]))
    return words.count(
        "Round {round} counted most: {name} gained {n} point on the opponent.",
        "Round {round} counted most: {name} gained {n} points on the opponent.",
        abs(gained[number]),
        round=number + 1,
        name=names[winner if gained[number] > 0 else 1 - winner],
    )


def _best_nation(words: Words, names: Sequence[str], winner: int, crews: tuple[Crew, Crew]) -> list[str]:
    """Name the nation that scored the winner most; return nothing if none scored."""
    row = max(comparisons(crews), key=lambda row: row.points[winner])
    if not row.points[winner]:
        return []
    sentence = words.count(
        "{name}’s best crew: the {nation}, {n} point.",
        "{name}’s best crew: the {nation}, {n} points.",
        row.points[winner],
        name=names[winner],
        nation=phrases.nation(words, row.nation),
    )
    return [sentence]
