"""Written positions of Der fliegende Holländer: as a round begins, before its lucky number is rolled.

Any later position is described by the moves since then, so that no impossible lay or bargain can be written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Annotated, Any, Final

from msgspec import Meta
from msgspec.structs import replace

from kontor.analysis.adapter import AnalysisAdapter, Belief, BeliefTable, impossible
from kontor.game import Value
from kontor.games.dutchman.players.bargaining import asking_prices
from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.rewinding import rewound
from kontor.games.dutchman.rules.chance import in_order
from kontor.games.dutchman.rules.chart import Sea
from kontor.games.dutchman.rules.components import (
    CARDS,
    COLOURS,
    FIRST_CHEST,
    HORSESHOES,
    LAST_CHEST,
    SHARES,
    Colour,
    Horseshoes,
    shares_in_play,
)
from kontor.games.dutchman.rules.horseshoes import heap_of, highest_first, split
from kontor.games.dutchman.rules.state import Inspection, Merchant, Options, State, clockwise, start
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.rules.view import view as view_of
from kontor.games.dutchman.words import colour, field
from kontor.words import Words

_MOST_ROUNDS: Final = 999
_MOST_DUCATS: Final = 9999
"""Bounds beyond any game."""


SixCounts = Annotated[tuple[int, ...], Meta(min_length=len(COLOURS), max_length=len(COLOURS))]
"""Counts by colour."""


class MerchantSetup(Value, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A merchant of a setup; the fields are those of the state's."""

    cash: int
    kontor: int
    smith: int
    shares: tuple[Colour, ...]
    rack: Horseshoes
    at_least: SixCounts
    at_most: SixCounts
    known: Horseshoes
    bankrupt: int


