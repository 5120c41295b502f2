"""``bench/attack``: the attacks are real, and end by themselves. Their effect is measured, not tested."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from timeouts import HANG_TIMEOUT

pytestmark = [pytest.mark.extended, pytest.mark.process]

ROOT = Path(__file__).parents[2]


def run_attack(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a whole attack on a server of its own."""
    command = [sys.executable, "-m", "bench.attack.crowding", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_TIMEOUT)


def test_onlookers_fill_a_table_an_address_gets_ten_places_and_people_play_on() -> None:
    result = run_attack("--attacks", "onlookers", "--tables", "4", "--rate", "10", "--seconds", "3")
    assert result.returncode == 0, result.stderr
    counts = {int(status): int(count) for count, status in re.findall(r"(\d+) streams (\d+)", result.stdout)}
    # New streams wait for moves: on a slow machine not all of the 400 get a response in time.
    assert 10 <= counts[200] <= 198, "200 places, of which two players have theirs"
    assert 100 <= counts[503] <= 390, "the other address gets ten places"
    for event in ("answered", "shown"):
        assert re.search(rf"{event} +before → during → after  (\d+\.\d/\d+\.\d( → )?){{3}}", result.stdout), (
            result.stdout
        )


def test_what_is_refused_is_sent_again_and_again() -> None:
    result = run_attack("--attacks", "forms", "--tables", "4", "--rate", "10", "--seconds", "1")
    assert result.returncode == 0, result.stderr
    assert re.search(r"\d+ answered 413\b", result.stdout), result.stdout
    assert re.search(r"answered +before → during → after  (\d+\.\d/\d+\.\d( → )?){3}", result.stdout), result.stdout


def test_fifty_accounts_of_one_address_read_talk_and_move_and_others_play_on() -> None:
    result = run_attack("--attacks", "accounts", "--tables", "4", "--rate", "10", "--seconds", "8")
    assert result.returncode == 0, result.stderr
    counts = {
        event: int(count) for count, event in re.findall(r"(\d+) (answered \d+|chat \d+|tables)", result.stdout)
    }
    assert 1 <= counts["tables"] <= 50
    assert counts["answered 200"] >= 1
    assert any(event.startswith("chat") for event in counts)
    assert re.search(r"answered +before → during → after  (\d+\.\d/\d+\.\d( → )?){3}", result.stdout), result.stdout


def test_somebody_who_is_many_has_machine_players_think_and_others_play_on() -> None:
    result = run_attack("--attacks", "thinking", "--seconds", "5")
    assert result.returncode == 0, result.stderr
    tables = re.search(r"(\d+) tables$", result.stdout, re.MULTILINE)
    assert tables
    assert 60 <= int(tables[1]) <= 80, "as many as an address may open"
    assert re.search(r"considered before → during → after  (\d+\.\d/\d+\.\d( → )?){3}", result.stdout), result.stdout


@pytest.mark.parametrize(
    ("attack", "done"),
    [
        ("setup", "answered 200"),
        ("refused", "answered 422"),
        ("wrong", "answered 403"),
        ("head", "answered 200"),
        ("ranges", "answered 200"),
        ("hundred", "people"),
        ("streams", "streams"),
    ],
)
def test_each_shape_does_what_it_says_from_the_first_moment(attack: str, done: str) -> None:
    result = run_attack("--attacks", attack, "--tables", "4", "--rate", "10", "--seconds", "2")
    assert result.returncode == 0, result.stderr
    assert re.search(rf"\d+ {done}\b", result.stdout), result.stdout
    assert re.search(r"answered +before → during → after .*, n \d+/\d+/\d+$", result.stdout, re.MULTILINE), (
        result.stdout
    )


def test_what_is_no_attack_is_said() -> None:
    result = run_attack("--attacks", "kindness")
    attacks = "reads, onlookers, connections, thinking, forms, missing, static, garbage, accounts"
    attacks += ", setup, refused, wrong, head, ranges, hundred, streams"
    assert (result.returncode, result.stderr) == (2, f"There is no attack “kindness”: {attacks}.\n")
