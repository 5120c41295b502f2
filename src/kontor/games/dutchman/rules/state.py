"""A game of Der fliegende Holländer as a value: options, moves, outcomes and the state (H1 to H6).

The state also keeps knowledge, so that views need no memory: who put which card under the Kontor pile, and what
everybody can know of each merchant's shares and horseshoes (shown, and not exchanged or laid since).
"""

from __future__ import annotations

from functools import lru_cache
from typing import ClassVar, Final, Literal

from msgspec import UNSET, UnsetType
from msgspec.structs import force_setattr, replace

from kontor.game import CHANCE, BadOptions, Value, is_malformed
from kontor.game import Starter as Starter  # an outcome like those below
from kontor.games.dutchman.rules.bargain import Bargain
from kontor.games.dutchman.rules.chart import MINI_CHART, OURS, Chart, Sea, sea_of
from kontor.games.dutchman.rules.components import (
    BOX,
    CARDS,
    CASH,
    COLOURS,
    FEWEST_PLAYERS,
    FIRST_CHEST,
    MINI,
    MOST_PLAYERS,
    SHARES,
    Box,
    Colour,
    Horseshoes,
)
from kontor.games.dutchman.rules.horseshoes import NO_SILVER, Heap, Laid, Silver, how_many, written

MOST_CIRCLES: Final = 5


class Options(Value, frozen=True, forbid_unknown_fields=True):
    """The options that the players agree on.

    They are the number of players, who starts (H5), circles of bargaining (H9), the chart (H3), and whether the
    Kontor pile is checked on request (H11a).

    ``check`` is left out where it is never checked. So options from before there was a check, and all options without
    one, are written in the same way.
    """

    players: int = 4
    starter: int | None = None
    circles: int = 2
    chart: Chart = OURS
    check: Literal["never", "on request"] | UnsetType = UNSET

    box: ClassVar[Box] = BOX
    """The box; players do not agree on it: all games use the same."""

    def __post_init__(self) -> None:
        if self.check == "never":
            force_setattr(self, "check", UNSET)

    @property
    def may_check(self) -> bool:
        """Return True if any player may ask for the check (H11a)."""
        return self.check == "on request"


class MiniOptions(Options, frozen=True, forbid_unknown_fields=True):
    """The same rules with a smaller box, for programs that solve games. No table or record has such a game."""

    players: int = 3
    starter: int | None = 0
    circles: int = 0
    chart: Chart = MINI_CHART
    box: ClassVar[Box] = MINI


def seats(options: Options) -> int:
    """Return the number of seats of a game with these options."""
    return options.players


def moved_on(options: Options, places: int) -> Options:
    """Return the options after all players moved on by ``places`` seats: the starter (H5) keeps starting."""
    if options.starter is None:
        return options
    return replace(options, starter=(options.starter + places) % seats(options))


# ------------------------------------------------------------------------------------------------- moves


class Kontor(Value, frozen=True, tag="kontor", tag_field="move"):
    """Play a Kontor card and take the top two shares of the pile (H6a)."""


class Put(Value, frozen=True, tag="put", tag_field="move"):
    """Put two shares under the Kontor pile, in the order of the colours (H6a)."""

    shares: tuple[Colour, Colour]


class Smith(Value, frozen=True, tag="smith", tag_field="move"):
    """Play a Smith card (H6b)."""


class Lay(Value, frozen=True, tag="lay", tag_field="move"):
    """Lay horseshoes face down, the highest first (H6c, H10)."""

    horseshoes: Horseshoes


class Pass(Value, frozen=True, tag="pass", tag_field="move"):
    """Do nothing (H6d, H10)."""


class Sail(Value, frozen=True, tag="sail", tag_field="move"):
    """Move the Dutchman (H8)."""

    to: str


class Name(Value, frozen=True, tag="name", tag_field="move"):
    """Name a destination (H9)."""

    to: str


