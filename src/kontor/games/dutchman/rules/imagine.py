"""Beliefs of a seat: a state that its view could come from, with the hidden things dealt anew.

Computer players think about such states, and a test shows by them that nothing hidden reaches a view. The deal agrees
with everything in the view: counts, shares that everybody knows of, cards that this seat put under the pile itself,
and horseshoes that everybody saw. It does not ask which hidden lay is more likely from a good player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from kontor.game import Below, shuffled
from kontor.games.dutchman.rules.chance import in_order
from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import COLOURS, MOST_SILVER, PLACE_OF, Colour, Horseshoes, shares_in_play
from kontor.games.dutchman.rules.horseshoes import heap_of, highest_first, laid, split, together, without
from kontor.games.dutchman.rules.state import Inspection, Merchant, State
from kontor.games.dutchman.rules.view import Player, View

Hand = tuple[Colour, ...]


def imagine(view: View, below: Below) -> State:
    """Return a state whose view from the same seat is this one."""
    if view.step in ("starter", "deal"):
        hands: list[Hand] = [()] * len(view.players)
        racks: list[tuple[Horseshoes, Horseshoes | None]] = [((), None)] * len(view.players)
        pile: tuple[Colour, ...] = ()
        middle: Horseshoes = ()
        out: Horseshoes = ()
    else:
        hands, pile = _deal_shares(view, below)
        racks, middle, out = _deal_horseshoes(view, below)
    return state_of(view, hands, pile, racks, middle, out, inspection_of(view, pile, below))


def state_of(
    view: View,
    hands: Sequence[Hand],
    pile: tuple[Colour, ...],
    racks: Sequence[tuple[Horseshoes, Horseshoes | None]],
    middle: Horseshoes,
    out: Horseshoes,
    inspection: Inspection | None = None,
) -> State:
    """Return the state with all that is in the view, and these hidden things, which are kept as given.

    They are hands, and racks with the lays before them, by seat; the pile, the middle, what is out of the game, and
    who drew what after the last check (H11a).
    """
    merchants = tuple(
        _merchant(player, hand, rack, lay)
        for player, hand, (rack, lay) in zip(view.players, hands, racks, strict=True)
    )
    chosen = [view.players[seat].action for seat in view.order]
    return State(
        mover=view.mover,
        step=view.step,
        queue=view.queue,
        merchants=merchants,
        round=view.round,
        starter=view.starter,
        order=view.order,
        actions=tuple(action for action in chosen if action),
        lucky=view.lucky,
        dutchman=view.dutchman,
        came_from=view.came_from,
        stones=view.stones,
        counter=view.counter,
        pile=pile,
        put_by=view.put_by,
        middle_heap=heap_of(middle),
        middle_known_heap=heap_of(view.middle_known),
        out=out,
        revealed=view.revealed,
        bargain=view.bargain,
        rolls=view.rolls,
        happened=view.happened,
        sea=sea_of(view.options.chart, view.options.box),
        options=view.options,
        inspection=inspection,
    )


def _merchant(player: Player, hand: Hand, rack: Horseshoes, lay: Horseshoes | None) -> Merchant:
    gold, silver = split(rack)
    return Merchant(
        cash=player.cash,
        kontor=player.kontor,
        smith=player.smith,
        shares=hand,
        gold=gold,
        silver=silver,
        laid=laid(lay) if lay else None,
        at_least=player.at_least,
        at_most=player.at_most,
        known_heap=heap_of(player.known),
        bankrupt=player.bankrupt,
    )


# ------------------------------------------------------------------------------------------------ shares

MAX_RETRIES: Final = 100
"""Random deals to try before cards are picked to fit."""


def _deal_shares(view: View, below: Below) -> tuple[list[Hand], tuple[Colour, ...]]:
    """Return hands and pile.

    The cards that must be in a hand are put there. Every deal of the others that fits is equally likely, as long as
    one turns up among the first MAX_RETRIES tries. After that each card is chosen among those that still fit.
    """
    hidden = Counter(shares_in_play(len(view.players), view.options.box))
    hidden.subtract(card for card in view.pile if card)
    certain: list[list[Colour]] = []
    for seat, player in enumerate(view.players):
        certain.append(list(_certain_hand(view, seat, player)))
        hidden.subtract(certain[seat])
    loose = list(hidden.elements())
    tries = 0
    while True:
        tries += 1
        dealt = (
            _at_random(view, certain, loose, below)
            if tries <= MAX_RETRIES
            else _deal_fitting(view, certain, loose, below)
        )
        if dealt:
            hands, rest = dealt
            pile = tuple([card or rest.pop() for card in view.pile])
            return [in_order(hand) for hand in hands], pile


def _certain_hand(view: View, seat: int, player: Player) -> Hand:
    """Return the shares of a player that the view is certain of."""
    if player.held is not None:
        return player.held
    if seat == view.seat:
        return view.shares
    return tuple(colour for colour, count in zip(COLOURS, player.at_least, strict=True) for _ in range(count))


def _at_random(
    view: View, certain: list[list[Colour]], loose: list[Colour], below: Below
) -> tuple[list[list[Colour]], list[Colour]] | None:
    rest = shuffled(loose, below)
    hands = []
    for seat, player in enumerate(view.players):
        missing = player.shares - len(certain[seat])
        hand = certain[seat] + rest[:missing]
        rest = rest[missing:]
        if seat != view.seat and any(hand.count(c) > most for c, most in zip(COLOURS, player.at_most, strict=True)):
            return None
        hands.append(hand)
    return (hands, rest) if _agrees_with_check(view, rest) else None


def _deal_fitting(
    view: View, certain: list[list[Colour]], loose: list[Colour], below: Below
) -> tuple[list[list[Colour]], list[Colour]] | None:
    rest = shuffled(loose, below)
    checked = _left_of_check(view, rest)
    if checked is None:
        return None
    hands = [list(hand) for hand in certain]
    for seat in shuffled(range(len(hands)), below):
        player, hand = view.players[seat], hands[seat]
        while len(hand) < player.shares:
            fits = [card for card in rest if hand.count(card) < player.at_most[PLACE_OF[card]]]
            if not fits:
                return None
            hand.append(fits[0])
            rest.remove(fits[0])
    return hands, rest + checked


# The cards for the pile are taken from the end, and what is left of the last check lies on top (H11a).


def _agrees_with_check(view: View, rest: list[Colour]) -> bool:
    """Return True if these cards for the pile agree with the last check."""
    if view.inspection is None:
        return True
    return Counter(rest[-view.put_by.count(None) :]) <= Counter(view.inspection.among)


def _left_of_check(view: View, rest: list[Colour]) -> list[Colour] | None:
    """Remove from the list, and return, the first cards that can be those left of the last check.

    Return None if there are not enough.
    """
    if view.inspection is None:
        return []
    among = list(view.inspection.among)
    left: list[Colour] = []
    for card in [*rest]:
        if card in among and len(left) < view.put_by.count(None):
            among.remove(card)
            rest.remove(card)
            left.append(card)
    return left if len(left) == view.put_by.count(None) else None


def inspection_of(view: View, pile: Sequence[Colour], below: Below) -> Inspection | None:
    """Return the last check, with a pile that agrees with it.

    Each of the others may have drawn any of the cards that have left the pile.
    """
    seen = view.inspection
    if seen is None:
        return None
    gone = Counter(seen.among) - Counter([card for card, by in zip(pile, view.put_by, strict=True) if by is None])
    rest = shuffled(in_order(gone.elements()), below)
    drawn: list[Hand] = []
    for seat, count in enumerate(seen.drawn):
        if seat == view.seat:
            drawn.append(seen.own)
            continue
        drawn.append(in_order(rest[:count]))
        rest = rest[count:]
    return Inspection(seen.shares, tuple(drawn))


# -------------------------------------------------------------------------------------------- horseshoes


def _deal_horseshoes(
    view: View, below: Below
) -> tuple[list[tuple[Horseshoes, Horseshoes | None]], Horseshoes, Horseshoes]:
    """Return racks with the lays before them, the middle, and what is out of the game.

    As with the shares, every deal is equally likely until MAX_RETRIES runs out; after that the silver that lays need
    is given first.
    """
    loose = without(view.options.box.horseshoes, view.middle_known)
    for seat, player in enumerate(view.players):
        loose = without(loose, together(view.rack, view.lay or ()) if seat == view.seat else player.known)
    tries = 0
    while True:
        tries += 1
        rest = shuffled(loose, below)
        silver = _silver_for_lays(view, rest) if tries > MAX_RETRIES else [()] * len(view.players)
        for pieces in silver:
            for horseshoe in pieces:
                rest.remove(horseshoe)
        racks: list[tuple[Horseshoes, Horseshoes | None]] = []
        for seat, player in enumerate(view.players):
            if seat == view.seat:
                racks.append((view.rack, view.lay))
                continue
            some = together(player.known, silver[seat])
            missing = player.horseshoes + (player.laid or 0) - len(some)
            held = together(some, tuple(rest[:missing]))
            rest = rest[missing:]
            lay = None if player.laid is None else _some_lay(held, player.laid, below)
            if lay is not None and len(lay) != player.laid:
                break
            racks.append((without(held, lay or ()), lay))
        else:
            missing = view.middle - len(view.middle_known)
            middle = together(view.middle_known, tuple(rest[:missing]))
            return racks, middle, highest_first(rest[missing:])


def _silver_for_lays(view: View, rest: list[int]) -> list[Horseshoes]:
    """Return for each player the silver that their lay must have, beyond what is known: all but one piece (H6c)."""
    silver = [horseshoe for horseshoe in rest if horseshoe <= MOST_SILVER]
    by_player = []
    for seat, player in enumerate(view.players):
        known_silver = sum(horseshoe <= MOST_SILVER for horseshoe in player.known)
        needed = 0 if seat == view.seat else max(0, (player.laid or 0) - 1 - known_silver)
        by_player.append(tuple(silver[:needed]))
        silver = silver[needed:]
    return by_player


def _some_lay(held: Horseshoes, count: int, below: Below) -> Horseshoes:
    """Return ``count`` of the horseshoes held, at most one golden (H6c); fewer where silver is short."""
    lay: list[int] = []
    for horseshoe in shuffled(held, below):
        golden = horseshoe > MOST_SILVER
        if len(lay) < count and not (golden and any(laid > MOST_SILVER for laid in lay)):
            lay.append(horseshoe)
    return highest_first(lay)
