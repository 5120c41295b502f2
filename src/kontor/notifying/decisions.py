"""Decisions about due notifications: to send them, and with what content, or to drop them or look again later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Row, bindparam, func, select

from kontor.errors import NoTable
from kontor.messages.store import unread_conversation
from kontor.notifying import daily
from kontor.notifying.due_rows import Due, EndedGame, Later, Notification, Outcome, ToSend
from kontor.notifying.mail_codes import CODE_LASTS
from kontor.notifying.quiet_hours import quiet_span, time_before_quiet
from kontor.notifying.table_posts import WEBHOOK, decide_post, ended_game
from kontor.notifying.waiting_turns import turns_of, waiting_table, waiting_tables
from kontor.people.blocks import is_kept_out
from kontor.people.follows import is_followed
from kontor.plugins import plugins
from kontor.storage.schema import (
    entrants,
    looks,
    mail_addresses,
    notification_settings,
    outbox,
    pairings,
    people,
    seeks,
    steps,
    tournaments,
    ways,
)
from kontor.storage.stored_times import SLACK, is_to_come, past_time
from kontor.tables import absence, enqueuing
from kontor.tables.looks import VISIBLE_FOR
from kontor.tables.rows import SeatRow, TableRow, is_taken, seat_rows, table_row
from kontor.tables.values import Mail

_MINUTE: Final = 60 * 1000

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
        ways.c.hour,
        ways.c.lead,
        ways.c.quiet_from,
        ways.c.quiet_to,
        notification_settings.c.zone,
        notification_settings.c.language,
        notification_settings.c.base,
        notification_settings.c.followed,
        notification_settings.c.challenged,
        notification_settings.c.written,
    )
    .join(notification_settings, notification_settings.c.person == ways.c.person)
    .outerjoin(mail_addresses, mail_addresses.c.person == ways.c.person)
)


def _plain_notification(db: Connection, due: Due, way: Row[*tuple[Any, ...]]) -> Notification:
    """Return a notification without anything about a table."""
    address = way.mail if way.kind == "mail" else way.address
    waiting = len(turns_of(db, way.person)) if way.kind == "push" else None
    return Notification(due, way.kind, address, way.secret, way.person, way.language, way.base, waiting=waiting)


def decide(db: Connection, due: Due, now: int) -> ToSend | Later | Outcome:
    """Return what to send for a due row; or when to look again; or its outcome, if nothing need be sent.

    In a person's quiet hours nothing is sent but tests and codes, for which they wait; the row is
    looked at afterwards.
    """
    dropped = Outcome(due, "dropped")
    if due.mail is not None:
        return msgspec.json.decode(due.mail, type=Mail) if now - due.created < CODE_LASTS else dropped
    if due.occasion == WEBHOOK:
        return decide_post(db, due, now) or dropped
    way = db.execute(_WAY.where(ways.c.id == due.way)).first()
    if way is None or way.dead or (way.kind == "mail" and way.owned is None):
        return dropped
    if due.occasion == "try":
        return _plain_notification(db, due, way)
    decision = _decide_for_way(db, due, way, now)
    quiet = quiet_span(now, way.quiet_from, way.quiet_to, way.zone)
    return Later(quiet.end) if quiet is not None and isinstance(decision, Notification) else decision


def _decide_for_way(db: Connection, due: Due, way: Row[*tuple[Any, ...]], now: int) -> Notification | Later | Outcome:
    """Return what to send by a channel; or when to look again; or its outcome, if nothing need be sent."""
    dropped = Outcome(due, "dropped")
    plain = _plain_notification(db, due, way)
    if due.occasion == "daily":
        listed = waiting_tables(db, way.person, now)
        has_summaries = way.frequency in ("daily", "both")
        return msgspec.structs.replace(plain, tables=listed) if listed and has_summaries else dropped
    if due.occasion == "declined":
        return _declined(db, plain) if way.challenged else dropped
    if due.occasion == "message":
        return _message(db, plain) if way.written else dropped
    if due.occasion == "place":
        return dropped if way.frequency == "never" else _place(db, plain)
    if due.occasion == "followed" and due.table is None:
        return _followed_seek(db, plain, now) if way.followed else dropped
    return _decide_at_table(db, due, way, plain, now)


def _decide_at_table(
    db: Connection, due: Due, way: Row[*tuple[Any, ...]], plain: Notification, now: int
) -> Notification | Later | Outcome:
    """Return what to send for a due row about a table; or when to look again; or its outcome."""
    dropped = Outcome(due, "dropped")
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
        plain, table=waiting_table(row, now), moved=_last_mover_name(db, row, sitting, way.person)
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
            if due.occasion == "reminder":
                reminder = dropped if way.lead == 0 else _reminder(notification, way, row, sitting, now)
                waits = looks_now and isinstance(reminder, Notification)
                return Later(now + enqueuing.DELAY) if waits else reminder
            if looks_now:
                return Later(now + enqueuing.DELAY)
            if last_seen > due.created or way.frequency == "never":
                return dropped
            if way.frequency == "daily":
                return Outcome(due, "summary", daily.next_time(now, way.hour, way.zone))
            was_notified = last_told > last_seen
            return dropped if was_notified and look is not None and look.line != due.number else notification
        case "over" if row.status == "over" and not _has_seen(last_seen, looks_now, due):
            return msgspec.structs.replace(notification, ending=_ending(row, sitting, way.person))
        case "stood in":
            sits_in = any(seat.person == way.person and seat.stood_in for seat in sitting)
            return notification if sits_in and not _has_seen(last_seen, looks_now, due) else dropped
        case "invited":
            if _has_seen(last_seen, looks_now, due) or not _is_invited(db, row, sitting, way.person):
                return dropped
            return msgspec.structs.replace(notification, moved=_host_name(row, sitting))
        case "challenge" | "counter" if way.challenged and not _has_seen(last_seen, looks_now, due):
            is_invited = _is_invited(db, row, sitting, way.person)
            return msgspec.structs.replace(notification, moved=_host_name(row, sitting)) if is_invited else dropped
        case "followed" if way.followed and not _has_seen(last_seen, looks_now, due):
            return _followed_table(db, notification, row, sitting) or dropped
    return dropped


def _host_name(row: TableRow, sitting: Sequence[SeatRow]) -> str:
    """Return the name of the host at their table, or "" if they do not sit there."""
    return next((seat.name for seat in sitting if seat.person == row.host), "")


def _followed_table(
    db: Connection, notification: Notification, row: TableRow, sitting: Sequence[SeatRow]
) -> Notification | None:
    """Return the news of a table that is open to all, of a person whom the recipient still follows; or None."""
    about, reader = notification.due.about or "", notification.person
    is_open = row.status == "waiting" and any(seat.kind == "open" and not is_taken(seat) for seat in sitting)
    name = next((seat.name for seat in sitting if seat.person == about), "")
    is_there = any(reader in (seat.person, seat.reserved) for seat in sitting)
    if not (is_open and name) or is_there or is_kept_out(db, row.host, reader) or not is_followed(db, about, reader):
        return None
    return msgspec.structs.replace(notification, moved=name)


_SEEK: Final = (
    select(seeks.c.game, people.c.name)
    .join(people, people.c.id == seeks.c.person)
    .where(seeks.c.person == bindparam("person"), seeks.c.table_id.is_(None), seeks.c.seen > bindparam("since"))
)


def _followed_seek(db: Connection, plain: Notification, now: int) -> Notification | Outcome:
    """Return the news that a person looks for a game whom the recipient still follows, if they do both."""
    about = plain.due.about or ""
    row = db.execute(_SEEK, {"person": about, "since": now - _MINUTE}).first()
    if row is None or row.game not in plugins() or not is_followed(db, about, plain.person):
        return Outcome(plain.due, "dropped")
    return msgspec.structs.replace(plain, moved=row.name, wanted=row.game)


def _declined(db: Connection, plain: Notification) -> Notification | Outcome:
    """Return the news that a challenge was declined."""
    name = db.scalar(select(people.c.name).where(people.c.id == plain.due.about))
    return msgspec.structs.replace(plain, moved=name) if name else Outcome(plain.due, "dropped")


def _message(db: Connection, plain: Notification) -> Notification | Outcome:
    """Return the news that somebody has written, unless it was read, or there is later news of the same person."""
    due, author = plain.due, plain.due.about or ""
    later = select(outbox.c.id).where(
        *(outbox.c.way == due.way, outbox.c.occasion == "message", outbox.c.about == author),
        outbox.c.created > due.created,
    )
    unread = unread_conversation(db, plain.person, author)
    if unread is None or db.execute(later.limit(1)).first() is not None:
        return Outcome(due, "dropped")
    conversation, name = unread
    return msgspec.structs.replace(plain, moved=name, conversation=conversation)


def _place(db: Connection, plain: Notification) -> Notification | Outcome:
    """Return the news that a person has a place in a tournament, as long as it has not begun."""
    has_place = select(tournaments.c.name, tournaments.c.game).join(
        entrants, entrants.c.tournament == tournaments.c.id
    )
    is_theirs = (entrants.c.person == plain.person) & entrants.c.left.is_(None) & ~entrants.c.waiting
    is_open = (tournaments.c.id == plain.due.about) & (tournaments.c.status == "open")
    row = db.execute(has_place.where(is_open, is_theirs)).first()
    if row is None or row.game not in plugins():
        return Outcome(plain.due, "dropped")
    return msgspec.structs.replace(plain, moved=row.name, tournament=plain.due.about or "", wanted=row.game)


def _ending(row: TableRow, sitting: Sequence[SeatRow], person: str) -> EndedGame:
    """Return how the game of a table ended."""
    return ended_game(row, sitting, tuple(seat.seat for seat in sitting if seat.person == person))


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
    """Return True if a turn waits for the person: not in a pause, nor on their holiday."""
    if row.status != "playing" or row.mover is None or row.stopped is not None:
        return False
    mover = sitting[row.mover]
    return mover.person == person and not mover.stood_in and not mover.resigned


def _reminder(
    notification: Notification, way: Row[*tuple[Any, ...]], row: TableRow, sitting: Sequence[SeatRow], now: int
) -> Notification | Later | Outcome:
    """Return the reminder, or when to look again; drop it if it is no longer needed.

    Deadlines move on while the server does not run, and a person who has looked is not away. A reminder that would
    fall in quiet hours comes before them. If that is in the first half of a move's time, it comes after them, if
    there is still time then.
    """
    at = None
    if row.deadline is None:
        at = absence.reminder_time(row, sitting, now)
    elif row.deadline > now:
        at = row.deadline - enqueuing.lead_time(row, way.lead)
    if at is None:
        return Outcome(notification.due, "dropped")
    before = time_before_quiet(at, now, way.quiet_from, way.quiet_to, way.zone)
    if row.deadline is None or not enqueuing.is_first_half(row, row.deadline, before):
        at = before
    else:
        quiet = quiet_span(at, way.quiet_from, way.quiet_to, way.zone)
        is_in_time = quiet is None or quiet.end + enqueuing.QUICKEST <= row.deadline
        at = at if is_in_time else before  # the decision is put off to the end of the quiet hours
    return Later(at) if at > now + _MINUTE else notification


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
