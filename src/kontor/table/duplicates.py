"""Tables that have the same dice: whoever sees one of them knows what will come at the others.

So each of them is *sealed* until all have ended: only those who sit there see it, and neither its record nor its seed
is told, nor is it reviewed. Whoever opens such tables releases them when no more of them will come.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import select, update

from kontor.table.changes import Change
from kontor.table.schema import tables

SEALED: Final[dict[str, Any]] = {"dice": "sealed", "watch": False, "seating": "given"}
"""The columns of ``tables`` that make a table one of those. They have the same seed, and nobody brings a salt."""

SHARED: Final = ("sealed", "duplicate")
"""Values of ``tables.dice`` of such a table, before and after its release."""


def release(change: Change, shared: str) -> bool:
    """All tables whose dice have this commitment can be seen by anybody from now on. False where one of them has not
    ended: then they stay as they are."""
    here = (tables.c.commitment == shared) & (tables.c.dice == "sealed")
    if change.db.execute(select(tables.c.id).where(here, tables.c.status != "over").limit(1)).first():
        return False
    change.count(update(tables).where(here).values(dice="duplicate", watch=True))
    return True
