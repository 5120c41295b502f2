"""Benchmark player ``ismcts``: plain tree search over information sets.

Single-observer information-set Monte-Carlo tree search with partially observable moves (Cowling, Powley, Whitehouse:
Information Set Monte Carlo Tree Search, 2012). Each iteration draws a whole state from the beliefs of the searching
seat. It goes down the tree among the moves that this state allows, and adds one node. Then it plays quickly to the
end of the game (``playouts``). Each mover maximises its own share of the victory.

A node is identified by what the searching seat sees of the steps to it, and by the seat and step that follow. Hidden
choices of others, such as the horseshoes of a lay, share an edge. The details that a reveal or a payment shows make
no new nodes: nearly none of them would ever be visited again.

Only some moves are in the tree, for there can be hundreds of lays and millions of proposals. Of lays it has those
that ``greedy`` considers worthwhile. Of proposals, for each destination: nothing is paid, or the proposer pays or
gets a round sum from each of the others.
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
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.components import FEW, Horseshoes
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import carried_out
from kontor.games.dutchman.rules.state import Kontor, Lay, Move, Pass, Propose, Put, Smith, State, Withhold
from kontor.games.dutchman.rules.view import View, event
from kontor.players import Choose
from kontor.players.budget import Budget, Iterations
from training.dutchman.playouts import shares_of_victory

USUAL: Final = Iterations(500)
"""Default budget."""

EXPLORATION: Final = 0.4
"""Preference for moves that were seldom tried: the factor of the root in UCB. In twenty games each, 0.25 and 0.5 made
no visible difference."""

SUMS: Final = (0, 3, 8, -3)
"""Ducats that a proposer pays each of the others (negative: asks of each)."""


def with_budget(budget: Budget) -> Choose:
    """Return the player that thinks about a move for this budget, and chooses the one tried most often."""

    def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
        return moves[0] if len(moves) == 1 else _Search(view, random).best(budget)

    return choose


choose: Final = with_budget(USUAL)


# ---------------------------------------------------------------------------------------------------- choices

Choice = Move | type[Lay] | type[Put]
"""A move; or any lay, or any two shares put back, by a player whose horseshoes and shares are hidden."""


def _choices(state: State, seat: int) -> Sequence[Choice]:
    """Return what the mover may do, in the tree of a seat."""
    step = state.step
    if step in ("action", "again"):
        return _actions(state, seat)
    if step == "propose":
        return _proposals(state)
    if step == "put" and state.mover != seat:
        return (Put,)
    return moves(state)


def _actions(state: State, seat: int) -> list[Choice]:
    """Return the choices of an action or a deciding round (H6, H10): cards, passing, and lays."""
    merchant = state.merchants[state.mover]
    rack = merchant.rack
    choices: list[Choice] = []
    if state.step == "again" or len(rack) < FEW:
        choices.append(Pass())
    if state.step == "action":
        if merchant.kontor:
            choices.append(Kontor())
        if merchant.smith:
            choices.append(Smith())
    if state.mover == seat:
        choices += _lays(rack, state.lucky or 0)
    elif rack:
        choices.append(Lay)
    return choices


@lru_cache(maxsize=1024)
def _lays(rack: Horseshoes, lucky: int) -> tuple[Lay, ...]:
    return tuple([Lay(lay) for _, lay in worthwhile_lays(rack, lucky)])


def _proposals(state: State) -> list[Choice]:
    """Return the proposals with round sums for which there is enough cash (H9), and Withhold."""
    bargain = state.bargain
    assert bargain
    tied, me = bargain.tied, bargain.proposer
    cash = [state.merchants[seat].cash for seat in tied]
    choices: list[Choice] = [Withhold()]
    for ducats in SUMS:
        payments = tuple([-ducats * (len(tied) - 1) if seat == me else ducats for seat in tied])
        if all(purse + change >= 0 for purse, change in zip(cash, payments, strict=True)):
            ahead = state.sea.ahead[state.dutchman][state.came_from]
            choices += [Propose(field, payments) for field in ahead]
    return choices


def _make_move(choice: Choice, state: State, random: Random) -> Move:
    """Return the move of a choice; for a hidden one, a random move that it may be."""
    if choice is Lay:
        lays = _lays(state.merchants[state.mover].rack, state.lucky or 0)
        return lays[random.randrange(len(lays))]
    if choice is Put:
        pairs = moves(state)
        return pairs[random.randrange(len(pairs))]
    return cast("Move", choice)


# ------------------------------------------------------------------------------------------------------ search


class _Edge:
    """A choice at a node: how often it was available, how often it was tried, and what its mover won by it."""

    __slots__ = ("available", "tried", "won")

    def __init__(self) -> None:
        self.available = 0
        self.tried = 0
        self.won = 0.0


class _Node:
    """Knowledge of the searching seat about the steps so far."""

    __slots__ = ("edges", "next")

    def __init__(self) -> None:
        self.edges: dict[Choice, _Edge] = {}
        self.next: dict[tuple[object, int, str], _Node] = {}

    def choose(self, choices: Sequence[Choice], random: Random) -> Choice:
        """Choose at random among choices that were never tried; if all were, the one with the best UCB."""
        edges = self.edges
        offered = []
        for choice in choices:
            edge = edges.get(choice)
            if edge is None:
                edge = edges[choice] = _Edge()
            edge.available += 1
            offered.append(edge)
        fresh = [choice for choice, edge in zip(choices, offered, strict=True) if not edge.tried]
        if fresh:
            return fresh[random.randrange(len(fresh))]
        bounds = [edge.won / edge.tried + EXPLORATION * sqrt(log(edge.available) / edge.tried) for edge in offered]
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
        """Return the move tried most often; among equals, the one that won most."""
        for _ in budget.thinking():
            self._iterate(self._beliefs.sample(self._random))
        edges = self._root.edges
        return cast("Move", max(edges, key=lambda choice: (edges[choice].tried, edges[choice].won)))

    def _iterate(self, state: State) -> None:
        """Go down the tree to an untried choice, play on at random, and add the result to all edges of the path."""
        random, node = self._random, self._root
        path: list[tuple[int, _Edge]] = []
        fresh = False
        while state.mover != OVER and not fresh:
            action: Any
            if state.mover == CHANCE:
                action = chance(state).draw(random.randrange)
            else:
                choice = node.choose(_choices(state, self._seat), random)
                action = _make_move(choice, state, random)
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
        child = node.next.get(key)
        if child is None:
            child = node.next[key] = _Node()
        return child
