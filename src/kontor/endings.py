"""Games that end before the rules end them: somebody resigns, all agree, or somebody stays away.

The rules of the games know nothing of it: no state changes, and no points are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kontor.game import Value
from kontor.words import Words

How = Literal["resigned", "agreed", "claimed"]


class EarlyEnd(Value, frozen=True, forbid_unknown_fields=True):
    """The early end of a game.

    ``seat`` has resigned, has proposed to the others to end the game, or stayed away until another claimed the win.
    ``winners`` are the seats that won by it; the tuple is empty where the game has no result.
    """

    how: How
    seat: int
    winners: tuple[int, ...]


def early_end(how: How, seat: int, seats: int) -> EarlyEnd:
    """Return the early end of a game with so many ``seats``.

    Of two players the other wins when one resigns or stays away; among more, the winner cannot be known.
    """
    decided = how != "agreed" and seats == 2
    return EarlyEnd(how, seat, (1 - seat,) if decided else ())


def is_possible(early: EarlyEnd, seats: int) -> bool:
    """Return True if a game with so many seats can end like that.

    Among more than two a computer player stands in for a seat that stays away, so that ends nothing.
    """
    if not 0 <= early.seat < seats or (early.how == "claimed" and seats != 2):
        return False
    return early == early_end(early.how, early.seat, seats)


def describe_early_end(words: Words, names: Sequence[str], early: EarlyEnd) -> str:
    """Return a sentence or two on how the game ended."""
    name = names[early.seat]
    if early.how == "agreed":
        return words.say("Everyone has agreed to end the game. It has no result.")
    if not early.winners:
        return words.say("{name} has resigned. The game has no result.", name=name)
    winner = names[early.winners[0]]
    if early.how == "resigned":
        return words.say("{name} has resigned: {winner} wins.", name=name, winner=winner)
    return words.say("{name} stayed away for a week: {winner} wins.", name=name, winner=winner)


def describe_early_end_briefly(words: Words, names: Sequence[str], early: EarlyEnd) -> str:
    """Return a few words on how the game ended, for lists."""
    name = names[early.seat]
    match early.how:
        case "resigned":
            return words.say("Over: {name} resigned", name=name)
        case "agreed":
            return words.say("Over: everyone agreed to end it")
        case "claimed":
            return words.say("Over: {name} stayed away", name=name)
