"""Pig for learning programs: by numbered steps."""

from typing import Final

from kontor.environments.adapter import NOBODY, ResearchAdapter, starter_of
from kontor.environments.listed_encoder import ListedEncoder
from kontor.game import Starter
from kontor_pig.rules import PIG, Hold, Options, Roll, Rolled


def encoder(options: Options) -> ListedEncoder:
    """Return the encoder of Pig's actions as numbered steps. Raises BadOptions."""
    players, goal = options.players, options.goal
    turns = players * goal
    rolls = turns * (goal // 2 + 1)  # a roll that does not end the turn brings at least 2
    return ListedEncoder(
        PIG,
        options,
        moves=(Roll(), Hold()),
        outcomes=(*map(Rolled, range(1, 7)), *map(Starter, range(players))),
        numbers={"seat": players, "turn": players, "points": goal + 5, "total": goal + 5, "round": goal},
        most_actions=turns + rolls,
        most_outcomes=rolls + 1,
    )


ADAPTER: Final = ResearchAdapter(
    encoder=encoder,
    title="Pig",
    players=(2, 4),
    open_information=True,
    parameters={"players": 2, "goal": 100, "starter": NOBODY},
    options=lambda given: Options(given["players"], given["goal"], starter_of(given)),
)
