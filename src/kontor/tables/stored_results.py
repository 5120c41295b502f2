"""Stored hints at tables for practice and reviews of finished games, as bytes.

A process records that it begins, so that no other process computes the same. A process that has not reported for a
while may have died, and then another may begin.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Connection, Row, Table, delete, func, insert, select, update

from kontor.errors import Conflict, TooMany
from kontor.game import Value
from kontor.people.person_rows import take_person
from kontor.storage.ids import is_id
from kontor.storage.schema import hints, record_reviews, reviews
from kontor.storage.stored_times import SLACK, past_time
from kontor.tables import undo
from kontor.tables.rows import TableRow, seat_row
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.turn_inputs import check_practice

_SECOND: Final = 1000

HINT: Final = 60 * _SECOND
"""Milliseconds after which a hint no longer counts as in progress."""

REVIEW: Final = 120 * _SECOND
"""Milliseconds without a report after which a review no longer counts as in progress; it may queue behind others."""

MOST_REVIEWS: Final = 2
"""Number of reviews that one person can have in progress."""

_MOST_SEATS: Final = 100


class StoredHint(Value, frozen=True):
    """A seat's hint, requested after the line ``number``; ``advice`` is the judge's answer.

    While it is None and not ``failed``, it is in progress.
    """

    number: int
    failed: bool
    advice: bytes | None


class StoredReview(Value, frozen=True):
    """A stored review: ``done`` of ``parts`` have been judged; ``review`` is the finished review.

    While it is None and not ``failed``, it is in progress.
    """

    done: int
    parts: int
    failed: bool
    review: bytes | None


# --------------------------------------------------------------------------------------------------------- hints


class StoredHints:
    """The hints requested at tables for practice."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def get(self, table: str, seat: int, number: int) -> StoredHint | None:
        """Return the hint that the seat requested after a line, or None."""
        with self._transactions.reading() as db:
            if not (is_id(table) and 0 <= seat < _MOST_SEATS):
                return None
            row = db.execute(select(hints).where(hints.c.table_id == table, hints.c.seat == seat)).first()
            if row is None or row.number != number or _was_given_up(row, row.asked, HINT, self._transactions.now()):
                return None
            return StoredHint(row.number, row.failed, row.found)

    def begin(self, table: str, seat: int, number: int, undone: int) -> None:
        """Record that the seat has requested a hint after a line, and that it is in progress.

        So many lines were ``undone`` before. Raises Conflict if the seat has moved, or moves were taken back.
        """
        with self._transactions.changing() as change:
            _check_line(change.take(table), number, undone)
            undo.close(change, table)
            change.db.execute(delete(hints).where(hints.c.table_id == table, hints.c.seat == seat))
            new = {"table_id": table, "seat": seat, "number": number, "asked": change.now, "failed": False}
            change.db.execute(insert(hints).values(**new))
            change.touch(table)

    def give(self, table: str, seat: int, number: int, undone: int, advice: bytes) -> None:
        """Store a hint, and tell all at the table that it was given.

        Raises Conflict if the seat has moved, moves were taken back, or nobody waits for this hint any more.
        """
        with self._transactions.changing() as change:
            row = change.take(table)
            check_practice(row)
            _check_line(row, number, undone)
            statement = update(hints).where(_is_open(table, seat, number)).values(found=advice, failed=False)
            if change.db.execute(statement).rowcount:
                sitting = seat_row(change.db, table, seat)
                change.say(table, "hint", seat, sitting.name, person=sitting.person)
            elif change.db.scalar(select(hints.c.number).where(_is_hint(table, seat, number))) is None:
                raise Conflict(row.number)

    def fail(self, table: str, seat: int, number: int, undone: int) -> None:
        """Record that the hint has failed; not that of another line of the same number."""
        with self._transactions.changing() as change:
            if change.take(table).undone == undone:
                change.db.execute(update(hints).where(_is_open(table, seat, number)).values(failed=True))
            change.touch(table)


