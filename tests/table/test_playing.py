"""Whole games, one line after the other: what is on the disk, and what becomes of moves that cannot be."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from kontor import records
from kontor.dutchman.state import Lay, Pass
from kontor.fair import commitment
from kontor.game import CHANCE, IllegalMove
from kontor.games import game_named
from kontor.shanghaien.state import Dice, Place, Roll, Shanghai
from kontor.table import Conflict, House, Malformed, NoSeat, NotAllowed, NotNow, NotYourTurn, Plan, Unreadable
from kontor.table.rows import table_row
from kontor.table.states import States, record_of
from kontor.table.storage import Place as Where

from .guests import CARLA, MACHINE, ME, OPEN, Clock, dutchman, lines, play_one, play_out, query, quick, shanghaien

MIXED = [shanghaien(ME, MACHINE), dutchman(ME, MACHINE, CARLA, MACHINE)]


def opened(house: House, plan: Plan) -> str:
    return house.open_table(house.guest("Anna")[0].id, plan)


@pytest.mark.parametrize(
    "plan", [*MIXED, shanghaien(MACHINE, MACHINE), dutchman(*[MACHINE] * 6), dutchman(ME, CARLA, CARLA)]
)
def test_a_whole_game_can_be_verified(house: House, plan: Plan, clock: Clock, place: Where) -> None:
    table = opened(house, plan)
    begun, promised = clock.time, house.fair(table)
    clock.tick(minutes=5)
    play_out(house, table)
    record = house.record(table)
    found = records.verify(record)
    assert found.dice
    assert records.decode(records.encode(record)) == record
    info = house.info(table)
    assert found.result == info.result
    assert found.steps == info.number - 1
    header = record.header
    assert header.seats == tuple(seat.name for seat in info.seats)
    assert header.players == tuple(seat.player or "person" for seat in info.seats)
    assert (header.commitment, header.salts, header.started) == (promised.commitment, promised.salts, begun)
    told = house.fair(table)
    assert told.seed
    assert commitment(bytes.fromhex(told.seed)) == promised.commitment
    # The log holds the lines of the record, letter for letter.
    written = records.encode(record).decode().splitlines()
    assert [line for _, _, line in lines(place, table)] == written[1:-1]
    assert [number for number, _, _ in lines(place, table)] == list(range(2, info.number + 1))


@pytest.mark.parametrize("plan", MIXED)
def test_what_is_kept_in_memory_is_always_the_fold_of_the_log(
    house: House, plan: Plan, place: Where, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, random, machines = opened(house, plan), Random(3), quick(house)
    kept = house._states
    eyes = (None, *range(len(plan.seats)))
    while play_one(house, table, random) or machines.one_round():
        seen = [house.look(table, seat) for seat in eyes]
        monkeypatch.setattr(house, "_states", States())
        assert [house.look(table, seat).view for seat in eyes] == [look.view for look in seen]
        assert {look.number for look in seen} == {house.info(table).number}
        monkeypatch.setattr(house, "_states", kept)


def test_what_is_kept_in_memory_gives_way_to_a_longer_log(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where another process has written it."""
    table, random = opened(house, shanghaien(ME, CARLA)), Random(3)
    kept = house._states
    for _ in range(9):
        before = house.look(table, None)
        monkeypatch.setattr(house, "_states", States())
        play_one(house, table, random)
        after = house.look(table, None)
        monkeypatch.setattr(house, "_states", kept)
        assert house.look(table, None) == after != before


def test_an_older_standing_never_takes_the_place_of_a_newer_one(house: House) -> None:
    """A reader may come late with what it has folded."""
    table = opened(house, shanghaien(ME, CARLA))
    kept = house._states
    older = house.moment(table).log.standing
    play_one(house, table, Random(1))
    newer = house.moment(table).log.standing
    kept.keep(table, older)
    assert kept._kept.get(table) is newer
    assert newer.number > older.number


