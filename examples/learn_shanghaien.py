"""A learner of Shanghaien: it learns only from games against itself, and prints how often it then wins.

python examples/learn_shanghaien.py [--points 20] [--updates 500] [--seed 1] [--csv FILE] [--expert GAMES]

It plays a thousand games at once, move by move (docs/batch.md); each of two threads plays half of them. A network
with one hidden layer gets what the seat to move may know. It returns a probability for each of the 46 actions, and
how much the seat can expect to gain on the other.

After every sixteen decisions in each game, the network is moved towards actions that went better than expected: actor
and critic, advantages by GAE, Adam. The same seed gives the same shares.
"""

import csv
import os
import time
from argparse import ArgumentParser, FileType
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # the thread of a game also does the linear algebra for it

import numpy as np

from kontor.batch import SKIP, Batch
from kontor.batch.arrays import Flags, Longs, Reals
from kontor.game import OVER
from kontor.games.shanghaien.batch.layout import FEATURES, MOVES
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.players import player_named

HALVES, GAMES, STEPS = 2, 512, 16
HIDDEN, ACTIONS = 128, len(MOVES)
RATE, TRACE, CURIOSITY = 1.5e-3, 0.95, 0.01
SCALE = np.float32(20)  # points

ROW, STRENGTH, ONE_AT_RIGHT = FEATURES.at("row"), FEATURES.at("strength"), FEATURES.at("one_at") + 2
MOST = np.concatenate([np.full(field.size, field.most, np.float32) for field in FEATURES.fields])
CARDS = np.zeros((35, 12), np.float32)  # of each card: its nation, which trick it is, its value
CARDS[np.arange(32), np.arange(32) // 4], CARDS[:32, 11], CARDS[32:, 8:11] = 1, np.tile(np.arange(1, 5), 8), np.eye(3)
SEEN = FEATURES.width - 6 * 35 + 6 * 6 + 1

Weights = list[Reals]
"""Weights and biases of the hidden layer, then those of the output: a number for each action and, last, the value."""


class Point(NamedTuple):
    """The playing strength after some training, as shares of victories.

    ``seconds`` is the processor time of the slower thread. A clock would show it if the threads had two cores for
    themselves.
    """

    seconds: float
    updates: int
    games: int
    random: float
    greedy: float


def ahead(own: Reals, other: Reals) -> Reals:
    """Return the points of a crew less those of the other, for their strengths in a nation (S11)."""
    lower = np.minimum(own, other)
    points: Reals = np.sign(own - other) * np.where(lower > 0, lower, np.maximum(own, other))
    return points


def look(batch: Batch) -> Reals:
    """Return the network's input for the seats to move: (games, SEEN).

    It is what they may know, scaled to 0 to 1; then their lead in points; then six numbers for each card of the row,
    in the order of the dice's numbers. These are the gain for the seat, the gain for the other, which trick it is
    (three numbers), and its value.
    """
    seen = batch.observe()
    row, crews = seen[:, ROW : ROW + 210].reshape(-1, 6, 35), seen[:, STRENGTH : STRENGTH + 16].reshape(-1, 2, 8)
    cards = np.where(seen[:, ONE_AT_RIGHT, None, None] > 0, row[:, ::-1], row) @ CARDS
    own, other = np.moveaxis(cards[:, :, :8] @ crews.transpose(0, 2, 1), 2, 0)
    now, value = ahead(own, other), cards[:, :, 11]
    brings = np.stack([ahead(own + value, other) - now, ahead(own, other + value) - now], axis=2)
    offered = np.concatenate([brings, cards[:, :, 8:]], axis=2).reshape(-1, 36) / np.float32(4)
    lead = ahead(crews[:, 0], crews[:, 1]).sum(axis=1, keepdims=True) / SCALE
    seen /= MOST
    return np.concatenate([seen[:, :ROW], seen[:, ROW + 210 :], lead, offered], axis=1)


def think(weights: Weights, seen: Reals, legal: Flags) -> tuple[Reals, Reals, Reals]:
    """Return the hidden layer, the probability of each action, and the value: (games, …)."""
    hidden = np.maximum(seen @ weights[0] + weights[1], 0)
    out = hidden @ weights[2] + weights[3]
    likes = np.where(legal, out[:, :-1], -np.inf)
    chances = np.exp(likes - likes.max(axis=1, keepdims=True))
    return hidden, chances / chances.sum(axis=1, keepdims=True), out[:, -1]


class Half:
    """Half of the games, in which the learner plays both seats."""

    def __init__(self, seed: int, number: int) -> None:
        self.batch = Batch(SHANGHAIEN, Options(), GAMES, seed=seed, first=number * GAMES)
        self.random, self.finished = np.random.default_rng([seed, number]), 0
        self.lead: Reals = np.zeros(GAMES, np.float32)
        self.settle()

    def settle(self) -> tuple[Flags, Reals]:
        """Go on to the next real choice in every game.

        Chance acts, a seat with one legal move makes it, and a finished game starts again. Returns which games ended,
        and how much seat 0 has gained on seat 1 meanwhile.
        """
        ended, gained = np.zeros(GAMES, np.bool_), -self.lead
        while True:
            self.batch.draw()
            points, over = self.batch.score()[0], self.batch.movers == OVER
            self.lead = (points[:, 0] - points[:, 1]).astype(np.float32) / SCALE
            gained[over] += self.lead[over]
            ended |= over
            self.batch.restart(over)
            forced = self.batch.choices() == 1
            if not (forced | over).any():
                return ended, gained + np.where(ended, np.float32(0), self.lead)
            self.batch.step(self.batch.nth(np.where(forced, 0, SKIP)))

    def learn(self, weights: Weights) -> tuple[Weights, float]:
        """Play on; return the gradient of the weights, and the processor time in seconds."""
        began = time.thread_time()
        seen, hidden = np.empty((STEPS, GAMES, SEEN), np.float32), np.empty((STEPS, GAMES, HIDDEN), np.float32)
        chances, actions = np.empty((STEPS, GAMES, ACTIONS), np.float32), np.empty((STEPS, GAMES), np.int64)
        gains, seat, mine = np.empty((3, STEPS + 1, GAMES), np.float32)
        ended = np.empty((STEPS, GAMES), np.bool_)
        for step in range(STEPS + 1):
            now, seat[step] = look(self.batch), 1 - 2 * self.batch.movers
            layer, likely, value = think(weights, now, self.batch.legal())
            mine[step] = value * seat[step]  # what seat 0 may expect
            if step < STEPS:
                seen[step], hidden[step], chances[step] = now, layer, likely
                actions[step] = (likely / self.random.standard_exponential(likely.shape)).argmax(axis=1)
                self.batch.step(actions[step])
                ended[step], gains[step] = self.settle()
        self.finished += int(ended.sum())
        better = np.zeros((STEPS + 1, GAMES), np.float32)
        for step in reversed(range(STEPS)):
            later = np.where(ended[step], np.float32(0), mine[step + 1] + TRACE * better[step + 1])
            better[step] = gains[step] + later - mine[step]
        pull = better[:-1] * seat[:-1]
        return gradient(weights, seen, hidden, chances, actions, pull), time.thread_time() - began


def gradient(weights: Weights, seen: Reals, hidden: Reals, chances: Reals, actions: Longs, better: Reals) -> Weights:
    """Return the gradient of the loss.

    The loss is that of the policy, less its entropy so that it keeps exploring, and that of the value.
    """
    logs, pull = np.log(np.maximum(chances, 1e-9)), (better / better.std())[..., None]
    entropy = -(chances * logs).sum(axis=2, keepdims=True)
    chosen = np.arange(ACTIONS) == actions[..., None]
    policy = (chances - chosen) * pull + CURIOSITY * chances * (logs + entropy)
    up = np.concatenate([policy, -better[..., None]], axis=2).reshape(-1, ACTIONS + 1) / np.float32(better.size)
    flat, layer = seen.reshape(-1, SEEN), hidden.reshape(-1, HIDDEN)
    down = (up @ weights[2].T) * (layer > 0)
    return [flat.T @ down, down.sum(axis=0), layer.T @ up, up.sum(axis=0)]


def share(weights: Weights, opponent: str, games: int, seed: int) -> float:
    """Return the learner's share of victories (half for a draw) against a computer player.

    The learner always takes its likeliest action, and has each seat in half of the games.
    """
    batch, seat = Batch(SHANGHAIEN, Options(), games, seed=seed), np.arange(games) % 2
    random, other = np.random.default_rng(seed), Random(seed)
    choose = player_named("shanghaien", opponent)
    while True:
        batch.draw()
        movers, choices = batch.movers, batch.choices()
        if (movers == OVER).all():
            winners = batch.score()[1]
            return float((winners[np.arange(games), seat] / winners.sum(axis=1)).mean())
        actions = batch.nth((random.random(games) * choices).astype(np.int64) - (choices == 0))
        opponent_games = () if opponent == "random" else np.flatnonzero((movers == 1 - seat) & (choices > 1))
        for game in map(int, opponent_games):
            state = batch.state(game)
            moves = SHANGHAIEN.moves(state)
            actions[game] = batch.action(game, choose(SHANGHAIEN.view(state, state.mover), moves, other))
        own = movers == seat
        actions[own] = think(weights, look(batch)[own], batch.legal()[own])[1].argmax(axis=1)
        batch.step(actions)


def first_weights(seed: int) -> Weights:
    random, spread = np.random.default_rng(seed), (0.15, 0, 0.01, 0)
    shapes = ((SEEN, HIDDEN), (HIDDEN,), (HIDDEN, ACTIONS + 1), (ACTIONS + 1,))
    return [random.normal(0, size, shape).astype(np.float32) for size, shape in zip(spread, shapes, strict=True)]


def learn(weights: Weights, points: int, updates: int, seed: int) -> Iterator[Point]:
    """Train the weights in place, at a falling rate.

    Yields a point before the training, and one after every ``updates`` updates.
    """
    mean, square, seconds = [np.zeros_like(each) for each in weights], [np.zeros_like(each) for each in weights], 0.0
    halves = [Half(seed, number) for number in range(HALVES)]
    with ThreadPoolExecutor(HALVES) as threads:
        for done in range(points * updates + 1):
            if done % updates == 0:
                shares = share(weights, "random", 2_000, seed), share(weights, "greedy", 400, seed)
                yield Point(seconds, done, sum(half.finished for half in halves), *shares)
            if done == points * updates:
                return
            slopes, took = zip(*threads.map(Half.learn, halves, [weights] * HALVES), strict=True)
            began = time.thread_time()
            rate = RATE * (1 - done / (points * updates)) * (1 - 0.999 ** (done + 1)) ** 0.5 / (1 - 0.9 ** (done + 1))
            for each, slope, m, s in zip(weights, map(sum, zip(*slopes, strict=True)), mean, square, strict=True):
                m += 0.1 * (slope - m)  # Adam, for which it does not matter that the gradient is twice as long
                s += 0.001 * (slope**2 - s)
                each -= np.float32(rate) * m / (np.sqrt(s) + 1e-8)
            seconds += max(took) + time.thread_time() - began


if __name__ == "__main__":
    parser = ArgumentParser()
    for name, default in (("points", 2), ("updates", 20), ("seed", 1), ("expert", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--csv", type=FileType("w"), default="-")
    args = parser.parse_args()
    table, weights = csv.writer(args.csv), first_weights(args.seed)
    table.writerow(Point._fields)
    for point in learn(weights, args.points, args.updates, args.seed):
        table.writerow([round(number, 4) for number in point])
        args.csv.flush()
    if args.expert:
        print("share against expert:", share(weights, "expert", args.expert, args.seed))
