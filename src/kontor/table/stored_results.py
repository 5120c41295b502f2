"""What was thought, kept as bytes: hints at tables for practice, reviews of games that are over.

Whoever thinks says so first, so that no other process thinks the same; but whoever was not heard of for a while may
have died over it, and then another may begin.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, select, update

from kontor.game import Value
from kontor.table import undo
from kontor.table.errors import Conflict, TooMany
from kontor.table.playing import check_practice
from kontor.table.rows import TableRow, is_id, seat_row, take_person
from kontor.table.schema import hints, reviews
from kontor.table.stored_times import SLACK, past_time
from kontor.table.transactions import Transactions

_SECOND: Final = 1000

HINT: Final = 60 * _SECOND
"""After how many milliseconds nobody believes any more that a hint is still being thought about."""

REVIEW: Final = 120 * _SECOND
"""After how many milliseconds without a sign nobody believes that a review is; it may wait for others in a line."""

MOST_REVIEWS: Final = 2
"""Reviews that one person can have thought out at a time."""

_MOST_SEATS: Final = 100


class StoredHint(Value, frozen=True):
    """What a seat asked after the line ``number``: ``found`` is what the judge gave. Neither found nor failed: it is
    being thought about.
    """

    number: int
    failed: bool
    found: bytes | None


class StoredReview(Value, frozen=True):
    """``done`` of so many ``parts`` have been judged; ``found`` is the review when all are. Neither found nor failed:
    somebody is at it.
    """

    done: int
    parts: int
    failed: bool
    found: bytes | None


# --------------------------------------------------------------------------------------------------------- hints


class StoredHints:
    """What the judge was asked at tables for practice."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def get(self, table: str, seat: int, number: int) -> StoredHint | None:
        """What the seat has asked about its decision after a line, if it has."""
        with self._transactions.reading() as db:
            if not (is_id(table) and 0 <= seat < _MOST_SEATS):
                return None
            row = db.execute(select(hints).where(hints.c.table_id == table, hints.c.seat == seat)).first()
            if row is None or row.number != number or _was_given_up(row, row.asked, HINT, self._transactions.now()):
                return None
            return StoredHint(row.number, row.failed, row.found)

    def begin(self, table: str, seat: int, number: int) -> None:
        """The seat has asked for a hint after a line, and somebody thinks about it. Raises Conflict if it has
        moved.
        """
        with self._transactions.changing() as change:
            _check_line(change.take(table), number)
            undo.close(change, table)
            change.db.execute(delete(hints).where(hints.c.table_id == table, hints.c.seat == seat))
            new = {"table_id": table, "seat": seat, "number": number, "asked": change.now, "failed": False}
            change.db.execute(insert(hints).values(**new))
            change.touch(table)

    def give(self, table: str, seat: int, number: int, found: bytes) -> None:
        """Keeps what was thought, and tells all at the table that a hint was given. Raises Conflict if the seat has
        moved.
        """
        with self._transactions.changing() as change:
            row = change.take(table)
            check_practice(row)
            _check_line(row, number)
            given = update(hints).where(_is_open(table, seat, number)).values(found=found, failed=False)
            if change.db.execute(given).rowcount:
                sitting = seat_row(change.db, table, seat)
                change.say(table, "hint", seat, sitting.name, person=sitting.person)

    def fail(self, table: str, seat: int, number: int) -> None:
        """Keeps that it came to nothing."""
        with self._transactions.changing() as change:
            change.take(table)
            change.db.execute(update(hints).where(_is_open(table, seat, number)).values(failed=True))
            change.touch(table)


def _is_open(table: str, seat: int, number: int) -> ColumnElement[bool]:
    asked = (hints.c.table_id == table) & (hints.c.seat == seat) & (hints.c.number == number)
    return asked & hints.c.found.is_(None)


def _check_line(row: TableRow, number: int) -> None:
    if number != row.number:
        raise Conflict(row.number)


# ------------------------------------------------------------------------------------------------------- reviews


class StoredReviews:
    """Reviews of games that are over."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    def get(self, table: str) -> StoredReview | None:
        """How far the review of a game is, if anybody has asked for it. Whom it is for, must be asked before."""
        with self._transactions.reading() as db:
            return _stored_review(db, table, self._transactions.now())

    def begin(self, table: str, person: str | None) -> bool:
        """Whether the review of a game, for which the person asks, is to be thought here; not if it is done, or
        another process is at it. Raises TooMany.
        """
        with self._transactions.changing() as change:
            change.take(table)
            known = _stored_review(change.db, table, change.now)
            if known is not None and not known.failed:
                return False
            if person is not None:
                _check_stored(change.db, person, change.now)
            change.db.execute(delete(reviews).where(reviews.c.table_id == table))
            new = {"table_id": table, "at": change.now, "done": 0, "parts": 0, "failed": False, "person": person}
            change.db.execute(insert(reviews).values(**new))
            return True

    def keep(self, table: str, kept: StoredReview) -> None:
        """How far it is now, or how it ended."""
        with self._transactions.changing() as change:
            told = {"done": kept.done, "parts": kept.parts, "failed": kept.failed, "found": kept.found}
            if kept.failed or kept.found is not None:
                told["person"] = None
            this = (reviews.c.table_id == table) & reviews.c.found.is_(None)
            change.db.execute(update(reviews).where(this).values(at=change.now, **told))

    def forget(self, table: str) -> None:
        """It can be begun anew, for what was kept cannot be read."""
        with self._transactions.changing() as change:
            change.db.execute(delete(reviews).where(reviews.c.table_id == table))


def _check_stored(db: Connection, person: str, now: int) -> None:
    take_person(db, person)  # of two at once, the second is counted after the first
    open_ = (reviews.c.person == person) & reviews.c.found.is_(None) & ~reviews.c.failed
    thought_out = (
        select(func.count()).select_from(reviews).where(open_, reviews.c.at.between(now - REVIEW, now + SLACK))
    )
    if (db.scalar(thought_out) or 0) >= MOST_REVIEWS:
        raise too_many_reviews()


def too_many_reviews() -> TooMany:
    """The refusal that is to be raised."""
    return TooMany(
        "", "Two of your reviews are already in progress. Come back for this one when one of them is done."
    )


def _stored_review(db: Connection, table: str, now: int) -> StoredReview | None:
    row = db.execute(select(reviews).where(reviews.c.table_id == table)).first() if is_id(table) else None
    if row is None or _was_given_up(row, row.at, REVIEW, now):
        return None
    return StoredReview(row.done, row.parts, row.failed, row.found)


def _was_given_up(row: Row[Any], last: int, limit: int, now: int) -> bool:
    return row.found is None and not row.failed and now - past_time(last, now) > limit
