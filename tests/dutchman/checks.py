"""Checks of each state and each step of Der fliegende Holländer, written from the rules alone."""

import re
from collections import Counter
from typing import Any

import pytest

from kontor.game import CHANCE, OVER, IllegalMove
from kontor.games.dutchman.rules import DUTCHMAN, State
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Check,
    Checked,
    Deal,
    Earned,
    Kontor,
    Lay,
    Name,
    Paid,
    Put,
    Revealed,
    Sail,
    Sailed,
    Share,
    Shared,
    Show,
    Shuffle,
    Smith,
)
from kontor.games.dutchman.rules.view import View

from .second_rules import (
    BOX,
    CHANCES,
    ONES,
    ROUNDS,
    TENS,
    VALUES,
    best_reading,
    neighbours,
    seats_clockwise,
    ship_on,
    total,
)
from .voyages import Leg


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


def check_refused(state: State, action: Any) -> None:
    """Check that an action of any kind is refused with a rule, in a sentence."""
    with pytest.raises(IllegalMove) as caught:
        DUTCHMAN.play(state, action)
    refusal = caught.value
    assert re.fullmatch("H([4-9]|1[0-3])[a-d]?", refusal.rule), action
    assert str(refusal).endswith(f" ({refusal.rule})")
    assert "{" not in str(refusal)
