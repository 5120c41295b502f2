"""Measurement of chances (``values.py``) and beliefs (``gauging_beliefs.py``) against games.

Chances are measured as players use them: from a seat's view, as an average over states imagined from it. The games
are like those they were learned from, but different ones. Beliefs are measured by how far they are off; imagined
states are drawn from them.
"""

from __future__ import annotations

from random import Random
from typing import Final

from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.values import chances
from kontor.games.dutchman.rules.view import view
from kontor.work import Jobs, executor_of
from training.dutchman.gauging_beliefs import Game, by_stage, hands_of
from training.dutchman.learned import shipped
from training.dutchman.lessons import PLAYERS
from training.dutchman.self_play import game
from training.trainers import Gauged, ReportProgress, in_bins

GAMES: Final = 1500
"""Games of ``swift`` with itself, as it learns."""
BELIEVED: Final = {"greedy": 600, "expert": 60}
"""Games of each player that measure beliefs; those of the expert take a few seconds each."""
LEAST: Final = 2
"""Fewest games to measure chances, for any effort."""
IMAGINED: Final = 32
"""States imagined from each view."""


def gauge(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Gauged:
    """Return how well chances and beliefs agree with games (see ``training.trainers``).

    The errors of single chances are left out, because the true chances are unknown.
    """
    games = max(LEAST, round(effort * GAMES))
    predicted: list[float] = []
    came: list[float] = []
    with executor_of(jobs) as executor:
        for number, (estimates, shares) in enumerate(
            executor.map(_game, [(seed, number) for number in range(games)]), 1
        ):
            predicted += estimates
            came += shares
            tell("games played", number, games)
        tasks = [
            (seed, player, number) for player, most in BELIEVED.items() for number in range(round(effort * most))
        ]
        played: dict[str, list[Game]] = {player: [] for player in BELIEVED}
        for number, (player, hands) in enumerate(executor.map(hands_of, tasks), 1):
            played[player].append(hands)
            tell("games played", number, len(tasks))
    beliefs = [error for player, several in played.items() for error in by_stage(player, several)]
    return Gauged((), in_bins(predicted, came), tuple(beliefs))


def _game(task: tuple[int, int]) -> tuple[list[float], list[float]]:
    """Return the chances of one seat at the start of each round of a game, and its shares of the victory.

    The chances are computed from what that seat may know. The game follows from the seed and its number.
    """
    seed, number = task
    random = Random(f"dutchman/{seed}/gauge/{number}")
    played = game(shipped(), PLAYERS[number % len(PLAYERS)], random)
    estimates, came = [], []
    for state in played.states:
        seat = random.choice(state.order)
        beliefs = Beliefs(view(state, seat))
        imagined = [beliefs.sample(random) for _ in range(IMAGINED)]
        estimates.append(float(chances(imagined)[:, seat].mean()))
        came.append(float(played.shares[seat]))
    return estimates, came
