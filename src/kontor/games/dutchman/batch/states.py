"""Conversion between a row of numbers and the state of the rules engine."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import Final

from kontor.batch.arrays import GameRow
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.batch import layout
from kontor.games.dutchman.batch.layout import LAYOUT, NONE, PILE, SILVERS
from kontor.games.dutchman.rules import Options, State
from kontor.games.dutchman.rules.bargain import Bargain, Proposal
from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import COLOURS, MOST_SILVER, PLACE_OF, Colour, Horseshoes
from kontor.games.dutchman.rules.horseshoes import ONE, SILVER_OF, Heap, laid, written
from kontor.games.dutchman.rules.state import (
    Agreed,
    Bankrupt,
    Earned,
    Happening,
    Lain,
    Merchant,
    Paid,
    Revealed,
    RolledFor,
    Sailed,
    Shared,
    Undecided,
)

_CHANCES: Final = ("starter", "deal", "lucky", "share", "rolling", "shuffle")


@lru_cache(maxsize=64)
def field_names(options: Options) -> tuple[str, ...]:
    """Return the names of the fields of the chart, in their order."""
    return tuple(field.name for field in options.chart.fields)


@lru_cache(maxsize=64)
def places_of(options: Options) -> dict[str | None, int]:
    """Return the number of each field of the chart, by name; NONE for None."""
    return {None: NONE, **{name: place for place, name in enumerate(field_names(options))}}


# ---------------------------------------------------------------------------------------------------- reading


class _Reader:
    """Access to a row by the names of its fields."""

    __slots__ = ("fields", "held")

    def __init__(self, row: GameRow, options: Options) -> None:
        self.held = LAYOUT.numbers(row)
        self.fields = field_names(options)

    def one(self, name: str) -> int:
        """Return a field that is a single number."""
        number: int = self.held[name]
        return number

    def at(self, name: str, place: int) -> int:
        """Return one number of a field."""
        number: int = self.held[name][place]
        return number

    def part(self, name: str, place: int) -> tuple[int, ...]:
        """Return one row of a field's numbers."""
        return tuple(self.held[name][place])

    def first(self, name: str, many: int) -> tuple[int, ...]:
        """Return the first ``many`` numbers of a field."""
        return tuple(self.held[name][:many])

    def heap(self, name: str) -> Heap:
        """Return a heap of horseshoes."""
        return _heap(self.one(f"{name}_gold"), tuple(self.held[f"{name}_silver"]))

    def heap_at(self, name: str, place: int) -> Heap:
        """Return one of several heaps of horseshoes."""
        return _heap(self.at(f"{name}_gold", place), self.part(f"{name}_silver", place))

    def field(self, name: str) -> str:
        """Return the name of the field of the chart that a field of the row holds."""
        return self.fields[self.one(name)]


@lru_cache(maxsize=1 << 14)
def _heap(gold: int, silver: tuple[int, ...]) -> Heap:
    coarse = sum(count * ONE[kind] for count, kind in zip(silver, SILVERS, strict=True))
    return gold * ONE[MOST_SILVER + 1] + coarse


def read(row: GameRow, options: Options) -> State:
    """Return the state that a row holds."""
    held = _Reader(row, options)
    one = held.one
    step = layout.STEPS[one("step")]
    players = one("players")
    queued = one("queued")
    queue = held.first("queue", queued)[queued - one("waiting") :]
    in_pile, top = one("in_pile"), one("top")
    around = [(top + place) % PILE for place in range(in_pile)]
    return State(
        mover=OVER if step == "over" else CHANCE if step in _CHANCES else queue[0],
        step=step,
        queue=queue,
        merchants=tuple([_merchant(held, seat) for seat in range(players)]),
        round=one("round"),
        starter=held.at("order", 0),
        order=held.first("order", one("in_order")),
        actions=tuple([layout.ACTIONS[action] for action in held.first("actions", one("acted"))]),
        lucky=one("lucky") or None,
        dutchman=held.field("dutchman"),
        came_from=None if one("came_from") == NONE else held.field("came_from"),
        stones=held.first("stones", len(COLOURS)),
        counter=one("counter"),
        pile=tuple([COLOURS[held.at("pile", place)] for place in around]),
        put_by=tuple([_or_none(held.at("put_by", place)) for place in around]),
        middle_heap=held.heap("middle"),
        middle_known_heap=held.heap("middle_known"),
        out=written(held.heap("out")),
        revealed=_read_reveals(held),
        bargain=_bargain(held) if one("bargaining") else None,
        rolls=_rolls(held, one("rolls")),
        happened=_read_happenings(held, queue, players),
        sea=sea_of(options.chart),
        options=options,
    )


def _or_none(number: int) -> int | None:
    return None if number == NONE else number


