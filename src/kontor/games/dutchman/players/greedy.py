"""Computer player ``greedy`` for Der fliegende Holländer: one step ahead, by estimates that a person could make.

Everything is measured in ducats at the end of the game. The *wealth* of a merchant is cash and what the shares will
bring; a *standing* is one's own wealth less the others' average, since the richest wins (H13). Decisions follow:

- Where to sail: the destination with the best standing (:meth:`Outlook.standing`).
- What to do in a round: the gain of steering, against the later value of horseshoes and cards.
- What to agree on: everything that is better than no agreement (:meth:`Table.no_agreement`).

Others' shares are known from what was shown; unknown ones are taken as the average of what is still hidden. The
player uses no random numbers and no memory: its moves depend on the view alone.

The numbers below were found by counting in games among players of this kind, and by letting players with different
numbers play each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil, exp, inf, prod
from operator import itemgetter
from random import Random
from typing import Final

from kontor.games.dutchman.players.outlook import RISK, added, outlook, share_worth
from kontor.games.dutchman.rules.bargain import Bargain
from kontor.games.dutchman.rules.components import (
    CHESTS,
    COLOURS,
    EXCHANGED,
    FEW,
    LAST_CHEST,
    MOST_SILVER,
    PLACE_OF,
    Colour,
    Horseshoes,
)
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.state import (
    Accept,
    Decline,
    Keep,
    Kontor,
    Lay,
    Move,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Smith,
    Waive,
    Withhold,
)
from kontor.games.dutchman.rules.view import Player, View

# ----------------------------------------------------------------------------------------------- estimates

ROUNDS_A_SHIP: Final = 1.3
"""Rounds for each ship that is met: now and then the Dutchman calls at an island."""

HORSESHOE: Final = 0.6
"""Value of a horseshoe in later rounds, while there are not too many for them."""

HORSESHOES_A_ROUND: Final = 2.0
"""Horseshoes that a round can use."""

KONTOR_CARD: Final = 1.0
"""Value of a Kontor card in a better moment, while such moments are still to come."""

SMITH_CARD: Final = 2.0
"""The same for a Smith card."""

SHARING: Final = 0.2
"""Probability that a player who has still to act plays a Smith card too."""

LAYS: Final = 0.5
"""Probability that a player who has still to act lays horseshoes."""

SHORT: Final = (
    (0.67, 0.74, 0.78, 0.81, 0.83, 0.86, 0.87, 0.88, 0.89, 0.90, 0.91),
    (0.36, 0.44, 0.50, 0.56, 0.60, 0.65, 0.69, 0.70, 0.73, 0.74, 0.75),
    (0.85, 0.91, 0.94, 0.96, 0.97, 0.98, 0.99, 0.99, 0.99, 1.00, 1.00),
)
"""Probabilities that a lay falls short of the lucky number by at most 0, 1, 2 …: one that is still to come, one of a
single horseshoe, and one of several."""

DECIDING: Final = 1.5
"""Horseshoes laid in a deciding round (H10)."""

ENOUGH: Final = 4.0
"""Number of horseshoes that is plenty for a deciding round (H10)."""

FAR: Final = 12
"""Largest shortfall of a lay that can win; others are laid only to take part."""

GIVEN: Final = (0.1, 0.3)
"""Part of the own gain that is offered to those who would lose by a proposal, in the first circle and later."""

WORTH_A_WORD: Final = 0.5
"""Gain over no agreement that a proposal must exceed."""


# ----------------------------------------------------------------------------------------------- choosing

Standings = list[tuple[Move, float]]
"""Moves, and the mover's standing after each."""


def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
    """Choose the best move by the player's own estimate.

    Moves are never enumerated: there can be millions (H9).
    """
    return moves[0] if len(moves) == 1 else _STEPS[view.step](Table(view))


