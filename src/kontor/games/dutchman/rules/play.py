"""The rules of Der fliegende Holländer (H5 to H13): the state after each move and outcome, and the winners."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from kontor.game import CHANCE, OVER, Result, is_malformed
from kontor.games.dutchman.rules.bargain import Bargain, Proposal
from kontor.games.dutchman.rules.chance import chance, hand_of, in_order
from kontor.games.dutchman.rules.components import CHESTS, EXCHANGED, LAST_CHEST, PLACE_OF, SHARES, Colour, Horseshoes
from kontor.games.dutchman.rules.horseshoes import (
    SILVER,
    SILVER_OF,
    best_reading,
    golden,
    heap_of,
    laid,
    split,
    together,
    without_known,
)
from kontor.games.dutchman.rules.moves import is_legal
from kontor.games.dutchman.rules.refusals import impossible, refusal
from kontor.games.dutchman.rules.state import (
    Accept,
    Action,
    Agreed,
    Bankrupt,
    Check,
    Checked,
    Counts,
    Deal,
    Decline,
    Dice,
    Earned,
    Happening,
    Inspection,
    Keep,
    Kontor,
    Lain,
    Lay,
    Merchant,
    Move,
    Name,
    Outcome,
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
    State,
    Undecided,
    Waive,
    Withhold,
    clockwise,
)

# -------------------------------------------------------------------------------------------------- play


def play(state: State, action: Any) -> State:
    """Return the state after a move or an outcome. Raises IllegalMove with the rule that refuses it."""
    try:
        legal = is_legal(state, action) if state.mover >= 0 else state.mover == CHANCE and action in chance(state)
    except TypeError:  # values with fields of the wrong type cannot even be compared
        if not is_malformed(action, Move | Outcome):
            raise
        legal = False
    if not legal:
        raise refusal(state, action) if state.mover >= 0 else impossible(state, action)
    return carried_out(state, action)


def carried_out(state: State, action: Any) -> State:
    """Return the state after a move or outcome that is known to be legal.

    The check of legality is skipped: it would take a third of the time of computer players that play on.
    """
    kind = type(action)
    if state.happened and kind not in _SAYING:
        state = replace(state, happened=())
    return _PLAY[kind](state, action)


_SAYING: Final = (Dice, Sail)
"""Frequent actions that replace ``happened`` anyway: for them no copy of the state is made to clear it."""


def _replace_merchant(state: State, seat: int, merchant: Merchant) -> tuple[Merchant, ...]:
    """Return the merchants with one of them replaced."""
    merchants = list(state.merchants)
    merchants[seat] = merchant
    return tuple(merchants)


# ---- Setting up: H4, H5


def _starter(state: State, outcome: Starter) -> State:
    return replace(state, step="deal", starter=outcome.seat, order=clockwise(len(state.merchants), outcome.seat))


def _deal(state: State, outcome: Deal) -> State:
    merchants = zip(state.merchants, outcome.hands, outcome.racks, strict=True)
    return replace(
        state,
        step="lucky",
        merchants=tuple([_deal_to(merchant, hand, rack) for merchant, hand, rack in merchants]),
        pile=outcome.pile,
        put_by=(None,) * len(outcome.pile),
        middle_heap=heap_of(outcome.middle),
        out=outcome.out,
    )


def _deal_to(merchant: Merchant, hand: tuple[Colour, ...], rack: Horseshoes) -> Merchant:
    gold, silver = split(rack)
    return replace(merchant, shares=hand, gold=gold, silver=silver)


def _dice(state: State, outcome: Dice) -> State:
    if state.step == "rolling":
        return _roll_for_it(state, outcome)
    order = state.order
    return replace(state, mover=order[0], step="action", queue=order, lucky=outcome.tens + outcome.ones, happened=())


# ---- Actions: H6


def _kontor(state: State, _: Kontor) -> State:
    seat = state.mover
    merchant = state.merchants[seat]
    hand = replace(
        merchant,
        kontor=merchant.kontor - 1,
        shares=hand_of(merchant.shares + state.pile[:EXCHANGED]),
        at_most=_shift_counts(merchant.at_most, EXCHANGED, len(state.merchants) - 1),
    )
    after = replace(
        state,
        step="put",
        actions=(*state.actions, "kontor"),
        merchants=_replace_merchant(state, seat, hand),
        pile=state.pile[EXCHANGED:],
        put_by=state.put_by[EXCHANGED:],
    )
    return replace(after, inspection=_drawn_since(state)) if state.inspection else after


def _drawn_since(state: State) -> Inspection | None:
    """Return the last check (H11a) with the mover's draw from the pile added; None once all of it is drawn."""
    inspection, left = state.inspection, state.put_by.count(None)
    if inspection is None or left <= EXCHANGED:
        return None
    drawn = list(inspection.drawn)
    drawn[state.mover] = hand_of(drawn[state.mover] + state.pile[:EXCHANGED])
    return replace(inspection, drawn=tuple(drawn))


