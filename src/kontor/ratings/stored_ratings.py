"""Stored ratings as last fitted, and what people show of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from time import sleep
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, Row, case, delete, func, insert, select, update

from kontor.people.memberships import members_of
from kontor.people.person_rows import NOBODY, take_person
from kontor.people.public_pages import IS_PRESENT
from kontor.players.levels import LEVELS
from kontor.plugins import plugins
from kontor.ratings import shown_ratings
from kontor.ratings.values import (
    PARTS,
    SURE,
    USUAL_PARTS,
    WIDE,
    BestPage,
    BestRow,
    Calibration,
    Fits,
    FittedPerson,
    Part,
    PersonRating,
    Profile,
    RatingDay,
)
from kontor.storage.ids import new_id
from kontor.storage.schema import calibrations, people, profiles, pulse, rating_days, ratings, tables
from kontor.storage.stored_times import datetime_of, past_time
from kontor.storage.transactions import Change, Transactions
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.values import ShownRating

_DAY: Final = 24 * 3600 * 1000

HOUR: Final = 3
"""Hour of the day (UTC) at which ratings are fitted."""

_AT_ONCE: Final = 100
"""Number of ratings written in one transaction."""

_FLAGS_AT_ONCE: Final = 500
"""Number of games of which one transaction writes whether they are rated."""

_PAUSE: Final = 0.05
"""Seconds between two such transactions, in which players can write."""

STEP: Final = 5
"""Points by which a rating has to move for the curve to have one more point."""


class StoredRatings:
    """The ratings of all people, and what each person shows."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions
        self._beside_names = shown_ratings.RatingsBesideNames()

    # -------------------------------------------------------------------------------------------- nightly fitting

    def last_fitted(self) -> datetime | None:
        """Return when all ratings were last fitted and stored, or None."""
        at = past_time(self._transactions.ask(lambda db: db.scalar(select(pulse.c.rated))), self._transactions.now())
        return datetime_of(at) if at else None

    def due(self) -> datetime | None:
        """Return the server's time if ratings are due, that is, not fitted since the last HOUR; otherwise None."""
        now = self._transactions.clock()
        hour = now.replace(hour=HOUR, minute=0, second=0, microsecond=0)
        last = self.last_fitted()
        return now if last is None or last < (hour if hour <= now else hour - timedelta(days=1)) else None

    def keep(self, fits: Fits, pause: float = _PAUSE) -> None:
        """Store the fitted ratings, and which games are rated, a few at a time. Raises StorageFailure."""
        for game in fits.games:
            for first in range(0, len(game.people), _AT_ONCE):
                with self._transactions.changing() as change:
                    _store(change, game.game, fits.at, game.people[first : first + _AT_ONCE])
                sleep(pause)
        for is_rated, table_ids in ((True, fits.newly_rated), (False, fits.newly_unrated)):
            for first in range(0, len(table_ids), _FLAGS_AT_ONCE):
                is_table = tables.c.id.in_(table_ids[first : first + _FLAGS_AT_ONCE])
                with self._transactions.changing() as change:
                    change.db.execute(update(tables).where(is_table).values(rated=is_rated))
                sleep(pause)
        with self._transactions.changing() as change:
            change.db.execute(delete(ratings).where(ratings.c.fitted != fits.at))
            change.db.execute(delete(calibrations))
            if fits.calibrations:
                rows = [{"game": one.game, "content": msgspec.json.encode(one).decode()} for one in fits.calibrations]
                change.db.execute(insert(calibrations), rows)
            change.db.execute(update(pulse).values(rated=fits.at))

    def calibration(self, game: str) -> Calibration:
        """Return what the chances by ratings were worth at a game, as of the last night."""
        query = select(calibrations.c.content).where(calibrations.c.game == game)
        content = self._transactions.ask(lambda db: db.scalar(query))
        return msgspec.json.decode(content, type=Calibration) if content else Calibration(game)

    # ----------------------------------------------------------------------------------------- ratings of a person

    def of(self, person: str) -> tuple[PersonRating, ...]:
        """Return the ratings of a person, one for each game that they have played."""
        with self._transactions.reading() as db:
            return ratings_of(db, person)

    def curve(self, person: str) -> tuple[RatingDay, ...]:
        """Return the curves of a person's ratings."""
        with self._transactions.reading() as db:
            return curve_of(db, person, self._transactions.now())

    def profile(self, person: str) -> Profile | None:
        """Return what the person shows, or None if they have not chosen."""
        with self._transactions.reading() as db:
            return profile_of(db, person)

    def at_tables(self, table_ids: Iterable[str]) -> dict[tuple[str, int], ShownRating]:
        """Return what the people at tables show of themselves, by table and seat."""
        with self._transactions.reading() as db:
            return shown_ratings.shown_at_tables(db, table_ids)

    def beside_names(self, table: TableSnapshot) -> Mapping[int, ShownRating]:
        """Return the same for one table, by seat. Every frame asks for it: it is read once a minute at most."""
        return self._beside_names.of(table, self._transactions)

    def in_tournament(self, tournament: str) -> dict[int, ShownRating]:
        """Return what the entrants of a tournament show of themselves, by their numbers."""
        with self._transactions.reading() as db:
            return shown_ratings.shown_in_tournament(db, tournament)

    def show(self, person: str, *, listed: bool, public: bool, parts: Sequence[Part] = USUAL_PARTS) -> Profile:
        """Store whether the person is in the list of the best, and has a public page with these parts.

        Raises NotAllowed.
        """
        with self._transactions.changing() as change:
            take_person(change.db, person)
            profile = profile_of(change.db, person)
            chosen = Profile(profile.handle if profile else new_id(), listed, public, tuple(parts))
            change.db.execute(delete(profiles).where(profiles.c.person == person))
            values = {"handle": chosen.handle, "listed": listed, "public": public, "parts": " ".join(parts)}
            change.db.execute(insert(profiles).values(person=person, **values))
        self._beside_names.clear()
        return chosen

    # -------------------------------------------------------------------------------------------- list of the best

    def best(self, game: str, person: str | None = None, first: int = 0, most: int = 50) -> BestPage:
        """Return a page of the list of the best, beginning after the first ``first`` people.

        The strongest come first, with the computer players' levels between them; then come people with uncertain
        ratings. Only people who chose to be listed are in it.
        """
        with self._transactions.reading() as db:
            rating_rows = db.execute(_BEST.where(ratings.c.game == game).limit(most + 1).offset(first)).all()
            number, sure, levels = _counts(db, game)
        rows: list[BestRow] = []
        for place, row in enumerate([*rating_rows[:most], None], first):
            at_the_end = place == sure and len(rating_rows) <= most
            if place <= sure and (row is not None or at_the_end):
                rows += [level for at, level in levels if at == place]
            if row is not None:
                rows.append(_best_row(row, place + 1 if place < sure else 0, person))
        return BestPage(tuple(rows), number, len(rating_rows) > most)

    def best_of_club(self, game: str, club: str, person: str | None = None) -> tuple[BestRow, ...]:
        """Return the list of the best members of a club, of those who show their ratings."""
        query = _BEST_SHOWN.where(ratings.c.game == game, ratings.c.person.in_(members_of(club)))
        with self._transactions.reading() as db:
            rows = db.execute(query).all()
        return tuple(
            [_best_row(row, place if row.deviation <= WIDE else 0, person) for place, row in enumerate(rows, 1)]
        )


