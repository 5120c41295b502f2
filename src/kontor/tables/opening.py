"""Opening of tables, and the people at them, until the game begins. It begins when all seats are taken."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, delete, func, insert, select, update

from kontor.errors import BadInvitation, NotAllowed, NotNow, SeatTaken, TooMany
from kontor.fair import commitment
from kontor.people import blocks
from kontor.people.people import hash_token
from kontor.people.person_rows import NOBODY, name_of_person, take_person
from kontor.people.texts import distinct, name_of
from kontor.storage.ids import is_id, new_id
from kontor.storage.schema import invitations, seats, tables
from kontor.tables import next_seeds, plan_checks, salts
from kontor.tables.clocks import check_pace
from kontor.tables.enqueuing import note_followed, note_invitation
from kontor.tables.plan_checks import CheckedPlan, check_machine
from kontor.tables.rows import SeatRow, TableRow, is_taken, may_sit, seat_row, seat_rows, table_row
from kontor.tables.transactions import TableChange, TableTransactions
from kontor.tables.values import NO_SHARE, DiceKind, Pace, Plan, SeatPlan, Share

MOST_WAITING: Final = 20
"""The most tables that one person can have waiting for others."""

MOST_UNFINISHED: Final = 100
"""The most tables of one person that wait or are being played, including those with computer players only."""

MOST_UNFINISHED_OF_ORIGIN: Final = 500
"""The most such tables from one network: clubs and schools share one."""

_MOST_INVITATIONS: Final = 20
"""The most invitations for one seat; a new one replaces the oldest."""

_OF_TABLE: Final = "table:"
"""Precedes the token of an invitation to any seat before it is hashed: so it is no invitation to one seat."""

_STALE: Final = 30 * 24 * 3600 * 1000
"""A table that has waited for this long (in milliseconds) is deleted: nobody will come any more."""

_FREE: Final[dict[str, Any]] = {"person": None, "name": "", "player": "", "salt": "", "salt_commitment": ""}


# --------------------------------------------------------------------------------------------------------- opening


class TableOpening:
    """Opens tables, and seats people at them."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    def next_commitment(self, person: str) -> str:
        """Return the commitment to the seed of the next table that the person opens.

        The seed is drawn before they give their share. Raises NotAllowed if there is no such person.
        """
        return commitment(self._transactions.ask(lambda db: next_seeds.of_person(db, person)))

    def open(self, person: str, plan: Plan, share: Share = NO_SHARE, expected: str = "", origin: int = 0) -> str:
        """Open a table with the person as its host, and return its id; the game begins at once if nobody is missing.

        ``expected`` is the commitment that the person was shown; tables of one ``origin`` share thinkers. Raises
        BadPlan, BadOptions, BadName, BadText, TooMany; NotNow if that commitment was for another table.
        """
        checked = plan_checks.check(plan)
        with self._transactions.changing() as change:
            table = open_table(change, person, checked, share, expected, origin)
            note_open_seats(change, person, checked, table)
            return table

    def invitation(self, table: str, seat: int, person: str) -> str:
        """Return a token with which somebody can take the seat. Raises NotAllowed, SeatTaken, NotNow."""
        token = secrets.token_urlsafe(32)
        with self._transactions.changing() as change:
            _check_may_invite(change, _take_waiting(change, table), person)
            _check_empty(seat_row(change.db, table, seat))
            _add_invitation(change, table, seat, hash_token(token))
        return token

    def invitation_to_table(self, table: str, person: str) -> str:
        """Return a token that leads to any seat of the table. Raises NotAllowed, NotNow.

        Unlike an invitation to a seat, it can be used by several people, until all seats are taken.
        """
        token = secrets.token_urlsafe(32)
        with self._transactions.changing() as change:
            row = _take_waiting(change, table)
            own_seats = _check_may_invite(change, row, person)
            # Invitations go when their seat is taken: this one lies at one that is taken, or that is taken last.
            seat = own_seats[0] if own_seats else max(seat.seat for seat in seat_rows(change.db, table))
            _add_invitation(change, table, seat, hash_token(_OF_TABLE + token))
        return token

    def sit_anywhere(self, table: str, person: str, invitation: str, share: Share = NO_SHARE) -> None:
        """Seat the person on the first empty seat, by an invitation to the table. Raises SeatTaken, BadInvitation."""
        with self._transactions.changing() as change:
            name = take_person(change.db, person)
            row = change.take(table)
            if seats_of(change.db, table, person):
                return  # the request came twice, or the link was opened again
            empty = first_empty(seat_rows(change.db, table))
            if row.status != "waiting" or empty is None:
                raise SeatTaken("", "All seats are taken.")
            if not _is_invited_to_table(change.db, table, invitation) or blocks.is_kept_out(
                change.db, row.host, person
            ):
                raise BadInvitation("", "This seat is kept for someone who was invited.")
            _seat_person(change, row, empty, person, name, share)
            salts.begin_if_ready(change, table)

    def change_pace(self, table: str, person: str, pace: Pace) -> None:
        """Change the pace of a table at which only its host sits yet. Raises NotAllowed, NotNow, BadPlan."""
        check_pace(pace)
        with self._transactions.changing() as change:
            row = _take_waiting(change, table)
            _check_host(row, person)
            if any(seat.person not in (None, person) for seat in seat_rows(change.db, table)):
                raise NotNow("", "Others already sit here, at the pace that they have seen.")
            new = {"pace": pace.kind, "seconds": pace.seconds, "reserve": pace.reserve}
            change.db.execute(update(tables).where(tables.c.id == table).values(**new))
            change.db.execute(update(seats).where(seats.c.table_id == table).values(left=pace.reserve * 1000))
            change.touch(table)

    def sit(self, table: str, seat: int, person: str, invitation: str | None = None, share: Share = NO_SHARE) -> None:
        """Seat the person; the game begins if all seats are taken and no salt is missing.

        Raises SeatTaken, BadInvitation.
        """
        with self._transactions.changing() as change:
            name = take_person(change.db, person)  # locks out a concurrent deletion or merge of the person
            row = change.take(table)
            sitting = seat_row(change.db, table, seat)
            if sitting.person == person:
                return  # the request came twice
            _check_empty(sitting)  # all are taken once the game has begun
            if seats_of(change.db, table, person):
                raise SeatTaken("", "You are already seated at this table.")
            invited = may_sit(sitting, person) or _is_invited(change.db, sitting, invitation)
            if not invited or blocks.is_kept_out(change.db, row.host, person):
                raise BadInvitation("", "This seat is kept for someone who was invited.")
            _seat_person(change, row, sitting, person, name, share)
            salts.begin_if_ready(change, table)

    def leave(self, table: str, person: str) -> None:
        """Remove the person from a table whose game has not begun. Raises NotNow, NotAllowed."""
        with self._transactions.changing() as change:
            _leave(change, _take_waiting(change, table), person)

    def fill(self, table: str, seat: int, person: str, player: str, names: Sequence[str] = ()) -> None:
        """Put a computer player on an empty seat, for the host. Raises NotAllowed, SeatTaken, NotNow, BadOptions.

        It gets the first of the ``names`` that is free; without any it is called by its kind.
        """
        with self._transactions.changing() as change:
            row = _take_waiting(change, table)
            _check_host(row, person)
            sitting = seat_row(change.db, table, seat)
            _check_empty(sitting)
            check_machine(row.game, player)
            _fill_seat(change, sitting, player, names)
            change.touch(table)
            salts.begin_if_ready(change, table)

    def fill_rest(self, table: str, person: str, player: str, names: Sequence[str] = ()) -> None:
        """Put computer players on all empty seats, for the host. Raises NotAllowed, NotNow, BadOptions."""
        with self._transactions.changing() as change:
            row = _take_waiting(change, table)
            _check_host(row, person)
            check_machine(row.game, player)
            for sitting in seat_rows(change.db, table):
                if not is_taken(sitting):
                    _fill_seat(change, sitting, player, names)
            change.touch(table)
            salts.begin_if_ready(change, table)

    def seats_of(self, table: str, person: str) -> tuple[int, ...]:
        """Return the seats of the person: those whose view they see, and for which they may move."""
        with self._transactions.reading() as db:
            return seats_of(db, table, person)

    def rematch(self, table: str, person: str, share: Share = NO_SHARE) -> str:
        """Return the id of the rematch's table, which the first request makes; seat the person where they sat before.

        Raises NotNow, NotAllowed.
        """
        with self._transactions.changing() as change:
            old = change.take(table)
            if old.status != "over":
                raise NotNow("", "The game is not over yet.")
            if old.host != person and not seats_of(change.db, table, person):
                raise NotAllowed("", "You were not seated at this table.")
            existing = change.db.scalars(_newest_rematch(table, person)).first()
            new = existing or _open_rematch(change, old, person)
            row = change.take(new)
            if row.status == "waiting" and not blocks.is_kept_out(change.db, row.host, person):
                for seat in seat_rows(change.db, new):
                    if seat.reserved == person and not is_taken(seat):
                        _seat_person(change, row, seat, person, seat.name, share)
                salts.begin_if_ready(change, new)
                if existing is None and any(
                    seat.reserved and not is_taken(seat) for seat in seat_rows(change.db, new)
                ):
                    change.say(table, "rematch", None, _name_at(change.db, table, person), person=person)
            return new

    def decline_rematch(self, table: str, person: str) -> None:
        """Decline the rematch for the person, or withdraw their offer of it. Raises NotNow, NotAllowed."""
        with self._transactions.changing() as change:
            change.take(table)
            name = _name_at(change.db, table, person)
            existing = change.db.scalars(_newest_rematch(table, person)).first()
            if existing is None:
                raise NotNow("", "No rematch has been offered.")
            _leave(change, _take_waiting(change, existing), person)
            change.say(table, "no rematch", None, name, person=person)


