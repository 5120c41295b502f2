"""The contract that every game of Kontor keeps.

A game is a pure value: a state and an action give the next state. An action is a *move* of a seat or an *outcome* of
chance; the rules draw no random numbers. A *view* is what a seat may know. A player, human or machine, gets only
views and moves.

A game's folder gathers its functions in one :class:`Game`. This module contains no term of any game.
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
"""The mover of a state in which the game is over."""

Below = Callable[[int], int]
"""A source of whole numbers: ``below(n)`` gives one in 0 … n−1, all equally likely. Examples are
``random.Random(1).randrange``, and fair dice."""


class Refusal(Exception):
    """A refusal by the rules.

    ``rule`` is the rule's number (``"S4"``, ``"H6d"``), or empty where no rule decides; ``reason`` is an English
    sentence with ``{names}`` to be filled from ``details``, so that it can be translated.
    """

    def __init__(self, rule: str, reason: str, **details: object) -> None:
        super().__init__(rule, reason, details)
        self.rule = rule
        self.reason = reason
        self.details = details

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the type and the fields: refusals are sent from one process to another."""
        return _refusal, (type(self), self.__dict__)

    @property
    def sentence(self) -> str:
        """Return the reason in English, filled in, without the rule's number."""
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
    """A refusal of options with which no game can be played."""


class Value(msgspec.Struct, frozen=True, gc=False):
    """A frozen value: two with the same fields are equal.

    Values hold only values, so they never form cycles, and the garbage collector skips them.
    """


class HasMover(Protocol):
    """The common part of states and views: the mover."""

    @property
    def mover(self) -> int:
        """Return the seat to move, CHANCE or OVER."""
        ...


class Result(Value, frozen=True):
    """The result of a game: the points of each seat, and the seats that won (several for a draw)."""

    points: tuple[int, ...]
    winners: tuple[int, ...]


class Starter(Value, frozen=True, tag="starter", tag_field="chance"):
    """The outcome of the lot for the starting seat, where a game has one."""

    seat: int


class Event(Value, frozen=True):
    """One step of a game as one reader may know it.

    ``seat`` acted (or CHANCE); ``action`` is the move or outcome without the parts that the reader may not know;
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
    """The possible outcomes of chance in a state."""

    def draw(self, below: Below) -> OutcomeT_co:
        """Draw one outcome, each as likely as :meth:`probability` says.

        The order of calls to ``below`` is part of the game's description (``docs/fair-dice.md``).
        """

    def probability(self, outcome: object) -> Fraction:
        """Return the exact probability of an outcome; 0 for an impossible one."""

    def outcomes(self) -> tuple[tuple[OutcomeT_co, Fraction], ...] | None:
        """Return every outcome with its probability (they sum to 1); None where a shuffle has too many to list."""

    def __contains__(self, outcome: object) -> bool:
        """Return True if the outcome can happen."""


class Die(Generic[OutcomeT_co]):
    """Chance with few outcomes: a list of equally likely faces (a face may be in it several times)."""

    __slots__ = ("_faces", "_table")

    def __init__(self, faces: Sequence[OutcomeT_co]) -> None:
        self._faces = tuple(faces)
        one = Fraction(1, len(self._faces))
        self._table: dict[object, Fraction] = {}
        for face in self._faces:
            self._table[face] = self._table.get(face, Fraction(0)) + one

    def draw(self, below: Below) -> OutcomeT_co:
        """Draw the face with the number ``below(number of faces)``."""
        return self._faces[below(len(self._faces))]

    def probability(self, outcome: object) -> Fraction:
        """Return the number of faces equal to ``outcome``, divided by the number of all faces."""
        return self._table.get(outcome, Fraction(0))

    def outcomes(self) -> tuple[tuple[OutcomeT_co, Fraction], ...]:
        """Return each different face with its probability, in the order of the list."""
        return tuple((face, self._table[face]) for face in dict.fromkeys(self._faces))

    def __contains__(self, outcome: object) -> bool:
        return outcome in self._table


def shuffled(things: Sequence[Any], below: Below) -> list[Any]:
    """Return the things in a random order (Fisher and Yates, from the last place to the second)."""
    order = list(things)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1)
        order[place], order[other] = order[other], order[place]
    return order


def is_malformed(thing: object, kind: Any) -> bool:
    """Return True if fields have values that no action (or options) of this type can have.

    Values read from JSON never do.
    """
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

    Wherever an action is refused, :class:`IllegalMove` is raised and names the rule that refuses it.
    """

    name: str
    version: int
    """The version of the rules; a record names the version by which it was played."""
    options: type[Options]
    move: Any
    """The union of the types of moves, for decoding records. They are structs with ``tag_field="move"``."""
    outcome: Any
    """The union of the types of outcomes, which are structs with ``tag_field="chance"``."""
    view_type: type[View]

    seats: Callable[[Options], int]
    """The number of seats."""
    moved_on: Callable[[Options, int], Options]
    """The options after everybody has moved on by so many seats: what they say of a seat moves with its player."""
    start: Callable[[Options], State]
    """The state before anything is shuffled. Raises :class:`BadOptions`."""
    moves: Callable[[State], Sequence[Move]]
    """The legal moves of the seat to move, each once; empty only when chance is to act or the game is over. The
    sequence may be lazy: length, index and membership are fast even for many moves."""
    chance: Callable[[State], Chance[Any]]
    """The possible outcomes of chance; only for a state whose mover is CHANCE."""
    occasion: Callable[[State], tuple[str | int, ...]]
    """The question that chance answers in a state whose mover is CHANCE, as independent as possible of the moves
    before: ``("lucky", 3)`` for the lucky number of the third round. Games that share their luck draw from the same
    source on the same occasion. It may come several times in a game. The second part is the round, a number that
    never falls: it keeps games in step."""
    play: Callable[[State, Any], State]
    """The state after a move or outcome. Raises :class:`IllegalMove`; the given state never changes."""
    view: Callable[[State, int | None], View]
    """The view of a seat; None is a spectator, who sees what is public."""
    event: Callable[[State, Any, State, int | None], Event]
    """``event(before, action, after, seat)``: one step as the seat (or a spectator) may know it."""
    imagine: Callable[[View, Below], State]
    """A state that agrees with this view: everything hidden from the seat is dealt anew."""
    result: Callable[[State], Result | None]
    """The result; None until the game is over."""
    serialise: Callable[[State], bytes]
    """The state, with everything hidden, as bytes; without the options."""
    deserialise: Callable[[bytes, Options], State]
    """The state from its bytes, in a game with these options. Bytes of anything else raise msgspec.DecodeError, or
    give a state that makes no sense."""
    reveals: Callable[[State, Any, State], bool] = _in_doubt
    """``reveals(before, move, after)``: True if by the move any seat, the mover included, learns something hidden. A
    move that reveals nothing, and is followed by no chance, can be undone at a table."""


AnyGame = Game[Any, Any, Any, Any]
