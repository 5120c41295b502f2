"""Beliefs of a seat about hidden information: shares and horseshoes of others, the pile, the middle.

They follow from the view alone. *Shares*: the cards were shuffled and dealt, so every deal of the physical cards that
agrees with the view is equally likely. It agrees if every hand has at least and at most as many shares of each colour
as everybody knows (H11, H12). The cards must lie in the pile that this seat put there (H6a). Those left of the last
check must be among the shares that it showed (H11a).

*Horseshoes*: every arrangement that agrees with the view is equally likely; ``hidden_horseshoes`` says what that
means for hidden lays. The reasons for others' moves are not considered, except by a player that brings weights, as
``training.dutchman.keeping`` does.

``imagine`` takes a shown share for a certain card, and deals only the others at random. Here a hand with at least one
blue share is any hand with a blue share; for players who show their most valuable share this is correct.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property
from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.games.dutchman.players.hidden_horseshoes import HorseshoeDeals
from kontor.games.dutchman.players.hidden_shares import (
    EQUAL,
    OpenHand,
    ShareDeals,
    Weights,
    checked_deals,
    share_deals,
)
from kontor.games.dutchman.rules.components import COLOURS, PLACE_OF, Colour, shares_in_play
from kontor.games.dutchman.rules.horseshoes import heap_of, laid, split
from kontor.games.dutchman.rules.imagine import inspection_of, state_of
from kontor.games.dutchman.rules.state import Merchant, State
from kontor.games.dutchman.rules.view import View

WeightsOf = Callable[[View, int], Weights]
"""Function from a view and a seat to the weights of that seat's hands."""


def all_equal(view: View, seat: int) -> Weights:
    """Return equal weights: no deal is likelier than another."""
    return EQUAL


