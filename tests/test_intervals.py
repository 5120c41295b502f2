"""Intervals: they contain the truth as often as they claim, also with few groups."""

from random import Random
from statistics import stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.research.intervals import reward_interval
from kontor.intervals import grouped, half_width, ratio, t_quantile, wilson

QUANTILES = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 9: 2.2622, 24: 2.0639, 29: 2.0452, 49: 2.0096,
             99: 1.9842, 100: 1.9840, 199: 1.9720, 999: 1.9623}  # fmt: skip
"""Quantiles from printed tables of Student's t."""


@pytest.mark.parametrize(("freedom", "quantile"), QUANTILES.items())
def test_quantiles_are_those_of_printed_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=6e-5)


def test_quantiles_fall_towards_the_normal_one() -> None:
    quantiles = [t_quantile(freedom) for freedom in range(1, 300)]
    assert quantiles == sorted(quantiles, reverse=True)
    assert t_quantile(10**7) == pytest.approx(1.959964, abs=1e-6)


def coverage(groups: int, size: int, share: float, spread: float, tries: int) -> float:
    """Return how often the interval of groups of games with the same luck holds the true share."""
    random = Random(f"{groups} {size} {share} {spread}")
    hits = 0
    for _ in range(tries):
        shares = []
        for _ in range(groups):
            luck = random.choice((-spread, spread))
            shares += [float(random.random() < share + luck) for _ in range(size)]
        low, high = grouped(shares, size)
        hits += low <= share <= high
    return hits / tries


@pytest.mark.parametrize("groups", [3, 12, 50])
@pytest.mark.parametrize(("size", "share", "spread"), [(2, 0.5, 0.2), (2, 0.7, 0), (4, 0.25, 0.1), (4, 0.5, 0.2)])
def test_95_percent_intervals_of_groups_hold_the_share_in_93_percent_at_least(
    groups: int, size: int, share: float, spread: float
) -> None:
    assert coverage(groups, size, share, spread, 1000) >= 0.93


@pytest.mark.parametrize(
    ("shares", "size", "low", "high"),
    [
        ([1, 0, 1, 1, 0, 0, 1, 0] * 2, 2, 0.18402, 0.81598),  # 8 means, whose standard deviation is √⅐
        ([1, 1, 1, 1, 1, 0, 1, 1], 2, 0.47719, 1.0),  # means 1 1 ½ 1: cut off at 1
        ([1, 0, 1, 1, 0, 0], 2, 0.0, 1.0),  # means ½ 1 0: three groups say next to nothing
        ([0.5, 0, 0.5, 1, 0, 0], 3, 0.04526, 0.84062),  # means ⅓ ⅓, all alike: Wilson's of ⅔ in 2 tries
        ([1, 1, 1, 0], 4, 0.11791, 0.98537),  # a single group: Wilson's of ¾ in 1 try
    ],
)  # fmt: skip
def test_the_interval_of_groups_of_known_cases(shares: list[float], size: int, low: float, high: float) -> None:
    assert grouped(shares, size) == pytest.approx((low, high), abs=1e-5)


@given(st.integers(1, 6).flatmap(lambda size: st.tuples(
    st.just(size), st.lists(st.lists(st.sampled_from([0, 1 / 3, 0.5, 1]), min_size=size, max_size=size), min_size=1)
)))  # fmt: skip
def test_the_interval_of_groups_holds_the_share_and_is_one(case: tuple[int, list[list[float]]]) -> None:
    size, groups = case
    shares = [share for group in groups for share in group]
    low, high = grouped(shares, size)
    assert 0 <= low < high <= 1
    assert low - 1e-9 <= sum(shares) / len(shares) <= high + 1e-9


@pytest.mark.parametrize(
    ("successes", "tries", "low", "high"),
    [(0, 10, 0.0, 0.27754), (1, 10, 0.01787, 0.40415), (5, 10, 0.23659, 0.76341), (10, 10, 0.72246, 1.0),
     (81, 263, 0.25529, 0.36621), (500, 1000, 0.46907, 0.53093)],
)  # fmt: skip
def test_the_wilson_interval_of_known_cases(successes: int, tries: int, low: float, high: float) -> None:
    """Check known cases: 81 of 263 is the example of Newcombe (1998).

    *Two-sided confidence intervals for the single proportion*.
    """
    assert wilson(successes, tries) == pytest.approx((low, high), abs=1e-5)


@given(st.integers(1, 10_000).flatmap(lambda tries: st.tuples(st.floats(0, tries), st.just(tries))))
def test_the_wilson_interval_holds_the_share_and_is_one(case: tuple[float, int]) -> None:
    successes, tries = case
    low, high = wilson(successes, tries)
    assert 0 <= low <= high <= 1
    assert low - 1e-9 <= successes / tries <= high + 1e-9


def test_groups_of_one_size_have_the_interval_of_their_means() -> None:
    sums = [3.0, 1.0, 4.0, 1.0, 5.0]
    mean, half = ratio(sums, [4] * 5)
    assert mean == pytest.approx(14 / 20)
    assert half == pytest.approx(half_width([total / 4 for total in sums]))
    assert half == pytest.approx(2.776445 * stdev(sums) / 4 / 5**0.5)


def test_a_group_with_many_decisions_stands_for_more() -> None:
    assert ratio([1.0, 5.0], [2, 4]) == pytest.approx((1, 12.706205 / 3))


def test_a_reward_between_minus_one_and_one_is_a_proportion() -> None:
    low, high = reward_interval([1.0] * 39 + [-1.0], -1.0)
    assert (low, high) == pytest.approx([2 * end - 1 for end in wilson(39, 40)])
    assert reward_interval([1.0] * 300, 0.0)[1] == 1.0
