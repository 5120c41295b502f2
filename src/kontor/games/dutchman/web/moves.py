"""Moves of Der fliegende Holländer as the fields of a form, and back.

There are hundreds of lays and millions of proposals, so a form does not name a move. It carries the horseshoes
chosen, the destination, and what each of the tied players pays or gets. This module does not check whether moves are
legal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kontor.game import Refusal
from kontor.games.dutchman.rules import Move, View
from kontor.games.dutchman.rules.components import COLOURS, HORSESHOES, MOST_PLAYERS, PLACE_OF, Colour
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Smith,
    Waive,
    Withhold,
)

_PLAIN: Final[dict[str, Move]] = {
    "kontor": Kontor(),
    "smith": Smith(),
    "pass": Pass(),
    "withhold": Withhold(),
    "accept": Accept(),
    "decline": Decline(),
    "keep": Keep(),
    "check": Check(),
    "waive": Waive(),
}
"""Moves without parameters, by their names in the form."""

_CHOOSING: Final = ("put", "show", "sail", "name", "propose")
"""Steps in which the player chooses something first."""

_MOST_DIGITS: Final = 6


def possible(view: View, moves: Sequence[Move]) -> tuple[str, ...]:
    """Return the reader's possible moves, by the names of the form's buttons.

    ``moves`` are those of the reader: empty while others move.
    """
    if not moves:
        return ()
    buttons = [button for button, move in _PLAIN.items() if move in moves]
    if view.rack and Lay(view.rack[-1:]) in moves:
        buttons.append("lay")
    if view.step in _CHOOSING:
        buttons.append(view.step)
    return tuple(buttons)


def move_of(form: Mapping[str, str]) -> Move:
    """Return the move that a form means. Raises Refusal.

    ``move`` is the kind of move. With it come ``shoe`` or ``put`` (several, with spaces between), ``to``, ``colour``,
    and what each of the tied players gets, in the order of play: ``ducats0`` (below 0 if they pay), ``ducats1`` …, or
    ``pays0``, ``gets0``, ``pays1`` …. What the player at the place ``balance`` gets follows from the others.
    """
    kind = form.get("move", "")
    if kind in _PLAIN:
        return _PLAIN[kind]
    match kind:
        case "lay":
            return _lay(form.get("shoe", "").split())
        case "put":
            return _put(form.get("put", "").split())
        case "show":
            return _show(form.get("colour", ""))
        case "sail":
            return Sail(_to(form))
        case "name":
            return Name(_to(form))
        case "propose":
            return Propose(_to(form), tuple(_ducats(form)))
        case _:
            raise Refusal("H6", "This is not a move of Der fliegende Holländer.")


def _lay(shoes: list[str]) -> Lay:
    if not shoes:
        raise Refusal("H6c", "Choose the horseshoes to play.")
    numbers = [int(shoe) for shoe in shoes if shoe.isascii() and shoe.isdigit() and len(shoe) < _MOST_DIGITS]
    if len(numbers) < len(shoes) or len(numbers) > len(HORSESHOES) or not set(numbers) <= set(HORSESHOES):
        raise Refusal("H6c", "These horseshoes do not exist.")
    return Lay(highest_first(numbers))


def _put(shares: list[str]) -> Put:
    colours = sorted((_colour(share) for share in shares), key=PLACE_OF.__getitem__)
    match colours:
        case [first, second]:
            return Put((first, second))
        case _:
            raise Refusal("H6a", "Choose two of your five shares to go under the pile.")


def _show(colour: str) -> Show:
    if not colour:
        raise Refusal("H12", "Choose the share to show.")
    return Show(_colour(colour))


def _colour(name: str) -> Colour:
    for colour in COLOURS:
        if colour == name:
            return colour
    raise Refusal("H1", "There are no shares of that colour.")


def _to(form: Mapping[str, str]) -> str:
    to = form.get("to", "")
    if not to:
        raise Refusal("H8", "Choose where the Dutchman goes.")
    return to


def _ducats(form: Mapping[str, str]) -> list[int]:
    """Return the ducats that each of the tied gets, or pays (below 0).

    A form has one number for each; the share of the sender may be left to be the balance. Or it has two numbers for
    each of the tied: what they pay, and what they get.
    """
    own = _number(form["balance"]) if "balance" in form else None
    ducats = []
    for place in range(MOST_PLAYERS):
        if place == own:
            ducats.append(0)
        elif f"ducats{place}" in form:
            ducats.append(_signed_number(form[f"ducats{place}"]))
        elif f"pays{place}" in form or f"gets{place}" in form:
            ducats.append(_number(form.get(f"gets{place}", "")) - _number(form.get(f"pays{place}", "")))
        else:
            break
    if own is not None and own < len(ducats):
        ducats[own] = -sum(ducats)
    return ducats


def _signed_number(given: str) -> int:
    given = given.strip().replace("\N{MINUS SIGN}", "-")
    return -_number(given[1:]) if given.startswith("-") else _number(given)


def _number(given: str) -> int:
    given = given.strip()
    if not given:
        return 0
    if not (given.isascii() and given.isdigit() and len(given) < _MOST_DIGITS):
        raise Refusal("H9", "Ducats are whole numbers.")
    return int(given)


def fields_of(move: Move) -> dict[str, str]:
    """Return the fields that mean a move."""
    match move:
        case Lay(shoes):
            return {"move": "lay", "shoe": " ".join(map(str, shoes))}
        case Put(shares):
            return {"move": "put", "put": " ".join(shares)}
        case Show(colour):
            return {"move": "show", "colour": colour}
        case Sail(to):
            return {"move": "sail", "to": to}
        case Name(to):
            return {"move": "name", "to": to}
        case Propose(to, ducats):
            terms = {f"ducats{place}": str(change) for place, change in enumerate(ducats)}
            return {"move": "propose", "to": to, **terms}
        case _:
            return {"move": type(move).__name__.lower()}