class Propose(Value, frozen=True, tag="propose", tag_field="move"):
    """Propose a destination, and what each tied player gets or pays, in the order of play (H9)."""

    to: str
    ducats: tuple[int, ...]


class Withhold(Value, frozen=True, tag="withhold", tag_field="move"):
    """Make no proposal in this circle (H9)."""


class Accept(Value, frozen=True, tag="accept", tag_field="move"):
    """Accept the proposal (H9)."""


class Decline(Value, frozen=True, tag="decline", tag_field="move"):
    """Decline the proposal (H9)."""


class Show(Value, frozen=True, tag="show", tag_field="move"):
    """Show a share on an island and be paid its value (H12)."""

    colour: Colour


class Keep(Value, frozen=True, tag="keep", tag_field="move"):
    """Show nothing on an island (H12)."""


class Check(Value, frozen=True, tag="check", tag_field="move"):
    """Ask for the check: the shares of the Kontor pile are shown to all, and shuffled (H11a)."""


class Waive(Value, frozen=True, tag="waive", tag_field="move"):
    """Do not ask for the check (H11a)."""


Move = (
    Kontor
    | Put
    | Smith
    | Lay
    | Pass
    | Sail
    | Name
    | Propose
    | Withhold
    | Accept
    | Decline
    | Show
    | Keep
    | Check
    | Waive
)

# ---------------------------------------------------------------------------------------------- outcomes


class Deal(Value, frozen=True, tag="deal", tag_field="chance"):
    """The deal (H4). Hands are in the order of the colours, the pile from its top; horseshoes highest first."""

    hands: tuple[tuple[Colour, ...], ...]
    pile: tuple[Colour, ...]
    racks: tuple[Horseshoes, ...]
    middle: Horseshoes
    out: Horseshoes


class Dice(Value, frozen=True, tag="dice", tag_field="chance"):
    """Both dice: for the lucky number (H5), or rolling for it (H10a)."""

    tens: int
    ones: int


class Share(Value, frozen=True, tag="share", tag_field="chance"):
    """The parts of the middle that the smiths get, in the order of play, and the rest (H6b)."""

    parts: tuple[Horseshoes, ...]
    left: Horseshoes


class Shuffle(Value, frozen=True, tag="shuffle", tag_field="chance"):
    """The Kontor pile from its top, after a bankrupt's shares were shuffled in (H11) or the check (H11a)."""

    pile: tuple[Colour, ...]


Outcome = Starter | Deal | Dice | Share | Shuffle

# ---------------------------------------------------------------------------------- what happened, for all to see


class Shared(Value, frozen=True, tag="shared", tag_field="event"):
    """Each smith got ``each`` horseshoes from the middle, and ``left`` remain there (H6b)."""

    smiths: tuple[int, ...]
    each: int
    left: int


class Lain(Value, frozen=True):
    """A lay revealed, and its best reading (H7)."""

    seat: int
    horseshoes: Horseshoes
    reading: int


class Revealed(Value, frozen=True, tag="revealed", tag_field="event"):
    """All lays were turned over; ``nearest`` to the lucky number are these, in the order of play (H8)."""

    lays: tuple[Lain, ...]
    nearest: tuple[int, ...]


class RolledFor(Value, frozen=True, tag="rolled for", tag_field="event"):
    """All have rolled for it: the sums, and the seats with the highest (H10a)."""

    rolls: tuple[tuple[int, int], ...]
    highest: tuple[int, ...]


class Undecided(Value, frozen=True, tag="undecided", tag_field="event"):
    """No agreement: a deciding round among these (H10)."""

    tied: tuple[int, ...]


class Agreed(Value, frozen=True, tag="agreed", tag_field="event"):
    """The tied players agreed, and paid or got these ducats (H9)."""

    tied: tuple[int, ...]
    ducats: tuple[int, ...]


