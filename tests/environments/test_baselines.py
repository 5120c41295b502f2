"""The commands of docs/benchmark.md: the same numbers for the same seeds."""

import pytest

from batch.groups import OF_STEPS
from bench.research.learning import ppo
from bench.research.levels import played
from bench.research.speed import speeds

from .test_missing import WITHOUT, run

pytestmark = OF_STEPS


def test_levels_win_against_random_steps_on_every_seat_and_always_alike() -> None:
    for game, seats in (("shanghaien", 2), ("dutchman", 4)):
        rewards = [played(game, "steady", number) for number in range(2 * seats)]
        assert sum(rewards) > seats
        assert rewards[:2] == [played(game, "steady", number) for number in range(2)]
    assert {played("shanghaien", "random", number) for number in range(16)} >= {-1.0, 1.0}


@pytest.mark.extended
@pytest.mark.long
def test_what_ppo_learns_is_held_against_levels_too() -> None:
    head, first, last, *others = ppo("shanghaien", updates=1, opponents="random", games=4, seeds=2, cores=1)
    assert head[-2:] == ("seed 0", "seed 1")
    assert (first[0], first[1], last[0], last[1]) == (0, 0, 1, 256 * 64)
    assert [row[0] for row in others] == ["against casual", "against keen", "against steady"]
    assert all(row[1] == last[1] and -1 <= float(row[2]) < 0.5 for row in others)


@pytest.mark.extended
def test_every_environment_over_arrays_is_measured() -> None:
    head, *rows = speeds("shanghaien", runs=1, seconds=0)
    assert head[0] == "environment"
    assert [row[0] for row in rows] == ["functional step, donated", "functional step, copied", "VectorEnv"]
    assert all(int(str(row[2]).replace(",", "")) > 0 for row in rows)


@pytest.mark.process
def test_without_jax_dqn_says_what_to_install() -> None:
    result = run(f"{WITHOUT.format(extra=('jax', 'chex'))}\nfrom bench.research.__main__ import main\nmain(['dqn'])")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].endswith("--group dqn")
    assert "Traceback" not in result.stderr