def test_a_bounded_number_of_tables_is_kept_in_memory_and_few_whose_game_is_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house, "_states", States(most=3, over=1))
    tables = [opened(house, shanghaien(ME, CARLA)) for _ in range(4)]
    for table in tables:
        play_one(house, table, Random(1))
    assert len(house._states) == 3
    play_out(house, *tables)
    assert len(house._states) == 1
    for table in tables:
        records.verify(house.record(table))


def test_a_game_goes_on_after_the_house_was_closed(place: Where, clock: Clock) -> None:
    with House.open(place, clock) as house:
        table = opened(house, dutchman(ME, CARLA, MACHINE))
        random = Random(1)
    while True:
        with House.open(place, clock) as house:
            machines = quick(house)
            for _ in range(9):
                play_one(house, table, random)
                machines.one_round()
            if house.info(table).status == "over":
                records.verify(house.record(table))
                break


# --------------------------------------------------------------------------------------------- what is not played


def test_a_move_that_a_rule_refuses_changes_nothing(house: House, place: Where) -> None:
    table = opened(house, shanghaien(ME, CARLA))
    mover, number = house.info(table).mover, house.info(table).number
    assert mover is not None
    before = lines(place, table)
    with pytest.raises(IllegalMove) as refused:
        house.play(table, mover, number, Shanghai())
    assert refused.value.rule == "S4"
    with pytest.raises(NotYourTurn):
        house.play(table, 1 - mover, number, Roll())
    for seat in (2, -1, -2, 10**30):
        with pytest.raises(NoSeat):
            house.play(table, seat, number, Roll())
    assert lines(place, table) == before
    assert house.play(table, mover, number, Roll()) == number + 2  # the move, and the dice


@pytest.mark.parametrize(
    "move",
    [None, 1, "roll", {}, {"move": "fly"}, object(), Dice(1, 2), Lay((1,)), Place("3"), Place(True), Pass()],  # type: ignore[arg-type]
)
def test_what_is_no_move_of_the_game_is_refused(house: House, move: Any) -> None:
    table = opened(house, shanghaien(ME, CARLA))
    info = house.info(table)
    assert info.mover is not None
    with pytest.raises(Malformed):
        house.play(table, info.mover, info.number, move)


def test_a_move_for_another_number_is_told_the_present_one(house: House) -> None:
    table = opened(house, shanghaien(ME, CARLA))
    info = house.info(table)
    assert info.mover is not None
    for number in (info.number - 1, info.number + 1, 0, -1, 10**30):
        with pytest.raises(Conflict) as conflict:
            house.play(table, info.mover, number, Roll())
        assert conflict.value.number == info.number
    house.play(table, info.mover, info.number, Roll())
    with pytest.raises(Conflict) as conflict:
        house.play(table, info.mover, info.number, Roll())
    assert conflict.value.number == info.number + 2


def test_before_and_after_the_game_nothing_can_be_played(house: House) -> None:
    waiting = opened(house, shanghaien(ME, OPEN))
    with pytest.raises(NotNow):
        house.play(waiting, 0, 0, Roll())
    table = opened(house, shanghaien(ME, CARLA))
    with pytest.raises(NotNow):
        house.record(table)
    play_out(house, table)
    info = house.info(table)
    with pytest.raises(NotNow):
        house.play(table, 0, info.number, Roll())
    with pytest.raises(Conflict):
        house.play(table, 0, info.number - 1, Roll())


def test_nobody_moves_for_a_machine_player(house: House) -> None:
    table = opened(house, shanghaien(MACHINE, MACHINE))
    info = house.info(table)
    assert info.mover is not None
    with pytest.raises(NotAllowed):
        house.play(table, info.mover, info.number, Roll())