class Sailed(Value, frozen=True, tag="sailed", tag_field="event"):
    """The Dutchman was moved (H8)."""

    start: str
    to: str
    by: tuple[int, ...]


class Paid(Value, frozen=True, tag="paid", tag_field="event"):
    """All shares in a ship were shown, at this value: the number of each player's, and their payments (H11)."""

    colour: Colour
    value: int
    shares: tuple[int, ...]
    paid: tuple[int, ...]


class Bankrupt(Value, frozen=True, tag="bankrupt", tag_field="event"):
    """These could not pay in full and are out of the game (H11)."""

    seats: tuple[int, ...]


class Earned(Value, frozen=True, tag="earned", tag_field="event"):
    """A share was shown on an island, and its value paid by the bank (H12)."""

    seat: int
    ducats: int


class Checked(Value, frozen=True, tag="checked", tag_field="event"):
    """The Kontor pile was shown to all: its shares, in the order of the colours (H11a)."""

    shares: tuple[Colour, ...]


Happening = Shared | Revealed | RolledFor | Undecided | Agreed | Sailed | Paid | Bankrupt | Earned | Checked

# ----------------------------------------------------------------------------------------------- the state

Step = Literal[
    "starter", "deal", "lucky", "action", "put", "share", "sail", "name", "propose", "answer", "again", "rolling",
    "show", "shuffle", "check", "reshuffle", "over",
]  # fmt: skip
"""The step that is due.

Chance: starter, deal, lucky, share, rolling, shuffle (H11), reshuffle (H11a). Players: the others.
"""

Action = Literal["kontor", "smith", "lay", "pass"]
Counts = tuple[int, ...]
"""Numbers counted by colour: six, in the order of COLOURS."""


class Merchant(Value, frozen=True):
    """The possessions of a player.

    ``shares`` and ``rack`` are hidden; so is ``lay``, the horseshoes face down before them.

    ``at_least`` and ``at_most`` say what everybody can know of the shares, by colour: shown, and not exchanged since.
    ``known_heap`` are horseshoes, of rack and lay together, that everybody saw the merchant get.
    """

    cash: int = CASH
    kontor: int = CARDS
    smith: int = CARDS
    shares: tuple[Colour, ...] = ()
    gold: Horseshoes = ()
    silver: Silver = NO_SILVER
    laid: Laid | None = None
    at_least: Counts = (0, 0, 0, 0, 0, 0)
    at_most: Counts = (SHARES,) * 6
    known_heap: Heap = 0
    bankrupt: int = 0
    """The round in which they went bankrupt, or 0."""

    @property
    def rack(self) -> Horseshoes:
        """Return the horseshoes in hand."""
        return self.gold + self.silver.horseshoes

    @property
    def lay(self) -> Horseshoes | None:
        """Return the horseshoes face down before them, or None."""
        return self.laid.horseshoes if self.laid else None

    @property
    def known(self) -> Horseshoes:
        """Return the horseshoes that everybody knows."""
        return written(self.known_heap)


class Inspection(Value, frozen=True):
    """The result of the last check (H11a), as long as a share of it lies in the pile where it was shuffled to.

    ``shares`` are all those shown, in the order of the colours. ``drawn``, by seat, are those drawn since with a
    Kontor card, which only their drawer knows. Those left are on top of the pile: the cards that no player put there.
    """

    shares: tuple[Colour, ...]
    drawn: tuple[tuple[Colour, ...], ...]


