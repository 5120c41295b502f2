"""The reader's own things, and their possible moves now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, TypeVar

from kontor.game import OVER
from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.bargain import Proposal
from kontor.games.dutchman.rules.chart import Field, sea_of
from kontor.games.dutchman.rules.components import MOST_SILVER, Colour
from kontor.games.dutchman.rules.view import Player
from kontor.words import Words, mark

Thing = TypeVar("Thing", int, Colour)

_ASKS: Final = {
    "action": mark("Choose one: a Kontor card, a Smith card, or horseshoes to play."),
    "put": mark("Choose two of your five shares to go under the pile, unseen."),
    "sail": mark("Where does the Dutchman sail?"),
    "name": mark("Where do you want the Dutchman to go?"),
    "propose": mark("Propose a destination, and who pays whom; or make no proposal."),
    "answer": mark("Do you accept?"),
    "again": mark("Play more horseshoes, or pass."),
    "show": mark("Show one share and earn its value, or keep them hidden."),
    "check": mark("Check the Kontor pile? Its shares are shown to everyone, then shuffled."),
}


def asks(words: Words, step: str) -> str:
    """Return the question to the seat to move."""
    return words.say(_ASKS[step])


def in_play(view: View) -> Player | None:
    """Return the reader's merchant, or None if there is no hand.

    A spectator and a bankrupt (H11) have no hand, and in the end all lies open (H13).
    """
    if view.seat is None or view.mover == OVER or view.players[view.seat].bankrupt:
        return None
    return view.players[view.seat]


def numbered(things: Sequence[Thing]) -> Iterator[tuple[Thing, int, int]]:
    """Yield each thing with its number among equal ones, from 1, and the number of these."""
    every, counted = Counter(things), Counter[Thing]()
    for thing in things:
        counted[thing] += 1
        yield thing, counted[thing], every[thing]


def metal(number: int) -> Literal["golden", "silver"]:
    """Return the metal of a horseshoe."""
    return "golden" if number > MOST_SILVER else "silver"


@lru_cache(maxsize=1024)
def describe_horseshoe(words: Words, number: int, nth: int = 1, every: int = 1) -> str:
    """Return a horseshoe in words; of several equal ones also which one it is."""
    if every > 1:
        one = describe_horseshoe(words, number)
        return words.say("{shoe}, {place} of {every}", shoe=one, place=nth, every=every)
    if metal(number) == "golden":
        return words.say("golden {number}", number=number)
    return words.say("silver {number}", number=number)


def describe_lucky(words: Words, lucky: int) -> str:
    """Return the lucky number in words. The dice follow from it: the first shows tens, the second ones."""
    tens, ones = lucky // 10 * 10, lucky % 10
    return words.say("The lucky number is {lucky}: {tens} and {ones}.", lucky=lucky, tens=tens, ones=ones)


def describe_put(words: Words, pile: Sequence[Colour | None]) -> str:
    """Return what the reader alone knows of the pile; an empty text if that is nothing."""
    own = [
        words.say("{colour} (no. {place} from the top)", colour=phrases.colour(words, card), place=place)
        for place, card in enumerate(pile, 1)
        if card
    ]
    return words.say("Your shares in the pile: {shares}.", shares=words.all_of(own)) if own else ""


def destinations(view: View) -> list[Field]:
    """Return where the Dutchman may sail, in the order of the moves."""
    fields = {field.name: field for field in view.options.chart.fields}
    return [fields[to] for to in view.ahead]


def due(view: View, met: Colour | None) -> int:
    """Return what the reader would pay (below 0) for a ship of this colour (H11), or earn on an island (H12)."""
    worth, held = phrases.at_stake(view, met)
    return worth if met is None else -worth * (held or 0)


def signed_ducats(ducats: int) -> str:
    """Return ducats that somebody gets, or pays: ``+3``, ``−3``, ``0``."""
    return f"{ducats:+}".replace("-", "−") if ducats else "0"


def net(words: Words, view: View, proposal: Proposal) -> str:
    """Return the result of a proposal for the reader, one of the tied, as in ``+4 − 8 = −4 for you``.

    It is what they are paid or pay, and what the ship costs them, or the most that they can earn on the island; an
    empty text if both are 0.
    """
    assert view.bargain is not None
    assert view.seat is not None
    ducats = proposal.ducats[view.bargain.tied.index(view.seat)]
    stake = due(view, sea_of(view.options.chart).ship[proposal.to])
    total = signed_ducats(ducats + stake)
    if ducats and stake:
        plus_or_minus = f"+ {stake}" if stake > 0 else f"− {-stake}"
        return words.say("{sum} = {net} for you", sum=f"{signed_ducats(ducats)} {plus_or_minus}", net=total)
    return words.say("{net} for you", net=total) if ducats or stake else ""
