"""Shanghaien by numbered steps. Moves are one step each; a row is laid card by card, for all to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from kontor.environments.encoders import ActionEncoder, Features, ObservationPart, Steps, one_of
from kontor.game import Event
from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.components import NATIONS, ROUNDS, ROW, TRICK_CARDS, TRICKS
from kontor.games.shanghaien.rules.numbering import ACTION, CARD, CARDS, MOVES
from kontor.games.shanghaien.rules.state import Dice, Joker, Move, Nudge, Number, Outcome, Place, Row, Starter, Step
from kontor.games.shanghaien.rules.view import View

FIRST_DICE: Final = 2
"""The number of the first roll, after the two starters."""
ROLLS: Final[tuple[Outcome, ...]] = tuple(
    Dice(low, high) for low in range(1, ROW + 1) for high in range(low, ROW + 1)
)
FIRST_CARD: Final = FIRST_DICE + len(ROLLS)
OUTCOMES: Final[dict[Outcome, int]] = {
    Starter(0): 0,
    Starter(1): 1,
    **{dice: FIRST_DICE + number for number, dice in enumerate(ROLLS)},
}
_WHOLE: Final = {number: outcome for outcome, number in OUTCOMES.items()}
_DICE: Final = Counter({
    FIRST_DICE + number: 1 if dice.low == dice.high else 2
    for number, dice in enumerate(ROLLS)
    if isinstance(dice, Dice)
})  # fmt: skip

STEPS: Final[tuple[Step, ...]] = ("starter", "row", "turn", "roll", "reroll", "place", "both", "over")
"""Things due, by number."""

_TURNS: Final = 2 * (ROW - 1)
"""Turns of a round with dice: each places one at least, and a captain who has placed five cannot roll."""
_MOST_ACTIONS: Final = ROUNDS * (2 * _TURNS + len(("number", "shanghai")) + 2)
"""Rolling and placing, and in each round once: the end that is 1, *shanghai*, and two tricks."""
_MOST_OUTCOMES: Final = 1 + ROUNDS * (ROW + _TURNS + 2)
"""The starter, and in each round six cards, the rolls, and two more by *reroll*."""


class ShanghaienEncoder(ActionEncoder):
    """Shanghaien: two seats, zero-sum, everything in sight."""

    def __init__(self, options: Options) -> None:
        """Create the encoder of a game with these options. Raises BadOptions."""
        SHANGHAIEN.start(options)
        self.game = SHANGHAIEN
        self.options = options
        self.seats = 2
        self.actions = len(MOVES)
        self.outcomes = FIRST_CARD + len(CARDS)
        self.most_actions = _MOST_ACTIONS
        self.most_outcomes = _MOST_OUTCOMES
        self.least_return = -1.0
        self.most_return = 1.0
        self.sum_of_returns = 0.0
        self.parts = PARTS
        self.memory = _MOST_ACTIONS + _MOST_OUTCOMES

    def __reduce__(self) -> tuple[Any, ...]:
        return ShanghaienEncoder, (self.options,)

    def legal(self, state: State, begun: Steps) -> list[int]:
        """Return the numbers of the legal moves, sorted."""
        return _numbers(tuple(SHANGHAIEN.moves(state)))[:]

    def outcome_counts(self, state: State, begun: Steps) -> Counter[int]:
        """Return the possible steps of chance with their weights."""
        if state.step == "row":
            pile = Counter(FIRST_CARD + CARD[card] for card in state.to_come)
            pile.subtract(begun)
            return pile
        return Counter({0: 1, 1: 1}) if state.step == "starter" else _DICE

    def action_from(self, state: State, begun: Steps) -> Any:
        """Return the move or outcome of these steps, or None while a row is incomplete."""
        if state.step == "row":
            if len(begun) < ROW:
                return None
            return Row(tuple([CARDS[step - FIRST_CARD] for step in begun]))
        return MOVES[begun[0]] if state.mover >= 0 else _WHOLE[begun[0]]

    def steps(self, state: State, action: Any) -> Steps:
        """Return the steps of a move or outcome: six for a row, one for all others."""
        if isinstance(action, Row):
            return tuple([FIRST_CARD + CARD[card] for card in action.cards])
        return (OUTCOMES[action] if isinstance(action, Starter | Dice) else ACTION[action],)

    def action_name(self, step: int) -> str:
        """Return the name of a move's step, as in ``place 5``."""
        match MOVES[step]:
            case Number(end):
                return f"1 at the {end}"
            case Place(die):
                return f"place {die}"
            case Joker(trick, nation):
                return f"lay {trick} as joker {nation}"
            case Nudge(die, to):
                return f"nudge {die} to {to}"
            case move:
                return type(move).__name__.lower()

    def outcome_name(self, step: int) -> str:
        """Return the name of an outcome's step, as in ``dice 2 5``."""
        if step >= FIRST_CARD:
            return f"card {CARDS[step - FIRST_CARD]}"
        match _WHOLE[step]:
            case Dice(low, high):
                return f"dice {low} {high}"
            case Starter(seat):
                return f"starter {seat}"
            case other:
                raise AssertionError(other)

    def features(self, view: View, seat: int, begun: Steps) -> Features:
        """Return the observation of a seat, its own values first; the shapes are in PARTS."""
        both = (seat, 1 - seat)
        row = [CARD[card] for card in view.row] or [step - FIRST_CARD for step in begun]
        to_come = [0] * len(CARDS)
        for card in view.to_come:
            to_come[CARD[card]] += 1
        for step in begun:
            to_come[step - FIRST_CARD] -= 1
        roll = [0] * ROW
        for die in view.roll or ():
            roll[die - 1] += 1
        return {
            "step": one_of(len(STEPS), STEPS.index(view.step)),
            "turn": one_of(2, both.index(view.turn)),
            "roll": roll,
            "one_at": one_of(3, {None: 0, "left": 1, "right": 2}[view.one_at]),
            "round": view.round,
            "starter": one_of(2, None if view.starter is None else both.index(view.starter)),
            "spent": [view.spent[one] for one in both],
            "placed": [view.placed[one] for one in both],
            "tricks": [[view.crews[one].tricks.count(trick) for trick in TRICKS] for one in both],
            "strength": [[view.crews[one].strength(nation) for nation in NATIONS] for one in both],
            "row": [one_of(len(CARDS), card) for card in row] + [[0] * len(CARDS)] * (ROW - len(row)),
            "to_come": to_come,
        }

    def tokens(self, event: Event) -> Iterable[int]:
        """Return the tokens of an event, from 1: the moves by number, and after them the outcomes."""
        action = event.action
        if isinstance(action, Row):
            return [1 + len(MOVES) + FIRST_CARD + CARD[card] for card in action.cards]
        if isinstance(action, Starter | Dice):
            return [1 + len(MOVES) + OUTCOMES[action]]
        return [1 + ACTION[action]]

    def drawn_for(self, state: State, begun: Steps, seat: int | None) -> Steps:
        """Return all steps: cards are laid face up."""
        return begun

    def returns(self, state: State) -> tuple[float, ...]:
        """Return 1 for a victory, −1 for a defeat, 0 for a draw, by seat."""
        result = SHANGHAIEN.result(state)
        assert result is not None
        if len(result.winners) == 2:
            return (0.0, 0.0)
        return (1.0, -1.0) if result.winners == (0,) else (-1.0, 1.0)


PARTS: Final = (
    ObservationPart("step", (len(STEPS),), 1),
    ObservationPart("turn", (2,), 1),
    ObservationPart("roll", (ROW,), 2),
    ObservationPart("one_at", (3,), 1),
    ObservationPart("round", (1,), ROUNDS),
    ObservationPart("starter", (2,), 1),
    ObservationPart("spent", (2,), 1),
    ObservationPart("placed", (2, ROW), ROW),
    ObservationPart("tricks", (2, len(TRICKS)), TRICK_CARDS + 1),
    ObservationPart("strength", (2, len(NATIONS)), 31),
    ObservationPart("row", (ROW, len(CARDS)), 1),
    ObservationPart("to_come", (len(CARDS),), TRICK_CARDS),
)


@lru_cache(maxsize=4096)
def _numbers(moves: tuple[Move, ...]) -> list[int]:
    return sorted(ACTION[move] for move in moves)
