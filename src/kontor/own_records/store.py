"""The records that people have brought: kept in the database for those who brought them."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Column, Connection, Row, and_, delete, func, insert, or_, select, update

from kontor.errors import NoRecord, TooMany, Unreadable
from kontor.own_records.values import BroughtRecord, OwnRecord, Summary
from kontor.people.person_rows import take_person
from kontor.people.texts import label_of
from kontor.records import BadRecord, EarlyEnding, GameEnding, Record, decode, encode
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import own_records, record_reviews
from kontor.storage.stored_times import datetime_of
from kontor.tables.stored_results import StoredReviews
from kontor.tables.transactions import TableChange, TableTransactions

MOST_RECORDS: Final = 100
"""The most records of one person."""

_INFO: Final = tuple(column for column in own_records.c if column.name not in ("person", "record"))

_SUMMARIES: Final = msgspec.json.Decoder(Summary)


class OwnRecords:
    """The records of people. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def keep(self, person: str, record: Record) -> str:
        """Keep a record that was checked, and return its id. Raises TooMany.

        If the person has the same record already, return that one.
        """
        data = zlib.compress(encode(record), 9)
        with self._transactions.changing() as change:
            take_person(change.db, person)  # so that two requests at once do not pass the limit
            is_mine = own_records.c.person == person
            same = select(own_records.c.id).where(is_mine, own_records.c.record == data)
            kept_before: str | None = change.db.scalar(same)
            if kept_before is not None:
                return kept_before
            count = select(func.count()).select_from(own_records).where(is_mine)
            if (change.db.scalar(count) or 0) >= MOST_RECORDS:
                reason = "You have {most} records here, the most there can be. Delete one first."
                raise TooMany("", reason, most=MOST_RECORDS)
            row = {
                "id": new_id(),
                "person": person,
                "name": "",
                "game": record.header.game,
                "summary": msgspec.json.encode(_summary(record)).decode(),
                "record": data,
                "added": change.now,
            }
            change.db.execute(insert(own_records).values(**row))
            return str(row["id"])

    def of_person(self, person: str) -> Sequence[OwnRecord]:
        """Return the records of a person, the newest first."""
        with self._transactions.reading() as db:
            return _infos(db, person)

    def find(self, key: str, person: str | None) -> BroughtRecord:
        """Return a record by its id, for its owner alone, or by its link, for anybody. Raises NoRecord."""
        if not is_id(key):
            raise _no_record()
        is_mine = and_(own_records.c.id == key, own_records.c.person == (person or ""))
        query = select(own_records).where(or_(is_mine, own_records.c.link == key))
        with self._transactions.reading() as db:
            row = db.execute(query).first()
        if row is None:
            raise _no_record()
        return BroughtRecord(_info(row), zlib.decompress(row.record), row.person == person)

    def record(self, record_id: str) -> Record:
        """Return the record with an id, of any owner. Raises NoRecord, Unreadable.

        It does not check who may see it: the caller must.
        """
        query = select(own_records.c.record).where(own_records.c.id == record_id)
        data: bytes | None = self._transactions.ask(lambda db: db.scalar(query))
        if data is None:
            raise _no_record()
        return readable(zlib.decompress(data))

    def rename(self, record_id: str, person: str, name: str) -> None:
        """Give a record of the person another name, or none. Raises NoRecord."""
        self._change(record_id, person, {"name": label_of(name)})

    def share(self, record_id: str, person: str) -> None:
        """Let others see a record of the person by a link, unless there is one already. Raises NoRecord."""
        self._change(record_id, person, {"link": func.coalesce(own_records.c.link, new_id())})

    def stop_sharing(self, record_id: str, person: str) -> None:
        """Take the link to a record of the person back: it never works again. Raises NoRecord."""
        self._change(record_id, person, {"link": None})

    def delete(self, record_id: str, person: str) -> None:
        """Delete a record of the person. Raises NoRecord."""
        with self._transactions.changing() as change:
            statement = delete(own_records).where(own_records.c.id == record_id, own_records.c.person == person)
            if not is_id(record_id) or not change.db.execute(statement).rowcount:
                raise _no_record()

    def _change(self, record_id: str, person: str, values: dict[str, Any]) -> None:
        with self._transactions.changing() as change:
            is_mine = and_(own_records.c.id == record_id, own_records.c.person == person)
            statement = update(own_records).where(is_mine).values(**values)
            if not is_id(record_id) or not change.db.execute(statement).rowcount:
                raise _no_record()


class RecordReviews(StoredReviews):
    """The reviews of records, by the ids of these."""

    game_column: Column[str] = record_reviews.c.record

    def lock_game(self, change: TableChange, game: str) -> None:
        """Lock the record. Raises NoRecord."""
        query = select(own_records.c.id).where(own_records.c.id == game).with_for_update()
        if change.db.scalar(query) is None:
            raise _no_record()


def records_of(db: Connection, person: str) -> Sequence[tuple[OwnRecord, bytes]]:
    """Return all records of a person with their content, for their own data."""
    query = select(own_records).where(own_records.c.person == person).order_by(own_records.c.added, own_records.c.id)
    return [(_info(row), zlib.decompress(row.record)) for row in db.execute(query)]


def readable(data: bytes) -> Record:
    """Return a record that was checked when it was brought. Raises Unreadable if this Kontor can't read it."""
    try:
        return decode(data)
    except BadRecord as bad:
        raise Unreadable("", "This Kontor cannot replay the record: {why}", why=bad) from bad


def _infos(db: Connection, person: str) -> Sequence[OwnRecord]:
    newest_first = own_records.c.added.desc(), own_records.c.id
    return [
        _info(row) for row in db.execute(select(*_INFO).where(own_records.c.person == person).order_by(*newest_first))
    ]


def _info(row: Row[Any]) -> OwnRecord:
    summary = _SUMMARIES.decode(row.summary)
    return OwnRecord(row.id, row.name, row.game, summary, datetime_of(row.added), row.link or "")


def _summary(record: Record) -> Summary:
    header, ending = record.header, record.ending
    return Summary(
        seats=header.seats,
        players=header.players,
        started=header.started,
        result=ending.result if isinstance(ending, GameEnding) else None,
        early=ending.early if isinstance(ending, EarlyEnding) else None,
        steps=len(record.steps),
    )


def _no_record() -> NoRecord:
    return NoRecord("", "There is no such record. It may have been deleted, or is no longer shared.")
