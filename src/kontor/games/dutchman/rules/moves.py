"""The legal moves of every step in Der fliegende Holländer (H6 to H12).

Lays and proposals are many: there can be hundreds of lays and millions of ways to pay. Such moves are a sequence with
length, index and membership, and a move is made only when it is accessed.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, overload

from msgspec import StructMeta

from kontor.game import Value
from kontor.games.dutchman.rules.bargain import Payments
from kontor.games.dutchman.rules.components import EXCHANGED, Colour, Horseshoes
from kontor.games.dutchman.rules.horseshoes import Silver, can_lay, lay_number, number_of_lays
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Merchant,
    Move,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Smith,
    State,
    Step,
    Waive,
    Withhold,
)


def moves(state: State) -> Sequence[Move]:
    """Return the legal moves of the seat to move, each once. Empty if chance is to act or the game is over."""
    return () if state.mover < 0 else _MOVES[state.step](state)


def is_legal(state: State, move: object) -> bool:
    """Return True if a move is legal. Where horseshoes can be laid, only this lay is checked."""
    step = state.step
    if step in _LAYING:
        merchant = state.merchants[state.mover]
        if isinstance(move, Lay):
            return can_lay(move.horseshoes, merchant.gold, merchant.silver)
        return move in (_cards(merchant, state.options.box.few) if step == "action" else _PASS)
    return move in _MOVES[step](state)


class _ManyMeta(StructMeta, ABCMeta):
    """Metaclass of values that are sequences."""


class _Many(Sequence[Move]):
    """Legal moves that are made only when they are accessed."""

    __slots__ = ()

    def _at(self, index: int) -> Move:
        """Return the move with an index from 0. Raises IndexError beyond the last."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(index, slice):
            return tuple(self._at(place) for place in range(*index.indices(len(self))))
        if index < 0:
            index += len(self)
            if index < 0:
                raise IndexError(index)
        return self._at(index)

    def __iter__(self) -> Iterator[Move]:
        return map(self._at, range(len(self)))


class _Lays(Value, _Many, frozen=True, eq=False, metaclass=_ManyMeta):
    """Some moves that need no horseshoes, and then every lay (H6c, H10)."""

    others: tuple[Move, ...]
    gold: Horseshoes
    silver: Silver

    def _at(self, index: int) -> Move:
        number = index - len(self.others)
        return Lay(lay_number(number, self.gold, self.silver)) if number >= 0 else self.others[index]

    def __len__(self) -> int:
        return len(self.others) + number_of_lays(self.gold, self.silver)

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Lay):
            return can_lay(move.horseshoes, self.gold, self.silver)
        return move in self.others


class _Proposals(_Many):
    """Withholding, and then every proposal: each destination with each way to pay (H9)."""

    __slots__ = ("_destinations", "_payments")

    def __init__(self, destinations: tuple[str, ...], cash: tuple[int, ...]) -> None:
        self._destinations = destinations
        self._payments = Payments(cash)

    def __len__(self) -> int:
        return 1 + len(self._destinations) * self._payments.count

    def _at(self, index: int) -> Move:
        if not index:
            return Withhold()
        destination, payment = divmod(index - 1, self._payments.count)
        return Propose(self._destinations[destination], self._payments.ducats(payment))

    def __contains__(self, move: object) -> bool:
        if isinstance(move, Propose):
            return move.to in self._destinations and self._payments.possible(move.ducats)
        return isinstance(move, Withhold)


# ------------------------------------------------------------------------------------------- step by step


_LAYING: Final = ("action", "again")
"""The steps in which horseshoes can be laid."""

_PASS: Final = (Pass(),)
_ANSWERS: Final = (Accept(), Decline())
_CHECKS: Final = (Check(), Waive())
_CARDS: Final[dict[tuple[bool, bool, bool], tuple[Move, ...]]] = {
    (kontor, smith, few): (*[Kontor()] * kontor, *[Smith()] * smith, *[Pass()] * few)
    for kontor in (True, False)
    for smith in (True, False)
    for few in (True, False)
}
"""Moves with cards and passing, by having Kontor cards, Smith cards, and few horseshoes (H6a, H6b, H6d)."""


def _cards(merchant: Merchant, most: int) -> tuple[Move, ...]:
    few = len(merchant.gold) + len(merchant.silver.horseshoes) < most
    return _CARDS[merchant.kontor > 0, merchant.smith > 0, few]


def _actions(state: State) -> Sequence[Move]:
    merchant = state.merchants[state.mover]
    return _Lays(_cards(merchant, state.options.box.few), merchant.gold, merchant.silver)


def _further(state: State) -> Sequence[Move]:
    merchant = state.merchants[state.mover]
    return _Lays(_PASS, merchant.gold, merchant.silver)


def _puttings(state: State) -> Sequence[Move]:
    return _puttings_of(state.merchants[state.mover].shares)


@cache
def _puttings_of(shares: tuple[Colour, ...]) -> tuple[Move, ...]:
    """Return the moves that put back any two of the shares in hand (H6a)."""
    return tuple(Put(pair) for pair in dict.fromkeys(combinations(shares, EXCHANGED)))


def _ahead(state: State) -> tuple[str, ...]:
    return state.sea.ahead[state.dutchman][state.came_from]


def _sailings(state: State) -> Sequence[Move]:
    return _sailings_to(_ahead(state))


@lru_cache(maxsize=1024)
def _sailings_to(fields: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(Sail(field) for field in fields)


def _namings(state: State) -> Sequence[Move]:
    return _namings_of(_ahead(state))


@lru_cache(maxsize=1024)
def _namings_of(fields: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(Name(field) for field in fields)


def _proposals(state: State) -> Sequence[Move]:
    tied = state.bargain.tied if state.bargain else ()
    return _Proposals(_ahead(state), tuple([state.merchants[seat].cash for seat in tied]))


def _answers(_: State) -> Sequence[Move]:
    return _ANSWERS


def _checks(_: State) -> Sequence[Move]:
    return _CHECKS


def _showings(state: State) -> Sequence[Move]:
    return _showings_of(state.merchants[state.mover].shares)


@cache
def _showings_of(shares: tuple[Colour, ...]) -> tuple[Move, ...]:
    """Return the moves that show one of the own shares, or none (H12)."""
    return (Keep(), *(Show(colour) for colour in dict.fromkeys(shares)))


_MOVES: Final[dict[Step, Callable[[State], Sequence[Move]]]] = {
    "action": _actions,
    "put": _puttings,
    "sail": _sailings,
    "name": _namings,
    "propose": _proposals,
    "answer": _answers,
    "again": _further,
    "show": _showings,
    "check": _checks,
}
