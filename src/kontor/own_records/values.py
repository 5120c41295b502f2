"""Records that people have brought, as pages and exports know them."""

from __future__ import annotations

from datetime import datetime

from kontor.endings import EarlyEnd
from kontor.game import Result, Value


class Summary(Value, frozen=True):
    """The parts of a record that lists show. Without ``result`` and ``early`` the game was left unfinished."""

    seats: tuple[str, ...]
    """The names of the seats."""
    players: tuple[str, ...]
    started: datetime | None
    result: Result | None
    early: EarlyEnd | None
    steps: int

    @property
    def is_over(self) -> bool:
        """Return True if the game is over: then nothing of it is hidden any more."""
        return self.result is not None or self.early is not None


class OwnRecord(Value, frozen=True):
    """A record that somebody has brought."""

    id: str
    name: str
    """Its owner's name for it; empty if they gave none."""
    game: str
    summary: Summary
    added: datetime
    link: str
    """The part of an address by which others see it; empty unless its owner shares it."""


class BroughtRecord(Value, frozen=True):
    """A record with its content, as its owner or a guest sees it."""

    info: OwnRecord
    data: bytes
    mine: bool
    """True if the reader is its owner."""

    @property
    def key(self) -> str:
        """Return the key in the address by which the reader sees it: others never learn the id."""
        return self.info.id if self.mine else self.info.link