def _newest_rematch(table: str, person: str) -> Select[str]:
    """Select the newest rematch whose host the person has not blocked.

    The query waits for one that is just being deleted: then it is not there.
    """
    hosted_by_blocked = tables.c.host.in_(blocks.blocked_persons(person))
    query = (
        select(tables.c.id).where(tables.c.rematch_of == table, ~hosted_by_blocked).order_by(tables.c.created.desc())
    )
    return query.with_for_update(key_share=True)


def _name_at(db: Connection, table: str, person: str) -> str:
    """Return the person's name at a table where they sit, or else their general name."""
    return next((seat.name for seat in seat_rows(db, table) if seat.person == person), "") or name_of_person(
        db, person
    )


def _leave(change: TableChange, row: TableRow, person: str) -> None:
    """Remove the person from a waiting table that was taken."""
    sitting = seat_rows(change.db, row.id)
    own_seats = [seat for seat in sitting if person in (seat.person, seat.reserved)]
    if not own_seats and row.host != person:
        raise NotAllowed("", "You are not seated at this table.")
    salts.check_nothing_revealed(row, sitting)
    stand_up(change, row, sitting, person)


def _touch_before(change: TableChange, row: TableRow) -> None:
    """Mark the table before a rematch as changed: people who look at it see who comes to the rematch."""
    if row.rematch_of is not None:
        change.touch(row.rematch_of)


