"""The contract that every game of Kontor keeps.

A game is a pure value: a state and an action give the next state. An action is a *move* of a seat or an
*outcome* of chance; nothing is drawn inside the rules. What a seat may know is a *view*, and only views and moves
ever reach a player, whether human or machine.

A game's folder gathers its functions in one :class:`Game`. This module knows no game's words.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, TypeVar

import msgspec

CHANCE: Final = -1
"""The mover of a state in which chance is to act."""

OVER: Final = -2
"""The mover of a state in which nobody acts any more."""

Below = Callable[[int], int]
"""``below(n)`` gives a whole number in 0 … n−1, all equally likely: ``random.Random(1).randrange``, or fair dice."""


class Refusal(Exception):
    """Something the rules refuse.

    ``rule`` is the rule's number (``"S4"``, ``"H6d"``), empty where no rule speaks; ``reason`` is an English
    sentence with ``{names}`` to be filled from ``details``, so that a table can say the same in other words.
    """

    def __init__(self, rule: str, reason: str, **details: object) -> None:
        super().__init__(rule, reason, details)
        self.rule = rule
        self.reason = reason
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        """Refusals cross from one process to another."""
        return _refusal, (type(self), self.__dict__)

    @property
    def sentence(self) -> str:
        """The reason in English, filled in, without the rule's number."""
        return self.reason.format(**self.details)

    def __str__(self) -> str:
        return f"{self.sentence} ({self.rule})" if self.rule else self.sentence


def _refusal(kind: type[Refusal], fields: dict[str, Any]) -> Refusal:
    refusal = kind.__new__(kind)
    refusal.__dict__.update(fields)
    return refusal


class IllegalMove(Refusal):
    """A move that is not among the legal ones, or an outcome that cannot happen."""


class BadOptions(Refusal):
    """Options that no game can be played with."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """A frozen value: two with the same fields are equal. Values hold only values, so they never form cycles, and the
    garbage collector need not look at them."""


class HasMover(Protocol):
    """What states and views have in common: whose turn it is (a seat, CHANCE or OVER)."""

    @property
    def mover(self) -> int: ...


class Result(Value, frozen=True):
    """How a game ended: the points of each seat, and the seats that won (several for a draw)."""

    points: tuple[int, ...]
    winners: tuple[int, ...]


class Starter(Value, frozen=True, tag="starter", tag_field="chance"):
    """The outcome of the lot for who starts, where a game has one."""

    seat: int


class Event(Value, frozen=True):
    """One step of a game as one reader may know it.

    ``seat`` acted (or CHANCE); ``action`` is the move or outcome with what the reader may not know taken out;
    ``happened`` are its public consequences, in order. The types inside are the game's.
    """

    seat: int
    action: Any
    happened: tuple[Any, ...] = ()


Options = TypeVar("Options")
State = TypeVar("State", bound=HasMover)
Move = TypeVar("Move")
View = TypeVar("View", bound=HasMover)
OutcomeT_co = TypeVar("OutcomeT_co", bound=Hashable, covariant=True)


class Chance(Protocol[OutcomeT_co]):
    """What chance may do in a state."""

    def draw(self, below: Below) -> OutcomeT_co:
        """One outcome, each as likely as :meth:`probability` says. The order of calls to ``below`` is part of the
        game's description (``docs/fair-dice.md``)."""

    def probability(self, outcome: object) -> Fraction:
        """The exact probability of an outcome; 0 for whatever cannot happen."""

    def outcomes(self) -> tuple[tuple[OutcomeT_co, Fraction], ...] | None:
        """Every outcome with its probability (they sum to 1); None where a shuffle has too many to list."""

    def __contains__(self, outcome: object) -> bool:
        """Whether the outcome can happen."""


