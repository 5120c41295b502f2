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


def crowding(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a whole attack on a server of its own."""
    command = [sys.executable, "-m", "bench.attack.crowding", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_TIMEOUT)


def test_onlookers_fill_a_table_an_address_gets_ten_places_and_people_play_on() -> None:
    ran = crowding("--attacks", "onlookers", "--tables", "4", "--rate", "10", "--seconds", "3")
    assert ran.returncode == 0, ran.stderr
    counts = {int(status): int(count) for count, status in re.findall(r"(\d+) streams (\d+)", ran.stdout)}
    # New streams wait for moves: on a slow machine not all of the 400 get a response in time.
    assert 10 <= counts[200] <= 198, "200 places, of which two players have theirs"
    assert 100 <= counts[503] <= 390, "the other address gets ten places"
    for what in ("answered", "shown"):
        assert re.search(rf"{what} +before → during → after  (\d+\.\d/\d+\.\d( → )?){{3}}", ran.stdout), ran.stdout


def test_what_is_refused_is_sent_again_and_again() -> None:
    ran = crowding("--attacks", "forms", "--tables", "4", "--rate", "10", "--seconds", "1")
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"\d+ answered 413\b", ran.stdout), ran.stdout
    assert re.search(r"answered +before → during → after  (\d+\.\d/\d+\.\d( → )?){3}", ran.stdout), ran.stdout


def test_fifty_accounts_of_one_address_read_talk_and_move_and_others_play_on() -> None:
    ran = crowding("--attacks", "accounts", "--tables", "4", "--rate", "10", "--seconds", "8")
    assert ran.returncode == 0, ran.stderr
    counts = {what: int(count) for count, what in re.findall(r"(\d+) (answered \d+|chat \d+|tables)", ran.stdout)}
    assert 1 <= counts["tables"] <= 50
    assert counts["answered 200"] >= 1
    assert any(what.startswith("chat") for what in counts)
    assert re.search(r"answered +before → during → after  (\d+\.\d/\d+\.\d( → )?){3}", ran.stdout), ran.stdout


def test_somebody_who_is_many_has_machine_players_think_and_others_play_on() -> None:
    ran = crowding("--attacks", "thinking", "--seconds", "5")
    assert ran.returncode == 0, ran.stderr
    tables = re.search(r"(\d+) tables$", ran.stdout, re.MULTILINE)
    assert tables
    assert 60 <= int(tables[1]) <= 80, "as many as an address may open"
    assert re.search(r"considered before → during → after  (\d+\.\d/\d+\.\d( → )?){3}", ran.stdout), ran.stdout


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
    ran = crowding("--attacks", attack, "--tables", "4", "--rate", "10", "--seconds", "2")
    assert ran.returncode == 0, ran.stderr
    assert re.search(rf"\d+ {done}\b", ran.stdout), ran.stdout
    assert re.search(r"answered +before → during → after .*, n \d+/\d+/\d+$", ran.stdout, re.MULTILINE), ran.stdout


def test_what_is_no_attack_is_said() -> None:
    ran = crowding("--attacks", "kindness")
    known = "reads, onlookers, connections, thinking, forms, missing, static, garbage, accounts"
    known += ", setup, refused, wrong, head, ranges, hundred, streams"
    assert (ran.returncode, ran.stderr) == (2, f"There is no attack “kindness”: {known}.\n")