def stand_up(change: TableChange, row: TableRow, sitting: Sequence[SeatRow], person: str) -> None:
    """Remove the person from a waiting table; delete the table if nobody else sits there."""
    table = row.id
    own_seats = [seat for seat in sitting if person in (seat.person, seat.reserved)]
    kept_for = "open" if any(seat.kind == "open" for seat in sitting) else "friend"
    for seat in own_seats:
        kind = kept_for if seat.kind in ("me", "here") else seat.kind
        _update_seat(change, seat, **_FREE, reserved=None, kind=kind)
        if seat.person == person:
            change.say(table, "left", None, seat.name, person=person)
    change.db.execute(update(tables).where(tables.c.id == table).values(since=None, deadline=None))
    if row.host == person:
        _pass_host_on(change, table, [seat.person for seat in sitting if seat.person not in (None, person)])
    change.touch(table)
    _touch_before(change, row)


def open_table(
    change: TableChange, person: str, checked: CheckedPlan, share: Share, expected: str, origin: int
) -> str:
    """Make a new table and seat the person where the plan says; return the table's id."""
    plan = checked.plan
    dice = _dice_of(plan)
    name = take_person(change.db, person)
    table = _new_table(
        change,
        person,
        next_seeds.take_of_person(change.db, person, expected),
        {
            "game": checked.game.name,
            "rules": checked.game.version,
            "options": checked.options,
            "pace": plan.pace.kind,
            "seconds": plan.pace.seconds,
            "reserve": plan.pace.reserve,
            "watch": plan.watch,
            "stand_in": plan.stand_in,
            "seating": plan.order,
            "hints": plan.hints,
            "takeover": plan.takeover,
            "tempo": plan.tempo,
            "dice": dice,
            "origin": origin,
        },
    )
    share_values = salts.share_columns(share, dice)
    taken_names: set[str] = set()
    for place, seat in enumerate(plan.seats):
        seat_name = (
            distinct(_name(seat, name), taken_names) if seat.kind in ("me", "here", "machine") else _name(seat, name)
        )
        taken_names.add(seat_name)
        is_own = seat.kind in ("me", "here")
        row = {
            "kind": seat.kind,
            "name": seat_name,
            "player": seat.player,
            "person": person if is_own else None,
            "salt": "",
        }
        insert_seat(change, table, place, plan.pace.reserve, row | (share_values if is_own else {}))
    salts.begin_if_ready(change, table)
    return table


