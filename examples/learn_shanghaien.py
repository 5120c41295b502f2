"""Learns Shanghaien from nothing but games against itself, and prints how often it then wins.

python examples/learn_shanghaien.py [--points 20] [--updates 300] [--seed 1] [--csv FILE] [--expert GAMES]

2,048 games are played at once, move by move (docs/batch.md), each half by a thread of its own. A network with one hidden
layer looks at what the seat to move may know, and tells a chance for each of the 46 actions and what it expects of
the game, from -1 (lost) to 1 (won). After every eight decisions in each game it is pulled towards what went better
than it expected: actor and critic, advantages by GAE, Adam. The same seed gives the same shares.
"""

import csv
import os
import time
from argparse import ArgumentParser, FileType
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import NamedTuple

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each half is one thread's work, its linear algebra too

import numpy as np

from kontor.batch import SKIP, Batch, simulated
from kontor.batch.arrays import Flags, Longs, Reals
from kontor.game import OVER
from kontor.players import player_named
from kontor.shanghaien import SHANGHAIEN, Options

HALVES, GAMES, STEPS, HIDDEN = 2, 512, 16, 128
POINTS, RATE, TRACE, ENTROPY = 20, 1.5e-3, 0.95, 0.01
FEATURES = simulated(SHANGHAIEN).features
ACTIONS = simulated(SHANGHAIEN).columns
WIDTH = FEATURES.width - 6 * 35 + 6 * 6 + 1
MOST = np.concatenate([np.full(field.size, field.most, np.float32) for field in FEATURES.fields])

Weights = list[Reals]
"""Into the hidden layer, its thresholds; from there to a number for each action and, last, the value."""


class Point(NamedTuple):
    """How well it plays after so much training: its shares of victories. ``seconds`` is the processor time of the
    slower thread, which is what a clock would show if it had two cores for itself."""

    seconds: float
    updates: int
    games: int
    random: float
    greedy: float


def first_weights(random: np.random.Generator) -> Weights:
    into = random.normal(0, (2 / WIDTH) ** 0.5 * 2, (WIDTH, HIDDEN))
    out = random.normal(0, 0.1 / HIDDEN**0.5, (HIDDEN, ACTIONS + 1))
    return [each.astype(np.float32) for each in (into, np.zeros(HIDDEN), out, np.zeros(ACTIONS + 1))]


def look(batch: Batch) -> Reals:
    """What the seats to move may know, from 0 to 1, with the cards of the row in the order of their numbers: the value
    of each, both captains' strength in its nation, and which trick it is."""
    seen = batch.observe() / MOST
    at, ends, strength = FEATURES.at("row"), FEATURES.at("one_at"), FEATURES.at("strength")
    row = seen[:, at : at + 210].reshape(-1, 6, 35)
    row = np.where(seen[:, ends + 2, None, None] > 0, row[:, ::-1], row)
    sailors = row[:, :, :32].reshape(-1, 6, 8, 4)
    values = sailors.sum(axis=2) @ np.array([0.25, 0.5, 0.75, 1], np.float32)
    crews = sailors.sum(axis=3) @ seen[:, strength : strength + 16].reshape(-1, 2, 8).transpose(0, 2, 1)
    cards = np.concatenate([values[:, :, None], crews, row[:, :, 32:]], axis=2).reshape(-1, 36)
    points = batch.score()[0].astype(np.float32)
    lead = (points[:, 0] - points[:, 1]) * (1 - 2 * batch.movers) / POINTS
    return np.concatenate([seen[:, :at], cards, seen[:, at + 210 :], lead[:, None]], axis=1)


def think(weights: Weights, seen: Reals, legal: Flags) -> tuple[Reals, Reals, Reals]:
    """The hidden layer, the chance of each action, and the value: (games, …), for what is seen in each game."""
    hidden = np.maximum(seen @ weights[0] + weights[1], 0)
    out = hidden @ weights[2] + weights[3]
    likes = np.where(legal, out[:, :-1], -np.inf)
    chances = np.exp(likes - likes.max(axis=1, keepdims=True))
    return hidden, chances / chances.sum(axis=1, keepdims=True), out[:, -1]


