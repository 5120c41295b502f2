"""A game by numbered steps, as learners and solvers want it.

Some moves and outcomes are too many to be numbered: a proposal shares out hundreds of ducats, a deal has more orders
than there are atoms. They are taken apart into *steps*: each step has one number, and the legal ones are few. A move
or outcome is whole after its last step; until then the rules engine, and everybody else at the table, knows nothing
of it.
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
"""By name of the part: a number, or numbers nested as the part's shape says."""


class ObservationPart(Value, frozen=True):
    """A named part of an observation: its shape, the least and the most that a number in it can be, and whether only
    the seat itself may know it."""

    name: str
    shape: tuple[int, ...]
    most: float
    least: float = 0
    private: bool = False

    @property
    def size(self) -> int:
        """How many numbers the part takes in the tensor."""
        return prod(self.shape)


class ActionEncoder(ABC):
    """A game with options, by numbered steps."""

    game: AnyGame
    options: Any
    seats: int
    actions: int
    """Steps of moves are numbered 0 … actions − 1."""
    outcomes: int
    """Steps of outcomes are numbered 0 … outcomes − 1, on their own."""
    most_actions: int
    """No game has more steps of moves."""
    most_outcomes: int
    """Nor more steps of outcomes, but for rolls that have to be repeated (``docs/research.md``)."""
    least_return: float
    most_return: float
    sum_of_returns: float
    parts: tuple[ObservationPart, ...]
    """Of an observation, in their order in the tensor."""
    memory: int
    """So many numbers of what a seat has heard are kept in the tensor of an information state, the latest."""

    # ---- steps

    @abstractmethod
    def legal(self, state: Any, begun: Steps) -> list[int]:
        """The steps that the mover may take, ascending, after those that have begun the move."""

    @abstractmethod
    def outcome_counts(self, state: Any, begun: Steps) -> Counter[int]:
        """The steps that chance may take: each as likely as its count says."""

    @abstractmethod
    def action_from(self, state: Any, begun: Steps) -> Any:
        """The move or outcome that these legal steps make; None if there are steps to come."""

    @abstractmethod
    def steps(self, state: Any, action: Any) -> Steps:
        """The steps of a legal move or of a possible outcome (of a deal, one of the orders that come to the same)."""

    @abstractmethod
    def action_name(self, step: int) -> str:
        """A step of a move in English."""

    @abstractmethod
    def outcome_name(self, step: int) -> str:
        """A step of an outcome in English."""

    # ---- what a seat knows

    @abstractmethod
    def features(self, view: Any, seat: int, begun: Steps) -> Features:
        """The numbers of all parts, by what the view of this seat tells. ``begun`` are those steps of an unfinished
        move or outcome that the seat may know."""

    @abstractmethod
    def tokens(self, event: Event) -> Iterable[int]:
        """An event as numbers above 0, so that different ones differ: 1 + the number of a step of a move, 1 + actions
        + that of a step of an outcome, and above them whatever else a game has to tell."""

    @abstractmethod
    def drawn_for(self, state: Any, begun: Steps, seat: int | None) -> Steps:
        """Those steps of an unfinished outcome that a seat, or a spectator, has seen."""

    @abstractmethod
    def returns(self, state: Any) -> tuple[float, ...]:
        """What the game brings each seat, as ``sum_of_returns`` says; only for a state whose mover is OVER."""

    # ---- as vectors

    @cached_property
    def size(self) -> int:
        """How many numbers an observation has."""
        return sum(part.size for part in self.parts)

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The least and the most of each number of an observation."""
        least = [np.full(part.size, part.least, np.float32) for part in self.parts]
        most = [np.full(part.size, part.most, np.float32) for part in self.parts]
        return np.concatenate(least), np.concatenate(most)


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """Where a game stands between two steps. It never changes, so copies of it are itself."""

    encoder: ActionEncoder
    state: Any
    """Of the rules engine, before the move or outcome that has begun."""
    begun: Steps = ()
    before: Position | None = None
    action: Any = None
    """The last whole move or outcome, which led from the state before to this one; None at the start."""
    _heard: dict[int | None, tuple[bytes, Steps]] = field(default_factory=dict)

    def __deepcopy__(self, _: object) -> Position:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return replayed, (self.encoder, tuple(position.action for position in self.past()), self.begun)

    @property
    def mover(self) -> int:
        """A seat, CHANCE or OVER."""
        mover: int = self.state.mover
        return mover

    # ---- playing

    def legal(self) -> list[int]:
        """The numbers of the legal steps, ascending. Empty unless a seat is to move."""
        return self.encoder.legal(self.state, self.begun) if self.mover >= 0 else []

    def chances(self) -> list[tuple[int, float]]:
        """The steps that chance may take, ascending, with their probabilities."""
        outcome_counts = self.encoder.outcome_counts(self.state, self.begun)
        total = outcome_counts.total()
        return [(step, count / total) for step, count in sorted(outcome_counts.items()) if count]

    def after(self, step: int) -> Position:
        """Raises IllegalMove for a step that is not among the legal or possible ones."""
        drawing = self.mover == CHANCE
        if not (self.encoder.outcome_counts(self.state, self.begun)[step] > 0 if drawing else step in self.legal()):
            raise IllegalMove("", "There is no step number {step} here.", step=step)
        begun = (*self.begun, step)
        action = self.encoder.action_from(self.state, begun)
        if action is None:
            return Position(self.encoder, self.state, begun, self.before, self.action, self._heard)
        return self._then(action)

    def played(self, action: Any) -> Position:
        """After a whole move or outcome. Raises IllegalMove; steps that have begun another move are forgotten."""
        return self._then(action)

    def _then(self, action: Any) -> Position:
        return Position(self.encoder, self.encoder.game.play(self.state, action), (), self, action)

    def drawn(self, below: Below) -> Position:
        """Chance does what is due, until a seat is to move or the game is over."""
        position = self
        while position.mover == CHANCE:
            position = position.played(self.encoder.game.chance(position.state).draw(below))
        return position

    def returns(self) -> tuple[float, ...]:
        """What the game has brought each seat: nothing before it is over."""
        return self.encoder.returns(self.state) if self.mover == OVER else (0.0,) * self.encoder.seats

    # ---- knowing

    def view(self, seat: int | None) -> Any:
        """The table as a seat, or a spectator, sees it."""
        return self.encoder.game.view(self.state, seat)

    def begun_for(self, seat: int | None) -> Steps:
        """The steps of an unfinished move or outcome that a seat, or a spectator, may know."""
        if self.mover == CHANCE:
            return self.encoder.drawn_for(self.state, self.begun, seat)
        return self.begun if seat is not None and seat == self.mover else ()

    def features(self, seat: int) -> Features:
        """The parts of the seat's observation."""
        return self.encoder.features(self.view(seat), seat, self.begun_for(seat))

    def observation(self, seat: int) -> Floats:
        """The parts of the seat's observation, one after the other."""
        features = self.features(seat)
        return np.concatenate(
            [np.asarray(features[part.name], np.float32).reshape(-1) for part in self.encoder.parts]
        )

    def mask(self) -> NDArray[np.int8]:
        """1 for each step that the mover may take."""
        mask = np.zeros(self.encoder.actions, np.int8)
        mask[self.legal()] = 1
        return mask

    def is_legal(self, step: int) -> bool:
        """Return True if the mover may take the step; for any integer, also for one that is the number of none."""
        return step in self.legal()

    def heard(self, seat: int | None) -> list[bytes]:
        """All that has happened, as a seat or a spectator may know it: a line of JSON for each move and outcome."""
        return [position._event(seat)[0] for position in self.past()]

    def remembered(self, seat: int) -> Floats:
        """The same as numbers, the latest ``memory`` of them, the earliest first; then zeros."""
        heard = [token for position in self.past() for token in position._event(seat)[1]]
        first = 1 + self.encoder.actions if self.mover == CHANCE else 1
        heard += [first + step for step in self.begun_for(seat)]
        kept = heard[-self.encoder.memory :]
        memory = np.zeros(self.encoder.memory, np.float32)
        memory[: len(kept)] = kept
        return memory

    def past(self) -> Iterator[Position]:
        """The positions after each whole move and outcome, from the first."""
        past = []
        position: Position | None = self
        while position is not None and position.before is not None:
            past.append(position)
            position = position.before
        return reversed(past)

    def _event(self, seat: int | None) -> tuple[bytes, Steps]:
        known = self._heard.get(seat)
        if known is None:
            assert self.before is not None
            event = self.encoder.game.event(self.before.state, self.action, self.state, seat)
            known = self._heard[seat] = (_JSON.encode(event), tuple(self.encoder.tokens(event)))
        return known


