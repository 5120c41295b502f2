"""The outbox: messages still to be sent. One process takes a few at a time, and deletes them once delivered.

A process that takes a row has it to itself for a while (``LEASE``). If it dies, the row is taken again after that. A
message that was sent but not yet noted is then sent once more, by the same id. So everything is sent at least once,
and a receiver that checks the ids sees it once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal, assert_never

import msgspec
from sqlalchemy import Connection, Row, Select, bindparam, case, delete, func, insert, select, update

from kontor.errors import NoTable
from kontor.game import Value
from kontor.notifying import daily
from kontor.notifying.lanes import SHARES, Lane, LaneUse, kinds_of
from kontor.notifying.mail_codes import CODE_LASTS
from kontor.notifying.values import FailureReason, WayKind
from kontor.people.blocks import is_kept_out
from kontor.storage.ids import new_id
from kontor.storage.schema import (
    looks,
    mail_addresses,
    notification_settings,
    outbox,
    pairings,
    seats,
    steps,
    tables,
    tournaments,
    ways,
)
from kontor.storage.stored_times import SLACK, is_to_come, past_time
from kontor.tables import absence, enqueuing
from kontor.tables.changes import TableChange
from kontor.tables.looks import VISIBLE_FOR, note_look
from kontor.tables.rows import SeatRow, TableRow, seat_rows, table_row
from kontor.tables.table_info import IS_KNOWN_GAME
from kontor.tables.transactions import TableTransactions
from kontor.tables.values import Mail, NotificationOccasion

_SECOND: Final = 1000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR

LEASE: Final = 2 * _MINUTE
"""Milliseconds for which no other process takes a row that was taken."""

WAITS: Final = tuple(n * _MINUTE for n in (1, 3, 10, 30, 120, 360, 720, 1440, 1440, 1440, 1440))
"""Milliseconds between the tries, five days in all. After the last of them the message is given up."""

REFUSED_FOR: Final = 3 * _DAY
"""Milliseconds of nothing but refusals after which a channel is switched off."""

_REFUSALS: Final = ("refused", "policy", "forbidden")
"""Reasons of a recipient that refuses for good. All others can pass, or are faults of this server."""

_LONGEST_DETAIL: Final = 80


_FORGOTTEN: Final = 14 * _DAY
"""Milliseconds for which people are told daily of a turn without a clock."""

_LONGEST_WAIT: Final = 2 * _DAY
"""The most milliseconds that a summary waits, or a message that could not be delivered."""

_SHORT_WAIT: Final = _HOUR
"""The most milliseconds that all other rows wait.

After the clock was put back, a later row is looked at at once: that is too early at worst.
"""

_BETWEEN_SUMMARIES: Final = 16 * _HOUR
"""The least number of milliseconds between two summaries.

A summary may come hours late if the server did not run or could not deliver it. Another on the same day would say the
same.
"""


class Due(Value, frozen=True):
    """A row of the outbox that a process has taken."""

    id: str
    way: str | None
    table: str | None
    occasion: NotificationOccasion
    number: int
    mail: str | None
    created: int
    tries: int
    kind: WayKind | None = None
    """The kind of its channel; None for a mail to an address that need not be a channel."""
    person: str = ""
    """The id of the recipient, if it has a channel."""
    origin: int = 0
    """The network from which its table was opened."""


class WaitingTable(Value, frozen=True):
    """A table where it is the person's turn; ``left`` are the hours left, if there is a clock."""

    id: str
    game: str
    left: int | None


class Notification(Value, frozen=True):
    """A message to a person. All that it says of a game is which it is, and who has moved."""

    due: Due
    kind: WayKind
    address: str
    secret: str
    person: str
    language: str
    base: str
    table: WaitingTable | None = None
    moved: str = ""
    """Who moved last, or asks for a rematch; or the name of the tournament."""
    tables: tuple[WaitingTable, ...] = ()
    """All tables that wait for the person, in a summary."""
    waiting: int | None = None
    """The number of tables where it is the person's turn; counted for browsers only."""