def actions(table: Table) -> Standings:
    """Return the standings after laying, passing, forging or exchanging (H6)."""
    view, me = table.view, table.me
    contest = _Contest(table, view.order)
    idle = contest.without_me()
    standings = contest.worth_laying()
    if len(view.rack) < FEW:
        standings.append((Pass(), idle))
    if me.smith:
        smiths = 1 + sum(player.action == "smith" for player in view.players) + SHARING * (len(view.queue) - 1)
        got = view.middle / smiths
        standings.append((Smith(), idle + got * table.horseshoe(got) - table.card_worth(SMITH_CARD, me.smith)))
    if me.kontor:
        exchanging = idle + table.exchange(contest.destinations()) - table.card_worth(KONTOR_CARD, me.kontor)
        standings.append((Kontor(), exchanging))
    return standings


def lays_again(table: Table) -> Standings:
    """Return the standings after passing, or laying further horseshoes in a deciding round (H10)."""
    contest = _Contest(table, table.bargain.tied)
    return [(Pass(), contest.without_me()), *contest.worth_laying()]


def pairs_to_put(table: Table) -> Standings:
    """Return what three shares bring for each pair that can be put back (H6a)."""
    view = table.view
    prospects = table.prospects(_Contest(table, view.order).destinations())

    def worth_of_rest(pair: tuple[Colour, Colour]) -> float:
        rest = list(view.shares)
        for share in pair:
            rest.remove(share)
        return table.hand_worth(rest, prospects)

    return [(Put(pair), worth_of_rest(pair)) for pair in dict.fromkeys(combinations(view.shares, EXCHANGED))]


def _best_move(standings: Standings) -> Move:
    """Return the move with the best standing, the first among equals."""
    return max(standings, key=itemgetter(1))[0]


def _sail(table: Table) -> Move:
    """Choose the field with the best standing (H8)."""
    return Sail(table.outlook.best_for(table.seat, (table.seat,)))


def _name(table: Table) -> Move:
    """Name the destination that all have named so far, if it is better than no agreement, otherwise the best (H9)."""
    bargain = table.bargain
    if len(set(bargain.named)) == 1:
        (named,) = set(bargain.named)
        if table.outlook.standing(table.seat, named, bargain.tied) >= table.no_agreement(table.seat):
            return Name(named)
    return Name(table.outlook.best_for(table.seat, bargain.tied))


def _propose(table: Table) -> Move:
    """Choose the best proposal, or Withhold (H9).

    The destination must be better for the player than no agreement, even after it pays the others. Those who would
    lose by it, as far as the player knows, are paid for that, and get a part of what it gains.
    """
    best, chosen = WORTH_A_WORD, None
    for field in table.view.ahead:
        gain, ducats = table.offer(field)
        if gain > best:
            best, chosen = gain, Propose(field, ducats)
    return chosen or Withhold()


def _answer(table: Table) -> Move:
    """Accept what is better than no agreement, otherwise decline (H9)."""
    bargain = table.bargain
    proposal = bargain.proposal
    assert proposal
    ducats = dict(zip(bargain.tied, proposal.ducats, strict=True))
    agreed = table.outlook.standing(table.seat, proposal.to, bargain.tied, ducats)
    return Accept() if agreed > table.no_agreement(table.seat) else Decline()


def _show(table: Table) -> Move:
    """Show the most valuable share; among equals the one that everybody knows of (H12)."""
    view = table.view
    if not view.shares:
        return Keep()
    return Show(max(view.shares, key=lambda share: (table.value(share), table.me.at_least[PLACE_OF[share]])))


def _trust(_: Table) -> Move:
    """Waive the check, because what all would see helps the others as much (H11a)."""
    return Waive()


_STEPS: Final[dict[str, Callable[[Table], Move]]] = {
    "action": lambda table: _best_move(actions(table)),
    "put": lambda table: _best_move(pairs_to_put(table)),
    "sail": _sail,
    "name": _name,
    "propose": _propose,
    "answer": _answer,
    "again": lambda table: _best_move(lays_again(table)),
    "show": _show,
    "check": _trust,
}


# ----------------------------------------------------------------------------------------------- the table

Destinations = Mapping[str, float]
"""Probabilities that the Dutchman sails to each field."""

Prospects = tuple[list[float], list[float]]
"""Income of one share, and the probability that its ship is met now; both by colour."""