def _put(state: State, move: Put) -> State:
    seat = state.mover
    merchant = state.merchants[seat]
    shares = list(merchant.shares)
    for share in move.shares:
        shares.remove(share)
    hand = replace(
        merchant,
        shares=tuple(shares),
        at_least=_shift_counts(merchant.at_least, -EXCHANGED, SHARES),
        at_most=_shift_counts(merchant.at_most, 0, SHARES),
    )
    after = replace(state, pile=state.pile + move.shares, put_by=(*state.put_by, seat, seat))
    return _after_action(after, hand, state.actions)


@cache
def _shift_counts(counts: Counts, by: int, most: int) -> Counts:
    """Return counts by colour moved up or down, kept between 0 and ``most``."""
    return tuple([max(0, min(count + by, most)) for count in counts])


def _smith(state: State, _: Smith) -> State:
    merchant = state.merchants[state.mover]
    return _after_action(state, replace(merchant, smith=merchant.smith - 1), (*state.actions, "smith"))


def _lay(state: State, move: Lay) -> State:
    merchant = state.merchants[state.mover]
    lay = laid(move.horseshoes)
    assert lay is not None
    gold = merchant.gold
    if lay.gold:
        left = list(gold)
        left.remove(lay.gold)
        gold = tuple(left)
    after = replace(merchant, gold=gold, silver=SILVER_OF[merchant.silver.heap - lay.silver.heap], laid=lay)
    if state.step == "again":
        return _after_again(state, after)
    return _after_action(state, after, (*state.actions, "lay"))


def _pass(state: State, _: Pass) -> State:
    merchant = state.merchants[state.mover]
    if state.step == "again":
        return _after_again(state, merchant)
    return _after_action(state, merchant, (*state.actions, "pass"))


def _after_action(state: State, merchant: Merchant, actions: tuple[Action, ...]) -> State:
    """Replace the mover, and let the next player choose.

    After the last one the smiths share the middle, and then all lays are revealed.
    """
    merchants = list(state.merchants)
    merchants[state.mover] = merchant
    queue = state.queue[1:]
    if queue:
        return replace(state, mover=queue[0], step="action", queue=queue, merchants=tuple(merchants), actions=actions)
    if "smith" not in actions:
        return _reveal(state, state.order, merchants, actions)
    return _after_smiths(replace(state, merchants=tuple(merchants), actions=actions))


def _after_smiths(state: State) -> State:
    """Give each player of a Smith card an equal part of the middle, if there is at least one horseshoe each (H6b)."""
    smiths, merchants = state.smiths, list(state.merchants)
    if state.in_the_middle < len(smiths):
        return _reveal(state, state.order, merchants, state.actions)
    if len(smiths) > 1:
        return replace(state, mover=CHANCE, step="share", queue=())
    # One smith takes all. Everybody saw the known part of the middle go to that rack.
    seat = smiths[0]
    merchant = merchants[seat]
    merchants[seat] = replace(
        merchant,
        gold=together(merchant.gold, golden(state.middle_heap)),
        silver=SILVER_OF[merchant.silver.heap + (state.middle_heap & SILVER)],
        known_heap=merchant.known_heap + state.middle_known_heap,
    )
    return _reveal(
        replace(
            state,
            middle_heap=0,
            middle_known_heap=0,
            happened=(Shared(smiths, state.in_the_middle, 0),),
        ),
        state.order,
        merchants,
        state.actions,
    )


def _share(state: State, outcome: Share) -> State:
    smiths = state.smiths
    merchants = list(state.merchants)
    for seat, part in zip(smiths, outcome.parts, strict=True):
        merchant = merchants[seat]
        gold, silver = split(part)
        merchants[seat] = replace(
            merchant,
            gold=together(merchant.gold, gold),
            silver=SILVER_OF[merchant.silver.heap + silver.heap],
        )
    return _reveal(
        replace(
            state,
            middle_heap=heap_of(outcome.left),
            middle_known_heap=0,
            happened=(Shared(smiths, len(outcome.parts[0]), len(outcome.left)),),
        ),
        state.order,
        merchants,
        state.actions,
    )


# ---- Steering: H7, H8


