"""Seasons: series of tournaments by one host, with a table of points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from kontor.errors import BadPlan, NotAllowed, TooMany
from kontor.lru_cache import LruCache
from kontor.people.person_rows import NOBODY, take_person
from kontor.people.texts import distinct, name_of
from kontor.storage.ids import new_id
from kontor.storage.schema import TOURNAMENT_ROW, entrants, people, season_tournaments, seasons, tournaments
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tournaments.checks import check_host
from kontor.tournaments.placings import placings
from kontor.tournaments.rows import TournamentRow, entrant_rows, pairing_rows, take
from kontor.tournaments.season_rows import SeasonOrigin, season_row
from kontor.tournaments.season_table import points_of, season_table
from kontor.tournaments.values import (
    SeasonInfo,
    SeasonOfTournament,
    SeasonPlan,
    SeasonStanding,
    SeasonView,
    TournamentOfSeason,
)

MOST_SEASONS: Final = 20
"""Number of seasons that one person can have opened."""

MOST_TOURNAMENTS: Final = 60
"""Number of tournaments of one season."""

MOST_PLACES: Final = 50
_MOST_POINTS: Final = 1000

_Places = Mapping[int, int]
"""The final places of a tournament, by the numbers of its entrants."""


class Seasons:
    """Opens, changes and shows seasons."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions
        self._places: LruCache[tuple[str, int], _Places] = LruCache(200, 1, lambda places: False)

    def open(self, person: str, plan: SeasonPlan) -> str:
        """Open a season hosted by the person; return its id. Raises BadPlan, BadName, TooMany."""
        _check_plan(plan)
        with self._transactions.changing() as change:
            take_person(change.db, person)
            query = select(func.count()).select_from(seasons).where(seasons.c.host == person)
            if (change.db.scalar(query) or 0) >= MOST_SEASONS:
                raise TooMany("", "You already have {most} seasons: delete one first.", most=MOST_SEASONS)
            season = new_id()
            values = {"name": name_of(plan.name), "points": msgspec.json.encode(plan.points).decode()}
            values |= {"id": season, "host": person}
            change.db.execute(insert(seasons).values(**values, best=plan.best, created=change.now))
            return season

    def delete(self, season: str, person: str) -> None:
        """Delete a season, but not its tournaments; only its host may. Raises NoTable, NotAllowed."""
        with self._transactions.changing() as change:
            _take_season(change.db, season)
            _check_season_host(season_row(change.db, season), person)
            change.db.execute(delete(seasons).where(seasons.c.id == season))

    def put(self, tournament: str, person: str, season: str) -> None:
        """Let a tournament belong to a season, or to none if that is empty; the person hosts both.

        Raises NoTable, NotAllowed, TooMany.
        """
        with self._transactions.changing() as change:
            check_host(take(change, tournament), person)
            if season:
                _take_season(change.db, season)
            is_tournament = season_tournaments.c.tournament == tournament
            change.db.execute(delete(season_tournaments).where(is_tournament))
            if season:
                _check_season_host(season_row(change.db, season), person)
                _check_length(change, season)
                change.db.execute(insert(season_tournaments).values(tournament=tournament, season=season))

    def of_host(self, person: str) -> tuple[SeasonOfTournament, ...]:
        """Return the seasons that the person has opened, the last one first."""
        query = select(seasons.c.id, seasons.c.name).where(seasons.c.host == person)
        newest_first = query.order_by(seasons.c.created.desc(), seasons.c.id)
        with self._transactions.reading() as db:
            return tuple([SeasonOfTournament(row.id, row.name) for row in db.execute(newest_first)])

    def view(self, season: str, person: str | None = None) -> SeasonView:
        """Return the season as it is now. Raises NoTable."""
        with self._transactions.reading() as db:
            row = season_row(db, season)
            rows = _tournament_rows(db, season)
            names, results = _names(db, rows), [self._result(db, tournament, row.points) for tournament in rows]
            opener = db.scalar(select(people.c.name).where(people.c.id == row.host)) or ""
        is_host = person is not None and row.host == person
        taken: set[str] = set()
        standings = []
        for ranked in season_table(results, row.best):
            name = distinct(names[ranked.player], taken)
            taken.add(name)
            standings.append(
                SeasonStanding(
                    place=ranked.place,
                    name=name,
                    mine=ranked.player == person,
                    points=float(ranked.total),
                    results=tuple([None if points is None else float(points) for points in ranked.results]),
                    counted=ranked.counted,
                )
            )
        return SeasonView(
            info=SeasonInfo(row.id, row.name, row.points, row.best, opener, is_host),
            tournaments=tuple([TournamentOfSeason(each.id, each.name, each.status) for each in rows]),
            standings=tuple(standings),
        )

    def _result(self, db: Connection, row: TournamentRow, points: Sequence[int]) -> Mapping[str, Fraction]:
        """Return the points of a tournament by people; none before its end, and none of people who left.

        Of accounts that were merged and both took part, the better result counts.
        """
        if row.status != "over":
            return {}
        everybody = entrant_rows(db, row.id)
        places = self._places.get((row.id, row.changes))
        if places is None:
            ranked = placings(row, everybody, pairing_rows(db, row.id))
            places = {int(placing.entrant): placing.place for placing in ranked}
            self._places.keep((row.id, row.changes), places)
        shares = points_of(places, points)
        results: dict[str, Fraction] = {}
        for entrant in everybody:
            if entrant.person != NOBODY and entrant.number in shares:
                share = shares[entrant.number]
                results[entrant.person] = max(share, results.get(entrant.person, share))
        return results


