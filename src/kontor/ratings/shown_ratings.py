"""Ratings and pages of people, as far as they show them, for lists in which their names stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select

from kontor.ratings.values import WIDE, ShownRating
from kontor.storage.schema import entrants, profiles, ratings, seats, tables, tournaments

_SHOWN: Final = (profiles.c.listed, profiles.c.public, profiles.c.parts, profiles.c.handle)
_RATED: Final = (ratings.c.points, ratings.c.deviation)

_AT_TABLES: Final = (
    select(seats.c.table_id, seats.c.seat, *_SHOWN, *_RATED)
    .join(tables, tables.c.id == seats.c.table_id)
    .join(profiles, profiles.c.person == seats.c.person)
    .outerjoin(ratings, (ratings.c.person == seats.c.person) & (ratings.c.game == tables.c.game))
    .where(seats.c.table_id.in_(bindparam("ids", expanding=True)), seats.c.player == "")
)

_IN_TOURNAMENT: Final = (
    select(entrants.c.number, *_SHOWN, *_RATED)
    .join(tournaments, tournaments.c.id == entrants.c.tournament)
    .join(profiles, profiles.c.person == entrants.c.person)
    .outerjoin(ratings, (ratings.c.person == entrants.c.person) & (ratings.c.game == tournaments.c.game))
    .where(entrants.c.tournament == bindparam("tournament"))
)


def shown_at_tables(db: Connection, table_ids: Iterable[str]) -> dict[tuple[str, int], ShownRating]:
    """Return what the people at tables show of themselves, by table and seat."""
    ids = list(table_ids)
    rows = db.execute(_AT_TABLES, {"ids": ids}).all() if ids else ()
    return {(row.table_id, row.seat): _visible_part(row) for row in rows}


def shown_in_tournament(db: Connection, tournament: str) -> dict[int, ShownRating]:
    """Return what the entrants of a tournament show of themselves, by their numbers."""
    return {row.number: _visible_part(row) for row in db.execute(_IN_TOURNAMENT, {"tournament": tournament})}


def _visible_part(row: Any) -> ShownRating:
    """Return the rating if the person is listed or shows it on their page; it is uncertain where it is wide."""
    is_shown = row.points is not None and (row.listed or (row.public and "rating" in row.parts.split()))
    mark = "?" if is_shown and row.deviation > WIDE else ""
    return ShownRating(f"{row.points}{mark}" if is_shown else "", row.handle if row.public else "")
