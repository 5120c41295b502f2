"""Ratings and pages of people, as far as they show them, for lists in which their names stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, bindparam, select

from kontor.lru_cache import LruCache
from kontor.ratings.values import WIDE
from kontor.storage.schema import entrants, people, profiles, ratings, seats, tables, tournaments
from kontor.storage.transactions import Change, Transactions
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.values import ShownRating

_SHOWN: Final = (profiles.c.listed, profiles.c.public, profiles.c.parts, profiles.c.handle)
_RATED: Final = (ratings.c.points, ratings.c.deviation)

_AT_TABLES: Final = (
    select(seats.c.table_id, seats.c.seat, *_SHOWN, *_RATED)
    .join(tables, tables.c.id == seats.c.table_id)
    .join(profiles, profiles.c.person == seats.c.person)
    .join(people, people.c.id == seats.c.person)
    .outerjoin(ratings, (ratings.c.person == seats.c.person) & (ratings.c.game == tables.c.game))
    .where(
        seats.c.table_id.in_(bindparam("ids", expanding=True)),
        # Whoever plays on the host's device has a seat of the host, but another name.
        seats.c.kind != "here",
        seats.c.player == "",
        people.c.suspended.is_(None),
    )
)

_FRESH: Final = 60_000
"""The milliseconds for which the same is shown, unless a person chooses otherwise."""

_MOST: Final = 5_000
"""Tables in the cache."""

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
    return {(row.table_id, row.seat): visible_rating(row) for row in rows}


def shown_in_tournament(db: Connection, tournament: str) -> dict[int, ShownRating]:
    """Return what the entrants of a tournament show of themselves, by their numbers."""
    return {row.number: visible_rating(row) for row in db.execute(_IN_TOURNAMENT, {"tournament": tournament})}


def visible_rating(row: Any) -> ShownRating:
    """Return the rating if the person is listed or shows it on their page; it is uncertain where it is wide."""
    is_shown = row.points is not None and (row.listed or (row.public and "rating" in row.parts.split()))
    mark = "?" if is_shown and row.deviation > WIDE else ""
    return ShownRating(f"{row.points}{mark}" if is_shown else "", row.handle if row.public else "")


@dataclass(frozen=True)
class _CachedRatings:
    """Ratings by seat that the ``people`` of a table showed ``at`` a time, in milliseconds."""

    people: tuple[str | None, ...]
    at: int
    ratings: Mapping[int, ShownRating]


class RatingsBesideNames:
    """Cache of what the people at each table show of themselves, since every move draws their names anew."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Remove everything from the cache: a person has chosen what they show."""
        self._cache: LruCache[str, _CachedRatings] = LruCache(_MOST, 0, lambda _: False)

    def of(self, table: TableSnapshot, transactions: Transactions[Change]) -> Mapping[int, ShownRating]:
        """Return what the people at the table show of themselves, by seat."""
        sitting = tuple([seat.person for seat in table.seats])
        if not any(sitting):
            return {}
        cache, now = self._cache, transactions.now()
        cached = cache.get(table.row.id)
        if cached is None or cached.people != sitting or not cached.at <= now < cached.at + _FRESH:
            with transactions.reading() as db:
                at_tables = shown_at_tables(db, [table.row.id])
            cached = _CachedRatings(sitting, now, {seat: rating for (_, seat), rating in at_tables.items()})
            cache.keep(table.row.id, cached)
        return cached.ratings
