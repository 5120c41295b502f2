"""The merchants round the chart: what each has, what they did in this round, and what everybody can know."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from kontor.game import OVER, Value
from kontor.games.dutchman import words as said
from kontor.games.dutchman.rules import View
from kontor.games.dutchman.rules.components import COLOURS, MOST_SILVER, SHARES, Colour, Horseshoes
from kontor.words import Words, mark


class Shoe(Value, frozen=True):
    """A horseshoe, face up."""

    number: int
    golden: bool
    text: str


class Fact(Value, frozen=True):
    """Something counted: its picture, the number, and the same in words."""

    icon: str
    number: int
    text: str


class Plate(Value, frozen=True):
    """A merchant as everybody sees them."""

    seat: int
    name: str
    you: bool
    to_move: bool
    starter: bool
    tied: bool
    nearest: bool
    bankrupt: str
    facts: tuple[Fact, ...]
    action: str
    """``kontor``, ``smith``, ``lay``, ``pass``, or nothing yet."""
    doing: str
    laid: int
    held: tuple[Colour, ...]


class Cell(Value, frozen=True):
    """What everybody can know of one colour in one hand."""

    sign: str
    text: str


class KnownRow(Value, frozen=True):
    """A line of the table of public knowledge."""

    seat: int
    name: str
    cells: tuple[Cell, ...]
    bankrupt: bool


class Took(Value, frozen=True):
    """Who took which horseshoes from the middle, as everybody saw."""

    name: str
    shoes: tuple[Shoe, ...]


class KnownColour(Value, frozen=True):
    """What everybody can know of a colour as a whole."""

    colour: Colour
    name: str
    letter: str
    worth: int
    shown: str
    text: str


class Knowledge(Value, frozen=True):
    """The panel of public knowledge."""

    colours: tuple[KnownColour, ...]
    rows: tuple[KnownRow, ...]
    took: tuple[Took, ...]
    middle: tuple[Shoe, ...]
    middle_text: str
    notes: tuple[str, ...]


# ----------------------------------------------------------------------------------------------- horseshoes


@lru_cache(maxsize=1024)
def shoe(words: Words, number: int) -> Shoe:
    """A horseshoe as it is drawn and said."""
    golden = number > MOST_SILVER
    text = words.say("golden {number}", number=number) if golden else words.say("silver {number}", number=number)
    return Shoe(number, golden, text)


def shoes(words: Words, rack: Horseshoes) -> tuple[Shoe, ...]:
    """Horseshoes, the highest first."""
    return tuple(shoe(words, number) for number in rack)


# -------------------------------------------------------------------------------------------------- plates


def plates(words: Words, names: Sequence[str], view: View) -> tuple[Plate, ...]:
    """All merchants, from the reader's left hand round the table; the reader last, a spectator sees seat 1 first."""
    players = len(view.players)
    first = 0 if view.seat is None else view.seat + 1
    return tuple(_plate(words, names, view, (first + place) % players) for place in range(players))


def _plate(words: Words, names: Sequence[str], view: View, seat: int) -> Plate:
    player = view.players[seat]
    bankrupt = words.say("bankrupt since round {round}", round=player.bankrupt) if player.bankrupt else ""
    over = view.mover == OVER
    return Plate(
        seat=seat,
        name=names[seat],
        you=seat == view.seat,
        to_move=seat == view.mover,
        starter=seat == view.starter and not player.bankrupt and not over,
        tied=view.bargain is not None and seat in view.bargain.tied,
        nearest=bool(view.revealed) and seat in view.revealed[-1].nearest,
        bankrupt=bankrupt,
        facts=_facts(words, player.cash, player.shares, player.horseshoes, player.kontor, player.smith),
        action=player.action or "",
        doing="" if bankrupt else doing(words, view, seat),
        laid=player.laid or 0,
        held=player.held or (),
    )


