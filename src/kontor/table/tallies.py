"""Whoever counts what a house does."""

from __future__ import annotations

from typing import Protocol

from kontor.game import Refusal


class Tally(Protocol):
    """Is told in whichever thread it happens, outside of transactions. It should be quick, and must not raise."""

    def moved(self, game: str, *, machine: bool) -> None:
        """A move is on the disk, by a person or a machine player."""

    def refused(self, refusal: Refusal, *, machine: bool) -> None:
        """A move was refused."""

    def failed(self) -> None:
        """The database has failed a transaction."""
