"""Counts of move sequences from fixed positions of Shanghaien (``counts.toml``), as in chess programs.

They are not only frozen: the slow referee counts up to a few thousand sequences each a second time, and the first
counts of most positions follow from the arguments in ``test_the_first_counts_can_be_worked_out_by_hand``.
"""

import tomllib
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement, product, takewhile
from pathlib import Path
from typing import Any, Final

import pytest

from kontor.game import CHANCE
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.state import Row
from reports import check_counts

from .referee import Hand, Referee
from .table import Action, position, show, word

FILE: Final = Path(__file__).with_name("counts.toml")
AGAIN: Final = 2_000
"""The most sequences that the referee counts again."""


@dataclass(frozen=True)
class Setup:
    """A position and its counts, by number of steps."""

    name: str
    state: State
    counts: tuple[int, ...]
    depth: int


def _setup(entry: dict[str, Any]) -> Setup:
    words = dict(entry.get("position", {}))
    if "one_at" in words:
        words["one_at"] = words["one_at"] or None
    state = SHANGHAIEN.start(Options()) if entry.get("start") else position(**words)
    return Setup(entry["name"], state, tuple(entry["counts"]), entry["depth"])


SETUPS: Final = {entry["name"]: _setup(entry) for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["setup"]}


def following(state: State) -> list[Action]:
    """Return every move, or every outcome, of which one row stands for all."""
    if state.mover != CHANCE:
        return list(SHANGHAIEN.moves(state))
    outcomes = SHANGHAIEN.chance(state).outcomes()
    return [Row(state.to_come[:6])] if outcomes is None else [outcome for outcome, _ in outcomes]


def count(state: State, steps: int) -> int:
    if not steps:
        return 1
    return sum(count(SHANGHAIEN.play(state, action), steps - 1) for action in following(state))


def split(state: State, steps: int) -> str:
    """Return the count for each choice of the first step with a choice, as text to compare by hand."""
    path = ""
    while steps > 1 and len(following(state)) == 1:
        path += f"{word(following(state)[0])} "
        state, steps = SHANGHAIEN.play(state, following(state)[0]), steps - 1
    return "\n".join(
        f"    {path + word(action):<24}{count(SHANGHAIEN.play(state, action), steps - 1):>10,}"
        for action in following(state)
    )


@pytest.mark.parametrize("name", SETUPS)
def test_the_number_of_sequences(name: str) -> None:
    setup = SETUPS[name]
    counts = [count(setup.state, steps) for steps in range(1, setup.depth + 1)]
    check_counts(__file__, name, setup.counts, counts, partial(split, setup.state), show(setup.state))


def referee_at(state: State) -> Referee:
    """Return the slow referee at a table at the beginning of a turn (or of a game)."""
    counts = state.options.tricks
    referee = Referee((counts.nudge, counts.both, counts.reroll), state.options.starter, state.options.first_trick)
    if state.step != "turn":
        return referee
    for card in (*state.row, *state.gone):
        referee.pile[card] -= 1
    for hand, crew in zip(referee.hands, state.crews, strict=True):
        _give(hand, referee, crew.sailors, crew.tricks)
    referee.row, referee.round, referee.one_at = list(state.row), state.round, state.one_at
    referee.captains = list(state.spent)
    referee.player, referee.waits_for = state.turn, "turn"
    referee.dice = [([], []) for _ in state.row]
    for place, seat in product(range(6), (0, 1)):
        number = place + 1 if state.one_at == "left" else 6 - place
        referee.dice[place][seat].extend([number] * state.placed[seat][number - 1])
    return referee


def _give(hand: Hand, referee: Referee, sailors: tuple[str, ...], tricks: tuple[str, ...]) -> None:
    hand.sailors += sailors
    hand.tricks += tricks
    for card in (*sailors, *tricks):
        referee.pile[card] -= 1


def counted_by(referee: Referee, steps: int) -> int:
    """Return the same count, by the referee."""
    if not steps:
        return 1
    total = 0
    for step in _describe_next(referee):
        after = deepcopy(referee)
        after.do(step)
        total += counted_by(after, steps - 1)
    return total


