"""The solver of rounds, compared with a plain recursion from the rules (S4 to S9): equal to 1e-9, for any ends.

The values of the ends are random numbers, so that the tests also reach uses of tricks that real scores hardly ever
make attractive. With three or four dice a player the recursion is quick enough for whole rounds.
"""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import cast

import numpy as np
import pytest

from kontor.games.shanghaien.players.round import NOTHING, Ends, Turn, Use, solve
from kontor.games.shanghaien.rules.components import End
from kontor.games.shanghaien.rules.state import Numbers
from players.slow_round import Position, SlowRound
from profiles import scale_examples

ENDS: tuple[End, ...] = ("left", "right")
NUDGE, BOTH, REROLL = Use("nudge"), Use("both"), Use("reroll")
FRENCH, ITALIANS = Use("nudge", "F"), Use("both", "I")

HANDS: list[tuple[tuple[Use, ...], tuple[Use, ...]]] = [
    ((), ()),
    ((NUDGE,), ()),
    ((), (NUDGE,)),
    ((BOTH,), ()),
    ((), (BOTH,)),
    ((REROLL,), ()),
    ((), (REROLL,)),
    ((FRENCH,), (ITALIANS,)),
    ((BOTH,), (BOTH,)),
    ((NUDGE, FRENCH), (REROLL, ITALIANS)),
    ((NUDGE, BOTH, REROLL, FRENCH, ITALIANS), (BOTH,)),
]
"""The uses of each seat, besides no use."""


def some_ends(hands: tuple[tuple[Use, ...], tuple[Use, ...]], seed: int, *, alike: bool = False) -> Ends:
    """Return ends with any values; or, with ``alike``, realistic ones: more cards are better, with either ender."""
    uses = ((NOTHING, *hands[0]), (NOTHING, *hands[1]))
    random = np.random.default_rng(seed)
    worth = random.random((len(uses[0]), len(uses[1]), 2, 3**6))
    if alike:
        digits = np.array([[way // 3**place % 3 for place in range(6)] for way in range(3**6)])
        cards = random.random(6)
        worth = 0.5 + ((digits == 1) @ cards - (digits == 2) @ cards) / 12 + worth / 50
    return Ends(uses, worth)


def positions(slow: SlowRound, random: Random, rounds: int) -> Iterator[Position]:
    """Yield the turns of rounds played at random, with tricks and numbering."""
    for _ in range(rounds):
        at = Position()
        while True:
            yield at
            options = slow.of_turn(at)
            if "roll" not in options or (len(options) > 1 and random.random() < 0.15):
                break
            end = at.one_at or random.choice(ENDS)
            uses = slow.uses[at.turn]
            number = random.randrange(len(uses)) if at.used[at.turn] == 0 and random.random() < 0.4 else 0
            dice = random.choices(range(1, 7), k=2 if uses[number] == BOTH else 1)
            counts = [list(each) for each in at.placed]
            for die in dice:
                counts[at.turn][die - 1] += 1
            used = list(at.used)
            used[at.turn] = number or used[at.turn]
            placed = tuple(counts[0]), tuple(counts[1])
            at = Position(placed, 1 - at.turn, (used[0], used[1]), end)


def solve_position(ends: Ends, at: Position, dice: int) -> Turn:
    for seat in (0, 1):
        if at.used[seat]:
            ends = ends.after(seat, ends.uses[seat][at.used[seat]])
    placed = cast("tuple[Numbers, Numbers]", at.placed)
    return solve(ends, placed, at.turn, at.one_at, dice=dice, keep=ends.uses[at.turn])


def check_value(value: float | None, expected: float, context: object) -> None:
    assert value == pytest.approx(expected, abs=1e-9), context


def check_turn(slow: SlowRound, ends: Ends, at: Position, random: Random) -> None:
    """Compare all results of the solver for a turn."""
    turn = solve_position(ends, at, slow.dice)
    options = slow.of_turn(at)
    check_value(turn.value, slow.turn(at), at)
    assert (turn.shanghai is None) == ("shanghai" not in options), at
    if turn.shanghai is not None:
        check_value(turn.shanghai, options["shanghai"], at)
    if "roll" not in options:
        assert turn.placing is None, at
        return
    check_value(turn.rolling, options["roll"], at)
    for _ in range(3):
        low, high = sorted(random.choices(range(1, 7), k=2))
        check_value(turn.rolled(low, high), slow.rolled(at, (low, high)), (at, low, high))
        check_moves(slow, turn, at, low, high)


def check_moves(slow: SlowRound, turn: Turn, at: Position, low: int, high: int) -> None:
    for move, values in slow.of_roll(at, (low, high)).items():
        context = (at, low, high, move)
        match move:
            case ("number", end):
                check_value(turn.numbered(end).rolled(low, high), values[0], context)
            case ("place", die):
                assert turn.placing is not None
                check_value(float(turn.placing[0, 0, die - 1]), values[0], context)
            case ("joker", trick, nation):
                check_value(turn.used(Use(trick, nation), low, high), values[0], context)
            case ("nudge", die, to):
                other = high if die == low else low
                check_value(turn.used(NUDGE, min(other, to), max(other, to)), values[0], context)
            case ("both",):
                check_value(turn.used(BOTH, low, high), values[0], context)
            case ("reroll",):
                check_value(turn.rerolling, values[0], context)
            case _:
                raise AssertionError(context)


@pytest.mark.parametrize("number", range(len(HANDS)))
@pytest.mark.long
def test_whole_rounds_with_three_dice_each_s4_to_s9(number: int) -> None:
    """Check ends of any values, and realistic ones for every second pair of hands."""
    ends = some_ends(HANDS[number], number, alike=number % 2 == 1)
    slow = SlowRound(ends.worth, ends.uses, dice=3)
    random = Random(number)
    for at in positions(slow, random, scale_examples(3)):
        check_turn(slow, ends, at, random)


@pytest.mark.long
def test_whole_rounds_with_four_dice_each_s4_to_s9() -> None:
    ends = some_ends(((), (NUDGE,)), 102)
    slow = SlowRound(ends.worth, ends.uses, dice=4)
    random = Random(2)
    for at in positions(slow, random, scale_examples(2)):
        check_turn(slow, ends, at, random)


def test_every_position_of_a_round_with_three_dice_each() -> None:
    ends = some_ends(((BOTH,), (NUDGE,)), 7)
    slow = SlowRound(ends.worth, ends.uses, dice=3)
    dice = [counts for counts in product(range(4), repeat=6) if sum(counts) <= 3]
    solved_count = 0
    for first, second in product(dice, repeat=2):
        if sum(first) == 2 and sum(second) in (1, 2) and (first[0] or second[5]):
            at = Position((first, second), int(sum(first) > sum(second)), (0, 0), ENDS[solved_count % 2])
            check_value(solve_position(ends, at, 3).value, slow.turn(at), at)
            solved_count += 1
    assert solved_count > 150


@pytest.mark.parametrize("number", range(len(HANDS)))
def test_late_positions_with_all_six_dice_s5(number: int) -> None:
    random = Random(number)
    ends = some_ends(HANDS[number], 50 + number)
    slow = SlowRound(ends.worth, ends.uses)
    for _ in range(6):
        least = random.choice([(4, 4), (5, 4), (4, 5), (5, 5), (5, 6)])
        placed = tuple(count_dice(random.choices(range(6), k=count)) for count in least)
        at = Position((placed[0], placed[1]), random.randrange(2), (0, 0), random.choice(ENDS))
        check_turn(slow, ends, at, random)


def count_dice(dice: list[int]) -> tuple[int, ...]:
    return tuple(dice.count(die) for die in range(6))
