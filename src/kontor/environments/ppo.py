"""Proximal policy optimisation (Schulman et al., 2017) in NumPy and one kernel, over vector environments.

    for point in learn("pig", seed=1):
        print(point.decisions, point.won)

A network with one hidden layer plays one seat in every game, each seat in as many games. The others move at random or
are played by the network in its current form (``self``). It is a small and simple baseline: observations normalised
by mean and deviation, clipped ratios, advantages by GAE without discount, Adam, masks of legal steps. The same seed
gives the same figures on the same machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from kontor.batch.arrays import Flags, Longs, Numbers, Reals
from kontor.batch.compiled import njit_cached
from kontor.environments.adapter import encoder_of
from kontor.environments.vector import RANDOM, Policy, VectorSeat

SELF: Final = "self"
"""The name of the network itself as opponent."""

Weights = list[Reals]
"""The weights and biases of the hidden layer and of the output layer, which gives a logit for each step and, last,
the value."""


class Settings(NamedTuple):
    """The hyperparameters of PPO."""

    envs: int = 256
    length: int = 64
    """Decisions in each game between two updates."""
    hidden: int = 128
    rate: float = 1e-3
    """The initial learning rate of Adam; it falls linearly to 0."""
    clip: float = 0.2
    trace: float = 0.95
    """The λ of GAE."""
    entropy: float = 0.01
    value: float = 0.5
    epochs: int = 3
    parts: int = 8
    """The minibatches of an epoch, with one step of Adam each."""
    longest: float = 0.5
    """The norm to which longer gradients are clipped."""


USUAL: Final = Settings()
FAR: Final = np.float32(5)
"""The most deviations from the mean; numbers of an observation are clipped there."""


class Point(NamedTuple):
    """A point of the learning curve: after so many updates and decisions, the mean reward against random players."""

    update: int
    decisions: int
    won: float


class Network:
    """A network for policy and value, on observations that are normalised by mean and deviation."""

    def __init__(self, scale: Reals, steps: int, hidden: int, random: np.random.Generator) -> None:
        """Initialise the weights at random; the scale is used until observations have been measured."""
        shapes = (len(scale), hidden), (hidden,), (hidden, steps + 1), (steps + 1,)
        spread = len(scale) ** -0.5, 0.0, 0.01, 0.0
        self.middle, self.scale = np.zeros_like(scale), scale
        self.weights: Weights = [
            random.normal(0, size, shape).astype(np.float32) for size, shape in zip(spread, shapes, strict=True)
        ]

    def layers(self, seen: Reals) -> tuple[Reals, Reals]:
        """Return the hidden layer, and a logit for each step and, last, the value."""
        into, bias, out, last = self.weights
        hidden: Reals = np.maximum(seen @ into + bias, 0)
        return hidden, hidden @ out + last

    def forward(self, seen: Reals, legal: Numbers) -> tuple[Reals, Reals]:
        """Return the logarithm of the probability of each step, and the value."""
        _, outputs = self.layers(seen)
        likes = np.where(legal, outputs[:, :-1], np.float32(-1e9))
        likes -= likes.max(axis=1, keepdims=True)
        return likes - np.log(np.exp(likes).sum(axis=1, keepdims=True)), outputs[:, -1]

    def normalise(self, observations: Reals) -> Reals:
        """Return normalised observations, the input of the layers."""
        normalised: Reals = np.clip((observations - self.middle) / self.scale, -FAR, FAR)
        return normalised

    def likeliest(self, seen: dict[str, Any]) -> Longs:
        """Return the most likely step in each of some games."""
        logs, _ = self.forward(self.normalise(seen["observation"]), seen["action_mask"])
        steps: Longs = logs.argmax(axis=1)
        return steps

    def choose_steps(self, seen: dict[str, Any], random: np.random.Generator) -> Longs:
        """Return a random step for each of some games, by its probability."""
        logs, _ = self.forward(self.normalise(seen["observation"]), seen["action_mask"])
        return drawn(logs, random)


def drawn(logs: Reals, random: np.random.Generator) -> Longs:
    """Return a random step for each row of logarithms of probabilities (the Gumbel trick)."""
    noise = np.maximum(random.standard_exponential(logs.shape, np.float32), np.float32(1e-30))
    steps: Longs = (logs - np.log(noise)).argmax(axis=1)
    return steps


def learn(
    game: str,
    options: Any = None,
    *,
    updates: int = 40,
    every: int = 10,
    seed: int = 0,
    opponents: str = RANDOM,
    games: int = 512,
    settings: Settings = USUAL,
    cores: int = 1,
) -> Iterator[Point]:
    """Learn, and yield after every so many updates the mean reward in about so many games. Raises BadOptions."""
    trained = Ppo(game, options, updates=updates, seed=seed, opponents=opponents, settings=settings, cores=cores)
    return trained.points(every, games)


class Ppo:
    """A network that learns."""

    def __init__(
        self,
        game: str,
        options: Any = None,
        *,
        updates: int,
        seed: int = 0,
        opponents: str = RANDOM,
        settings: Settings = USUAL,
        cores: int = 1,
    ) -> None:
        """Prepare network and games for so many ``updates``. Raises BadOptions."""
        encoder = encoder_of(game, options)
        self._game, self._options = game, options
        self._settings, self._updates, self._seed = settings, updates, seed
        self._random = np.random.default_rng(seed)
        self.network = Network(scale_of(encoder.bounds), encoder.actions, settings.hidden, self._random)
        others: str | Policy = self._as_it_is if opponents == SELF else opponents
        seats = np.arange(settings.envs) % encoder.seats
        self._envs = VectorSeat(
            settings.envs,
            game=game,
            options=options,
            seat=seats.tolist(),
            opponents=others,
            autoreset_mode="SameStep",
            copy=False,
            cores=cores,
        )
        self._seen, _ = self._envs.reset(seed=seed)
        self._scale = self.network.scale
        self._sums = np.zeros((2, len(self._scale)))
        self._moments = [[np.zeros_like(each) for each in self.network.weights] for _ in range(2)]
        self._done = self._steps = 0
        self.decisions = 0
        """The number of the learner's decisions so far."""

    def _as_it_is(self, seen: dict[str, Any]) -> Longs:
        """Return steps for the opponents by the current network."""
        return self.network.choose_steps(seen, self._random)

    def points(self, every: int = 10, games: int = 512) -> Iterator[Point]:
        """Learn to the end, and yield after every so many updates the mean reward in about so many games."""
        while True:
            if self._done % every == 0 or self._done == self._updates:
                reward = won(self.network.likeliest, self._game, self._options, games=games, seed=self._seed)
                yield Point(self._done, self.decisions, reward)
            if self._done == self._updates:
                return
            self.update()

    def update(self) -> None:
        """Play on in all games, and update the weights from the results."""
        settings, random = self._settings, self._random
        seen, legal, steps, logs, better, worth = self._play_steps()
        self.decisions += len(steps)
        rate = settings.rate * (1 - self._done / self._updates)
        for _ in range(settings.epochs):
            for part in np.array_split(random.permutation(len(steps)), settings.parts):
                pull = better[part]
                pull = (pull - pull.mean()) / (pull.std() + 1e-8)
                slopes = gradient(
                    self.network, settings, seen[part], legal[part], steps[part], logs[part], pull, worth[part]
                )
                self._adam(slopes, rate)
        self._done += 1
        self._update_scaling()

    def _play_steps(self) -> tuple[Reals, Flags, Longs, Reals, Reals, Reals]:
        """Play ``length`` steps in all games and return their decisions.

        Each decision has the observation, the legal steps, the step, the logarithm of its probability, the advantage,
        and the target of the value.
        """
        settings, network = self._settings, self.network
        shape = settings.length, settings.envs
        seen = np.empty((*shape, len(network.scale)), np.float32)
        legal = np.empty((*shape, network.weights[3].size - 1), np.bool_)
        steps, logs = np.empty(shape, np.int64), np.empty(shape, np.float32)
        values, rewards = np.empty((settings.length + 1, settings.envs), np.float32), np.empty(shape, np.float32)
        over = np.empty(shape, np.bool_)
        games = np.arange(settings.envs)
        for at in range(settings.length):
            observation = self._seen["observation"]
            self._sums += observation.sum(axis=0), np.square(observation).sum(axis=0)
            seen[at], legal[at] = network.normalise(observation), self._seen["action_mask"]
            chances, values[at] = network.forward(seen[at], legal[at])
            steps[at] = drawn(chances, self._random)
            logs[at] = chances[games, steps[at]]
            self._seen, rewards[at], over[at], _, _ = self._envs.step(steps[at])
        _, values[-1] = network.forward(network.normalise(self._seen["observation"]), self._seen["action_mask"])
        better = np.zeros((settings.length + 1, settings.envs), np.float32)
        for at in reversed(range(settings.length)):
            later = np.where(over[at], np.float32(0), values[at + 1] + np.float32(settings.trace) * better[at + 1])
            better[at] = rewards[at] + later - values[at]
        worth = better[:-1] + values[:-1]
        flat = seen.reshape(-1, seen.shape[2]), legal.reshape(-1, legal.shape[2])
        return *flat, steps.reshape(-1), logs.reshape(-1), better[:-1].reshape(-1), worth.reshape(-1)

    def _update_scaling(self) -> None:
        """Set mean and deviation from all observations so far; numbers that have never differed keep their scale."""
        network = self.network
        mean, square = self._sums / self.decisions
        deviation = np.sqrt(np.maximum(square - mean**2, 0))
        network.middle = mean.astype(np.float32)
        network.scale = np.where(deviation > 1e-4, deviation, self._scale).astype(np.float32)

    def _adam(self, slopes: Weights, rate: float) -> None:
        """Take a step of Adam (Kingma and Ba, 2015)."""
        self._steps += 1
        size = np.float32(rate * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps))
        for weight, slope, mean, square in zip(self.network.weights, slopes, *self._moments, strict=True):
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope**2 - square)
            weight -= size * mean / (np.sqrt(square) + np.float32(1e-8))


