"""The action encoder of a game with few moves and outcomes, in which nothing is hidden."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import lcm
from typing import Any, Final

from msgspec.structs import astuple

from kontor.environments.adapter import encoder_of
from kontor.environments.encoders import ActionEncoder, Features, ObservationPart, Steps
from kontor.game import AnyGame, Event

MEMORY: Final = 256
"""The most tokens of past events in the tensor of an information state."""


class ListedEncoder(ActionEncoder):
    """A game whose moves and outcomes can be listed: each is one step.

    It is zero-sum: the winner gets 1, and the others pay it in equal parts; several winners share it.
    """

    def __init__(
        self,
        game: AnyGame,
        options: Any,
        *,
        moves: Sequence[Any],
        outcomes: Sequence[Any],
        numbers: Mapping[str, float],
        most_actions: int,
        most_outcomes: int,
    ) -> None:
        """Prepare an encoder from lists of all moves and outcomes.

        ``numbers`` are the fields of a view that make an observation, each with the most value of a number in it; the
        least is 0. Raises BadOptions.
        """
        view = game.view(game.start(options), 0)
        self.game = game
        self.options = options
        self.seats = game.seats(options)
        self.actions, self.outcomes = len(moves), len(outcomes)
        self.most_actions, self.most_outcomes = most_actions, most_outcomes
        self.least_return, self.most_return, self.sum_of_returns = -1.0, 1.0, 0.0
        self.parts = tuple(ObservationPart(name, _shape(getattr(view, name)), most) for name, most in numbers.items())
        self.memory = min(MEMORY, most_actions + most_outcomes)
        self._moves, self._outcomes = tuple(moves), tuple(outcomes)
        self._move_numbers = {move: number for number, move in enumerate(moves)}
        self._outcome_numbers = {outcome: number for number, outcome in enumerate(outcomes)}

    def __reduce__(self) -> tuple[Any, ...]:
        return encoder_of, (self.game.name, self.options)

    def legal(self, state: Any, begun: Steps) -> list[int]:
        """Return the numbers of the legal moves, ascending."""
        return sorted(self._move_numbers[move] for move in self.game.moves(state))

    def outcome_counts(self, state: Any, begun: Steps) -> Counter[int]:
        """Return the possible outcomes with counts in proportion to their probabilities."""
        outcomes = self.game.chance(state).outcomes()
        assert outcomes is not None, f"the outcomes of {self.game.name} cannot be listed"
        denominator = lcm(*(probability.denominator for _, probability in outcomes))
        return Counter({self._outcome_numbers[outcome]: int(chance * denominator) for outcome, chance in outcomes})

    def action_from(self, state: Any, begun: Steps) -> Any:
        """Return the move or outcome of the only step."""
        return (self._moves if state.mover >= 0 else self._outcomes)[begun[0]]

    def steps(self, state: Any, action: Any) -> Steps:
        """Return the only step of a move or outcome."""
        return ((self._move_numbers if state.mover >= 0 else self._outcome_numbers)[action],)

    def action_name(self, step: int) -> str:
        """Return the name of a move."""
        return _name(self._moves[step])

    def outcome_name(self, step: int) -> str:
        """Return the name of an outcome."""
        return _name(self._outcomes[step])

    def features(self, view: Any, seat: int, begun: Steps) -> Features:
        """Return the fields of the view that make an observation."""
        return {part.name: getattr(view, part.name) for part in self.parts}

    def tokens(self, event: Event) -> Iterable[int]:
        """Return the one token of an event."""
        if event.seat >= 0:
            return [1 + self._move_numbers[event.action]]
        return [1 + self.actions + self._outcome_numbers[event.action]]

    def drawn_for(self, state: Any, begun: Steps, seat: int | None) -> Steps:
        """Return all steps of an unfinished outcome: nothing is hidden."""
        return begun

    def returns(self, state: Any) -> tuple[float, ...]:
        """Return what a finished game brings each seat; the sum is 0."""
        result = self.game.result(state)
        assert result is not None
        others = self.seats - 1
        share = self.seats / len(result.winners)
        return tuple([((share if seat in result.winners else 0) - 1) / others for seat in range(self.seats)])


def _shape(value: Any) -> tuple[int, ...]:
    """Return the shape of a number, or of a sequence of numbers."""
    return (1,) if isinstance(value, int) else (len(value),)


def _name(action: Any) -> str:
    """Return the name of a move or outcome: ``roll``; ``rolled 3``."""
    return " ".join([type(action).__name__.lower(), *map(str, astuple(action))])
