"""OpenSpiel's MCTS against random steps."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import mean
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.algorithms import mcts

import kontor.environments.openspiel  # noqa: F401 (registers the games)
from bench.research.intervals import Row, reward_interval


def searched(game: Any, simulations: int, seat: int, seed: int) -> float:
    """Return the reward of a game for OpenSpiel's MCTS with random rollouts against a random player."""
    luck, random = np.random.RandomState(seed), Random(seed)
    bot = mcts.MCTSBot(game, 2.0, simulations, mcts.RandomRolloutEvaluator(random_state=luck), random_state=luck)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            step, _ = pyspiel.sample_action(state.chance_outcomes(), random.random())
        else:
            step = bot.step(state) if state.current_player() == seat else random.choice(state.legal_actions())
        state.apply_action(step)
    return float(state.returns()[seat])


def search(games: int, simulations: int) -> Iterator[Row]:
    """Yield the rewards against random players, half of the games on each seat."""
    yield "simulations", "games", "reward", "from", "to"
    game = pyspiel.load_game("shanghaien")
    rewards = [searched(game, simulations, number % 2, number) for number in range(games)]
    yield simulations, games, mean(rewards), *reward_interval(rewards, -1.0)