_JSON: Final = msgspec.json.Encoder()


def as_step(action: Any) -> int:
    """Return the number of a step, of Python or NumPy; no game need have a step with it. Raises ValueError for
    anything but one integer: a float, NaN, None, a truth value, or an array of another shape."""
    if not isinstance(action, bool):
        with suppress(TypeError):
            return index(action)
    raise ValueError(f"a step is one integer, not {action!r}")


def opening(encoder: ActionEncoder) -> Position:
    """Before the first outcome. Raises BadOptions."""
    return Position(encoder, encoder.game.start(encoder.options))


def replayed(encoder: ActionEncoder, actions: Iterable[Any], begun: Steps) -> Position:
    """The position after whole moves and outcomes, with the steps of another begun."""
    position = opening(encoder)
    for action in actions:
        position = position.played(action)
    for step in begun:
        position = position.after(step)
    return position


_NOT_WRITTEN: Final = ("options", "inspection")
"""The same in all of a game; and what a check has shown (H11a), which is refused here."""


def written(view: Any, begun: Steps) -> str:
    """A view as JSON, with what has begun of a move."""
    fields = {name: getattr(view, name) for name in view.__struct_fields__ if name not in _NOT_WRITTEN}
    return _JSON.encode({**fields, "begun": begun}).decode()


def one_of(count: int, place: int | None) -> list[int]:
    """Zeros, with a 1 at a place, if there is one."""
    row = [0] * count
    if place is not None:
        row[place] = 1
    return row
