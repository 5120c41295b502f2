"""The command ``simulate``, and the processes that it shares its games with."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kontor.cli import run
from kontor.records import read, verify
from kontor.work.one_core import ONE_CORE
from timeouts import HANG_TIMEOUT, waited_for

from .commands import CHART, KONTOR, is_there


def test_simulate_tells_a_table_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = [
        "simulate", "shanghaien", "--players", "greedy,random", "--games", "4", "--seed", "3", "--tricks", "8,0,0",
    ]  # fmt: skip
    assert run([*arguments, "--records", "here"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"greedy +4 +\d +\d +[\d.]+% +[\d.]+% – [\d.]+% +[\d.]+", out)
    assert "4 games, seed 3," in out
    for record in (tmp_path / "here").iterdir():
        assert verify(read(record)).result
    assert run([*arguments, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["game"] == "shanghaien"
    assert table["games"] == 4
    assert table["decisions_per_second"] > 0
    assert [player["name"] for player in table["players"]] == ["greedy", "random"]
    for player in table["players"]:
        assert {"name", "games", "wins", "draws", "share", "ci95", "mean_points"} <= set(player)
        low, high = player["ci95"]
        assert 0 <= low <= player["share"] <= high + 1e-9 <= 1 + 1e-9


@pytest.mark.process
def test_simulate_by_several_processes_and_in_mirrors_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "shanghaien", "--players", "steady,greedy", "--games", "6", "--mirrored"]
    assert run(arguments) == 0
    alone = capsys.readouterr().out
    assert re.search(r"steady +6 ", alone)
    assert "interval of 3 groups of 2 games with the same luck" in alone
    assert run([*arguments, "--jobs", "2"]) == 0
    assert re.sub(r"\S+ decisions", "", capsys.readouterr().out) == re.sub(r"\S+ decisions", "", alone)
    assert run([*arguments, "--jobs", "all", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["group"] == 2


@pytest.mark.process
def test_ctrl_c_ends_all_processes_of_a_simulation_with_a_sentence() -> None:
    """Send the signal to all processes at once, as a terminal does.

    None of them is started in the background, where a shell ignores the signal.
    """
    command = ["env", "--default-signal=INT", *KONTOR]
    command += ["simulate", "shanghaien", "--games", "2000", "--jobs", "2", "--records", "here"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True, encoding="utf-8") as process:
        waited_for(lambda: process.poll() is not None or list(Path().glob("here/*")))
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=HANG_TIMEOUT)
    assert errors == "Stopped before the end.\n"
    assert "greedy" in output, "what came of the games until then"
    assert "seed 1" in output
    assert process.returncode == 130
    waited_for(lambda: not is_there(process.pid))  # the last to end is Python's own helper, which watches over them


THREADS = """
from atexit import register
from threadpoolctl import threadpool_info
register(lambda: print(*("threads:", *(pool["num_threads"] for pool in threadpool_info()))))
from kontor.cli import main
main()
"""


@pytest.mark.process
def test_games_of_one_seed_are_the_same_however_many_cores_there_are() -> None:
    """Check that matrices are multiplied by one thread, however many cores the machine has.

    NumPy rounds sums of products differently with each number of threads, and the player `expert` decides by them.
    """
    command = [sys.executable, "-c", THREADS, "simulate", "dutchman", "--players", "expert,greedy,greedy"]
    usual = {name: value for name, value in os.environ.items() if name not in ONE_CORE}
    done = subprocess.run([*command, "--games", "1"], env=usual, capture_output=True, text=True, check=True)
    threads = done.stdout.rpartition("threads:")[2].split()
    assert threads
    assert {*threads} == {"1"}


def test_simulate_takes_the_options_of_the_dutchman(capsys: pytest.CaptureFixture[str]) -> None:
    players = "random,random,random,random,random"
    arguments = [
        "simulate", "dutchman", "--players", players, "--circles", "0", "--games", "1", "--chart", str(CHART),
    ]  # fmt: skip
    assert run([*arguments, "--records", ".", "--json"]) == 0
    (record,) = Path().glob("*.jsonl")
    options = read(record).header.options
    assert options.players == 5
    assert options.circles == 0


def test_h11a_games_with_the_check_are_recorded_and_verified() -> None:
    arguments = ["simulate", "dutchman", "--players", "random,casual,greedy,random", "--check", "on-request"]
    assert run([*arguments, "--games", "3", "--records", "."]) == 0
    records = [*Path().glob("*.jsonl")]
    assert len(records) == 3
    assert [run(["verify", str(record)]) for record in records] == [0, 0, 0]
    steps = [step.action for record in records for step in read(record).steps]
    assert read(records[0]).header.options.may_check
    assert {"Check", "Waive"} <= {type(action).__name__ for action in steps}


def test_simulate_lets_the_player_start_who_is_named_on_whichever_seat(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["simulate", "shanghaien", "--players", "greedy,random", "--starter", "random", "--games", "4",
                "--records", "games"]) == 0  # fmt: skip
    starters = []
    for path in sorted((tmp_path / "games").iterdir()):
        record = read(path)
        starters.append((record.header.options.starter, record.header.players[record.header.options.starter]))
    assert starters == [(1, "random"), (0, "random"), (1, "random"), (0, "random")]