class Half:
    """Half of the games, in which the learner plays both seats."""

    def __init__(self, seed: int, number: int) -> None:
        self.finished = 0
        self.lead = np.zeros(GAMES, np.float32)
        self.batch = Batch(SHANGHAIEN, Options(), GAMES, seed=seed, first=number * GAMES)
        self.random = np.random.default_rng([seed, number])
        self.settle()

    def settle(self) -> tuple[Flags, Reals]:
        """Goes on to the next real choice in every game: chance acts, whoever has one legal move makes it, a game that
        is over begins anew. Which games ended, and how much seat 0 gained on seat 1 since the last time."""
        ended, gained = np.zeros(GAMES, np.bool_), -self.lead
        while True:
            self.batch.draw()
            points = self.batch.score()[0]
            self.lead = (points[:, 0] - points[:, 1]).astype(np.float32) / POINTS
            over = self.batch.movers == OVER
            if over.any():
                gained[over] += self.lead[over]
                ended |= over
                self.batch.restart(over)
                continue
            forced = self.batch.choices() == 1
            if not forced.any():
                return ended, gained + np.where(ended, 0, self.lead).astype(np.float32)
            self.batch.step(self.batch.nth(np.where(forced, 0, SKIP)))

    def learn(self, weights: Weights) -> tuple[Weights, float]:
        """Plays on, and says how the weights should change: the gradient, and the seconds of the processor it took."""
        began = time.thread_time()
        seen = np.empty((STEPS + 1, GAMES, WIDTH), np.float32)
        hidden = np.empty((STEPS, GAMES, HIDDEN), np.float32)
        chances = np.empty((STEPS, GAMES, ACTIONS), np.float32)
        actions = np.empty((STEPS, GAMES), np.int64)
        seat, values = np.empty((2, STEPS + 1, GAMES), np.float32)  # 1 for seat 0, -1 for seat 1
        ended, gains = np.empty((STEPS, GAMES), np.bool_), np.empty((STEPS, GAMES), np.float32)
        for step in range(STEPS + 1):
            seat[step] = 1 - 2 * self.batch.movers
            seen[step] = look(self.batch)
            layer, likely, values[step] = think(weights, seen[step], self.batch.legal())
            if step < STEPS:
                hidden[step], chances[step] = layer, likely
                actions[step] = (likely / self.random.standard_exponential(likely.shape)).argmax(axis=1)
                self.batch.step(actions[step])
                ended[step], gains[step] = self.settle()
        self.finished += int(ended.sum())
        better, gain = np.empty((STEPS, GAMES), np.float32), np.zeros(GAMES, np.float32)
        mine = values * seat  # what seat 0 may expect
        for step in reversed(range(STEPS)):
            surprise = gains[step] + np.where(ended[step], 0, mine[step + 1]).astype(np.float32) - mine[step]
            gain = surprise + np.where(ended[step], 0, TRACE * gain).astype(np.float32)
            better[step] = gain * seat[step]
        return gradient(weights, seen[:-1], hidden, chances, actions, better), time.thread_time() - began


def gradient(
    weights: Weights, seen: Reals, hidden: Reals, chances: Reals, actions: Longs, better: Reals
) -> Weights:
    """Where the loss grows: of the policy, less the entropy that keeps it curious, and of the value."""
    logs = np.log(np.maximum(chances, 1e-9))
    entropy = -(chances * logs).sum(axis=2, keepdims=True)
    pull = (better / better.std())[..., None]
    out = np.empty((*actions.shape, ACTIONS + 1), np.float32)
    out[..., :-1] = chances * (pull + ENTROPY * (logs + entropy))
    chosen = actions[..., None]
    np.put_along_axis(out, chosen, np.take_along_axis(out, chosen, 2) - pull, 2)
    out[..., -1] = -better
    flat, layer, up = (each.reshape(-1, each.shape[-1]) for each in (seen, hidden, out))
    up /= len(up)
    down = (up @ weights[2].T) * (layer > 0)
    return [flat.T @ down, down.sum(axis=0), layer.T @ up, up.sum(axis=0)]


