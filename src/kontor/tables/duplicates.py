"""Tables that have the same dice, so that a person who sees one of them knows the dice of the others.

So each of them is *sealed* until all have ended. Only people seated there see it, its record and seed are withheld,
and it is not reviewed. The code that opens such tables releases them when no more of them will come. At tables played
*in step*, chance waits too (``stepping``), so that people seated there can't tell others what is to come.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import case, select, update

from kontor.storage.schema import tables
from kontor.tables.archiving import archive
from kontor.tables.transactions import TableChange
from kontor.tables.values import SEALED_DICE

SEALED: Final[dict[str, Any]] = {"dice": "sealed", "watch": False, "seating": "given"}
"""The columns of ``tables`` that make a table sealed. Such tables have the same seed, and nobody brings a salt."""

IN_STEP: Final[dict[str, Any]] = {**SEALED, "dice": "in step"}
"""The columns of ``tables`` for a sealed table that is played in step with the others."""

_RELEASED: Final = case((tables.c.dice == "in step", "stepped"), else_="duplicate")


def release(change: TableChange, shared: str) -> bool:
    """Let everybody see the tables whose dice have this commitment.

    If one of them has not ended, return False and change nothing.
    """
    is_shared = (tables.c.commitment == shared) & tables.c.dice.in_(SEALED_DICE)
    if change.db.execute(select(tables.c.id).where(is_shared, tables.c.status != "over").limit(1)).first():
        return False
    change.count(update(tables).where(is_shared).values(dice=_RELEASED, watch=True))
    archive(change, tables.c.commitment == shared)
    return True