class Table:
    """Knowledge of the view's seat, and the values of its horseshoes, cards and agreements."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None
        self.view = view
        self.seat = view.seat
        self.me = view.players[view.seat]
        self.ships = LAST_CHEST - view.counter
        """Ships still to be met until the end (H13)."""
        self.outlook = outlook(view)
        self._alone: dict[int, float] = {}

    @property
    def bargain(self) -> Bargain:
        """Return what the tied players have named and proposed (H9)."""
        assert self.view.bargain
        return self.view.bargain

    def value(self, share: Colour) -> int:
        """Return the present value of a share (H2)."""
        return CHESTS[self.view.stones[PLACE_OF[share]]]

    # ---- horseshoes and cards

    @property
    def later_rounds(self) -> float:
        """Return the number of rounds to expect after this one."""
        return (self.ships - 1) * ROUNDS_A_SHIP

    def horseshoe(self, more: float = 0) -> float:
        """Return what one of the seat's horseshoes is worth later, if it gets ``more`` of them."""
        return HORSESHOE * min(1.0, self.later_rounds * HORSESHOES_A_ROUND / (len(self.view.rack) + more + 1))

    def card_worth(self, card: float, cards: int) -> float:
        """Return what a card is worth later.

        It is worth less if fewer better moments are to come for all such cards.
        """
        return card * max(0.0, 1 - cards / (self.later_rounds + 1))

    # ---- shares

    def prospects(self, destinations: Destinations) -> Prospects:
        """Return what a share of each colour brings, and the probability that its ship is met now.

        The Dutchman sails to ``destinations``.
        """
        values = [0.0] * len(COLOURS)
        met_now = [0.0] * len(COLOURS)
        for field, likely in destinations.items():
            for place, worth in enumerate(self.outlook.worth[field]):
                values[place] += likely * worth
            met = self.outlook.colour[field]
            if met is not None:
                values[met] -= likely * CHESTS[self.view.stones[met]]
                met_now[met] += likely
        return values, met_now

    def hand_worth(self, shares: Iterable[Colour], prospects: Prospects) -> float:
        """Return what shares of the seat bring, less the risk of ruin."""
        counts = [0] * len(COLOURS)
        for share in shares:
            counts[PLACE_OF[share]] += 1
        each = self.each_worth(counts, prospects)
        return added([count * worth for count, worth in zip(counts, each, strict=True)])

    def each_worth(self, counts: Sequence[float], prospects: Prospects) -> list[float]:
        """Return what one share of each colour brings.

        Where so many shares of a colour would ruin the seat, each bears its part of that risk.
        """
        brought, met_now = prospects
        values = brought.copy()
        cash = self.me.cash
        for place, count in enumerate(counts):
            if count:
                stone = self.view.stones[place]
                now = met_now[place]
                risk = now * (count * CHESTS[stone] > cash)
                if self.ships > 1:
                    risk += (1 - now) * RISK * (count * CHESTS[min(stone + 1, LAST_CHEST)] > cash)
                values[place] -= risk * self.wealth_now / count
        return values

    @cached_property
    def wealth_now(self) -> float:
        """Return the wealth that the seat would lose by ruin."""
        worth = [share_worth(stone, self.ships) for stone in self.view.stones]
        return self.me.cash + added(
            [count * each for count, each in zip(self.outlook.held[self.seat], worth, strict=True)]
        )

    def exchange(self, destinations: Destinations) -> float:
        """Return what a Kontor card gains (H6a).

        Two of the hidden shares are drawn, and the best three are kept.
        """
        values = self.each_worth(self.outlook.held[self.seat], self.prospects(destinations))
        own = [values[PLACE_OF[share]] for share in self.view.shares]
        first, second = [self._colour_chances(card) for card in self.view.pile[:EXCHANGED]]
        expected = 0.0
        best: dict[tuple[int, int], float] = {}
        for one, likely in first.items():
            for other, too in second.items():
                pair = (one, other) if one < other else (other, one)
                if pair not in best:
                    best[pair] = added(sorted([*own, values[one], values[other]])[EXCHANGED:])
                expected += likely * too * best[pair]
        return expected - added(own)

    def _colour_chances(self, card: Colour | None) -> dict[int, float]:
        """Return the probability of each colour for a card of the Kontor pile.

        The seat knows the cards that it put there.
        """
        if card:
            return {PLACE_OF[card]: 1.0}
        hidden = self.outlook.unseen
        total = sum(hidden)
        return {place: count / total for place, count in enumerate(hidden) if count}

    # ---- agreeing

    def no_agreement(self, seat: int) -> float:
        """Return the standing of a seat to expect without an agreement.

        One of the tied players wins the deciding round (H10), the more likely the more horseshoes they have left, and
        sails where they said.
        """
        if seat not in self._alone:
            self._alone[seat] = self._deciding(seat)
        return self._alone[seat]

    def _deciding(self, seat: int) -> float:
        tied, named = self.bargain.tied, self.bargain.named
        strengths = [1 - exp(-self.view.players[each].horseshoes / ENOUGH) for each in tied]
        total = added(strengths)
        expected = 0.0
        for place, winner in enumerate(tied):
            wins = strengths[place] / total if total else 1 / len(tied)
            likely_fields = {named[place]: 1.0} if place < len(named) else self.outlook.likely(winner)
            expected += wins * added(
                [likely * self.outlook.standing(seat, field, (winner,)) for field, likely in likely_fields.items()]
            )
        return expected - (DECIDING * self.horseshoe() if total else 0.0)

    @cached_property
    def a_ducat(self) -> float:
        """Return by how much a ducat changes the standing of the player who gets it.

        It is more than 1, because the ducat also changes the others' average.
        """
        return 1 + 1 / (len(self.view.order) - 1)

    def offer(self, field: str) -> tuple[float, tuple[int, ...]]:
        """Return the seat's gain over no agreement if all agree on a field, and what each is paid for that.

        The gain is −∞ if the seat cannot pay it.
        """
        tied, me, a_ducat = self.bargain.tied, self.seat, self.a_ducat
        gains = {seat: self.outlook.standing(seat, field, tied) - self.no_agreement(seat) for seat in tied}
        losers = {seat: ceil(-gain / a_ducat) for seat, gain in gains.items() if seat != me and gain <= 0}
        given = GIVEN[min(self.bargain.circle, len(GIVEN)) - 1]
        to_give = max(0.0, gains[me] / a_ducat - sum(losers.values())) * given
        ducats = {seat: loss + ceil(to_give / len(losers)) for seat, loss in losers.items()}
        paid = sum(ducats.values())
        if paid > self.me.cash:
            return -inf, ()
        ducats[me] = -paid
        gain = self.outlook.standing(me, field, tied, ducats) - self.no_agreement(me)
        return gain, tuple([ducats.get(seat, 0) for seat in tied])