def _merchant(held: _Reader, seat: int) -> Merchant:
    rack = held.heap_at("rack", seat)
    gold = written(rack)[: (rack >> _GOLD_FROM).bit_count()]
    return Merchant(
        cash=held.at("cash", seat),
        kontor=held.at("kontor", seat),
        smith=held.at("smith", seat),
        shares=_hand(held.part("shares", seat)),
        gold=gold,
        silver=SILVER_OF[rack & (ONE[MOST_SILVER + 1] - 1)],
        laid=laid(written(held.heap_at("lay", seat))) if held.at("laid", seat) else None,
        at_least=held.part("at_least", seat),
        at_most=held.part("at_most", seat),
        known_heap=held.heap_at("known", seat),
        bankrupt=held.at("bankrupt", seat),
    )


_GOLD_FROM: Final = (ONE[MOST_SILVER + 1] - 1).bit_length()


@lru_cache(maxsize=1 << 12)
def _hand(counts: tuple[int, ...]) -> tuple[Colour, ...]:
    return tuple(colour for colour, count in zip(COLOURS, counts, strict=True) for _ in range(count))


def _rolls(held: _Reader, many: int) -> tuple[tuple[int, int], ...]:
    return tuple(zip(held.first("rolled_seat", many), held.first("rolled", many), strict=True))


def _read_reveals(held: _Reader) -> tuple[Revealed, ...]:
    lays = held.one("lays")
    lain_in = held.first("lain_in", lays)
    return tuple(
        [
            Revealed(
                tuple([_read_lay(held, lay) for lay in range(lays) if lain_in[lay] == reveal]),
                tuple([seat for seat in held.first("order", held.one("in_order")) if nearest >> seat & 1]),
            )
            for reveal, nearest in enumerate(held.first("nearest", held.one("reveals")))
        ]
    )


def _read_lay(held: _Reader, lay: int) -> Lain:
    gold = held.at("lain_gold", lay)
    heap = _heap(1 << (gold - 1) if gold else 0, held.part("lain_silver", lay))
    return Lain(held.at("lain_seat", lay), written(heap), held.at("reading", lay))


def _bargain(held: _Reader) -> Bargain:
    tied = held.first("tied", held.one("tie"))
    bargain = Bargain(
        tied=tied,
        named=tuple([held.fields[place] for place in held.first("named", held.one("names"))]),
        circle=held.one("circle"),
        asked=held.one("asked"),
    )
    if not held.one("proposed"):
        return bargain
    answering = bargain.answering
    return Bargain(
        tied=tied,
        named=bargain.named,
        circle=bargain.circle,
        asked=bargain.asked,
        proposal=Proposal(bargain.proposer, held.field("proposed_to"), held.first("ducats", len(tied))),
        accepted=answering[: held.one("accepted")],
    )


def _read_happenings(held: _Reader, queue: tuple[int, ...], players: int) -> tuple[Happening, ...]:
    bits = held.one("happened")
    if not bits:
        return ()
    happenings: list[Happening] = []
    if bits & layout.SHARED:
        smith = layout.ACTIONS.index("smith")
        actions = held.first("actions", held.one("acted"))
        order = held.first("order", len(actions))
        smiths = tuple([seat for seat, action in zip(order, actions, strict=True) if action == smith])
        happenings.append(Shared(smiths, held.one("shared_each"), held.one("shared_left")))
    if bits & layout.REVEALED:
        happenings.append(_read_reveals(held)[-1])
    if bits & layout.ROLLED_FOR:
        happenings.append(RolledFor(_rolls(held, held.one("rolled_for")), queue))
    tied = held.first("tied", held.one("tie"))
    if bits & layout.UNDECIDED:
        happenings.append(Undecided(tied))
    if bits & layout.AGREED:
        happenings.append(Agreed(tied, held.first("agreed", len(tied))))
    if bits & layout.SAILED:
        movers = held.first("movers", held.one("moving"))
        happenings.append(Sailed(held.field("came_from"), held.field("dutchman"), movers))
    if bits & layout.PAID:
        colour = COLOURS[held.at("ship", held.one("dutchman"))]
        happenings.append(Paid(colour, held.one("value"), held.first("held", players), held.first("paid", players)))
    if bits & layout.BANKRUPT:
        happenings.append(Bankrupt(tuple([seat for seat in range(players) if held.one("broke") >> seat & 1])))
    if bits & layout.EARNED:
        happenings.append(Earned(held.one("earner"), held.one("earned")))
    return tuple(happenings)


# ---------------------------------------------------------------------------------------------------- writing


