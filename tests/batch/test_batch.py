"""Batches in general: equal games for every number of games and cores; the extra; the proof and the benchmark."""

import json
import re
import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from kontor import bench
from kontor.batch import Batch, Results, roll_out
from kontor.batch import lockstep as proof
from kontor.cli import run
from kontor.distribution import command_for
from kontor.game import AnyGame, BadOptions
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.games.shanghaien.rules.components import TrickCounts
from timeouts import HANG_TIMEOUT

from .groups import OF_DUTCHMAN, OF_SHANGHAIEN
from .odds import is_unlikely


def are_equal(one: Results, other: Results) -> bool:
    return (
        np.array_equal(one.points, other.points)
        and np.array_equal(one.winners, other.winners)
        and np.array_equal(one.decisions, other.decisions)
    )


def part(results: Results, games: slice) -> Results:
    return Results(results.points[games], results.winners[games], results.decisions[games])


BOTH = pytest.mark.parametrize(
    ("game", "options"),
    [
        pytest.param(SHANGHAIEN, Options(), marks=OF_SHANGHAIEN, id="shanghaien"),
        pytest.param(DUTCHMAN, Dutchman(), marks=OF_DUTCHMAN, id="dutchman"),
    ],
)


@pytest.mark.long
@BOTH
def test_results_depend_neither_on_cores_nor_on_the_number_of_games(game: AnyGame, options: Any) -> None:
    all_games = roll_out(game, options, 300, seed=7)
    for cores in (2, 3):
        assert are_equal(roll_out(game, options, 300, seed=7, cores=cores), all_games)
    assert are_equal(roll_out(game, options, 10, seed=7), part(all_games, slice(10)))
    assert are_equal(roll_out(game, options, 100, seed=7, first=200), part(all_games, slice(200, None)))
    assert not are_equal(roll_out(game, options, 300, seed=8), all_games)


@pytest.mark.long
@BOTH
def test_a_batch_that_is_played_out_is_the_roll_out(game: AnyGame, options: Any) -> None:
    batch = Batch(game, options, 100, seed=7, first=50, cores=2)
    decisions = batch.play_out()
    assert are_equal(Results(*batch.score(), decisions), roll_out(game, options, 100, seed=7, first=50))


