"""The merchants round the chart: what they did in this round, and what everybody can know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.components import COLOURS, SHARES
from kontor.words import Words, mark


def from_the_left(view: View) -> list[int]:
    """Return all seats, from the reader's left hand round the table; the reader last.

    A spectator sees seat 1 first.
    """
    players = len(view.players)
    first = 0 if view.seat is None else view.seat + 1
    return [(first + place) % players for place in range(players)]


_DOING: Final = {
    "action": mark("chooses an action"),
    "put": mark("puts two shares back"),
    "sail": mark("moves the Dutchman"),
    "name": mark("names a destination"),
    "propose": mark("may propose"),
    "answer": mark("answers"),
    "again": mark("plays more horseshoes, or passes"),
    "show": mark("may show a share"),
    "check": mark("may ask for a check"),
    "may lay again": mark("may play more horseshoes"),
    "waits": mark("has yet to choose"),
    "did lay": mark("played horseshoes"),
    "did kontor": mark("played a Kontor card"),
    "did smith": mark("played a Smith card"),
    "did pass": mark("passed"),
}


def doing(view: View, seat: int) -> str:
    """Return what a merchant is doing, or has done in this round: the step, if it is their turn.

    Nothing is returned for a merchant with horseshoes face down, which the table shows.
    """
    player, waits = view.players[seat], seat in view.queue
    if seat == view.mover:
        return view.step
    if player.bankrupt or player.laid:
        return ""
    if waits and view.step == "again":
        return "may lay again"
    if player.action:
        return f"did {player.action}"
    return "waits" if waits and view.step in ("action", "put") else ""


def describe_doing(words: Words, doing: str) -> str:
    """Return in a few words what a merchant is doing, given the result of :func:`doing`."""
    return words.say(_DOING[doing]) if doing else ""


def public_shares(view: View) -> list[list[tuple[int, int]]]:
    """Return what everybody can know of each merchant's shares: the least and the most of each colour.

    The list of a bankrupt, who has no shares, is empty.
    """
    return [
        [] if player.bankrupt else list(zip(player.at_least, player.at_most, strict=True)) for player in view.players
    ]


def shares_shown(limits: Sequence[Sequence[tuple[int, int]]]) -> list[int]:
    """Return for each colour the number of shares that everybody knows to be in a hand."""
    return [sum(hand[place][0] for hand in limits if hand) for place in range(len(COLOURS))]


@lru_cache(maxsize=1024)
def describe_known(words: Words, least: int, most: int, players: int) -> str:
    """Return what everybody can know of one colour in a hand, in words."""
    if least == most:
        return words.say("exactly {n}", n=least)
    if most >= min(SHARES, players - 1):
        return words.say("at least {n}", n=least) if least else words.say("unknown")
    return words.say("{least} to {most}", least=least, most=most) if least else words.say("at most {n}", n=most)