class Later(Value, frozen=True):
    """A request to look at the row again at the time ``due``."""

    due: int


ToSend = Notification | Mail


class Outcome(Value, frozen=True):
    """The outcome of sending a row, by ``kind``.

    - ``sent``
    - ``dropped``: it need not be sent any more.
    - ``later``: it is looked at again at the time ``at``.
    - ``summary``: a daily summary at the time ``at`` replaces it.
    - ``failed``: it is tried again.
    - ``dead``: its recipient is gone, and nothing more is sent there.
    """

    due: Due
    kind: Literal["sent", "dropped", "later", "summary", "failed", "dead"]
    at: int = 0
    person: str = ""
    reason: FailureReason | None = None
    """Why it failed; ``detail`` holds the codes of the response."""
    detail: str = ""


class Outbox:
    """The outbox of a server."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def is_any_due(self) -> bool:
        """Return True if any row is due."""
        now = self._transactions.now()
        return self._transactions.ask(lambda db: db.scalar(_NEXT) or math.inf) <= now

    def exchange(
        self, outcomes: Sequence[Outcome], under_way: Sequence[Due] | None, lease: int = LEASE
    ) -> tuple[Due, ...]:
        """Note what became of taken rows; take and return others that are due.

        As many are taken as their lanes have room for, beside those ``under_way``; if that is None, none are.
        """
        with self._transactions.changing() as change:
            for outcome in outcomes:
                _settle(change, outcome)
            return () if under_way is None else _take(change, under_way, lease)

    def look(self, due: Due) -> ToSend | Later | Outcome:
        """Return what is to be sent for a row now, when to look again, or the outcome if nothing is to be sent."""
        with self._transactions.reading() as db:
            return _decide(db, due, self._transactions.now())

    def figures(self) -> tuple[int, float]:
        """Return how many rows are due, and for how many seconds the oldest has been."""
        now = self._transactions.now()
        query = select(func.count(), func.min(outbox.c.due)).where(outbox.c.due <= now)
        with self._transactions.reading() as db:
            count, oldest = db.execute(query).one()
        return count, 0.0 if oldest is None else (now - oldest) / 1000


_NEXT: Final = select(func.min(outbox.c.due))
_DUE: Final = (
    outbox.c.id,
    outbox.c.way,
    outbox.c.table_id,
    outbox.c.occasion,
    outbox.c.number,
    outbox.c.mail,
    outbox.c.created,
    outbox.c.tries,
)


def _take(change: TableChange, under_way: Sequence[Due], lease: int) -> tuple[Due, ...]:
    """Take rows for each lane that has room, and note them as taken."""
    taken: list[Due] = []
    for lane in SHARES:
        use = LaneUse(lane, under_way)
        if use.number < use.share.in_all:
            query = _waiting_in(lane, use, change.now).with_for_update(of=outbox, skip_locked=True)
            rows = [Due(*row) for row in change.db.execute(query)]
            taken += [due for due in rows if use.add(due)]
    if taken:
        are_taken = outbox.c.id.in_([due.id for due in taken])
        change.db.execute(update(outbox).where(are_taken).values(due=change.now + lease))
    return tuple(taken)


def _waiting_in(lane: Lane, use: LaneUse, now: int) -> Select[Any]:
    """Select the rows of a lane that are due, oldest first, within the shares of each person and network."""
    joined = outbox.outerjoin(ways, ways.c.id == outbox.c.way).outerjoin(tables, tables.c.id == outbox.c.table_id)
    origin = func.coalesce(tables.c.origin, 0)
    is_due = outbox.c.due <= now
    person = func.coalesce(ways.c.person, "")
    query = select(*_DUE, ways.c.kind, person, origin).select_from(joined).order_by(outbox.c.due)
    query = query.limit(use.share.in_all)
    if lane == "codes":
        return query.where(is_due, outbox.c.way.is_(None))
    # The rows are ranked by person first, and what is left by network, so that no person or network can hide the rows
    # of another.
    by_person = (
        select(
            outbox.c.id,
            outbox.c.due,
            origin.label("origin"),
            func.row_number().over(partition_by=person, order_by=(outbox.c.due, outbox.c.id)).label("rank"),
        )
        .select_from(joined)
        .where(
            is_due,
            ways.c.kind.in_(kinds_of(lane)),
            person.not_in(use.busy_people()),
            origin.not_in(use.busy_origins()),
        )
        .subquery()
    )
    by_origin = (
        select(
            by_person.c.id,
            by_person.c.origin,
            func.row_number()
            .over(partition_by=by_person.c.origin, order_by=(by_person.c.due, by_person.c.id))
            .label("rank"),
        )
        .where(by_person.c.rank <= use.share.of_person)
        .subquery()
    )
    shared = select(by_origin.c.id).where((by_origin.c.origin == 0) | (by_origin.c.rank <= use.share.of_origin))
    # The time is checked again: another process may have taken the row since it was ranked.
    return query.where(is_due, outbox.c.id.in_(shared))


# ------------------------------------------------------------------------------------------------------- outcomes


def _settle(change: TableChange, outcome: Outcome) -> None:
    due = outcome.due
    is_row = outbox.c.id == due.id
    match outcome.kind:
        case "sent":
            _note_notified(change, outcome)
            change.db.execute(delete(outbox).where(is_row))
            _note_delivery(change, due)
            _note_reminder(change, due)
        case "dropped":
            change.db.execute(delete(outbox).where(is_row))
        case "later":
            change.db.execute(update(outbox).where(is_row).values(due=outcome.at))
        case "summary":
            change.db.execute(delete(outbox).where(is_row))
            note_summary(change, due.way, outcome.at, but=due.id)
            _note_reminder(change, due)
        case "failed":
            if due.tries < len(WAITS):
                values = {"due": change.now + WAITS[due.tries], "tries": due.tries + 1}
                change.db.execute(update(outbox).where(is_row).values(**values))
            else:
                change.db.execute(delete(outbox).where(is_row))
            _note_failure(change, outcome)
        case "dead":
            change.db.execute(delete(outbox).where(is_row))
            _note_failure(change, outcome)
        case _:
            assert_never(outcome.kind)


def _note_notified(change: TableChange, outcome: Outcome) -> None:
    due = outcome.due
    if due.occasion in ("turn", "round") and due.table is not None:
        values = {"told": change.now, "line": due.number}
        note_look(change.db, due.table, outcome.person, values)
    turns = turns_of(change.db, outcome.person) if due.occasion == "daily" else ()
    if any(_is_worth_summary(turn, change.now) for turn in turns):
        chosen = select(notification_settings.c.hour, notification_settings.c.zone)
        hour_and_zone = change.db.execute(chosen.where(notification_settings.c.person == outcome.person)).first()
        if hour_and_zone is not None:  # None if the person has left meanwhile
            note_summary(
                change, due.way, daily.next_time(change.now + _BETWEEN_SUMMARIES, *hour_and_zone), but=due.id
            )


def _is_worth_summary(turn: TurnEntry, now: int) -> bool:
    """Return True if the turn is still worth a summary tomorrow.

    So nobody is told for ever of a table that everybody has left.
    """
    return turn.deadline > now if turn.deadline is not None else turn.since > now - _FORGOTTEN


def note_summary(change: TableChange, way: str | None, at: int, but: str = "") -> None:
    """Put one summary for the channel into the outbox, unless one other than the row ``but`` is there.

    ``but`` is a summary that is just being settled.
    """
    waiting = (outbox.c.way == way) & (outbox.c.occasion == "daily")
    if change.db.scalar(select(outbox.c.id).where(waiting, outbox.c.id != but).limit(1)) is None:
        new = {"id": f"{way}.{new_id()}", "way": way, "occasion": "daily", "created": change.now, "due": at}
        change.db.execute(insert(outbox).values(**new))


def _note_reminder(change: TableChange, due: Due) -> None:
    """Put a reminder into the outbox after the notification of a turn without a clock.

    It replaces an earlier one, and comes before others may claim the game.
    """
    timeless = (tables.c.id == due.table) & (tables.c.pace == "none")
    if due.occasion == "turn" and change.db.scalar(select(tables.c.id).where(timeless)) is not None:
        earlier = (outbox.c.way == due.way) & (outbox.c.table_id == due.table) & (outbox.c.occasion == "reminder")
        change.db.execute(delete(outbox).where(earlier))
        new = {"id": f"{due.way}.{new_id()}", "way": due.way, "table_id": due.table, "occasion": "reminder"}
        at = change.now + absence.REMINDED
        change.db.execute(insert(outbox).values(**new, number=due.number, created=change.now, due=at))


def bring_to_present(change: TableChange) -> None:
    """Make rows due now that wait for a time of a clock that was ahead; a look too early does no harm."""
    now = change.now
    noted_ahead = outbox.c.created > now + SLACK
    usually_short = (outbox.c.occasion == "reminder") | ((outbox.c.tries == 0) & (outbox.c.occasion != "daily"))
    put_off = (outbox.c.due > now + _LONGEST_WAIT) | (usually_short & (outbox.c.due > now + _SHORT_WAIT))
    # A row that another transaction is changing gets its time from there.
    rows = select(outbox.c.id).where(noted_ahead | put_off).with_for_update(skip_locked=True)
    present = {"created": case((noted_ahead, now), else_=outbox.c.created), "due": now}
    change.db.execute(update(outbox).where(outbox.c.id.in_(rows)).values(**present))


DELIVERED: Final[dict[str, Any]] = {"failing": None, "reason": "", "detail": "", "refused": None}
"""The columns of a channel that has nothing undelivered."""


def _note_delivery(change: TableChange, due: Due) -> None:
    """Forget the failures of a channel that has accepted a message."""
    failing = (ways.c.id == due.way) & ways.c.failing.is_not(None)
    change.db.execute(update(ways).where(failing).values(**DELIVERED))


def _note_failure(change: TableChange, outcome: Outcome) -> None:
    """Note why a channel failed; switch it off if its recipient is gone, or has refused everything for days."""
    way = outcome.due.way
    if way is None:
        return
    row = change.db.execute(select(ways.c.failing, ways.c.refused).where(ways.c.id == way)).first()
    if row is None:  # removed meanwhile
        return
    since = past_time(row.refused, change.now) or change.now
    values: dict[str, Any] = {
        "failing": change.now if row.failing is None else row.failing,
        "reason": outcome.reason or "unreached",
        "detail": outcome.detail[:_LONGEST_DETAIL],
        "refused": since if outcome.reason in _REFUSALS else None,
    }
    change.db.execute(update(ways).where(ways.c.id == way).values(**values))
    if outcome.kind == "dead" or (outcome.reason in _REFUSALS and change.now - since >= REFUSED_FOR):
        switch_off(change, way)


def switch_off(change: TableChange, way: str) -> None:
    """Send nothing more by this channel until its person switches it on again."""
    change.db.execute(update(ways).where(ways.c.id == way).values(dead=True))
    change.db.execute(delete(outbox).where(outbox.c.way == way))
    change.count_ending()


# ----------------------------------------------------------------------------------------------------- what to send

_WAY: Final = (
    select(
        ways.c.kind,
        ways.c.address,
        ways.c.secret,
        ways.c.person,
        ways.c.dead,
        mail_addresses.c.address.label("mail"),
        mail_addresses.c.owned,
        ways.c.frequency,
        notification_settings.c.hour,
        notification_settings.c.zone,
        notification_settings.c.reminders,
        notification_settings.c.language,
        notification_settings.c.base,
    )
    .join(notification_settings, notification_settings.c.person == ways.c.person)
    .outerjoin(mail_addresses, mail_addresses.c.person == ways.c.person)
)


def _plain_notification(db: Connection, due: Due, way: Row[*tuple[Any, ...]]) -> Notification:
    """Return a notification without anything about a table."""
    address = way.mail if way.kind == "mail" else way.address
    waiting = len(turns_of(db, way.person)) if way.kind == "push" else None
    return Notification(due, way.kind, address, way.secret, way.person, way.language, way.base, waiting=waiting)


def _decide(db: Connection, due: Due, now: int) -> ToSend | Later | Outcome:
    dropped = Outcome(due, "dropped")
    if due.mail is not None:
        return msgspec.json.decode(due.mail, type=Mail) if now - due.created < CODE_LASTS else dropped
    way = db.execute(_WAY.where(ways.c.id == due.way)).first()
    if way is None or way.dead or (way.kind == "mail" and way.owned is None):
        return dropped
    plain = _plain_notification(db, due, way)
    if due.occasion == "try":
        return plain
    if due.occasion == "daily":
        listed = waiting_tables(db, way.person, now)
        return msgspec.structs.replace(plain, tables=listed) if listed and way.frequency == "daily" else dropped
    try:
        assert due.table is not None
        row = table_row(db, due.table)
    except NoTable:
        return dropped
    if db.scalar(_NEWER, {"way": due.way, "table": row.id, "occasion": due.occasion, "created": due.created}):
        return dropped  # the move was taken back, and made anew
    sitting = seat_rows(db, row.id)
    look = db.execute(_LOOK, {"table": row.id, "person": way.person}).first()
    last_seen, looks_now, last_told = _last_look(look, now)
    last_seen = max(last_seen, _last_own_move(db, row, sitting, way.person, now))
    notification = msgspec.structs.replace(
        plain, table=_waiting_table(row, now), moved=_last_mover_name(db, row, sitting, way.person)
    )
    match due.occasion:
        case "round":
            if row.status != "playing" or looks_now or last_seen > due.created or way.frequency == "never":
                return dropped
            if way.frequency == "daily":
                is_turn = _is_turn(row, sitting, way.person)
                return Outcome(due, "summary", daily.next_time(now, way.hour, way.zone)) if is_turn else dropped
            return msgspec.structs.replace(notification, moved=_name_of_tournament(db, row.id))
        case "turn" | "reminder":
            if not _is_turn(row, sitting, way.person) or row.number != due.number:
                return dropped
            if looks_now:
                return Later(now + enqueuing.DELAY)
            if due.occasion == "reminder":
                return _reminder(notification, row, sitting, now) if way.reminders else dropped
            if last_seen > due.created or way.frequency == "never":
                return dropped
            if way.frequency == "daily":
                return Outcome(due, "summary", daily.next_time(now, way.hour, way.zone))
            was_notified = last_told > last_seen
            return dropped if was_notified and look is not None and look.line != due.number else notification
        case "over":
            return dropped if row.status != "over" or _has_seen(last_seen, looks_now, due) else notification
        case "stood in":
            sits_in = any(seat.person == way.person and seat.stood_in for seat in sitting)
            return notification if sits_in and not _has_seen(last_seen, looks_now, due) else dropped
        case "invited":
            if _has_seen(last_seen, looks_now, due) or not _is_invited(db, row, sitting, way.person):
                return dropped
            host = next((seat.name for seat in sitting if seat.person == row.host), "")
            return msgspec.structs.replace(notification, moved=host)
    return dropped


def _is_invited(db: Connection, row: TableRow, sitting: Sequence[SeatRow], person: str) -> bool:
    """Return True if a free seat of a waiting table is reserved for the person, and the host has not blocked them."""
    is_reserved = any(seat.reserved == person and seat.person is None for seat in sitting)
    return row.status == "waiting" and is_reserved and not is_kept_out(db, person, row.host)


def _name_of_tournament(db: Connection, table: str) -> str:
    """Return the name of the tournament to which the table belongs, or ""."""
    query = select(tournaments.c.name).join(pairings, pairings.c.tournament == tournaments.c.id)
    return db.scalar(query.where(pairings.c.table_id == table)) or ""


_LOOK: Final = select(looks.c.at, looks.c.visible, looks.c.told, looks.c.line).where(
    looks.c.table_id == bindparam("table"), looks.c.person == bindparam("person")
)


def _last_look(look: Any, now: int) -> tuple[int, bool, int]:
    """Return when the person last looked, whether they do so now, and when they were last told; 0 for never."""
    if look is None:
        return 0, False, 0
    return past_time(look.at, now), is_to_come(look.visible, now, VISIBLE_FOR), past_time(look.told, now)


_NEWER: Final = (
    select(outbox.c.id)
    .where(
        outbox.c.way == bindparam("way"),
        outbox.c.table_id == bindparam("table"),
        outbox.c.occasion == bindparam("occasion"),
        outbox.c.created > bindparam("created"),
    )
    .limit(1)
)


def _has_seen(last_seen: int, looks_now: bool, due: Due) -> bool:
    return looks_now or last_seen > due.created


def _is_turn(row: TableRow, sitting: Sequence[SeatRow], person: str) -> bool:
    if row.status != "playing" or row.mover is None:
        return False
    mover = sitting[row.mover]
    return mover.person == person and not mover.stood_in and not mover.resigned


def _reminder(
    notification: Notification, row: TableRow, sitting: Sequence[SeatRow], now: int
) -> Notification | Later | Outcome:
    """Return the reminder, or when to look again; drop it if it is no longer needed.

    Deadlines move on while the server does not run, and a person who has looked is not away.
    """
    at = None
    if row.deadline is None:
        at = absence.reminder_time(row, sitting, now)
    elif row.deadline > now:
        at = row.deadline - enqueuing.warning_time(row)
    if at is None:
        return Outcome(notification.due, "dropped")
    return Later(at) if at > now + _MINUTE else notification


def _waiting_table(row: TableRow, now: int) -> WaitingTable:
    return WaitingTable(row.id, row.game, _hours(row.deadline, now))


_LAST_MOVER: Final = (
    select(steps.c.seat)
    .where(steps.c.table_id == bindparam("table"), steps.c.seat >= 0)
    .order_by(steps.c.number.desc())
    .limit(1)
)


def _last_mover_name(db: Connection, row: TableRow, sitting: Sequence[SeatRow], person: str) -> str:
    """Return the name of the seat that made the last move, or "" if it is the person's own."""
    seat = db.scalar(_LAST_MOVER, {"table": row.id})
    return "" if seat is None or sitting[seat].person == person else sitting[seat].name


