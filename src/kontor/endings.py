"""Games that the people at the table end before the rules do: somebody resigns, all agree, or somebody stays away.

The rules of the games know nothing of it: no state changes, and no points are reckoned.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from kontor.game import Value
from kontor.words import Words

How = Literal["resigned", "agreed", "claimed"]


class EarlyEnd(Value, frozen=True, forbid_unknown_fields=True):
    """How a game ended early. ``seat`` has resigned, has proposed to the others to end it, or stayed away until
    another claimed; ``winners`` are the seats that won by it, none where the game has no result."""

    how: How
    seat: int
    winners: tuple[int, ...]


def early_end(how: How, seat: int, seats: int) -> EarlyEnd:
    """Of a game with so many ``seats``. Of two the other wins when one resigns or stays away; among more nobody can
    say who would have won."""
    decided = how != "agreed" and seats == 2
    return EarlyEnd(how, seat, (1 - seat,) if decided else ())


def is_possible(early: EarlyEnd, seats: int) -> bool:
    """Whether a game with so many seats can end like that. Among more than two a computer player stands in for
    whoever stays away: that ends nothing."""
    if not 0 <= early.seat < seats or (early.how == "claimed" and seats != 2):
        return False
    return early == early_end(early.how, early.seat, seats)


def describe_early_end(words: Words, names: Sequence[str], early: EarlyEnd) -> str:
    """How the game ended, in a sentence or two."""
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
    """The same for lists."""
    name = names[early.seat]
    match early.how:
        case "resigned":
            return words.say("Over: {name} resigned", name=name)
        case "agreed":
            return words.say("Over: everyone agreed to end it")
        case "claimed":
            return words.say("Over: {name} stayed away", name=name)