def _check_plan(plan: SeasonPlan) -> None:
    points = plan.points
    are_right = all(0 <= each <= _MOST_POINTS for each in points) and list(points) == sorted(points, reverse=True)
    if not 1 <= len(points) <= MOST_PLACES or not are_right:
        reason = "Give the points of 1 to {places} places, none above {most}, none more than the place before."
        raise BadPlan("", reason, places=MOST_PLACES, most=_MOST_POINTS)
    if plan.best is not None and not 1 <= plan.best <= MOST_TOURNAMENTS:
        raise BadPlan("", "Of a player’s results 1 to {most} can count.", most=MOST_TOURNAMENTS)


def _take_season(db: Connection, season: str) -> None:
    """Lock a season before its rows change, so that it is not deleted meanwhile, and does not grow too long."""
    db.execute(select(seasons.c.id).where(seasons.c.id == season).with_for_update())


def _check_season_host(row: SeasonOrigin, person: str) -> None:
    if row.host != person:
        raise NotAllowed("", "Only the person who opened the season can do this.")


def _check_length(change: TableChange, season: str) -> None:
    query = select(func.count()).select_from(season_tournaments).where(season_tournaments.c.season == season)
    if (change.db.scalar(query) or 0) >= MOST_TOURNAMENTS:
        raise TooMany("", "A season has at most {most} tournaments.", most=MOST_TOURNAMENTS)


def _tournament_rows(db: Connection, season: str) -> list[TournamentRow]:
    """Return the tournaments of a season that take place, in the order in which they began or were opened."""
    query = (
        select(*TOURNAMENT_ROW)
        .join(season_tournaments, season_tournaments.c.tournament == tournaments.c.id)
        .where(season_tournaments.c.season == season, tournaments.c.status != "cancelled")
        .order_by(func.coalesce(tournaments.c.started, tournaments.c.created), tournaments.c.id)
    )
    return [TournamentRow(*row) for row in db.execute(query)]


def _names(db: Connection, rows: Sequence[TournamentRow]) -> dict[str, str]:
    """Return people's names as they were in the last of these tournaments that they entered."""
    order = {row.id: number for number, row in enumerate(rows)}
    query = select(entrants.c.tournament, entrants.c.person, entrants.c.name).where(entrants.c.tournament.in_(order))
    listed = sorted(db.execute(query), key=lambda row: order[row.tournament])
    return {row.person: row.name for row in listed}


def seasons_of(db: Connection, person: str) -> tuple[SeasonOfTournament, ...]:
    """Return the seasons that the person has opened, for their own data."""
    query = select(seasons.c.id, seasons.c.name).where(seasons.c.host == person).order_by(seasons.c.id)
    return tuple([SeasonOfTournament(row.id, row.name) for row in db.execute(query)])
