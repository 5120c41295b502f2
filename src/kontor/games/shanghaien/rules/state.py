"""A game of Shanghaien as a value: options, moves, outcomes and the state (S2 to S8).

Everything lies open. The order of the draw pile does not exist before it is turned over: when a row is due, chance
lays six of the cards still to come (S3, S10), so no state ever holds a secret.

Dice are kept by number, not by place: which end of the row bears the 1 (S7) turns the cards round, never the dice,
and the neighbours of a number are the same from either end.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from msgspec.structs import replace

from kontor.game import CHANCE, BadOptions, Value, is_malformed
from kontor.game import Starter as Starter  # an outcome like those below
from kontor.games.shanghaien.rules.components import (
    TRICK_CARDS,
    TRICKS,
    Card,
    End,
    Nation,
    Trick,
    TrickCounts,
    whole_deck,
)
from kontor.games.shanghaien.rules.scoring import Crew

# ---------------------------------------------------------------------------------------------------- options


class Options(Value, frozen=True, forbid_unknown_fields=True):
    """Agreement of the players: the trick cards (S2), who starts (S3), a trick card for each (S3a)."""

    tricks: TrickCounts = TrickCounts()
    starter: int | None = None
    first_trick: Trick | None = None


def seats(options: Options) -> int:
    """Return the number of players: two captains, always."""
    return 2


def moved_on(options: Options, places: int) -> Options:
    """Return the options after all players moved by ``places`` seats; the starter (S3) moves too."""
    if options.starter is None:
        return options
    return replace(options, starter=(options.starter + places) % seats(options))


# ------------------------------------------------------------------------------------------- moves and outcomes


class Roll(Value, frozen=True, tag="roll", tag_field="move"):
    """Roll two dice (S6)."""


class Shanghai(Value, frozen=True, tag="shanghai", tag_field="move"):
    """End the round (S4)."""


class Number(Value, frozen=True, tag="number", tag_field="move"):
    """Say at which end of the row the 1 is (S7)."""

    one_at: End


class Place(Value, frozen=True, tag="place", tag_field="move"):
    """Put the die with this number on its card (S6)."""

    die: int


class Joker(Value, frozen=True, tag="joker", tag_field="move"):
    """Lay the trick card with own sailors of a nation (S8a)."""

    trick: Trick
    nation: Nation


class Nudge(Value, frozen=True, tag="nudge", tag_field="move"):
    """Change one of the two dice by 1 (S8b)."""

    die: int
    to: int


class Both(Value, frozen=True, tag="both", tag_field="move"):
    """Place both dice (S8c)."""


class Reroll(Value, frozen=True, tag="reroll", tag_field="move"):
    """Roll both dice again (S8d)."""


Move = Roll | Shanghai | Number | Place | Joker | Nudge | Both | Reroll


class Row(Value, frozen=True, tag="row", tag_field="chance"):
    """The cards laid in the tavern, from left to right (S3, S10)."""

    cards: tuple[Card, ...]


class Dice(Value, frozen=True, tag="dice", tag_field="chance"):
    """The two dice rolled, the lower first (S6)."""

    low: int
    high: int


Outcome = Starter | Row | Dice

# ---------------------------------------------------------------------------------------------------- the state

Numbers = tuple[int, int, int, int, int, int]
"""Number of dice on each of the numbers 1 to 6."""

Step = Literal["starter", "row", "turn", "roll", "reroll", "place", "both", "over"]
"""Thing due: chance names the starter, lays the row or rolls; a player takes a turn, places a die, or says where
the 1 is before both dice are placed."""


class Award(Value, frozen=True):
    """The taker of a card of the row, and the numbers that decided it (S9).

    These are the dice of each on it and, where these are equal and not 0, the pips of each on the neighbouring cards.
    ``taker`` is None for a card that left the game.
    """

    card: Card
    dice: tuple[int, int]
    pips: tuple[int, int] | None
    taker: int | None


class State(Value, frozen=True):
    """State of a game. Pairs are seat 0 and seat 1; dice are counted by number."""

    mover: int
    step: Step
    turn: int
    """Seat to move, also while chance rolls for it."""
    placed: tuple[Numbers, Numbers]
    roll: tuple[int, int] | None
    spent: tuple[bool, bool]
    """Seat whose captain stands at the row: a trick was used this round (S8)."""
    one_at: End | None
    row: tuple[Card, ...]
    """From left to right."""
    crews: tuple[Crew, Crew]
    round: int
    starter: int | None
    """Of this round."""
    to_come: tuple[Card, ...]
    """The cards still to be laid, sorted."""
    gone: tuple[Card, ...]
    """The cards that left the game."""
    awards: tuple[Award, ...]
    """Dealt cards of the last finished round's row, by number."""
    awards_one_at: End | None
    """At which end of that row the 1 was."""
    options: Options


NONE_PLACED: Final[Numbers] = (0, 0, 0, 0, 0, 0)
NOBODY_PLACED: Final = (NONE_PLACED, NONE_PLACED)
NOT_SPENT: Final = (False, False)


@lru_cache(maxsize=64)
def _check(options: Options) -> None:
    if options.first_trick not in (None, *TRICKS):
        raise BadOptions(
            "S3a", "“{given}” is not a dice trick: choose nudge, both or reroll.", given=options.first_trick
        )
    if is_malformed(options, Options):
        raise BadOptions("", "These are not options of Shanghaien.")
    counts = options.tricks
    if min(counts.nudge, counts.both, counts.reroll) < 0:
        raise BadOptions("S2", "There cannot be fewer than 0 trick cards of a kind.")
    if counts.nudge + counts.both + counts.reroll != TRICK_CARDS:
        raise BadOptions(
            "S2",
            "There must be eight trick cards: {nudge} Nudge, {both} Both and {reroll} Reroll make {total}.",
            nudge=counts.nudge,
            both=counts.both,
            reroll=counts.reroll,
            total=counts.nudge + counts.both + counts.reroll,
        )
    if options.starter not in (None, 0, 1):
        raise BadOptions(
            "S3", "The starting player must be seat 1 or 2, not {seat}.", seat=(options.starter or 0) + 1
        )


def start(options: Options) -> State:
    """Return the state before the first outcome: the starter or the first row. Raises BadOptions (S2, S3, S3a)."""
    try:
        _check(options)
    except TypeError:  # what cannot be hashed is malformed
        raise BadOptions("", "These are not options of Shanghaien.") from None
    crew = Crew(tricks=() if options.first_trick is None else (options.first_trick,))
    return State(
        mover=CHANCE,
        step="starter" if options.starter is None else "row",
        turn=options.starter or 0,
        placed=NOBODY_PLACED,
        roll=None,
        spent=NOT_SPENT,
        one_at=None,
        row=(),
        crews=(crew, crew),
        round=1,
        starter=options.starter,
        to_come=whole_deck(options.tricks),
        gone=(),
        awards=(),
        awards_one_at=None,
        options=options,
    )
