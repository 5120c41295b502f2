"""Games by numbered steps, for learners and solvers.

Some moves and outcomes are too many to be numbered: a proposal divides hundreds of ducats, a deal has more orders
than there are atoms. They are split into *steps*: each step has one number, and few are legal. A move or outcome is
complete after its last step; before that, neither the rules engine nor any other seat knows of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from operator import index
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from kontor.game import CHANCE, OVER, AnyGame, Below, Event, IllegalMove, Value

Steps = tuple[int, ...]
Floats = NDArray[np.float32]
Features = Mapping[str, Any]
"""Values by the name of a part: a number, or nested numbers in the part's shape."""


class ObservationPart(Value, frozen=True):
    """A named part of an observation.

    It has a shape, the least and the most value of its numbers, and a flag that only the seat itself may know it.
    """

    name: str
    shape: tuple[int, ...]
    most: float
    least: float = 0
    private: bool = False

    @property
    def size(self) -> int:
        """Return how many numbers the part has in the tensor."""
        return prod(self.shape)


class ActionEncoder(ABC):
    """A game with options, by numbered steps."""

    game: AnyGame
    options: Any
    seats: int
    actions: int
    """Steps of moves are numbered 0 … actions − 1."""
    outcomes: int
    """Steps of outcomes are numbered 0 … outcomes − 1, separately."""
    most_actions: int
    """The most steps of moves in a game."""
    most_outcomes: int
    """The most steps of outcomes in a game, except for rolls that have to be repeated (``docs/research.md``)."""
    least_return: float
    most_return: float
    sum_of_returns: float
    parts: tuple[ObservationPart, ...]
    """The parts of an observation, in their order in the tensor."""
    memory: int
    """The number of tokens in the tensor of an information state: the latest ones that a seat has heard."""

    # ---- steps

    @abstractmethod
    def legal(self, state: Any, begun: Steps) -> list[int]:
        """Return the legal steps of the mover after the steps that have begun the move, ascending."""

    @abstractmethod
    def outcome_counts(self, state: Any, begun: Steps) -> Counter[int]:
        """Return the possible steps of chance; each is as likely as its count says."""

    @abstractmethod
    def action_from(self, state: Any, begun: Steps) -> Any:
        """Return the move or outcome that these legal steps complete; None if more steps are needed."""

    @abstractmethod
    def steps(self, state: Any, action: Any) -> Steps:
        """Return the steps of a legal move or of a possible outcome; for a deal, one of its equivalent orders."""

    @abstractmethod
    def action_name(self, step: int) -> str:
        """Return the English name of a step of a move."""

    @abstractmethod
    def outcome_name(self, step: int) -> str:
        """Return the English name of a step of an outcome."""

    # ---- what a seat knows

    @abstractmethod
    def features(self, view: Any, seat: int, begun: Steps) -> Features:
        """Return the values of all parts, from the view of this seat.

        ``begun`` are those steps of an unfinished move or outcome that the seat may know.
        """

    @abstractmethod
    def tokens(self, event: Event) -> Iterable[int]:
        """Return an event as numbers above 0, so that different events differ.

        A step of a move is 1 + its number, and a step of an outcome is 1 + actions + its number. Higher numbers are
        for other facts of a game.
        """

    @abstractmethod
    def drawn_for(self, state: Any, begun: Steps, seat: int | None) -> Steps:
        """Return those steps of an unfinished outcome that a seat, or a spectator, has seen."""

    @abstractmethod
    def returns(self, state: Any) -> tuple[float, ...]:
        """Return what a finished game brings each seat, in agreement with ``sum_of_returns``."""

    # ---- as vectors

    @cached_property
    def size(self) -> int:
        """Return how many numbers an observation has."""
        return sum(part.size for part in self.parts)

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """Return the least and the most value of each number of an observation."""
        least = [np.full(part.size, part.least, np.float32) for part in self.parts]
        most = [np.full(part.size, part.most, np.float32) for part in self.parts]
        return np.concatenate(least), np.concatenate(most)


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A position of a game between two steps. It never changes, so a copy of it is the object itself."""

    encoder: ActionEncoder
    state: Any
    """The state of the rules engine, before the unfinished move or outcome."""
    begun: Steps = ()
    before: Position | None = None
    action: Any = None
    """The last complete move or outcome, which led from the state before to this one; None at the start."""
    _heard: dict[int | None, tuple[bytes, Steps]] = field(default_factory=dict)

    def __deepcopy__(self, _: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return replayed, (self.encoder, tuple(position.action for position in self.past()), self.begun)

    @property
    def mover(self) -> int:
        """Return the seat to move, CHANCE or OVER."""
        mover: int = self.state.mover
        return mover

    # ---- playing

    def legal(self) -> list[int]:
        """Return the numbers of the legal steps, ascending; empty unless a seat is to move."""
        return self.encoder.legal(self.state, self.begun) if self.mover >= 0 else []

    def chances(self) -> list[tuple[int, float]]:
        """Return the possible steps of chance, ascending, with their probabilities."""
        outcome_counts = self.encoder.outcome_counts(self.state, self.begun)
        total = outcome_counts.total()
        return [(step, count / total) for step, count in sorted(outcome_counts.items()) if count]

    def after(self, step: int) -> Position:
        """Return the position after a step. Raises IllegalMove for a step that is not legal or possible."""
        drawing = self.mover == CHANCE
        if not (self.encoder.outcome_counts(self.state, self.begun)[step] > 0 if drawing else step in self.legal()):
            raise IllegalMove("", "There is no step number {step} here.", step=step)
        begun = (*self.begun, step)
        action = self.encoder.action_from(self.state, begun)
        if action is None:
            return Position(self.encoder, self.state, begun, self.before, self.action, self._heard)
        return self._advance(action)

    def played(self, action: Any) -> Position:
        """Return the position after a complete move or outcome. Raises IllegalMove.

        Steps that have begun another move are dropped.
        """
        return self._advance(action)

    def _advance(self, action: Any) -> Position:
        return Position(self.encoder, self.encoder.game.play(self.state, action), (), self, action)

    def drawn(self, below: Below) -> Position:
        """Return the position after outcomes of chance, drawn until a seat is to move or the game is over."""
        position = self
        while position.mover == CHANCE:
            position = position.played(self.encoder.game.chance(position.state).draw(below))
        return position

    def returns(self) -> tuple[float, ...]:
        """Return what the game has brought each seat: 0 before it is over."""
        return self.encoder.returns(self.state) if self.mover == OVER else (0.0,) * self.encoder.seats

    # ---- knowing

    def view(self, seat: int | None) -> Any:
        """Return the view of a seat, or of a spectator."""
        return self.encoder.game.view(self.state, seat)

    def begun_for(self, seat: int | None) -> Steps:
        """Return the steps of an unfinished move or outcome that a seat, or a spectator, may know."""
        if self.mover == CHANCE:
            return self.encoder.drawn_for(self.state, self.begun, seat)
        return self.begun if seat is not None and seat == self.mover else ()

    def features(self, seat: int) -> Features:
        """Return the parts of the seat's observation."""
        return self.encoder.features(self.view(seat), seat, self.begun_for(seat))

    def observation(self, seat: int) -> Floats:
        """Return the parts of the seat's observation in one array."""
        features = self.features(seat)
        return np.concatenate(
            [np.asarray(features[part.name], np.float32).reshape(-1) for part in self.encoder.parts]
        )

    def mask(self) -> NDArray[np.int8]:
        """Return an array with 1 for each legal step of the mover."""
        mask = np.zeros(self.encoder.actions, np.int8)
        mask[self.legal()] = 1
        return mask

    def is_legal(self, step: int) -> bool:
        """Return True if the step is legal for the mover; any integer may be given."""
        return step in self.legal()

    def heard(self, seat: int | None) -> list[bytes]:
        """Return all events as a seat or a spectator may know them: a line of JSON for each move and outcome."""
        return [position._event(seat)[0] for position in self.past()]

    def remembered(self, seat: int) -> Floats:
        """Return the events that a seat knows as tokens: the latest ``memory``, in order of time, then zeros."""
        heard = [token for position in self.past() for token in position._event(seat)[1]]
        first = 1 + self.encoder.actions if self.mover == CHANCE else 1
        heard += [first + step for step in self.begun_for(seat)]
        latest = heard[-self.encoder.memory :]
        memory = np.zeros(self.encoder.memory, np.float32)
        memory[: len(latest)] = latest
        return memory

    def past(self) -> Iterator[Position]:
        """Return the positions after each complete move and outcome, from the first."""
        past = []
        position: Position | None = self
        while position is not None and position.before is not None:
            past.append(position)
            position = position.before
        return reversed(past)

    def _event(self, seat: int | None) -> tuple[bytes, Steps]:
        cached = self._heard.get(seat)
        if cached is None:
            assert self.before is not None
            event = self.encoder.game.event(self.before.state, self.action, self.state, seat)
            cached = self._heard[seat] = (_JSON.encode(event), tuple(self.encoder.tokens(event)))
        return cached


