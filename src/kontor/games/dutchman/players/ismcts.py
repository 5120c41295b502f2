"""The player called ``ismcts``: plain tree search over information sets, a benchmark player for others.

Single-observer information-set Monte-Carlo tree search with partially observable moves (Cowling, Powley, Whitehouse:
Information Set Monte Carlo Tree Search, 2012). Each iteration draws a whole state from what the searching seat may
believe, goes down the tree among the moves that this state allows, adds one node, and plays on quickly to the end of
the game (``playouts``). Each mover seeks the own share of the victory.

A node is told by what the searching seat sees of the steps to it, and who is then to act in which step. What others
do unseen, like which horseshoes they lay, shares an edge. What a reveal or a payment shows in detail makes no new
nodes: nearly none of them would ever be met again.

Only some moves are in the tree, for there can be hundreds of lays and millions of proposals: of lays those that
``greedy`` holds to be worthwhile; of proposals for each destination that nothing is paid, and that the proposer pays
or gets some round sum from each of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log, sqrt
from random import Random
from typing import Any, Final, cast

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players.beliefs import Beliefs
from kontor.games.dutchman.players.greedy import worthwhile_lays
from kontor.games.dutchman.players.playouts import shares_of_victory
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.components import FEW, Horseshoes
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import carried_out
from kontor.games.dutchman.rules.state import Kontor, Lay, Move, Pass, Propose, Put, Smith, State, Withhold
from kontor.games.dutchman.rules.view import View, event
from kontor.players import Choose
from kontor.players.budget import Budget, Iterations

USUAL: Final = Iterations(500)
"""The budget if none is named."""

EXPLORATION: Final = 0.4
"""How much a move is favoured that was seldom tried: the factor of the root in UCB. In twenty
games each, 0.25 and 0.5 could not be told from it."""

SUMS: Final = (0, 3, 8, -3)
"""What a proposer pays each of the others, or asks of each."""


def with_budget(budget: Budget) -> Choose:
    """The player that thinks so long about a move: it chooses the one that it tried most often."""

    def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
        return moves[0] if len(moves) == 1 else _Search(view, random).best(budget)

    return choose


choose: Final = with_budget(USUAL)


# ---------------------------------------------------------------------------------------------------- choices

Choice = Move | type[Lay] | type[Put]
"""A move; or any lay, or any two shares put back, by somebody whose horseshoes and shares are not seen."""


def _choices(state: State, seat: int) -> Sequence[Choice]:
    """What the mover may do, in the tree of a seat."""
    step = state.step
    if step in ("action", "again"):
        return _actions(state, seat)
    if step == "propose":
        return _proposals(state)
    if step == "put" and state.mover != seat:
        return (Put,)
    return moves(state)


def _actions(state: State, seat: int) -> list[Choice]:
    """H6, H10: cards, passing, and lays."""
    merchant = state.merchants[state.mover]
    rack = merchant.rack
    found: list[Choice] = []
    if state.step == "again" or len(rack) < FEW:
        found.append(Pass())
    if state.step == "action":
        if merchant.kontor:
            found.append(Kontor())
        if merchant.smith:
            found.append(Smith())
    if state.mover == seat:
        found += _lays(rack, state.lucky or 0)
    elif rack:
        found.append(Lay)
    return found


@lru_cache(maxsize=1024)
def _lays(rack: Horseshoes, lucky: int) -> tuple[Lay, ...]:
    return tuple([Lay(lay) for _, lay in worthwhile_lays(rack, lucky)])


def _proposals(state: State) -> list[Choice]:
    """H9: round sums, as far as there is cash for them."""
    bargain = state.bargain
    assert bargain
    tied, me = bargain.tied, bargain.proposer
    cash = [state.merchants[seat].cash for seat in tied]
    found: list[Choice] = [Withhold()]
    for ducats in SUMS:
        payments = tuple([-ducats * (len(tied) - 1) if seat == me else ducats for seat in tied])
        if all(purse + change >= 0 for purse, change in zip(cash, payments, strict=True)):
            ahead = state.sea.ahead[state.dutchman][state.came_from]
            found += [Propose(field, payments) for field in ahead]
    return found


def _made(choice: Choice, state: State, random: Random) -> Move:
    """The move of a choice; where it is hidden, any that it may be."""
    if choice is Lay:
        lays = _lays(state.merchants[state.mover].rack, state.lucky or 0)
        return lays[random.randrange(len(lays))]
    if choice is Put:
        pairs = moves(state)
        return pairs[random.randrange(len(pairs))]
    return cast("Move", choice)


# ------------------------------------------------------------------------------------------------------ search


class _Edge:
    """A choice at a node: how often it was there to be chosen, how often it was, and what its mover won by it."""

    __slots__ = ("available", "tried", "won")

    def __init__(self) -> None:
        self.available = 0
        self.tried = 0
        self.won = 0.0


class _Node:
    """What the searching seat may know to have come so far."""

    __slots__ = ("edges", "next")

    def __init__(self) -> None:
        self.edges: dict[Choice, _Edge] = {}
        self.next: dict[tuple[object, int, str], _Node] = {}

    def choose(self, choices: Sequence[Choice], random: Random) -> Choice:
        """One that was never tried; or else the one that UCB favours."""
        edges = self.edges
        there = []
        for choice in choices:
            edge = edges.get(choice)
            if edge is None:
                edge = edges[choice] = _Edge()
            edge.available += 1
            there.append(edge)
        fresh = [choice for choice, edge in zip(choices, there, strict=True) if not edge.tried]
        if fresh:
            return fresh[random.randrange(len(fresh))]
        bounds = [edge.won / edge.tried + EXPLORATION * sqrt(log(edge.available) / edge.tried) for edge in there]
        return choices[bounds.index(max(bounds))]


class _Search:
    """The tree of a decision."""

    def __init__(self, view: View, random: Random) -> None:
        assert view.seat is not None
        self._seat = view.seat
        self._beliefs = Beliefs(view)
        self._random = random
        self._root = _Node()

    def best(self, budget: Budget) -> Move:
        """The move tried most often, and of several the one that won most."""
        for _ in budget.thinking():
            self._iterate(self._beliefs.sample(self._random))
        edges = self._root.edges
        return cast("Move", max(edges, key=lambda choice: (edges[choice].tried, edges[choice].won)))

    def _iterate(self, state: State) -> None:
        """Down the tree to a choice that was never tried, and on from there at random; then all who chose learn who
        won."""
        random, node = self._random, self._root
        path: list[tuple[int, _Edge]] = []
        fresh = False
        while state.mover != OVER and not fresh:
            action: Any
            if state.mover == CHANCE:
                action = chance(state).draw(random.randrange)
            else:
                choice = node.choose(_choices(state, self._seat), random)
                action = _made(choice, state, random)
                edge = node.edges[choice]
                path.append((state.mover, edge))
                fresh = not edge.tried
            before, state = state, carried_out(state, action)
            if not fresh:
                node = self._next(node, before, action, state)
        won = shares_of_victory(state, random)
        for mover, edge in path:
            edge.tried += 1
            edge.won += won[mover]

    def _next(self, node: _Node, before: State, action: Any, state: State) -> _Node:
        seen = event(before, action, state, self._seat).action
        key = seen, state.mover, state.step
        found = node.next.get(key)
        if found is None:
            found = node.next[key] = _Node()
        return found
