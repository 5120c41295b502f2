"""The commands of ``training``: their sentences, their processes and threads, and the pages that name them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from kontor.work.one_core import ONE_CORE
from training.__main__ import app, run

ROOT = Path(__file__).parents[2]
PAGES: Final = ("CHANGELOG.md", "CONTRIBUTING.md", "docs/research.md", "docs/strength.md")
CALL: Final = re.compile(r"python -m training (\w+)([^`\n]*)")


def run_training(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    usual = {name: value for name, value in os.environ.items() if name not in ONE_CORE}
    path = os.pathsep.join([str(ROOT), *sys.path])
    return subprocess.run(
        [sys.executable, *arguments],
        env={**usual, "PYTHONPATH": path, **environment},
        capture_output=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["train", "chess"], "There is no game “chess”."),
        (["gauge", "shanghaien", "--jobs", "0"], "--jobs takes a whole number from 1 on"),
        (["train", "shanghaien", "--effort", "0"], "--effort does not take this value."),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run(arguments) == 2
    assert part in capsys.readouterr().err


def test_a_game_with_nothing_to_train_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.trainers.TRAINERS", {})
    monkeypatch.setattr("training.trainers.GAUGES", {})
    for command in (["train", "shanghaien", "--out", str(tmp_path / "weights.npz")], ["gauge", "shanghaien"]):
        assert run(command) == 2
        assert capsys.readouterr().err == "shanghaien has no computer player to train.\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.process
def test_processes_that_share_a_simulation_have_the_benchmark_players() -> None:
    command = ("-m", "training.kontor", "simulate", "shanghaien", "--players", "mcts:2,greedy", "--games", "4")
    alone, shared = (run_training(*command, "--jobs", jobs) for jobs in "12")
    assert (alone.returncode, shared.returncode) == (0, 0), alone.stderr + shared.stderr
    assert re.search(r"mcts:2 +4 ", alone.stdout)
    assert re.sub(r"\S+ decisions", "", shared.stdout) == re.sub(r"\S+ decisions", "", alone.stdout)


THREADS = """
from atexit import register
from threadpoolctl import threadpool_info
register(lambda: print(*("threads:", *(pool["num_threads"] for pool in threadpool_info()))))
from training.__main__ import main
main()
"""


@pytest.mark.process
def test_matrices_are_multiplied_by_one_thread_but_in_training(tmp_path: Path) -> None:
    done = run_training(
        "-c", THREADS, "train", "shanghaien", "--effort", "0.001", "--out", str(tmp_path / "weights.npz")
    )
    threads = done.stdout.rpartition("threads:")[2].split()
    assert threads, done.stderr
    assert {*threads} == {"1"}


def test_commands_and_options_on_the_pages_exist() -> None:
    group: Any = typer.main.get_command(app)
    calls = [call for page in PAGES for call in CALL.findall((ROOT / page).read_text("utf-8"))]
    assert {name for name, _ in calls} == set(group.commands)
    for name, rest in calls:
        options = {option for parameter in group.commands[name].params for option in parameter.opts}
        assert set(re.findall(r"--[a-z]+", rest)) <= options
