"""The worked examples of the rules: games that are played here by the rules engine, move by move. Pictures show
what came of it; that the sentences beside them say so is tested in ``tests/web/test_shanghaien_examples.py``."""

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
"""What Anna and Bernd win in the three rounds before the one in which tricks are shown."""
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
"""What they win in the game that ends as the worked example of S11 says."""
_JOKERS: Final = {3: Joker("nudge", "S"), 4: Joker("nudge", "S")}
"""The rounds of it in which Anna lays a joker with her Spaniards."""
_NO_JOKERS: Final[Mapping[int, Joker]] = {}


class Use(Value, frozen=True):
    """A trick that is used (S8). ``without`` is the same roll without it. Each is the game after that round."""

    after: State
    without: State

    @property
    def points(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """Anna's and Bernd's points after the round: with the trick, and without it."""
        return totals(self.after.crews), totals(self.without.crews)


# ------------------------------------------------------------------------------------------------ what is shown


@cache
def numbering() -> State:
    """Anna has rolled 1 and 2 and has to say where the 1 is (S7)."""
    return _go(SHANGHAIEN.start(Options(starter=ANNA)), Row(_NUMBERED_ROW), *_rolled(1, 2))


def numbered(left: bool) -> State:
    """The same with the 1 on the left, or on the right."""
    return _go(numbering(), Number("left" if left else "right"))


@cache
def dealt() -> State:
    """The round of S9 is over, and the next row lies."""
    placed = _placed(_laid(SHANGHAIEN.start(Options(starter=ANNA)), _DEALT_ROW), *_DEALT_DICE)
    return _go(placed, Shanghai(), Row(_NEXT_ROW))


@cache
def before_tricks() -> State:
    """Anna is about to roll in round 4. She has one trick card of each kind."""
    state = _won(SHANGHAIEN.start(Options(starter=BERND)), _WON_BEFORE, _TRICKS_ROW)
    return _placed(_laid(state, _TRICKS_ROW), *_TRICKS_DICE)


@cache
def tricks() -> dict[str, Use]:
    """Each trick with dice as it helps Anna, and as it hurts her (S8b to S8d). Bernd calls in his next turn, but for
    the second use of *both*: there he places a die, and she has to call (S5)."""
    on_four = _ended((2, 4), Place(4))
    return {
        "nudge-helps": Use(_ended((2, 4), Nudge(4, 5), Place(5)), on_four),
        "nudge-hurts": Use(_ended((2, 4), Nudge(2, 1), Place(1)), on_four),
        "both-helps": Use(_ended((5, 6), Both()), _ended((5, 6), Place(5))),
        "both-hurts": Use(_go(must_call(), Shanghai()), on_four),
        "reroll-helps": Use(_ended((1, 3), Reroll(), Dice(2, 5), Place(5)), _ended((1, 3), Place(3))),
        "reroll-hurts": Use(_ended((2, 4), Reroll(), Dice(1, 1), Place(1)), on_four),
    }


@cache
def rolled() -> State:
    """Anna has rolled 2 and 4."""
    return _go(before_tricks(), *_rolled(2, 4))


@cache
def joined(nation: Nation) -> State:
    """Anna has laid a joker with sailors of hers (S8a)."""
    return _go(rolled(), Joker("reroll", nation))


@cache
def must_call() -> State:
    """Anna has used *both* when three dice were left: Bernd has answered, and she cannot roll any more."""
    return _go(_later(), Both(), *_double(5))


@cache
def may_go_on() -> State:
    """The same without the trick: Anna has placed the 5 alone."""
    return _go(_later(), Place(5), *_double(5))


@cache
def last_round() -> State:
    """The last round before it is dealt out: Anna has dice on the Chinese 1, Bernd on a trick card."""
    state = _won(SHANGHAIEN.start(Options(starter=ANNA)), _WON[:-1], chain(*_WON[-1]), _JOKERS)
    row, dice = _row_of(state, _WON[-1], ())
    return _placed(_laid(state, row), *dice)


@cache
def final() -> State:
    """The game is over (S11)."""
    return _go(last_round(), Shanghai())


@cache
def halfway() -> State:
    """The same game in its fifth round, before anybody rolls."""
    kept = tuple(chain(*(part for won in _WON[4:] for part in won)))
    state = _won(SHANGHAIEN.start(Options(starter=ANNA)), _WON[:4], kept, _JOKERS)
    return _laid(state, _row_of(state, _WON[4], kept)[0])


# ------------------------------------------------------------------------------------------------ how it is played


def _later() -> State:
    """Anna and Bernd have placed one die more, and she has rolled 4 and 5."""
    return _go(before_tricks(), *_double(2), *_double(6), *_rolled(4, 5))


def _go(state: State, *actions: Move | Outcome) -> State:
    for action in actions:
        state = SHANGHAIEN.play(state, action)
    return state


def _rolled(low: int, high: int) -> tuple[Move | Outcome, ...]:
    return Roll(), Dice(low, high)


def _double(die: int) -> tuple[Move | Outcome, ...]:
    """A turn in which there is nothing to choose."""
    return *_rolled(die, die), Place(die)


def _laid(state: State, row: Sequence[Card]) -> State:
    return _go(state, Row(tuple(row)))


def _placed(state: State, anna: Sequence[int], bernd: Sequence[int], joker: Joker | None = None) -> State:
    """Both place dice by turns, as many each; Anna's joker is laid on her first roll."""
    for turn in range(len(anna) + len(bernd)):
        die = (anna, bernd)[state.turn][turn // 2]
        numbers = (Number("left"),) if not turn else ()
        jokers = (joker,) if joker and state.turn == ANNA and turn < 2 else ()
        state = _go(state, *_rolled(die, die), *numbers, *jokers, Place(die))
    return state


def _won(
    state: State,
    rounds: Sequence[tuple[Sequence[Card], Sequence[Card]]],
    kept: Iterable[Card],
    jokers: Mapping[int, Joker] = _NO_JOKERS,
) -> State:
    """Rounds in which both win these cards, and others of the row leave the game; none of those that are ``kept``.
    ``jokers`` are what Anna lays, by round."""
    later = tuple(kept)
    for at, won in enumerate(rounds):
        row, dice = _row_of(state, won, (*later, *chain(*(part for after in rounds[at + 1 :] for part in after))))
        state = _go(_placed(_laid(state, row), *dice, jokers.get(state.round)), Shanghai())
    return state


def _row_of(
    state: State, won: tuple[Sequence[Card], Sequence[Card]], kept: Iterable[Card]
) -> tuple[tuple[Card, ...], tuple[tuple[int, ...], tuple[int, ...]]]:
    """A row that begins with these cards, and two dice of each player that win them."""
    anna, bernd = won
    spare = sorted((Counter(state.to_come) - Counter((*anna, *bernd, *kept))).elements())
    lacking = ROW - len(anna) - len(bernd)
    row = (*anna, *bernd, *(spare[at * len(spare) // lacking] for at in range(lacking)))
    dice = (1, len(anna)), (len(anna) + 1, len(anna) + len(bernd))
    return row, dice


def _ended(rolled: tuple[int, int], *actions: Move | Outcome) -> State:
    """Anna rolls and does this; then Bernd calls."""
    return _go(before_tricks(), *_rolled(*rolled), *actions, Shanghai())