class Setup(Value, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A position as a round begins. All other horseshoes are out of the game."""

    round: int
    starter: int
    merchants: tuple[MerchantSetup, ...]
    dutchman: str
    came_from: str | None
    stones: SixCounts
    counter: int
    pile: tuple[Colour, ...]
    put_by: tuple[int | None, ...]
    middle: Horseshoes
    middle_known: Horseshoes
    inspection: Inspection | None


def setup_of(state: State) -> Setup | None:
    """Return the setup of a state; None within a round."""
    if state.step != "lucky":
        return None
    return Setup(
        state.round,
        state.starter,
        tuple([_merchant_setup(merchant) for merchant in state.merchants]),
        state.dutchman,
        state.came_from,
        state.stones,
        state.counter,
        state.pile,
        state.put_by,
        state.middle,
        state.middle_known,
        state.inspection,
    )


def _merchant_setup(merchant: Merchant) -> MerchantSetup:
    return MerchantSetup(
        merchant.cash,
        merchant.kontor,
        merchant.smith,
        merchant.shares,
        merchant.rack,
        merchant.at_least,
        merchant.at_most,
        merchant.known,
        merchant.bankrupt,
    )


def state_of(setup: Setup, options: Options) -> State:
    """Return the state of a setup. Raises BadPosition and BadOptions."""
    begun = start(options)
    if len(setup.merchants) != options.players:
        raise impossible("H4")
    if not 1 <= setup.round <= _MOST_ROUNDS:
        raise impossible("H5")
    _check_horseshoes(setup)
    _check_sea(setup, begun.sea)
    for merchant in setup.merchants:
        _check_merchant(setup, merchant)
    _check_shares(setup, options)
    order = tuple(
        seat for seat in clockwise(options.players, max(0, setup.starter)) if not setup.merchants[seat].bankrupt
    )
    if len(order) < 2 or order[0] != setup.starter:
        raise impossible("H5")
    middle, middle_known = heap_of(setup.middle), heap_of(setup.middle_known)
    used = Counter((*setup.middle, *(shoe for merchant in setup.merchants for shoe in merchant.rack)))
    return replace(
        begun,
        step="lucky",
        merchants=tuple([_merchant(merchant) for merchant in setup.merchants]),
        round=setup.round,
        starter=setup.starter,
        order=order,
        dutchman=setup.dutchman,
        came_from=setup.came_from,
        stones=setup.stones,
        counter=setup.counter,
        pile=setup.pile,
        put_by=setup.put_by,
        middle_heap=middle,
        middle_known_heap=middle_known,
        out=highest_first((Counter(HORSESHOES) - used).elements()),
        inspection=setup.inspection,
    )


def _merchant(setup: MerchantSetup) -> Merchant:
    gold, silver = split(setup.rack)
    return Merchant(
        setup.cash,
        setup.kontor,
        setup.smith,
        setup.shares,
        gold,
        silver,
        None,
        setup.at_least,
        setup.at_most,
        heap_of(setup.known),
        setup.bankrupt,
    )


def _check_horseshoes(setup: Setup) -> None:
    heaps = [setup.middle, setup.middle_known]
    for merchant in setup.merchants:
        heaps += [merchant.rack, merchant.known]
        if Counter(merchant.known) - Counter(merchant.rack):
            raise impossible("H6b")
    if any(heap != highest_first(heap) or not set(heap) <= set(HORSESHOES) for heap in heaps):
        raise impossible("H6c")
    if Counter(setup.middle_known) - Counter(setup.middle):
        raise impossible("H6b")
    held = Counter((*setup.middle, *(shoe for merchant in setup.merchants for shoe in merchant.rack)))
    if held - Counter(HORSESHOES):
        raise impossible("H6c")


def _check_sea(setup: Setup, sea: Sea) -> None:
    if setup.came_from not in sea.ahead.get(setup.dutchman, {}):
        raise impossible("H8")
    if not FIRST_CHEST <= setup.counter < LAST_CHEST or any(
        not FIRST_CHEST <= stone <= setup.counter for stone in setup.stones
    ):
        raise impossible("H2")


def _check_merchant(setup: Setup, merchant: MerchantSetup) -> None:
    if merchant.bankrupt:
        empty = MerchantSetup(0, 0, 0, (), (), (0,) * 6, (0,) * 6, (), merchant.bankrupt)
        if merchant != empty or not 0 < merchant.bankrupt < setup.round:
            raise impossible("H11")
        return
    if not 0 <= merchant.cash <= _MOST_DUCATS:
        raise impossible("H11")
    if not (0 <= merchant.kontor <= CARDS and 0 <= merchant.smith <= CARDS):
        raise impossible("H4")
    if len(merchant.shares) != SHARES or merchant.shares != in_order(merchant.shares):
        raise impossible("H4")
    counts = [merchant.shares.count(colour) for colour in COLOURS]
    if any(
        not 0 <= least <= count <= most <= SHARES
        for least, count, most in zip(merchant.at_least, counts, merchant.at_most, strict=True)
    ):
        raise impossible("H11")


def _check_shares(setup: Setup, options: Options) -> None:
    dealt = Counter((*setup.pile, *(share for merchant in setup.merchants for share in merchant.shares)))
    if dealt != Counter(shares_in_play(options.players)):
        raise impossible("H4")
    if len(setup.put_by) != len(setup.pile) or any(
        by is not None and (not 0 <= by < options.players) for by in setup.put_by
    ):
        raise impossible("H6a")
    dealt_on_top = setup.put_by.count(None)
    if any(by is not None for by in setup.put_by[:dealt_on_top]):
        raise impossible("H6a")
    _check_inspection(setup, options, setup.pile[:dealt_on_top])


def _check_inspection(setup: Setup, options: Options, left: tuple[Colour, ...]) -> None:
    """Raise BadPosition unless the shares shown in a check (H11a) are those drawn since and those left."""
    seen = setup.inspection
    if seen is None:
        return
    if (
        not options.may_check
        or len(seen.drawn) != options.players
        or not left
        or any(drawn != in_order(drawn) for drawn in seen.drawn)
        or in_order((*left, *(share for drawn in seen.drawn for share in drawn))) != seen.shares
    ):
        raise impossible("H11a")


# ------------------------------------------------------------------------------------ what a seat can believe (H14)

_DEALS: Final = 24
"""The number of imagined states that show what the others ask for."""

_UNLIKELY: Final = 0.005
"""The probability below which the ends of a distribution are not drawn."""


def beliefs(words: Words, names: Sequence[str], view: View) -> list[BeliefTable]:
    """Return what the view's seat can believe of the others' shares and horseshoes, and each tied player's price."""
    if view.seat is None or view.step in ("starter", "deal"):
        return []
    believed = Beliefs(view)
    others = [
        seat
        for seat, player in enumerate(view.players)
        if seat != view.seat and not player.bankrupt and player.shares
    ]
    tables = [
        BeliefTable(
            "shares",
            words.say("What the others may hold: shares"),
            words.say("How likely each has none, one, two or three shares of a ship, by what this player has seen."),
            tuple(colour(words, which) for which in COLOURS),
            tuple(
                (
                    names[seat],
                    tuple(distribution(words, believed.shares(seat, which)[: SHARES + 1]) for which in COLOURS),
                )
                for seat in others
            ),
        ),
        BeliefTable(
            "horseshoes",
            words.say("What the others may hold: horseshoes"),
            words.say(
                "How many golden and silver horseshoes each may have: the chance of each number, fewest on the "
                "left, and the average."
            ),
            (words.say("golden"), words.say("silver")),
            tuple((names[seat], _horseshoes(words, believed.golden_counts(seat))) for seat in others),
        ),
    ]
    if view.bargain is not None and view.seat in view.bargain.tied:
        tables.append(_bargain_prices(words, names, view, believed))
    return tables


def _horseshoes(words: Words, golden: Sequence[float]) -> tuple[Belief, Belief]:
    """Return the beliefs about golden and silver horseshoes: all that are not golden are silver."""
    beliefs = []
    for likely in (golden, golden[::-1]):
        counts = [count for count, chance in enumerate(likely) if chance >= _UNLIKELY]
        average = words.tenths(sum(count * chance for count, chance in enumerate(likely)))
        first, last = counts[0], counts[-1]
        beliefs.append(distribution(words, likely[first : last + 1], first, average))
    return beliefs[0], beliefs[1]


def distribution(words: Words, likely: Sequence[float], first: int = 0, short: str = "") -> Belief:
    """Return a belief drawn as bars, with the same in words."""
    sentence = "; ".join(
        words.say("{count}: {percent}%", count=first + more, percent=round(100 * chance))
        for more, chance in enumerate(likely)
    )
    return Belief(sentence, tuple(round(chance, 4) for chance in likely), first, short)


def _format_signed(ducats: int) -> str:
    """Return ducats with a sign."""
    return f"{ducats:+d}".replace("-", "\N{MINUS SIGN}")


def _bargain_prices(words: Words, names: Sequence[str], view: View, believed: Beliefs) -> BeliefTable:
    """Return the fewest ducats for which each of the tied agrees to a field (H9).

    Below 0, it is what they would pay for it.
    """
    assert view.bargain is not None
    random = Random(view.round)
    states = [believed.sample(random) for _ in range(_DEALS)]
    prices = {
        seat: [asking_prices(view)]
        if seat == view.seat
        else [asking_prices(view_of(state, seat)) for state in states]
        for seat in view.bargain.tied
    }
    rows = []
    for place, to in enumerate(view.ahead):
        cells = []
        for seat in view.bargain.tied:
            offers = sorted(price[place] for price in prices[seat])
            low, high = (_format_signed(price) for price in (offers[len(offers) // 6], offers[-1 - len(offers) // 6]))
            cells.append(Belief(low if low == high else words.say("{low} to {high}", low=low, high=high)))
        rows.append((field(words, view.options.chart, to), tuple(cells)))
    return BeliefTable(
        "bargain",
        words.say("What an agreement is worth"),
        words.say(
            "The fewest ducats each would agree for; a minus means they would pay. For the others, this player’s "
            "estimate."
        ),
        tuple(names[seat] for seat in view.bargain.tied),
        tuple(rows),
    )


# ------------------------------------------------------------------------------------------ what matters of a view


def essence(view: View) -> tuple[Any, ...]:
    """Return the parts of a view that matter for a move, seen from its seat.

    Left out are the seat's own number, the round, knowledge of the others, and what was said in a bargain.
    """
    seat = view.seat or 0
    clockwise_from = view.players[seat:] + view.players[:seat]
    return (
        *(view.step, view.lucky, view.dutchman, view.ahead, view.stones, view.counter, view.middle),
        *(view.shares, view.rack, view.lay, (view.mover - seat) % len(view.players) if view.mover >= 0 else None),
        *(
            (player.cash, player.kontor, player.smith, player.horseshoes, player.laid, player.action, player.shares)
            for player in clockwise_from
        ),
    )


ADAPTER: Final = AnalysisAdapter(Setup, setup_of, state_of, rewound, essence, beliefs)