class Adam:
    """Moves weights against a gradient, each by about the same step."""

    def __init__(self, weights: Weights) -> None:
        self.mean, self.square = [np.zeros_like(each) for each in weights], [np.zeros_like(each) for each in weights]
        self.steps = 0

    def move(self, weights: Weights, gradients: Weights, rate: float) -> None:
        self.steps += 1
        rate *= (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for each, slope, mean, square in zip(weights, gradients, self.mean, self.square, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            each -= rate * mean / (np.sqrt(square) + 1e-8)


def share(weights: Weights, opponent: str, games: int, seed: int) -> float:
    """The learner's share of victories (half for a draw) when it always does what it likes best, half of the games on
    each seat, against a machine player."""
    batch, seat = Batch(SHANGHAIEN, Options(), games, seed=seed), np.arange(games) % 2
    choose, random = player_named("shanghaien", opponent), np.random.default_rng(seed)
    slow = Random(seed)
    while True:
        batch.draw()
        movers, choices = batch.movers, batch.choices()
        if (movers == OVER).all():
            winners = batch.score()[1]
            return float((winners[np.arange(games), seat] / winners.sum(axis=1)).mean())
        if opponent == "random":
            actions = batch.nth((random.random(games) * choices).astype(np.int64) - (choices == 0))
        else:
            actions = batch.nth(np.where(choices == 1, 0, SKIP))
            for game in np.flatnonzero((movers == 1 - seat) & (choices > 1)).tolist():
                state = batch.state(game)
                moves = SHANGHAIEN.moves(state)
                actions[game] = batch.action(game, choose(SHANGHAIEN.view(state, state.mover), moves, slow))
        own = movers == seat
        actions[own] = think(weights, look(batch)[own], batch.legal()[own])[1].argmax(axis=1)
        batch.step(actions)


def learn(points: int, updates: int, seed: int) -> Iterator[tuple[Point, Weights]]:
    """A point before the training, and one after every so many updates. The rate of learning falls to 0."""
    weights = first_weights(np.random.default_rng(seed))
    halves, adam, seconds = [Half(seed, number) for number in range(HALVES)], Adam(weights), 0.0
    with ThreadPoolExecutor(HALVES) as threads:
        for point in range(points + 1):
            for update in range(max(point - 1, 0) * updates, point * updates):
                parts, took = zip(*threads.map(lambda half: half.learn(weights), halves), strict=True)
                began = time.thread_time()
                slopes = [sum(each) / HALVES for each in zip(*parts, strict=True)]
                adam.move(weights, slopes, RATE * (1 - update / (points * updates)))
                seconds += max(took) + time.thread_time() - began
            played = sum(half.finished for half in halves)
            shares = (share(weights, "random", 2_000, seed), share(weights, "greedy", 400, seed))
            yield Point(seconds, point * updates, played, *shares), weights


if __name__ == "__main__":
    asked = ArgumentParser()
    asked.add_argument("--points", type=int, default=2)
    asked.add_argument("--updates", type=int, default=20)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--csv", type=FileType("w"), default="-")
    asked.add_argument("--expert", type=int, default=0)
    given = asked.parse_args()
    table = csv.writer(given.csv)
    table.writerow(Point._fields)
    for point, weights in learn(given.points, given.updates, given.seed):
        table.writerow([round(number, 4) for number in point])
        given.csv.flush()
    if given.expert:
        print("expert", share(weights, "expert", given.expert, given.seed))
