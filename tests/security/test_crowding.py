"""``bench/attack``: the attacks are real, and the command ends by itself. Their effect is measured, not tested.

How much an attack gets done in a second depends on the machine, so each goes on until its counts are enough.
"""

import asyncio
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from math import inf
from pathlib import Path
from random import Random

import pytest
from anyio.from_thread import start_blocking_portal

from bench.attack.crowding import attack_of
from bench.load.__main__ import many_files, service_at
from bench.load.driving import Crowd, Driver
from bench.load.people import ServerAddress
from bench.load.processes import Server, serving
from timeouts import HANG_TIMEOUT, until

pytestmark = [pytest.mark.extended, pytest.mark.process]

ROOT = Path(__file__).parents[2]


def run_command(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bench.attack.crowding", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANG_TIMEOUT)


def attack_until(name: str, is_enough: Callable[[Counter[str]], bool]) -> Counter[str]:
    many_files()
    with serving([], ["--thinkers", "1"], 1) as (addresses, process), start_blocking_portal() as portal:
        server = Server(frozenset({process}))
        return portal.call(_attack_until, name, is_enough, service_at(addresses[0]), server)


async def _attack_until(
    name: str, is_enough: Callable[[Counter[str]], bool], service: ServerAddress, server: Server
) -> Counter[str]:
    driver = Driver(service, server, Crowd(), Random(1729))
    try:
        await driver.welcome(2)
        await driver.open(2)
        await driver.watch()
        attack = attack_of(name, service, [table.log.id for table in driver.tables], inf)
        attacking = asyncio.create_task(getattr(attack, name)())
        await until(lambda: attacking.done() or is_enough(attack.counts))
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
        return attack.counts
    finally:
        driver.close()


def test_onlookers_fill_a_table_and_the_other_address_gets_ten_places() -> None:
    counts = attack_until("onlookers", lambda counts: counts.total() == 400)
    assert counts == {"streams 200": 198, "streams 503": 202}, "200 places, of which two players have theirs"


def test_fifty_accounts_of_one_address_open_tables_read_talk_and_move() -> None:
    wanted = ("tables", "answered 200", "chat 303", "moves 303")
    counts = attack_until("accounts", lambda counts: all(counts[event] for event in wanted))
    assert counts["tables"] <= 50


def test_somebody_who_is_many_has_machine_players_think_at_as_many_tables_as_an_address_may_open() -> None:
    counts = attack_until("thinking", lambda counts: counts["tables"] >= 60 and counts["refused 429"] >= 40)
    assert counts["tables"] <= 80


@pytest.mark.parametrize(
    ("attack", "done"),
    [
        ("forms", "answered 413"), ("setup", "answered 200"), ("refused", "answered 422"),
        ("wrong", "answered 403"), ("head", "answered 200"), ("ranges", "answered 200"), ("hundred", "people"),
        ("streams", "streams"),
    ],
)  # fmt: skip
def test_each_shape_does_what_it_says(attack: str, done: str) -> None:
    assert attack_until(attack, lambda counts: counts[done] >= 20)[done] >= 20


@pytest.mark.parametrize(("attack", "noticed"), [("forms", ("answered", "shown")), ("thinking", ("considered",))])
def test_the_command_says_what_others_notice(attack: str, noticed: tuple[str, ...]) -> None:
    result = run_command("--attacks", attack, "--tables", "4", "--rate", "10", "--seconds", "1")
    assert result.returncode == 0, result.stderr
    for event in noticed:
        line = rf"{event} +before → during → after  (\d+\.\d/\d+\.\d( → )?){{3}} .*, n \d+/\d+/\d+$"
        assert re.search(line, result.stdout, re.MULTILINE), result.stdout


def test_what_is_no_attack_is_refused() -> None:
    result = run_command("--attacks", "kindness")
    attacks = "reads, onlookers, connections, thinking, forms, missing, static, garbage, accounts"
    attacks += ", setup, refused, wrong, head, ranges, hundred, streams"
    assert (result.returncode, result.stderr) == (2, f"There is no attack “kindness”: {attacks}.\n")
