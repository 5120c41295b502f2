"""Working memory of a thinking seat, beside the row of its game."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import Rows
from kontor.games.dutchman.batch.layout import FIELDS, NONE, SEATS
from kontor.games.dutchman.batch.states import field_names, places_of
from kontor.games.dutchman.players.greedy import FAR
from kontor.games.dutchman.rules import Options, components
from kontor.games.dutchman.rules.chart import sea_of

SUMS: Final = 2 * sum(horseshoe for horseshoe in components.HORSESHOES if horseshoe <= components.MOST_SILVER) + 1
"""Number of sums of silver horseshoes added and subtracted, from minus all to plus all of them."""

_COLOURS: Final = len(components.COLOURS)
_LAYS: Final = FAR + 2
"""One lay for each shortfall, and one only to take part."""

THOUGHT: Final = np.dtype([
    # The chart: the fields joined to each field, in the order of the rules engine, then NONE.
    ("ways", np.int64, (FIELDS, FIELDS)),
    ("me", np.int64),
    # Ships still to be met until the end (H13).
    ("ships", np.int64),
    # Fields ahead (``many``), and the colour of the ship on each; arrays below are indexed by their places.
    ("many", np.int64), ("ahead", np.int64, (FIELDS,)), ("met", np.int64, (FIELDS,)),
    ("worth", np.float64, (FIELDS, _COLOURS)), ("wealth", np.float64, (FIELDS, SEATS)),
    ("likely", np.float64, (SEATS, FIELDS)), ("sailing", np.float64, (FIELDS,)),
    # Shares: unseen ones by colour, and those that each seat can be expected to hold.
    ("unseen", np.int64, (_COLOURS,)), ("held", np.float64, (SEATS, _COLOURS)), ("earned", np.float64, (SEATS,)),
    ("order", np.int64, (_COLOURS,)),
    # What shares bring: prospects by colour, the shares considered, and what one of them brings.
    ("brings", np.float64, (_COLOURS,)), ("met_now", np.float64, (_COLOURS,)), ("counts", np.float64, (_COLOURS,)),
    ("each", np.float64, (_COLOURS,)), ("own", np.float64, (components.SHARES + 2 * components.EXCHANGED,)),
    # A round: the standing if this seat steers, if another does, and the probability that each lays.
    ("best", np.float64), ("theirs", np.float64), ("lays", np.float64, (SEATS,)), ("under", np.float64, (SEATS,)),
    # Lays that may be worth it: their shortfalls, their numbers, and how many horseshoes they have.
    ("lays_found", np.int64), ("short", np.int64, (_LAYS,)), ("lay", np.int64, (_LAYS,)),
    ("size", np.int64, (_LAYS,)), ("fewest", np.int64, (FAR + 1,)),
    ("sum_of", np.int64, (2, SUMS)), ("used", np.int64, (2, SUMS)),
    # Agreements: each seat's standing without one, what it gets by a proposal, and its wealth then.
    ("alone", np.float64, (SEATS,)), ("ducats", np.int64, (SEATS,)), ("paid", np.float64, (SEATS,)),
], align=True)  # fmt: skip


def thought_of(options: Options) -> Rows:
    """Return one THOUGHT, for games with these options.

    Kernels write into it, so each thread needs one of its own.
    """
    thoughts = np.zeros(1, THOUGHT)
    thoughts["ways"] = NONE
    places = places_of(options)
    ways = sea_of(options.chart).ways
    for place, name in enumerate(field_names(options)):
        for way, to in enumerate(ways[name]):
            thoughts["ways"][0, place, way] = places[to]
    return thoughts
