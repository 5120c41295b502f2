"""Der fliegende Holländer by numbered steps.

A lay is one step for its golden horseshoe (or none), and one for each kind of silver in the rack: how many of them. A
proposal is one step for the destination, and one for each tied player but the last: how many ducats they get or pay.
Shares and horseshoes are dealt, shared and shuffled one by one, and nobody sees them before all are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Any, Final

from kontor.dutchman import DUTCHMAN, Options, State
from kontor.dutchman.chance import DICE, hand_of
from kontor.dutchman.chart import SIZE
from kontor.dutchman.components import (
    CARDS,
    CASH,
    CHESTS,
    COLOURS,
    EXCHANGED,
    FIRST_CHEST,
    HORSESHOES,
    LAST_CHEST,
    MOST_PLAYERS,
    MOST_SILVER,
    RACK,
    SHARES,
    Colour,
    Horseshoes,
    shares_in_play,
)
from kontor.dutchman.horseshoes import highest_first
from kontor.dutchman.state import (
    Accept,
    Deal,
    Decline,
    Dice,
    Keep,
    Kontor,
    Lay,
    Move,
    Name,
    Paid,
    Pass,
    Propose,
    Put,
    Revealed,
    Sail,
    Share,
    Show,
    Shuffle,
    Smith,
    Starter,
    Step,
    Withhold,
)
from kontor.dutchman.view import Dealt, Drawn, FaceDown, Got, PutBack, Shuffled, View
from kontor.environments.forms import Features, Form, Piece, Steps, one_of
from kontor.game import CHANCE, Event

# ------------------------------------------------------------------------------------------- steps of moves

PLAIN: Final[tuple[Move, ...]] = (Kontor(), Smith(), Pass(), Withhold(), Accept(), Decline(), Keep())
"""Moves that need no more said, by their numbers."""
SHOW: Final = len(PLAIN)
"""By colour."""
PAIRS: Final[tuple[tuple[Colour, Colour], ...]] = tuple(combinations_with_replacement(COLOURS, EXCHANGED))
PUT: Final = SHOW + len(COLOURS)
"""By pair of colours, as in PAIRS."""
FIELDS: Final = SIZE * SIZE - 1
SAIL: Final = PUT + len(PAIRS)
"""By field, in the order of the chart."""
NAME: Final = SAIL + FIELDS
"""By field."""
GOLD: Final = tuple(horseshoe for horseshoe in HORSESHOES if horseshoe > MOST_SILVER)
LAY: Final = NAME + FIELDS
"""A lay begins: 0 without gold, 1 with the 48, 2 with the 47 … 28 with the 21."""
SILVER: Final = (20, 10, 2, 1)
COUNT: Final = {kind: HORSESHOES.count(kind) for kind in SILVER}
_FIRST: Final = LAY + len(GOLD) + 1
SILVERS: Final = {kind: _FIRST + sum(COUNT[before] + 1 for before in SILVER[: SILVER.index(kind)]) for kind in SILVER}
"""So many of a kind of silver are laid: from 0."""
TO: Final = SILVERS[1] + COUNT[1] + 1
"""A proposal begins: by field."""
DUCATS: Final = TO + FIELDS
"""A tied player pays the most that can be, … pays 1, 0, gets 1 …: see ``most_ducats``."""


def most_ducats(players: int) -> int:
    """More ducats than this are never in the game: what all begin with, and what the bank can pay for shares shown.

    The Dutchman meets ten ships, and between two of them it lies at one island at most (H3). When it has met n, no
    stone is higher than n chests above the first.
    """
    shown = sum(CHESTS[FIRST_CHEST + 1 : LAST_CHEST])
    return players * (CASH + shown)


# ---------------------------------------------------------------------------------------- steps of outcomes

ROLLS: Final[tuple[Dice, ...]] = tuple(outcome for outcome, _ in DICE.outcomes())
ROLL: Final = MOST_PLAYERS
"""After the starters, by roll."""
SHARE: Final = ROLL + len(ROLLS)
"""A share of a colour."""
KINDS: Final = tuple(dict.fromkeys(HORSESHOES))
HORSESHOE: Final = SHARE + len(COLOURS)
"""A horseshoe: 48, 47 … 21, 20, 10, 2, 1."""
OUTCOMES: Final = HORSESHOE + len(KINDS)
_KIND: Final = {kind: HORSESHOE + place for place, kind in enumerate(KINDS)}
_COLOUR: Final[dict[str, int]] = {colour: SHARE + place for place, colour in enumerate(COLOURS)}
_DICE: Final = Counter({ROLL + place: int(18 * DICE.probability(dice)) for place, dice in enumerate(ROLLS)})

STEPS: Final[tuple[Step, ...]] = (
    "starter", "deal", "lucky", "action", "put", "share", "sail", "name", "propose", "answer", "again", "rolling",
    "show", "shuffle", "over",
)  # fmt: skip
"""What is due, by its number."""
ACTIONS: Final = ("kontor", "smith", "lay", "pass")
ROUNDS: Final = 2 * (LAST_CHEST - FIRST_CHEST) - 1
"""A ship and an island by turns at most, a ship first and last."""
MEMORY: Final = 1024


class DutchmanForm(Form):
    """Der fliegende Holländer: three to six seats, a victory to be won or shared, shares and horseshoes hidden."""

    def __init__(self, options: Options) -> None:
        """Raises BadOptions."""
        DUTCHMAN.start(options)
        players = options.players
        self.game = DUTCHMAN
        self.options = options
        self.seats = players
        self.most_ducats = most_ducats(players)
        self.actions = DUCATS + 2 * self.most_ducats + 1
        self.outcomes = OUTCOMES
        self.most_actions = _most_actions(players, options.circles)
        self.most_outcomes = _most_outcomes(players)
        self.least_return = 0.0
        self.most_return = 1.0
        self.sum_of_returns = 1.0
        self.pieces = pieces(players)
        self.memory = MEMORY
        self._fields = [field.name for field in options.chart.fields]
        self._place = {name: place for place, name in enumerate(self._fields)}
        self._seat = 1 + self.actions + OUTCOMES
        self._number = self._seat + players
        self._unseen = self._number + len(HORSESHOES) + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return DutchmanForm, (self.options,)

    # ---- moves

    def legal(self, state: State, begun: Steps) -> list[int]:
        if state.step in ("action", "again"):
            return _next_horseshoes(state, begun) if begun else _actions(state)
        if state.step != "propose":
            return sorted(self.steps(state, move)[0] for move in DUTCHMAN.moves(state))
        if begun:
            return self._next_ducats(state, begun)
        ahead = state.sea.ahead[state.dutchman][state.came_from]
        return [PLAIN.index(Withhold()), *sorted(TO + self._place[name] for name in ahead)]

    def _next_ducats(self, state: State, begun: Steps) -> list[int]:
        """What the next tied player may get or pay: what is theirs already, up to all that is left of all cash."""
        assert state.bargain is not None
        cash = [state.merchants[seat].cash for seat in state.bargain.tied]
        given = self._given(begun)
        left = sum(cash) - sum(had + change for had, change in zip(cash, given, strict=False))
        zero = DUCATS + self.most_ducats - cash[len(given)]
        return list(range(zero, zero + left + 1))

    def _given(self, begun: Steps) -> list[int]:
        return [step - DUCATS - self.most_ducats for step in begun[1:]]

    def whole(self, state: State, begun: Steps) -> Any:
        if state.mover < 0:
            return _outcome(state, begun)
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
            return _lay(begun) if len(begun) > len(_silver_in_rack(state)) else None
        assert state.bargain is not None
        given = self._given(begun)
        if len(given) < len(state.bargain.tied) - 1:
            return None
        return Propose(self._fields[first - TO], (*given, -sum(given)))

    def steps(self, state: State, action: Any) -> Steps:
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
                silver = [SILVERS[kind] + horseshoes.count(kind) for kind in _silver_in_rack(state)]
                return (_first_of(horseshoes), *silver)
            case Propose(to, ducats):
                return (TO + self._place[to], *[DUCATS + self.most_ducats + change for change in ducats[:-1]])
            case Starter() | Deal() | Dice() | Share() | Shuffle():
                return _steps_of(action)
            case _:
                return (PLAIN.index(action),)

    def action_name(self, step: int) -> str:
        if step < SHOW:
            return type(PLAIN[step]).__name__.lower()
        if step < PUT:
            return f"show {COLOURS[step - SHOW]}"
        if step < SAIL:
            return f"put {' and '.join(PAIRS[step - PUT])}"
        if step < NAME:
            return f"sail to {self._fields[step - SAIL]}"
        if step < LAY:
            return f"name {self._fields[step - NAME]}"
        if step < _FIRST:
            return f"lay {GOLD[step - LAY - 1]} and silver" if step > LAY else "lay silver"
        for kind in reversed(SILVER):
            if SILVERS[kind] <= step < TO:
                return f"{step - SILVERS[kind]} of silver {kind}"
        if step < DUCATS:
            return f"propose {self._fields[step - TO]}"
        change = step - DUCATS - self.most_ducats
        return f"gets {change}" if change >= 0 else f"pays {-change}"

    # ---- outcomes

    def urn(self, state: State, begun: Steps) -> Counter[int]:
        match state.step:
            case "starter":
                return Counter(range(self.seats))
            case "deal":
                shares = Counter(_COLOUR[colour] for colour in shares_in_play(self.seats))
                urn = shares if len(begun) < shares.total() else _BOX.copy()
            case "share":
                urn = Counter(_KIND[horseshoe] for horseshoe in state.middle)
            case "shuffle":
                urn = Counter(_COLOUR[colour] for colour in state.pile)
            case _:
                return _DICE
        for step in begun:
            if step in urn:
                urn[step] -= 1
        return urn

    def outcome_name(self, step: int) -> str:
        if step < ROLL:
            return f"starter {step}"
        if step < SHARE:
            dice = ROLLS[step - ROLL]
            return f"dice {dice.tens} {dice.ones}"
        return COLOURS[step - SHARE] if step < HORSESHOE else f"horseshoe {KINDS[step - HORSESHOE]}"

    def drawn_for(self, state: State, begun: Steps, seat: int | None) -> Steps:
        """What was dealt to oneself."""
        if seat is None:
            return ()
        if state.step == "share":
            each = state.in_the_middle // len(state.smiths)
            return tuple([step for at, step in enumerate(begun) if state.smiths[at // each] == seat])
        if state.step == "deal":
            rack = len(COLOURS) * (self.seats - 1) + RACK * seat
            return begun[SHARES * seat : SHARES * (seat + 1)] + begun[rack : rack + RACK]
        return ()

    # ---- what a seat knows

    def features(self, view: View, seat: int, begun: Steps) -> Features:
        seats = [(seat + place) % self.seats for place in range(self.seats)]
        players = [view.players[one] for one in seats]
        bargain = view.bargain
        proposal = bargain.proposal if bargain else None
        named = dict(zip(bargain.tied, bargain.named, strict=False)) if bargain else {}
        readings = {lain.seat: lain.reading for revealed in view.revealed for lain in revealed.lays}
        nearest = view.revealed[-1].nearest if view.revealed else ()
        rolled = dict(view.rolls)
        places = [place for place, one in enumerate(seats) if one in view.order]
        shares, rack = list(view.shares), view.rack
        if view.mover == CHANCE:
            shares += _colours(step for step in begun if step < HORSESHOE)
            rack += _kinds(step for step in begun if step >= HORSESHOE)
            begun = ()
        proposing = bool(begun) and begun[0] >= TO
        return {
            "step": one_of(len(STEPS), STEPS.index(view.step)),
            "mover": one_of(self.seats, seats.index(view.mover) if view.mover >= 0 else None),
            "waiting": [one in view.queue for one in seats],
            "round": view.round,
            "lucky": view.lucky or 0,
            "order": [view.order.index(one) + 1 if place in places else 0 for place, one in enumerate(seats)],
            "cash": [player.cash for player in players],
            "kontor": [player.kontor for player in players],
            "smith": [player.smith for player in players],
            "hand": [player.shares for player in players],
            "horseshoes": [player.horseshoes for player in players],
            "laid": [player.laid or 0 for player in players],
            "action": [
                one_of(len(ACTIONS), ACTIONS.index(player.action) if player.action else None) for player in players
            ],
            "at_least": [player.at_least for player in players],
            "at_most": [player.at_most for player in players],
            "known": [_counted(player.known) for player in players],
            "bankrupt": [bool(player.bankrupt) for player in players],
            "reading": [readings.get(one, 0) for one in seats],
            "nearest": [one in nearest for one in seats],
            "rolled": [rolled.get(one, 0) for one in seats],
            "dutchman": self._field(view.dutchman),
            "came_from": self._field(view.came_from),
            "ahead": self._fields_among(view.ahead),
            "stones": view.stones,
            "counter": view.counter,
            "in_pile": len(view.pile),
            "put_by": _padded([one_of(self.seats, None if by is None else seats.index(by)) for by in view.put_by],
                              self._most_pile, self.seats),
            "middle": view.middle,
            "middle_known": _counted(view.middle_known),
            "tied": [one in bargain.tied if bargain else 0 for one in seats],
            "named": [self._field(named.get(one)) for one in seats],
            "circle": bargain.circle if bargain else 0,
            "proposer": one_of(
                self.seats, seats.index(bargain.proposer) if bargain and view.step in ("propose", "answer") else None
            ),
            "proposed_to": self._field(proposal.to if proposal else None),
            "ducats": self._by_seat(seats, bargain.tied if bargain else (), proposal.ducats if proposal else ()),
            "accepted": [one in _accepted(bargain) if bargain else 0 for one in seats],
            "shares": [shares.count(colour) for colour in COLOURS],
            "rack": _counted(rack),
            "lay": _counted(view.lay or ()),
            "pile": _padded([one_of(len(COLOURS), COLOURS.index(card) if card else None) for card in view.pile],
                            self._most_pile, len(COLOURS)),
            "begun": 1 if begun else 0,
            "begun_lay": _begun_lay(begun),
            "begun_counts": _begun_counts(begun),
            "begun_to": one_of(FIELDS, begun[0] - TO if proposing else None),
            "begun_asked": _begun_asked(bargain.tied, begun, seats) if bargain and proposing else [0] * self.seats,
            "begun_ducats": self._by_seat(seats, bargain.tied, self._given(begun))
            if bargain and proposing
            else [0] * self.seats,
        }  # fmt: skip

    @property
    def _most_pile(self) -> int:
        return len(COLOURS) * (self.seats - 1)

    def _field(self, name: str | None) -> list[int]:
        return one_of(FIELDS, None if name is None else self._place[name])

    def _fields_among(self, names: Sequence[str]) -> list[int]:
        row = [0] * FIELDS
        for name in names:
            row[self._place[name]] = 1
        return row

    def _by_seat(self, seats: Sequence[int], tied: Sequence[int], ducats: Sequence[int]) -> list[int]:
        given = dict(zip(tied, ducats, strict=False))
        return [given.get(one, 0) for one in seats]

    def tokens(self, event: Event) -> Iterable[int]:
        """What was done, and then what it brought to light."""
        yield from self._done(event.action)
        for happening in event.happened:
            if isinstance(happening, Revealed):
                for lain in happening.lays:
                    yield self._seat + lain.seat
                    yield from _dealt(self.actions, lain.horseshoes)
            elif isinstance(happening, Paid):
                yield from (self._number + count for count in happening.shares)

    def _done(self, action: Any) -> Iterable[int]:
        outcome = 1 + self.actions
        match action:
            case Drawn(shares):
                return [1, *[outcome + _COLOUR[share] for share in shares or ()]]
            case PutBack(shares):
                return [self._unseen if shares is None else 1 + PUT + PAIRS.index(shares)]
            case FaceDown(count, horseshoes):
                return [1 + LAY, self._number + count, *_dealt(self.actions, horseshoes or ())]
            case Dealt(shares, horseshoes):
                return [
                    *[outcome + _COLOUR[share] for share in shares or ()],
                    *_dealt(self.actions, horseshoes or ()),
                ]
            case Got(each, horseshoes):
                return [self._number + each, *_dealt(self.actions, horseshoes or ())]
            case Shuffled(count):
                return [self._unseen, self._number + count]
            case Starter() | Dice():
                return [outcome + step for step in _steps_of(action)]
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
        """1 for the victory; several who win share it."""
        result = DUTCHMAN.result(state)
        assert result is not None
        share = 1 / len(result.winners)
        return tuple([share if seat in result.winners else 0.0 for seat in range(self.seats)])


# ------------------------------------------------------------------------------------------- lays


def _silver_in_rack(state: State) -> list[int]:
    """The kinds of silver that the mover has."""
    silver = state.merchants[state.mover].silver.horseshoes
    return [kind for kind in SILVER if kind in silver]


def _actions(state: State) -> list[int]:
    """The first steps of whatever the mover may do in an action, or in a deciding round."""
    merchant = state.merchants[state.mover]
    moves = DUTCHMAN.moves(state)
    plain = [step for step in range(PLAIN.index(Withhold())) if PLAIN[step] in moves]
    gold = [LAY + 1 + GOLD.index(horseshoe) for horseshoe in merchant.gold]
    return plain + [LAY] * bool(merchant.silver.horseshoes) + sorted(gold)


def _next_horseshoes(state: State, begun: Steps) -> list[int]:
    """How many of the next kind of silver; of the last at least one, if there is nothing in the lay yet."""
    kinds = _silver_in_rack(state)
    kind = kinds[len(begun) - 1]
    count = state.merchants[state.mover].silver.horseshoes.count(kind)
    last = kind == kinds[-1]
    return [SILVERS[kind] + laid for laid in range(last and not _lay(begun).horseshoes, count + 1)]


def _lay(begun: Steps) -> Lay:
    """The lay so far."""
    gold = GOLD[begun[0] - LAY - 1 : begun[0] - LAY] if begun[0] > LAY else ()
    return Lay((*gold, *[kind for step in begun[1:] for kind in _kind_and_count(step)]))


def _kind_and_count(step: int) -> tuple[int, ...]:
    """The horseshoes that a step lays."""
    kind = next(kind for kind in reversed(SILVER) if step >= SILVERS[kind])
    return (kind,) * (step - SILVERS[kind])


def _first_of(lay: Horseshoes) -> int:
    return LAY + 1 + GOLD.index(lay[0]) if lay[0] > MOST_SILVER else LAY


# ------------------------------------------------------------------------------------------ outcomes

_BOX: Final = Counter(_KIND[horseshoe] for horseshoe in HORSESHOES)


def _outcome(state: State, begun: Steps) -> Any:
    """The outcome that these steps make, None if there are steps to come."""
    match state.step:
        case "starter":
            return Starter(begun[0])
        case "deal":
            return _deal(state.options.players, begun)
        case "share":
            return _share(state, begun)
        case "shuffle":
            return Shuffle(_colours(begun)) if len(begun) == len(state.pile) else None
        case _:
            return ROLLS[begun[0] - ROLL]


def _colours(steps: Iterable[int]) -> tuple[Colour, ...]:
    return tuple([COLOURS[step - SHARE] for step in steps])


def _kinds(steps: Iterable[int]) -> Horseshoes:
    return highest_first(KINDS[step - HORSESHOE] for step in steps)


def _deal(players: int, begun: Steps) -> Deal | None:
    shares = len(COLOURS) * (players - 1)
    racks = shares + RACK * players
    if len(begun) < racks + players:
        return None
    hands = SHARES * players
    rest = _BOX.copy()
    rest.subtract(begun[shares:])
    return Deal(
        hands=tuple([hand_of(_colours(begun[at : at + SHARES])) for at in range(0, hands, SHARES)]),
        pile=_colours(begun[hands:shares]),
        racks=tuple([_kinds(begun[at : at + RACK]) for at in range(shares, racks, RACK)]),
        middle=_kinds(begun[racks:]),
        out=_kinds(rest.elements()),
    )


def _share(state: State, begun: Steps) -> Share | None:
    smiths = len(state.smiths)
    each = state.in_the_middle // smiths
    if len(begun) < each * smiths:
        return None
    rest = Counter(_KIND[horseshoe] for horseshoe in state.middle)
    rest.subtract(begun)
    parts = tuple([_kinds(begun[at : at + each]) for at in range(0, each * smiths, each)])
    return Share(parts, _kinds(rest.elements()))


def _steps_of(outcome: Starter | Deal | Dice | Share | Shuffle) -> Steps:
    match outcome:
        case Starter(seat):
            return (seat,)
        case Dice():
            return (ROLL + ROLLS.index(outcome),)
        case Share(parts):
            return tuple([_KIND[horseshoe] for part in parts for horseshoe in part])
        case Shuffle(pile):
            return tuple([_COLOUR[colour] for colour in pile])
        case Deal(hands, pile, racks, middle):
            shares = [_COLOUR[colour] for hand in (*hands, pile) for colour in hand]
            return tuple(shares + [_KIND[horseshoe] for heap in (*racks, middle) for horseshoe in heap])


# -------------------------------------------------------------------------------------- observations


def pieces(players: int) -> tuple[Piece, ...]:
    """Of an observation. Seats are counted clockwise from the observer's."""
    pile, ducats, heap = len(COLOURS) * (players - 1), most_ducats(players), (len(KINDS),)
    most, shoes = max(COUNT.values()), len(HORSESHOES)
    return (
        Piece("step", (len(STEPS),), 1),
        Piece("mover", (players,), 1),
        Piece("waiting", (players,), 1),
        Piece("round", (1,), ROUNDS),
        Piece("lucky", (1,), 49),
        Piece("order", (players,), players),
        Piece("cash", (players,), ducats),
        Piece("kontor", (players,), CARDS),
        Piece("smith", (players,), CARDS),
        Piece("hand", (players,), SHARES + EXCHANGED),
        Piece("horseshoes", (players,), shoes),
        Piece("laid", (players,), shoes),
        Piece("action", (players, len(ACTIONS)), 1),
        Piece("at_least", (players, len(COLOURS)), SHARES),
        Piece("at_most", (players, len(COLOURS)), SHARES + EXCHANGED),
        Piece("known", (players, *heap), most),
        Piece("bankrupt", (players,), 1),
        Piece("reading", (players,), 49),
        Piece("nearest", (players,), 1),
        Piece("rolled", (players,), 49),
        Piece("dutchman", (FIELDS,), 1),
        Piece("came_from", (FIELDS,), 1),
        Piece("ahead", (FIELDS,), 1),
        Piece("stones", (len(COLOURS),), LAST_CHEST),
        Piece("counter", (1,), LAST_CHEST),
        Piece("in_pile", (1,), pile),
        Piece("put_by", (pile, players), 1),
        Piece("middle", (1,), shoes),
        Piece("middle_known", heap, most),
        Piece("tied", (players,), 1),
        Piece("named", (players, FIELDS), 1),
        Piece("circle", (1,), 6),
        Piece("proposer", (players,), 1),
        Piece("proposed_to", (FIELDS,), 1),
        Piece("ducats", (players,), ducats, -ducats),
        Piece("accepted", (players,), 1),
        Piece("shares", (len(COLOURS),), SHARES + EXCHANGED, private=True),
        Piece("rack", heap, most, private=True),
        Piece("lay", heap, most, private=True),
        Piece("pile", (pile, len(COLOURS)), 1, private=True),
        Piece("begun", (1,), 1, private=True),
        Piece("begun_lay", (len(GOLD) + 1,), 1, private=True),
        Piece("begun_counts", (len(SILVER), 2), most, private=True),
        Piece("begun_to", (FIELDS,), 1, private=True),
        Piece("begun_asked", (players,), 1, private=True),
        Piece("begun_ducats", (players,), ducats, -ducats, private=True),
    )


