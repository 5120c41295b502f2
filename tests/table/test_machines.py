"""Machine players: that they play, pause, fail, go on, and never see what is not theirs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Event
from time import monotonic, sleep
from typing import Any

import pytest

from kontor import records
from kontor.dutchman import View
from kontor.dutchman.state import Lay
from kontor.fair import FairDice
from kontor.players import Choose
from kontor.players.uniform import choose as uniform
from kontor.table import House, Machines, Pace
from kontor.table.machines import pause_of
from kontor.table.playing import random_of

from .guests import CARLA, MACHINE, ME, Clock, dutchman, lines, play_out, query, quick, shanghaien


def with_player(house: House, choose: Choose) -> Machines:
    return Machines(house, pause=lambda pace: 0, player=lambda game, name: choose)


def run_out(machines: Machines) -> None:
    while machines.one_round():
        pass


def test_they_play_in_a_thread_of_their_own(house: House) -> None:
    anna = house.guest("Anna")[0].id
    with quick(house):
        tables = [house.open_table(anna, plan) for plan in (shanghaien(MACHINE, MACHINE), dutchman(*[MACHINE] * 3))]
        until = monotonic() + 30
        while any(house.info(table).status != "over" for table in tables):
            assert monotonic() < until
            sleep(0.01)
    for table in tables:
        assert records.verify(house.record(table)).dice


def test_they_pause_by_the_pace(house: House, clock: Clock) -> None:
    table = house.open_table(house.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE, pace=Pace("live", 10, 0)))
    machines = Machines(house)
    assert pause_of(Pace("live", 10, 0)) == 1
    assert pause_of(Pace("live", 60, 0)) == pause_of(Pace("slow", 86400)) == pause_of(Pace()) == 1.5
    assert machines.one_round() == 0
    clock.tick(seconds=0.9)
    assert machines.one_round() == 0
    clock.tick(seconds=0.2)
    assert machines.one_round() == 1
    assert machines.one_round() == 0
    assert house.info(table).number > 3


def test_they_see_their_own_view_and_moves_alone(house: House) -> None:
    house.open_table(house.guest("Anna")[0].id, dutchman(*[MACHINE] * 3))
    seen = list[View]()

    def watching(view: View, moves: Sequence[Any], random: Random) -> Any:
        assert type(view) is View
        assert view.seat == view.mover
        seen.append(view)
        return uniform(view, moves, random)

    run_out(with_player(house, watching))
    assert {view.seat for view in seen} == {0, 1, 2}


def test_each_table_has_its_turn_in_every_round(house: House) -> None:
    anna = house.guest("Anna")[0].id
    tables = [house.open_table(anna, shanghaien(MACHINE, MACHINE)) for _ in range(3)]
    before = [house.info(table).number for table in tables]
    assert quick(house).one_round() == 3
    assert all(house.info(table).number > number for table, number in zip(tables, before, strict=True))


def test_they_leave_people_alone(house: House) -> None:
    table = house.open_table(house.guest("Anna")[0].id, shanghaien(ME, CARLA))
    number = house.info(table).number
    assert quick(house).one_round() == 0
    assert house.info(table).number == number


# ----------------------------------------------------------------------------------------------- random numbers


def test_their_random_numbers_follow_from_the_seed_and_the_line(tmp_path: Path, clock: Clock) -> None:
    with House.open(tmp_path, clock) as house:
        table = house.open_table(house.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
        mover = house.info(table).mover
        assert mover is not None
        first = house.think(table, mover)[1].getstate()
        assert house.think(table, mover)[1].getstate() == first
    with House.open(tmp_path, clock) as house:  # after a crash they think the same again
        assert house.think(table, mover)[1].getstate() == first
        quick(house).one_round()
        seat = house.info(table).mover
        assert seat is not None
        assert house.think(table, seat)[1].getstate() != first


def test_their_random_numbers_are_none_of_the_dice() -> None:
    seed = bytes(range(32))
    drawn = {random_of(seed, line).getrandbits(256) for line in range(50)}
    assert len(drawn) == 50
    blocks = {int.from_bytes(FairDice(seed, ()).block(line, 0), "big") for line in range(50)}
    assert {random_of(seed, line).getstate() for line in range(50)}.isdisjoint(
        {Random(block).getstate() for block in blocks}
    )
    # So that whoever changes this knows that games which are going on change with it.
    assert random_of(seed, 7).randrange(10**9) == 556252354


# --------------------------------------------------------------------------------------------------- what goes wrong


def test_one_that_fails_is_replaced_by_random_and_tells_no_secret(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = house.open_table(house.guest("Anna")[0].id, dutchman(*[MACHINE] * 3))

    def fails(view: View, moves: Sequence[Any], random: Random) -> Any:
        random.random()
        raise ValueError(f"My rack is {view.rack}, and {table} is on fire")

    run_out(with_player(house, fails))
    assert records.verify(house.record(table)).dice
    assert "The machine player random of dutchman failed: ValueError at test_machines.py:" in caplog.text
    assert "rack" not in caplog.text
    assert table not in caplog.text


@pytest.mark.parametrize("nonsense", [None, "roll", Lay(("x",)), [], 7])  # type: ignore[arg-type]
def test_one_that_chooses_what_is_no_move_is_replaced_too(house: House, nonsense: object) -> None:
    table = house.open_table(house.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    machines = with_player(house, lambda view, moves, random: nonsense)
    for _ in range(5):
        assert machines.one_round() == 1
    assert house.info(table).number > 7


def test_one_that_is_not_known_any_more_is_replaced_too(house: House, tmp_path: Path) -> None:
    table = house.open_table(house.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    query(tmp_path, "UPDATE seats SET player = 'of yore'")
    play_out(house, table)
    assert house.record(table).header.players == ("of yore",) * 2


def test_a_table_that_cannot_be_played_does_not_stop_the_others(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    with House.open(tmp_path, clock) as house:
        anna = house.guest("Anna")[0].id
        bad, good = (house.open_table(anna, shanghaien(MACHINE, MACHINE)) for _ in range(2))
        query(tmp_path, "UPDATE tables SET rules = 999 WHERE id = ?", bad)
    with House.open(tmp_path, clock) as house:
        run_out(quick(house))
        assert house.info(good).status == "over"
        assert house.info(bad).status == "playing"
    # It is left alone for a while, not tried again in every round.
    assert caplog.text.count("A turn at a table of shanghaien failed: Unreadable") == 1


def test_the_thread_lives_on_when_a_round_fails(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = Event()

    def fail() -> None:
        failed.set()
        raise OSError

    with quick(house):
        monkeypatch.setattr(house, "tend", fail)
        assert failed.wait(10)
        monkeypatch.undo()
        table = house.open_table(house.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
        until = monotonic() + 30
        while house.info(table).status != "over":
            assert monotonic() < until
            sleep(0.01)


def test_one_that_thinks_for_ever_does_not_hold_up_the_end(house: House, tmp_path: Path) -> None:
    table = house.open_table(house.guest("Anna")[0].id, shanghaien(MACHINE, MACHINE))
    thinking, enough = Event(), Event()

    def ponders(view: View, moves: Sequence[Any], random: Random) -> Any:
        thinking.set()
        enough.wait()
        return moves[0]

    machines = with_player(house, ponders).start()
    assert thinking.wait(10)
    before = lines(tmp_path, table)
    machines.stop(timeout=0.1)
    house.close()
    enough.set()
    machines.stop(timeout=10)
    assert lines(tmp_path, table) == before