def _is_hint(table: str, seat: int, number: int) -> ColumnElement[bool]:
    return (hints.c.table_id == table) & (hints.c.seat == seat) & (hints.c.number == number)


def _is_open(table: str, seat: int, number: int) -> ColumnElement[bool]:
    return _is_hint(table, seat, number) & hints.c.found.is_(None)


def _check_line(row: TableRow, number: int, undone: int) -> None:
    if (number, undone) != (row.number, row.undone):
        raise Conflict(row.number)


# ------------------------------------------------------------------------------------------------------- reviews


class StoredReviews:
    """Reviews of games that are over: those of tables, by their ids."""

    game_column: Column[str] = reviews.c.table_id
    """The column that refers to the game, in the table of the reviews."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def lock_game(self, change: TableChange, game: str) -> None:
        """Lock the game, so that one review of it begins at a time. Raises NoTable."""
        change.take(game)

    def get(self, game: str) -> StoredReview | None:
        """Return how far the review of a game is, or None if nobody has requested it.

        It does not check who may see the review: the caller must.
        """
        with self._transactions.reading() as db:
            return self._stored_review(db, game, self._transactions.now())

    def begin(self, game: str, person: str | None) -> bool:
        """Return True if this process is to compute the review that the person requests. Raises TooMany.

        It is not if the review is done, or another process computes it.
        """
        rows, game_column = self.game_column.table, self.game_column
        with self._transactions.changing() as change:
            self.lock_game(change, game)
            stored = self._stored_review(change.db, game, change.now)
            if stored is not None and not stored.failed:
                return False
            if person is not None:
                _check_review_limit(change.db, person, change.now)
            change.db.execute(delete(rows).where(game_column == game))
            new = {"at": change.now, "done": 0, "parts": 0, "failed": False, "person": person}
            change.db.execute(insert(rows).values(**{game_column.name: game}, **new))
            return True

    def keep(self, game: str, state: StoredReview) -> None:
        """Store how far the review is, or how it ended."""
        rows = self.game_column.table
        with self._transactions.changing() as change:
            values = {"done": state.done, "parts": state.parts, "failed": state.failed, "found": state.review}
            if state.failed or state.review is not None:
                values["person"] = None
            is_unfinished = (self.game_column == game) & rows.c.found.is_(None)
            change.db.execute(update(rows).where(is_unfinished).values(at=change.now, **values))

    def forget(self, game: str) -> None:
        """Delete the review, which cannot be read, so that it can be begun anew."""
        with self._transactions.changing() as change:
            change.db.execute(delete(self.game_column.table).where(self.game_column == game))

    def _stored_review(self, db: Connection, game: str, now: int) -> StoredReview | None:
        query = select(self.game_column.table).where(self.game_column == game)
        row = db.execute(query).first() if is_id(game) else None
        if row is None or _was_given_up(row, row.at, REVIEW, now):
            return None
        return StoredReview(row.done, row.parts, row.failed, row.found)


def _check_review_limit(db: Connection, person: str, now: int) -> None:
    take_person(db, person)  # of two requests at once, the second is counted after the first
    if sum(_count_open(db, rows, person, now) for rows in (reviews, record_reviews)) >= MOST_REVIEWS:
        raise too_many_reviews()


def _count_open(db: Connection, rows: Table, person: str, now: int) -> int:
    """Return the number of reviews in progress that a person has requested, in a table of reviews."""
    open_ = (rows.c.person == person) & rows.c.found.is_(None) & ~rows.c.failed
    query = select(func.count()).select_from(rows).where(open_, rows.c.at.between(now - REVIEW, now + SLACK))
    return db.scalar(query) or 0


def too_many_reviews() -> TooMany:
    """Return the refusal to raise where the person has too many reviews in progress."""
    return TooMany(
        "", "Two of your reviews are already in progress. Come back for this one when one of them is done."
    )


def _was_given_up(row: Row[Any], last: int, limit: int, now: int) -> bool:
    return row.found is None and not row.failed and now - past_time(last, now) > limit