@lru_cache(maxsize=4096)
def _facts(words: Words, cash: int, shares: int, horseshoes: int, kontor: int, smith: int) -> tuple[Fact, ...]:
    return (
        Fact("coin", cash, words.count("{n} ducat", "{n} ducats", cash)),
        Fact("share", shares, words.count("{n} share", "{n} shares", shares)),
        Fact("shoe", horseshoes, words.count("{n} horseshoe", "{n} horseshoes", horseshoes)),
        Fact("kontor", kontor, words.count("{n} Kontor card", "{n} Kontor cards", kontor)),
        Fact("smith", smith, words.count("{n} Smith card", "{n} Smith cards", smith)),
    )


_DONE: Final = {
    "kontor": mark("played a Kontor card"),
    "smith": mark("played a Smith card"),
    "pass": mark("passed"),
}

DUE: Final = {
    "action": mark("chooses an action"),
    "put": mark("puts two shares back"),
    "sail": mark("moves the Dutchman"),
    "name": mark("names a destination"),
    "propose": mark("may propose"),
    "answer": mark("answers"),
    "again": mark("lays again, or passes"),
    "show": mark("may show a share"),
    "check": mark("may ask for the check"),
}


def doing(words: Words, view: View, seat: int) -> str:
    """What a merchant is doing, or has done in this round, in a few words."""
    player = view.players[seat]
    if seat == view.mover:
        return words.say(DUE[view.step])
    if player.laid:
        return words.count("{n} horseshoe face down", "{n} horseshoes face down", player.laid)
    if view.step == "again" and view.bargain and seat in view.bargain.tied and seat in view.queue:
        return words.say("may lay again")
    if player.action == "lay":
        return words.say("laid horseshoes")
    if player.action:
        return words.say(_DONE[player.action])
    return words.say("is still to choose") if seat in view.queue and view.step in ("action", "put") else ""


# ------------------------------------------------------------------------------------------------- knowledge


def knowledge(words: Words, names: Sequence[str], view: View) -> Knowledge:
    """What everybody at the table can know."""
    players = len(view.players)
    shown = [sum(each) for each in zip(*[player.at_least for player in view.players], strict=True)]
    return Knowledge(
        colours=tuple(
            _known_colour(words, colour, said.value(view, colour), known, players - 1)
            for colour, known in zip(COLOURS, shown, strict=True)
        ),
        rows=tuple(
            _known_row(words, seat, names[seat], player.at_least, player.at_most, bool(player.bankrupt), players)
            for seat, player in enumerate(view.players)
        ),
        took=tuple(
            Took(names[seat], shoes(words, player.known)) for seat, player in enumerate(view.players) if player.known
        ),
        middle=shoes(words, view.middle_known),
        middle_text=words.say("Seen to go to the middle"),
        notes=(
            words.count("{n} share in the Kontor pile.", "{n} shares in the Kontor pile.", len(view.pile)),
            words.count("{n} horseshoe is out of the game.", "{n} horseshoes are out of the game.", view.out),
        ),
    )


@lru_cache(maxsize=4096)
def _known_row(
    words: Words,
    seat: int,
    name: str,
    at_least: tuple[int, ...],
    at_most: tuple[int, ...],
    bankrupt: bool,
    players: int,
) -> KnownRow:
    if bankrupt:
        cells = tuple(Cell("–", words.say("none")) for _ in COLOURS)
    else:
        cells = tuple(_cell(words, *known, players) for known in zip(at_least, at_most, strict=True))
    return KnownRow(seat, name, cells, bankrupt)


def _cell(words: Words, least: int, most: int, players: int) -> Cell:
    sign = said.known(least, most, players)
    if least == most:
        return Cell(sign, words.say("exactly {n}", n=least))
    if most >= min(SHARES, players - 1):
        return Cell(sign, words.say("at least {n}", n=least)) if least else Cell("", words.say("unknown"))
    if least:
        return Cell(sign, words.say("{least} to {most}", least=least, most=most))
    return Cell(sign, words.say("at most {n}", n=most))


@lru_cache(maxsize=1024)
def _known_colour(words: Words, which: Colour, worth: int, shown: int, every: int) -> KnownColour:
    return KnownColour(
        colour=which,
        name=said.colour(words, which),
        letter=said.letter(words, which),
        worth=worth,
        shown=f"{shown}/{every}",
        text=words.say(
            "{colour}: of {every} shares everybody knows where {shown} are",
            colour=said.colour(words, which),
            every=every,
            shown=shown,
        ),
    )