class State(Value, frozen=True):
    """A game at one moment, with everything hidden."""

    mover: int
    step: Step
    queue: tuple[int, ...]
    """The seats still to act in this step, the mover first."""
    merchants: tuple[Merchant, ...]
    round: int
    starter: int
    """Of this round."""
    order: tuple[int, ...]
    """The order of play in this round: clockwise from the starter, without the bankrupt (H5, H6)."""
    actions: tuple[Action, ...]
    """The actions chosen so far in this round, in the order of play (H6)."""
    lucky: int | None
    dutchman: str
    came_from: str | None
    stones: Counts
    """The chest on which the stone of each colour stands, as a place in CHESTS."""
    counter: int
    """The chest of the black counter."""
    pile: tuple[Colour, ...]
    """The Kontor pile from its top."""
    put_by: tuple[int | None, ...]
    """The seat that put each card of the pile there; None for cards dealt or shuffled."""
    middle_heap: Heap
    middle_known_heap: Heap
    """Horseshoes of the middle that everybody saw go there."""
    out: Horseshoes
    """Horseshoes out of the game from the start (H4)."""
    revealed: tuple[Revealed, ...]
    """The lays turned over in this round, with those of its deciding rounds."""
    bargain: Bargain | None
    rolls: tuple[tuple[int, int], ...]
    """Seats and sums of the players who have rolled for it."""
    happened: tuple[Happening, ...]
    """Public effects of the last move or outcome."""
    sea: Sea
    options: Options
    inspection: Inspection | None = None

    @property
    def middle(self) -> Horseshoes:
        """Return the horseshoes in the middle."""
        return written(self.middle_heap)

    @property
    def in_the_middle(self) -> int:
        """Return the number of horseshoes in the middle."""
        return how_many(self.middle_heap)

    @property
    def middle_known(self) -> Horseshoes:
        """Return the horseshoes in the middle that everybody knows."""
        return written(self.middle_known_heap)

    @property
    def smiths(self) -> tuple[int, ...]:
        """Return the seats that played a Smith card in this round, in the order of play (H6b)."""
        if "smith" not in self.actions:
            return ()
        return tuple([seat for seat, action in zip(self.order, self.actions, strict=False) if action == "smith"])


@lru_cache(maxsize=64)
def _sea_for(options: Options) -> Sea:
    """Return the sea of the options' chart. Raises BadOptions if no game can have these options."""
    if is_malformed(options, Options):
        raise BadOptions("", "These are not options of Der fliegende Holländer.")
    players = options.players
    if not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise BadOptions("H4", "Der fliegende Holländer is for 3 to 6 players, not {players}.", players=players)
    if options.starter is not None and not 0 <= options.starter < players:
        raise BadOptions(
            "H5",
            "The starting player must be seat 1 to {players}, not {seat}.",
            players=players,
            seat=options.starter + 1,
        )
    if not 0 <= options.circles <= MOST_CIRCLES:
        raise BadOptions("H9", "There can be 0 to 5 bargaining rounds, not {circles}.", circles=options.circles)
    return sea_of(options.chart, options.box)


def start(options: Options) -> State:
    """Return the state before the first outcome: who starts, or the deal. Raises BadOptions (H3, H4, H5, H9)."""
    try:
        sea = _sea_for(options)
    except TypeError:  # options that cannot be hashed are malformed
        raise BadOptions("", "These are not options of Der fliegende Holländer.") from None
    players = options.players
    box = options.box
    most = min(SHARES, players - 1)
    merchant = Merchant(cash=box.cash, kontor=box.cards, smith=box.cards, at_most=(most,) * 6)
    return State(
        mover=CHANCE,
        step="starter" if options.starter is None else "deal",
        queue=(),
        merchants=(merchant,) * players,
        round=1,
        starter=options.starter or 0,
        order=clockwise(players, options.starter or 0),
        actions=(),
        lucky=None,
        dutchman=options.chart.holland,
        came_from=None,
        stones=(FIRST_CHEST,) * len(COLOURS),
        counter=box.counter,
        pile=(),
        put_by=(),
        middle_heap=0,
        middle_known_heap=0,
        out=(),
        revealed=(),
        bargain=None,
        rolls=(),
        happened=(),
        sea=sea,
        options=options,
    )


def clockwise(players: int, first: int) -> tuple[int, ...]:
    """Return all seats, clockwise from ``first``."""
    return tuple((first + place) % players for place in range(players))
