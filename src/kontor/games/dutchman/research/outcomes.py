"""Outcomes of chance, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from kontor.environments.encoders import Steps
from kontor.games.dutchman.research.steps import COLOUR, HORSESHOE, KIND, KINDS, ROLL, ROLLS, SHARE
from kontor.games.dutchman.rules import State
from kontor.games.dutchman.rules.chance import DICE, hand_of
from kontor.games.dutchman.rules.components import COLOURS, HORSESHOES, RACK, SHARES, Colour, Horseshoes
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.state import Deal, Dice, Share, Shuffle, Starter

# Urns hold the steps that chance may take, each as often as it is likely.
DICE_URN: Final = Counter({ROLL + place: int(18 * DICE.probability(dice)) for place, dice in enumerate(ROLLS)})
BOX_URN: Final = Counter(KIND[horseshoe] for horseshoe in HORSESHOES)


def outcome_by(state: State, begun: Steps) -> Any:
    """The outcome that these steps make, None if there are steps to come."""
    match state.step:
        case "starter":
            return Starter(begun[0])
        case "deal":
            return _deal(state.options.players, begun)
        case "share":
            return _share(state, begun)
        case "shuffle":
            return Shuffle(colours_by(begun)) if len(begun) == len(state.pile) else None
        case _:
            return ROLLS[begun[0] - ROLL]


def colours_by(steps: Iterable[int]) -> tuple[Colour, ...]:
    """The shares that these steps deal."""
    return tuple([COLOURS[step - SHARE] for step in steps])


def horseshoes_by(steps: Iterable[int]) -> Horseshoes:
    """The horseshoes that these steps deal, in their order."""
    return highest_first(KINDS[step - HORSESHOE] for step in steps)


def _deal(players: int, begun: Steps) -> Deal | None:
    shares = len(COLOURS) * (players - 1)
    racks = shares + RACK * players
    if len(begun) < racks + players:
        return None
    hands = SHARES * players
    rest = BOX_URN.copy()
    rest.subtract(begun[shares:])
    return Deal(
        hands=tuple([hand_of(colours_by(begun[at : at + SHARES])) for at in range(0, hands, SHARES)]),
        pile=colours_by(begun[hands:shares]),
        racks=tuple([horseshoes_by(begun[at : at + RACK]) for at in range(shares, racks, RACK)]),
        middle=horseshoes_by(begun[racks:]),
        out=horseshoes_by(rest.elements()),
    )


def _share(state: State, begun: Steps) -> Share | None:
    smiths = len(state.smiths)
    each = state.in_the_middle // smiths
    if len(begun) < each * smiths:
        return None
    rest = Counter(KIND[horseshoe] for horseshoe in state.middle)
    rest.subtract(begun)
    parts = tuple([horseshoes_by(begun[at : at + each]) for at in range(0, each * smiths, each)])
    return Share(parts, horseshoes_by(rest.elements()))


def steps_of(outcome: Starter | Deal | Dice | Share | Shuffle) -> Steps:
    """The steps that make an outcome; those of the horseshoes left over are not taken."""
    match outcome:
        case Starter(seat):
            return (seat,)
        case Dice():
            return (ROLL + ROLLS.index(outcome),)
        case Share(parts):
            return tuple([KIND[horseshoe] for part in parts for horseshoe in part])
        case Shuffle(pile):
            return tuple([COLOUR[colour] for colour in pile])
        case Deal(hands, pile, racks, middle):
            shares = [COLOUR[colour] for hand in (*hands, pile) for colour in hand]
            return tuple(shares + [KIND[horseshoe] for heap in (*racks, middle) for horseshoe in heap])


def outcome_name(step: int) -> str:
    """A step of an outcome in English."""
    if step < ROLL:
        return f"starter {step}"
    if step < SHARE:
        dice = ROLLS[step - ROLL]
        return f"dice {dice.tens} {dice.ones}"
    return COLOURS[step - SHARE] if step < HORSESHOE else f"horseshoe {KINDS[step - HORSESHOE]}"