def _reveal(
    state: State, contenders: tuple[int, ...], merchants: list[Merchant], actions: tuple[Action, ...]
) -> State:
    """Turn over all lays and move their horseshoes to the middle (H8).

    Without a lay the contenders roll for it (H10, H10b). ``merchants`` and ``actions`` are those after the last of
    the contenders has acted.
    """
    lucky = state.lucky or 0
    lays: list[Lain] = []
    nearest: list[int] = []
    best = 0
    heap = 0
    for seat in contenders:
        merchant = merchants[seat]
        lay = merchant.laid
        if lay is None:
            continue
        reading = best_reading(lay, lucky)
        if reading > best:
            best = reading
            nearest = [seat]
        elif reading == best:
            nearest.append(seat)
        lays.append(Lain(seat, lay.horseshoes, reading))
        heap += lay.heap
        still_known = without_known(merchant.known_heap, lay.heap) if merchant.known_heap else 0
        merchants[seat] = replace(merchant, laid=None, known_heap=still_known)
    if not lays:
        return replace(
            state,
            mover=CHANCE,
            step="rolling",
            queue=contenders,
            merchants=tuple(merchants),
            actions=actions,
            rolls=(),
            bargain=None,
        )
    queue = tuple(nearest)
    revealed = Revealed(tuple(lays), queue)
    one = len(queue) == 1
    return replace(
        state,
        mover=queue[0],
        step="sail" if one else "name",
        queue=queue,
        bargain=None if one else Bargain(queue),
        merchants=tuple(merchants),
        actions=actions,
        middle_heap=state.middle_heap + heap,
        middle_known_heap=state.middle_known_heap + heap,
        revealed=(*state.revealed, revealed),
        happened=(*state.happened, revealed),
    )


def _sail(state: State, move: Sail) -> State:
    return _sail_to(state, move.to, (state.mover,), ())


def _sail_to(state: State, to: str, by: tuple[int, ...], happened: tuple[Happening, ...]) -> State:
    """Move the Dutchman; ``happened`` are earlier effects of the same action."""
    happened = (*happened, Sailed(state.dutchman, to, by))
    colour = state.sea.ship[to]
    if colour:
        return _meet_ship(state, to, colour, happened)
    return replace(
        state,
        mover=by[0],
        step="show",
        queue=by,
        dutchman=to,
        came_from=state.dutchman,
        bargain=None,
        happened=happened,
    )


# ---- Agreeing: H9


def _name(state: State, move: Name) -> State:
    bargain = _bargain_of(state)
    bargain = replace(bargain, named=(*bargain.named, move.to))
    queue = state.queue[1:]
    if queue:
        return replace(state, mover=queue[0], queue=queue, bargain=bargain)
    tied = bargain.tied
    if len(set(bargain.named)) == 1:
        return _sail_to(state, move.to, tied, (Agreed(tied, (0,) * len(tied)),))
    if not state.options.circles:
        return _lay_again(state, bargain)
    return replace(state, mover=tied[0], step="propose", queue=tied, bargain=bargain)


def _propose(state: State, move: Propose) -> State:
    bargain = replace(_bargain_of(state), proposal=Proposal(state.mover, move.to, move.ducats))
    answering = bargain.answering
    return replace(state, mover=answering[0], step="answer", queue=answering, bargain=bargain)


def _withhold(state: State, _: Withhold) -> State:
    return _next_proposal(state)


def _decline(state: State, _: Decline) -> State:
    return _next_proposal(state)


def _accept(state: State, _: Accept) -> State:
    bargain = _bargain_of(state)
    bargain = replace(bargain, accepted=(*bargain.accepted, state.mover))
    answering = bargain.answering
    if answering:
        return replace(state, mover=answering[0], queue=answering, bargain=bargain)
    assert bargain.proposal is not None
    merchants = list(state.merchants)
    for seat, ducats in zip(bargain.tied, bargain.proposal.ducats, strict=True):
        merchants[seat] = replace(merchants[seat], cash=merchants[seat].cash + ducats)
    agreed = Agreed(bargain.tied, bargain.proposal.ducats)
    return _sail_to(replace(state, merchants=tuple(merchants)), bargain.proposal.to, bargain.tied, (agreed,))


def _next_proposal(state: State) -> State:
    """Let the next of the tied players propose; after the last circle there is a deciding round (H10)."""
    bargain = _bargain_of(state)
    proposer_at, circle = bargain.asked + 1, bargain.circle
    if proposer_at == len(bargain.tied):
        proposer_at, circle = 0, circle + 1
        if circle > state.options.circles:
            return _lay_again(state, replace(bargain, proposal=None, accepted=()))
    bargain = replace(bargain, asked=proposer_at, circle=circle, proposal=None, accepted=())
    return replace(state, mover=bargain.proposer, step="propose", queue=bargain.tied[proposer_at:], bargain=bargain)


