"""The format of records: versions, limits and parts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final

import msgspec

from kontor.endings import EarlyEnd
from kontor.game import Refusal, Result, Value

VERSION: Final = 1
"""The version of the format. A reader refuses newer ones."""

EARLY_VERSION: Final = 2
"""The version for games that were ended early, which readers of the first version cannot understand. It is used
for nothing else."""

STRICT_VERSION: Final = 3
"""The version for games with strict dice, with any ending: the header holds what the seats committed to."""

DUPLICATE_VERSION: Final = 4
"""The version for games that share their dice with others (``kontor.fair.DuplicateDice``), with any ending."""

STEPPED_VERSION: Final = 5
"""The version for games that are also played in step with those others (``kontor.fair.SteppedDice``)."""

TAKEN_BACK_VERSION: Final = 6
"""The version for games in which moves were taken back, so that outcomes come from streams of other lines, with any
ending: the header holds these ``streams``."""

VERSIONS: Final = (
    VERSION,
    EARLY_VERSION,
    STRICT_VERSION,
    DUPLICATE_VERSION,
    STEPPED_VERSION,
    TAKEN_BACK_VERSION,
)
"""All versions that can be read."""

SHARED_VERSIONS: Final = (DUPLICATE_VERSION, STEPPED_VERSION)
"""The versions for games that share their dice with others."""

MOST_BYTES: Final = 16 * 1024 * 1024
MOST_BYTES_A_LINE: Final = 64 * 1024
"""The limits of a record and of its lines. A game is a few thousand short lines, so anything longer is refused
before it is parsed."""

LONGEST_NAME: Final = 60
LONGEST_SALT: Final = 60

Hex = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$", min_length=64, max_length=64)]
"""32 bytes. (The lengths are needed: in Python a pattern's ``$`` lets a line feed pass.)"""

HexOrNone = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$", max_length=64)]
"""32 bytes, or nothing."""


class BadRecord(Refusal):
    """A record that is refused: damaged, cut off, forged, or from a newer Kontor.

    ``line`` is the number of the line, from 1; ``rule`` a rule of the game, or the section of the documentation.
    """

    def __init__(self, line: int, rule: str, reason: str, /, **details: object) -> None:
        super().__init__(rule, reason, **details)
        self.line = line

    def __str__(self) -> str:
        return f"line {self.line}: {super().__str__()}"


class Header(Value, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: what was played, by whom, and what the dealer committed to."""

    record: int
    """The version of the format."""
    game: str
    rules: int
    """The version of the game's rules."""
    options: Any
    """The game's own type, ``game.options``."""
    seats: tuple[str, ...]
    """The names of the seats."""
    players: tuple[str, ...]
    """Kind of player there: ``person``, or the name of a computer player."""
    salts: tuple[str, ...]
    commitment: Hex
    salt_commitments: tuple[HexOrNone, ...] = ()
    """At a table with strict dice, what each seat committed to before any salt was revealed; empty for a seat that
    did not."""
    started: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    streams: tuple[tuple[int, int], ...] = ()
    """Lines of outcomes that come from the stream of another line, in order, each with the number of that stream."""
    undone: int = 0
    """If there are such lines, the number of lines that were taken back in the whole game."""


class Step(Value, frozen=True):
    """A move of a seat, or an outcome of chance (the seat is CHANCE)."""

    seat: int
    action: Any


class GameEnding(Value, frozen=True, forbid_unknown_fields=True):
    """The last line of a game that is over. ``digest`` is the SHA-256 of all the lines before."""

    seed: Hex
    result: Result
    digest: Hex


class EarlyEnding(Value, frozen=True, forbid_unknown_fields=True):
    """The last line of a game that the people at the table ended before the rules did. No points were reckoned."""

    seed: Hex
    early: EarlyEnd
    digest: Hex


class Record(Value, frozen=True):
    """A game. The step ``steps[i]`` stands on line ``i + 2``; without an ending the game was left unfinished."""

    header: Header
    steps: tuple[Step, ...] = ()
    ending: GameEnding | EarlyEnding | None = None
