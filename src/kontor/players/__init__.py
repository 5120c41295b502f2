"""Machine players. Each sees a view and the legal moves, never a state.

A player is a pure function: the same view, moves and random numbers give the same choice. (One with a budget of time
thinks as far as the time goes, and says so in its name: ``mcts:0.1s``, see ``budget``.)

A *judge* tells what a view is worth to its seat, and what each move is: reviews and hints come from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from random import Random
from typing import Any, Final, Protocol, cast

from kontor.game import BadOptions, Value
from kontor.players.budget import budget_from

Choose = Callable[[Any, Sequence[Any], Random], Any]
"""``choose(view, moves, random)`` gives one of the moves."""

PLAYERS: Final[dict[str, dict[str, str]]] = {
    "shanghaien": {
        "random": "uniform",
        "casual": "shanghaien.casual",
        "greedy": "shanghaien.greedy",
        "steady": "shanghaien.steady",
        "expert": "shanghaien.expert",
    },
    "dutchman": {
        "random": "uniform",
        "casual": "dutchman.casual",
        "greedy": "dutchman.greedy",
        "steady": "dutchman.greedy",
        "expert": "dutchman.expert",
    },
}
"""By game and name, the weakest first: the module here whose ``choose`` it is. It is imported when somebody plays
against it, for some need NumPy and weights."""

BENCHMARK_PLAYERS: Final[dict[str, dict[str, str]]] = {
    "shanghaien": {"mcts": "shanghaien.mcts"},
    "dutchman": {"ismcts": "dutchman.ismcts"},
}
"""By game and name: the players that search as long as they are told, by which others are measured. They can be named
wherever a player is, with a budget (``mcts:2000``, ``mcts:0.1s``) or without, but nobody is offered them as company.
Their modules have a ``choose``, with their usual budget, and ``with_budget(budget)``, which gives a ``Choose``."""

JUDGES: Final[dict[str, str]] = {"shanghaien": "shanghaien.judge", "dutchman": "dutchman.judge"}
"""By game: the module whose ``JUDGE`` it is."""


def is_player(game: str, name: str) -> bool:
    """Whether that is how a machine player of a game is called, whatever its budget may be."""
    kind = name.partition(":")[0]
    return kind in PLAYERS[game] or kind in BENCHMARK_PLAYERS[game]


def player_named(game: str, name: str) -> Choose:
    """A machine player of a game. Raises BadOptions, also for a budget that none can have."""
    known = PLAYERS[game] | BENCHMARK_PLAYERS[game]
    kind, colon, budget = name.partition(":")
    if kind not in known:
        raise BadOptions("", "There is no machine player “{name}”: {known}.", name=name, known=", ".join(known))
    if colon and kind not in BENCHMARK_PLAYERS[game]:
        raise BadOptions("", "The machine player “{name}” does not search: it takes no budget.", name=kind)
    module = import_module(f"kontor.players.{known[kind]}")
    return cast("Choose", module.with_budget(budget_from(budget)) if colon else module.choose)


# ------------------------------------------------------------------------------------------------------- judging


class Estimate(Value, frozen=True):
    """How likely a seat is to win, 0 to 1; a victory shared by n counts 1/n. ``exact`` says that nothing in it was
    learned or sampled."""

    chance: float
    exact: bool


class Appraised(Value, frozen=True):
    """A move, and how likely its player is to win after it (0 to 1)."""

    move: Any
    chance: float


class Appraisal(Value, frozen=True):
    """What the moves of a decision are worth to whoever decides, by what that seat may know: the best first. Where
    there are very many moves only those worth a thought are in it."""

    moves: tuple[Appraised, ...]
    exact: bool

    @property
    def best(self) -> Appraised:
        """The move that is worth the most."""
        return self.moves[0]

    def of(self, move: Any) -> Appraised:
        """A move that was asked about. Raises KeyError for another."""
        for appraised in self.moves:
            if appraised.move == move:
                return appraised
        raise KeyError(move)


class Judge(Protocol):
    """Judges a game by views. The same view and random numbers give the same judgement."""

    def value(self, view: Any, random: Random) -> Estimate:
        """How likely the view's seat is to win, whoever is to act: a seat, chance, or nobody any more."""

    def appraise(self, view: Any, moves: Sequence[Any], random: Random, played: Any = None) -> Appraisal:
        """What the moves are worth; ``played`` is among those appraised, if it is given. Only for a view whose seat
        is to move."""


@cache
def judge_named(game: str) -> Judge:
    """Who judges a game. Raises KeyError if nobody does."""
    return cast("Judge", import_module(f"kontor.players.{JUDGES[game]}").JUDGE)