def note_open_seats(change: TableChange, person: str, checked: CheckedPlan, table: str) -> None:
    """Notify those who follow the person of a new table of theirs, if anybody may sit down there."""
    if any(seat.kind == "open" for seat in checked.plan.seats):
        note_followed(change, person, table)


def reserve_seat(change: TableChange, table: str, seat: int, person: str, name: str) -> None:
    """Keep an empty seat of a new table for a person, who then needs no invitation."""
    _update_seat(change, seat_row(change.db, table, seat), kind="friend", name=name, reserved=person)


def open_together(
    change: TableChange,
    checked: CheckedPlan,
    origin: int,
    host: tuple[str, Share],
    others: Sequence[tuple[str, Share]],
) -> str:
    """Make a new table at which all of them sit, each with their share of the dice; return its id.

    The others sit on the open seats. The rows of all people are locked already.
    """
    table = open_table(change, host[0], checked, host[1], "", origin)
    if not others:
        return table
    row = change.take(table)
    free = [seat for seat in seat_rows(change.db, table) if seat.kind == "open"]
    for seat, (person, share) in zip(free, others, strict=True):
        _seat_person(change, row, seat, person, take_person(change.db, person), share)
    salts.begin_if_ready(change, table)
    return table


def _dice_of(plan: Plan) -> DiceKind:
    """Return the kind of dice that a plan means."""
    if plan.strict_dice:
        return "strict"
    return "simple" if plan.dice == "early" and plan.pace.kind == "live" else "early"


def _name(seat: SeatPlan, me: str) -> str:
    """Return the name of the person or computer player who sits there, or is expected."""
    if seat.kind == "me":
        return me
    return name_of(seat.name) if seat.name else seat.player


def _new_table(change: TableChange, host: str, seed: bytes, row: dict[str, Any]) -> str:
    """Make a table if the host has room for it; return its id.

    The host's row is locked: of two tables at once, the second is counted after the first.
    """
    check_room(change.db, host, row["origin"])
    return insert_table(change, host, seed, row)


def insert_table(change: TableChange, host: str, seed: bytes, row: dict[str, Any]) -> str:
    """Insert a new table without seats, without any check of limits; return its id."""
    table = new_id()
    new = {"id": table, "host": host, "status": "waiting", "created": change.now, "number": 0}
    dice = {"seed": seed, "commitment": commitment(seed), **next_seeds.of_rematch()}
    change.db.execute(insert(tables).values(**row, **new, **dice))
    change.touch(table)
    return table


