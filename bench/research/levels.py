"""Kontor's own computer players against random steps, evaluated like learners: each seat in as many games."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from statistics import mean
from typing import Final

from bench.research.intervals import Row, reward_interval
from kontor.environments.adapter import encoder_of
from kontor.environments.encoders import opening
from kontor.game import CHANCE, OVER
from kontor.players import player_named
from kontor.players.levels import levels

SLOW: Final = ("strong", "expert")
"""Levels that think long."""


def played(game: str, player: str, number: int) -> float:
    """Return the reward of game ``number`` for the player, who sits on seat ``number`` modulo the seats."""
    encoder, choose = encoder_of(game), player_named(game, player)
    seat, random = number % encoder.seats, Random(f"{game} {number}")
    position = opening(encoder)
    while position.mover != OVER:
        if position.mover == CHANCE:
            position = position.drawn(random.randrange)
        elif position.mover == seat:
            moves = encoder.game.moves(position.state)
            position = position.played(choose(position.view(seat), moves, random))
        else:
            position = position.after(random.choice(position.legal()))
    return position.returns()[seat]


def rewards_of_levels(game: str, games: int, expert_games: int, cores: int) -> Iterator[Row]:
    """Yield the mean reward of each level; levels that think long play fewer games."""
    yield "player", "games", "reward", "from", "to"
    least = -1.0 if encoder_of(game).seats == 2 else 0.0
    with ProcessPoolExecutor(cores) as executor:
        for name in levels(game):
            count = expert_games if name in SLOW else games
            rewards = list(executor.map(partial(played, game, name), range(count), chunksize=8))
            yield name, count, mean(rewards), *reward_interval(rewards, least)
