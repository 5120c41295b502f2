"""Copies of a server: to a file, back from it, and from one database to another.

All three are one thing: all rows of one moment as lines, and the lines as rows again.
"""

from __future__ import annotations

from kontor.table.copies.copying import CopiedDatabase, MovedDatabase, back_up, move, restore

__all__ = ["CopiedDatabase", "MovedDatabase", "back_up", "move", "restore"]
