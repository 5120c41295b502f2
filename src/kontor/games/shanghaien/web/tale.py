"""The end of a game as a story: the points after each round as two lines, and what decided it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from kontor.game import Value
from kontor.games.shanghaien import words as said
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.scoring import comparisons, totals
from kontor.games.shanghaien.rules.state import Shanghai
from kontor.games.shanghaien.web.reader import Reader, Seen, Side
from kontor.words import Words

_WIDTH: Final = 400
_HEIGHT: Final = 150
"""Of the field in which the lines are drawn."""

_APART: Final = 26
"""How far apart the two sums are written at least."""

_STEP: Final = 5
"""Points from one line across to the next."""


class Spot(Value, frozen=True):
    """A captain's points after a round, and where they are drawn."""

    round: int
    points: int
    x: int
    y: int


class Course(Value, frozen=True):
    """A captain's points over the rounds."""

    side: Side
    name: str
    spots: tuple[Spot, ...]
    path: str
    label: int
    """How high the sum is written; the two keep clear of each other."""


class Across(Value, frozen=True):
    """A line across, with the points it stands for."""

    points: int
    y: int


class Tale(Value, frozen=True):
    """The whole game, told when it is over."""

    sentences: tuple[str, ...]
    courses: tuple[Course, Course]
    """Theirs, mine."""
    across: tuple[Across, ...]
    width: int
    height: int


def afterwards(words: Words, names: Sequence[str], reader: int | None, seen: Sequence[Sequence[Seen]]) -> Tale:
    """The tale of a whole game. ``seen`` are all its steps by the eyes of each seat, which see the same here."""
    whole = seen[0]
    captains = Reader(words, names, whole[-1][3], ())
    rounds = [after.crews for _, event, _, after in whole if isinstance(event.action, Shanghai)]
    score = [totals(crews) for crews in (whole[0][2].crews, *rounds)]
    most = max(_STEP, *(max(points) for points in score))
    top = -(-most // _STEP) * _STEP
    return Tale(
        sentences=tuple(_decided(captains, score)),
        courses=(_course(captains, "theirs", score, top), _course(captains, "mine", score, top)),
        across=tuple(Across(points, _y(points, top)) for points in range(0, top + 1, _STEP)),
        width=_WIDTH,
        height=_HEIGHT,
    )


def _y(points: int, top: int) -> int:
    return _HEIGHT - points * _HEIGHT // top


def _course(reader: Reader, side: Side, score: Sequence[tuple[int, int]], top: int) -> Course:
    seat = reader.seat(side)
    spots = tuple(
        Spot(number, points[seat], number * _WIDTH // ROUNDS, _y(points[seat], top))
        for number, points in enumerate(score)
    )
    mine, theirs = (_y(score[-1][one], top) for one in (seat, 1 - seat))
    above = mine < theirs or (mine == theirs and side == "theirs")
    lacking = max(0, _APART - abs(mine - theirs))
    label = mine - (lacking + 1) // 2 if above else mine + lacking // 2
    path = " ".join(f"{spot.x},{spot.y}" for spot in spots)
    return Course(side, reader.names[seat], spots, path, label)


# --------------------------------------------------------------------------------------------- what decided it


def _decided(reader: Reader, score: Sequence[tuple[int, int]]) -> list[str]:
    """In two or three sentences."""
    first, second = score[-1]
    if first == second:
        return _drawn(reader, score)
    winner = 0 if first > second else 1
    leads = [points[winner] - points[1 - winner] for points in score]
    return [_taken(reader, winner, leads), _dearest(reader, winner, leads), *_best(reader, winner)]


def _drawn(reader: Reader, score: Sequence[tuple[int, int]]) -> list[str]:
    leads = [points[0] - points[1] for points in score]
    number = max(range(len(leads)), key=lambda number: abs(leads[number]))
    if not leads[number]:
        return [reader.words.say("Neither was ever ahead.")]
    sentence = reader.words.count(
        "Nobody got away: after round {round} {name} was ahead by {n} point, and could not keep it.",
        "Nobody got away: after round {round} {name} was ahead by {n} points, and could not keep them.",
        abs(leads[number]),
        round=number,
        name=reader.names[0 if leads[number] > 0 else 1],
    )
    return [sentence]


def _taken(reader: Reader, winner: int, leads: Sequence[int]) -> str:
    """When the winner took the lead for good."""
    words, name = reader.words, reader.names[winner]
    number = 1 + max(number for number, lead in enumerate(leads) if lead <= 0)
    if number == 1:
        return words.say("{name} led from the first round to the last.", name=name)
    if number == ROUNDS:
        return words.say("Only the last round decided: until then {name} was not ahead.", name=name)
    return words.say("{name} took the lead in round {round} and kept it.", name=name, round=number)


def _dearest(reader: Reader, winner: int, leads: Sequence[int]) -> str:
    """The round in which the lead changed most."""
    gained = [after - before for before, after in pairwise(leads)]
    number = max(range(ROUNDS), key=lambda number: abs(gained[number]))
    name = reader.names[winner if gained[number] > 0 else 1 - winner]
    return reader.words.count(
        "Round {round} weighed most: {name} gained {n} point on the other.",
        "Round {round} weighed most: {name} gained {n} points on the other.",
        abs(gained[number]),
        round=number + 1,
        name=name,
    )


def _best(reader: Reader, winner: int) -> list[str]:
    """The nation that brought the winner most."""
    row = max(comparisons(reader.view.crews), key=lambda row: row.points[winner])
    if not row.points[winner]:
        return []
    sentence = reader.words.count(
        "{name}’s best crew: the {nation}, {n} point.",
        "{name}’s best crew: the {nation}, {n} points.",
        row.points[winner],
        name=reader.names[winner],
        nation=said.nation(reader.words, row.nation),
    )
    return [sentence]
