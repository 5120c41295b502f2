"""The luck of batches: SplitMix64, whole numbers below another, and one of several bits."""

from collections import Counter

import numpy as np
import pytest

from kontor.batch.compiled import LUCK, initial_rng_state, mix64, random_below, random_set_bit

from .groups import OF_SHANGHAIEN
from .odds import is_unlikely

pytestmark = OF_SHANGHAIEN

STEP = 0x9E3779B97F4A7C15


def test_it_is_splitmix64() -> None:
    """Compare with the published first numbers for the seed 1234567."""
    wanted = [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip
    seeds = [np.uint64((1234567 + STEP * draw) % 2**64) for draw in range(1, 6)]
    assert [int(mix64(seed)) for seed in seeds] == wanted


def test_games_and_seeds_begin_apart() -> None:
    begins = {int(initial_rng_state(np.uint64(seed), np.uint64(game))) for seed in range(100) for game in range(100)}
    assert len(begins) == 10_000


@pytest.mark.parametrize("number", [1, 2, 6, 36, 48])
def test_numbers_below_another_are_equally_likely(number: int) -> None:
    luck = np.array([(number,)], LUCK)[0]
    drawn = Counter(random_below(luck, number) for _ in range(20_000))
    assert set(drawn) == set(range(number))
    assert not is_unlikely(drawn, dict.fromkeys(range(number), 1 / number))


def test_what_would_prefer_some_numbers_is_drawn_again() -> None:
    """Check 3 × 2³⁰ numbers: every fourth draw is rejected, and no number is preferred."""
    many = 3 << 30
    luck = np.array([(7,)], LUCK)[0]
    draws = 4_000
    thirds = Counter(random_below(luck, many) % 3 for _ in range(draws))
    assert not is_unlikely(thirds, dict.fromkeys(range(3), 1 / 3))
    taken = int(luck["state"] - np.uint64(7)) * pow(STEP, -1, 2**64) % 2**64
    assert not is_unlikely({"taken": draws, "left out": taken - draws}, {"taken": 3 / 4, "left out": 1 / 4})


def test_one_of_several_bits_is_each_of_them_equally_often() -> None:
    luck = np.array([(3,)], LUCK)[0]
    places = [0, 1, 4, 17, 45, 63]
    bits = np.uint64(sum(1 << place for place in places))
    drawn = Counter(random_set_bit(luck, bits) for _ in range(12_000))
    assert not is_unlikely(drawn, dict.fromkeys(places, 1 / len(places)))


def test_nothing_is_drawn_for_the_only_one() -> None:
    luck = np.array([(3,)], LUCK)[0]
    assert random_set_bit(luck, np.uint64(1 << 45)) == 45
    assert luck["state"] == 3