def _bargain_of(state: State) -> Bargain:
    assert state.bargain is not None
    return state.bargain


# ---- Deciding rounds: H10


def _lay_again(state: State, bargain: Bargain) -> State:
    return replace(
        state,
        mover=bargain.tied[0],
        step="again",
        queue=bargain.tied,
        bargain=bargain,
        happened=(Undecided(bargain.tied),),
    )


def _after_again(state: State, merchant: Merchant) -> State:
    merchants = list(state.merchants)
    merchants[state.mover] = merchant
    queue = state.queue[1:]
    if queue:
        return replace(state, mover=queue[0], queue=queue, merchants=tuple(merchants))
    return _reveal(state, _bargain_of(state).tied, merchants, state.actions)


def _roll_for_it(state: State, outcome: Dice) -> State:
    """Add a roll; the highest sum moves the Dutchman, equal ones roll again (H10a)."""
    rolls = (*state.rolls, (state.queue[0], outcome.tens + outcome.ones))
    queue = state.queue[1:]
    if queue:
        return replace(state, queue=queue, rolls=rolls, happened=())
    best = max(total for _, total in rolls)
    highest = tuple(seat for seat, total in rolls if total == best)
    rolled = RolledFor(rolls, highest)
    if len(highest) == 1:
        return replace(state, mover=highest[0], step="sail", queue=highest, rolls=rolls, happened=(rolled,))
    return replace(state, queue=highest, rolls=(), happened=(rolled,))


# ---- On a ship: H11


def _meet_ship(state: State, to: str, colour: Colour, happened: tuple[Happening, ...]) -> State:
    """Make everybody with shares in the ship pay; then move the stones on (H11)."""
    place = PLACE_OF[colour]
    value = CHESTS[state.stones[place]]
    counts, paid, bankrupt = [], [], []
    merchants = list(state.merchants)
    for seat, merchant in enumerate(state.merchants):
        count = merchant.shares.count(colour)
        pays = count * value
        if pays > merchant.cash:
            pays = merchant.cash
            bankrupt.append(seat)
        counts.append(count)
        paid.append(pays)
        at_least, at_most = merchant.at_least, merchant.at_most
        if at_least[place] != count:
            at_least = _set_count(at_least, place, count)
        if at_most[place] != count:
            at_most = _set_count(at_most, place, count)
        elif not count:
            continue
        merchants[seat] = replace(merchant, cash=merchant.cash - pays, at_least=at_least, at_most=at_most)
    stones = [stone + 1 for stone in state.stones]
    stones[place] = 1
    met = replace(
        state,
        dutchman=to,
        came_from=state.dutchman,
        bargain=None,
        merchants=tuple(merchants),
        stones=tuple(stones),
        counter=state.counter + 1,
        happened=(*happened, Paid(colour, value, tuple(counts), tuple(paid))),
    )
    if bankrupt:
        met = _go_bankrupt(met, tuple(bankrupt))
    if met.counter == LAST_CHEST or (bankrupt and len(_still_in(met, met.order)) <= 1):
        return replace(met, mover=OVER, step="over", queue=())
    if bankrupt:
        return replace(met, mover=CHANCE, step="shuffle", queue=())
    return _after_ship(met)


def _set_count(counts: Counts, place: int, count: int) -> Counts:
    """Return counts by colour with one of them set."""
    exact = list(counts)
    exact[place] = count
    return tuple(exact)


def _go_bankrupt(state: State, seats: tuple[int, ...]) -> State:
    """Bankrupt the seats (H11).

    Their shares go to the Kontor pile (to be shuffled), horseshoes to the middle, cards out of the game.
    """
    merchants = list(state.merchants)
    pile, middle, middle_known = state.pile, state.middle_heap, state.middle_known_heap
    for seat in seats:
        merchant = merchants[seat]
        pile += merchant.shares
        middle += heap_of(merchant.gold) + merchant.silver.heap
        middle_known += merchant.known_heap
        merchants[seat] = Merchant(cash=0, kontor=0, smith=0, at_most=(0,) * 6, bankrupt=state.round)
    return replace(
        state,
        merchants=tuple(merchants),
        pile=pile,
        put_by=(None,) * len(pile),
        middle_heap=middle,
        middle_known_heap=middle_known,
        happened=(*state.happened, Bankrupt(seats)),
        inspection=None,
    )


