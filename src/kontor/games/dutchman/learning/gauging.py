"""Whether the chances told by ``values.py`` come true as players use them: from a seat's view, on average over states
imagined from it. They are gauged by games such as they were learned from, but others. And how far off the beliefs are
from which those states are drawn (``gauging_beliefs.py``)."""

from __future__ import annotations

from random import Random
from typing import Final

from kontor.games.dutchman.learning.learned import shipped
from kontor.games.dutchman.learning.selfplay import game
from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.gauging_beliefs import Game, by_stage, hands_of
from kontor.games.dutchman.players.selfplay import PLAYERS
from kontor.games.dutchman.players.values import chances
from kontor.games.dutchman.rules.view import view
from kontor.players.training import Gauged, ReportProgress, in_bins
from kontor.words import mark
from kontor.work import Jobs, executor_of

GAMES: Final = 1500
"""Games of ``swift`` with itself, as it learns."""
BELIEVED: Final = {"greedy": 600, "expert": 60}
"""Games of each player in which beliefs are gauged; those of the expert take a few seconds each."""
LEAST: Final = 2
"""Games, however little effort is made; of the expert there may be none."""
IMAGINED: Final = 32
"""States imagined from each view."""


def gauge(seed: int, effort: float, jobs: Jobs, tell: ReportProgress) -> Gauged:
    """See ``kontor.players.training``. By how much single chances are off is not told, for nobody knows the truth."""
    games = max(LEAST, round(effort * GAMES))
    said: list[float] = []
    came: list[float] = []
    with executor_of(jobs) as executor:
        for number, (told, shares) in enumerate(executor.map(_game, [(seed, number) for number in range(games)]), 1):
            said += told
            came += shares
            tell(mark("games played"), number, games)
        tasks = [
            (seed, player, number) for player, most in BELIEVED.items() for number in range(round(effort * most))
        ]
        played: dict[str, list[Game]] = {player: [] for player in BELIEVED}
        for number, (player, found) in enumerate(executor.map(hands_of, tasks), 1):
            played[player].append(found)
            tell(mark("games played"), number, len(tasks))
    beliefs = [error for player, several in played.items() for error in by_stage(player, several)]
    return Gauged((), in_bins(said, came), tuple(beliefs))


def _game(task: tuple[int, int]) -> tuple[list[float], list[float]]:
    """By the seed and the number of a game: at the start of each round the chance of one of those playing, by what
    that seat may know, and its share of the victory."""
    seed, number = task
    random = Random(f"dutchman/{seed}/gauge/{number}")
    played = game(shipped(), PLAYERS[number % len(PLAYERS)], random)
    told, came = [], []
    for state in played.states:
        seat = random.choice(state.order)
        beliefs = Beliefs(view(state, seat))
        imagined = [beliefs.sample(random) for _ in range(IMAGINED)]
        told.append(float(chances(imagined)[:, seat].mean()))
        came.append(float(played.shares[seat]))
    return told, came
