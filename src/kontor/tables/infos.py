"""Tables from outside, as a person may see them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import BindParameter, Connection, bindparam, exists, select

from kontor.endings import EarlyEnd
from kontor.fair import salt_commitment
from kontor.game import Result
from kontor.plugins import plugins
from kontor.storage.schema import SEAT_ROW, blocks, seats, tables
from kontor.storage.stored_times import datetime_of, maybe_datetime
from kontor.tables import absence, clocks, undo
from kontor.tables.game_states import options_of
from kontor.tables.presence import is_here
from kontor.tables.rows import (
    Rematch,
    SeatRow,
    TableRow,
    asked_to_begin,
    is_taken,
    is_unrevealed,
    may_begin_without,
    may_sit,
)
from kontor.tables.snapshots import TableSnapshot
from kontor.tables.values import Pace, RematchOffer, SeatInfo, TableInfo

_HOUR: Final = 3600 * 1000


def info(snapshot: TableSnapshot, person: str | None, now: int) -> TableInfo:
    """Return one table, as the person may see it.

    A rematch is left out if the person has blocked its host.
    """
    rematch = snapshot.rematch
    if rematch is None or person in rematch.unwelcome_to:
        return _info(snapshot.row, snapshot.seats, None, person, now)
    without_offer = _info(snapshot.row, snapshot.seats, rematch.id, person, now)
    return replace(without_offer, rematch_offer=_offer(snapshot.seats, rematch, person))


PERSON: Final[BindParameter[Any]] = bindparam("person")


IS_KNOWN_GAME: Final = tables.c.game.in_(bindparam("known_games", callable_=lambda: list(plugins()), expanding=True))
"""The condition that this Kontor knows the game; tables of other games cannot be shown or played on.