# ----------------------------------------------------------------------------------------------- a round


class _Contest:
    """A round, or a deciding round, among some players, and the standings to expect with and without an own lay."""

    def __init__(self, table: Table, seats: Sequence[int]) -> None:
        self.table = table
        self.seats = seats
        players = table.view.players
        self.others = [seat for seat in seats if seat != table.seat]
        self.lays = {seat: self._lays(seat, players[seat]) for seat in self.others}
        """Probability that each of the others lays."""
        me = table.seat
        self.best = max([table.outlook.standing(me, field, (me,)) for field in table.view.ahead])
        """The standing of the table's seat if it steers."""
        self.likely = {seat: table.outlook.likely(seat) for seat in self.others}
        self.under = {
            seat: added(
                [likely * table.outlook.standing(me, field, (seat,)) for field, likely in self.likely[seat].items()]
            )
            for seat in self.others
        }
        """The standing of the table's seat if another steers."""
        weight = added(self.lays.values())
        self.theirs = (
            added([lays * self.under[seat] for seat, lays in self.lays.items()]) / weight
            if weight
            else added(self.under.values()) / len(self.under)
        )

    def _lays(self, seat: int, player: Player) -> float:
        view = self.table.view
        if player.laid is not None:
            return 1.0
        if seat not in view.queue:
            return 0.0
        return LAYS if player.horseshoes else 0.0

    def without_me(self) -> float:
        """Return the seat's standing if it does not lay.

        If no other seat lays either, all roll for it (H10).
        """
        nobody = prod([1 - lays for lays in self.lays.values()])
        rolled = (self.best + added(self.under.values())) / len(self.seats)
        return nobody * rolled + (1 - nobody) * self.theirs

    def worth_laying(self) -> Standings:
        """Return the lays that may be worth it, and the standings after them less the cost of their horseshoes."""
        table = self.table
        horseshoe = table.horseshoe()
        return [
            (Lay(lay), self._after_laying(short) - horseshoe * len(lay))
            for short, lay in worthwhile_lays(table.view.rack, table.view.lucky or 0)
        ]

    def _after_laying(self, short: int) -> float:
        """Return the seat's standing with a lay that falls ``short`` of the lucky number by so much."""
        alone = unbeaten = 1.0
        for seat, lays in self.lays.items():
            laid = self.table.view.players[seat].laid or 0
            alone *= 1 - lays * _short(short, laid)
            unbeaten *= 1 - lays * _short(short - 1, laid)
        tied = (self.best + self.theirs) / 2
        return alone * self.best + (unbeaten - alone) * tied + (1 - unbeaten) * self.theirs

    def destinations(self) -> dict[str, float]:
        """Return the probabilities where the Dutchman will sail without an own lay."""
        weight = added(self.lays.values())
        sailing = dict.fromkeys(self.table.view.ahead, 0.0)
        for seat, lays in self.lays.items():
            part = lays / weight if weight else 1 / len(self.lays)
            for field, likely in self.likely[seat].items():
                sailing[field] += part * likely
        return sailing


