"""Copies of a server: to a file, back from it, and from one database to another.

All three work alike: they read all rows at one moment as lines, and turn the lines into rows again.
"""

from __future__ import annotations

from kontor.server.copies.copying import CopiedDatabase, MovedDatabase, back_up, move, restore

__all__ = ["CopiedDatabase", "MovedDatabase", "back_up", "move", "restore"]
