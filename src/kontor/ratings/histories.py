"""Games that a person has played: how many, on which seats, with how many people, with what success, with whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, bindparam, select

from kontor.endings import EarlyEnd
from kontor.game import Result
from kontor.people.person_rows import NOBODY
from kontor.people.public_pages import person_behind
from kontor.people.values import Person
from kontor.plugins import plugins
from kontor.ratings.values import Companion, GameHistory, History, Meeting, PlayedTally
from kontor.storage.schema import blocks, people, profiles, seats, tables
from kontor.storage.transactions import Change, Transactions
from kontor.tables import infos

_MOST: Final = 1000
"""The number of a person's last games that are counted."""

_COMPANIONS: Final = 8
"""The number of most frequent companions that are named."""

_FINISHED_TABLES: Final = (
    select(tables.c.id)
    .join(seats, seats.c.table_id == tables.c.id)
    .where(seats.c.person == bindparam("person"), tables.c.status == "over", infos.IS_KNOWN_GAME)
    .order_by(tables.c.ended.desc(), tables.c.id)
    .limit(_MOST)
)
_OWN_SEATS: Final = seats.alias()
_READERS_SEATS: Final = seats.alias()
_MET: Final = (
    select(tables.c.game, tables.c.result, tables.c.early, _OWN_SEATS.c.seat, _READERS_SEATS.c.seat.label("other"))
    .join(_OWN_SEATS, _OWN_SEATS.c.table_id == tables.c.id)
    .join(_READERS_SEATS, _READERS_SEATS.c.table_id == tables.c.id)
    .where(
        *(_OWN_SEATS.c.person == bindparam("person"), _READERS_SEATS.c.person == bindparam("reader")),
        *(_OWN_SEATS.c.kind != "here", _READERS_SEATS.c.kind != "here"),
        *(tables.c.status == "over", infos.IS_KNOWN_GAME),
    )
    .order_by(tables.c.ended.desc(), tables.c.id)
    .limit(_MOST)
)
"""The last games at whose tables both sat, and their seats."""

_SEATS: Final = (
    select(tables.c.id, tables.c.game, tables.c.result, tables.c.early, seats.c.seat, seats.c.person)
    .join(seats, seats.c.table_id == tables.c.id)
    .where(tables.c.id.in_(_FINISHED_TABLES))
    .order_by(tables.c.id, seats.c.seat)
)


class Histories:
    """The histories of people, for themselves and for others if they show them."""

    def __init__(self, transactions: Transactions[Change]) -> None:
        self._transactions = transactions

    def page_owner(self, handle: str, reader: str | None) -> Person | None:
        """Return the owner of a page that the reader may see: it is public, or their own."""
        with self._transactions.reading() as db:
            row = person_behind(db, handle, reader)
            return None if row is None else Person(row.id, row.name)

    def of(self, person: str, *, own: bool) -> History:
        """Return what a person has played. Others see only companions who have a public page themselves."""
        with self._transactions.reading() as db:
            rows = db.execute(_SEATS, {"person": person})
            return _history(db, person, [list(sitting) for _, sitting in groupby(rows, key=lambda row: row.id)], own)

    def meetings(self, person: str, reader: str) -> tuple[Meeting, ...]:
        """Return how a person and the reader have fared at common tables, by game; both of them know that."""
        counted: dict[str, Counter[str]] = defaultdict(Counter)
        with self._transactions.reading() as db:
            for row in db.execute(_MET, {"person": person, "reader": reader}):
                winners = _winners(row)
                if winners is not None:
                    tally = counted[row.game]
                    tally["games"] += 1
                    tally["won"] += row.seat in winners
                    tally["reader_won"] += row.other in winners
        return tuple([Meeting(game, **counted[game]) for game in plugins() if game in counted])


def _history(db: Connection, person: str, games: Sequence[Sequence[Any]], own: bool) -> History:
    by_number: dict[str, Counter[tuple[int, bool]]] = defaultdict(Counter)
    by_seat: dict[str, Counter[tuple[int, bool]]] = defaultdict(Counter)
    met: Counter[str] = Counter()
    for sitting in games:
        own_seats = [row.seat for row in sitting if row.person == person]
        winners = _winners(sitting[0])
        if len(own_seats) != 1 or winners is None:
            continue
        game, won = sitting[0].game, own_seats[0] in winners
        by_number[game][len(sitting), won] += 1
        by_seat[game][own_seats[0] + 1, won] += 1
        met.update({row.person for row in sitting if row.person not in (None, person, NOBODY)})
    game_histories = tuple(
        [GameHistory(game, _tallies(by_number[game]), _tallies(by_seat[game])) for game in plugins() if by_seat[game]]
    )
    return History(game_histories, _companions(db, person, met, own))


def _winners(row: Any) -> Sequence[int] | None:
    if row.result:
        return msgspec.json.decode(row.result, type=Result).winners
    early = msgspec.json.decode(row.early, type=EarlyEnd) if row.early else None
    return early.winners if early and early.winners else None


def _tallies(counted: Counter[tuple[int, bool]]) -> tuple[PlayedTally, ...]:
    return tuple(
        [
            PlayedTally(of, counted[of, True] + counted[of, False], counted[of, True])
            for of in sorted({of for of, _ in counted})
        ]
    )


def _companions(db: Connection, person: str, met: Counter[str], own: bool) -> tuple[Companion, ...]:
    """Return the most frequent companions, except those whom the person blocks and those who have left.

    Others do not see companions who were suspended.
    """
    blocked = select(blocks.c.other).where(blocks.c.person == person, blocks.c.kind == "block")
    query = (
        select(people.c.id, people.c.name, people.c.suspended, profiles.c.handle, profiles.c.public)
        .outerjoin(profiles, profiles.c.person == people.c.id)
        .where(
            people.c.id.in_([person_id for person_id, _ in met.most_common(_MOST)]),
            people.c.left.is_(None),
            people.c.id.not_in(blocked),
        )
    )
    companions = []
    for row in db.execute(query):
        public = bool(row.public) and row.suspended is None
        if own or public:
            companions.append(Companion(row.name, row.handle if public else "", met[row.id]))
    return tuple(sorted(companions, key=lambda companion: (-companion.games, companion.name))[:_COMPANIONS])
