"""Random games of Der fliegende Holländer, and what must always hold in them.

A *voyage* is a random game. Uniformly drawn moves rarely lead to accepted bargains, bankruptcies or long deciding
rounds; so every seat has a *style*, which prefers some moves without excluding the others for long.

The checks here (``check_state``, ``check_step``, ``Bystander``, ``is_allowed``) are written from the rules alone.
They use the engine's types and none of its functions, and have their own list of what is in the box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod
from random import Random
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec
from hypothesis import strategies as st
from msgspec.structs import replace

from kontor.game import CHANCE, OVER, Event
from kontor.games.dutchman.rules import DUTCHMAN, Move, Options, State
from kontor.games.dutchman.rules.chart import OURS, BadChart, Chart, Field, sea_of
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Check,
    Checked,
    Deal,
    Decline,
    Dice,
    Earned,
    Keep,
    Kontor,
    Lay,
    Name,
    Paid,
    Pass,
    Propose,
    Put,
    Revealed,
    RolledFor,
    Sail,
    Sailed,
    Share,
    Shared,
    Show,
    Shuffle,
    Smith,
    Starter,
    Undecided,
    Waive,
    Withhold,
)
from kontor.games.dutchman.rules.view import Dealt, Drawn, FaceDown, Got, PutBack, Shuffled, View

GOLD: Final = range(21, 49)
BOX: Final = Counter({**dict.fromkeys(GOLD, 1), 1: 13, 2: 3, 10: 13, 20: 3})
"""The 60 horseshoes (H1)."""
VALUES: Final = (0, 2, 3, 4, 5, 6, 7, 9, 11, 13, 15, 18)
"""The values of the chests (H2)."""
TENS: Final = (20, 20, 30, 30, 40, 40)
ONES: Final = (1, 3, 5, 5, 7, 9)
ROUNDS: Final = 19
"""Ten ships end the game (H2), and after an island there is always a ship (H3); the first field met is one."""

CHANCES: Final = ("starter", "deal", "lucky", "share", "rolling", "shuffle", "reshuffle")
"""The steps of chance; in all others but ``over`` a seat is to move."""


# ------------------------------------------------------------------------------------------------- charts


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

# ------------------------------------------------------------------------------------------------- styles


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


# ------------------------------------------------------------------------------------------------ voyages


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
    """Yield the whole game, leg by leg."""
    random = Random(table.seed)
    state = embark(table)
    while state.mover != OVER:
        before = state
        if state.mover == CHANCE:
            action = DUTCHMAN.chance(state).draw(random.randrange)
        else:
            action = choice(state, STYLES[table.styles[state.mover]], random)
        state = DUTCHMAN.play(state, action)
        yield Leg(before, action, state)


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


# ----------------------------------------------------------------------------------- the rules, a second time


def best_reading(lay: Iterable[int], lucky: int) -> int:
    """Return the best reading (H7)."""
    sums = {0}
    for horseshoe in lay:
        sums = {total + horseshoe for total in sums} | {total - horseshoe for total in sums if horseshoe not in GOLD}
    return max((total for total in sums if 0 < total <= lucky), default=0)


def neighbours(chart: Chart, field: str) -> set[str]:
    """Return the neighbours of a field (H3)."""
    lines = (*chart.short, *chart.long)
    return {one if other == field else other for one, other in lines if field in (one, other)}


def ways_ahead(state: State) -> set[str]:
    """Return the fields to which the Dutchman may sail (H8)."""
    return neighbours(state.options.chart, state.dutchman) - {state.came_from}


def ship_on(chart: Chart, field: str) -> Colour | None:
    """Return the colour of the ship on a field; None for an island."""
    return next(place.colour for place in chart.fields if place.name == field)


def seats_clockwise(state: State) -> list[int]:
    """Return the seats still in the game, clockwise from the starter (H6)."""
    seats = len(state.merchants)
    order = [(state.starter + place) % seats for place in range(seats)]
    return [seat for seat in order if not state.merchants[seat].bankrupt]


def is_allowed(state: State, move: object) -> bool:
    """Return True if a move is legal: slowly, one rule after the other."""
    if state.mover < 0:
        return False
    own = state.merchants[state.mover]
    ahead = ways_ahead(state)
    match state.step, move:
        case "action", Kontor():
            return own.kontor > 0
        case "action", Smith():
            return own.smith > 0
        case "action", Pass():
            return len(own.rack) < 5
        case (("action" | "again"), Lay(horseshoes=horseshoes)):
            return (
                len(horseshoes) > 0
                and Counter(horseshoes) <= Counter(own.rack)
                and sum(horseshoe in GOLD for horseshoe in horseshoes) <= 1
                and list(horseshoes) == sorted(horseshoes, reverse=True)
            )
        case "again", Pass():
            return True
        case "put", Put(shares=shares):
            return (
                len(shares) == 2
                and Counter(shares) <= Counter(own.shares)
                and list(shares) == sorted(shares, key=COLOURS.index)
            )
        case ("sail", Sail(to=to)) | ("name", Name(to=to)):
            return to in ahead
        case "propose", Propose(to=to, ducats=ducats):
            assert state.bargain is not None
            purses = [state.merchants[seat].cash for seat in state.bargain.tied]
            return (
                to in ahead
                and len(ducats) == len(purses)
                and sum(ducats) == 0
                and all(purse + got >= 0 for purse, got in zip(purses, ducats, strict=True))
            )
        case ("propose", Withhold()) | ("answer", Accept() | Decline()) | ("show", Keep()):
            return True
        case "check", Check() | Waive():
            return True
        case "show", Show(colour=colour):
            return colour in own.shares
        case _:
            return False


def all_moves(state: State) -> set[Move] | None:
    """Return every legal move, found by trying; None where that would take long."""
    if state.mover < 0:
        return set()
    own = state.merchants[state.mover]
    fields = [field.name for field in state.options.chart.fields]
    tries: Iterable[Move] = (Kontor(), Smith(), Pass(), Withhold(), Accept(), Decline(), Keep(), Check(), Waive())
    if state.step in ("action", "again"):
        kinds = sorted(Counter(own.rack).items(), reverse=True)
        gold: list[tuple[int, ...]] = [(), *[(kind,) for kind, _ in kinds if kind in GOLD]]
        numbers = [range(count + 1) for kind, count in kinds if kind not in GOLD]
        if len(gold) * prod(map(len, numbers)) > 600:
            return None
        counts = product(*numbers)
        silver = [kind for kind, _ in kinds if kind not in GOLD]
        tries = [
            *tries,
            *[
                Lay((*one, *[kind for kind, count in zip(silver, many, strict=True) for _ in range(count)]))
                for many in counts
                for one in gold
            ],
        ]
    elif state.step == "put":
        tries = [*tries, *[Put(pair) for pair in product(COLOURS, COLOURS)]]
    elif state.step == "show":
        tries = [*tries, *[Show(colour) for colour in COLOURS]]
    elif state.step in ("sail", "name"):
        tries = [*tries, *[kind(field) for field in fields for kind in (Sail, Name)]]
    elif state.step == "propose":
        assert state.bargain is not None
        purses = [state.merchants[seat].cash for seat in state.bargain.tied]
        total = sum(purses)
        if (total + 1) ** (len(purses) - 1) > 400:
            return None
        divided = [rest for rest in product(range(total + 1), repeat=len(purses) - 1) if sum(rest) <= total]
        tries = [
            *tries,
            *[
                Propose(to, tuple(has - had for has, had in zip((*rest, total - sum(rest)), purses, strict=True)))
                for to in ways_ahead(state)
                for rest in divided
            ],
        ]
    return {move for move in tries if is_allowed(state, move)}


# ------------------------------------------------------------------------------------------- every state


def check_state(state: State) -> None:
    """Check that the box is complete, everything is in order, and all public knowledge is true."""
    merchants, step, table = state.merchants, state.step, DUTCHMAN.view(state, None)
    seats = len(merchants)
    assert seats == state.options.players == len(table.players)
    dealt = step not in ("starter", "deal")

    # Horseshoes and shares (H1, H4).
    heaps = [*[merchant.rack for merchant in merchants], *[merchant.lay or () for merchant in merchants]]
    heaps += [state.middle, state.out]
    assert total(heaps) == (BOX if dealt else Counter())
    assert all(list(heap) == sorted(heap, reverse=True) for heap in heaps)
    hands = [merchant.shares for merchant in merchants]
    assert total([*hands, state.pile]) == (Counter(dict.fromkeys(COLOURS, seats - 1)) if dealt else Counter())
    assert all(list(hand) == sorted(hand, key=COLOURS.index) for hand in hands)
    for seat, merchant in enumerate(merchants):
        held = 0 if merchant.bankrupt or not dealt else 5 if step == "put" and seat == state.mover else 3
        assert len(merchant.shares) == held, f"seat {seat} holds {merchant.shares}"
    assert len(state.put_by) == len(state.pile)
    assert all(by is None or not merchants[by].bankrupt for by in state.put_by)
    if dealt:
        assert len(state.out) == 60 - 10 * seats

    # Ducats and cards.
    for merchant in merchants:
        assert merchant.cash >= 0
        assert 0 <= merchant.kontor <= 3
        assert 0 <= merchant.smith <= 3
        if merchant.bankrupt:
            assert (merchant.cash, merchant.kontor, merchant.smith) == (0, 0, 0)
            assert (merchant.shares, merchant.rack, merchant.lay, merchant.known) == ((), (), None, ())
            assert 1 <= merchant.bankrupt <= state.round

    # Public knowledge is true.
    for merchant in merchants:
        for colour, least, most in zip(COLOURS, merchant.at_least, merchant.at_most, strict=True):
            assert 0 <= least <= most <= min(seats - 1, 5)
            if dealt:
                assert least <= merchant.shares.count(colour) <= most
        assert sum(merchant.at_least) <= max(len(merchant.shares), 0)
        assert Counter(merchant.known) <= Counter(merchant.rack) + Counter(merchant.lay or ())
        assert list(merchant.known) == sorted(merchant.known, reverse=True)
    assert Counter(state.middle_known) <= Counter(state.middle)
    assert list(state.middle_known) == sorted(state.middle_known, reverse=True)

    # The chests, the chart, the round (H2, H3, H5).
    assert all(1 <= stone <= state.counter <= 11 for stone in state.stones)
    assert 1 <= state.round <= ROUNDS
    assert not merchants[state.starter].bankrupt or step in ("shuffle", "check", "reshuffle", "over")
    chart = state.options.chart
    assert state.came_from is None or state.dutchman in neighbours(chart, state.came_from)
    assert (state.lucky is None) == (step in ("starter", "deal", "lucky"))
    assert state.lucky is None or state.lucky in {tens + ones for tens in TENS for ones in ONES}
    _sound_queue(state)
    _sound_step(state, table)
    _sound_check(state)


def _sound_check(state: State) -> None:
    """Check H11a: cards shown by a check are still on top of the pile, or have been drawn."""
    assert state.step not in ("check", "reshuffle") or state.options.check == "on request"
    if state.inspection is None:
        return
    left = state.put_by.count(None)
    assert left > 0
    assert set(state.put_by[:left]) == {None}
    assert total([state.pile[:left], *state.inspection.drawn]) == Counter(state.inspection.shares)
    assert list(state.inspection.shares) == sorted(state.inspection.shares, key=COLOURS.index)


def total(heaps: Iterable[Iterable[Any]]) -> Counter[Any]:
    """Return how often each thing is in the heaps."""
    return Counter(thing for heap in heaps for thing in heap)


def _sound_queue(state: State) -> None:
    """Check that exactly one is to move, and that the queue starts there and follows the order of play."""
    queue = state.queue
    if state.step == "over":
        assert (state.mover, queue) == (OVER, ())
        return
    order = seats_clockwise(state)
    if state.step in CHANCES:
        assert state.mover == CHANCE
        assert (len(queue) > 0) == (state.step == "rolling")
    else:
        assert state.mover >= 0
        assert queue[0] == state.mover
    assert len(set(queue)) == len(queue)
    assert set(queue) <= set(order), "somebody who is bankrupt is to act"
    if state.step == "answer":
        assert state.bargain is not None
        tied, proposal = state.bargain.tied, state.bargain.proposal
        assert proposal is not None
        at = tied.index(proposal.by)
        assert (*state.bargain.accepted, *queue) == (*tied[at + 1 :], *tied[:at])
    elif state.step == "check":
        assert state.options.check == "on request"
        seats = len(state.merchants)
        next_round = [(state.starter + place) % seats for place in range(1, seats + 1)]
        next_round = [seat for seat in next_round if not state.merchants[seat].bankrupt]
        assert list(queue) == next_round[-len(queue) :]
    else:
        assert [seat for seat in order if seat in queue] == list(queue)


def _sound_step(state: State, table: View) -> None:
    """Check which things are on the table in this step, and which are not."""
    step, order, bargain = state.step, seats_clockwise(state), state.bargain
    acted = [seat for seat in order if table.players[seat].action is not None]
    laid = [seat for seat, merchant in enumerate(state.merchants) if merchant.lay is not None]
    if step in ("starter", "deal", "lucky"):
        assert (acted, laid, state.revealed, state.rolls, bargain) == ([], [], (), (), None)
        return
    if step in ("action", "put"):
        due = order.index(state.mover)
        assert list(state.queue) == order[due:]
        assert acted == order[: due + (step == "put")]
        assert step == "action" or table.players[state.mover].action == "kontor"
    elif step not in ("shuffle", "over"):
        assert acted == order
    if step in ("action", "put", "share"):
        assert laid == [seat for seat in range(len(table.players)) if table.players[seat].action == "lay"]
        assert (state.revealed, state.rolls, bargain) == ((), (), None)
    elif step == "again":
        assert bargain is not None
        assert set(laid) <= set(bargain.tied) - set(state.queue)
    else:
        assert laid == []
    if step == "share":
        smiths = [seat for seat in order if table.players[seat].action == "smith"]
        assert 2 <= len(smiths) <= len(state.middle)
    if step in ("name", "propose", "answer", "again"):
        assert bargain is not None
        tied = bargain.tied
        assert len(tied) >= 2
        assert tied == state.revealed[-1].nearest
        assert [seat for seat in order if seat in tied] == list(tied)
        assert len(bargain.named) == (len(tied) - len(state.queue) if step == "name" else len(tied))
        assert step in ("name", "again") or 1 <= bargain.circle <= state.options.circles
        assert (bargain.proposal is not None) == (step == "answer")
        assert step == "answer" or state.queue == tied[-len(state.queue) :]
    else:
        assert bargain is None
    if step in ("show", "shuffle", "check", "reshuffle", "over"):
        assert (ship_on(state.options.chart, state.dutchman) is None) == (step == "show")
    if step == "rolling":
        assert {seat for seat, _ in state.rolls} & set(state.queue) == set()
    if step == "sail":
        highest = [roll for _, roll in state.rolls]
        nearest = [seat for seat, roll in state.rolls if roll == max(highest)] or list(state.revealed[-1].nearest)
        assert [state.mover] == nearest == list(state.queue)
    # All lays of this round lie in the middle until the next.
    revealed_shoes = total(lain.horseshoes for revealed in state.revealed for lain in revealed.lays)
    assert revealed_shoes <= Counter(state.middle_known)
    assert (step == "over") == (
        state.counter == 11 or sum(not merchant.bankrupt for merchant in state.merchants) <= 1
    )


# ------------------------------------------------------------------------------------------- every step


def check_step(leg: Leg) -> None:
    """Check all changes of a step against its action and its events, by separate bookkeeping."""
    _ducats(leg)
    _cards(leg)
    _shares(leg)
    _horseshoes(leg)
    _course(leg)


def _ducats(leg: Leg) -> None:
    """Check that ducats, with the bank, change hands only by ``Paid``, ``Earned`` and ``Agreed``."""
    before, action, after = leg
    purses = [merchant.cash for merchant in before.merchants]
    gone: tuple[int, ...] = ()
    for happened in after.happened:
        match happened:
            case Agreed(tied=tied, ducats=ducats):
                assert sum(ducats) == 0
                _all_agree(leg)
                bargain = before.bargain
                assert bargain is not None
                assert tied == bargain.tied
                assert ducats == (bargain.proposal.ducats if bargain.proposal else (0,) * len(tied))
                for seat, got in zip(tied, ducats, strict=True):
                    purses[seat] += got
            case Paid(colour=colour, value=value, shares=shares, paid=paid):
                assert value == VALUES[before.stones[COLOURS.index(colour)]]
                assert shares == tuple(merchant.shares.count(colour) for merchant in before.merchants)
                due = [count * value for count in shares]
                assert list(paid) == [min(purse, debt) for purse, debt in zip(purses, due, strict=True)]
                gone = tuple(seat for seat, debt in enumerate(due) if debt > purses[seat])
                purses = [purse - ducats for purse, ducats in zip(purses, paid, strict=True)]
            case Earned(seat=seat, ducats=ducats_earned):
                assert isinstance(action, Show)
                assert seat == before.mover
                assert ducats_earned == VALUES[before.stones[COLOURS.index(action.colour)]]
                purses[seat] += ducats_earned
    assert [merchant.cash for merchant in after.merchants] == purses
    assert all(purses[seat] == 0 for seat in gone)
    ruined = [happened.seats for happened in after.happened if isinstance(happened, Bankrupt)]
    assert ruined == ([gone] if gone else [])
    for seat, merchant in enumerate(after.merchants):
        assert merchant.bankrupt == (before.round if seat in gone else before.merchants[seat].bankrupt)
    assert isinstance(action, Show) == any(isinstance(happened, Earned) for happened in after.happened)


def _all_agree(leg: Leg) -> None:
    """Check H9: all have named the same destination or accepted the same proposal; no majority decides."""
    before, action, after = leg
    bargain = before.bargain
    assert bargain is not None
    (sailed,) = [happened for happened in after.happened if isinstance(happened, Sailed)]
    if bargain.proposal is None:
        assert isinstance(action, Name)
        assert (*bargain.named, action.to) == (sailed.to,) * len(bargain.tied)
    else:
        assert isinstance(action, Accept)
        assert {*bargain.accepted, before.mover, bargain.proposal.by} == set(bargain.tied)
        assert sailed.to == bargain.proposal.to


def _cards(leg: Leg) -> None:
    """Check that Kontor and Smith cards are only played, one at a time, or leave with a bankrupt."""
    before, action, after = leg
    for seat, (was, now) in enumerate(zip(before.merchants, after.merchants, strict=True)):
        kontor = was.kontor - (isinstance(action, Kontor) and seat == before.mover)
        smith = was.smith - (isinstance(action, Smith) and seat == before.mover)
        assert (now.kontor, now.smith) == ((0, 0) if now.bankrupt else (kontor, smith))


def _shares(leg: Leg) -> None:
    before, action, after = leg
    hands = [Counter(merchant.shares) for merchant in before.merchants]
    pile, put_by = before.pile, before.put_by
    mover = before.mover
    match action:
        case Deal():
            hands, pile = [Counter(hand) for hand in action.hands], action.pile
            put_by = (None,) * len(pile)
        case Kontor():
            hands[mover] += Counter(pile[:2])
            pile, put_by = pile[2:], put_by[2:]
        case Put(shares=shares):
            hands[mover] -= Counter(shares)
            pile, put_by = pile + shares, (*put_by, mover, mover)
        case Check():
            pile, put_by = tuple(sorted(pile, key=COLOURS.index)), (None,) * len(pile)
            assert after.happened == (Checked(pile),)
        case Shuffle():
            assert Counter(action.pile) == Counter(pile)
            pile = action.pile
    gone = [seat for happened in after.happened if isinstance(happened, Bankrupt) for seat in happened.seats]
    if gone:
        assert Counter(after.pile) == total([pile, *[hands[seat].elements() for seat in gone]])
        put_by = (None,) * len(after.pile)
        hands = [Counter() if seat in gone else hand for seat, hand in enumerate(hands)]
    else:
        assert after.pile == pile
    assert [Counter(merchant.shares) for merchant in after.merchants] == hands
    assert after.put_by == put_by


def _horseshoes(leg: Leg) -> None:
    before, action, after = leg
    racks = [Counter(merchant.rack) for merchant in before.merchants]
    lays = [None if merchant.lay is None else Counter(merchant.lay) for merchant in before.merchants]
    middle, out = Counter(before.middle), Counter(before.out)
    mover = before.mover
    match action:
        case Deal():
            racks, middle, out = [Counter(rack) for rack in action.racks], Counter(action.middle), Counter(action.out)
        case Lay(horseshoes=horseshoes):
            assert lays[mover] is None
            racks[mover] -= Counter(horseshoes)
            lays[mover] = Counter(horseshoes)
    for happened in after.happened:
        match happened:
            case Shared(smiths=smiths, each=each, left=left):
                table = DUTCHMAN.view(before, None)
                chosen = {seat: table.players[seat].action for seat in range(len(racks))}
                if isinstance(action, Smith):
                    chosen[mover] = "smith"
                assert list(smiths) == [seat for seat in seats_clockwise(before) if chosen[seat] == "smith"]
                assert (each, left) == divmod(middle.total(), len(smiths))
                parts = action.parts if isinstance(action, Share) else (tuple(middle.elements()),)
                for seat, part in zip(smiths, parts, strict=True):
                    assert len(part) == each
                    racks[seat] += Counter(part)
                    middle -= Counter(part)
            case Revealed(lays=revealed, nearest=nearest):
                assert before.lucky is not None
                assert [lain.seat for lain in revealed] == [
                    seat for seat in seats_clockwise(before) if lays[seat] is not None
                ]
                for lain in revealed:
                    assert Counter(lain.horseshoes) == lays[lain.seat]
                    assert lain.reading == best_reading(lain.horseshoes, before.lucky)
                    middle += Counter(lain.horseshoes)
                    lays[lain.seat] = None
                best = max(lain.reading for lain in revealed)
                assert list(nearest) == [lain.seat for lain in revealed if lain.reading == best]
            case Bankrupt(seats=seats):
                for seat in seats:
                    middle += racks[seat]
                    racks[seat] = Counter()
    assert [Counter(merchant.rack) for merchant in after.merchants] == racks
    assert [None if merchant.lay is None else Counter(merchant.lay) for merchant in after.merchants] == lays
    assert (Counter(after.middle), Counter(after.out)) == (middle, out)


def _course(leg: Leg) -> None:
    """Check the Dutchman, the stones, the counter and the rounds."""
    before, action, after = leg
    stones, counter, dutchman, came_from = list(before.stones), before.counter, before.dutchman, before.came_from
    for happened in after.happened:
        match happened:
            case Sailed(start=start, to=to, by=by):
                assert start == dutchman
                assert to in neighbours(before.options.chart, start) - {came_from}
                assert by == (before.bargain.tied if before.bargain else (before.mover,))
                assert before.bargain or action == Sail(to)
                dutchman, came_from = to, start
                colour = ship_on(before.options.chart, to)
                assert (colour is not None) == any(isinstance(other, Paid) for other in after.happened)
            case Paid(colour=colour):
                assert colour == ship_on(before.options.chart, dutchman)
                counter += 1
                stones = [stone + 1 for stone in stones]
                stones[COLOURS.index(colour)] = 1  # without a number, and one on
    assert (list(after.stones), after.counter) == (stones, counter)
    assert (after.dutchman, after.came_from) == (dutchman, came_from)
    assert after.options == before.options
    assert after.sea is before.sea
    if after.round == before.round:
        assert after.starter == before.starter or before.step == "starter"
    else:
        assert after.round == before.round + 1
        assert after.step == "lucky"
        seats = len(after.merchants)
        others = [(before.starter + place) % seats for place in range(1, seats + 1)]
        assert after.starter == next(seat for seat in others if not after.merchants[seat].bankrupt)


def outcome_of(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the points of each seat, and the winners (H13)."""
    points = []
    for merchant in state.merchants:
        shares = [VALUES[state.stones[COLOURS.index(share)]] for share in merchant.shares]
        points.append(merchant.cash + sum(shares))
    lasted = {seat: merchant.bankrupt or 1000 for seat, merchant in enumerate(state.merchants)}
    last = [seat for seat in lasted if lasted[seat] == max(lasted.values())]
    richest = max(points[seat] for seat in last)
    return tuple(points), tuple(seat for seat in last if points[seat] == richest)


