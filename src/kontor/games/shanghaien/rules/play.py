"""The rules of Shanghaien (S3 to S12): what may be done, and what comes of it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, factorial, perm, prod
from typing import Any, Final, cast

from msgspec.structs import replace

from kontor.game import CHANCE, OVER, Below, Chance, Die, Result, is_malformed
from kontor.games.shanghaien.rules.components import ROUNDS, ROW, TRICKS, Card, Nation, Trick
from kontor.games.shanghaien.rules.refusals import impossible, refusal
from kontor.games.shanghaien.rules.scoring import Crew, LaidJoker, totals
from kontor.games.shanghaien.rules.state import (
    NOBODY_PLACED,
    NOT_SPENT,
    Award,
    Both,
    Dice,
    Joker,
    Move,
    Nudge,
    Number,
    Numbers,
    Outcome,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
    Starter,
    State,
)

# ------------------------------------------------------------------------------------------------------- moves

_TURNS: Final[tuple[tuple[Move, ...], ...]] = (
    *[(Roll(),)] * 2,
    *[(Roll(), Shanghai())] * (ROW - 3),
    *[(Shanghai(),)] * 2,
)
"""By the number of own dice placed: rolling needs 2 dice left, shanghaiing 2 placed (S4, S5)."""

_ENDS: Final[tuple[Move, ...]] = (Number("left"), Number("right"))

_PLACINGS: Final[dict[tuple[int, int] | None, tuple[Move, ...]]] = {
    (low, high): (Place(low),) if low == high else (Place(low), Place(high))
    for low in range(1, ROW + 1)
    for high in range(low, ROW + 1)
}
"""Die of the two to place, by roll (S6)."""


def moves(state: State) -> tuple[Move, ...]:
    """Return the legal moves of the seat to move, each once; none if chance is to act or the game is over."""
    step = state.step
    if step == "turn":
        return _TURNS[sum(state.placed[state.turn])]
    if step == "place":
        plain = _PLACINGS[state.roll] if state.one_at else _ENDS
        crew = state.crews[state.turn]
        if not crew.tricks or state.spent[state.turn]:
            return plain
        return plain + _tricks(state.roll or (), crew.tricks, crew.nations)
    if step == "both":
        return _ENDS
    return ()


@cache
def _tricks(roll: tuple[int, int], tricks: tuple[Trick, ...], nations: tuple[Nation, ...]) -> tuple[Move, ...]:
    """Return the moves that the trick cards in hand allow after a roll (S8)."""
    kinds = tuple(dict.fromkeys(tricks))
    moves: list[Move] = [Joker(trick, nation) for trick in kinds for nation in nations]
    if "nudge" in kinds:
        moves += [Nudge(die, to) for die in dict.fromkeys(roll) for to in (die - 1, die + 1) if 1 <= to <= ROW]
    if "both" in kinds:
        moves.append(Both())
    if "reroll" in kinds:
        moves.append(Reroll())
    return tuple(moves)


# ------------------------------------------------------------------------------------------------------ chance

_STARTER: Final = Die([Starter(0), Starter(1)])
_DICE: Final = Die([Dice(min(a, b), max(a, b)) for a in range(1, ROW + 1) for b in range(1, ROW + 1)])


class Laying:
    """Chance lays a row of six of the cards still to come; every order of the pile is equally likely (S3)."""

    __slots__ = ("_pile",)

    def __init__(self, pile: tuple[Card, ...]) -> None:
        self._pile = pile

    def draw(self, below: Below) -> Row:
        """Draw six of the cards left, counted in sorted order: ``below(48)``, ``below(47)`` and so on."""
        left = list(self._pile)
        return Row(tuple([left.pop(below(count)) for count in range(len(left), len(left) - ROW, -1)]))

    def probability(self, outcome: object) -> Fraction:
        """Return the probability of a row; equal cards are interchangeable."""
        if not isinstance(outcome, Row) or outcome not in self:
            return Fraction(0)
        pile, row = Counter(self._pile), Counter(outcome.cards)
        ways = prod(comb(pile[card], count) * factorial(count) for card, count in row.items())
        return Fraction(ways, perm(len(self._pile), ROW))

    def outcomes(self) -> None:
        """Return None: there are too many rows to list."""
        return

    def __contains__(self, outcome: object) -> bool:
        if not isinstance(outcome, Row) or len(outcome.cards) != ROW:
            return False
        return _without(self._pile, outcome.cards) is not None


@lru_cache(maxsize=16)
def _without(pile: tuple[Card, ...], cards: tuple[Card, ...]) -> tuple[Card, ...] | None:
    """Return a sorted pile without some cards, or None if they are not all there.

    It is cached because each row is first checked and then laid, with the same arguments.
    """
    left = list(pile)
    for card in cards:
        at = bisect_left(left, card)
        if at == len(left) or left[at] != card:
            return None
        del left[at]
    return tuple(left)


def chance(state: State) -> Chance[Outcome]:
    """Return what chance may do in a state whose mover is CHANCE."""
    if state.step == "row":
        return Laying(state.to_come)
    return _STARTER if state.step == "starter" else _DICE


def occasion(state: State) -> tuple[str | int, ...]:
    """Return the occasion: the round's row, or a seat's rolls of the round, with those by *reroll* apart."""
    if state.step in ("roll", "reroll"):
        return state.step, state.round, state.turn
    return state.step, state.round


# -------------------------------------------------------------------------------------------------------- play


def play(state: State, action: Any) -> State:
    """Return the state after a move or an outcome; raise IllegalMove with the rule that refuses it."""
    try:
        legal = action in moves(state) if state.mover >= 0 else state.mover == CHANCE and action in chance(state)
    except TypeError:  # what has fields of the wrong type cannot even be compared
        if not is_malformed(action, Move | Outcome):
            raise
        legal = False
    if not legal:
        raise refusal(state, action) if state.mover >= 0 else impossible(state, action)
    return _PLAY[type(action)](state, action)


def _starter(state: State, outcome: Starter) -> State:
    return replace(state, step="row", turn=outcome.seat, starter=outcome.seat)


def _row(state: State, outcome: Row) -> State:
    to_come = _without(state.to_come, outcome.cards)
    return replace(state, mover=state.starter, step="turn", turn=state.starter, row=outcome.cards, to_come=to_come)


def _roll(state: State, _: Roll) -> State:
    return replace(state, mover=CHANCE, step="roll")


def _dice(state: State, outcome: Dice) -> State:
    return replace(state, mover=state.turn, step="place", roll=(outcome.low, outcome.high))


def _number(state: State, move: Number) -> State:
    numbered = replace(state, one_at=move.one_at)
    return _place_dice(numbered, *state.roll) if state.step == "both" and state.roll else numbered


def _place(state: State, move: Place) -> State:
    return _place_dice(state, move.die)


def _place_dice(state: State, *dice: int) -> State:
    """Place the dice (S6) and pass the turn to the other seat."""
    turn = state.turn
    numbers = state.placed[turn]
    for die in dice:
        numbers = _and_die(numbers, die)
    placed = (state.placed[0], numbers) if turn else (numbers, state.placed[1])
    return replace(state, mover=1 - turn, step="turn", turn=1 - turn, placed=placed, roll=None)


@cache
def _and_die(numbers: Numbers, die: int) -> Numbers:
    """Return the dice of a player with one more."""
    more = list(numbers)
    more[die - 1] += 1
    return cast("Numbers", tuple(more))


def _spend(state: State, trick: Trick, joker: LaidJoker | None = None) -> State:
    """Use a trick card: move the captain to the row and take the card out of the game or the hand (S8)."""
    turn = state.turn
    crew = state.crews[turn]
    at = crew.tricks.index(trick)
    tricks = crew.tricks[:at] + crew.tricks[at + 1 :]
    crew = replace(crew, tricks=tricks, jokers=(*crew.jokers, joker) if joker else crew.jokers)
    return replace(
        state,
        spent=(state.spent[0], True) if turn else (True, state.spent[1]),
        crews=(state.crews[0], crew) if turn else (crew, state.crews[1]),
        gone=state.gone if joker else (*state.gone, trick),
    )


def _joker(state: State, move: Joker) -> State:
    return _spend(state, move.trick, LaidJoker(move.trick, move.nation))


def _nudge(state: State, move: Nudge) -> State:
    low, high = state.roll or (0, 0)
    other_die = high if move.die == low else low
    return replace(_spend(state, "nudge"), roll=(min(other_die, move.to), max(other_die, move.to)))


def _both(state: State, _: Both) -> State:
    spent = _spend(state, "both")
    return _place_dice(spent, *state.roll) if state.one_at and state.roll else replace(spent, step="both")


def _reroll(state: State, _: Reroll) -> State:
    return replace(_spend(state, "reroll"), mover=CHANCE, step="reroll", roll=None)


def _shanghai(state: State, _: Shanghai) -> State:
    """Deal out the row (S9), take the dice back and let the other player start the next round (S10)."""
    awards = deal_out(state.row if state.one_at == "left" else state.row[::-1], state.placed)
    won: tuple[list[Card], list[Card]] = ([], [])
    gone = list(state.gone)
    for award in awards:
        (gone if award.taker is None else won[award.taker]).append(award.card)
    last = state.round == ROUNDS
    return replace(
        state,
        mover=OVER if last else CHANCE,
        step="over" if last else "row",
        turn=1 - state.turn,
        placed=NOBODY_PLACED,
        spent=NOT_SPENT,
        one_at=None,
        row=(),
        crews=(_recruit(state.crews[0], won[0]), _recruit(state.crews[1], won[1])),
        round=state.round if last else state.round + 1,
        starter=1 - state.turn,
        gone=tuple(gone),
        awards=awards,
        awards_one_at=state.one_at,
    )


def deal_out(cards: tuple[Card, ...], placed: tuple[Numbers, Numbers]) -> tuple[Award, ...]:
    """Return who gets which card (S9). The cards are in order of their numbers, 1 to 6, and so are the dice."""
    awards = []
    for at, card in enumerate(cards):
        first, second = dice = placed[0][at], placed[1][at]
        pips = None
        taker = None
        if first != second:
            taker = 0 if first > second else 1
        elif first:
            pips = _neighbouring(placed[0], at), _neighbouring(placed[1], at)
            if pips[0] != pips[1]:
                taker = 0 if pips[0] > pips[1] else 1
        awards.append(Award(card, dice, pips, taker))
    return tuple(awards)


def _neighbouring(numbers: Numbers, at: int) -> int:
    """Return the pips on the cards beside the place ``at`` (0 to 5); a card at the end has one neighbour."""
    pips = at * numbers[at - 1] if at else 0
    return pips + (at + 2) * numbers[at + 1] if at < ROW - 1 else pips


def _recruit(crew: Crew, won: list[Card]) -> Crew:
    """Return a crew with the cards of the row that it won."""
    tricks = [card for card in won if card in TRICKS]
    if not tricks:
        return replace(crew, sailors=(*crew.sailors, *won)) if won else crew
    sailors = [card for card in won if card not in TRICKS]
    return replace(crew, sailors=(*crew.sailors, *sailors), tricks=tuple(sorted([*crew.tricks, *tricks])))


_PLAY: Final[dict[type, Callable[[State, Any], State]]] = {
    Starter: _starter,
    Row: _row,
    Dice: _dice,
    Roll: _roll,
    Shanghai: _shanghai,
    Number: _number,
    Place: _place,
    Joker: _joker,
    Nudge: _nudge,
    Both: _both,
    Reroll: _reroll,
}


def result(state: State) -> Result | None:
    """Return the totals and winners (S11, S12), or None before the end; equal points are a draw."""
    if state.mover != OVER:
        return None
    points = totals(state.crews)
    best = max(points)
    return Result(points, tuple(seat for seat in (0, 1) if points[seat] == best))
