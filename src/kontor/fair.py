"""Fair dice: committed seeds, and outcomes of chance that anyone can recompute.

The dealer publishes the SHA-256 of a secret seed before the game begins, and the players add salts of their own.
Every outcome follows from the seed, the salts and the number of its line in the record. ``docs/fair-dice.md``
describes it precisely enough to write a verifier without reading this file.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Final

from kontor.game import AnyGame, Below

SEED_BYTES: Final = 32
DOMAIN: Final = b"kontor-dice-1"
"""The prefix that separates these messages from any other use of a seed; the 1 is the version of the algorithm."""

DUPLICATE_DOMAIN: Final = b"kontor-dice-2"
"""The prefix of messages for dice that several games share."""

Occasion = tuple[str | int, ...]
"""The question that chance answers: ``Game.occasion``."""


def new_seed() -> bytes:
    """Return a secret seed from the operating system's source of randomness. Every game needs one of its own."""
    return secrets.token_bytes(SEED_BYTES)


def commitment(seed: bytes) -> str:
    """Return what the dealer publishes beforehand: the SHA-256 of the seed, as 64 hexadecimal digits."""
    return hashlib.sha256(seed).hexdigest()


def salt_commitment(salt: str) -> str:
    """Return the SHA-256 of a seat's salt (in UTF-8), as 64 hexadecimal digits.

    With strict dice a seat publishes it before any salt is revealed.
    """
    return hashlib.sha256(salt.encode()).hexdigest()


def _check_seed(seed: bytes) -> None:
    """Raise ValueError unless the seed has the right length."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")


@dataclass(frozen=True, slots=True)
class FairDice:
    """The dice of one game: its seed, and the salt of each seat.

    ``game.chance(state).draw(dice.below(line))`` is the outcome on a line of the game's record.
    """

    seed: bytes = field(repr=False)  # a secret, which no log should show
    salts: tuple[str, ...]
    streams: tuple[tuple[int, int], ...] = ()
    """Lines whose outcomes come from the stream of another line, after moves were taken back: pairs of the two."""

    def __post_init__(self) -> None:
        _check_seed(self.seed)

    def block(self, line: int, counter: int) -> bytes:
        """Return 32 bytes of the stream of a line: the block with the number ``counter``, from 0."""
        return hmac.digest(self.seed, message(self.salts, line, counter), "sha256")

    def below(self, line: int) -> Below:
        """Return a new source of whole numbers for one line: the same calls give the same numbers."""
        return self.stream(dict(self.streams).get(line, line) if self.streams else line)

    def stream(self, number: int) -> Below:
        """Return a new source of whole numbers from the stream with this number, which is usually that of a line."""
        return _stream(self.seed, message_head(self.salts, number))


@dataclass(frozen=True, slots=True)
class DuplicateDice:
    """The dice of games that share the same luck after any moves: outcomes follow from the seed and the occasion.

    No salt is mixed in, because it would belong to one game alone. The seed is a secret until the last of these games
    has ended: anyone who knows it knows the dice of all of them.
    """

    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        _check_seed(self.seed)

    def below(self, occasion: Occasion, before: int) -> Below:
        """Return a new source of whole numbers for an occasion that came ``before`` times in the game."""
        return _stream(self.seed, occasion_head(occasion, before))

    def series(self, occasion: Occasion) -> Occasion:
        """Return the key by which occasions are counted: here the occasion itself."""
        return occasion


@dataclass(frozen=True, slots=True)
class SteppedDice(DuplicateDice):
    """The dice of games that are played in step: ``before`` counts all outcomes of the round, of any kind.

    So the third outcome of a round is asked for only as the third, in every game: once all games have come so far,
    nobody knows a later one. Games in which it is the third roll of different seats do not share it.
    """

    def series(self, occasion: Occasion) -> Occasion:
        """Return the round, which is the second part of an occasion."""
        return occasion[1:2]


Dice = FairDice | DuplicateDice


def sources(game: AnyGame, dice: Dice) -> Callable[[Any, int], Below]:
    """Return a function that gives the source of each outcome of one game, called in the order of the game.

    Its arguments are the state in which chance is to act, and the line of the record for the outcome.
    """
    if isinstance(dice, FairDice):
        by_line = dice.below
        return lambda state, line: by_line(line)
    shared, times = dice, Counter[Occasion]()

    def by_occasion(state: Any, line: int) -> Below:
        occasion = game.occasion(state)
        series = shared.series(occasion)
        times[series] += 1
        return shared.below(occasion, times[series] - 1)

    return by_occasion


def _stream(seed: bytes, head: bytes) -> Below:
    """Return a source of whole numbers from the stream of blocks whose messages begin with the head."""
    counters = count()
    rest = b""

    def read(size: int) -> int:
        nonlocal rest
        while len(rest) < size:
            rest += hmac.digest(seed, head + next(counters).to_bytes(8, "big"), "sha256")
        taken, rest = rest[:size], rest[size:]
        return int.from_bytes(taken, "big")

    def below(n: int) -> int:
        size, fair = reading(n)
        number = read(size)
        while number >= fair:
            number = read(size)
        return number % n

    return below


def reading(n: int) -> tuple[int, int]:
    """Return how a whole number below ``n`` is read: its bytes, and the bound below which a reading is accepted.

    The bytes are the fewest that can count to n−1. The bound is the greatest multiple of n that they can reach: so
    every remainder of the division by n comes from equally many readings. Raises ValueError if n is below 1.
    """
    if n < 1:
        raise ValueError(f"there is no whole number from 0 to {n - 1}")
    size = ((n - 1).bit_length() + 7) // 8
    values = 256**size
    return size, values - values % n


def message_head(salts: tuple[str, ...], line: int) -> bytes:
    """Return the message that is hashed for a line, without the counter.

    Every length is written before the thing it measures, so two different lists of salts never give the same bytes.
    """
    parts = [DOMAIN, len(salts).to_bytes(4, "big")]
    for salt in salts:
        text = salt.encode()
        parts += (len(text).to_bytes(4, "big"), text)
    parts.append(line.to_bytes(8, "big"))
    return b"".join(parts)


def message(salts: tuple[str, ...], line: int, counter: int) -> bytes:
    """Return the message that is hashed for one block of a line's stream."""
    return message_head(salts, line) + counter.to_bytes(8, "big")


def occasion_head(occasion: Occasion, before: int) -> bytes:
    """Return the message that is hashed for an occasion, as JSON like in a record, without the counter."""
    text = json.dumps(occasion, ensure_ascii=False, separators=(",", ":")).encode()
    return b"".join([DUPLICATE_DOMAIN, len(text).to_bytes(4, "big"), text, before.to_bytes(8, "big")])
