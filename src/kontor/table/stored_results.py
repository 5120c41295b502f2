"""What was thought, kept as bytes: hints at tables for practice, reviews of games that are over.

Whoever thinks says so first, so that no other process thinks the same; but whoever was not heard of for a while may
have died over it, and then another may begin.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Connection, Row, delete, insert, select, update

from kontor.game import Value
from kontor.table.changes import Change
from kontor.table.errors import Conflict
from kontor.table.playing import check_practice
from kontor.table.rows import TableRow, is_id, seat_row
from kontor.table.schema import hints, reviews

_SECOND: Final = 1000

HINT: Final = 60 * _SECOND
"""After how many milliseconds nobody believes any more that a hint is still being thought about."""

REVIEW: Final = 120 * _SECOND
"""After how many milliseconds without a sign nobody believes that a review is; it may wait for others in a line."""

_MOST_SEATS: Final = 100


class StoredHint(Value, frozen=True):
    """What a seat asked after the line ``number``: ``found`` is what the judge gave. Neither found nor failed: it is
    being thought about."""

    number: int
    failed: bool
    found: bytes | None


class StoredReview(Value, frozen=True):
    """``done`` of so many ``parts`` have been judged; ``found`` is the review when all are. Neither found nor failed:
    somebody is at it."""

    done: int
    parts: int
    failed: bool
    found: bytes | None


# --------------------------------------------------------------------------------------------------------- hints


def hint(db: Connection, table: str, seat: int, number: int, now: int) -> StoredHint | None:
    """What the seat has asked about its decision after a line, if it has."""
    if not (is_id(table) and 0 <= seat < _MOST_SEATS):
        return None
    row = db.execute(select(hints).where(hints.c.table_id == table, hints.c.seat == seat)).first()
    if row is None or row.number != number or _was_given_up(row, row.asked, HINT, now):
        return None
    return StoredHint(row.number, row.failed, row.found)


def begin_hint(change: Change, table: str, seat: int, number: int) -> None:
    """The seat has asked: somebody thinks about it now. Raises Conflict if it has moved meanwhile."""
    _check_line(change.take(table), number)
    change.db.execute(delete(hints).where(hints.c.table_id == table, hints.c.seat == seat))
    new = {"table_id": table, "seat": seat, "number": number, "asked": change.now, "failed": False}
    change.db.execute(insert(hints).values(**new))
    change.touch(table)


def give_hint(change: Change, table: str, seat: int, number: int, found: bytes) -> None:
    """It has been thought, and all at the table are told that it was given. Raises Conflict if the seat has moved."""
    row = change.take(table)
    check_practice(row)
    _check_line(row, number)
    this = (hints.c.table_id == table, hints.c.seat == seat, hints.c.number == number, hints.c.found.is_(None))
    if change.db.execute(update(hints).where(*this).values(found=found, failed=False)).rowcount:
        change.say(table, "hint", seat, seat_row(change.db, table, seat).name)


def fail_hint(change: Change, table: str, seat: int, number: int) -> None:
    """It came to nothing. It can be asked for again."""
    change.take(table)
    this = (hints.c.table_id == table, hints.c.seat == seat, hints.c.number == number, hints.c.found.is_(None))
    change.db.execute(update(hints).where(*this).values(failed=True))
    change.touch(table)


def _check_line(row: TableRow, number: int) -> None:
    if number != row.number:
        raise Conflict(row.number)


# ------------------------------------------------------------------------------------------------------- reviews


def review(db: Connection, table: str, now: int) -> StoredReview | None:
    """How far the review of a game is, if it was begun."""
    row = db.execute(select(reviews).where(reviews.c.table_id == table)).first() if is_id(table) else None
    if row is None or _was_given_up(row, row.at, REVIEW, now):
        return None
    return StoredReview(row.done, row.parts, row.failed, row.found)


def begin_review(change: Change, table: str) -> bool:
    """Whether whoever asks is to think it; not if it is done, or another is at it."""
    change.take(table)
    known = review(change.db, table, change.now)
    if known is not None and not known.failed:
        return False
    change.db.execute(delete(reviews).where(reviews.c.table_id == table))
    new = {"table_id": table, "at": change.now, "done": 0, "parts": 0, "failed": False}
    change.db.execute(insert(reviews).values(**new))
    return True


def keep_review(db: Connection, table: str, now: int, kept: StoredReview) -> None:
    """How far it is now, or how it ended."""
    new = {"at": now, "done": kept.done, "parts": kept.parts, "failed": kept.failed, "found": kept.found}
    db.execute(update(reviews).where(reviews.c.table_id == table, reviews.c.found.is_(None)).values(**new))


def forget_review(db: Connection, table: str) -> None:
    """It can be begun anew."""
    db.execute(delete(reviews).where(reviews.c.table_id == table))


def _was_given_up(row: Row[Any], last: int, limit: int, now: int) -> bool:
    return row.found is None and not row.failed and now - last > limit