Plug-ins are looked up when the query runs, not at import.
"""


BLOCKS_HOST: Final = exists().where(
    blocks.c.person == PERSON, blocks.c.other == tables.c.host, blocks.c.kind == "block"
)


_IDS: Final[BindParameter[Any]] = bindparam("ids", expanding=True)


_THEIR_SEATS: Final = select(*SEAT_ROW).where(seats.c.table_id.in_(_IDS)).order_by(seats.c.seat)


_THEIR_REMATCHES: Final = (
    select(tables.c.rematch_of, tables.c.id)
    .where(tables.c.rematch_of.in_(_IDS), ~BLOCKS_HOST)
    .order_by(tables.c.created)
)


def _salt_commitment(row: TableRow, seat: SeatRow) -> str:
    """Return the seat's commitment; for a salt told openly at a table with strict dice, the commitment to it.

    The people who tell their salts only when everybody sits must know before that the open ones stay as they are,
    too.
    """
    if row.dice != "strict" or seat.salt_commitment or not seat.salt:
        return seat.salt_commitment
    return salt_commitment(seat.salt)


def infos(db: Connection, rows: Sequence[TableRow], person: str | None, now: int) -> tuple[TableInfo, ...]:
    """Return several tables, as the person may see them."""
    ids = [row.id for row in rows]
    sitting = defaultdict(list)
    for seat in [SeatRow(*row) for row in db.execute(_THEIR_SEATS, {"ids": ids})]:
        sitting[seat.table_id].append(seat)
    rematches = {row.rematch_of: row.id for row in db.execute(_THEIR_REMATCHES, {"ids": ids, "person": person})}
    return tuple(_info(row, sitting[row.id], rematches.get(row.id), person, now) for row in rows)


def _presence(seat: SeatRow, reader: str | None, now: int) -> dict[str, Any]:
    """Return the presence of the person at a seat, as another person at the table may see it."""
    if reader is None or seat.person in (None, reader) or seat.player:
        return {"here": None, "away": None}
    is_present = is_here(seat, now)
    is_away = not is_present and seat.visited is not None
    return {"here": is_present, "away": max(0, now - (seat.visited or 0)) // _HOUR if is_away else None}


def _offer(sitting: Sequence[SeatRow], rematch: Rematch, person: str | None) -> RematchOffer | None:
    """Return the offer of a rematch, with those people of the old table who have not answered or have declined."""
    if not rematch.seats:
        return None
    names: dict[str, str] = {}
    for seat in sitting:
        if seat.person is not None:
            names.setdefault(seat.person, seat.name)  # of several at one device, the first
    present = {seat.person for seat in rematch.seats}
    awaited = {seat.reserved for seat in rematch.seats if seat.person is None and seat.reserved is not None}
    return RematchOffer(
        by=names.get(rematch.host, ""),
        missing=tuple(name for person_id, name in names.items() if person_id in awaited),
        declined=tuple(name for person_id, name in names.items() if person_id not in awaited | present),
        own=person == rematch.host,
        asked=person in awaited,
    )


def _seat_info(row: TableRow, seat: SeatRow, own_seats: Sequence[int], person: str | None, now: int) -> SeatInfo:
    waiting, may_watch = row.status == "waiting", bool(row.watch or own_seats)
    is_free = waiting and not own_seats and not is_taken(seat)
    return SeatInfo(
        kind=seat.kind,
        name=seat.name,
        player=seat.player,
        taken=is_taken(seat),
        mine=seat.seat in own_seats,
        may_sit=is_free and person is not None and may_sit(seat, person),
        stood_in=seat.stood_in,
        reserve=seat.left / 1000 if (row.pace == "live" or seat.left) and not seat.player else None,
        resigned=seat.resigned,
        agreed=seat.agreed and row.proposed is not None,
        salt_commitment=_salt_commitment(row, seat),
        unrevealed=waiting and is_unrevealed(seat),
        begins_without=waiting and seat.begins_without,
        holiday=maybe_datetime(seat.holiday) if may_watch and clocks.is_on_holiday(row, seat, now) else None,
        more_time=clocks.gift(row, seat) if own_seats and seat.seat not in own_seats else 0,
        **_presence(seat, person if own_seats else None, now),
    )


def _info(row: TableRow, sitting: Sequence[SeatRow], rematch: str | None, person: str | None, now: int) -> TableInfo:
    playing = row.status == "playing"
    own_seats = tuple(seat.seat for seat in sitting if person is not None and seat.person == person)
    return TableInfo(
        id=row.id,
        game=row.game,
        options=options_of(row),
        status=row.status,
        seats=tuple(_seat_info(row, seat, own_seats, person, now) for seat in sitting),
        pace=Pace(row.pace, row.seconds, row.reserve),
        watch=row.watch,
        stand_in=row.stand_in,
        order=row.seating,
        hints=row.hints,
        takeover=row.takeover,
        tempo=row.tempo,
        created=datetime_of(row.created),
        started=maybe_datetime(row.started),
        ended=maybe_datetime(row.ended),
        number=row.number,
        mover=row.mover if playing else None,
        since=maybe_datetime(row.since) if playing else None,
        deadline=maybe_datetime(row.deadline) if playing else None,
        paused=row.paused,
        resumes=maybe_datetime(row.resumes) if playing and (row.watch or own_seats) else None,
        late=clocks.late_seat(row, now) if playing else None,
        undo_until=undo.undo_until(row, sitting, person, now),
        undone=row.undone,
        result=msgspec.json.decode(row.result, type=Result) if row.result else None,
        early=msgspec.json.decode(row.early, type=EarlyEnd) if row.early else None,
        proposed=row.proposed if row.proposal == "end" else None,
        pause_proposed=row.proposed if row.proposal == "pause" and playing else None,
        undo_proposed=row.proposed if row.proposal == "undo" and playing else None,
        undo_to=row.undo_to if row.proposal == "undo" and playing and row.proposed is not None else None,
        breaks=row.breaks,
        claimable=absence.claimable_seat(row, sitting, now),
        dice=row.dice,
        commitment=row.commitment,
        revealing=row.status == "waiting" and row.since is not None,
        may_begin_without=may_begin_without(row, sitting, now),
        asked_to_begin=row.status == "waiting" and person in asked_to_begin(sitting),
        next_commitment=row.next_commitment or "",
        rematch=rematch,
        rematch_offer=None,
        host=person is not None and row.host == person,
        mine=own_seats,
        my_turn=playing and not row.paused and row.mover in own_seats and not sitting[row.mover].stood_in,
        may_watch=bool(row.watch or own_seats),
    )
