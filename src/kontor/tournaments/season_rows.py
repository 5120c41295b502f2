"""Queries for seasons."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import Connection, select

from kontor.errors import NoTable
from kontor.game import Value
from kontor.storage.ids import is_id
from kontor.storage.schema import season_tournaments, seasons
from kontor.tournaments.values import SeasonOfTournament

_OF_TOURNAMENT: Final = select(seasons.c.id, seasons.c.name).join(
    season_tournaments, season_tournaments.c.season == seasons.c.id
)


class SeasonOrigin(Value, frozen=True):
    """A row of ``seasons``, in the order of its columns."""

    id: str
    name: str
    host: str | None
    points_text: str
    best: int | None
    created: int

    @property
    def points(self) -> tuple[int, ...]:
        """Return the points of the places, from the first on."""
        return msgspec.json.decode(self.points_text, type=tuple[int, ...])


def season_row(db: Connection, season: str) -> SeasonOrigin:
    """Return the row of a season. Raises NoTable."""
    row = db.execute(select(seasons).where(seasons.c.id == season)).first() if is_id(season) else None
    if row is None:
        raise NoTable("", "This season does not exist.")
    return SeasonOrigin(*row)


def season_of(db: Connection, tournament: str) -> SeasonOfTournament | None:
    """Return the season of a tournament, if it belongs to one."""
    row = db.execute(_OF_TOURNAMENT.where(season_tournaments.c.tournament == tournament)).first()
    return None if row is None else SeasonOfTournament(row.id, row.name)
