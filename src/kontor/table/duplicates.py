"""Tables that have the same dice: whoever sees one of them knows what will come at the others.

So each of them is *sealed* until all have ended: only those who sit there see it, and neither its record nor its seed
is told, nor is it reviewed. Whoever opens such tables releases them when no more of them will come. Where they are
played *in step*, chance waits besides (``stepping``), so that those who sit there tell nobody what is to come.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import case, select, update

from kontor.table.changes import Change
from kontor.table.schema import tables
from kontor.table.values import SEALED_DICE

SEALED: Final[dict[str, Any]] = {"dice": "sealed", "watch": False, "seating": "given"}
"""The columns of ``tables`` that make a table one of those. They have the same seed, and nobody brings a salt."""

IN_STEP: Final[dict[str, Any]] = {**SEALED, "dice": "in step"}
"""The same of one that is played in step with the others."""

_RELEASED: Final = case((tables.c.dice == "in step", "stepped"), else_="duplicate")


def release(change: Change, shared: str) -> bool:
    """All tables whose dice have this commitment can be seen by anybody from now on. False where one of them has not
    ended: then they stay as they are."""
    here = (tables.c.commitment == shared) & tables.c.dice.in_(SEALED_DICE)
    if change.db.execute(select(tables.c.id).where(here, tables.c.status != "over").limit(1)).first():
        return False
    change.count(update(tables).where(here).values(dice=_RELEASED, watch=True))
    return True