def check_room(db: Connection, host: str, origin: int) -> None:
    """Raise TooMany if the host or the network has too many unfinished games, which would fill the server."""
    unfinished = tables.c.status.in_(("waiting", "playing"))
    waiting = func.count().filter(tables.c.status == "waiting")
    query = select(waiting, func.count()).select_from(tables).where(tables.c.host == host, unfinished)
    waiting_now, unfinished_now = db.execute(query).one()
    if waiting_now >= MOST_WAITING:
        reason = "You already have {most} tables waiting for players: cancel one first."
        raise TooMany("", reason, most=MOST_WAITING)
    if unfinished_now >= MOST_UNFINISHED:
        reason = "You already have {most} unfinished games: finish or end one first."
        raise TooMany("", reason, most=MOST_UNFINISHED)
    if not origin:
        return  # opened by the server itself
    from_origin = select(func.count()).select_from(tables).where(tables.c.origin == origin, unfinished)
    if (db.scalar(from_origin) or 0) >= MOST_UNFINISHED_OF_ORIGIN:
        reason = "{most} games are being played from your network: end one of yours first, or come back later."
        raise TooMany("", reason, most=MOST_UNFINISHED_OF_ORIGIN)


def insert_seat(change: TableChange, table: str, seat: int, reserve: int, row: dict[str, Any]) -> None:
    """Insert a seat of a new table."""
    same = {"table_id": table, "seat": seat, "place": seat, "stood_in": "", "left": reserve * 1000}
    change.db.execute(insert(seats).values(**row, **same))


def _take_waiting(change: TableChange, table: str) -> TableRow:
    row = change.take(table)
    if row.status != "waiting":
        raise NotNow("", "The game has already begun.")
    return row


# --------------------------------------------------------------------------------------------------------- sitting


def seats_of(db: Connection, table: str, person: str) -> tuple[int, ...]:
    """Return the person's seats: several if others play at the same device."""
    if not (is_id(table) and is_id(person)):
        return ()
    query = select(seats.c.seat).where(seats.c.table_id == table, seats.c.person == person).order_by(seats.c.seat)
    return tuple(db.scalars(query))


def _check_empty(seat: SeatRow) -> None:
    if is_taken(seat):
        raise SeatTaken("", "This seat is taken.")


def first_empty(sitting: Sequence[SeatRow]) -> SeatRow | None:
    """Return the first empty seat: one kept for nobody, if possible; None if all are taken."""
    return min((seat for seat in sitting if not is_taken(seat)), key=lambda seat: bool(seat.reserved), default=None)


def _check_host(row: TableRow, person: str) -> None:
    if row.host != person:
        raise NotAllowed("", "Only the person who opened the table can do this.")


def _check_may_invite(change: TableChange, row: TableRow, person: str) -> tuple[int, ...]:
    """Return the person's seats. Raises NotAllowed if they have none, and are not the host."""
    own_seats = seats_of(change.db, row.id, person)
    if row.host != person and not own_seats:
        raise NotAllowed("", "Only people seated at this table can invite others.")
    return own_seats


def _add_invitation(change: TableChange, table: str, seat: int, token_hash: str) -> None:
    """Store an invitation; delete the oldest of the seat if there are too many."""
    of_seat = (invitations.c.table_id == table) & (invitations.c.seat == seat)
    newest_first = (invitations.c.created.desc(), invitations.c.hash)
    newest = change.db.scalars(
        select(invitations.c.hash).where(of_seat).order_by(*newest_first).limit(_MOST_INVITATIONS - 1)
    ).all()
    change.db.execute(delete(invitations).where(of_seat, invitations.c.hash.not_in(newest)))
    new = {"hash": token_hash, "table_id": table, "seat": seat, "created": change.now}
    change.db.execute(insert(invitations).values(**new))


def _is_invited(db: Connection, seat: SeatRow, invitation: str | None) -> bool:
    of_seat = (invitations.c.table_id == seat.table_id) & (invitations.c.seat == seat.seat)
    return bool(invitation) and _is_stored(db, of_seat, hash_token(invitation or ""))