def gradient(
    network: Network,
    settings: Settings,
    seen: Reals,
    legal: Flags,
    steps: Longs,
    before: Reals,
    pull: Reals,
    worth: Reals,
) -> Weights:
    """Return the gradient of the loss, clipped by its norm.

    The loss is that of the clipped policy, less the entropy, and that of the value. In each row at least one step is
    legal.
    """
    into, bias, out, last = network.weights
    hidden: Reals = np.maximum(seen @ into + bias, 0)
    outs = np.ascontiguousarray(out.T)
    down, up, up_last = np.zeros_like(hidden), np.zeros_like(outs), np.zeros_like(last)
    weigh = settings.clip, settings.entropy, settings.value
    _climb(hidden, outs, last, legal, steps, before, pull, worth, weigh, down, up, up_last)
    down *= hidden > 0
    slopes: Weights = [seen.T @ down, down.sum(axis=0), up.T, up_last]
    length = float(np.sqrt(sum(float((slope**2).sum()) for slope in slopes)))
    shorter = np.float32(min(1, settings.longest / (length + 1e-8)))
    return [slope * shorter for slope in slopes]


@njit_cached
def _climb(
    hidden: Reals,
    outs: Reals,
    last: Reals,
    legal: Flags,
    steps: Longs,
    before: Reals,
    pull: Reals,
    worth: Reals,
    weigh: tuple[float, float, float],
    down: Reals,
    up: Reals,
    up_last: Reals,
) -> None:
    """Add the gradient of each decision, for the hidden layer and for the weights and biases of the output layer.

    Few of hundreds of steps are legal, and only they are calculated.
    """
    clip, entropy_weight, value_weight = weigh
    count, units = hidden.shape
    value = len(last) - 1
    which, logs = np.empty(value + 1, np.int64), np.empty(value + 1, np.float32)
    for row in range(count):
        many, taken = 0, 0
        for step in range(value):
            if legal[row, step]:
                if step == steps[row]:
                    taken = many
                which[many] = step
                many += 1
        which[many] = value
        for at in range(many + 1):
            logit = last[which[at]]
            for unit in range(units):
                logit += hidden[row, unit] * outs[which[at], unit]
            logs[at] = logit
        most = logs[:many].max()
        logs[:many] -= most + np.log(np.exp(logs[:many] - most).sum())
        entropy = -(np.exp(logs[:many]) * logs[:many]).sum()
        ratio = np.exp(logs[taken] - before[row])
        free = ratio < 1 + clip if pull[row] > 0 else ratio > 1 - clip
        push = ratio * pull[row] if free else np.float32(0)
        for at in range(many + 1):
            if at == many:
                slope = 2 * value_weight * (logs[at] - worth[row])
            else:
                slope = np.exp(logs[at]) * (push + entropy_weight * (logs[at] + entropy))
                if at == taken:
                    slope -= push
            climb = np.float32(slope / count)
            up_last[which[at]] += climb
            for unit in range(units):
                down[row, unit] += climb * outs[which[at], unit]
                up[which[at], unit] += climb * hidden[row, unit]


def scale_of(bounds: tuple[Reals, Reals]) -> Reals:
    """Return the divisors of observations that bring every number close to 1 or below."""
    scale: Reals = np.maximum(np.abs(bounds[0]), np.abs(bounds[1]))
    return np.maximum(scale, np.float32(1))


def won(policy: Policy, game: str, options: Any = None, *, games: int, seed: int) -> float:
    """Return the mean reward of a policy against random steps, with each seat in as many games.

    These games differ from those of the learning.
    """
    seats = encoder_of(game, options).seats
    envs = VectorSeat(
        games,
        game=game,
        options=options,
        seat=(np.arange(games) % seats).tolist(),
        autoreset_mode="Disabled",
        copy=False,
    )
    seen, _ = envs.reset(seed=seed + 1_000_003)
    got, over = np.zeros(games), np.zeros(games, np.bool_)
    while not over.all():
        seen, rewards, over, _, _ = envs.step(policy(seen))
        got += rewards
    return float(got.mean())
