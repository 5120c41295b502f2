"""The worked examples of the rules: games played here by the rules engine, move by move.

Pictures show their states. ``tests/web/test_shanghaien_examples.py`` checks the sentences beside the pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Final

from kontor.game import Value
from kontor.games.shanghaien.rules import SHANGHAIEN, Move, Options, State
from kontor.games.shanghaien.rules.components import ROW, Card, Nation
from kontor.games.shanghaien.rules.scoring import totals
from kontor.games.shanghaien.rules.state import (
    Both,
    Dice,
    Joker,
    Nudge,
    Number,
    Outcome,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
)

ANNA: Final = 0
BERND: Final = 1

_NUMBERED_ROW: Final = ("S4", "A1", "T2", "F3", "I1", "G2")

_DEALT_ROW: Final = ("T2", "G4", "I4", "D2", "C3", "nudge")
_DEALT_DICE: Final = ((2, 2, 3, 6, 6), (3, 4, 5, 6, 6))
"""The worked example of S9: Anna's dice and Bernd's."""
_NEXT_ROW: Final = ("A1", "F3", "S2", "both", "I1", "T4")

_WON_BEFORE: Final = ((("nudge", "S3"), ("T3",)), (("both", "T1"), ("T4",)), (("reroll",), ("S4",)))
"""The cards that Anna and Bernd win in the three rounds before the one that shows tricks."""
_TRICKS_ROW: Final = ("T2", "F1", "A2", "I1", "G4", "C2")
_TRICKS_DICE: Final = ((5, 3), (5, 6))

_WON: Final = (
    (("nudge",), ("F2",)),
    (("S3",), ("F3",)),
    (("nudge",), ("A3",)),
    (("F1", "F4"), ("A4",)),
    (("A1",), ("C3",)),
    (("A2",), ("C3",)),
    (("A3",), ("C4",)),
    (("C1",), ("both",)),
)
"""The cards that they win in each round of the game that ends with the worked example of S11."""
_JOKERS: Final = {3: Joker("nudge", "S"), 4: Joker("nudge", "S")}
"""The rounds of that game in which Anna lays a joker with her Spaniards."""
_NO_JOKERS: Final[Mapping[int, Joker]] = {}


class Use(Value, frozen=True):
    """The game after a round in which a trick is used (S8), and ``without`` it after the same roll."""

    after: State
    without: State

    @property
    def points(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return Anna's and Bernd's points after the round: with the trick, and without it."""
        return totals(self.after.crews), totals(self.without.crews)


# ---------------------------------------------------------------------------------------------------- the states


@cache
def numbering() -> State:
    """Return the state in which Anna has rolled 1 and 2 and has to choose the end of the 1 (S7)."""
    return _play_actions(SHANGHAIEN.start(Options(starter=ANNA)), Row(_NUMBERED_ROW), *_roll_actions(1, 2))


def numbered(left: bool) -> State:
    """Return the state after her choice: the 1 is on the left, or on the right."""
    return _play_actions(numbering(), Number("left" if left else "right"))


@cache
def dealt() -> State:
    """Return the state after the round of S9, with the next row laid."""
    placed = _place_dice(_lay_row(SHANGHAIEN.start(Options(starter=ANNA)), _DEALT_ROW), *_DEALT_DICE)
    return _play_actions(placed, Shanghai(), Row(_NEXT_ROW))


@cache
def before_tricks() -> State:
    """Return the state in which Anna is about to roll in round 4. She has one trick card of each kind."""
    state = _play_rounds(SHANGHAIEN.start(Options(starter=BERND)), _WON_BEFORE, _TRICKS_ROW)
    return _place_dice(_lay_row(state, _TRICKS_ROW), *_TRICKS_DICE)


@cache
def tricks() -> dict[str, Use]:
    """Return each trick with dice, once as it helps Anna and once as it hurts her (S8b to S8d).

    Bernd calls in his next turn, except after the second use of *both*: there he places a die, and she has to call
    (S5).
    """
    on_four = _end_round((2, 4), Place(4))
    return {
        "nudge-helps": Use(_end_round((2, 4), Nudge(4, 5), Place(5)), on_four),
        "nudge-hurts": Use(_end_round((2, 4), Nudge(2, 1), Place(1)), on_four),
        "both-helps": Use(_end_round((5, 6), Both()), _end_round((5, 6), Place(5))),
        "both-hurts": Use(_play_actions(must_call(), Shanghai()), on_four),
        "reroll-helps": Use(_end_round((1, 3), Reroll(), Dice(2, 5), Place(5)), _end_round((1, 3), Place(3))),
        "reroll-hurts": Use(_end_round((2, 4), Reroll(), Dice(1, 1), Place(1)), on_four),
    }


