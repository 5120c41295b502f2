"""All ratings fitted anew from all rated games, in a process of its own beside the server.

``python -m kontor.ratings.fits`` reads a ``FitRequest`` from its input and writes ``Fits`` to its output. It
opens the database read-only.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec
from sqlalchemy import Connection, select

from kontor.plugins import plugins
from kontor.ratings.calibration import Prediction, RatingHistory, calibrate, predict
from kontor.ratings.games import RatedGames, faded
from kontor.ratings.plackett_luce import MIDDLE, POINTS, fit
from kontor.ratings.rated_games import RatedGame, level_of, select_rated, started_games
from kontor.ratings.values import FitRequest, Fits, FittedGame, FittedPerson
from kontor.storage import Place, consistent_read
from kontor.storage.ids import is_id
from kontor.storage.schema import rating_days, tables

_DAY: Final = 24 * 3600 * 1000

HALF_LIFE: Final = 365.0
"""Days after which a game weighs half."""

_BATCH: Final = 2000
"""Rows read at once."""

_NICE: Final = 19
"""Niceness of this process, so that the server's processes come first."""


@dataclass
class _Gathered:
    """The rated games of one kind, by numbers of their players."""

    numbers: dict[str, int] = field(default_factory=dict)
    results: list[tuple[tuple[int, int], ...]] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)
    games: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    played: dict[str, int] = field(default_factory=dict)
    history: RatingHistory = field(default_factory=RatingHistory)
    predictions: list[Prediction] = field(default_factory=list)

    def add(self, game: RatedGame) -> None:
        """Add a game."""
        numbers = self.numbers
        self.results.append(
            tuple([(numbers.setdefault(player, len(numbers)), place) for player, place in game.places])
        )
        self.ended.append(game.ended)
        for person in game.people:
            self.games[person] += 1
            self.played[person] = max(game.ended, self.played.get(person, 0))
        prediction = predict(game, self.history, plugins()[game.game].level_points)
        if prediction is not None:
            self.predictions.append(prediction)


def fit_ratings(place: Place, now: int) -> Fits:
    """Return the ratings of a server, also while other processes have it open. Raises CannotOpen, NothingToCopy."""
    begun = monotonic()
    gathered: dict[str, _Gathered] = {game: _Gathered() for game in plugins()}
    with consistent_read(place) as db:
        stored = {row.id: row.rated for row in db.execute(_ARCHIVED)}
        _read_history(gathered, db)
        rated = _gather(gathered, select_rated(started_games(db)))
    games = tuple([_fit_game(game, rated_games, now) for game, rated_games in gathered.items()])
    return Fits(
        now,
        games,
        round(monotonic() - begun, 3),
        _memory(),
        tuple([table for table, flag in stored.items() if flag is not True and table in rated]),
        tuple([table for table, flag in stored.items() if flag is not False and table not in rated]),
        tuple([calibrate(game, rated_games.predictions) for game, rated_games in gathered.items()]),
    )


_ARCHIVED: Final = select(tables.c.id, tables.c.rated).where(tables.c.archived.is_not(None))


_HISTORY: Final = select(
    rating_days.c.game, rating_days.c.person, rating_days.c.day, rating_days.c.points, rating_days.c.deviation
).order_by(rating_days.c.person, rating_days.c.game, rating_days.c.day)


def _read_history(gathered: dict[str, _Gathered], db: Connection) -> None:
    """Read the ratings of all earlier nights."""
    for game, person, day, points, deviation in db.execute(_HISTORY, execution_options={"yield_per": _BATCH}):
        if game in gathered:
            gathered[game].history.add(person, day, points, deviation)


def _gather(gathered: dict[str, _Gathered], games: Iterable[RatedGame]) -> set[str]:
    """Gather the rated games by kind; return their tables."""
    rated = set()
    for game in games:
        if game.game in gathered:
            gathered[game.game].add(game)
            rated.add(game.table)
    return rated


def _fit_game(game: str, gathered: _Gathered, now: int) -> FittedGame:
    if not gathered.results:
        return FittedGame(game, 0, ())
    level_points = plugins()[game].level_points
    anchors = {
        number: (level_points[level] - MIDDLE) / POINTS
        for player, number in gathered.numbers.items()
        if (level := level_of(player)) in level_points
    }
    weights = faded([max(0, now - ended) / _DAY for ended in gathered.ended], HALF_LIFE)
    ratings = fit(RatedGames.of(gathered.results, weights), len(gathered.numbers), anchors=anchors)
    people = []
    for player, number in gathered.numbers.items():
        if is_id(player):
            points, deviation = ratings.points(number)
            people.append(
                FittedPerson(player, round(points), round(deviation), gathered.games[player], gathered.played[player])
            )
    return FittedGame(game, len(gathered.results), tuple(people))


def _memory() -> int:
    """Return the peak memory of this process in megabytes, or 0 where the system does not report it."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // (1024 * 1024 if sys.platform == "darwin" else 1024)


def main() -> None:
    """Fit once, as requested in the input, and write the fits to the output."""
    if hasattr(os, "nice"):
        os.nice(_NICE)
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=FitRequest)
    place: Place = request.database or Path(request.folder)
    sys.stdout.buffer.write(msgspec.msgpack.encode(fit_ratings(place, request.now)))


if __name__ == "__main__":
    main()
