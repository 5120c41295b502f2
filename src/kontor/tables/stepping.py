"""Duplicate rounds played in step: chance acts at no table before all tables of the round have come as far.

A table has come to a *place* in the game: the round, and how many outcomes chance has had in it. Places behind it
give no more outcomes (``kontor.fair.SteppedDice``). So the tables that are furthest behind go on, once chance is to
act at all of them: somebody who sees one of them learns nothing that is still to come at another.

A person who delays the others is late by the clock of their own table, where a computer player then plays: each wait
has an end. The log alone says what a table waits for, so after a crash all go on from where they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from typing import Final

from sqlalchemy import Connection, exists, select

from kontor.errors import Unreadable
from kontor.fair import DuplicateDice, Occasion
from kontor.game import CHANCE, Value
from kontor.storage.errors import StorageFailure
from kontor.storage.schema import pairings, tables, tournaments
from kontor.tables import advance
from kontor.tables.cache import TableCache
from kontor.tables.game_states import GameState
from kontor.tables.transactions import TableTransactions
from kontor.work.failing_items import FailingItems

Place = tuple[int, int]
"""The round of a game, and how many outcomes of chance it has had."""


class _Board(Value, frozen=True):
    """A table that is being played.

    ``number`` is that of its last line, ``place`` the place of the next outcome; ``waits``: that outcome is due now.
    """

    table: str
    number: int
    place: Place
    waits: bool


_WAITING: Final = select(tournaments.c.id, tournaments.c.round).where(
    tournaments.c.status == "running",
    tournaments.c.in_step,
    exists().where(
        pairings.c.tournament == tournaments.c.id,
        pairings.c.round == tournaments.c.round,
        tables.c.id == pairings.c.table_id,
        tables.c.status == "playing",
        tables.c.mover.is_(None),
    ),
)


def go_on(transactions: TableTransactions, failing: FailingItems) -> None:
    """Let chance act where all tables of a round have come as far. Raises StorageFailure.

    A tournament that fails is left alone for a while.
    """
    with transactions.reading() as db:
        waiting = [(row.id, row.round) for row in db.execute(_WAITING)]
    for tournament, number in waiting:
        item = f"{tournament} in step"
        if failing.is_resting(item):
            continue
        try:
            while _draw(transactions, tournament, number):
                pass
        except StorageFailure:
            raise
        except Exception as error:  # noqa: BLE001 (a state that cannot be played on must not stop other tournaments)
            failing.failed(item, error, "A round in step")
        else:
            failing.succeeded(item)


def _draw(transactions: TableTransactions, tournament: str, number: int) -> bool:
    """Let chance act once at the tables that are furthest behind, if all of them wait. Return whether it did."""
    with transactions.reading() as db:
        due = _due(tuple(_boards(db, transactions.cache, tournament, number)))
    for board in due:  # one transaction each: if something stops this, the rest stays due
        with transactions.changing(urgent=True) as change:
            advance.draw(change, board.table, board.number)
    return bool(due)


def _due(boards: Sequence[_Board]) -> Sequence[_Board]:
    """Return the boards that are furthest behind; none as long as a player of one of them can still choose."""
    behind = min((board.place for board in boards), default=(0, 0))
    last_boards = [board for board in boards if board.place == behind]
    return last_boards if all(board.waits for board in last_boards) else ()


def _boards(db: Connection, cache: TableCache, tournament: str, number: int) -> Iterator[_Board]:
    """Yield the boards of a round that are being played.

    A board without a table yet is at the beginning; one that cannot be read is left out.
    """
    is_round = (pairings.c.tournament == tournament) & (pairings.c.round == number)
    query = (
        select(pairings.c.table_id, tables.c.status)
        .outerjoin(tables, tables.c.id == pairings.c.table_id)
        .where(is_round, pairings.c.points.is_(None))
    )
    for table, status in db.execute(query).all():
        if table is None:
            yield _Board("", 0, (0, 0), waits=False)
        elif status == "playing":
            snapshot = cache.snapshot(db, table)
            try:
                game_state = cache.game_state(lambda: nullcontext(db), snapshot)
            except Unreadable:
                continue
            waits = advance.waits_for_others(snapshot, game_state)
            yield _Board(table, game_state.number, _next_place(game_state), waits)


def _next_place(game_state: GameState) -> Place:
    """Return the first place at which chance may still act."""
    last = game_state.tail[-1]
    assert isinstance(game_state.dice, DuplicateDice)
    drawn = last.occasions or {}
    rounds: list[Occasion] = [(0,), *drawn]  # in the order in which they began
    series = rounds[-1]
    if last.state.mover == CHANCE:
        series = game_state.dice.series(game_state.game.occasion(last.state))
    number = series[0] if series else 0
    assert isinstance(number, int)
    return number, drawn.get(series, 0)