_JSON: Final = msgspec.json.Encoder()


def as_step(action: Any) -> int:
    """Return the number of a step, from Python or NumPy; it need not be a step of the game.

    Raises ValueError for anything but one integer: a float, NaN, None, a truth value, or an array of another shape.
    """
    if not isinstance(action, bool):
        with suppress(TypeError):
            return index(action)
    raise ValueError(f"a step is one integer, not {action!r}")


def opening(encoder: ActionEncoder) -> Position:
    """Return the position before the first outcome. Raises BadOptions."""
    return Position(encoder, encoder.game.start(encoder.options))


def replayed(encoder: ActionEncoder, actions: Iterable[Any], begun: Steps) -> Position:
    """Return the position after complete moves and outcomes, and the first steps of another."""
    position = opening(encoder)
    for action in actions:
        position = position.played(action)
    for step in begun:
        position = position.after(step)
    return position


_NOT_WRITTEN: Final = ("options", "inspection")
"""Fields that are left out: the options are the same throughout a game, and the check (H11a) is not supported
here."""


def written(view: Any, begun: Steps) -> str:
    """Return a view as JSON, with the steps of an unfinished move."""
    fields = {name: getattr(view, name) for name in view.__struct_fields__ if name not in _NOT_WRITTEN}
    return _JSON.encode({**fields, "begun": begun}).decode()


def one_of(count: int, place: int | None) -> list[int]:
    """Return zeros, with a 1 at the index if it is given."""
    row = [0] * count
    if place is not None:
        row[place] = 1
    return row
