"""Checks of who may change a tournament, and when."""

from __future__ import annotations

from kontor.errors import NotAllowed, NotNow
from kontor.tournaments.rows import TournamentRow


def check_host(row: TournamentRow, person: str) -> None:
    """Raise NotAllowed unless the person is the tournament's host."""
    if row.host != person:
        raise NotAllowed("", "Only the person who opened the tournament can do this.")


def check_open(row: TournamentRow) -> None:
    """Raise NotNow unless the tournament is still to begin."""
    if row.status != "open":
        raise NotNow("", "The tournament has already begun, or will not take place.")


def check_unfinished(row: TournamentRow) -> None:
    """Raise NotNow if the tournament is over."""
    if row.status not in ("open", "running"):
        raise NotNow("", "The tournament is over.")
