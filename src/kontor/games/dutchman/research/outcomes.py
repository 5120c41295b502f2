"""Outcomes of chance, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import comb
from typing import Any, Final

from kontor.environments.encoders import Steps
from kontor.games.dutchman.research.steps import COLOUR, HORSESHOE, KIND, KINDS, ROLL, ROLLS, SHARE
from kontor.games.dutchman.rules import Options, State
from kontor.games.dutchman.rules.chance import DICE, dice_of, hand_of
from kontor.games.dutchman.rules.components import BOX, COLOURS, HORSESHOES, Box, Colour, Horseshoes, shares_in_play
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.state import Deal, Dice, Share, Shuffle, Starter

# Urns hold the steps that chance may take, each with its weight.
DICE_URN: Final = Counter({ROLL + place: int(18 * DICE.probability(dice)) for place, dice in enumerate(ROLLS)})
BOX_URN: Final = Counter(KIND[horseshoe] for horseshoe in HORSESHOES)


@cache
def dice_urn(box: Box) -> Counter[int]:
    """Return the urn of a box's two dice."""
    if box == BOX:
        return DICE_URN
    dice = dice_of(box)
    return Counter({ROLL + ROLLS.index(roll): int(36 * chance) for roll, chance in dice.outcomes()})


def rack_urn(box: Box, dealt: Steps) -> Counter[int]:
    """Return the urn of the next horseshoe of a small box, all of whose are different, after those dealt.

    It is dealt rack by rack, in each the highest first, so that no two orders give the same deal. The weight of a
    step is the number of ways to fill the rack after it.
    """
    missing = box.rack - 1 - len(dealt) % box.rack
    left = [KIND[horseshoe] for horseshoe in box.horseshoes if KIND[horseshoe] not in dealt]
    last = dealt[-1] if len(dealt) % box.rack else -1
    return Counter({step: comb(sum(other > step for other in left), missing) for step in left if step > last})


def outcome_by(state: State, begun: Steps) -> Any:
    """Return the outcome that these steps make, or None if there are steps to come."""
    match state.step:
        case "starter":
            return Starter(begun[0])
        case "deal":
            return _deal(state.options, begun)
        case "share":
            return _share(state, begun)
        case "shuffle":
            return Shuffle(colours_by(begun)) if len(begun) == len(state.pile) else None
        case _:
            return ROLLS[begun[0] - ROLL]


def colours_by(steps: Iterable[int]) -> tuple[Colour, ...]:
    """Return the shares that these steps deal."""
    return tuple([COLOURS[step - SHARE] for step in steps])


def horseshoes_by(steps: Iterable[int]) -> Horseshoes:
    """Return the horseshoes that these steps deal, highest first."""
    return highest_first(KINDS[step - HORSESHOE] for step in steps)


def _deal(options: Options, begun: Steps) -> Deal | None:
    players, box = options.players, options.box
    shares = len(shares_in_play(players, box))
    racks = shares + box.rack * players
    if len(begun) < racks + (players if box.middle is None else box.middle):
        return None
    hands = box.hand * players
    rest = Counter(KIND[horseshoe] for horseshoe in box.horseshoes)
    rest.subtract(begun[shares:])
    return Deal(
        hands=tuple([hand_of(colours_by(begun[at : at + box.hand])) for at in range(0, hands, box.hand)]),
        pile=colours_by(begun[hands:shares]),
        racks=tuple([horseshoes_by(begun[at : at + box.rack]) for at in range(shares, racks, box.rack)]),
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
    """Return the steps that make an outcome; the horseshoes left over need none."""
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
    """Return a step of an outcome in English."""
    if step < ROLL:
        return f"starter {step}"
    if step < SHARE:
        dice = ROLLS[step - ROLL]
        return f"dice {dice.tens} {dice.ones}"
    return COLOURS[step - SHARE] if step < HORSESHOE else f"horseshoe {KINDS[step - HORSESHOE]}"
