"""Reconstruction of a round from a seat's view.

The result is the position at the beginning of the round, and moves and outcomes that lead from there to that very
view.

A view within a round says what everybody did, but not with which shares and horseshoes. So a state is imagined, its
round is undone step by step, and is then played again by the rules. If one imagined state cannot be undone, another
is tried. Where a view leaves open what was done (an earlier proposal, the shares drawn), any choice is good that ends
in the same view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from kontor.game import CHANCE, IllegalMove
from kontor.games.dutchman.rules.chance import in_order
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, EXCHANGED, ONES, SHARES, TENS, Colour, Horseshoes
from kontor.games.dutchman.rules.horseshoes import heap_of, highest_first, laid, split, together, without, written
from kontor.games.dutchman.rules.imagine import imagine
from kontor.games.dutchman.rules.play import play
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Counts,
    Dice,
    Earned,
    Keep,
    Kontor,
    Lay,
    Merchant,
    Name,
    Pass,
    Propose,
    Put,
    Revealed,
    RolledFor,
    Sail,
    Share,
    Shared,
    Show,
    Smith,
    State,
    Withhold,
)
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.rules.view import view as view_of

_TRIES: Final = 2000
"""States that are imagined before a view is given up, in some tenths of a second. If two players have exchanged, the
shares that they put back lie on the pile in few of them."""

_ROLLED: Final = {tens + ones: Dice(tens, ones) for tens in TENS for ones in ONES}
"""Dice by their sum."""

_WITHIN: Final = ("action", "put", "share", "sail", "name", "propose", "answer", "again", "rolling", "show")


class _Stuck(Exception):
    """Raised if an imagined state cannot be undone."""


def rewound(view: View) -> tuple[State, list[Any]] | None:
    """Return the state as the round of a view began, and the moves and outcomes since.

    None for a view that cannot be undone. The same view gives the same result.
    """
    if view.step not in _WITHIN:
        return None
    random = Random(f"kontor rewinding {view}")
    for _ in range(_TRIES):
        try:
            begin, actions = _Rewinding(view, imagine(view, random.randrange), random).undone()
            state = begin
            for action in actions:
                state = play(state, action)
        except (_Stuck, IllegalMove):
            continue
        if view_of(state, view.seat) == view:
            return begin, actions
    return None


class _Rewinding:
    """A state whose round is undone, from its last step to its first."""

    def __init__(self, view: View, state: State, random: Random) -> None:
        self._view: Final = view
        self._state = state
        self._random: Final = random
        self._merchants = list(state.merchants)
        self._middle = state.middle
        self._middle_known = state.middle_known
        self._pile = list(state.pile)
        self._put_by = list(state.put_by)
        self._drawn = [list(drawn) for drawn in state.inspection.drawn] if state.inspection else None
        self._actions: list[Any] = []
        """Moves and outcomes, the last one first."""

    def undone(self) -> tuple[State, list[Any]]:
        """Return the state as the round began, and the moves and outcomes since.

        Raises _Stuck if the state cannot be undone.
        """
        view = self._view
        dutchman, came_from = view.dutchman, view.came_from
        if view.step == "show":
            dutchman, came_from = self._undo_showing()
        elif view.step in ("sail", "rolling"):
            self._undo_rolling()
        else:
            self._undo_bargain()
        self._undo_reveals()
        if len(self._state.actions) == len(view.order):
            self._undo_smiths()
        self._undo_actions()
        assert view.lucky is not None
        self._actions.append(_ROLLED[view.lucky])
        inspection = self._state.inspection
        if inspection is not None and self._drawn is not None:
            inspection = replace(inspection, drawn=tuple([in_order(drawn) for drawn in self._drawn]))
        begin = replace(
            self._state,
            mover=CHANCE,
            step="lucky",
            queue=(),
            merchants=tuple(self._merchants),
            actions=(),
            lucky=None,
            dutchman=dutchman,
            came_from=came_from,
            pile=tuple(self._pile),
            put_by=tuple(self._put_by),
            middle_heap=heap_of(self._middle),
            middle_known_heap=heap_of(self._middle_known),
            revealed=(),
            bargain=None,
            rolls=(),
            happened=(),
            inspection=inspection,
        )
        return begin, self._actions[::-1]

    # ---- after the lays were turned over: H8 to H10, H12

    def _undo_showing(self) -> tuple[str, str | None]:
        """Undo the showing of shares on an island (H12) and the move there.

        Returns the field of the Dutchman before, and the field that it had come from.
        """
        view = self._view
        earned = next((each for each in view.happened if isinstance(each, Earned)), None)
        tied = view.revealed[-1].nearest if view.revealed else ()
        rolled = bool(view.rolls)
        by = tied if len(tied) > 1 and not rolled else view.queue[-1:]
        done = by[: len(by) - len(view.queue)]
        for seat in reversed(done):
            if earned is not None and seat == earned.seat:
                self._actions.append(Show(self._undo_show(earned)))
                earned = None
            else:
                self._actions.append(Keep())
        start = view.came_from
        if start is None:
            raise _Stuck
        if len(by) > 1:
            self._undo_agreement(by)
        else:
            self._actions.append(Sail(view.dutchman))
            self._undo_rolling()
        ahead = self._state.sea.ahead[start]
        possible = [came_from for came_from, onward in ahead.items() if view.dutchman in onward]
        if view.round > 1 and len(possible) > 1:
            possible = [came_from for came_from in possible if came_from is not None]
        return start, possible[self._random.randrange(len(possible))]

    def _undo_show(self, earned: Earned) -> Colour:
        seat = earned.seat
        merchant = self._merchants[seat]
        for place, which in enumerate(COLOURS):
            if merchant.at_least[place] and self._worth(place) == earned.ducats and which in merchant.shares:
                self._merchants[seat] = replace(merchant, cash=merchant.cash - earned.ducats)
                return which
        raise _Stuck

    def _worth(self, place: int) -> int:
        return CHESTS[self._view.stones[place]]

    def _undo_agreement(self, by: tuple[int, ...]) -> None:
        """Undo an agreement (H9): all named the same, or one proposed and the others accepted."""
        view = self._view
        agreed = next((each for each in view.happened if isinstance(each, Agreed)), None)
        if agreed is None or not any(agreed.ducats):
            self._actions += [Name(view.dutchman)] * len(by)
            return
        for seat, ducats in zip(by, agreed.ducats, strict=True):
            merchant = self._merchants[seat]
            self._merchants[seat] = replace(merchant, cash=merchant.cash - ducats)
        self._actions += [Accept()] * (len(by) - 1)
        self._actions.append(Propose(view.dutchman, agreed.ducats))
        self._undo_names(by, self._differing_fields(by, view.came_from or ""))

    def _differing_fields(self, tied: tuple[int, ...], lay: str) -> tuple[str, ...]:
        """Return destinations that are not all the same, as seen from the field of the Dutchman."""
        onward = list(self._view.ahead)
        if lay != self._view.dutchman:
            ahead = self._state.sea.ahead[lay].values()
            onward = next(list(each) for each in ahead if self._view.dutchman in each)
        if len(onward) < 2:
            raise _Stuck
        return (onward[0], *[onward[1]] * (len(tied) - 1))

    def _undo_names(self, tied: tuple[int, ...], named: Sequence[str]) -> None:
        self._actions += [Name(to) for to in reversed(named)]

    def _undo_bargain(self) -> None:
        """Undo what was said at the table, and lays of a deciding round still face down (H9, H10)."""
        view = self._view
        bargain = view.bargain
        if bargain is None:
            return
        if view.step == "again":
            for seat in reversed(bargain.tied[: len(bargain.tied) - len(view.queue)]):
                self._undo_lay_or_pass(seat)
            self._actions += [Withhold()] * (view.options.circles * len(bargain.tied))
        elif view.step in ("propose", "answer"):
            if bargain.proposal is not None:
                self._actions += [Accept()] * len(bargain.accepted)
                self._actions.append(Propose(bargain.proposal.to, bargain.proposal.ducats))
            self._actions += [Withhold()] * ((bargain.circle - 1) * len(bargain.tied) + bargain.asked)
        self._undo_names(bargain.tied, bargain.named)

    def _undo_lay_or_pass(self, seat: int) -> None:
        lay = self._merchants[seat].lay
        if lay is None:
            self._actions.append(Pass())
        else:
            self._take_up(seat, lay)

    def _take_up(self, seat: int, lay: Horseshoes) -> None:
        """Move horseshoes that lie face down back to the rack."""
        merchant = self._merchants[seat]
        self._merchants[seat] = _with_rack(replace(merchant, laid=None), together(merchant.rack, lay))
        self._actions.append(Lay(lay))

    def _undo_rolling(self) -> None:
        """Undo rolls for the Dutchman, and the round or deciding round in which nobody laid (H10a, H10b)."""
        view = self._view
        rolling = view.step == "rolling"
        if not rolling and not view.rolls:
            return
        # Players with equal rolls roll again, and then the view does not show the first rolls.
        tied = view.revealed[-1].nearest if view.revealed else view.order
        self._actions += [_ROLLED[total] for _, total in reversed(view.rolls)]
        last = (*[seat for seat, _ in view.rolls], *(view.queue if rolling else ()))
        again = len(last) < len(tied) or (rolling and any(isinstance(each, RolledFor) for each in view.happened))
        if again:
            self._actions += [_ROLLED[49 if seat in last else 21] for seat in reversed(tied)]
        if view.revealed:
            self._actions += [Pass()] * len(tied)
            self._actions += [Withhold()] * (view.options.circles * len(tied))
            self._undo_names(tied, self._differing_fields(tied, self._lay_before()))

    def _lay_before(self) -> str:
        """Return the field of the Dutchman before it sails in this round."""
        view = self._view
        return (view.came_from or "") if view.step == "show" else view.dutchman

    # ---- the reveals: H7, H8

    def _undo_reveals(self) -> None:
        for number, revealed in reversed(list(enumerate(self._view.revealed))):
            self._undo_reveal(revealed)
            if not number:
                continue
            before = self._view.revealed[number - 1].nearest
            laid = {lain.seat for lain in revealed.lays}
            for seat in reversed(before):
                if seat in laid:
                    self._undo_lay_or_pass(seat)
                else:
                    self._actions.append(Pass())
            self._actions += [Withhold()] * (self._view.options.circles * len(before))
            self._undo_names(before, self._differing_fields(before, self._lay_before()))

    def _undo_reveal(self, revealed: Revealed) -> None:
        """Turn a reveal's horseshoes face down again."""
        for lain in revealed.lays:
            merchant = self._merchants[lain.seat]
            try:
                self._middle = without(self._middle, lain.horseshoes)
                self._middle_known = without(self._middle_known, lain.horseshoes)
            except ValueError:
                raise _Stuck from None
            # Horseshoes still known after a lay were known before, although the lay took away equal ones.
            public = Counter(merchant.known)
            more = [shoe for shoe in lain.horseshoes if public[shoe]]
            self._merchants[lain.seat] = replace(
                merchant, laid=laid(lain.horseshoes), known_heap=merchant.known_heap + heap_of(more)
            )

    # ---- the actions: H6

    def _undo_smiths(self) -> None:
        """Return the smiths' horseshoes to the middle (H6b).

        If the view does not say how much they got, it was nothing.
        """
        smiths = self._state.smiths
        shared = next((each for each in self._view.happened if isinstance(each, Shared)), None)
        if self._view.step == "share" or not smiths or shared is None:
            return
        left = highest_first(self._middle)
        parts = []
        for seat in smiths:
            merchant = self._merchants[seat]
            public = self._known_in_rack(merchant)
            unknown = (Counter(merchant.rack) - public).elements()
            part = self._pick_some(list(unknown), min(shared.each, len(merchant.rack) - public.total()))
            seen = self._pick_some(list(public.elements()), shared.each - len(part))
            if seen and len(smiths) > 1:
                raise _Stuck  # the share of several smiths is hidden
            self._middle_known = seen
            part = highest_first((*part, *seen))
            merchant = replace(merchant, known_heap=merchant.known_heap - heap_of(seen))
            self._merchants[seat] = _with_rack(merchant, without(merchant.rack, part))
            parts.append(part)
        self._middle = highest_first((*left, *(shoe for part in parts for shoe in part)))
        if len(smiths) > 1:
            self._actions.append(Share(tuple(parts), left))

    @staticmethod
    def _known_in_rack(merchant: Merchant) -> Counter[int]:
        """Return the horseshoes of a rack that everybody knows, without those that may be in the lay."""
        public = Counter(written(merchant.known_heap)) - Counter(merchant.lay or ())
        return public & Counter(merchant.rack)

    def _pick_some(self, loose: list[int], count: int) -> Horseshoes:
        if not 0 <= count <= len(loose):
            raise _Stuck
        return highest_first(self._random.sample(loose, count))

    def _undo_actions(self) -> None:
        """Undo the actions, from the last to the first (H6)."""
        view, actions = self._view, self._state.actions
        kontors = [seat for seat, action in zip(view.order, actions, strict=False) if action == "kontor"]
        for seat, action in reversed(list(zip(view.order, actions, strict=False))):
            merchant = self._merchants[seat]
            if action == "smith":
                self._merchants[seat] = replace(merchant, smith=merchant.smith + 1)
                self._actions.append(Smith())
            elif action == "kontor":
                self._undo_kontor(seat, next((other for other in reversed(kontors) if other != seat), None))
                kontors.remove(seat)
            elif action == "lay":
                lay = merchant.lay
                if lay is None:
                    raise _Stuck
                self._take_up(seat, lay)
            else:
                self._actions.append(Pass())

    def _undo_kontor(self, seat: int, other: int | None) -> None:
        """Undo a Kontor card: take up the shares put back, and return two to the pile (H6a).

        In a small pile the lower one was put there in this very round, by the ``other`` who last played a Kontor card
        before.
        """
        merchant, most = self._merchants[seat], len(self._merchants) - 1
        hand, at_most = list(merchant.shares), merchant.at_most
        putting = self._view.step == "put" and self._view.mover == seat
        least: Counts = merchant.at_least
        if not putting:
            if self._put_by[-EXCHANGED:] != [seat] * EXCHANGED:
                raise _Stuck
            back = tuple(self._pile[-EXCHANGED:])
            if back != in_order(back):
                raise _Stuck
            del self._pile[-EXCHANGED:], self._put_by[-EXCHANGED:]
            hand += back
            self._actions.append(Put((back[0], back[1])))
            least = tuple([count + EXCHANGED if count else 0 for count in least])
            at_most = tuple([most if count >= min(SHARES, most) else count for count in at_most])
        before = tuple([min(SHARES, most) if count >= most else count - EXCHANGED for count in at_most])
        drawn = self._some_drawn(seat, hand, least, before)
        for share in drawn:
            hand.remove(share)
        if self._drawn is not None:
            for share in drawn:
                self._drawn[seat].remove(share)
        self._pile[:0] = drawn
        self._put_by[:0] = [None, other if len(self._put_by) < EXCHANGED else None]
        self._merchants[seat] = replace(
            merchant, kontor=merchant.kontor + 1, shares=in_order(hand), at_least=least, at_most=before
        )
        self._actions.append(Kontor())

    def _some_drawn(self, seat: int, hand: list[Colour], least: Counts, most: Counts) -> tuple[Colour, ...]:
        """Return two random shares of a hand that may have been drawn.

        The others agree with what was known before. Raises _Stuck if there are none.
        """
        pairs = list(self._pairs(seat, hand, least, most))
        if not pairs:
            raise _Stuck
        return pairs[self._random.randrange(len(pairs))]

    def _pairs(self, seat: int, hand: list[Colour], least: Counts, most: Counts) -> Iterator[tuple[Colour, ...]]:
        for pair in combinations(hand, EXCHANGED):
            rest = Counter(hand)
            rest.subtract(pair)
            if self._drawn is not None and Counter(pair) - Counter(self._drawn[seat]):
                continue
            if all(low <= rest[which] <= high for low, which, high in zip(least, COLOURS, most, strict=True)):
                yield pair


def _with_rack(merchant: Merchant, rack: Horseshoes) -> Merchant:
    gold, silver = split(rack)
    return replace(merchant, gold=gold, silver=silver)
