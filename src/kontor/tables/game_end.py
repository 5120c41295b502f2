"""The end of a game before the rules end it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import update

from kontor.endings import EarlyEnd
from kontor.storage.schema import tables
from kontor.tables import archiving
from kontor.tables.enqueuing import note_end
from kontor.tables.given_ahead import drop_given
from kontor.tables.rows import SeatRow, TableRow
from kontor.tables.transactions import TableChange


def end_game(change: TableChange, row: TableRow, sitting: Sequence[SeatRow], early: EarlyEnd, person: str) -> None:
    """End the game early, by an act of the person."""
    early_json = msgspec.json.encode(early).decode()
    over = {
        "status": "over",
        "ended": change.now,
        "early": early_json,
        "machine": False,
        "deadline": None,
        "proposed": None,
        "stopped": None,
        "resumes": None,
        "paused": False,
    }
    change.db.execute(update(tables).where(tables.c.id == row.id).values(**over))
    archiving.archive_table(change, row.id)
    drop_given(change.db, row.id)
    change.say(row.id, "ended", None, "")
    note_end(change, row, sitting, person)