def _counted(horseshoes: Horseshoes) -> list[int]:
    counts = [0] * len(KINDS)
    for horseshoe in horseshoes:
        counts[_KIND[horseshoe] - HORSESHOE] += 1
    return counts


def _padded(rows: list[list[int]], most: int, width: int) -> list[list[int]]:
    return rows + [[0] * width] * (most - len(rows))


def _accepted(bargain: Any) -> tuple[int, ...]:
    return bargain.accepted if bargain.proposal else ()


def _begun_lay(begun: Steps) -> list[int]:
    return one_of(len(GOLD) + 1, begun[0] - LAY if begun and LAY <= begun[0] < _FIRST else None)


def _begun_counts(begun: Steps) -> list[tuple[int, int]]:
    """For each kind of silver: whether it was said how many are laid, and how many."""
    said = {}
    for step in begun[1:] if begun and begun[0] < _FIRST else ():
        kind = next(kind for kind in reversed(SILVER) if step >= SILVERS[kind])
        said[kind] = step - SILVERS[kind]
    return [(kind in said, said.get(kind, 0)) for kind in SILVER]


def _begun_asked(tied: Sequence[int], begun: Steps, seats: Sequence[int]) -> list[int]:
    """Whose ducats are asked for."""
    return one_of(len(seats), seats.index(tied[len(begun) - 1]))


