"""The measurement of games in OpenSpiel beside the rules and the batches.

No speed is required here: only that the measured games are played, and that every result is reported.
"""

import re
from importlib.metadata import version
from random import Random
from statistics import mean, stdev

import pyspiel
import pytest

from batch.groups import OF_DUTCHMAN
from kontor import bench
from kontor.bench import Elsewhere
from kontor.cli import run
from kontor.environments.speed import OPENSPIELS, in_openspiel

GAMES = [
    ("shanghaien", 2, "Python", "Python"), ("dutchman", 4, "Python", "Python"), ("backgammon", 2, "C++", "Python"),
    ("liars_dice", 2, "C++", "Python"), ("backgammon", 2, "C++", "C++"), ("liars_dice", 2, "C++", "C++"),
]  # fmt: skip


@pytest.fixture(scope="module")
def games() -> tuple[Elsewhere, ...]:
    return in_openspiel()


@pytest.mark.long
def test_our_games_and_two_of_its_own_are_measured(games: tuple[Elsewhere, ...]) -> None:
    progress: list[tuple[str, int, float]] = []
    measured = bench.measure_elsewhere(
        games, runs=2, seconds=0, on_run=lambda game, players, speed: progress.append((game, players, speed))
    )
    assert [(speed.game, speed.players, speed.rules, speed.loop) for speed in measured] == GAMES
    assert [(game, players) for game, players, _ in progress] == 2 * [(game, players) for game, players, *_ in GAMES]
    for speed in measured:
        assert speed.program == f"OpenSpiel {version('open_spiel')}"
        assert len(speed.runs) == 2
        assert speed.games == 2 * (OPENSPIELS[speed.game] if speed.loop == "C++" else 1)
        assert speed.decisions > speed.games
        assert 0 < speed.slowest == min(speed.runs) <= speed.median <= speed.fastest == max(speed.runs)


@pytest.mark.long
@pytest.mark.parametrize("game", OPENSPIELS)
def test_games_that_stay_in_cpp_count_as_many_decisions_as_such_games_have(
    games: tuple[Elsewhere, ...], game: str
) -> None:
    """Compare with the decisions in games of OpenSpiel's own random players."""
    (rolled_out,) = [one for one in games if (one.game, one.loop) == (game, "C++")]
    lengths = []
    for seed in range(500):
        state = pyspiel.load_game(game).new_initial_state()
        players = [pyspiel.make_uniform_random_bot(seat, 2 * seed + seat) for seat in range(2)]
        pyspiel.evaluate_bots(state, players, seed)
        lengths.append(sum(step.player >= 0 for step in state.full_history()))
    played = rolled_out.play(Random(1))
    error = stdev(lengths) * (2 / len(lengths)) ** 0.5
    assert abs(played.decisions / played.games - mean(lengths)) < 5 * error


@pytest.mark.extended
@pytest.mark.long
@OF_DUTCHMAN
def test_the_bench_shows_them_whole_also_in_german(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["--language", "de", "bench", "--seconds", "0"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^ Spiel in .*\n +OpenSpiel .*\n", out, re.MULTILINE)
    assert "…" not in out
    by_engine_then_vectors = re.findall(r"dutchman +(\d)(?: +[1-9][\d,]*){3} *\n", out)
    assert by_engine_then_vectors == [*"4356", *"4356"]
    in_batches = re.findall(r"dutchman +(\d) +([12])(?: +[\d,]+){3} *\n", out)
    assert in_batches == [(players, cores) for players in "4356" for cores in "12"]
    for game, _, rules, loop in GAMES:
        assert re.search(rf"{game} +{re.escape(rules)} +{re.escape(loop)}( +[1-9][\d,]*){{3}}", out)