def write(state: State) -> GameRow:
    """Return the row that holds a state; unused numbers of its fields are 0.

    Raises BadOptions for options that kernels cannot play.
    """
    options = state.options
    places = places_of(options)
    held: dict[str, Iterable[int]] = {**layout.of_options(options)}
    held["step"] = [layout.STEPS.index(state.step)]
    held["waiting"] = held["queued"] = [len(state.queue)]
    held["queue"] = state.queue
    _write_merchants(held, state.merchants)
    held["round"] = [state.round]
    held["order"] = state.order
    held["in_order"] = [len(state.order)]
    held["actions"] = [layout.ACTIONS.index(action) for action in state.actions]
    held["acted"] = [len(state.actions)]
    held["lucky"] = [state.lucky or 0]
    held["dutchman"] = [places[state.dutchman]]
    held["came_from"] = [places[state.came_from]]
    held["stones"] = state.stones
    held["counter"] = [state.counter]
    held["in_pile"] = [len(state.pile)]
    held["pile"] = [PLACE_OF[share] for share in state.pile]
    held["put_by"] = [NONE if seat is None else seat for seat in state.put_by]
    for name, heap in (("middle", state.middle), ("middle_known", state.middle_known), ("out", state.out)):
        held[f"{name}_gold"] = [_gold(heap)]
        held[f"{name}_silver"] = silver_counts(heap)
    lays = [(number, lain) for number, revealed in enumerate(state.revealed) for lain in revealed.lays]
    held["reveals"] = [len(state.revealed)]
    held["nearest"] = [sum(1 << seat for seat in revealed.nearest) for revealed in state.revealed]
    held["lays"] = [len(lays)]
    held["lain_in"] = [number for number, _ in lays]
    held["lain_seat"] = [lain.seat for _, lain in lays]
    held["lain_gold"] = [_gold(lain.horseshoes).bit_length() for _, lain in lays]
    held["lain_silver"] = chain.from_iterable(silver_counts(lain.horseshoes) for _, lain in lays)
    held["reading"] = [lain.reading for _, lain in lays]
    held["rolls"] = [len(state.rolls)]
    held["rolled_seat"] = [seat for seat, _ in state.rolls]
    held["rolled"] = [total for _, total in state.rolls]
    if state.bargain:
        _write_bargain(held, state.bargain, places)
    for happening in state.happened:
        _write_happening(held, happening)
    return LAYOUT.row(held)


def _gold(horseshoes: Horseshoes) -> int:
    return sum(1 << (horseshoe - MOST_SILVER - 1) for horseshoe in horseshoes if horseshoe > MOST_SILVER)


def silver_counts(horseshoes: Horseshoes) -> list[int]:
    """Return the number of silver horseshoes of each kind."""
    return [horseshoes.count(kind) for kind in SILVERS]


def _write_merchants(held: dict[str, Iterable[int]], merchants: tuple[Merchant, ...]) -> None:
    held["cash"] = [merchant.cash for merchant in merchants]
    held["kontor"] = [merchant.kontor for merchant in merchants]
    held["smith"] = [merchant.smith for merchant in merchants]
    held["shares"] = [merchant.shares.count(colour) for merchant in merchants for colour in COLOURS]
    held["laid"] = [int(merchant.laid is not None) for merchant in merchants]
    held["at_least"] = chain.from_iterable(merchant.at_least for merchant in merchants)
    held["at_most"] = chain.from_iterable(merchant.at_most for merchant in merchants)
    held["bankrupt"] = [merchant.bankrupt for merchant in merchants]
    heaps = {
        "rack": [merchant.rack for merchant in merchants],
        "lay": [merchant.lay or () for merchant in merchants],
        "known": [merchant.known for merchant in merchants],
    }
    for name, several in heaps.items():
        held[f"{name}_gold"] = [_gold(heap) for heap in several]
        held[f"{name}_silver"] = chain.from_iterable([silver_counts(heap) for heap in several])


def _write_bargain(held: dict[str, Iterable[int]], bargain: Bargain, places: dict[str | None, int]) -> None:
    held["bargaining"] = [1]
    held["tied"] = bargain.tied
    held["tie"] = [len(bargain.tied)]
    held["named"] = [places[name] for name in bargain.named]
    held["names"] = [len(bargain.named)]
    held["circle"] = [bargain.circle]
    held["asked"] = [bargain.asked]
    if bargain.proposal:
        held["proposed"] = [1]
        held["proposed_to"] = [places[bargain.proposal.to]]
        held["ducats"] = bargain.proposal.ducats
        held["accepted"] = [len(bargain.accepted)]


def _write_happening(held: dict[str, Iterable[int]], happening: Happening) -> None:
    match happening:
        case Shared(_, each, left):
            bit, fields = layout.SHARED, {"shared_each": [each], "shared_left": [left]}
        case Revealed():
            bit, fields = layout.REVEALED, {}
        case RolledFor(rolls):
            seats, totals = [seat for seat, _ in rolls], [total for _, total in rolls]
            bit, fields = layout.ROLLED_FOR, {"rolled_for": [len(rolls)], "rolled_seat": seats, "rolled": totals}
        case Undecided():
            bit, fields = layout.UNDECIDED, {}
        case Agreed(tied, ducats):
            bit, fields = layout.AGREED, {"tied": [*tied], "tie": [len(tied)], "agreed": [*ducats]}
        case Sailed(by=by):
            bit, fields = layout.SAILED, {"movers": [*by], "moving": [len(by)]}
        case Paid(_, value, shares, paid):
            bit, fields = layout.PAID, {"value": [value], "held": [*shares], "paid": [*paid]}
        case Bankrupt(seats=broke):
            bit, fields = layout.BANKRUPT, {"broke": [sum(1 << seat for seat in broke)]}
        case Earned(seat, ducats=earned):
            bit, fields = layout.EARNED, {"earner": [seat], "earned": [earned]}
    held.update(fields)
    held["happened"] = [sum(held.get("happened", ())) | bit]
