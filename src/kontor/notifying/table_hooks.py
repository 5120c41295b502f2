"""Webhooks of tables: one for each table, set up by a person who sits there, and removed by anyone who does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from kontor.errors import BadText, NotAllowed, NotNow, TooMany
from kontor.game import Value
from kontor.notifying.table_posts import StoredMention, digest_of, mention_of, mentions_in
from kontor.notifying.values import Failure, OwnTableWebhook, TableWebhookInfo, WebhookForm
from kontor.notifying.ways import check_url
from kontor.notifying.webhook import new_secret
from kontor.people.person_rows import take_person
from kontor.storage.schema import outbox, people, table_webhooks, tables
from kontor.storage.stored_times import datetime_of
from kontor.tables.rows import SeatRow, seat_rows, table_row
from kontor.tables.transactions import TableChange, TableTransactions

MOST_WEBHOOKS: Final = 20
"""The most webhooks of one person at tables that are not over."""

_MENTIONS: Final[Mapping[WebhookForm, re.Pattern[str]]] = {
    "discord": re.compile(r"\d{15,21}", re.ASCII),
    "slack": re.compile(r"[UW][A-Z0-9]{5,20}", re.ASCII),
    "mattermost": re.compile(r"(?!(?:all|channel|here)(?:[._-]|$))[a-z0-9][a-z0-9._-]{0,63}", re.ASCII),
    "json": re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII),
}
"""The ids of people in each service. The names by which Mattermost calls everybody are none.

It finds them before a dot, a hyphen or an underscore too.
"""

_HOOK: Final = table_webhooks.c


class NewWebhook(Value, frozen=True):
    """A webhook that a person sets up at a table, and the person's language and address of the server."""

    form: WebhookForm
    address: str
    mentions: Mapping[int, str]
    """The ids to mention, by seats."""
    language: str
    base: str


class TableWebhooks:
    """The webhooks of tables. Safe to use from any thread."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def of(self, table: str, person: str) -> TableWebhookInfo | None:
        """Return the webhook of a table, or None, for a person who sits there. Raises NoTable, NotAllowed."""
        query = select(table_webhooks, people.c.name).join(people, people.c.id == _HOOK.person)
        with self._transactions.reading() as db:
            table_row(db, table)
            _own_seat(db, table, person)
            row = db.execute(query.where(_HOOK.table_id == table)).first()
            sitting = seat_rows(db, table)
        if row is None:
            return None
        is_own = row.person == person
        return TableWebhookInfo(
            host=urlsplit(row.address).hostname or "",
            form=row.form,
            name=row.name,
            mine=is_own,
            dead=row.dead,
            failure=None if row.failing is None else Failure(row.reason, row.detail, row.failing),
            address=row.address if is_own else "",
            secret=row.secret if is_own else "",
            mentions=_ids_at(row.mentions, sitting) if is_own else {},
        )

    def put(self, table: str, person: str, hook: NewWebhook) -> None:
        """Set up the webhook of a table, or change one's own.

        Raises NoTable, NotAllowed, NotNow, BadText, TooMany.
        """
        check_url(hook.address)
        with self._transactions.changing() as change:
            db = change.db
            take_person(db, person)
            row = change.take(table)
            seat = _own_seat(db, table, person)
            if row.status == "over":
                raise NotNow("", "The game is over.")
            before = db.execute(select(table_webhooks).where(_HOOK.table_id == table)).first()
            if before is not None and before.person != person:
                raise NotNow("", "This table has a webhook already. Remove it first.")
            mentions = _checked_mentions(hook, seat_rows(db, table))
            if before is None:
                _check_room(db, person)
                change.say(table, "webhook", seat.seat, seat.name, person=person)
            _delete(change, table)
            is_same = before is not None and before.address == hook.address
            new = {
                "table_id": table,
                "person": person,
                "form": hook.form,
                "address": hook.address,
                "secret": before.secret if before is not None and is_same else new_secret(),
                "language": hook.language,
                "base": hook.base,
                "mentions": msgspec.json.encode(mentions).decode(),
                "created": change.now,
                "seen": -1,
                "state": before.state if before is not None and is_same else "",
                # Whoever changes it again and again does not post more often.
                "posted": before.posted if before is not None else None,
            }
            db.execute(insert(table_webhooks).values(**new))

    def remove(self, table: str, person: str) -> None:
        """Remove the webhook of a table, for a person who sits there. Raises NoTable, NotAllowed."""
        with self._transactions.changing() as change:
            change.take(table)
            seat = _own_seat(change.db, table, person)
            if _delete(change, table):
                change.say(table, "no webhook", seat.seat, seat.name, person=person)


def _own_seat(db: Connection, table: str, person: str) -> SeatRow:
    """Return the first seat of a person at a table. Raises NotAllowed."""
    seat = next((seat for seat in seat_rows(db, table) if seat.person == person), None)
    if seat is None:
        raise NotAllowed("", "Only people seated at this table can do this.")
    return seat


def _check_room(db: Connection, person: str) -> None:
    own = select(func.count()).select_from(table_webhooks).join(tables, tables.c.id == _HOOK.table_id)
    if (db.scalar(own.where(_HOOK.person == person, tables.c.status != "over")) or 0) >= MOST_WEBHOOKS:
        raise TooMany("", "You have webhooks at {most} tables: remove one first.", most=MOST_WEBHOOKS)


def _checked_mentions(hook: NewWebhook, sitting: Sequence[SeatRow]) -> dict[int, StoredMention]:
    """Return the ids to mention, without what services write around them. Raises BadText."""
    mentions = {}
    for seat in sitting:
        id_ = hook.mentions.get(seat.seat, "").strip().removeprefix("<").removesuffix(">").removeprefix("@")
        if not id_ or seat.person is None:
            continue
        if _MENTIONS[hook.form].fullmatch(id_) is None:
            raise BadText("", "“{id}” is not the id of a person there.", id=id_[:30])
        mentions[seat.seat] = StoredMention(id_, digest_of(seat.person))
    return mentions


def _ids_at(stored: str, sitting: Sequence[SeatRow]) -> dict[int, str]:
    """Return the ids to mention by the seats at which people sit now."""
    return {seat.seat: id_ for seat in sitting if (id_ := mention_of(stored, seat))}


def _ids_in(stored: str) -> dict[int, str]:
    return {seat: mention.id for seat, mention in mentions_in(stored).items()}


def _delete(change: TableChange, table: str) -> bool:
    """Delete the webhook of a table, and what is still to be posted; return False if there is none."""
    change.db.execute(delete(outbox).where(outbox.c.table_id == table, outbox.c.occasion == "webhook"))
    return bool(change.db.execute(delete(table_webhooks).where(_HOOK.table_id == table)).rowcount)


def own_webhooks(db: Connection, person: str) -> tuple[OwnTableWebhook, ...]:
    """Return the webhooks of tables that a person has set up, for their own data."""
    rows = db.execute(select(table_webhooks).where(_HOOK.person == person).order_by(_HOOK.created, _HOOK.table_id))
    return tuple(
        [
            OwnTableWebhook(row.table_id, row.form, row.address, _ids_in(row.mentions), datetime_of(row.created))
            for row in rows
        ]
    )
