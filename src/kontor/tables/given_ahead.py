"""Moves given ahead that are of no use any more: those of a game that ends, goes back, or has another player."""

from __future__ import annotations

from sqlalchemy import Connection, delete, or_, update

from kontor.storage.schema import moves_ahead


def drop_given(db: Connection, table: str) -> None:
    """Delete all moves given ahead at a table."""
    db.execute(delete(moves_ahead).where(moves_ahead.c.table_id == table))


def drop_given_of_seat(db: Connection, table: str, seat: int) -> None:
    """Delete the moves given ahead for a seat."""
    db.execute(delete(moves_ahead).where(moves_ahead.c.table_id == table, moves_ahead.c.seat == seat))


def drop_given_after(db: Connection, table: str, number: int, seat: int) -> None:
    """Delete the moves given ahead after the line ``number``, and those of the seat that takes its move back.

    Others are looked at anew, when their line comes again.
    """
    is_here = moves_ahead.c.table_id == table
    db.execute(delete(moves_ahead).where(is_here, or_(moves_ahead.c.number > number, moves_ahead.c.seat == seat)))
    db.execute(delete(moves_ahead).where(is_here, moves_ahead.c.missed))
    db.execute(update(moves_ahead).where(is_here).values(checked=None))