def _is_invited_to_table(db: Connection, table: str, invitation: str) -> bool:
    return _is_stored(db, invitations.c.table_id == table, hash_token(_OF_TABLE + invitation))


def _is_stored(db: Connection, condition: ColumnElement[bool], token_hash: str) -> bool:
    stored_hashes = db.scalars(select(invitations.c.hash).where(condition))
    # All are compared, so that the time reveals nothing.
    return sum(hmac.compare_digest(token_hash, stored_hash) for stored_hash in stored_hashes) > 0


def _seat_person(change: TableChange, row: TableRow, seat: SeatRow, person: str, name: str, share: Share) -> None:
    taken_names = {other.name for other in seat_rows(change.db, seat.table_id) if is_taken(other)}
    seat_name = distinct(name, taken_names)
    _update_seat(change, seat, person=person, name=seat_name, **salts.share_columns(share, row.dice))
    change.db.execute(delete(invitations).where(_is_seat(invitations.c, seat)))
    change.say(seat.table_id, "sat", None, seat_name, person=person)
    _touch_before(change, row)


def _fill_seat(change: TableChange, sitting: SeatRow, player: str, names: Sequence[str]) -> None:
    """Put a computer player on a seat, by the first of the names that is free."""
    taken_names = {other.name for other in seat_rows(change.db, sitting.table_id) if is_taken(other)}
    free_name = next((name for name in names if distinct(name, taken_names) == name), player)
    name = distinct(free_name, taken_names)
    _update_seat(change, sitting, kind="machine", player=player, name=name, reserved=None)
    change.db.execute(delete(invitations).where(_is_seat(invitations.c, sitting)))


def _update_seat(change: TableChange, seat: SeatRow, **values: Any) -> None:
    change.db.execute(update(seats).where(_is_seat(seats.c, seat)).values(**values))


def _is_seat(columns: Any, seat: SeatRow) -> ColumnElement[bool]:
    same: ColumnElement[bool] = (columns.table_id == seat.table_id) & (columns.seat == seat.seat)
    return same


def _pass_host_on(change: TableChange, table: str, other_ids: Sequence[str]) -> None:
    is_table = tables.c.id == table
    if other_ids:
        change.db.execute(update(tables).where(is_table).values(host=other_ids[0]))
    else:
        change.db.execute(delete(tables).where(is_table))


def sweep(change: TableChange, until: int) -> None:
    """Delete tables that had waited for more than a month at the time ``until``."""
    stale = (tables.c.status == "waiting") & (tables.c.created < until - _STALE)
    free = select(tables.c.id).where(stale).with_for_update(skip_locked=True)
    for table in change.db.scalars(delete(tables).where(tables.c.id.in_(free)).returning(tables.c.id)).all():
        change.touch(table)


# --------------------------------------------------------------------------------------------------------- rematch


_KEPT: Final = (
    *("game", "rules", "options", "pace", "seconds", "reserve", "watch", "stand_in", "hints", "takeover"),
    *("tempo", "origin"),
)


def _open_rematch(change: TableChange, old: TableRow, host: str) -> str:
    """Make the table of a rematch with the seats in the old order; return its id.

    A seat that is reserved for nobody any more can be taken with an invitation.
    """
    take_person(change.db, host)
    row = {name: getattr(old, name) for name in _KEPT}
    row["dice"] = "strict" if old.dice == "strict" else "early"
    seed = next_seeds.take_of_table(change.db, old.id)
    new = _new_table(change, host, seed, row | {"seating": "given", "rematch_of": old.id})
    for seat in seat_rows(change.db, old.id):
        kind = seat.kind if seat.kind in ("machine", "here") else "friend"
        has_left = seat.person == NOBODY
        seat_values = {"name": "" if has_left else seat.name, "player": seat.player, "person": None, "salt": ""}
        seat_values["reserved"] = None if has_left else seat.person
        insert_seat(change, new, seat.seat, old.reserve, seat_values | {"kind": kind})
    change.touch(old.id)
    note_invitation(change, table_row(change.db, new), seat_rows(change.db, new), host)
    return new
