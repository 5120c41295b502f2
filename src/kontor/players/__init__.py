"""Computer players. Each sees a view and the legal moves, never a state.

A player is a pure function: the same view, moves and random numbers give the same choice. A player with a budget of
time searches until the time is over, and its name says so: ``mcts:0.1s`` (see ``budget``).

A *judge* estimates what a view is worth to its seat, and what each move is worth: reviews and hints come from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Final, Protocol, cast

from kontor.game import BadOptions, Value
from kontor.players.budget import budget_from
from kontor.plugins import part, plugin_named

Choose = Callable[[Any, Sequence[Any], Random], Any]
"""``choose(view, moves, random)`` returns one of the moves."""


def players_of(game: str) -> tuple[str, ...]:
    """Return the names of a game's computer players, the weakest first. Raises BadOptions for an unknown game."""
    return tuple(_players(game))


def _players(game: str) -> dict[str, str]:
    """Return the references to a game's computer players, by name."""
    return {"random": "kontor.players.uniform", **plugin_named(game).players}


def benchmark_players_of(game: str) -> dict[str, str]:
    """Return the references to a game's benchmark players, by name: those against which others are measured.

    They can be named like any player, with a budget (``mcts:2000``, ``mcts:0.1s``) or without. Tables do not offer
    them.
    """
    return {**plugin_named(game).benchmark_players, **_added_players.get(game, {})}


_added_players: Final[dict[str, dict[str, str]]] = {}
"""References to the benchmark players that programs have added, by name, for each game."""


def add_benchmark_player(game: str, name: str, module: str) -> None:
    """Add a benchmark player that does not come with the game, in this process.

    Its module has a ``choose`` and ``with_budget``, like those of the plug-in's ``benchmark_players``. A program that
    shares work among processes calls this on the top level of its main module, which each process imports.
    """
    _added_players.setdefault(game, {})[name] = module


def is_benchmark_player(game: str, name: str) -> bool:
    """Return True for a benchmark player, named with a budget or without."""
    return name.partition(":")[0] in benchmark_players_of(game)


def is_player(game: str, name: str) -> bool:
    """Return True if a game has a computer player of this name. The budget in the name is not checked."""
    return name.partition(":")[0] in players_of(game) or is_benchmark_player(game, name)


def opponent_of(game: str) -> str:
    """Return the default opponent for programs: ``greedy``, which is quick, or else the strongest player."""
    players = players_of(game)
    return "greedy" if "greedy" in players else players[-1]


def player_named(game: str, name: str) -> Choose:
    """Return a computer player of a game. Raises BadOptions for an unknown name or an invalid budget."""
    searching = benchmark_players_of(game)
    players = {**_players(game), **searching}
    kind, colon, budget = name.partition(":")
    if kind not in players:
        raise BadOptions(
            "", "There is no computer player “{name}”. There are: {players}.", name=name, players=", ".join(players)
        )
    if colon and kind not in searching:
        raise BadOptions("", "The computer player “{name}” does not search, so it takes no budget.", name=kind)
    # A player is imported when it is first used, because some need NumPy and weights.
    plugin = plugin_named(game)
    if colon:
        make = part(plugin, kind, callable, f"{players[kind]}:with_budget")
        return cast("Choose", make(budget_from(budget)))
    reference = players[kind] if ":" in players[kind] else f"{players[kind]}:choose"
    return cast("Choose", part(plugin, kind, callable, reference))


# ------------------------------------------------------------------------------------------------------- judging


class Estimate(Value, frozen=True):
    """Chance of a seat to win, 0 to 1; a victory shared by n counts 1/n.

    ``exact`` says that nothing in it was learned or sampled.
    """

    chance: float
    exact: bool


class Appraised(Value, frozen=True, omit_defaults=True):
    """A move, and how likely its player is to win after it (0 to 1).

    ``error`` is the standard error of what was sampled, 0 if nothing was.
    """

    move: Any
    chance: float
    error: float = 0.0


class Appraisal(Value, frozen=True):
    """Worth of the moves of a decision to the seat that decides, by its view; the best first.

    Where there are very many moves, only the promising ones are included.
    """

    moves: tuple[Appraised, ...]
    exact: bool

    @property
    def best(self) -> Appraised:
        """Return the move that is worth the most."""
        return self.moves[0]

    def of(self, move: Any) -> Appraised:
        """Return the appraisal of a move. Raises KeyError for a move that was not appraised."""
        for appraised in self.moves:
            if appraised.move == move:
                return appraised
        raise KeyError(move)


class Judge(Protocol):
    """A judge of a game's views. The same view and random numbers give the same judgement."""

    def value(self, view: Any, random: Random) -> Estimate:
        """Return how likely the view's seat is to win, also when chance or another seat acts or the game is over."""

    def appraise(self, view: Any, moves: Sequence[Any], random: Random, played: Any = None) -> Appraisal:
        """Return what the moves are worth, for a view whose seat is to move.

        If ``played`` is given, it is among the moves appraised.
        """


def has_judge(game: str) -> bool:
    """Return True if a game has a judge: without one there are no hints and no reviews."""
    return bool(plugin_named(game).judge)


def _is_judge(loaded: Any) -> bool:
    return callable(loaded.value) and callable(loaded.appraise)


@cache
def judge_named(game: str) -> Judge:
    """Return the judge of a game that has one."""
    return cast("Judge", part(plugin_named(game), "judge", _is_judge))
