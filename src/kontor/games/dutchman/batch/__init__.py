"""Der fliegende Holländer in batches: its memory layout and its compiled rules.

``layout`` names the fields of a row; ``rules`` and the modules that it imports are the compiled rules.
"""

from typing import Final

from msgspec.structs import replace

from kontor.batch.loops import kernels_of
from kontor.batch.packed import packed_of
from kontor.batch.simulation import Simulated
from kontor.batch.stepping import stepping_of
from kontor.games.dutchman.batch import drawing, layout, numbering, rules, states, stepping
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.components import FEWEST_PLAYERS, MOST_PLAYERS

_BACKWARDS: Final = replace(
    OURS,
    fields=OURS.fields[::-1],
    holland=next(field.name for field in OURS.fields if not field.colour and field.name != OURS.holland),
)
"""Our chart with its fields in reverse order and another first field: a second chart for the proof."""


def _options_to_prove(players: int) -> tuple[Options, ...]:
    return (
        Options(players=players),
        Options(players=players, circles=0, starter=0),
        Options(players=players, circles=1, starter=players - 1),
        Options(players=players, circles=5, chart=_BACKWARDS),
    )


SIMULATED_DUTCHMAN: Final = Simulated(
    game=DUTCHMAN,
    layout=layout.LAYOUT,
    features=layout.FEATURES,
    columns=layout.COLUMNS,
    outcome=layout.OUTCOME,
    kernels=kernels_of(rules, layout.OUTCOME),
    proved=tuple(_options_to_prove(players) for players in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)),
    read=states.read,
    write=states.write,
    action_of=numbering.action_of,
    move_of=numbering.move_of,
    columns_of=numbering.columns_of,
    outcome_row=numbering.outcome_row,
    outcome_of=numbering.outcome_of,
    stepping=stepping_of(stepping, layout.OUTCOME, stepping.steps, stepping.width),
    packed=packed_of(
        drawing, layout.LAYOUT, layout.OUTCOME, stepping.steps(Options(players=MOST_PLAYERS)), drawing.OUTCOMES
    ),
)

__all__ = ["SIMULATED_DUTCHMAN"]
