"""Lengths of random games in numbered steps: steps of players, steps of chance, and legal steps on average.

python examples/lengths.py [GAMES]
"""

import sys
from random import Random

from kontor.environments.adapter import encoder_of
from kontor.environments.encoders import ActionEncoder, opening
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import Options


def lengths(encoder: ActionEncoder, games: int) -> tuple[float, float, float]:
    """Return the means of a game: steps of players, steps of chance, and legal steps at a decision.

    Every legal step is equally likely.
    """
    random, decisions, chances, legal = Random(1), 0, 0, 0
    for _ in range(games):
        position = opening(encoder)
        while position.mover != OVER:
            if position.mover == CHANCE:
                steps, likely = zip(*position.chances(), strict=True)
                step = random.choices(steps, likely)[0]
                chances += 1
            else:
                step = random.choice(position.legal())
                decisions, legal = decisions + 1, legal + len(position.legal())
            position = position.after(step)
    return decisions / games, chances / games, legal / decisions


games = int(sys.argv[1]) if len(sys.argv) > 1 else 5
for name, encoder in [
    ("Shanghaien", encoder_of("shanghaien")),
    *[(f"Holländer for {n}", encoder_of("dutchman", Options(players=n))) for n in range(3, 7)],
]:
    steps, chances, legal = lengths(encoder, games)
    print(f"{name}: {steps:.1f} steps of players, {chances:.1f} of chance, {legal:.1f} legal steps")