def _short(by: int, horseshoes: int) -> float:
    """Return the probability that a lay falls short of the lucky number by at most ``by``.

    The lay has so many horseshoes; 0 if it is not yet laid.
    """
    if by < 0:
        return 0.0
    table = SHORT[min(horseshoes, len(SHORT) - 1)]
    # Beyond the table, the remaining probability decreases.
    return table[by] if by < len(table) else 1 - (1 - table[-1]) * len(table) / (by + 1)


# ----------------------------------------------------------------------------------------------- lays


@lru_cache(maxsize=4096)
def worthwhile_lays(rack: Horseshoes, lucky: int) -> tuple[tuple[int, Horseshoes], ...]:
    """Return the lays that may be worth it, each with how far it falls short.

    For each shortfall up to FAR it is the lay with the fewest horseshoes, unless a better one has as few. One single
    horseshoe is added, only to take part.
    """
    first_silver = next((at for at, horseshoe in enumerate(rack) if horseshoe <= MOST_SILVER), len(rack))
    sums = _silver_sums(rack[first_silver:])
    fewest: dict[int, Horseshoes] = {}
    for gold in (0, *rack[:first_silver]):
        room = lucky - gold
        for total in range(room, room - FAR - 1, -1):
            silver = sums.get(total)
            if silver is not None and (gold or silver):
                lay = (gold, *silver) if gold else silver
                if room - total not in fewest or len(lay) < len(fewest[room - total]):
                    fewest[room - total] = lay
    lays: list[tuple[int, Horseshoes]] = []
    for short in sorted(fewest):
        if not lays or len(fewest[short]) < len(lays[-1][1]):
            lays.append((short, fewest[short]))
    if rack and (not lays or len(lays[-1][1]) > 1):
        lays.append((lucky - reading(rack[-1:], lucky), rack[-1:]))
    return tuple(lays)


@lru_cache(maxsize=4096)
def _silver_sums(silver: Horseshoes) -> dict[int, Horseshoes]:
    """Return every sum that silver horseshoes make, added or subtracted, with the fewest of them (H7)."""
    sums: dict[int, Horseshoes] = {0: ()}
    for kind in dict.fromkeys(silver):
        more: dict[int, Horseshoes] = {}
        for total, used in sums.items():
            for count in range(-silver.count(kind), silver.count(kind) + 1):
                new = total + count * kind
                if new not in more or len(used) + abs(count) < len(more[new]):
                    more[new] = used + (kind,) * abs(count)
        sums = more
    return sums
