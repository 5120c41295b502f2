"""Ratings as they are asked for and told."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final, Literal, get_args

from kontor.game import Value

WIDE: Final = 100
"""A rating of a greater standard deviation (in points) is shown as “?”: up to about eight even games of two."""

SURE: Final = 1.96
"""So many standard deviations to both sides hold a rating with a chance of 95 %."""


class FitRequest(Value, frozen=True):
    """Whose ratings are to be fitted: those of a ``folder``, or of a ``database``; now, in milliseconds."""

    folder: str
    database: str
    now: int


class FittedPerson(Value, frozen=True):
    """The rating of a person and its standard deviation in points; how many games tell of it, and when the last of
    them ended, in milliseconds.
    """

    person: str
    points: int
    deviation: int
    games: int
    played: int


class FittedGame(Value, frozen=True):
    """The ratings of all who have played a game, of so many ``rated`` ones."""

    game: str
    rated: int
    people: tuple[FittedPerson, ...]


class Fits(Value, frozen=True):
    """All ratings at a moment, in milliseconds; and how many ``seconds`` they took, and megabytes of ``memory``."""

    at: int
    games: tuple[FittedGame, ...]
    seconds: float
    memory: int


class PersonRating(Value, frozen=True):
    """How strong somebody is at a game, in points, with the ends of an interval that holds it with a chance of 95 %.
    ``sure``: it is narrow enough to be told.
    """

    game: str
    points: int
    low: int
    high: int
    sure: bool
    games: int
    played: datetime


class RatingDay(Value, frozen=True):
    """A point of the curve of a person's rating."""

    game: str
    day: date
    points: int
    low: int
    high: int


Part = Literal["results", "rating", "play", "companions"]

PARTS: Final[tuple[Part, ...]] = get_args(Part)
"""What stands on the page about a person: results by seat and number of players; the rating over time; how well they
have played, by reviews; and with whom."""

USUAL_PARTS: Final[tuple[Part, ...]] = ("results", "rating", "companions")
"""What is shown where nothing else was chosen."""


class Profile(Value, frozen=True):
    """What a person shows of themselves: ``listed`` among the best; a ``public`` page under their handle, with these
    ``parts``.
    """

    handle: str
    listed: bool
    public: bool
    parts: tuple[Part, ...]


class ReviewedGame(Value, frozen=True):
    """A game of a person that was reviewed: what they ``lost`` of their chance to win at all ``decisions``, the
    result (0 to 1), and the result without luck, where luck can be told.
    """

    game: str
    ended: datetime
    decisions: int
    lost: float
    result: float
    adjusted: float | None


class BestRow(Value, frozen=True):
    """A row among the best: a person, or the ``level`` of a computer player. ``rank`` is 0 where there is none;
    ``handle`` empty where there is no page to be seen.
    """

    rank: int
    name: str
    level: str
    handle: str
    mine: bool
    points: int
    low: int
    high: int
    sure: bool
    games: int


class BestPage(Value, frozen=True):
    """A page of the best; ``number`` people are on all of them."""

    rows: tuple[BestRow, ...]
    number: int
    more: bool


class PlayedTally(Value, frozen=True):
    """How many games somebody has played on a seat, or with so many players, and how many of them they won."""

    of: int
    games: int
    won: int


class GameHistory(Value, frozen=True):
    """What somebody has played of a game: by the number of players, and by seats from 1."""

    game: str
    by_number: tuple[PlayedTally, ...]
    by_seat: tuple[PlayedTally, ...]


class Companion(Value, frozen=True):
    """Somebody with whom a person has often played; ``handle`` is empty where there is no page to be seen."""

    name: str
    handle: str
    games: int


class History(Value, frozen=True):
    """What somebody has played, and with whom most."""

    games: tuple[GameHistory, ...]
    companions: tuple[Companion, ...]