def _last_own_move(db: Connection, row: TableRow, sitting: Sequence[SeatRow], person: str, now: int) -> int:
    """Return the time of the person's last move, or 0; a person who moves has looked."""
    own_seats = [seat.seat for seat in sitting if seat.person == person]
    until_now = steps.c.at <= now + SLACK
    last_move = select(func.max(steps.c.at)).where(steps.c.table_id == row.id, steps.c.seat.in_(own_seats), until_now)
    return db.scalar(last_move) or 0


_TURNS: Final = (
    select(tables.c.id, tables.c.game, tables.c.number, tables.c.since, tables.c.deadline)
    .join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.mover))
    .where(
        seats.c.person == bindparam("person"),
        seats.c.stood_in == "",
        tables.c.status == "playing",
        IS_KNOWN_GAME,
    )
    .order_by(tables.c.deadline.is_(None), tables.c.deadline, tables.c.since)
)


class TurnEntry(Value, frozen=True):
    """A turn that waits for a person, as in a feed."""

    table: str
    game: str
    number: int
    since: int
    deadline: int | None


def turns_of(db: Connection, person: str) -> tuple[TurnEntry, ...]:
    """Return the turns that wait for the person, most urgent first."""
    return tuple([TurnEntry(*row) for row in db.execute(_TURNS, {"person": person})])


def waiting_tables(db: Connection, person: str, now: int) -> tuple[WaitingTable, ...]:
    """Return the tables where it is the person's turn, as in a summary."""
    return tuple([WaitingTable(turn.table, turn.game, _hours(turn.deadline, now)) for turn in turns_of(db, person)])


def _hours(deadline: int | None, now: int) -> int | None:
    return None if deadline is None else math.ceil(max(0, deadline - now) / _HOUR)
