"""Random games of Der fliegende Holländer.

A *voyage* is a random game. Uniformly drawn moves rarely lead to accepted bargains, bankruptcies or long deciding
rounds; so every seat has a *style*, which prefers some moves without excluding the others for long.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from random import Random
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State
from kontor.games.dutchman.rules.chart import OURS, BadChart, Chart, Field, sea_of
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Pass,
    Propose,
    Sail,
    Smith,
    Waive,
    Withhold,
)
from random_steps import game_steps

from .second_rules import GOLD, best_reading, ways_ahead

WHOLE_GAMES: Final = settings(deadline=None, suppress_health_check=list(HealthCheck), print_blob=True)
"""Settings of the tests of random games, which take long to draw."""


def relabelled_chart(seed: int) -> Chart:
    """Return our chart with other names, colours exchanged, the diamond turned, and lines in another order.

    Short and long lines are divided anew.
    """
    random = Random(seed)
    colours = dict(zip(COLOURS, random.sample(COLOURS, len(COLOURS)), strict=True))
    turned = random.randrange(4)
    fields = []
    names = {}
    for number, field in enumerate(random.sample(OURS.fields, len(OURS.fields))):
        row, column = field.at
        for _ in range(turned):
            row, column = column, 4 - row
        names[field.name] = f"{'Insel' if field.colour is None else 'Schiff'} {number}"
        fields.append(Field(names[field.name], (row, column), field.colour and colours[field.colour]))
    lines = [(names[one], names[other])[:: random.choice((1, -1))] for one, other in (*OURS.short, *OURS.long)]
    random.shuffle(lines)
    cut = random.randrange(len(lines) + 1)
    return Chart(
        names[OURS.holland],
        tuple(fields),
        tuple(cast("list[tuple[str, str]]", lines[:cut])),
        tuple(cast("list[tuple[str, str]]", lines[cut:])),
    )


def random_chart(seed: int) -> Chart:
    """Return any valid chart: one to six islands, and lines drawn at random until every field has three."""
    random = Random(seed)
    places = [(row, column) for row, column in product(range(5), range(5)) if (row, column) != (2, 2)]
    while True:
        colours: list[Colour | None] = [*COLOURS * 3, *[None] * random.randint(1, 6)]
        fields = [
            Field(f"{colour or 'isle'} {number}", at, colour)
            for number, (colour, at) in enumerate(zip(colours, random.sample(places, len(colours)), strict=True))
        ]
        lines = _lines(fields, random)
        holland = next(field.name for field in reversed(fields) if field.colour is None)
        cut = random.randrange(len(lines) + 1)
        chart = Chart(holland, tuple(fields), tuple(lines[:cut]), tuple(lines[cut:]))
        try:
            sea_of(chart)
        except BadChart:
            continue
        return chart


def _lines(fields: list[Field], random: Random) -> list[tuple[str, str]]:
    degree = dict.fromkeys([field.name for field in fields], 0)
    lines = []
    pairs = [(one, other) for one, other in combinations(fields, 2) if one.colour != other.colour]
    for one, other in random.sample(pairs, len(pairs)):
        if degree[one.name] < 3 or degree[other.name] < 3:
            lines.append((one.name, other.name))
            degree[one.name] += 1
            degree[other.name] += 1
    return lines


CHARTS: Final = (
    OURS,
    OURS,
    *[relabelled_chart(seed) for seed in range(3)],
    *[random_chart(seed) for seed in range(3)],
)


class Style(NamedTuple):
    """The random preferences of a seat. Numbers are weights, or chances from 0 to 1."""

    kontor: float = 1
    smith: float = 1
    lay: float = 3
    idle: float = 1
    """Weight of passing, where it is allowed."""
    lays: Literal["any", "nearest", "lowest", "all", "over"] = "any"
    again: float = 0.6
    """Chance to lay further horseshoes in a deciding round."""
    agrees: float = 0.5
    """Chance to name the first field ahead, and to accept."""
    proposes: float = 0.6
    ducats: Literal["few", "any"] = "few"
    """Amounts in proposals."""
    islands: float = 0.5
    """Chance to sail to an island rather than to a ship."""
    shows: float = 0.6
    checks: float = 0.15


STYLES: Final[dict[str, Style]] = {
    "any": Style(),
    "steady": Style(lays="nearest", agrees=0.6),
    "rival": Style(kontor=0.3, lays="nearest", agrees=0.05, again=0.9, proposes=0.3),
    "stubborn": Style(kontor=0.1, smith=0.1, lays="lowest", agrees=0, again=0.97, proposes=0.1),
    "bargainer": Style(kontor=0.2, smith=0.3, lays="lowest", agrees=0.85, proposes=0.95),
    "trader": Style(lays="over", agrees=0.7, proposes=0.9, ducats="any"),
    "idle": Style(kontor=3, smith=3, lay=0.05, idle=4, again=0.1),
    "smith": Style(smith=8, lay=2, lays="all"),
    "lavish": Style(kontor=0.1, smith=0.5, lay=8, lays="all", again=1),
    "islander": Style(kontor=2, lays="nearest", agrees=0.8, islands=1, shows=1),
}


def choice(state: State, style: Style, random: Random) -> Move:
    """Return a legal move in this style."""
    legal = DUTCHMAN.moves(state)
    wanted = _choose_wanted(state, legal, style, random)
    if wanted is None or random.random() < 0.02:
        return legal[random.randrange(len(legal))]
    return wanted


def _choose_wanted(state: State, legal: Sequence[Move], style: Style, random: Random) -> Move | None:
    match state.step:
        case "action":
            weights = {Kontor: style.kontor, Smith: style.smith, Pass: style.idle}
            simple = [move for move in legal[:3] if type(move) in weights]
            drawn = random.random() * (style.lay + sum(weights[type(move)] for move in simple))
            for move in simple:
                drawn -= weights[type(move)]
                if drawn < 0:
                    return move
            return _lay(state, legal, style, random) if len(legal) > len(simple) else None
        case "again":
            return _lay(state, legal, style, random) if len(legal) > 1 and random.random() < style.again else Pass()
        case "name":
            return legal[0] if random.random() < style.agrees else None
        case "propose":
            if random.random() >= style.proposes:
                return Withhold()
            return _small_proposal(state, legal, random) if style.ducats == "few" else None
        case "answer":
            return Accept() if random.random() < style.agrees else Decline()
        case "sail":
            island = random.random() < style.islands
            fields = [
                move for move in legal if isinstance(move, Sail) and (state.sea.ship[move.to] is None) == island
            ]
            return random.choice(fields) if fields else None
        case "show":
            return legal[random.randrange(1, len(legal))] if random.random() < style.shows else Keep()
        case "check":
            return Check() if random.random() < style.checks else Waive()
        case _:
            return None


def _lay(state: State, legal: Sequence[Move], style: Style, random: Random) -> Lay | None:
    rack = state.merchants[state.mover].rack
    gold = [horseshoe for horseshoe in rack if horseshoe in GOLD]
    silver = rack[len(gold) :]
    match style.lays:
        case "lowest":
            return Lay(rack[-1:])
        case "over":
            return Lay(rack[:1])
        case "all":
            return Lay((*random.sample(gold, min(1, len(gold))), *silver))
        case "nearest":
            lays = [move for move in _sample(legal, 60, random) if isinstance(move, Lay)]
            return max(lays, key=lambda lay: best_reading(lay.horseshoes, state.lucky or 0), default=None)
        case _:
            return None


def _small_proposal(state: State, legal: Sequence[Move], random: Random) -> Move:
    assert state.bargain is not None
    tied = state.bargain.tied
    payer, taker = random.sample(range(len(tied)), 2)
    ducats = [0] * len(tied)
    ducats[payer] = -min(state.merchants[tied[payer]].cash, random.randrange(4))
    ducats[taker] = -ducats[payer]
    (any_other,) = _sample(legal[1:] if len(legal) < 50 else legal, 1, random)
    to = any_other.to if isinstance(any_other, Propose) else random.choice(sorted(ways_ahead(state)))
    return Propose(to, tuple(ducats))


def _sample(things: Sequence[Move], number: int, random: Random) -> list[Move]:
    """Return ``number`` moves, drawn uniformly; all of them if there are no more."""
    if len(things) <= number:
        return list(things)
    return [things[random.randrange(len(things))] for _ in range(number)]


@dataclass(frozen=True)
class Table:
    """The parameters of a random game: all its steps follow from them."""

    options: Options
    styles: tuple[str, ...]
    """The styles of the seats."""
    cash: int
    """The ducats with which each seat begins; little cash leads to bankruptcies."""
    seed: int


class Leg(NamedTuple):
    """A step of a voyage."""

    before: State
    action: Any
    after: State


def embark(table: Table) -> State:
    """Return the state before the first outcome."""
    state = DUTCHMAN.start(table.options)
    return replace(state, merchants=tuple(replace(merchant, cash=table.cash) for merchant in state.merchants))


def voyage(table: Table) -> Iterator[Leg]:
    random = Random(table.seed)

    def choose(state: State) -> Move:
        return choice(state, STYLES[table.styles[state.mover]], random)

    for step in game_steps(DUTCHMAN, embark(table), random, choose):
        yield Leg(*step)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Draw a table with any options; seats of one style or of several."""
    players = draw(st.integers(3, 6))
    options = Options(
        players=players,
        starter=draw(st.none() | st.integers(0, players - 1)),
        circles=draw(st.integers(0, 5)),
        chart=draw(st.sampled_from(CHARTS)),
        check=draw(st.sampled_from(("never", "on request"))),
    )
    style = st.sampled_from(sorted(STYLES))
    styles = draw(style.map(lambda one: (one,) * players) | st.tuples(*[style] * players))
    return Table(options, styles, draw(st.sampled_from((25, 25, 0, 3, 8, 60))), draw(st.integers(0, 10**6)))


def some_tables(
    number: int, seed: int = 1, checks: tuple[Literal["never", "on request"], ...] = ("never", "on request")
) -> list[Table]:
    """Return a batch that is always the same.

    It has all numbers of players, styles and circles, and much and little cash.
    """
    random = Random(seed)
    names = sorted(STYLES)
    batch = []
    for place in range(number):
        players = 3 + place % 4
        starter = random.choice((None, random.randrange(players)))
        one = names[place % len(names)]
        styles = (one,) * players if place % 3 else tuple(random.choice(names) for _ in range(players))
        options = Options(
            players=players,
            starter=starter,
            circles=place % 6,
            chart=CHARTS[place % len(CHARTS)],
            check=checks[place // 4 % len(checks)],
        )
        batch.append(Table(options, styles, (25, 25, 8, 60, 0, 25, 3)[place % 7], random.randrange(10**6)))
    return batch


def encode_state(state: State) -> bytes:
    """Return all that a state holds, without the prepared chart, which has no JSON."""
    return msgspec.json.encode([getattr(state, name) for name in State.__struct_fields__ if name != "sea"])