def _dealt(actions: int, horseshoes: Horseshoes) -> list[int]:
    """The tokens of horseshoes."""
    return [1 + actions + _KIND[horseshoe] for horseshoe in horseshoes]


# --------------------------------------------------------------------------------------------- lengths


@cache
def _most_actions(players: int, circles: int) -> int:
    """Each round, everybody plays a card, lays (five steps) or passes; whoever is tied bargains, lays again and may
    be tied again, as long as there are horseshoes; and all show a share or keep theirs. A tie takes a horseshoe from
    each tied player."""
    lay = 1 + len(SILVER)
    ties = max(len(HORSESHOES) // tied * _most_in_a_tie(tied, circles) for tied in range(2, players + 1))
    return ROUNDS * (players * lay + ties + players * lay + players)


def _most_in_a_tie(tied: int, circles: int) -> int:
    """Naming; in each circle a proposal of each (a step for the field, and for all but one) with the answers to it;
    and laying again."""
    lay = 1 + len(SILVER)
    return tied + circles * tied * (tied + tied - 1) + tied * lay


def _most_outcomes(players: int) -> int:
    """The starter and the deal; each round the lucky number, all horseshoes shared, the pile shuffled, and everybody
    rolling for it twelve times. The rules set no end to that, but two who are equal are so again once in 13 times."""
    shares, horseshoes = len(COLOURS) * (players - 1), len(HORSESHOES)
    return 1 + shares + horseshoes + ROUNDS * (1 + horseshoes + shares + players * 12)