def _describe_next(referee: Referee) -> list[str]:
    match referee.waits_for:
        case "starter":
            return ["Anna", "Bernd"]
        case "row":
            return ["row:" + ",".join(sorted(referee.pile.elements())[:6])]
        case "dice":
            return [f"dice:{low}{high}" for low, high in combinations_with_replacement(range(1, 7), 2)]
        case _:
            return sorted(referee.legal())


@pytest.mark.parametrize("name", SETUPS)
def test_a_slow_referee_counts_the_same(name: str) -> None:
    setup = SETUPS[name]
    again = list(takewhile(lambda number: number <= AGAIN, setup.counts))
    counts = [counted_by(referee_at(setup.state), steps) for steps in range(1, len(again) + 1)]
    assert counts == again, show(setup.state)
    assert len(again) >= 3


def test_the_first_counts_can_be_worked_out_by_hand() -> None:
    """Derive the counts from dice, without playing.

    Two dice fall in 21 ways. A roll and the die then placed make 36 pairs: 15 rolls of two different dice give two, 6
    doubles give one, 2·15 + 6 = 36 (as many as there are ordered pairs: the die placed, and the die taken back).
    """
    fall, place = 21, 36

    # Roll, dice, place, and the other player's roll: three turns make 36³.
    turns = [1, fall, place]
    expected = [already * step for already in (1, place, place**2) for step in turns]
    assert list(SETUPS["numbered, no tricks"].counts) == expected
    # The 1 can be at either end: all that follows the first dice twice, and one step later.
    expected = [1, fall, 2 * fall, *(2 * place * now for now in (1, 1, fall, place, place, place * fall))]
    assert list(SETUPS["first roll of a round, no tricks"].counts) == expected
    # The lot makes everything double, and then a row is laid.
    assert SETUPS["the first step of all, by lot"].counts == (2, 2, 2, 2 * fall, 2 * 2 * fall, 2 * 2 * place)

    # Nudges: a number is in 5 rolls beside another and in 1 double. 1 and 6 can be nudged one way, the others two
    # ways: (5 + 1) · (1 + 2 + 2 + 2 + 2 + 1) = 60. Where two different dice are next to each other (5 rolls), two
    # nudges make a double, and one die is to be placed, else two: 10 + 2 · 50 = 110.
    nudges, placed = 60, 110
    counts = SETUPS["a nudge in hand, no sailors"].counts
    assert counts[:4] == (1, fall, place + nudges, place * 1 + placed)
    assert counts[4] == place * fall + placed
    # Sailors of two nations: also two jokers, after which the roll is placed as usual.
    counts = SETUPS["a nudge in hand, sailors of two nations"].counts
    assert counts[:4] == (1, fall, place + nudges + 2 * fall, place + placed + 2 * place)

    # Both: one more way for each roll; not numbered, it is followed by one of two ends.
    assert SETUPS["a both in hand, no sailors"].counts[:4] == (1, fall, place + fall, place + fall)
    assert SETUPS["a both in hand, not numbered"].counts[:4] == (
        1,
        fall,
        2 * fall + fall,
        2 * (place + fall) + 2 * fall,
    )

    # Reroll: one more way, and then 21 dice for each of 21 rolls, of which one is placed.
    counts = SETUPS["a reroll in hand, no sailors"].counts
    assert counts[:5] == (1, fall, place + fall, place + fall * fall, place * fall + fall * place)

    # Anna must shanghai and a row is laid. Bernd has won a both (card 4) and a sailor (card 5): on his first roll he
    # numbers the row, or plays both, or the joker; then he places, or plays a trick, or numbers the row after it.
    first = [1, 1, 1, fall, 2 * fall + fall + fall, 2 * (place + fall + fall) + 2 * fall + 2 * fall]
    assert SETUPS["the end of a round: Anna must shanghai"].counts[:6] == tuple(first)

    # The last round: Anna rolls or ends the game; having rolled she has 5 dice placed, and Bernd rolls or ends it.
    counts = SETUPS["the last round, and no tricks"].counts
    assert counts[:4] == (2, fall, place, 2 * place)
    # After Bernd's roll and placing Anna can only shanghai, which is the end.
    assert counts[4:] == (place * fall, place**2, place**2, 0)
