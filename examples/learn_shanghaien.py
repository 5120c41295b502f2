"""Learns Shanghaien from nothing but games against itself, and prints how often it then wins.

python examples/learn_shanghaien.py [--points 20] [--updates 500] [--seed 1] [--csv FILE] [--expert GAMES]

A thousand games are played at once, move by move (docs/batch.md), half of them by a thread of its own. A network with
one hidden layer looks at what the seat to move may know; it tells a chance for each of the 46 actions, and by how
much it expects to gain on the other. After every sixteen decisions in each game it is pulled towards what went better
than expected: actor and critic, advantages by GAE, Adam. The same seed gives the same shares.
"""

import csv
import os
import time
from argparse import ArgumentParser, FileType
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # linear algebra, too, is done by the thread whose games it is for

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
"""Into the hidden layer, and what is added there; from there to a number for each action and, last, the value."""


class Point(NamedTuple):
    """How well it plays after so much training: its shares of victories. ``seconds`` is the processor time of the
    slower thread, which is what a clock would show if it had two cores for itself."""

    seconds: float
    updates: int
    games: int
    random: float
    greedy: float


def ahead(mine: Reals, other: Reals) -> Reals:
    """The points of a crew less those of the other, for their strengths in a nation (S11)."""
    lower = np.minimum(mine, other)
    points: Reals = np.sign(mine - other) * np.where(lower > 0, lower, np.maximum(mine, other))
    return points


def look(batch: Batch) -> Reals:
    """What the seats to move may know, from 0 to 1; then the points they are ahead; then for each card of the row, in
    the order of the numbers, what it would bring them, what it would bring the other, its value, and which trick."""
    seen = batch.observe()
    row, crews = seen[:, ROW : ROW + 210].reshape(-1, 6, 35), seen[:, STRENGTH : STRENGTH + 16].reshape(-1, 2, 8)
    cards = np.where(seen[:, ONE_AT_RIGHT, None, None] > 0, row[:, ::-1], row) @ CARDS
    mine, other = np.moveaxis(cards[:, :, :8] @ crews.transpose(0, 2, 1), 2, 0)
    now, value = ahead(mine, other), cards[:, :, 11]
    brings = np.stack([ahead(mine + value, other) - now, ahead(mine, other + value) - now], axis=2)
    offered = np.concatenate([brings, cards[:, :, 8:]], axis=2).reshape(-1, 36) / np.float32(4)
    lead = ahead(crews[:, 0], crews[:, 1]).sum(axis=1, keepdims=True) / SCALE
    seen /= MOST
    return np.concatenate([seen[:, :ROW], seen[:, ROW + 210 :], lead, offered], axis=1)


def think(weights: Weights, seen: Reals, legal: Flags) -> tuple[Reals, Reals, Reals]:
    """The hidden layer, the chance of each action, and the value: (games, …)."""
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
        """Goes on to the next real choice in every game: chance acts, whoever has one legal move makes it, a game
        that is over begins anew. Which games ended, and how much seat 0 has gained on seat 1 meanwhile."""
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
        """Plays on, and says how the weights should change (the gradient), and how long the processor needed."""
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
    """Where the loss grows: that of the policy, less the entropy that keeps it curious, and that of the value."""
    logs, pull = np.log(np.maximum(chances, 1e-9)), (better / better.std())[..., None]
    entropy = -(chances * logs).sum(axis=2, keepdims=True)
    chosen = np.arange(ACTIONS) == actions[..., None]
    policy = (chances - chosen) * pull + CURIOSITY * chances * (logs + entropy)
    up = np.concatenate([policy, -better[..., None]], axis=2).reshape(-1, ACTIONS + 1) / np.float32(better.size)
    flat, layer = seen.reshape(-1, SEEN), hidden.reshape(-1, HIDDEN)
    down = (up @ weights[2].T) * (layer > 0)
    return [flat.T @ down, down.sum(axis=0), layer.T @ up, up.sum(axis=0)]


def share(weights: Weights, opponent: str, games: int, seed: int) -> float:
    """The learner's share of victories (half for a draw) against a computer player when it always does what it likes
    best, half of the games on each seat."""
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
        asked = () if opponent == "random" else np.flatnonzero((movers == 1 - seat) & (choices > 1))
        for game in map(int, asked):
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
    """Changes the weights, less and less. A point before that, and one after every so many updates."""
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
                m += 0.1 * (slope - m)  # Adam, to whom it is all the same that the gradient is twice as long
                s += 0.001 * (slope**2 - s)
                each -= np.float32(rate) * m / (np.sqrt(s) + 1e-8)
            seconds += max(took) + time.thread_time() - began


if __name__ == "__main__":
    asked = ArgumentParser()
    for name, default in (("points", 2), ("updates", 20), ("seed", 1), ("expert", 0)):
        asked.add_argument(f"--{name}", type=int, default=default)
    asked.add_argument("--csv", type=FileType("w"), default="-")
    given = asked.parse_args()
    table, weights = csv.writer(given.csv), first_weights(given.seed)
    table.writerow(Point._fields)
    for point in learn(weights, given.points, given.updates, given.seed):
        table.writerow([round(number, 4) for number in point])
        given.csv.flush()
    if given.expert:
        print("share against expert:", share(weights, "expert", given.expert, given.seed))
