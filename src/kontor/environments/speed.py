"""The speed of OpenSpiel with our games, and with two of its own: random legal steps on one core.

Games are stepped from Python, as a learner would do it. OpenSpiel's own games are written in C++, and are measured a
second time with a loop in C++. Python can reach only one such loop that plays and does nothing else: the evaluator of
its tree search. A search of one simulation plays so many random games from one position. It does not report the
number of decisions, so each game counts as many as such games have on average.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from math import floor
from random import Random
from typing import Any, Final

from kontor.bench import SEED, Elsewhere, RandomGames
from kontor.environments import RESEARCH
from kontor.environments.openspiel import REGISTERED
from kontor.optional_packages import requiring_extra

with requiring_extra("research", RESEARCH):
    import pyspiel

OPENSPIELS: Final = {"backgammon": 100, "liars_dice": 10_000}
"""OpenSpiel's own games; and how many are played from one position in each call of C++."""
COUNTED: Final = 500
"""The number of games whose decisions are counted for the average."""

Play = Callable[[Random], RandomGames]

_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


def in_openspiel() -> tuple[Elsewhere, ...]:
    """Return the games in OpenSpiel, to be measured."""
    return (
        *[_elsewhere(game, "Python", "Python", _make_stepper(game)) for game in map(pyspiel.load_game, REGISTERED)],
        *[_elsewhere(game, "C++", "Python", _make_stepper(game)) for game in map(pyspiel.load_game, OPENSPIELS)],
        *[
            _elsewhere(game, "C++", "C++", _rolled_out(game, at_once))
            for game, at_once in zip(map(pyspiel.load_game, OPENSPIELS), OPENSPIELS.values(), strict=True)
        ],
    )


def _elsewhere(game: Any, rules: str, loop: str, play: Play) -> Elsewhere:
    program = f"OpenSpiel {version('open_spiel')}"
    name = game.get_type().short_name
    return Elsewhere(name, game.num_players(), play, program=program, rules=rules, loop=loop)


def _make_stepper(game: Any) -> Play:
    """Return a function that plays one game at a time, step by step."""
    _deal(game, Random(SEED))  # kernels are compiled before the clock starts

    def play(random: Random) -> RandomGames:
        uniform, decisions = random.random, 0
        state = game.new_initial_state()
        mover_of, likely_steps, legal_steps, take = (
            state.current_player, state.chance_outcomes, state.legal_actions, state.apply_action
        )  # fmt: skip
        while (mover := mover_of()) != _TERMINAL:
            if mover == _CHANCE:
                left = uniform()
                for step, likely in likely_steps():  # noqa: B007 (it is taken below)
                    left -= likely
                    if left < 0:
                        break
            else:
                legal = legal_steps()
                step = legal[floor(uniform() * len(legal))]
                decisions += 1
            take(step)
        return RandomGames(1, decisions)

    return play


def _rolled_out(game: Any, at_once: int) -> Play:
    """Return a function that plays many games at a time, from one position in which a player is to move."""
    step_by_step, random = _make_stepper(game), Random(SEED)
    length = sum(step_by_step(random).decisions for _ in range(COUNTED)) / COUNTED
    evaluator = pyspiel.RandomRolloutEvaluator(at_once, SEED)
    search = pyspiel.MCTSBot(
        game, evaluator, uct_c=1, max_simulations=1, max_memory_mb=1, solve=False, seed=SEED, verbose=False
    )

    def play(random: Random) -> RandomGames:
        search.mcts_search(_deal(game, random))
        return RandomGames(at_once, at_once * length)

    return play


def _deal(game: Any, random: Random) -> Any:
    """Return the first position in which a player is to move."""
    state = game.new_initial_state()
    while state.current_player() == _CHANCE:
        step, _ = pyspiel.sample_action(state.chance_outcomes(), random.random())
        state.apply_action(step)
    return state