class Die(Generic[OutcomeT_co]):
    """Chance with few outcomes, given as a list of equally likely faces (a face may stand in it several times)."""

    __slots__ = ("_faces", "_table")

    def __init__(self, faces: Sequence[OutcomeT_co]) -> None:
        self._faces = tuple(faces)
        one = Fraction(1, len(self._faces))
        self._table: dict[object, Fraction] = {}
        for face in self._faces:
            self._table[face] = self._table.get(face, Fraction(0)) + one

    def draw(self, below: Below) -> OutcomeT_co:
        """The face with the number ``below(number of faces)``."""
        return self._faces[below(len(self._faces))]

    def probability(self, outcome: object) -> Fraction:
        """Faces like ``outcome`` over all faces."""
        return self._table.get(outcome, Fraction(0))

    def outcomes(self) -> tuple[tuple[OutcomeT_co, Fraction], ...]:
        """Each different face with its probability, in the order of the list."""
        return tuple((face, self._table[face]) for face in dict.fromkeys(self._faces))

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._table


def shuffled(things: Sequence[Any], below: Below) -> list[Any]:
    """The things in a random order (Fisher and Yates, from the last place to the second)."""
    order = list(things)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def is_malformed(thing: object, kind: Any) -> bool:
    """Whether fields hold what no action (or options) of this kind can hold. What is read from JSON never does."""
    try:
        msgspec.convert(msgspec.to_builtins(thing), kind)
    except (TypeError, msgspec.ValidationError):
        return True
    return False


def _in_doubt(before: object, move: object, after: object) -> bool:
    return True


@dataclass(frozen=True)
class Game(Generic[Options, State, Move, View]):
    """A game: its name, its types, and its pure functions.

    Wherever an action is refused, :class:`IllegalMove` is raised and says which rule refuses it.
    """

    name: str
    version: int
    """Of the rules; a record says by which version it was played."""
    options: type[Options]
    move: Any
    """The union of the types of moves; records are decoded by it. They are structs with ``tag_field="move"``."""
    outcome: Any
    """The union of the types of outcomes, which have ``tag_field="chance"``."""
    view_type: type[View]

    seats: Callable[[Options], int]
    """How many play."""
    moved_on: Callable[[Options, int], Options]
    """The options when everybody has moved on by so many seats: what they say of a seat goes with who sat there."""
    start: Callable[[Options], State]
    """The state before anything is shuffled. Raises :class:`BadOptions`."""
    moves: Callable[[State], Sequence[Move]]
    """The legal moves of the seat to move, each once; empty only when chance is to act or the game is over. It may
    be lazy: length, index and membership are quick even where there are many."""
    chance: Callable[[State], Chance[Any]]
    """What chance may do; only for a state whose mover is CHANCE."""
    occasion: Callable[[State], tuple[str | int, ...]]
    """What chance is asked for in a state whose mover is CHANCE, told as independently as can be of what was played
    before: ``("lucky", 3)`` for the lucky number of the third round. Games that are to have the same luck draw from
    the same source on the same occasion. It may come several times in a game. The second part is the round, a number
    that never falls: by it games are played in step."""
    play: Callable[[State, Any], State]
    """The state after a move or outcome. Raises :class:`IllegalMove`; the given state never changes."""
    view: Callable[[State, int | None], View]
    """What a seat may know; None is a spectator, who sees what is public."""
    event: Callable[[State, Any, State, int | None], Event]
    """``event(before, action, after, seat)``: one step as the seat (or a spectator) may know it."""
    imagine: Callable[[View, Below], State]
    """A state that this view could come from: all that the seat cannot know is dealt anew."""
    result: Callable[[State], Result | None]
    """None until the game is over."""
    serialise: Callable[[State], bytes]
    """The state, with all that is hidden, as bytes; without the options."""
    deserialise: Callable[[bytes, Options], State]
    """The state that was serialised, in a game with these options. Bytes that are none of this game's raise
    msgspec.DecodeError, or make no sense."""
    reveals: Callable[[State, Any, State], bool] = _in_doubt
    """``reveals(before, move, after)``: whether anybody, the mover too, knows by the move what was hidden from them.
    What revealed nothing, and is followed by no chance, can be taken back at a table."""


AnyGame = Game[Any, Any, Any, Any]
