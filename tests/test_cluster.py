"""Work shared by Ray: a real one on this machine, started once for nearly all tests, because it takes a while."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec import structs

from cli.commands import is_there
from kontor import arena
from kontor.arena import ArenaGame, Report, Stopped
from kontor.distribution import command_for
from kontor.game import BadOptions
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.shanghaien import rules as shanghaien
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.players import player_named
from kontor.work import Jobs
from kontor.work.cluster import ClusterLost, NoCluster, RayExecutor, opened
from timeouts import HANG_TIMEOUT, waited_for
from training.dutchman import lessons
from training.shanghaien import backward_learning
from turns import LAST

pytestmark = [pytest.mark.process, LAST, pytest.mark.filterwarnings("ignore::ResourceWarning:ray")]

KONTOR = [sys.executable, "-m", "kontor.cli", "--language", "en"]
SERIES = ["simulate", "shanghaien", "--players", "casual,greedy", "--games", "12", "--seed", "7"]


@pytest.fixture(scope="module")
def require_ray() -> None:
    """Skip the tests where Ray has no wheel; under CI they fail."""
    if find_spec("ray") is None:
        missing = "Ray is missing (it has no wheels for this Python), so nothing was tried with it"
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)


@pytest.fixture(scope="module")
def ray(require_ray: None) -> Iterator[RayExecutor]:
    """Start Ray with two processes."""
    with opened(None, 2) as ours:
        yield ours


def encode_without_times(report: Report) -> bytes:
    return msgspec.json.encode(structs.replace(report, seconds=0.0, decisions_per_second=0.0))


def run_kontor(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*KONTOR, *arguments], capture_output=True, encoding="utf-8", timeout=HANG_TIMEOUT, check=False
    )


def processes() -> dict[int, tuple[int, str]]:
    """Return the parent and the command of each process of this machine."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return {int(row[0]): (int(row[1]), row[2]) for row in rows if len(row) == 3}


def descendants(first: int = os.getpid()) -> dict[int, str]:
    """Return the descendants of this process, or of another, with their commands."""
    listed, pids = processes(), {first}
    while more := {pid for pid, (parent, _) in listed.items() if parent in pids} - pids:
        pids |= more
    return {pid: listed[pid][1] for pid in pids - {first}}


# ----------------------------------------------------------------------------------------------- the same results


def test_simulate_tells_the_same_json_by_ray_as_by_one_process_and_by_two(ray: RayExecutor) -> None:
    import ray as package

    address = package.get_runtime_context().gcs_address
    runs = [run_kontor(*SERIES, "--json", *more) for more in ([], ["--jobs", "2"], ["--ray", address])]
    assert [(done.returncode, done.stderr) for done in runs] == [(0, "")] * 3
    alone, two, cluster = (re.sub(r'"(seconds|decisions_per_second)": [\d.]+', "", done.stdout) for done in runs)
    assert json.loads(runs[0].stdout)["games"] == 12
    assert alone == two == cluster


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_report_and_the_order_of_the_games_are_the_same(ray: RayExecutor, mirrored: bool) -> None:
    def play(jobs: Jobs) -> tuple[bytes, list[ArenaGame]]:
        games: list[ArenaGame] = []
        players = ["greedy", "random", "random", "random"]
        report = arena.simulate(
            DUTCHMAN, Dutchman(), players, 12, 4, jobs=jobs, mirrored=mirrored, on_game=games.append
        )
        return encode_without_times(report), games

    assert play(ray) == play(1)


def test_the_records_are_the_same(ray: RayExecutor, tmp_path: Path) -> None:
    def record(jobs: Jobs, folder: Path) -> list[tuple[str, bytes]]:
        arena.simulate(SHANGHAIEN, shanghaien.Options(), ["greedy", "random"], 5, 1, jobs=jobs, folder=folder)
        return [(file.name, file.read_bytes()) for file in sorted(folder.iterdir())]

    alone = record(1, tmp_path / "alone")
    assert len(alone) == 5
    assert record(ray, tmp_path / "ray") == alone