# --------------------------------------------------------------------------------------------------- nightly fitting


def _store(change: Change, game: str, at: int, fitted: Sequence[FittedPerson]) -> None:
    db, day = change.db, at // _DAY
    person_ids = [rating.person for rating in fitted]
    query = select(people.c.id).where(people.c.id.in_(person_ids), people.c.left.is_(None), people.c.id != NOBODY)
    present_ids = set(db.scalars(query.order_by(people.c.id).with_for_update(read=True, key_share=True)))
    present = [rating for rating in fitted if rating.person in present_ids]
    last = _last_days(db, game, person_ids, day)
    moved = [
        rating for rating in present if rating.person not in last or abs(last[rating.person] - rating.points) >= STEP
    ]
    db.execute(delete(ratings).where(ratings.c.game == game, ratings.c.person.in_(person_ids)))
    if present:
        new = [
            {
                "game": game,
                "person": rating.person,
                "points": rating.points,
                "deviation": rating.deviation,
                "games": rating.games,
                "played": rating.played,
                "fitted": at,
            }
            for rating in present
        ]
        db.execute(insert(ratings), new)
    if moved:
        is_day = (rating_days.c.game == game) & (rating_days.c.day == day)
        db.execute(delete(rating_days).where(is_day, rating_days.c.person.in_([rating.person for rating in moved])))
        points = [
            {
                "person": rating.person,
                "game": game,
                "day": day,
                "points": rating.points,
                "deviation": rating.deviation,
            }
            for rating in moved
        ]
        db.execute(insert(rating_days), points)


def _last_days(db: Connection, game: str, person_ids: Sequence[str], today: int) -> dict[str, int]:
    """Return the last points in the curves of some people."""
    until_today = (rating_days.c.game == game) & rating_days.c.person.in_(person_ids) & (rating_days.c.day <= today)
    days = (
        select(rating_days.c.person, func.max(rating_days.c.day).label("day"))
        .where(until_today)
        .group_by(rating_days.c.person)
        .subquery()
    )
    query = select(rating_days.c.person, rating_days.c.points).join(
        days, (days.c.person == rating_days.c.person) & (days.c.day == rating_days.c.day)
    )
    return {row.person: row.points for row in db.execute(query.where(rating_days.c.game == game))}


