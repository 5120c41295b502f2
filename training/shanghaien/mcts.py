"""The player called ``mcts`` for Shanghaien: plain Monte-Carlo tree search, a benchmark for other players.

It knows only the rules: no estimate of a position, no hint as to which moves are good. Each iteration goes down a
tree by the rule UCT (L. Kocsis and C. Szepesvári, *Bandit based Monte-Carlo planning*, 2006). It adds the first new
choice that it meets, and plays on at random to the end of the game (``playout``). On the way back it counts the
result: a victory 1, a draw ½. At last the move tried most often is played.

Chance is drawn at every chance node. After a roll the tree goes on by the dice drawn, and grows with each new roll. A
new row (S10) hardly ever comes twice, so the tree ends there.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Final

from kontor.games.shanghaien.rules.play import chance, moves, play
from kontor.games.shanghaien.rules.state import Move, Outcome, State
from kontor.games.shanghaien.rules.view import View, imagine
from kontor.players import Choose
from kontor.players.budget import Budget, Iterations
from training.shanghaien.playout import played_out

USUAL: Final = Iterations(1000)
"""The budget of ``mcts`` alone."""

EXPLORING: Final = 0.5
"""Exploration constant in UCT's formula for results from 0 to 1: how much a seldom tried move is favoured.

Against ``greedy``, 0.4 and 0.7 did no better or worse than 30 games can show.
"""


def with_budget(budget: Budget) -> Choose:
    """Return the player that thinks within this budget about each move."""

    def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
        if len(moves) == 1:
            return moves[0]
        root = _Choice(imagine(view, random.randrange), random)
        for _ in budget.thinking():
            _iterate(root, random)
        return root.most_tried()

    return choose


choose: Final = with_budget(USUAL)


def _iterate(root: _Choice, random: Random) -> None:
    """Run one iteration: down the tree, on to the end of the game, and back."""
    path: list[tuple[_Choice, int]] = []
    node: _Node = root
    while not isinstance(node, State):
        if isinstance(node, _Rolling):
            node = node.rolled(random)
        elif node.tried or node is root:
            place = node.next_to_try()
            path.append((node, place))
            node = node.follow(place, random)
        else:
            node = node.state
    first = played_out(node, random)
    for choice, place in path:
        choice.tried += 1
        choice.tries[place] += 1
        choice.wins[place] += 1 - first if choice.state.mover else first


class _Choice:
    """A node of the tree in which a seat has a choice: its state, and the results of its moves so far."""

    __slots__ = ("after", "moves", "state", "tried", "tries", "untried", "wins")

    def __init__(self, state: State, random: Random) -> None:
        self.state = state
        self.moves = moves(state)
        count = len(self.moves)
        self.untried = list(range(count))
        random.shuffle(self.untried)
        self.tried = 0
        self.tries = [0] * count
        self.wins = [0.0] * count
        """Results of the moves, for the seat that makes them."""
        self.after: list[_Node | None] = [None] * count

    def next_to_try(self) -> int:
        """Return a move not tried yet; later the one with the highest bound by UCT."""
        if self.untried:
            return self.untried.pop()
        wide = EXPLORING * sqrt(log(self.tried))
        best, place = -1.0, 0
        for at, tries in enumerate(self.tries):
            bound = self.wins[at] / tries + wide / sqrt(tries)
            if bound > best:
                best, place = bound, at
        return place

    def follow(self, place: int, random: Random) -> _Node:
        """Return the node that a move leads to."""
        after = self.after[place]
        if after is None:
            after = self.after[place] = _node(play(self.state, self.moves[place]), random)
        return after

    def most_tried(self) -> Move:
        """Return the move tried most often; of equal ones, the one with the most wins."""
        return self.moves[max(range(len(self.moves)), key=lambda place: (self.tries[place], self.wins[place]))]


class _Rolling:
    """A node of the tree in which two dice are rolled, and the nodes after the rolls drawn so far."""

    __slots__ = ("after", "state")

    def __init__(self, state: State) -> None:
        self.state = state
        self.after: dict[Outcome, _Node] = {}

    def rolled(self, random: Random) -> _Node:
        """Draw a roll; return the node that it leads to."""
        dice = chance(self.state).draw(random.randrange)
        after = self.after.get(dice)
        if after is None:
            after = self.after[dice] = _node(play(self.state, dice), random)
        return after


_Node = _Choice | _Rolling | State
"""A state is a leaf: the round or the game is over."""


def _node(state: State, random: Random) -> _Node:
    """Return the node of a state, after all forced moves."""
    state = _play_forced(state)
    if state.mover >= 0:
        return _Choice(state, random)
    return _Rolling(state) if state.step in ("roll", "reroll") else state


def _play_forced(state: State) -> State:
    """Return the state after all forced moves."""
    while state.mover >= 0 and len(some := moves(state)) == 1:
        state = play(state, some[0])
    return state
