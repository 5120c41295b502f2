"""The chart room of Der fliegende Holländer: what its templates show, from a view, and the move that a form means.

The chart with its chests is the board; round it lie what everybody sees of the merchants, the lays turned over, the
bargain and the last voyage; before the reader lies the own hand. The values here are plain; the templates loop over
them, and each sentence is already said.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from kontor.game import OVER, Value
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import Move, View
from kontor.games.dutchman.web.chart import Drawn, Seen, Written, drawn, written
from kontor.games.dutchman.web.chests import Ruler, ruler
from kontor.games.dutchman.web.hand import Hand, hand
from kontor.games.dutchman.web.moves import fields_of, move_of
from kontor.games.dutchman.web.people import Knowledge, Plate, knowledge, plates
from kontor.games.dutchman.web.story import (
    ShownPile,
    Terms,
    Total,
    Turned,
    Voyage,
    checked,
    rolled,
    smiths,
    terms,
    totals,
    turned,
    voyage,
)
from kontor.games.dutchman.web.tale import afterwards
from kontor.words import Words

__all__ = ["Board", "afterwards", "context", "fields_of", "headline", "move_of"]


headline = said.headline

_STEERING: Final = ("sail", "name", "propose", "answer", "again", "rolling")
"""The lays lie open: the voyage of the round before is old news."""


class Lucky(Value, frozen=True):
    """The lucky number and the two dice that make it."""

    number: int
    tens: int
    ones: int
    text: str


class Readings(Value, frozen=True):
    """The sentences by which a script reads the horseshoes chosen, with ``{names}`` to be filled in."""

    exact: str
    exact_sum: str
    below: str
    below_sum: str
    over: str
    over_sum: str
    nothing: str
    none: str
    two_golden: str


class Board(Value, frozen=True):
    """The whole table of the Holländer, as its templates show it."""

    step: str
    mood: str
    """``mine``, ``theirs``, ``over`` or ``chance``."""
    round: int
    chart: Drawn
    written: tuple[Written, ...]
    ruler: Ruler
    lucky: Lucky | None
    plates: tuple[Plate, ...]
    turned: tuple[Turned, ...]
    smiths: str
    rolled: str
    terms: Terms | None
    voyage: Voyage | None
    checked: ShownPile | None
    hand: Hand | None
    knowledge: Knowledge
    totals: tuple[Total, ...]
    readings: Readings
    watching: str


def context(
    words: Words, names: Sequence[str], view: View, moves: Sequence[Move], last: Sequence[Seen] = ()
) -> dict[str, Any]:
    """What ``dutchman/board.html`` needs. ``moves`` are those of the reader: none while others move; ``last``
    are the steps since the reader's last move."""
    board = Board(
        step=view.step,
        mood=_mood(view),
        round=view.round,
        chart=drawn(words, names, view, last),
        written=written(words, view),
        ruler=ruler(words, view),
        lucky=_lucky(words, view),
        plates=plates(words, names, view),
        turned=turned(words, names, view, last),
        smiths=smiths(words, names, view, last),
        rolled=rolled(words, names, view),
        terms=terms(words, names, view),
        voyage=None if view.step in _STEERING else voyage(words, names, view, last),
        checked=checked(words, view, last),
        hand=hand(words, names, view, moves),
        knowledge=knowledge(words, names, view),
        totals=totals(words, names, view),
        readings=_readings(words),
        watching=_watching(words, view),
    )
    return {"board": board}


def _mood(view: View) -> str:
    if view.mover == OVER:
        return "over"
    if view.mover < 0:
        return "chance"
    return "mine" if view.mover == view.seat else "theirs"


def _watching(words: Words, view: View) -> str:
    """Why the reader has no hand."""
    if view.seat is None:
        return words.say("You are watching: you see what everybody sees.")
    if view.players[view.seat].bankrupt and view.mover != OVER:
        return words.say("You are bankrupt and out of the game. Stay and see how it ends.")
    return ""


def _lucky(words: Words, view: View) -> Lucky | None:
    """The dice follow from the number: the first shows tens, the second ones."""
    if view.lucky is None:
        return None
    tens, ones = view.lucky // 10 * 10, view.lucky % 10
    text = words.say("The lucky number is {lucky}: {tens} and {ones}.", lucky=view.lucky, tens=tens, ones=ones)
    return Lucky(view.lucky, tens, ones, text)


@lru_cache(maxsize=64)
def _readings(words: Words) -> Readings:
    return Readings(
        exact=words.say("{best}: exact"),
        exact_sum=words.say("{sum} = {best}: exact"),
        below=words.say("{best}: {below} below"),
        below_sum=words.say("{sum} = {best}: {below} below"),
        over=words.say("{shoes} is over: 0"),
        over_sum=words.say("{sum} = {least} is over: 0"),
        nothing=words.say("{shoes} come to nothing: 0"),
        none=words.say("Choose horseshoes: at most one golden, and any silver."),
        two_golden=words.say("At most one golden horseshoe can be laid."),
    )
