"""Der fliegende Holländer as a game by numbered steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from kontor.environments.encoders import ActionEncoder, Features, Steps
from kontor.game import BadOptions, Event
from kontor.games.dutchman.research.lengths import most_actions, most_outcomes
from kontor.games.dutchman.research.moves import (
    action_name,
    first_of,
    first_steps,
    given_by,
    lay_by,
    next_horseshoes,
    silver_in_rack,
)
from kontor.games.dutchman.research.observing import features, parts
from kontor.games.dutchman.research.outcomes import BOX_URN, dice_urn, outcome_by, outcome_name, rack_urn, steps_of
from kontor.games.dutchman.research.steps import (
    COLOUR,
    DUCATS,
    KIND,
    LAY,
    NAME,
    OUTCOMES,
    PAIRS,
    PLAIN,
    PUT,
    SAIL,
    SHOW,
    SILVERS,
    TO,
    most_ducats,
)
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.components import BOX, COLOURS, HORSESHOES, Horseshoes, shares_in_play
from kontor.games.dutchman.rules.state import (
    Deal,
    Dice,
    Lay,
    Name,
    Paid,
    Propose,
    Put,
    Revealed,
    Sail,
    Share,
    Show,
    Shuffle,
    Starter,
    Withhold,
)
from kontor.games.dutchman.rules.view import Dealt, Drawn, FaceDown, Got, PutBack, Shuffled, View

MEMORY: Final = 1024


class DutchmanEncoder(ActionEncoder):
    """Encoder of Der fliegende Holländer: three to six seats, hidden shares and horseshoes, one victory."""

    def __init__(self, options: Options) -> None:
        """Build the encoder for a game's options.

        Raises BadOptions for illegal options, and for games with the check (H11a).
        """
        DUTCHMAN.start(options)
        if options.may_check:
            raise BadOptions("H11a", "The research environments cannot play with the check yet.")
        players = options.players
        self.game = DUTCHMAN
        self.options = options
        self.seats = players
        self.most_ducats = most_ducats(players)
        self.actions = DUCATS + 2 * self.most_ducats + 1
        self.outcomes = OUTCOMES
        self.most_actions = most_actions(players, options.circles)
        self.most_outcomes = most_outcomes(players)
        self.least_return = 0.0
        self.most_return = 1.0
        self.sum_of_returns = 1.0
        self.parts = parts(players)
        self.memory = MEMORY
        self._fields = [field.name for field in options.chart.fields]
        self._place = {name: place for place, name in enumerate(self._fields)}
        self._seat = 1 + self.actions + OUTCOMES
        self._number = self._seat + players
        self._unseen = self._number + len(HORSESHOES) + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return DutchmanEncoder, (self.options,)

    # ---- moves

    def legal(self, state: State, begun: Steps) -> list[int]:
        """Return the legal next steps of the mover."""
        if state.step in ("action", "again"):
            return next_horseshoes(state, begun) if begun else first_steps(state)
        if state.step != "propose":
            return sorted(self.steps(state, move)[0] for move in DUTCHMAN.moves(state))
        if begun:
            return self._next_ducats(state, begun)
        ahead = state.sea.ahead[state.dutchman][state.came_from]
        return [PLAIN.index(Withhold()), *sorted(TO + self._place[name] for name in ahead)]

    def _next_ducats(self, state: State, begun: Steps) -> list[int]:
        """Return the steps that say what the next tied player may get or pay.

        They reach from paying all their cash to getting all that is left.
        """
        assert state.bargain is not None
        cash = [state.merchants[seat].cash for seat in state.bargain.tied]
        given = given_by(begun, self.most_ducats)
        left = sum(cash) - sum(had + change for had, change in zip(cash, given, strict=False))
        zero = DUCATS + self.most_ducats - cash[len(given)]
        return list(range(zero, zero + left + 1))

    def action_from(self, state: State, begun: Steps) -> Any:
        """Return the move or outcome that the steps make, or None while it is unfinished."""
        if state.mover < 0:
            return outcome_by(state, begun)
        first = begun[0]
        if first < SHOW:
            return PLAIN[first]
        if first < PUT:
            return Show(COLOURS[first - SHOW])
        if first < SAIL:
            return Put(PAIRS[first - PUT])
        if first < NAME:
            return Sail(self._fields[first - SAIL])
        if first < LAY:
            return Name(self._fields[first - NAME])
        if first < TO:
            return lay_by(begun) if len(begun) > len(silver_in_rack(state)) else None
        assert state.bargain is not None
        given = given_by(begun, self.most_ducats)
        if len(given) < len(state.bargain.tied) - 1:
            return None
        return Propose(self._fields[first - TO], (*given, -sum(given)))

    def steps(self, state: State, action: Any) -> Steps:
        """Return the steps of a move or outcome."""
        match action:
            case Show(colour):
                return (SHOW + COLOURS.index(colour),)
            case Put(shares):
                return (PUT + PAIRS.index(shares),)
            case Sail(to):
                return (SAIL + self._place[to],)
            case Name(to):
                return (NAME + self._place[to],)
            case Lay(horseshoes):
                silver = [SILVERS[kind] + horseshoes.count(kind) for kind in silver_in_rack(state)]
                return (first_of(horseshoes), *silver)
            case Propose(to, ducats):
                return (TO + self._place[to], *[DUCATS + self.most_ducats + change for change in ducats[:-1]])
            case Starter() | Deal() | Dice() | Share() | Shuffle():
                return steps_of(action)
            case _:
                return (PLAIN.index(action),)

    def action_name(self, step: int) -> str:
        """Return the name of a step of a move."""
        return action_name(step, self._fields, self.most_ducats)

    # ---- outcomes

    def outcome_counts(self, state: State, begun: Steps) -> Counter[int]:
        """Return the weights of the next steps of chance."""
        match state.step:
            case "starter":
                return Counter(range(self.seats))
            case "deal":
                box = self.options.box
                shares = Counter(COLOUR[colour] for colour in shares_in_play(self.seats, box))
                if len(begun) >= shares.total() and box is not BOX:
                    return rack_urn(box, begun[shares.total() :])
                outcome_counts = shares if len(begun) < shares.total() else BOX_URN.copy()
            case "share":
                outcome_counts = Counter(KIND[horseshoe] for horseshoe in state.middle)
            case "shuffle":
                outcome_counts = Counter(COLOUR[colour] for colour in state.pile)
            case _:
                return dice_urn(self.options.box)
        for step in begun:
            if step in outcome_counts:
                outcome_counts[step] -= 1
        return outcome_counts

    def outcome_name(self, step: int) -> str:
        """Return the name of a step of chance."""
        return outcome_name(step)

    def drawn_for(self, state: State, begun: Steps, seat: int | None) -> Steps:
        """Return the steps of an unfinished outcome that go to a seat."""
        if seat is None:
            return ()
        if state.step == "share":
            each = state.in_the_middle // len(state.smiths)
            return tuple([step for at, step in enumerate(begun) if state.smiths[at // each] == seat])
        if state.step == "deal":
            box = self.options.box
            rack = len(shares_in_play(self.seats, box)) + box.rack * seat
            return begun[box.hand * seat : box.hand * (seat + 1)] + begun[rack : rack + box.rack]
        return ()

    # ---- what a seat knows

    def features(self, view: View, seat: int, begun: Steps) -> Features:
        """Return what a seat may know, as numbers."""
        return features(view, seat, begun, self._place)

    def tokens(self, event: Event) -> Iterable[int]:
        """Yield the tokens of what was done, and then of what it revealed."""
        yield from self._action_tokens(event.action)
        for happening in event.happened:
            if isinstance(happening, Revealed):
                for lain in happening.lays:
                    yield self._seat + lain.seat
                    yield from _shoe_tokens(self.actions, lain.horseshoes)
            elif isinstance(happening, Paid):
                yield from (self._number + count for count in happening.shares)

    def _action_tokens(self, action: Any) -> Iterable[int]:
        outcome = 1 + self.actions
        match action:
            case Drawn(shares):
                return [1, *[outcome + COLOUR[share] for share in shares or ()]]
            case PutBack(shares):
                return [self._unseen if shares is None else 1 + PUT + PAIRS.index(shares)]
            case FaceDown(count, horseshoes):
                return [1 + LAY, self._number + count, *_shoe_tokens(self.actions, horseshoes or ())]
            case Dealt(shares, horseshoes):
                return [
                    *[outcome + COLOUR[share] for share in shares or ()],
                    *_shoe_tokens(self.actions, horseshoes or ()),
                ]
            case Got(each, horseshoes):
                return [self._number + each, *_shoe_tokens(self.actions, horseshoes or ())]
            case Shuffled(count):
                return [self._unseen, self._number + count]
            case Starter() | Dice():
                return [outcome + step for step in steps_of(action)]
            case Propose(to, ducats):
                zero = 1 + DUCATS + self.most_ducats
                return [1 + TO + self._place[to], *[zero + change for change in ducats]]
            case Show(colour):
                return [1 + SHOW + COLOURS.index(colour)]
            case Sail(to):
                return [1 + SAIL + self._place[to]]
            case Name(to):
                return [1 + NAME + self._place[to]]
            case _:
                return [1 + PLAIN.index(action)]

    def returns(self, state: State) -> tuple[float, ...]:
        """Return each seat's share of the victory: 1/n for each of n winners."""
        result = DUTCHMAN.result(state)
        assert result is not None
        share = 1 / len(result.winners)
        return tuple([share if seat in result.winners else 0.0 for seat in range(self.seats)])


def _shoe_tokens(actions: int, horseshoes: Horseshoes) -> list[int]:
    """Return the tokens of horseshoes."""
    return [1 + actions + KIND[horseshoe] for horseshoe in horseshoes]