def merge(db: Connection, person: str, other: str) -> None:
    """Move the other person's ratings and profile to the person with whom they are merged.

    Only ratings of games in which the person has none are moved; the next night all their games count together. The
    profile is moved if the person has not chosen one.
    """
    for table, key in ((ratings, ratings.c.game), (rating_days, rating_days.c.game), (profiles, None)):
        query = select(key if key is not None else table.c.person).where(table.c.person == person)
        statement = update(table).where(table.c.person == other)
        if key is not None:
            statement = statement.where(key.not_in(db.scalars(query).all()))
        elif db.scalars(query).first() is not None:
            continue
        db.execute(statement.values(person=person))


# ----------------------------------------------------------------------------------------------- ratings of a person


def ratings_of(db: Connection, person: str) -> tuple[PersonRating, ...]:
    """Return the ratings of a person, in the order of the games."""
    rows = db.execute(select(ratings).where(ratings.c.person == person)).all()
    games = list(plugins())
    playable = [row for row in rows if row.game in games]
    return tuple([_rating(row) for row in sorted(playable, key=lambda row: games.index(row.game))])


def curve_of(db: Connection, person: str, now: int) -> tuple[RatingDay, ...]:
    """Return the curves of a person's ratings until ``now``, day by day."""
    query = select(rating_days).where(rating_days.c.person == person, rating_days.c.day <= now // _DAY)
    return tuple(
        [
            RatingDay(row.game, _date(row.day), row.points, *_interval(row))
            for row in db.execute(query.order_by(rating_days.c.game, rating_days.c.day))
        ]
    )


def profile_of(db: Connection, person: str) -> Profile | None:
    """Return what the person shows, or None if they have not chosen."""
    row = db.execute(select(profiles).where(profiles.c.person == person)).first()
    if row is None:
        return None
    return Profile(row.handle, row.listed, row.public, tuple([part for part in PARTS if part in row.parts.split()]))


def _rating(row: Row[Any]) -> PersonRating:
    sure = row.deviation <= WIDE
    return PersonRating(row.game, row.points, *_interval(row), sure, row.games, datetime_of(row.played))


def _interval(row: Row[Any]) -> tuple[int, int]:
    return round(row.points - SURE * row.deviation), round(row.points + SURE * row.deviation)


def _date(day: int) -> date:
    return datetime.fromtimestamp(day * _DAY // 1000, UTC).date()


# -------------------------------------------------------------------------------------------------- list of the best

_SURE: Final[ColumnElement[bool]] = ratings.c.deviation <= WIDE
_WITH_PROFILE: Final = (
    select(ratings, people.c.name, profiles.c.handle, profiles.c.public)
    .join(profiles, profiles.c.person == ratings.c.person)
    .join(people, people.c.id == ratings.c.person)
    .where(IS_PRESENT)
)
_LISTED: Final = _WITH_PROFILE.where(profiles.c.listed)
_BEST_FIRST: Final = (_SURE.desc(), ratings.c.points.desc(), ratings.c.person)
_BEST: Final = _LISTED.order_by(*_BEST_FIRST)
_SHOWS_RATING: Final = profiles.c.listed | (profiles.c.public & profiles.c.parts.contains("rating"))
_BEST_SHOWN: Final = _WITH_PROFILE.where(_SHOWS_RATING).order_by(*_BEST_FIRST)


def _counts(db: Connection, game: str) -> tuple[int, int, list[tuple[int, BestRow]]]:
    """Return how many people are listed, how many of them have a rank, and the levels, the strongest first.

    Each level comes with the number of people before it.
    """
    points = plugins()[game].level_points
    levels = sorted(set(points) & set(LEVELS), key=points.__getitem__, reverse=True)
    before = [func.count(case((_SURE & (ratings.c.points > points[level]), 1))) for level in levels]
    counted = _LISTED.with_only_columns(func.count(), func.count(case((_SURE, 1))), *before)
    number, sure, *places = db.execute(counted.where(ratings.c.game == game)).one()
    rows = []
    for level, place in zip(levels, places, strict=True):
        at = points[level]
        rows.append((place, BestRow(0, "", level, "", False, at, at, at, True, 0)))
    return number, sure, rows


def _best_row(row: Row[Any], rank: int, person: str | None) -> BestRow:
    low, high = _interval(row)
    handle = row.handle if row.public else ""
    is_own = row.person == person
    return BestRow(rank, row.name, "", handle, is_own, row.points, low, high, rank > 0, row.games)
