"""The contents of a file of judged positions: a header, then a decision on each line, as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from kontor.decoding import misfit
from kontor.game import AnyGame, BadOptions, Refusal, Value
from kontor.plugins import game_named
from kontor.puzzles.values import Certainty

FORMAT: Final = 1
"""The version of the format."""

DIGITS: Final = 5
"""Digits after the point: values are kept to a thousandth of a percentage point."""


class BadPositions(Refusal):
    """A file of judged positions, or of answers, that cannot be read: damaged, cut off, or of another version."""


class JudgedMove(Value, frozen=True, omit_defaults=True):
    """A legal move as records write it, and how likely its player is to win after it, by two judgements.

    These are ``a`` and ``b``, 0 to 1; they share no random numbers. ``error`` is the standard error of how much less
    the move is worth than the best one, by both together. It is None where nothing was sampled.
    """

    move: Any
    a: float
    b: float
    error: float | None = None

    @property
    def both(self) -> float:
        """Return the mean of both values."""
        return (self.a + self.b) / 2


class Judgement(Value, frozen=True):
    """Values of moves, in their order.

    ``off`` is by how much learned values are off there: the root of the mean square, if known.
    """

    certainty: Certainty
    off: float | None
    moves: tuple[JudgedMove, ...]


class PositionTable(Value, frozen=True):
    """Source of positions: games with these options among these computer players."""

    options: dict[str, Any]
    players: tuple[str, ...]


class PositionsHeader(Value, frozen=True):
    """The first line of a file.

    ``positions`` is the version of the format, ``rules`` that of the game's rules, ``kontor`` that of the program
    that made it. ``count`` is how many positions follow.
    """

    positions: int
    game: str
    rules: int
    kontor: str
    seed: int
    count: int
    judge: str
    tables: tuple[PositionTable, ...]


class JudgedPosition(Value, frozen=True, omit_defaults=True):
    """A decision of a seat, with only what that seat could know, and what its moves are worth.

    ``id`` is the number of the game, and the line of its record on which the decision was made: ``12-40``. ``legal``
    is the number of legal moves; where ``moves`` are fewer, the others were not judged. ``off`` is as in a
    :class:`Judgement`.
    """

    id: str
    game: int
    round: int
    certainty: Certainty
    legal: int
    moves: tuple[JudgedMove, ...]
    view: dict[str, Any]
    off: float | None = None


class PositionsFile(Value, frozen=True):
    """The contents of a file."""

    header: PositionsHeader
    positions: tuple[JudgedPosition, ...]


def encode_line(part: PositionsHeader | JudgedPosition) -> bytes:
    """Return one line of a file as bytes."""
    return msgspec.json.encode(part) + b"\n"


class _Version(Value, frozen=True):
    positions: int


def decode(data: bytes) -> PositionsFile:
    """Return the file that these bytes hold.

    Raises BadPositions, also for a format, a game or rules that this program does not know.
    """
    lines = data.splitlines()
    if not lines:
        raise BadPositions("", "The file is empty.")
    header = _header(lines[0])
    positions = tuple(_positions(lines[1:]))
    if not positions:
        raise BadPositions("", "The file has no positions.")
    if len(positions) != header.count:
        raise BadPositions(
            "",
            "The file has {found} of {count} positions: it was cut off.",
            found=len(positions),
            count=header.count,
        )
    if len({position.id for position in positions}) != len(positions):
        raise BadPositions("", "The file has positions twice.")
    return PositionsFile(header, positions)


def rules_of(header: PositionsHeader) -> AnyGame:
    """Return the game of a file. Raises BadPositions if it is not installed, or has other rules."""
    try:
        game = game_named(header.game)
    except BadOptions as missing:
        raise BadPositions("", "The positions are of a game that is not here: {why}", why=missing) from missing
    if game.version != header.rules:
        raise BadPositions(
            "",
            "The positions are of version {theirs} of the rules of {game}; this is version {ours}.",
            theirs=header.rules,
            game=header.game,
            ours=game.version,
        )
    return game


def _header(line: bytes) -> PositionsHeader:
    version = decoded_line(1, line, _Version).positions
    if version != FORMAT:
        raise BadPositions(
            "",
            "The file is of version {theirs} of the format; this Kontor reads version {ours}.",
            theirs=version,
            ours=FORMAT,
        )
    header: PositionsHeader = decoded_line(1, line, PositionsHeader)
    rules_of(header)
    return header


def _positions(lines: Sequence[bytes]) -> Iterator[JudgedPosition]:
    for number, line in enumerate(lines, 2):
        position = decoded_line(number, line, JudgedPosition)
        if len(position.moves) < 2:
            raise BadPositions("", "Line {line} has no two moves to choose from.", line=number)
        yield position


def decoded_line(number: int, line: bytes, kind: Any) -> Any:
    """Decode the line with that number from JSON. Raises BadPositions."""
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError as error:
        raise BadPositions(
            "", "Line {line} is not as it must be: {error}.", line=number, error=misfit(error)
        ) from error
    except msgspec.DecodeError as error:
        raise BadPositions("", "Line {line} is not JSON.", line=number) from error
