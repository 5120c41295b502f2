"""Computer players. Each sees a view and the legal moves, never a state.

A player is a pure function: the same view, moves and random numbers give the same choice. (One with a budget of time
thinks as far as the time goes, and says so in its name: ``mcts:0.1s``, see ``budget``.)

A *judge* tells what a view is worth to its seat, and what each move is: reviews and hints come from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any, Protocol, cast

from kontor.game import BadOptions, Value
from kontor.players.budget import budget_from
from kontor.plugins import part, plugin_named

Choose = Callable[[Any, Sequence[Any], Random], Any]
"""``choose(view, moves, random)`` gives one of the moves."""


def players_of(game: str) -> tuple[str, ...]:
    """The names of a game's computer players, the weakest first. Raises BadOptions for a game that there is not."""
    return tuple(_players(game))


def _players(game: str) -> dict[str, str]:
    """Where the computer players of a game are to be found, by their names."""
    return {"random": "kontor.players.uniform", **plugin_named(game).players}


def is_benchmark_player(game: str, name: str) -> bool:
    """Whether a player is one by which others are measured: it can be named wherever a player is, with a budget
    (``mcts:2000``, ``mcts:0.1s``) or without, but nobody is offered it as company."""
    return name.partition(":")[0] in plugin_named(game).benchmark_players


def is_player(game: str, name: str) -> bool:
    """Whether that is how a computer player of a game is called, whatever its budget may be."""
    return name.partition(":")[0] in players_of(game) or is_benchmark_player(game, name)


def opponent_of(game: str) -> str:
    """Who plays where programs name nobody: ``greedy``, who is quick; in a game without it the strongest."""
    players = players_of(game)
    return "greedy" if "greedy" in players else players[-1]


def player_named(game: str, name: str) -> Choose:
    """A computer player of a game. Raises BadOptions, also for a budget that none can have."""
    searching = plugin_named(game).benchmark_players
    known = {**_players(game), **searching}
    kind, colon, budget = name.partition(":")
    if kind not in known:
        raise BadOptions(
            "", "There is no computer player “{name}”. There are: {known}.", name=name, known=", ".join(known)
        )
    if colon and kind not in searching:
        raise BadOptions("", "The computer player “{name}” does not search, so it takes no budget.", name=kind)
    # It is imported when somebody plays against it, for some need NumPy and weights.
    plugin = plugin_named(game)
    if colon:
        make = part(plugin, kind, callable, f"{known[kind]}:with_budget")
        return cast("Choose", make(budget_from(budget)))
    reference = known[kind] if ":" in known[kind] else f"{known[kind]}:choose"
    return cast("Choose", part(plugin, kind, callable, reference))


# ------------------------------------------------------------------------------------------------------- judging


class Estimate(Value, frozen=True):
    """How likely a seat is to win, 0 to 1; a victory shared by n counts 1/n. ``exact`` says that nothing in it was
    learned or sampled."""

    chance: float
    exact: bool


class Appraised(Value, frozen=True, omit_defaults=True):
    """A move, and how likely its player is to win after it (0 to 1). ``error`` is the standard error of what was
    sampled: 0 where nothing was."""

    move: Any
    chance: float
    error: float = 0.0


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


def has_judge(game: str) -> bool:
    """Whether there is a judge of a game: without one there are no hints and no reviews."""
    return bool(plugin_named(game).judge)


def _is_judge(loaded: Any) -> bool:
    return callable(loaded.value) and callable(loaded.appraise)


@cache
def judge_named(game: str) -> Judge:
    """Who judges a game. Only for one that has a judge."""
    return cast("Judge", part(plugin_named(game), "judge", _is_judge))