# --------------------------------------------------------------------------------------------- a bystander


class Bystander:
    """A spectator who sees and hears all that is public, and remembers every conclusion.

    It knows only the events that a spectator gets; so nothing that it agrees with is a secret.
    """

    def __init__(self, options: Options, cash: int) -> None:
        seats = options.players
        self.chart = options.chart
        self.cash = [cash] * seats
        self.kontor = [3] * seats
        self.smith = [3] * seats
        self.shares = [0] * seats
        self.racks = [0] * seats
        self.laid: list[int | None] = [None] * seats
        self.actions: list[str | None] = [None] * seats
        self.least = [[0] * 6 for _ in range(seats)]
        self.most = [[min(3, seats - 1)] * 6 for _ in range(seats)]
        self.known_shoes: list[Counter[int]] = [Counter() for _ in range(seats)]
        self.bankrupt = [0] * seats
        self.round = 1
        self.starter = options.starter or 0
        self.lucky: int | None = None
        self.dutchman = options.chart.holland
        self.came_from: str | None = None
        self.stones = [1] * 6
        self.counter = 1
        self.put_by: list[int | None] = []
        self.middle = 0
        self.middle_known: Counter[int] = Counter()
        self.out = 0
        self.revealed: list[Revealed] = []
        self.rolls: list[tuple[int, int]] = []
        self.rolling: list[int] = []
        self.sailed = False
        self.showing = 0
        self.may_check = options.check == "on request"
        self.asking = 0
        """The number of seats that may still ask for the check."""
        self.checking = False
        self.checked: tuple[Colour, ...] | None = None
        self.drawn = [0] * seats
        """The number of cards drawn among those that the check showed."""
        self.seats = self.order()
        """The order of play of the round."""
        self.in_round = True
        """True if lays and passes are actions of the round itself."""
        self._passed = 0
        """The number of passes in the deciding round."""

    def order(self) -> list[int]:
        seats = len(self.cash)
        around = [(self.starter + place) % seats for place in range(seats)]
        return [seat for seat in around if not self.bankrupt[seat]]

    def take_in(self, event: Event) -> None:
        """Take in one step."""
        self._sees(event.seat, event.action)
        for happened in event.happened:
            self._notes(happened)
        ended = self.counter == 11 or len(self.order()) <= 1
        match event.action:
            case Show() | Keep():
                self.showing -= 1
                if not self.showing:
                    self._next_round()
            case Shuffled() if self.checking:
                self.checking = False
                self._next_round()
            case Shuffled():
                self._after_ship()
            case Waive():
                self.asking -= 1
                if not self.asking:
                    self._next_round()
            case Check():
                self.asking, self.checking = 0, True
            case _:
                sailed = [happened for happened in event.happened if isinstance(happened, Sailed)]
                bankrupt = any(isinstance(happened, Bankrupt) for happened in event.happened)
                if sailed and ship_on(self.chart, sailed[0].to) and not bankrupt and not ended:
                    self._after_ship()
        # H10, H10b: nobody laid, and it is not yet decided.
        if self._nobody_laid():
            self.rolling = self.order() if self.in_round else list(self.revealed[-1].nearest)
            self.rolls = []

    def _after_ship(self) -> None:
        if self.may_check:
            self.asking = len(self.order())
        else:
            self._next_round()

    def _nobody_laid(self) -> bool:
        if self.rolling or self.rolls or self.sailed or self.lucky is None:
            return False
        if self.in_round:
            order = self.order()
            smiths = [seat for seat in order if self.actions[seat] == "smith"]
            waiting = None in [self.actions[seat] for seat in order] or max(self.shares) == 5
            sharing = 1 < len(smiths) <= self.middle
            return not waiting and not sharing and not self.revealed
        return self._passed == len(self.revealed[-1].nearest)

    def _sees(self, seat: int, action: Any) -> None:
        seats = len(self.cash)
        match action:
            case Starter():
                self.starter = action.seat
                self.seats = self.order()
            case Dealt():
                self.shares, self.racks = [3] * seats, [9] * seats
                self.middle, self.out = seats, 60 - 10 * seats
                self.put_by = [None] * (3 * seats - 6)
            case Dice(tens=tens, ones=ones):
                if self.lucky is None:
                    self.lucky = tens + ones
                else:
                    self.rolls.append((self.rolling.pop(0), tens + ones))
            case Drawn():
                self.actions[seat] = "kontor"
                self.kontor[seat] -= 1
                self.shares[seat] = 5
                self.most[seat] = [min(most + 2, seats - 1) for most in self.most[seat]]
                if self.put_by.count(None) <= 2:
                    self.checked = None
                self.drawn[seat] += 2
                del self.put_by[:2]
            case PutBack():
                self.shares[seat] = 3
                self.least[seat] = [max(least - 2, 0) for least in self.least[seat]]
                self.most[seat] = [min(most, 3) for most in self.most[seat]]
                self.put_by += [seat, seat]
            case Smith():
                self.actions[seat] = "smith"
                self.smith[seat] -= 1
            case FaceDown(count=count):
                self.laid[seat] = count
                self.racks[seat] -= count
                if self.in_round:
                    self.actions[seat] = "lay"
            case Pass():
                if self.in_round:
                    self.actions[seat] = "pass"
                else:
                    self._passed += 1
            case Show(colour=colour):
                place = COLOURS.index(colour)
                self.least[seat][place] = max(1, self.least[seat][place])
            case _:
                assert isinstance(
                    action,
                    Got | Shuffled | Sail | Name | Propose | Withhold | Accept | Decline | Keep | Check | Waive,
                )

    def _notes(self, happened: object) -> None:
        match happened:
            case Shared(smiths=smiths, each=each, left=left):
                for seat in smiths:
                    self.racks[seat] += each
                if len(smiths) == 1:
                    self.known_shoes[smiths[0]] += self.middle_known
                self.middle, self.middle_known = left, Counter()
            case Revealed(lays=lays):
                for lain in lays:
                    self.middle += len(lain.horseshoes)
                    self.middle_known += Counter(lain.horseshoes)
                    self.known_shoes[lain.seat] -= Counter(lain.horseshoes)
                    self.laid[lain.seat] = None
                self.revealed.append(happened)
                self._passed = 0
            case RolledFor(highest=highest):
                if len(highest) > 1:
                    self.rolling, self.rolls = list(highest), []
            case Undecided():
                self.in_round = False
                self._passed = 0
            case Agreed(tied=tied, ducats=ducats):
                for seat, got in zip(tied, ducats, strict=True):
                    self.cash[seat] += got
            case Sailed(to=to, by=by):
                self.came_from, self.dutchman, self.sailed = self.dutchman, to, True
                self.showing = len(by)
            case Paid(colour=colour, shares=shares, paid=paid):
                place = COLOURS.index(colour)
                for seat, (count, ducats_paid) in enumerate(zip(shares, paid, strict=True)):
                    self.cash[seat] -= ducats_paid
                    self.least[seat][place] = self.most[seat][place] = count
                self.stones = [stone + 1 for stone in self.stones]
                self.stones[place] = 1
                self.counter += 1
            case Bankrupt(seats=seats):
                for seat in seats:
                    self.put_by += [None] * self.shares[seat]
                    self.middle += self.racks[seat]
                    self.middle_known += self.known_shoes[seat]
                    self.cash[seat] = self.kontor[seat] = self.smith[seat] = self.shares[seat] = self.racks[seat] = 0
                    self.least[seat], self.most[seat], self.known_shoes[seat] = [0] * 6, [0] * 6, Counter()
                    self.bankrupt[seat] = self.round
                self.put_by = [None] * len(self.put_by)
                self.checked = None
            case Checked(shares=checked):
                self.put_by = [None] * len(self.put_by)
                self.checked, self.drawn = checked, [0] * len(self.cash)
            case Earned(seat=seat, ducats=earned):
                self.cash[seat] += earned

    def _next_round(self) -> None:
        self.round += 1
        self.starter = (self.order()[1:] if self.starter in self.order() else self.order())[0]
        self.lucky, self.sailed, self.in_round, self.rolling = None, False, True, []
        self.seats = self.order()
        self.actions = [None] * len(self.actions)
        self.revealed, self.rolls = [], []

    def agrees_with(self, view: View) -> None:
        """Check that the view, without the seat's own things, holds exactly what all can know."""
        over = view.mover == OVER
        for seat, player in enumerate(view.players):
            assert player.cash == self.cash[seat]
            assert (player.kontor, player.smith) == (self.kontor[seat], self.smith[seat])
            assert (player.shares, player.horseshoes) == (self.shares[seat], self.racks[seat])
            assert player.laid == self.laid[seat]
            assert player.action == self.actions[seat] or (over and self.bankrupt[seat])
            assert (list(player.at_least), list(player.at_most)) == (self.least[seat], self.most[seat])
            assert player.known == tuple(sorted(self.known_shoes[seat].elements(), reverse=True))
            assert player.bankrupt == self.bankrupt[seat]
            assert (player.held is not None) == over
        assert (view.round, view.starter, view.lucky) == (self.round, self.starter, self.lucky)
        assert (view.dutchman, view.came_from) == (self.dutchman, self.came_from)
        assert set(view.ahead) == neighbours(self.chart, self.dutchman) - {self.came_from}
        assert (list(view.stones), view.counter) == (self.stones, self.counter)
        assert list(view.put_by) == self.put_by
        if self.checked is None:
            assert view.inspection is None
        else:
            assert view.inspection is not None
            assert (view.inspection.shares, list(view.inspection.drawn)) == (self.checked, self.drawn)
        assert (view.middle, view.out) == (self.middle, self.out)
        assert view.middle_known == tuple(sorted(self.middle_known.elements(), reverse=True))
        assert list(view.revealed) == self.revealed
        assert list(view.rolls) == self.rolls
        assert (list(view.order), view.order[0]) == (self.seats, self.starter)
