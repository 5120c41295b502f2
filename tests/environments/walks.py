"""Random games by numbered steps."""

from collections.abc import Iterator
from random import Random
from typing import Any

from kontor.environments.encoders import ActionEncoder, Position, Steps, opening
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.research import DutchmanEncoder
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.research.encoder import ShanghaienEncoder
from kontor.games.shanghaien.rules import Options as ShanghaienOptions

SHANGHAIEN = ShanghaienEncoder(ShanghaienOptions())
DUTCHMAN = [DutchmanEncoder(DutchmanOptions(players=players)) for players in (3, 4, 5, 6)]
FORMS: list[ActionEncoder] = [
    SHANGHAIEN,
    ShanghaienEncoder(ShanghaienOptions(starter=1, first_trick="reroll")),
    *DUTCHMAN,
    DutchmanEncoder(DutchmanOptions(players=3, circles=0, starter=2)),
]


def name_of(encoder: ActionEncoder) -> str:
    return f"{encoder.game.name}-{encoder.seats}-{FORMS.index(encoder)}"


def walk_positions(encoder: ActionEncoder, seed: int) -> Iterator[Position]:
    """Yield all positions of a random game, step by step, from the opening to the end."""
    random = Random(seed)
    position = opening(encoder)
    while position.mover != OVER:
        yield position
        position = position.after(some_step(position, random))
    yield position


def some_step(position: Position, random: Random) -> int:
    if position.mover != CHANCE:
        return random.choice(position.legal())
    steps, weights = zip(*position.chances(), strict=True)
    return int(random.choices(steps, weights)[0])


def every_whole(encoder: ActionEncoder, state: Any, begun: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Yield every move or outcome that steps can make, with its steps."""
    after = (
        encoder.legal(state, begun)
        if state.mover >= 0
        else [step for step, n in encoder.outcome_counts(state, begun).items() if n]
    )
    for step in after:
        action = encoder.action_from(state, (*begun, step))
        if action is None:
            yield from every_whole(encoder, state, (*begun, step))
        else:
            yield (*begun, step), action