@cache
def rolled() -> State:
    """Return the state in which Anna has rolled 2 and 4."""
    return _play_actions(before_tricks(), *_roll_actions(2, 4))


@cache
def joined(nation: Nation) -> State:
    """Return the state in which Anna has laid a joker with her sailors of a nation (S8a)."""
    return _play_actions(rolled(), Joker("reroll", nation))


@cache
def must_call() -> State:
    """Return the state after Anna used *both* with three dice left, and Bernd moved: she cannot roll any more."""
    return _play_actions(_one_die_later(), Both(), *_double(5))


@cache
def last_round() -> State:
    """Return the last round before it is dealt out: Anna has dice on the Chinese 1, Bernd on a trick card."""
    state = _play_rounds(SHANGHAIEN.start(Options(starter=ANNA)), _WON[:-1], chain(*_WON[-1]), _JOKERS)
    row, dice = _row_of(state, _WON[-1], ())
    return _place_dice(_lay_row(state, row), *dice)


@cache
def final() -> State:
    """Return the end of that game (S11)."""
    return _play_actions(last_round(), Shanghai())


@cache
def halfway() -> State:
    """Return that game in its fifth round, before anyone rolls."""
    reserved = tuple(chain(*(part for won in _WON[4:] for part in won)))
    state = _play_rounds(SHANGHAIEN.start(Options(starter=ANNA)), _WON[:4], reserved, _JOKERS)
    return _lay_row(state, _row_of(state, _WON[4], reserved)[0])


# ----------------------------------------------------------------------------------------------------------- playing


def _one_die_later() -> State:
    """Return the state after one more die of Anna and of Bernd, in which she has rolled 4 and 5."""
    return _play_actions(before_tricks(), *_double(2), *_double(6), *_roll_actions(4, 5))


def _play_actions(state: State, *actions: Move | Outcome) -> State:
    for action in actions:
        state = SHANGHAIEN.play(state, action)
    return state


def _roll_actions(low: int, high: int) -> tuple[Move | Outcome, ...]:
    return Roll(), Dice(low, high)


def _double(die: int) -> tuple[Move | Outcome, ...]:
    """Return the actions of a turn with a double, in which there is nothing to choose."""
    return *_roll_actions(die, die), Place(die)


def _lay_row(state: State, row: Sequence[Card]) -> State:
    return _play_actions(state, Row(tuple(row)))


def _place_dice(state: State, anna: Sequence[int], bernd: Sequence[int], joker: Joker | None = None) -> State:
    """Place dice for both in turns, as many each; Anna lays her joker on her first roll."""
    for turn in range(len(anna) + len(bernd)):
        die = (anna, bernd)[state.turn][turn // 2]
        numbers = (Number("left"),) if not turn else ()
        jokers = (joker,) if joker and state.turn == ANNA and turn < 2 else ()
        state = _play_actions(state, *_roll_actions(die, die), *numbers, *jokers, Place(die))
    return state


def _play_rounds(
    state: State,
    rounds: Sequence[tuple[Sequence[Card], Sequence[Card]]],
    reserved: Iterable[Card],
    jokers: Mapping[int, Joker] = _NO_JOKERS,
) -> State:
    """Play rounds in which both win these cards, and the other cards of each row leave the game.

    None of those are ``reserved`` cards. ``jokers`` are the jokers that Anna lays, by round.
    """
    later = tuple(reserved)
    for at, won in enumerate(rounds):
        row, dice = _row_of(state, won, (*later, *chain(*(part for after in rounds[at + 1 :] for part in after))))
        state = _play_actions(_place_dice(_lay_row(state, row), *dice, jokers.get(state.round)), Shanghai())
    return state


def _row_of(
    state: State, won: tuple[Sequence[Card], Sequence[Card]], reserved: Iterable[Card]
) -> tuple[tuple[Card, ...], tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return a row that begins with these cards, and two dice of each player that win them."""
    anna, bernd = won
    spare = sorted((Counter(state.to_come) - Counter((*anna, *bernd, *reserved))).elements())
    lacking = ROW - len(anna) - len(bernd)
    row = (*anna, *bernd, *(spare[at * len(spare) // lacking] for at in range(lacking)))
    dice = (1, len(anna)), (len(anna) + 1, len(anna) + len(bernd))
    return row, dice


def _end_round(rolled: tuple[int, int], *actions: Move | Outcome) -> State:
    """Return the state after Anna rolls and takes the actions, and Bernd calls."""
    return _play_actions(before_tricks(), *_roll_actions(*rolled), *actions, Shanghai())
