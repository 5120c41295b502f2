"""Random games by numbered steps."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from kontor.dutchman import Options as DutchmanOptions
from kontor.environments.dutchman import DutchmanForm
from kontor.environments.forms import Form, Position, Steps, opening
from kontor.environments.shanghaien import ShanghaienForm
from kontor.game import CHANCE, OVER
from kontor.shanghaien import Options as ShanghaienOptions

SHANGHAIEN = ShanghaienForm(ShanghaienOptions())
DUTCHMAN = [DutchmanForm(DutchmanOptions(players=players)) for players in (3, 4, 5, 6)]
FORMS: list[Form] = [
    SHANGHAIEN,
    ShanghaienForm(ShanghaienOptions(starter=1, first_trick="reroll")),
    *DUTCHMAN,
    DutchmanForm(DutchmanOptions(players=3, circles=0, starter=2)),
]


def name_of(form: Form) -> str:
    return f"{form.game.name}-{form.seats}-{FORMS.index(form)}"


def walk(form: Form, seed: int) -> Iterator[Position]:
    """All positions of a random game, step by step, from the opening to the end."""
    random = Random(seed)
    position = opening(form)
    while position.mover != OVER:
        yield position
        position = position.after(some_step(position, random))
    yield position


def some_step(position: Position, random: Random) -> int:
    if position.mover != CHANCE:
        return random.choice(position.legal())
    steps, weights = zip(*position.chances(), strict=True)
    return int(random.choices(steps, weights)[0])


def every_whole(form: Form, state: Any, begun: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Every move or outcome that steps can make, with its steps."""
    after = (
        form.legal(state, begun) if state.mover >= 0 else [step for step, n in form.urn(state, begun).items() if n]
    )
    for step in after:
        action = form.whole(state, (*begun, step))
        if action is None:
            yield from every_whole(form, state, (*begun, step))
        else:
            yield (*begun, step), action
