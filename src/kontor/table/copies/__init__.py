"""Copies of a house: to a file, back from it, and from one database to another.

All three are one thing: all rows of one moment as lines, and the lines as rows again.
"""

from __future__ import annotations

from kontor.table.copies.copying import Copied, Moved, back_up, move, restore

__all__ = ["Copied", "Moved", "back_up", "move", "restore"]
