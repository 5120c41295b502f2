"""What a server gains that tries seeds or shares: nothing, as long as the last share is one that it cannot guess."""

from __future__ import annotations

import pytest

from bench.attack.grinding import GAMES, SITUATIONS, Gain, gains, main

HONEST = 300
CHEATED = 10


@pytest.fixture(scope="module")
def found() -> dict[str, Gain]:
    return {gain.situation: gain for gain in gains(seed=1, honest=HONEST, cheated=CHEATED)}


def test_a_server_alone_gains_nothing(found: dict[str, Gain]) -> None:
    gain = found["today, alone"]
    assert gain.games == gain.kept == HONEST
    assert gain.tries > 10, "it did try"
    assert gain.p > 0.001


def test_nor_does_it_with_the_host_where_an_honest_guest_sits_down_after(found: dict[str, Gain]) -> None:
    gain = found["with the host"]
    assert gain.kept == CHEATED
    assert gain.granted <= 1


def test_with_the_last_to_sit_it_gains_everything(found: dict[str, Gain]) -> None:
    """Until players commit to their shares before any is shown."""
    gain = found["with the last to sit"]
    assert gain.granted == gain.kept == CHEATED
    assert gain.tries > 10
    assert gain.p < 0.001


def test_the_old_way_gained_everything_and_is_refused_today(found: dict[str, Gain]) -> None:
    gain = found["the old way"]
    assert (gain.granted, gain.kept) == (CHEATED, 0)


def test_the_judge_finds_a_server_that_gains_a_little() -> None:
    fair = GAMES / 72
    assert Gain("", GAMES, round(fair), 1, 0).p > 0.9
    assert Gain("", GAMES, round(1.2 * fair), 1, 0).p == pytest.approx(0.0163, rel=0.01)
    assert Gain("", GAMES, round(1.4 * fair), 1, 0).p < 0.00001


def test_with_the_same_seed_it_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for seed in ("7", "7", "8"):
        main(["--seed", seed, "--games", "10", "--cheated", "1"])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != told[2]
    assert all(situation.name in told[0] for situation in SITUATIONS)