def test_a_line_that_is_there_already_is_a_conflict(house: House, place: Where) -> None:
    """As where several processes write: whoever comes second has not played."""
    table = opened(house, shanghaien(ME, CARLA))
    info = house.info(table)
    assert info.mover is not None
    query(place, "INSERT INTO steps VALUES (?, ?, 0, 'other', 0)", table, info.number + 1)
    with pytest.raises(Conflict) as conflict:
        house.play(table, info.mover, info.number, Roll())
    assert conflict.value.number == info.number
    query(place, "DELETE FROM steps WHERE step = 'other'")
    assert house.play(table, info.mover, info.number, Roll()) == info.number + 2


def test_a_table_of_other_rules_is_refused_with_a_word(place: Where, clock: Clock) -> None:
    with House.open(place, clock) as house:
        anna = house.guest("Anna")[0].id
        table = house.open_table(anna, shanghaien(ME, CARLA))
    query(place, "UPDATE tables SET rules = 999")
    with House.open(place, clock) as house:
        with pytest.raises(Unreadable, match="version 999"):
            house.view(table, 0)
        assert [listed.id for listed in house.my_tables(anna)] == [table]


# ------------------------------------------------------------------------------------------------------- the log


@pytest.mark.parametrize("plan", MIXED)
def test_events_are_those_of_the_record_with_the_views_around_them(house: House, plan: Plan) -> None:
    table = opened(house, plan)
    play_out(house, table)
    record = house.record(table)
    game = game_named(plan.game)
    states = list(records.replay(record))
    for seat in (None, 0, 1):
        told = house.events(table, seat)
        assert [one.number for one in told] == list(range(2, len(states) + 1))
        assert [one.event for one in told] == records.events(record, seat)
        views = [game.view(state, seat) for state in states]
        assert [(one.before, one.after) for one in told] == list(pairwise(views))


def test_events_can_be_asked_for_in_part(house: House, clock: Clock) -> None:
    table = opened(house, shanghaien(ME, CARLA))
    random = Random(1)
    for _ in range(70):
        clock.tick(seconds=1)
        play_one(house, table, random)
    told = house.events(table, 0)
    last = told[-1].number
    assert last > 100  # more than what is kept in memory
    assert told[-1].at == clock.time
    assert [one.at for one in told] == sorted(one.at for one in told)
    for since in (-5, 0, 1, 2, 10, last - 64, last - 63, last - 62, last - 1, last, last + 9):
        for until in (None, -1, 0, 5, last - 2, last, last + 9, 10**30):
            wanted = tuple(one for one in told if since < one.number <= (last if until is None else until))
            assert house.events(table, 0, since, until) == wanted
    for seat in (2, -1, 10**30):
        with pytest.raises(NoSeat):
            house.events(table, seat)
        with pytest.raises(NoSeat):
            house.view(table, seat)


def test_moves_are_those_of_the_seat_to_move(house: House) -> None:
    table = opened(house, shanghaien(ME, CARLA))
    mover = house.info(table).mover
    assert mover is not None
    assert list(house.moves(table, mover)) == [Roll()]
    assert list(house.moves(table, 1 - mover)) == []
    assert list(house.look(table, None).moves) == []


def test_chance_is_drawn_by_the_seed_and_the_number_of_the_line(house: House, place: Where) -> None:
    table = opened(house, dutchman(ME, CARLA, CARLA))
    ((seed,),) = query(place, "SELECT seed FROM tables")
    random = Random(2)
    for _ in range(20):
        play_one(house, table, random)
    with house._storage.reading() as db:
        record = record_of(db, table_row(db, table))
    assert records.verify(record, seed).outcomes == sum(seat == CHANCE for _, seat, _ in lines(place, table))


def test_what_is_given_out_can_be_written_as_json(house: House) -> None:
    """For the API: no value of the house is anything else."""
    table = opened(house, dutchman(ME, CARLA, MACHINE))
    play_out(house, table)
    for told in (house.info(table), house.lobby(), house.fair(table), house.said(table), house.events(table, 0)):
        assert msgspec.json.encode(told)