def _shuffle(state: State, outcome: Shuffle) -> State:
    shuffled = replace(state, pile=outcome.pile)
    return _after_ship(shuffled) if state.step == "shuffle" else _after_check(shuffled)


# ---- The check: H11a


def _after_ship(state: State) -> State:
    """Ask the players whether they want the check (H11a), if the options allow it.

    Any player may ask for it: they are asked in the order of the next round's play, before it begins.
    """
    if not state.options.may_check:
        return _after_check(state)
    order = _next_order(state)
    return replace(state, mover=order[0], step="check", queue=order)


def _waive(state: State, _: Waive) -> State:
    queue = state.queue[1:]
    return replace(state, mover=queue[0], queue=queue) if queue else _after_check(state)


def _check(state: State, _: Check) -> State:
    """Show the pile; it is shuffled before anybody can use its order."""
    shares = in_order(state.pile)
    return replace(
        state,
        mover=CHANCE,
        step="reshuffle",
        queue=(),
        pile=shares,
        put_by=(None,) * len(shares),
        inspection=Inspection(shares, ((),) * len(state.merchants)),
        happened=(Checked(shares),),
    )


def _after_check(state: State) -> State:
    return _next_round(state, _next_order(state))


# ---- On an island: H12


def _show(state: State, move: Show) -> State:
    """Pay the value of the share from the bank; everybody has seen it (H12)."""
    seat = state.mover
    merchant = state.merchants[seat]
    place = PLACE_OF[move.colour]
    ducats = CHESTS[state.stones[place]]
    paid = replace(
        merchant,
        cash=merchant.cash + ducats,
        at_least=_set_count(merchant.at_least, place, max(1, merchant.at_least[place])),
    )
    return _after_showing(
        replace(state, merchants=_replace_merchant(state, seat, paid), happened=(Earned(seat, ducats),))
    )


def _keep(state: State, _: Keep) -> State:
    return _after_showing(state)


def _after_showing(state: State) -> State:
    queue = state.queue[1:]
    return replace(state, mover=queue[0], queue=queue) if queue else _next_round(state, _next_order(state))


def _next_order(state: State) -> tuple[int, ...]:
    """Return the order of play in the next round: the next player still in the game is the starter (H5)."""
    order = state.order
    return _still_in(state, order[1:] + order[:1])


def _still_in(state: State, order: tuple[int, ...]) -> tuple[int, ...]:
    """Return the seats of the order of play that are not bankrupt."""
    return tuple([seat for seat in order if not state.merchants[seat].bankrupt])


def _next_round(state: State, order: tuple[int, ...]) -> State:
    return replace(
        state,
        mover=CHANCE,
        step="lucky",
        queue=(),
        round=state.round + 1,
        starter=order[0],
        order=order,
        actions=(),
        lucky=None,
        revealed=(),
        rolls=(),
    )


_PLAY: Final[dict[type, Callable[[State, Any], State]]] = {
    Starter: _starter,
    Deal: _deal,
    Dice: _dice,
    Share: _share,
    Shuffle: _shuffle,
    Kontor: _kontor,
    Put: _put,
    Smith: _smith,
    Lay: _lay,
    Pass: _pass,
    Sail: _sail,
    Name: _name,
    Propose: _propose,
    Withhold: _withhold,
    Accept: _accept,
    Decline: _decline,
    Show: _show,
    Keep: _keep,
    Check: _check,
    Waive: _waive,
}

# ------------------------------------------------------------------------------------------------ the end


def worth(shares: tuple[Colour, ...], stones: Counts) -> int:
    """Return the value of shares with the stones in their present places (H2)."""
    return sum(CHESTS[stones[PLACE_OF[share]]] for share in shares)


def result(state: State) -> Result | None:
    """Return the points, cash plus the value of the shares, and the winners (H13). None before the end.

    The richest of those not bankrupt win. If all are bankrupt, those who went bankrupt last share the victory.
    """
    if state.mover != OVER:
        return None
    merchants = state.merchants
    points = tuple(merchant.cash + worth(merchant.shares, state.stones) for merchant in merchants)
    latest = max(merchant.bankrupt for merchant in merchants)
    lasting = [seat for seat, merchant in enumerate(merchants) if not merchant.bankrupt]
    lasting = lasting or [seat for seat, merchant in enumerate(merchants) if merchant.bankrupt == latest]
    best = max(points[seat] for seat in lasting)
    return Result(points, tuple(seat for seat in lasting if points[seat] == best))
