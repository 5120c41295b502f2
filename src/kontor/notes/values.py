"""Private notes about tables."""

from __future__ import annotations

from datetime import datetime

from kontor.game import Value


class OwnNote(Value, frozen=True):
    """A person's note about a table, for that person alone."""

    table: str
    at: datetime
    """The time of its last change."""
    text: str


class ListedNote(Value, frozen=True):
    """A person's note as their list shows it, with the game of the table.

    ``others`` are the other seats that are taken: name, and computer player or an empty text.
    """

    note: OwnNote
    game: str
    others: tuple[tuple[str, str], ...]
    over: bool
