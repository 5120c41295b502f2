"""Requests for ratings, and ratings as they are returned."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final, Literal, get_args

from kontor.game import Value

WIDE: Final = 100
"""A rating of a greater standard deviation (in points) is shown as “?”: up to about eight even games of two."""

SURE: Final = 1.96
"""Standard deviations on both sides of a rating that hold it with a probability of 95 %."""


class FitRequest(Value, frozen=True):
    """A request to fit the ratings of a ``folder`` or of a ``database`` at the moment ``now``, in milliseconds."""

    folder: str
    database: str
    now: int


class FittedPerson(Value, frozen=True):
    """The rating of a person and its standard deviation, in points.

    ``games`` counts the games behind it; ``played`` is when the last of them ended, in milliseconds.
    """

    person: str
    points: int
    deviation: int
    games: int
    played: int


class FittedGame(Value, frozen=True):
    """The ratings of all people who have played a game, from ``rated`` games."""

    game: str
    rated: int
    people: tuple[FittedPerson, ...]


class ChanceClass(Value, frozen=True):
    """Games in which the chance of the favourite was at least ``low`` and below ``high``.

    ``chance`` is its mean, and ``share`` how many of the games the favourites won. The 95 % interval of the latter
    runs from ``share_low`` to ``share_high``.
    """

    low: float
    high: float
    games: int
    chance: float
    share: float
    share_low: float
    share_high: float


class Calibration(Value, frozen=True):
    """Chances of favourites by their ratings, beside what became of them, in ``games`` that ended in these days.

    ``score`` is the mean Brier score of the chances, ``even_score`` that of equal chances for all; the lower is the
    better. ``total`` is the class of all games. These and the days are None as long as there are too few games.
    """

    game: str
    games: int = 0
    first: date | None = None
    last: date | None = None
    score: float | None = None
    even_score: float | None = None
    total: ChanceClass | None = None
    classes: tuple[ChanceClass, ...] = ()


class Fits(Value, frozen=True):
    """All ratings at the moment ``at``, in milliseconds; ``seconds`` is the time taken, ``memory`` in megabytes.

    ``newly_rated`` and ``newly_unrated`` are the archived games of which the archive does not know that yet.
    """

    at: int
    games: tuple[FittedGame, ...]
    seconds: float
    memory: int
    newly_rated: tuple[str, ...] = ()
    newly_unrated: tuple[str, ...] = ()
    calibrations: tuple[Calibration, ...] = ()


class PersonRating(Value, frozen=True):
    """Strength of a person at a game, in points, with a 95 % confidence interval.

    ``sure``: the interval is narrow enough for the rating to be shown.
    """

    game: str
    points: int
    low: int
    high: int
    sure: bool
    games: int
    played: datetime


class RatingDay(Value, frozen=True):
    """A point on the curve of a person's rating."""

    game: str
    day: date
    points: int
    low: int
    high: int


Part = Literal["results", "rating", "play", "companions", "games"]

PARTS: Final[tuple[Part, ...]] = get_args(Part)
"""The parts of the page about a person: results by seat and number of players, the rating over time, how well they
have played (by reviews), the people they play with, and the finished games that anybody may watch."""

USUAL_PARTS: Final[tuple[Part, ...]] = ("results", "rating", "companions")
"""The parts shown by default."""


class Profile(Value, frozen=True):
    """Profile of a person, as they show it.

    ``listed``: they are in the list of the best players; ``public``: they have a page under their handle, with these
    ``parts``.
    """

    handle: str
    listed: bool
    public: bool
    parts: tuple[Part, ...]


class ReviewedGame(Value, frozen=True):
    """A reviewed game of a person.

    ``lost`` is the sum of the chance to win that they lost at all ``decisions``. ``result`` runs from 0 to 1;
    ``adjusted`` is the result without luck, or None where luck cannot be measured.
    """

    game: str
    ended: datetime
    decisions: int
    lost: float
    result: float
    adjusted: float | None


class BestRow(Value, frozen=True):
    """A row of the list of the best: a person, or the ``level`` of a computer player.

    ``rank`` is 0 where the row has none; ``handle`` is empty where the person has no public page.
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
    """A page of the list of the best; ``number`` counts the people on all pages."""

    rows: tuple[BestRow, ...]
    number: int
    more: bool


class PlayedTally(Value, frozen=True):
    """Number of games that a person has played, and of those won, on a seat or with a number of players."""

    of: int
    games: int
    won: int


class GameHistory(Value, frozen=True):
    """A person's games of one kind, by the number of players and by seat (from 1)."""

    game: str
    by_number: tuple[PlayedTally, ...]
    by_seat: tuple[PlayedTally, ...]


class Companion(Value, frozen=True):
    """A person with whom somebody has often played; ``handle`` is empty where they have no public page."""

    name: str
    handle: str
    games: int


class Meeting(Value, frozen=True):
    """The games of one kind that a person and the reader have played at one table, and how many each of them won."""

    game: str
    games: int
    won: int
    """Games that the person won."""
    reader_won: int


class History(Value, frozen=True):
    """A person's games, and the people they have played with most."""

    games: tuple[GameHistory, ...]
    companions: tuple[Companion, ...]
