"""Results of reviews by seat: what people lost at their decisions, and their results without luck."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, bindparam, delete, exists, insert, select

from kontor.people.person_rows import NOBODY
from kontor.players import has_judge
from kontor.plugins import plugins
from kontor.ratings.rated_games import STOOD_IN
from kontor.ratings.values import ReviewedGame
from kontor.review import Review
from kontor.storage.schema import chat, reviewed_seats, seats, tables
from kontor.storage.stored_times import datetime_of
from kontor.storage.transactions import Change, Transactions
from kontor.tables import infos

_MOST: Final = 1000
"""Number of a person's last reviewed games that are read."""

_DAY: Final = 24 * 3600 * 1000

RECENT: Final = 30
"""Games that ended longer ago, in days, are reviewed only where somebody asks for it."""

_STOOD_IN: Final = exists().where(chat.c.table_id == tables.c.id, chat.c.kind.in_((STOOD_IN, "plays on")))
_OWN: Final = (
    tables.c.status == "over",
    ~tables.c.hints,
    ~_STOOD_IN,
)
"""Condition for games in which people made all their moves themselves."""

_REVIEWED: Final = (
    select(tables.c.id, tables.c.game, tables.c.ended, reviewed_seats)
    .join(seats, seats.c.table_id == tables.c.id)
    .join(reviewed_seats, (reviewed_seats.c.table_id == tables.c.id) & (reviewed_seats.c.seat == seats.c.seat))
    .where(seats.c.person == bindparam("person"), seats.c.kind != "here", infos.IS_KNOWN_GAME, *_OWN)
    .order_by(tables.c.ended.desc(), tables.c.id)
    .limit(_MOST)
)
_UNREVIEWED: Final = (
    select(tables.c.id)
    .where(
        *_OWN,
        tables.c.ended > bindparam("since"),
        exists().where(seats.c.table_id == tables.c.id, seats.c.person.is_not(None), seats.c.person != NOBODY),
        ~exists().where(seats.c.table_id == tables.c.id, seats.c.kind == "here"),
        ~exists().where(reviewed_seats.c.table_id == tables.c.id),
    )
    .order_by(tables.c.ended.desc(), tables.c.id)
)


class ReviewedSeats:
    """The numbers from all reviewed games."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions

    def keep(self, table: str, review: Review) -> None:
        """Store what a review says of each seat, if the table still exists."""
        with self._transactions.changing() as change:
            if change.db.scalar(select(tables.c.id).where(tables.c.id == table)) is not None:
                _keep(change.db, table, review)

    def hour(self) -> int:
        """Return the hour of the day by the server's clock (UTC)."""
        return self._transactions.clock().hour

    def next_unreviewed(self, skipped: Collection[str] = ()) -> str | None:
        """Return the table whose game ended last among those without a review, or None.

        These are games of the last RECENT days in which all people played for themselves without help.
        """
        since = self._transactions.now() - RECENT * _DAY
        judged = [game for game in plugins() if has_judge(game)]
        query = _UNREVIEWED.where(tables.c.game.in_(judged), tables.c.id.not_in(list(skipped)))
        with self._transactions.reading() as db:
            return db.scalar(query.limit(1), {"since": since})

    def of(self, person: str) -> tuple[ReviewedGame, ...]:
        """Return the reviewed games of a person, in the order in which they ended."""
        with self._transactions.reading() as db:
            return reviewed_games_of(db, person)


def reviewed_games_of(db: Connection, person: str) -> tuple[ReviewedGame, ...]:
    """Return the last thousand reviewed games of a person at most, in the order in which they ended."""
    rows = db.execute(_REVIEWED, {"person": person}).all()
    return tuple(
        [
            ReviewedGame(row.game, datetime_of(row.ended), row.decisions, row.lost, row.result, row.adjusted)
            for row in reversed(rows)
        ]
    )


def _keep(db: Connection, table: str, review: Review) -> None:
    db.execute(delete(reviewed_seats).where(reviewed_seats.c.table_id == table))
    rows = [
        {
            "table_id": table,
            "seat": account.seat,
            "decisions": sum(decision.seat == account.seat for decision in review.decisions),
            "lost": account.lost,
            "result": account.end,
            "adjusted": None if review.hidden else account.adjusted,
        }
        for account in review.accounts
    ]
    db.execute(insert(reviewed_seats), rows)
