"""The fields of a row that holds a game of Der fliegende Holländer, and the numbers of its moves.

Colours are numbers in the order of ``COLOURS``, fields of the chart in the order of ``chart.fields``, seats from 0;
``NONE`` stands for no value. Rows have room for six players. A heap of horseshoes is two fields: a number with a bit
for each golden one (bit 0 is the 21), and the counts of silver ones. The counts are in the order of ``SILVERS``.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.fields import Field, Layout
from kontor.game import BadOptions
from kontor.games.dutchman.rules.chart import SIZE
from kontor.games.dutchman.rules.components import (
    BOX,
    CHESTS,
    COLOURS,
    EXCHANGED,
    HORSESHOES,
    MOST_PLAYERS,
    MOST_SILVER,
    SHARES,
)
from kontor.games.dutchman.rules.state import Action, Options, Step

NONE: Final = -1

STEPS: Final[tuple[Step, ...]] = (
    "starter", "deal", "lucky", "action", "put", "share", "sail", "name", "propose", "answer", "again", "rolling",
    "show", "shuffle", "over",
)  # fmt: skip
"""Names of what can be due, by number."""

ACTIONS: Final[tuple[Action, ...]] = ("kontor", "smith", "lay", "pass")
"""Names of what a player can choose in a round, by number."""

SEATS: Final = MOST_PLAYERS
FIELDS: Final = SIZE * SIZE - 1
SILVERS: Final = (20, 10, 2, 1)
SILVER_COUNTS: Final = (3, 13, 3, 13)
GOLD: Final = 28
ALL_SHARES: Final = len(COLOURS) * (MOST_PLAYERS - 1)
MOST_LAYS: Final = len(HORSESHOES)
"""Most lays of a round with its deciding rounds: each takes a horseshoe, and none returns in between."""
PILE: Final = 32
"""Places for the Kontor pile, used in a circle: its top moves round them."""

_ALL_GOLD: Final = (1 << GOLD) - 1
_MOST_CASH: Final = 2_000
_MOST_HELD: Final = SHARES + EXCHANGED
_BOX: Final = max(SILVER_COUNTS)

SHARED, REVEALED, ROLLED_FOR, UNDECIDED, AGREED, SAILED, PAID, BANKRUPT, EARNED = (1 << bit for bit in range(9))
"""Bits of ``happened``: what the last action caused."""


def _heap(name: str, shape: tuple[int, ...], where: str) -> tuple[Field, Field]:
    return (
        Field(f"{name}_gold", shape, _ALL_GOLD, f"golden horseshoes {where}: a bit for each"),
        Field(f"{name}_silver", (*shape, len(SILVERS)), _BOX, f"silver horseshoes {where}, by kind"),
    )


LAYOUT: Final = Layout(np.int32, (
    Field("players", (), SEATS, "how many play"),
    Field("circles", (), 5, "of bargaining"),
    Field("ship", (FIELDS,), len(COLOURS) - 1, "the colour of the ship on each field; NONE for an island"),
    Field("ways", (FIELDS,), (1 << FIELDS) - 1, "the fields that a field is joined to: a bit for each"),
    Field("step", (), len(STEPS) - 1, "what is due, by its number in STEPS"),
    Field("waiting", (), SEATS, "how many of the queue are still to act"),
    Field("queue", (SEATS,), SEATS - 1, "who is to act in this step, the last of them ``waiting``"),
    Field("queued", (), SEATS, "how many there were in the queue"),
    Field("cash", (SEATS,), _MOST_CASH, "ducats, by seat"),
    Field("kontor", (SEATS,), 3, "Kontor cards left"),
    Field("smith", (SEATS,), 3, "Smith cards left"),
    Field("shares", (SEATS, len(COLOURS)), _MOST_HELD, "shares in hand, by colour"),
    *_heap("rack", (SEATS,), "in the rack"),
    *_heap("lay", (SEATS,), "face down before them"),
    Field("laid", (SEATS,), 1, "1 if there is a lay before them"),
    *_heap("known", (SEATS,), "of rack and lay that everybody saw"),
    Field("at_least", (SEATS, len(COLOURS)), _MOST_HELD, "the fewest shares that everybody can know of"),
    Field("at_most", (SEATS, len(COLOURS)), _MOST_HELD, "the most"),
    Field("bankrupt", (SEATS,), 1_000, "the round in which they went bankrupt, or 0"),
    Field("round", (), 1_000, "from 1"),
    Field("order", (SEATS,), SEATS - 1, "the order of play, the starter first; only those still in are set"),
    Field("in_order", (), SEATS, "how many are still in"),
    Field("actions", (SEATS,), len(ACTIONS) - 1, "what was chosen in this round, in the order of play"),
    Field("acted", (), SEATS, "how many have chosen"),
    Field("lucky", (), 49, "the lucky number, or 0"),
    Field("dutchman", (), FIELDS - 1, "where it is"),
    Field("came_from", (), FIELDS - 1, "where it was before; NONE at first"),
    Field("stones", (len(COLOURS),), len(CHESTS) - 1, "the chest of each colour's stone"),
    Field("counter", (), len(CHESTS) - 1, "the chest of the black counter"),
    Field("in_pile", (), ALL_SHARES, "shares in the Kontor pile"),
    Field("top", (), PILE - 1, "where its top is; the others follow, and after the last place comes the first"),
    Field("pile", (PILE,), len(COLOURS) - 1, "their colours"),
    Field("put_by", (PILE,), SEATS - 1, "who put them there; NONE for those dealt or shuffled"),
    *_heap("middle", (), "in the middle"),
    *_heap("middle_known", (), "of the middle that everybody saw"),
    *_heap("out", (), "out of the game"),
    Field("reveals", (), MOST_LAYS, "how often lays were turned over in this round"),
    Field("nearest", (MOST_LAYS,), (1 << SEATS) - 1, "who was nearest then: a bit for each seat"),
    Field("lays", (), MOST_LAYS, "lays turned over in this round"),
    Field("lain_in", (MOST_LAYS,), MOST_LAYS - 1, "in which of the reveals"),
    Field("lain_seat", (MOST_LAYS,), SEATS - 1, "whose"),
    Field("lain_gold", (MOST_LAYS,), GOLD, "its golden horseshoe: 1 for the 21; 0 if there is none"),
    Field("lain_silver", (MOST_LAYS, len(SILVERS)), _BOX, "its silver horseshoes"),
    Field("reading", (MOST_LAYS,), 49, "its best reading"),
    Field("bargaining", (), 1, "1 while there is a bargain"),
    Field("tied", (SEATS,), SEATS - 1, "who is equally near, in the order of play"),
    Field("tie", (), SEATS, "how many they are"),
    Field("named", (SEATS,), FIELDS - 1, "the destinations they named"),
    Field("names", (), SEATS, "how many have named one"),
    Field("circle", (), 6, "of bargaining, from 1"),
    Field("asked", (), SEATS, "how many have had their turn to propose in this circle"),
    Field("proposed", (), 1, "1 while there is a proposal"),
    Field("proposed_to", (), FIELDS - 1, "its destination"),
    Field("ducats", (SEATS,), _MOST_CASH, "what each tied player gets by it, or pays (below 0)"),
    Field("accepted", (), SEATS, "how many have accepted it"),
    Field("rolls", (), SEATS, "how many have rolled for it"),
    Field("rolled_seat", (SEATS,), SEATS - 1, "who"),
    Field("rolled", (SEATS,), 49, "their sums"),
    Field("happened", (), (1 << 9) - 1, "what came of the last action, as bits: SHARED to EARNED"),
    Field("shared_each", (), MOST_LAYS, "SHARED: horseshoes for each smith"),
    Field("shared_left", (), MOST_LAYS, "SHARED: horseshoes that were left"),
    Field("rolled_for", (), SEATS, "ROLLED_FOR: the first so many of rolled_seat and rolled"),
    Field("agreed", (SEATS,), _MOST_CASH, "AGREED: the ducats of the tied players"),
    Field("movers", (SEATS,), SEATS - 1, "SAILED: who moved the Dutchman, from came_from to dutchman"),
    Field("moving", (), SEATS, "SAILED: how many they are"),
    Field("value", (), CHESTS[-1], "PAID: of a share in the ship"),
    Field("held", (SEATS,), SHARES, "PAID: shares of each"),
    Field("paid", (SEATS,), SHARES * CHESTS[-1], "PAID: what each paid"),
    Field("broke", (), (1 << SEATS) - 1, "BANKRUPT: who, a bit for each"),
    Field("earner", (), SEATS - 1, "EARNED: who"),
    Field("earned", (), CHESTS[-1], "EARNED: ducats"),
))  # fmt: skip

# ------------------------------------------------------------------------------------------------------ moves

PAIRS: Final = tuple((one, other) for one in range(len(COLOURS)) for other in range(one, len(COLOURS)))

KONTOR: Final = 0
SMITH: Final = 1
PASS: Final = 2
WITHHOLD: Final = 3
ACCEPT: Final = 4
DECLINE: Final = 5
KEEP: Final = 6
SHOW: Final = 7
"""First of the actions that show a share, one for each colour."""
PUT: Final = SHOW + len(COLOURS)
"""First of the actions that put back two shares, one for each of PAIRS."""
SAIL: Final = PUT + len(PAIRS)
"""First of the actions that sail, one for each field."""
NAME: Final = SAIL + FIELDS
"""First of the actions that name a destination, one for each field."""
LAY: Final = NAME + FIELDS
"""Base of ``LAY + 3136 × gold + 784 × twenties + 56 × tens + 14 × twos + ones``: gold is 0 for none, 1 for the 48, 2
for the 47 … 28 for the 21. The mask of legal actions has one column for all lays."""
LAYS: Final = (GOLD + 1) * 4 * 14 * 4 * 14
PROPOSE: Final = LAY + LAYS
"""Base of ``PROPOSE + WAYS × field + way``: ``way`` numbers the ways to pay that the tied players' cash allows
(``kontor.games.dutchman.rules.bargain.Payments``). The mask has one column for all proposals."""
WAYS: Final = 1 << 50

LAY_COLUMN: Final = LAY
PROPOSE_COLUMN: Final = LAY + 1
COLUMNS: Final = LAY + 2

# ---------------------------------------------------------------------------------------------------- outcomes

OUTCOME: Final = ALL_SHARES + len(HORSESHOES)
"""Most numbers of an outcome. A starter: the seat. A deal: the colours of the shares, seat after seat (three each),
then of the pile from its top; then the horseshoes by their numbers, rack after rack (nine each), the middle, those
out. Dice: tens and ones. Sharing: the horseshoes, part after part, then those that stay. Shuffling: the colours of
the pile from its top."""

DECIDING: Final[tuple[Step, ...]] = ("action", "put", "sail", "name", "propose", "answer", "again", "show")
"""Steps in which a seat is to move."""

FEATURES: Final = Layout(np.float32, (
    Field("step", (len(DECIDING),), 1, "1 for what is due, in the order of DECIDING"),
    Field("round", (), 1_000, "from 1"),
    Field("lucky", (), 49, "the lucky number"),
    Field("shares", (len(COLOURS),), _MOST_HELD, "own shares, by colour"),
    Field("rack_gold", (GOLD,), 1, "1 for each golden horseshoe in the own rack, from the 21"),
    Field("rack_silver", (len(SILVERS),), _BOX, "silver horseshoes in it, by kind"),
    Field("lay_gold", (GOLD,), 1, "1 for the golden horseshoe in the own lay, which the others have not seen"),
    Field("lay_silver", (len(SILVERS),), _BOX, "silver horseshoes in it"),
    Field("place", (SEATS,), SEATS, "by player: the place in the order of play, from 1; 0 if out or not there"),
    Field("waiting", (SEATS,), 1, "by player: 1 if still to act in this step"),
    Field("cash", (SEATS,), _MOST_CASH, "by player: ducats"),
    Field("kontor", (SEATS,), 3, "by player: Kontor cards left"),
    Field("smith", (SEATS,), 3, "by player: Smith cards left"),
    Field("hand", (SEATS,), _MOST_HELD, "by player: how many shares"),
    Field("horseshoes", (SEATS,), MOST_LAYS, "by player: how many horseshoes in the rack"),
    Field("laid", (SEATS,), MOST_LAYS, "by player: how many lie face down"),
    Field("action", (SEATS, len(ACTIONS)), 1, "by player: 1 for what they chose in this round"),
    Field("at_least", (SEATS, len(COLOURS)), _MOST_HELD, "by player: the fewest shares that everybody can know of"),
    Field("at_most", (SEATS, len(COLOURS)), _MOST_HELD, "by player: the most"),
    Field("known_gold", (SEATS, GOLD), 1, "by player: 1 for each golden horseshoe that everybody saw them get"),
    Field("known_silver", (SEATS, len(SILVERS)), _BOX, "by player: such silver ones, by kind"),
    Field("reading", (SEATS,), 49, "by player: of the last lay turned over in this round; 0 if there is none"),
    Field("dutchman", (FIELDS,), 1, "1 for the field where it is"),
    Field("came_from", (FIELDS,), 1, "1 for the field where it was before"),
    Field("ahead", (FIELDS,), 1, "1 for each field to which it may sail"),
    Field("stones", (len(COLOURS),), len(CHESTS) - 1, "the chest of each colour's stone"),
    Field("counter", (), len(CHESTS) - 1, "the chest of the black counter"),
    Field("in_pile", (), ALL_SHARES, "shares in the Kontor pile"),
    Field("pile", (ALL_SHARES, len(COLOURS)), 1, "1 for the colour of each that the mover put there, from the top"),
    Field("put_by", (ALL_SHARES, SEATS), 1, "1 for the player who put it there"),
    Field("middle", (), MOST_LAYS, "horseshoes in the middle"),
    Field("middle_gold", (GOLD,), 1, "1 for each golden one of them that everybody saw"),
    Field("middle_silver", (len(SILVERS),), _BOX, "silver ones that everybody saw, by kind"),
    Field("tied", (SEATS,), 1, "by player: 1 if equally near"),
    Field("named", (SEATS, FIELDS), 1, "by player: 1 for the destination they named"),
    Field("circle", (), 6, "of bargaining, from 1; 0 while there is no bargain"),
    Field("proposer", (SEATS,), 1, "by player: 1 for whose turn it is to propose, or whose proposal it is"),
    Field("proposed_to", (FIELDS,), 1, "1 for the destination of the proposal"),
    Field("ducats", (SEATS,), _MOST_CASH, "by player: what they get by the proposal, or pay (below 0)"),
    Field("accepted", (SEATS,), 1, "by player: 1 if they have accepted it"),
))  # fmt: skip
"""Observation of the seat to move. Players are counted from the seat to move, clockwise; there is room for six. The
options (how many play, the circles, the chart) are the same for a whole batch and left out. Of the lays turned over
earlier in the round only the readings are given: their horseshoes are among those seen in the middle."""

# ----------------------------------------------------------------------------------------------------- options


def of_options(options: Options) -> dict[str, list[int]]:
    """Return the fields of a row that depend on the options alone.

    Raises BadOptions for games with the check (H11a) or a smaller box (H4), which kernels cannot play.
    """
    if options.may_check:
        raise BadOptions("H11a", "The batch simulator cannot play with the check yet.")
    if options.box != BOX:
        raise BadOptions("H4", "The batch simulator cannot play with a smaller box.")
    chart = options.chart
    places = {field.name: place for place, field in enumerate(chart.fields)}
    ways = [0] * FIELDS
    for one, other in (*chart.short, *chart.long):
        ways[places[one]] |= 1 << places[other]
        ways[places[other]] |= 1 << places[one]
    ship = [NONE if field.colour is None else COLOURS.index(field.colour) for field in chart.fields]
    return {
        "players": [options.players],
        "circles": [options.circles],
        "ship": ship + [NONE] * (FIELDS - len(ship)),
        "ways": ways,
    }


def kind_of(horseshoe: int) -> int:
    """Return the kind of a silver horseshoe; of a golden one, the number of silver kinds plus its bit."""
    return SILVERS.index(horseshoe) if horseshoe <= MOST_SILVER else len(SILVERS) + horseshoe - MOST_SILVER - 1
