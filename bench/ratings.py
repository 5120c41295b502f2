"""Accuracy of ratings: how well they recover the true order of a simulated pool.

    .venv/bin/python -m bench.ratings --seeds 10
    .venv/bin/python -m bench.ratings --people 10000 --played 200000    # how long a night's fit takes, and its memory

Compared are Plackett–Luce fitted anew, OpenSkill's Plackett–Luce, which goes through the games once, and the plain
share of victories.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from statistics import fmean, stdev
from typing import Final

import numpy as np
from openskill.models import PlackettLuce

from kontor.ratings.games import Floats, RatedGames
from kontor.ratings.plackett_luce import fit

_SPREAD: Final = 0.5
"""Standard deviation of true strengths: at a table of four, the best third wins some 35 of 100 games."""

_CIRCLE: Final = 15
"""People who play with each other most of the time."""

_STRANGERS: Final = 0.2
"""Share of games at which anybody may sit."""

Results = list[list[tuple[int, int]]]


def main() -> None:
    """Print a row for each number of games a person.

    It holds Spearman's rank correlation with the true order, and the standard error over the seeds.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=120)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--games", type=int, nargs="+", default=[12, 46, 136], help="games a person")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--played", type=int, help="one fit of so many games, and how long it takes")
    args = parser.parse_args()
    if args.played:
        _one_night(args.people, args.seats, args.played)
        return
    print(f"{args.people} people, tables of {args.seats}, {args.seeds} seeds")
    print("games a person " + "".join(f"{name:>20}" for name in METHODS))
    for games in args.games:
        correlations: dict[str, list[float]] = {name: [] for name in METHODS}
        for seed in range(args.seeds):
            true, results = pool(seed, args.people, args.seats, games * args.people // args.seats)
            for name, method in METHODS.items():
                correlations[name].append(spearman(true, method(results, args.people)))
        cells = (f"{fmean(all_):.3f} ± {stdev(all_) / len(all_) ** 0.5:.3f}" for all_ in correlations.values())
        print(f"{games:14} " + "".join(f"{one:>20}" for one in cells))


def pool(seed: int, people: int, seats: int, games: int) -> tuple[Floats, Results]:
    """Return true strengths, and results of games mostly within circles of friends of different strength."""
    rng = np.random.default_rng(seed)
    circles = rng.permutation(people) % max(1, people // _CIRCLE)
    true = rng.normal(0, _SPREAD * 0.8, people) + rng.normal(0, _SPREAD * 0.6, people)[circles]
    results = []
    for _ in range(games):
        host = rng.integers(people)
        near = np.flatnonzero(circles == circles[host]) if rng.random() > _STRANGERS else np.arange(people)
        others = rng.choice(near[near != host], seats - 1, replace=False)
        sitting = np.append(others, host)
        order = sitting[np.argsort(-(true[sitting] + rng.gumbel(size=seats)))]
        results.append([(int(player), place) for place, player in enumerate(order, start=1)])
    return true, results


def fitted(results: Results, people: int) -> Floats:
    """Return the strengths by Plackett–Luce as Kontor fits it."""
    return fit(RatedGames.of(results), people).strengths


def gone_through(results: Results, people: int) -> Floats:
    """Return the strengths by OpenSkill's Plackett–Luce, in the order in which the games were played."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in range(people)]
    for result in results:
        teams = [[ratings[player]] for player, _ in result]
        for (player, _), (rating,) in zip(
            result, model.rate(teams, ranks=[place for _, place in result]), strict=True
        ):
            ratings[player] = rating
    return np.array([rating.mu for rating in ratings])


def victories(results: Results, people: int) -> Floats:
    """Return each person's share of games won; for a person without games, the share over all."""
    played, won = np.zeros(people), np.zeros(people)
    for result in results:
        for player, place in result:
            played[player] += 1
            won[player] += place == 1
    usual = won.sum() / played.sum()
    return np.where(played > 0, won / np.maximum(played, 1), usual)


METHODS: Final[dict[str, Callable[[Results, int], Floats]]] = {
    "fitted anew": fitted,
    "OpenSkill": gone_through,
    "victories": victories,
}


def spearman(one: Sequence[float] | Floats, other: Sequence[float] | Floats) -> float:
    """Return the rank correlation of two rows of numbers; equal numbers share their rank."""
    return float(np.corrcoef(_ranks(one), _ranks(other))[0, 1])


def _ranks(numbers: Sequence[float] | Floats) -> Floats:
    _, which, counts = np.unique(np.asarray(numbers), return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[which]
    return ranks


def _one_night(people: int, seats: int, games: int) -> None:
    true, results = pool(0, people, seats, games)
    began = time.perf_counter()
    ratings = fit(RatedGames.of(results), people)
    took = time.perf_counter() - began
    high = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    correlation = spearman(true, ratings.strengths)
    print(f"{people} people, {games} games: {took:.1f} s, {high:.0f} MB at most, ρ {correlation:.3f}")


if __name__ == "__main__":
    main()