@pytest.mark.long
@BOTH
def test_games_played_move_by_move_depend_neither_on_cores_nor_on_their_number(game: AnyGame, options: Any) -> None:
    many, some = (Batch(game, options, 500, seed=5, cores=3), Batch(game, options, 40, seed=5, first=60))
    for _ in range(30):
        for batch in (many, some):
            batch.draw()
            batch.step(batch.nth(np.where(batch.movers >= 0, batch.choices() // 2, -1)))
    # The rows beyond the pile keep their old content, which is the same too.
    assert np.array_equal(many.rows[60:100], some.rows)
    assert len({row.tobytes() for row in many.rows}) == 500


@OF_SHANGHAIEN
def test_a_batch_begins_anew_with_the_same_luck_or_goes_on() -> None:
    batch = Batch(SHANGHAIEN, Options(), 50, seed=5)
    once = batch.play_out()
    batch.reset(5)
    assert np.array_equal(batch.play_out(), once)
    which = np.arange(50) < 20
    before = batch.rows[20:].copy()
    batch.restart(which)
    assert batch.movers.tolist() == [-1] * 20 + [-2] * 30
    again = batch.play_out()
    assert np.array_equal(batch.rows[20:], before)
    assert not again[20:].any()
    assert not np.array_equal(again[:20], once[:20])


@OF_SHANGHAIEN
def test_random_games_are_as_long_and_end_as_those_of_the_rules() -> None:
    """Check random moves in both: equally many decisions a game, and equally many wins for both seats."""
    random = Random(3)
    games = 400
    decisions = [bench.random_game(SHANGHAIEN, Options(), random) for _ in range(games)]
    results = roll_out(SHANGHAIEN, Options(), 20_000, seed=3)
    edges = np.quantile(results.decisions, [0, 0.2, 0.4, 0.6, 0.8])
    likely = Counter(np.searchsorted(edges, results.decisions, "right").tolist())
    counted = Counter(np.searchsorted(edges, decisions, "right").tolist())
    counted[1] += counted.pop(0, 0)  # shorter than all the others
    assert not is_unlikely(counted, {fifth: count / 20_000 for fifth, count in likely.items()})
    wins = results.winners.sum(axis=0)
    assert not is_unlikely({"first": int(wins[0]), "second": int(wins[1])}, {"first": 0.5, "second": 0.5})


@OF_SHANGHAIEN
def test_options_that_no_game_can_be_played_with_are_refused() -> None:
    wrong = Options(tricks=TrickCounts(nudge=9, both=0, reroll=0))
    for use in (lambda: Batch(SHANGHAIEN, wrong, 1), lambda: roll_out(SHANGHAIEN, wrong, 1)):
        with pytest.raises(BadOptions, match="must be eight"):
            use()


@OF_DUTCHMAN
def test_h11a_the_check_is_refused_in_a_sentence() -> None:
    checking = Dutchman(check="on request")
    for use in (lambda: Batch(DUTCHMAN, checking, 1), lambda: roll_out(DUTCHMAN, checking, 1)):
        with pytest.raises(BadOptions, match=r"^The batch simulator cannot play with the check yet\. \(H11a\)$"):
            use()


def python(code: str) -> str:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=HANG_TIMEOUT)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.process
def test_nobody_who_plays_at_home_loads_any_of_it() -> None:
    code = "import sys, kontor.cli; print(sorted({'numba', 'llvmlite', 'kontor.batch'} & set(sys.modules)))"
    assert python(code).strip() == "[]"


WITHOUT = "import sys; sys.modules['numba'] = None\n"
MISSING = f"The batch simulator needs the package numba, which is not installed: {command_for('batch')}"
NO_OPENSPIEL = (
    f"The research environments need the package pyspiel, which is not installed: {command_for('research')}"
)


@pytest.mark.process
def test_a_missing_extra_is_told_in_a_sentence() -> None:
    code = (
        f"{WITHOUT}from kontor.game import Refusal\ntry:\n    import kontor.batch\nexcept Refusal as r:\n    print(r)"
    )
    assert python(code).strip() == MISSING


@pytest.mark.process
def test_without_the_extra_the_bench_measures_the_rules_and_says_what_is_missing() -> None:
    code = (
        f"{WITHOUT}sys.modules['pyspiel'] = None\n"
        "from kontor.cli import run\nsys.exit(run(['--language', 'en', 'bench', '--seconds', '0']))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=HANG_TIMEOUT)
    assert result.returncode == 0
    assert " ".join(result.stderr.split()) == f"{MISSING} {NO_OPENSPIEL}"
    assert "shanghaien" in result.stdout
    assert "in batches" not in result.stdout
    assert "OpenSpiel" not in result.stdout
    code = code.replace("'--seconds', '0'", "'--lockstep', '1'")
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=HANG_TIMEOUT)
    assert result.returncode == 1
    assert " ".join(result.stderr.split()) == MISSING


@pytest.mark.long
@OF_DUTCHMAN
def test_the_long_proof_plays_every_game_and_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--lockstep", "3", "--json"]) == 0
    proofs = json.loads(capsys.readouterr().out)
    assert [(one["game"], one["players"], one["games"]) for one in proofs] == [
        ("shanghaien", 2, 3), *[("dutchman", players, 3) for players in (3, 4, 5, 6)],
    ]  # fmt: skip
    assert run(["bench", "--lockstep", "1"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"shanghaien +2 +1 +\d+ +\d+", out)
    assert re.search(r"dutchman +6 +1 +\d+ +\d+", out)
    assert "agreed after every step" in out


@pytest.mark.long
@OF_DUTCHMAN
def test_the_proof_is_the_same_in_several_processes() -> None:
    progress: list[int] = []
    one = proof.prove_all(11, seed=1, at_once=8, on_games=progress.append)
    assert progress == [8, 3] * len(one) == [8, 3] * 5
    assert proof.prove_all(11, seed=1, at_once=8, cores=2) == one


@pytest.mark.extended
@pytest.mark.long
@OF_DUTCHMAN
def test_batches_are_measured_on_one_core_and_on_two() -> None:
    """Check only that every measurement is reported: no speed is required here."""
    measured = bench.measure_batches(runs=2, seconds=0)
    assert [(speed.game, speed.players, speed.cores) for speed in measured] == [
        (game.name, game.seats(options), cores) for game, options in bench.measured_games() for cores in (1, 2)
    ]
    for speed in measured:
        assert len(speed.runs) == 2
        assert speed.games >= 2 * speed.cores
        assert speed.decisions > speed.games
        assert 0 < speed.slowest == min(speed.runs) <= speed.median <= speed.fastest == max(speed.runs)