class Beliefs:
    """Probabilities of everything that a view leaves open.

    Nothing is computed before it is needed. ``weights_of`` says how much likelier some hands of a seat are than
    others.
    """

    def __init__(self, view: View, weights_of: WeightsOf = all_equal) -> None:
        self.view: Final = view
        self._weights_of = weights_of
        self._dealt: Final = view.step not in ("starter", "deal")
        self._certain: Final = {
            seat: hand for seat in range(len(view.players)) if (hand := _known_hand(view, seat)) is not None
        }
        self.open_seats: Final = [seat for seat in range(len(view.players)) if seat not in self._certain]

    # ---- shares

    @cached_property
    def share_deals(self) -> ShareDeals:
        """Return all deals of shares to the ``open_seats``, whose hands the view does not show for certain."""
        view = self.view
        hidden = [0] * len(COLOURS)
        if self._dealt:
            for card in shares_in_play(len(view.players)):
                hidden[PLACE_OF[card]] += 1
        for cards in (view.pile, *self._certain.values()):
            for share in cards:
                if share:
                    hidden[PLACE_OF[share]] -= 1
        hands = tuple([self._open_hand(seat) for seat in self.open_seats])
        if view.inspection is None:
            return share_deals(hands, tuple(hidden))
        among = Counter(view.inspection.among)
        below = OpenHand(self._below_check, (0,) * len(COLOURS), tuple(hidden))
        return checked_deals((*hands, below), tuple(hidden), tuple([among[colour] for colour in COLOURS]))

    def _open_hand(self, seat: int) -> OpenHand:
        player = self.view.players[seat]
        return OpenHand(player.shares, player.at_least, player.at_most, self._weights_of(self.view, seat))

    @property
    def _below_check(self) -> int:
        """Return the number of cards that others have put under those left of the last check (H11a).

        They are dealt like a hand.
        """
        view = self.view
        return sum(card is None and by is not None for card, by in zip(view.pile, view.put_by, strict=True))

    def is_open(self, seat: int) -> bool:
        """Return True if the view does not show all shares of a seat for certain."""
        return seat not in self._certain

    def shares(self, seat: int, colour: Colour) -> tuple[float, ...]:
        """Return the probabilities that a seat holds 0, 1, 2 … shares of a colour, up to all of its cards."""
        if seat in self._certain:
            hand = self._certain[seat]
            return tuple([float(hand.count(colour) == count) for count in range(len(hand) + 1)])
        return self.share_deals.counts[self.open_seats.index(seat)][PLACE_OF[colour]]

    @property
    def in_pile(self) -> tuple[float, ...]:
        """Return the expected number of shares of each colour among the hidden cards of the pile.

        Colours are in the order of COLOURS.
        """
        left = self.share_deals.in_pile
        if self.view.inspection is None:
            return left
        below = [sum(n * likely for n, likely in enumerate(counts)) for counts in self.share_deals.counts[-1]]
        return tuple([one + other for one, other in zip(left, below, strict=True)])

    # ---- horseshoes

    @cached_property
    def horseshoe_deals(self) -> HorseshoeDeals:
        """Return all arrangements of horseshoes; only after the deal."""
        return HorseshoeDeals(self.view)

    def golden(self, seat: int) -> float:
        """Return the expected number of another seat's golden horseshoes, in rack and lay together."""
        return self.horseshoe_deals.gold.get(seat, 0.0) if self._dealt else 0.0

    def golden_counts(self, seat: int) -> tuple[float, ...]:
        """Return the probabilities that another seat has 0, 1, 2 … golden horseshoes, up to all it has.

        Rack and lay count together.
        """
        return self.horseshoe_deals.golden_counts(seat) if self._dealt else (1.0,)

    def silver(self, seat: int) -> float:
        """Return the expected number of another seat's silver horseshoes, in rack and lay together."""
        player = self.view.players[seat]
        return player.horseshoes + (player.laid or 0) - self.golden(seat)

    def holds(self, seat: int, horseshoe: int) -> float:
        """Return the probability that another seat has a certain golden horseshoe, in the rack or the lay."""
        return self.horseshoe_deals.holds(seat, horseshoe) if self._dealt else 0.0

    # ---- whole states

    @cached_property
    def _blank(self) -> State:
        """Return the state without all that is hidden from the seat."""
        view = self.view
        seats = range(len(view.players))
        hands = [self._certain.get(seat, ()) for seat in seats]
        racks = [(view.rack, view.lay) if seat == view.seat else ((), None) for seat in seats]
        return state_of(view, hands, (), racks, (), ())

    def sample(self, random: Random) -> State:
        """Draw a whole state from these beliefs; its view from the same seat is this one."""
        blank = self._blank
        if not self._dealt:
            return blank
        view = self.view
        hands, loose = self.share_deals.draw(random)
        random.shuffle(loose)
        if view.inspection is not None:
            below = [*hands[-1]]
            random.shuffle(below)
            loose = below + loose
        racks, middle, out = self.horseshoe_deals.draw(random)
        merchants = list(blank.merchants)
        for seat, hand in zip(self.open_seats, hands, strict=False):
            merchants[seat] = replace(merchants[seat], shares=hand)
        for seat, (rack, lay) in enumerate(racks):
            if seat != view.seat and (rack or lay):
                merchants[seat] = _with_horseshoes(merchants[seat], rack, lay)
        pile = tuple([card or loose.pop() for card in view.pile])
        return replace(
            blank,
            merchants=tuple(merchants),
            pile=pile,
            inspection=inspection_of(view, pile, random.randrange),
            middle_heap=heap_of(middle),
            out=out,
        )


def _known_hand(view: View, seat: int) -> tuple[Colour, ...] | None:
    """Return the shares of a seat if this view shows all of them for certain, otherwise None."""
    player = view.players[seat]
    if player.held is not None:
        return player.held
    if seat == view.seat:
        return view.shares
    if sum(player.at_least) < player.shares:
        return None
    return tuple([colour for colour, count in zip(COLOURS, player.at_least, strict=True) for _ in range(count)])


def _with_horseshoes(merchant: Merchant, rack: tuple[int, ...], lay: tuple[int, ...] | None) -> Merchant:
    gold, silver = split(rack)
    return replace(merchant, gold=gold, silver=silver, laid=laid(lay) if lay else None)
