"""Checks of whose turn it is at a table."""

from __future__ import annotations

from kontor.errors import NotAllowed, NotNow, NotYourTurn, StoodIn
from kontor.tables.rows import SeatRow, TableRow, is_machine


def require_begun(row: TableRow) -> TableRow:
    """Return the row of a table whose game has begun. Raises NotNow."""
    if row.status == "waiting":
        raise NotNow("", "The game has not begun yet.")
    return row


def check_turn_of_person(row: TableRow, sitting: SeatRow) -> None:
    """Check that a person may move at the seat now. Raises NotNow, NotAllowed, NotYourTurn, StoodIn."""
    if row.status == "over":
        raise NotNow("", "The game is over.")
    _check_running(row)
    if sitting.player:
        raise NotAllowed("", "This seat is played by a computer player.")
    _check_mover(row, sitting)
    if sitting.resigned:
        raise NotAllowed("", "You have resigned: a computer player plays on for you.")
    if sitting.stood_in:
        raise StoodIn("", "A computer player is standing in for you. Come back first.")


def check_turn_of_machine(row: TableRow, sitting: SeatRow) -> None:
    """Check that a computer player may move at the seat now. Raises NotNow, NotYourTurn."""
    if row.status == "over":
        raise NotNow("", "The game is over.")
    _check_running(row)
    _check_mover(row, sitting)
    check_is_machine(sitting)


def check_is_machine(sitting: SeatRow) -> None:
    """Check that a computer player plays at the seat. Raises NotYourTurn if the person has come back."""
    if not is_machine(sitting):
        raise NotYourTurn("", "This seat is played by a person.")


def _check_running(row: TableRow) -> None:
    if row.paused:
        raise NotNow("", "The game is paused. Anyone at the table can end the pause.")


def _check_mover(row: TableRow, sitting: SeatRow) -> None:
    if sitting.seat != row.mover:
        raise NotYourTurn("", "It is not your turn.")