@pytest.mark.extended
def test_what_players_of_the_hollander_learn_from_is_the_same(
    ray: RayExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "CHUNK", 2)
    alone, together = [lessons.lessons(3, range(6), jobs, lambda *stage: None) for jobs in (1, ray)]
    assert alone.keys() == together.keys() == {3, 4, 5, 6}
    for players, lesson in alone.items():
        others = together[players]
        for one, other in zip((*lesson.states, *lesson[1:]), (*others.states, *others[1:]), strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.extended
def test_the_weights_of_shanghaien_are_the_same(ray: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backward_learning, "TOGETHER", 1)
    effort = 2 / backward_learning.GAMES
    alone, together = [backward_learning.train(3, effort, jobs, lambda *stage: None) for jobs in (1, ray)]
    assert alone.keys() == together.keys()
    for name, array in alone.items():
        np.testing.assert_array_equal(array, together[name], err_msg=name)


# ------------------------------------------------------------------------------------------------------ failures


def test_a_process_that_is_killed_changes_nothing(ray: RayExecutor) -> None:
    killed: list[int] = []

    def kill(played: ArenaGame) -> None:
        """Kill the first process that is seen at work."""
        while not killed:
            busy = [pid for pid, name in descendants().items() if name.startswith("ray::") and "_do" in name]
            for pid in busy[:1]:
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

    players = ["keen", "greedy"]
    report = arena.simulate(SHANGHAIEN, shanghaien.Options(), players, 14, 5, jobs=ray, on_game=kill)
    assert len(killed) == 1
    assert killed[0] not in descendants()
    assert encode_without_times(report) == encode_without_times(
        arena.simulate(SHANGHAIEN, shanghaien.Options(), players, 14, 5, jobs=2)
    )


@pytest.mark.extended
def test_a_machine_that_is_lost_changes_nothing(ray: RayExecutor) -> None:
    """Check two nodes with one core each, on one machine. Ray's message about the loss is not among the results."""
    from ray import cluster_utils

    series = ["simulate", "shanghaien", "--players", "keen,greedy", "--games", "12", "--seed", "7", "--json"]
    machines = cluster_utils.Cluster(True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        second = machines.add_node(num_cpus=1)
        (raylet,) = [process.process.pid for process in second.all_processes["raylet"]]
        command, pipe = [*KONTOR, *series, "--ray", machines.address], subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, encoding="utf-8") as process:
            while not any(name.startswith("ray::_do") for name in descendants(raylet).values()):
                assert process.poll() is None, "the second machine was never asked"
                time.sleep(0.01)
            for pid in (raylet, *descendants(raylet)):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            output, complained = process.communicate(timeout=HANG_TIMEOUT)
    finally:
        machines.shutdown()
    assert process.returncode == 0, complained
    assert "the node it was running on is dead" in complained
    both = run_kontor(*series).stdout, output
    alone, cluster = (re.sub(r'"(seconds|decisions_per_second)": [\d.]+', "", each) for each in both)
    assert alone == cluster


def test_work_that_kills_every_process_is_given_up(ray: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.work.cluster.MAX_RETRIES", 1)
    with pytest.raises(ClusterLost, match="Ray has given up: "):
        list(ray.map(os._exit, [1]))


def test_a_machine_without_what_the_work_needs_is_told_of(ray: RayExecutor) -> None:
    """Check a missing module of tests, for instance."""
    with pytest.raises(ClusterLost, match=r"^Ray has given up: System error: No module named \S+$"):
        list(ray.map(is_there, [1]))


def test_what_the_work_refuses_is_refused(ray: RayExecutor) -> None:
    with pytest.raises(BadOptions, match="no computer player “nobody”"):
        list(ray.map(partial(player_named, "shanghaien"), ["nobody"]))


def test_another_kontor_on_the_cluster_is_refused(ray: RayExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.work.cluster.installed_version", lambda: "9.9")
    with pytest.raises(ClusterLost, match=r"has Kontor \d\S+, and this one has 9.9: install the same"):
        list(ray.map(abs, [-3]))


@pytest.mark.extended
def test_who_stops_a_series_is_told_of_the_games_until_then(ray: RayExecutor) -> None:
    def stop(played: ArenaGame) -> None:
        if played.number == 6:
            raise KeyboardInterrupt

    def duel(games: int, **more: Any) -> Report:
        return arena.simulate(SHANGHAIEN, shanghaien.Options(), ["greedy", "random"], games, 1, mirrored=True, **more)

    with pytest.raises(Stopped) as stopped:
        duel(200, jobs=ray, on_game=stop)
    assert encode_without_times(stopped.value.report) == encode_without_times(duel(6))


# ----------------------------------------------------------------------------- privacy, and the end of processes


def test_nobody_outside_this_machine_can_reach_it_and_nobody_is_told_of_its_use(ray: RayExecutor) -> None:
    from ray._common.usage.usage_lib import usage_stats_enabled

    assert not usage_stats_enabled()
    assert os.environ["RAY_AUTH_MODE"] == "token"
    begun = {os.getpid(), *descendants()}
    if not Path("/proc/net/tcp").exists():
        pytest.skip("this system does not tell who listens where")
    sockets = {link for pid in begun for link in links(pid)}
    listening = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text("ascii").splitlines()[1:]:
            local, state, inode = (line.split()[place] for place in (1, 3, 9))
            if state == "0A" and f"socket:[{inode}]" in sockets:
                listening.append(local.partition(":")[0])
    assert len(listening) > 3
    assert set(listening) <= {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


def links(pid: int) -> list[str]:
    """Return the targets of a process's open files; none for one that has just ended."""
    targets = []
    for file in (Path("/proc") / str(pid) / "fd").glob("*"):
        try:
            targets.append(str(file.readlink()))
        except FileNotFoundError:
            continue
    return targets


@pytest.mark.extended
def test_ctrl_c_shows_what_came_until_then_and_leaves_no_process(require_ray: None, tmp_path: Path) -> None:
    """Send the signal to all processes at once, as a terminal does."""
    command = ["env", "--default-signal=INT", *KONTOR, "simulate", "shanghaien", "--games", "20000", "--ray"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [*command, "--jobs", "2", "--records", str(tmp_path / "here")],
        stdout=pipe, stderr=pipe, start_new_session=True, encoding="utf-8",
    ) as process:  # fmt: skip
        while process.poll() is None and not list(tmp_path.glob("here/*")):
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        output, complained = process.communicate(timeout=HANG_TIMEOUT)
    assert complained == "Stopped before the end.\n"
    assert process.returncode == 130
    (games,) = re.findall(r"([\d,]+) games?, seed 1", output)
    alone = run_kontor("simulate", "shanghaien", "--games", games.replace(",", ""))
    assert re.sub(r"\S+ decisions", "", output) == re.sub(r"\S+ decisions", "", alone.stdout)
    waited_for(lambda: not is_there(process.pid))


# ----------------------------------------------------------------------------------------------- no Ray


def test_where_nobody_answers_there_is_no_ray() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{nobody.getsockname()[1]}"
        result = run_kontor(*SERIES, "--ray", address)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith(f"There is no Ray at {address}: ")


@pytest.mark.parametrize("address", ["nonsense", "there:", ":6379", "there:x", "ray://there"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(NoCluster, match=f"“{address}” is not a Ray address"), opened(address, 1):
        pass


CLONE = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
"""The environment of programs that import ``training``, which is not installed."""

WITHOUT = """
import sys
sys.modules["ray"] = None
from {program} import run
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("program", "command"),
    [
        ("kontor.cli", ["--language", "en", "simulate", "shanghaien", "--ray"]),
        ("training.__main__", ["train", "dutchman", "--ray", "--jobs", "2"]),
    ],
)
def test_a_missing_ray_is_told_with_the_command_that_installs_it(
    program: str, command: list[str], tmp_path: Path
) -> None:
    arguments = [sys.executable, "-c", WITHOUT.format(program=program), *command]
    result = subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False, cwd=tmp_path, env=CLONE)
    assert (result.returncode, result.stdout) == (1, "")
    assert " ".join(result.stderr.split()) == (
        f"Sharing work with Ray needs the package ray, which is not installed: {command_for('cluster')}"
    )
    assert not list(tmp_path.iterdir())


def test_ray_is_imported_only_when_it_is_asked_for() -> None:
    code = "import sys, kontor.cli, training.trainers\nprint('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=CLONE).stdout == "False\n"
