"""A bystander, who knows of a game of Der fliegende Holländer only what its events tell; from the rules alone."""

from collections import Counter
from typing import Any

from kontor.game import OVER, Event
from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.components import COLOURS, Colour
from kontor.games.dutchman.rules.state import (
    Accept,
    Agreed,
    Bankrupt,
    Check,
    Checked,
    Decline,
    Dice,
    Earned,
    Keep,
    Name,
    Paid,
    Pass,
    Propose,
    Revealed,
    RolledFor,
    Sail,
    Sailed,
    Shared,
    Show,
    Smith,
    Starter,
    Undecided,
    Waive,
    Withhold,
)
from kontor.games.dutchman.rules.view import Dealt, Drawn, FaceDown, Got, PutBack, Shuffled, View

from .second_rules import neighbours, ship_on


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
