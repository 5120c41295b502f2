"""The rules of Der fliegende Holländer (H5 to H13): what may be done, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final, cast, overload

from msgspec.structs import replace

from kontor.dutchman.bargain import Bargain, Payments, Proposal
from kontor.dutchman.chance import chance, in_order
from kontor.dutchman.components import CHESTS, EXCHANGED, FEW, LAST_CHEST, PLACE_OF, SHARES, Colour
from kontor.dutchman.horseshoes import PossibleLays, reading, together, without, without_known
from kontor.dutchman.refusals import impossible, refusal
from kontor.dutchman.state import (
    Accept,
    Agreed,
    Bankrupt,
    Counts,
    Deal,
    Decline,
    Dice,
    Earned,
    Keep,
    Kontor,
    Lain,
    Lay,
    Merchant,
    Move,
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
    State,
    Undecided,
    Withhold,
    order_of_play,
)
from kontor.game import CHANCE, OVER, Result

# ------------------------------------------------------------------------------------------------- moves


class _Many(Sequence[Move]):
    """Legal moves that are made only when they are looked at."""

    __slots__ = ("_length",)

    def __init__(self, length: int) -> None:
        self._length = length

    def _at(self, index: int) -> Move:
        raise NotImplementedError

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(index, slice):
            return tuple(self._at(place) for place in range(*index.indices(self._length)))
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError(index)
        return self._at(index)

    def __iter__(self) -> Iterator[Move]:
        return map(self._at, range(self._length))


class _Lays(_Many):
    """Some moves that need no horseshoes, and then every lay (H6c, H10)."""

    __slots__ = ("_lays", "_others")

    def __init__(self, others: tuple[Move, ...], lays: PossibleLays) -> None:
        self._others = others
        self._lays = lays
        super().__init__(len(others) + lays.count)

    def _at(self, index: int) -> Move:
        number = index - len(self._others)
        return Lay(self._lays.lay(number)) if number >= 0 else self._others[index]

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Lay):
            return self._lays.number(move.horseshoes) is not None
        return move in self._others


class _Proposals(_Many):
    """Withholding, and then every proposal: each destination with each way to pay (H9)."""

    __slots__ = ("_destinations", "_payments")

    def __init__(self, destinations: tuple[str, ...], cash: tuple[int, ...]) -> None:
        self._destinations = destinations
        self._payments = Payments(cash)
        super().__init__(1 + len(destinations) * self._payments.count)

    def _at(self, index: int) -> Move:
        if not index:
            return Withhold()
        destination, payment = divmod(index - 1, self._payments.count)
        return Propose(self._destinations[destination], self._payments.ducats(payment))

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Propose):
            return move.to in self._destinations and self._payments.possible(move.ducats)
        return isinstance(move, Withhold)


def moves(state: State) -> Sequence[Move]:
    """The legal moves of the seat to move, each once. Empty if chance is to act or the game is over."""
    if state.mover < 0:
        return ()
    step = state.step
    merchant = state.merchants[state.mover]
    if step == "action":
        return _Lays(
            _CARDS[merchant.kontor > 0, merchant.smith > 0, len(merchant.rack) < FEW], PossibleLays(merchant.rack)
        )
    if step == "put":
        return _puttings(merchant.shares)
    if step == "again":
        return _Lays(_PASS, PossibleLays(merchant.rack))
    if step == "propose":
        tied = state.bargain.tied if state.bargain else ()
        return _Proposals(_ahead(state), tuple([state.merchants[seat].cash for seat in tied]))
    if step == "answer":
        return _ANSWERS
    if step == "show":
        return _showings(merchant.shares)
    if step == "name":
        return tuple([Name(field) for field in _ahead(state)])
    return tuple([Sail(field) for field in _ahead(state)])


def _ahead(state: State) -> tuple[str, ...]:
    return state.sea.ahead(state.dutchman, state.came_from)


_PASS: Final = (Pass(),)
_ANSWERS: Final = (Accept(), Decline())
_CARDS: Final[dict[tuple[bool, bool, bool], tuple[Move, ...]]] = {
    (kontor, smith, few): (*[Kontor()] * kontor, *[Smith()] * smith, *[Pass()] * few)
    for kontor in (True, False)
    for smith in (True, False)
    for few in (True, False)
}
"""By whether there are Kontor cards, Smith cards, and fewer than five horseshoes (H6a, H6b, H6d)."""


@cache
def _puttings(shares: tuple[Colour, ...]) -> tuple[Move, ...]:
    """Any two of the shares in hand (H6a)."""
    return tuple(Put(pair) for pair in dict.fromkeys(combinations(shares, EXCHANGED)))


@cache
def _showings(shares: tuple[Colour, ...]) -> tuple[Move, ...]:
    """One of the own shares, or none (H12)."""
    return (Keep(), *(Show(colour) for colour in dict.fromkeys(shares)))


# -------------------------------------------------------------------------------------------------- play


def play(state: State, action: Any) -> State:
    """The state after a move or an outcome. Raises IllegalMove with the rule that refuses it."""
    if state.mover >= 0:
        if action not in moves(state):
            raise refusal(state, action)
    elif state.mover == OVER or action not in chance(state):
        raise impossible(state)
    if state.happened:
        state = replace(state, happened=())
    return _PLAY[type(action)](state, action)


def _with(state: State, seat: int, merchant: Merchant) -> tuple[Merchant, ...]:
    """The merchants with one of them changed."""
    merchants = list(state.merchants)
    merchants[seat] = merchant
    return tuple(merchants)


# ---- Setting up: H4, H5


def _starter(state: State, outcome: Starter) -> State:
    return replace(state, step="deal", starter=outcome.seat)


def _deal(state: State, outcome: Deal) -> State:
    merchants = zip(state.merchants, outcome.hands, outcome.racks, strict=True)
    return replace(
        state,
        step="lucky",
        merchants=tuple(replace(merchant, shares=hand, rack=rack) for merchant, hand, rack in merchants),
        pile=outcome.pile,
        put_by=(None,) * len(outcome.pile),
        middle=outcome.middle,
        out=outcome.out,
    )


def _dice(state: State, outcome: Dice) -> State:
    if state.step == "rolling":
        return _roll_for_it(state, outcome)
    queue = order_of_play(state)
    return replace(state, mover=queue[0], step="action", queue=queue, lucky=outcome.tens + outcome.ones)


# ---- Actions: H6


def _kontor(state: State, _: Kontor) -> State:
    seat = state.mover
    merchant = state.merchants[seat]
    hand = replace(
        merchant,
        kontor=merchant.kontor - 1,
        action="kontor",
        shares=in_order(merchant.shares + state.pile[:EXCHANGED]),
        at_most=_shifted(merchant.at_most, EXCHANGED, len(state.merchants) - 1),
    )
    return replace(
        state,
        step="put",
        merchants=_with(state, seat, hand),
        pile=state.pile[EXCHANGED:],
        put_by=state.put_by[EXCHANGED:],
    )


def _put(state: State, move: Put) -> State:
    seat = state.mover
    merchant = state.merchants[seat]
    shares = list(merchant.shares)
    for share in move.shares:
        shares.remove(share)
    hand = replace(
        merchant,
        shares=tuple(shares),
        at_least=_shifted(merchant.at_least, -EXCHANGED, SHARES),
        at_most=_shifted(merchant.at_most, 0, SHARES),
    )
    return _after_action(
        replace(
            state,
            merchants=_with(state, seat, hand),
            pile=state.pile + move.shares,
            put_by=(*state.put_by, seat, seat),
        )
    )


def _shifted(counts: Counts, by: int, most: int) -> Counts:
    """Counts by colour moved up or down, kept between 0 and the most there can be."""
    return cast("Counts", tuple([max(0, min(count + by, most)) for count in counts]))


def _smith(state: State, _: Smith) -> State:
    merchant = state.merchants[state.mover]
    smith = replace(merchant, smith=merchant.smith - 1, action="smith")
    return _after_action(replace(state, merchants=_with(state, state.mover, smith)))


def _lay(state: State, move: Lay) -> State:
    merchant = state.merchants[state.mover]
    rack = without(merchant.rack, move.horseshoes)
    return _after_choice(state, replace(merchant, rack=rack, lay=move.horseshoes), "lay")


def _pass(state: State, _: Pass) -> State:
    return _after_choice(state, state.merchants[state.mover], "pass")


def _after_choice(state: State, merchant: Merchant, action: Any) -> State:
    """Laying and passing are actions in the round itself; in a deciding round they are no new action."""
    if state.step == "action":
        return _after_action(replace(state, merchants=_with(state, state.mover, replace(merchant, action=action))))
    return _after_again(replace(state, merchants=_with(state, state.mover, merchant)))


def _after_action(state: State) -> State:
    queue = state.queue[1:]
    if queue:
        return replace(state, mover=queue[0], step="action", queue=queue)
    smiths = tuple([seat for seat in order_of_play(state) if state.merchants[seat].action == "smith"])
    if not smiths or len(state.middle) < len(smiths):
        return _reveal(state, order_of_play(state))
    if len(smiths) > 1:
        return replace(state, mover=CHANCE, step="share", queue=())
    # One smith takes all, and everybody saw what is known of the middle go to that rack.
    seat = smiths[0]
    merchant = state.merchants[seat]
    taken = replace(
        merchant,
        rack=together(merchant.rack, state.middle),
        known=together(merchant.known, state.middle_known),
    )
    return _reveal(
        replace(
            state,
            merchants=_with(state, seat, taken),
            middle=(),
            middle_known=(),
            happened=(Shared(smiths, len(state.middle), 0),),
        ),
        order_of_play(state),
    )


def _share(state: State, outcome: Share) -> State:
    order = order_of_play(state)
    smiths = tuple([seat for seat in order if state.merchants[seat].action == "smith"])
    merchants = list(state.merchants)
    for seat, part in zip(smiths, outcome.parts, strict=True):
        merchants[seat] = replace(merchants[seat], rack=together(merchants[seat].rack, part))
    return _reveal(
        replace(
            state,
            merchants=tuple(merchants),
            middle=outcome.left,
            middle_known=(),
            happened=(Shared(smiths, len(outcome.parts[0]), len(outcome.left)),),
        ),
        order,
    )


# ---- Steering: H7, H8


def _reveal(state: State, contenders: tuple[int, ...]) -> State:
    """H8: all lays are turned over; the horseshoes go to the middle. Nobody laid: they roll for it (H10, H10b)."""
    lucky = state.lucky or 0
    lays = []
    merchants = list(state.merchants)
    middle, middle_known = state.middle, state.middle_known
    for seat in contenders:
        merchant = merchants[seat]
        if merchant.lay is not None:
            lays.append(Lain(seat, merchant.lay, reading(merchant.lay, lucky)))
            middle = together(middle, merchant.lay)
            middle_known = together(middle_known, merchant.lay)
            merchants[seat] = replace(merchant, lay=None, known=without_known(merchant.known, merchant.lay))
    if not lays:
        return replace(state, mover=CHANCE, step="rolling", queue=contenders, rolls=(), bargain=None)
    best = max([lay.reading for lay in lays])
    nearest = tuple([lay.seat for lay in lays if lay.reading == best])
    revealed = Revealed(tuple(lays), nearest)
    return _steer(
        replace(
            state,
            merchants=tuple(merchants),
            middle=middle,
            middle_known=middle_known,
            revealed=(*state.revealed, revealed),
            happened=(*state.happened, revealed),
        ),
        nearest,
    )


def _steer(state: State, nearest: tuple[int, ...]) -> State:
    """One is nearest and sails (H8), or several have to agree (H9)."""
    if len(nearest) == 1:
        return replace(state, mover=nearest[0], step="sail", queue=nearest, bargain=None)
    return replace(state, mover=nearest[0], step="name", queue=nearest, bargain=Bargain(nearest))


def _sail(state: State, move: Sail) -> State:
    return _sail_to(state, move.to, (state.mover,))


def _sail_to(state: State, to: str, by: tuple[int, ...]) -> State:
    sailed = replace(
        state,
        dutchman=to,
        came_from=state.dutchman,
        bargain=None,
        movers=by,
        happened=(*state.happened, Sailed(state.dutchman, to, by)),
    )
    colour = state.sea.ship[to]
    if colour:
        return _meet_ship(sailed, colour)
    return replace(sailed, mover=by[0], step="show", queue=by)


# ---- Agreeing: H9


def _name(state: State, move: Name) -> State:
    bargain = _bargain_of(state)
    bargain = replace(bargain, named=(*bargain.named, move.to))
    queue = state.queue[1:]
    if queue:
        return replace(state, mover=queue[0], queue=queue, bargain=bargain)
    tied = bargain.tied
    if len(set(bargain.named)) == 1:
        agreed = Agreed(tied, (0,) * len(tied))
        return _sail_to(replace(state, happened=(agreed,)), move.to, tied)
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
    paid = replace(state, merchants=tuple(merchants), happened=(agreed,))
    return _sail_to(paid, bargain.proposal.to, bargain.tied)


def _next_proposal(state: State) -> State:
    """The next of the tied players may propose; after the last circle there is a deciding round (H10)."""
    bargain = _bargain_of(state)
    asked, circle = bargain.asked + 1, bargain.circle
    if asked == len(bargain.tied):
        asked, circle = 0, circle + 1
        if circle > state.options.circles:
            return _lay_again(state, replace(bargain, proposal=None, accepted=()))
    bargain = replace(bargain, asked=asked, circle=circle, proposal=None, accepted=())
    return replace(state, mover=bargain.proposer, step="propose", queue=bargain.tied[asked:], bargain=bargain)


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


def _after_again(state: State) -> State:
    queue = state.queue[1:]
    if queue:
        return replace(state, mover=queue[0], queue=queue)
    return _reveal(state, _bargain_of(state).tied)


def _roll_for_it(state: State, outcome: Dice) -> State:
    """H10a: the highest sum moves the Dutchman; equal ones roll again."""
    rolls = (*state.rolls, (state.queue[0], outcome.tens + outcome.ones))
    queue = state.queue[1:]
    if queue:
        return replace(state, queue=queue, rolls=rolls)
    best = max(total for _, total in rolls)
    highest = tuple(seat for seat, total in rolls if total == best)
    rolled = RolledFor(rolls, highest)
    if len(highest) == 1:
        return _steer(replace(state, rolls=rolls, happened=(rolled,)), highest)
    return replace(state, queue=highest, rolls=(), happened=(rolled,))


# ---- After the move: H11, H12


def _meet_ship(state: State, colour: Colour) -> State:
    """H11: everybody with shares in the ship pays; then the stones move on."""
    place = PLACE_OF[colour]
    value = CHESTS[state.stones[place]]
    counts, paid, bankrupt, merchants = [], [], [], []
    for seat, merchant in enumerate(state.merchants):
        count = merchant.shares.count(colour)
        due = count * value
        counts.append(count)
        paid.append(min(due, merchant.cash))
        if due > merchant.cash:
            bankrupt.append(seat)
        merchants.append(
            replace(
                merchant,
                cash=merchant.cash - paid[-1],
                at_least=_exactly(merchant.at_least, place, count),
                at_most=_exactly(merchant.at_most, place, count),
            )
        )
    stones = [stone + 1 for stone in state.stones]
    stones[place] = 1
    met = replace(
        state,
        merchants=tuple(merchants),
        stones=tuple(stones),
        counter=state.counter + 1,
        happened=(*state.happened, Paid(colour, value, tuple(counts), tuple(paid))),
    )
    if bankrupt:
        met = _go_bankrupt(met, tuple(bankrupt))
    left = sum(not merchant.bankrupt for merchant in met.merchants)
    if left <= 1 or met.counter == LAST_CHEST:
        return replace(met, mover=OVER, step="over", queue=())
    if bankrupt:
        return replace(met, mover=CHANCE, step="shuffle", queue=())
    return _next_round(met)


def _exactly(counts: Counts, place: int, count: int) -> Counts:
    return cast("Counts", (*counts[:place], count, *counts[place + 1 :]))


def _go_bankrupt(state: State, seats: tuple[int, ...]) -> State:
    """H11: shares to the Kontor pile (to be shuffled), horseshoes to the middle, cards out of the game."""
    merchants = list(state.merchants)
    pile, middle, middle_known = state.pile, state.middle, state.middle_known
    for seat in seats:
        merchant = merchants[seat]
        pile += merchant.shares
        middle = together(middle, merchant.rack)
        middle_known = together(middle_known, merchant.known)
        merchants[seat] = Merchant(cash=0, kontor=0, smith=0, at_most=(0,) * 6, bankrupt=state.round)
    return replace(
        state,
        merchants=tuple(merchants),
        pile=pile,
        put_by=(None,) * len(pile),
        middle=middle,
        middle_known=middle_known,
        happened=(*state.happened, Bankrupt(seats)),
    )


def _shuffle(state: State, outcome: Shuffle) -> State:
    return _next_round(replace(state, pile=outcome.pile))


def _show(state: State, move: Show) -> State:
    """H12: the bank pays the value of the share; everybody has seen it."""
    seat = state.mover
    merchant = state.merchants[seat]
    place = PLACE_OF[move.colour]
    ducats = CHESTS[state.stones[place]]
    shown = replace(
        merchant,
        cash=merchant.cash + ducats,
        at_least=_exactly(merchant.at_least, place, max(1, merchant.at_least[place])),
    )
    return _after_showing(replace(state, merchants=_with(state, seat, shown), happened=(Earned(seat, ducats),)))


def _keep(state: State, _: Keep) -> State:
    return _after_showing(state)


def _after_showing(state: State) -> State:
    queue = state.queue[1:]
    return replace(state, mover=queue[0], queue=queue) if queue else _next_round(state)


def _next_round(state: State) -> State:
    """H5: the next to the left starts, passing over bankrupt players."""
    starter = state.starter
    while True:
        starter = (starter + 1) % len(state.merchants)
        if not state.merchants[starter].bankrupt:
            break
    return replace(
        state,
        mover=CHANCE,
        step="lucky",
        queue=(),
        merchants=tuple([replace(merchant, action=None) for merchant in state.merchants]),
        round=state.round + 1,
        starter=starter,
        lucky=None,
        revealed=(),
        rolls=(),
        movers=(),
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
}

# ------------------------------------------------------------------------------------------------ the end


def worth(shares: tuple[Colour, ...], stones: Counts) -> int:
    """What shares are worth with the stones where they stand (H2)."""
    return sum(CHESTS[stones[PLACE_OF[share]]] for share in shares)


def result(state: State) -> Result | None:
    """H13: cash plus the value of the shares; the richest of those not bankrupt win. None before the end.

    If all are bankrupt, those who were the last to go bankrupt share the victory.
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
