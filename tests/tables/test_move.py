"""Whole games, one line after the other: the stored lines, and the refusal of impossible moves."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Any

import msgspec
import pytest

from guests import (
    CARLA,
    MACHINE,
    ME,
    OPEN,
    Clock,
    dutchman,
    in_a_folder,
    lines,
    play_one,
    play_out,
    query,
    quick,
    shanghaien,
)
from kontor import records
from kontor.errors import Conflict, Malformed, NoSeat, NotAllowed, NotNow, NotYourTurn, Unreadable
from kontor.fair import commitment
from kontor.game import CHANCE, IllegalMove
from kontor.games.dutchman.rules.state import Lay, Pass
from kontor.games.shanghaien.rules.state import Dice, Place, Roll, Shanghai
from kontor.plugins import game_named
from kontor.server.composition import KontorServer
from kontor.storage import Place as Where
from kontor.tables.cache import TableCache
from kontor.tables.game_states import record_of
from kontor.tables.rows import table_row
from kontor.tables.values import Plan

MIXED = [shanghaien(ME, MACHINE), dutchman(ME, MACHINE, CARLA, MACHINE)]


def open_table(service: KontorServer, plan: Plan) -> str:
    return service.opening.open(service.people.guest("Anna")[0].id, plan)


@pytest.mark.parametrize(
    "plan", [*MIXED, shanghaien(MACHINE, MACHINE), dutchman(*[MACHINE] * 6), dutchman(ME, CARLA, CARLA)]
)
@in_a_folder
def test_a_whole_game_can_be_verified(service: KontorServer, plan: Plan, clock: Clock, place: Where) -> None:
    table = open_table(service, plan)
    begun, promised = clock.time, service.tables.fair(table)
    clock.tick(minutes=4)
    play_out(service, table)
    record = service.tables.record(table)
    verified = records.verify(record)
    assert verified.dice
    assert records.decode(records.encode(record)) == record
    info = service.tables.info(table)
    assert verified.result == info.result
    assert verified.steps == info.number - 1
    header = record.header
    assert header.seats == tuple(seat.name for seat in info.seats)
    assert header.players == tuple(seat.player or "person" for seat in info.seats)
    assert (header.commitment, header.salts, header.started) == (promised.commitment, promised.salts, begun)
    dice = service.tables.fair(table)
    assert dice.seed
    assert commitment(bytes.fromhex(dice.seed)) == promised.commitment
    # The log holds the lines of the record, letter for letter.
    written = records.encode(record).decode().splitlines()
    assert [line for _, _, line in lines(place, table)] == written[1:-1]
    assert [number for number, _, _ in lines(place, table)] == list(range(2, info.number + 1))


@pytest.mark.parametrize("plan", MIXED)
@in_a_folder
def test_what_is_kept_in_memory_is_always_the_fold_of_the_log(
    service: KontorServer, plan: Plan, place: Where, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, random, machines = open_table(service, plan), Random(3), quick(service)
    cache = service._transactions.cache
    eyes = (None, *range(len(plan.seats)))
    while play_one(service, table, random) or machines.one_round():
        seen = [service.tables.view(table).look(seat) for seat in eyes]
        monkeypatch.setattr(service._transactions, "cache", TableCache())
        assert [service.tables.view(table).look(seat).view for seat in eyes] == [look.view for look in seen]
        assert {look.number for look in seen} == {service.tables.info(table).number}
        monkeypatch.setattr(service._transactions, "cache", cache)


def test_what_is_kept_in_memory_gives_way_to_a_longer_log(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the case in which another process has written the log."""
    table, random = open_table(service, shanghaien(ME, CARLA)), Random(3)
    cache = service._transactions.cache
    for _ in range(9):
        before = service.tables.view(table).look(None)
        monkeypatch.setattr(service._transactions, "cache", TableCache())
        play_one(service, table, random)
        after = service.tables.view(table).look(None)
        monkeypatch.setattr(service._transactions, "cache", cache)
        assert service.tables.view(table).look(None) == after != before


def test_an_older_game_state_never_takes_the_place_of_a_newer_one(service: KontorServer) -> None:
    """Check a reader that comes late with the state it has folded."""
    table = open_table(service, shanghaien(ME, CARLA))
    cache = service._transactions.cache
    older = service.tables.view(table)
    state = older.log.game_state
    play_one(service, table, Random(1))
    newer = service.tables.view(table).log.game_state
    cache.keep(older.snapshot, state)
    assert service.tables.view(table).log.game_state is newer
    assert newer.number > state.number


@in_a_folder
def test_a_bounded_number_of_tables_is_kept_in_memory_and_few_whose_game_is_over(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service._transactions, "cache", TableCache(most=3, over=1))
    tables = [open_table(service, shanghaien(ME, CARLA)) for _ in range(4)]
    for table in tables:
        play_one(service, table, Random(1))
    assert len(service._transactions.cache) == 3
    play_out(service, *tables)
    assert len(service._transactions.cache) == 1
    for table in tables:
        records.verify(service.tables.record(table))


def test_a_game_goes_on_after_the_server_was_closed(place: Where, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table = open_table(service, dutchman(ME, CARLA, MACHINE))
        random = Random(1)
    while True:
        with KontorServer.open(place, clock) as service:
            machines = quick(service)
            for _ in range(9):
                play_one(service, table, random)
                machines.one_round()
            if service.tables.info(table).status == "over":
                records.verify(service.tables.record(table))
                break


# -------------------------------------------------------------------------------------------------- refused moves


def test_a_move_that_a_rule_refuses_changes_nothing(service: KontorServer, place: Where) -> None:
    table = open_table(service, shanghaien(ME, CARLA))
    mover, number = service.tables.info(table).mover, service.tables.info(table).number
    assert mover is not None
    before = lines(place, table)
    with pytest.raises(IllegalMove) as refused:
        service.moves.play(table, mover, number, Shanghai())
    assert refused.value.rule == "S4"
    with pytest.raises(NotYourTurn):
        service.moves.play(table, 1 - mover, number, Roll())
    for seat in (2, -1, -2, 10**30):
        with pytest.raises(NoSeat):
            service.moves.play(table, seat, number, Roll())
    assert lines(place, table) == before
    assert service.moves.play(table, mover, number, Roll()) == number + 2  # the move, and the dice


def test_what_is_no_move_of_the_game_is_refused(service: KontorServer) -> None:
    table = open_table(service, shanghaien(ME, CARLA))
    info = service.tables.info(table)
    assert info.mover is not None
    of_other_types: tuple[Any, Any] = ("3", True)
    wrong = (
        None,
        1,
        "roll",
        {},
        {"move": "fly"},
        object(),
        Dice(1, 2),
        Lay((1,)),
        *map(Place, of_other_types),
        Pass(),
    )
    for move in wrong:
        with pytest.raises(Malformed):
            service.moves.play(table, info.mover, info.number, move)


def test_a_move_for_another_number_is_told_the_present_one(service: KontorServer) -> None:
    table = open_table(service, shanghaien(ME, CARLA))
    info = service.tables.info(table)
    assert info.mover is not None
    for number in (info.number - 1, info.number + 1, 0, -1, 10**30):
        with pytest.raises(Conflict) as conflict:
            service.moves.play(table, info.mover, number, Roll())
        assert conflict.value.number == info.number
    service.moves.play(table, info.mover, info.number, Roll())
    with pytest.raises(Conflict) as conflict:
        service.moves.play(table, info.mover, info.number, Roll())
    assert conflict.value.number == info.number + 2


def test_before_and_after_the_game_nothing_can_be_played(service: KontorServer) -> None:
    waiting = open_table(service, shanghaien(ME, OPEN))
    with pytest.raises(NotNow):
        service.moves.play(waiting, 0, 0, Roll())
    table = open_table(service, shanghaien(ME, CARLA))
    with pytest.raises(NotNow):
        service.tables.record(table)
    play_out(service, table)
    info = service.tables.info(table)
    with pytest.raises(NotNow):
        service.moves.play(table, 0, info.number, Roll())
    with pytest.raises(Conflict):
        service.moves.play(table, 0, info.number - 1, Roll())


def test_nobody_moves_for_a_machine_player(service: KontorServer) -> None:
    table = open_table(service, shanghaien(MACHINE, MACHINE))
    info = service.tables.info(table)
    assert info.mover is not None
    with pytest.raises(NotAllowed):
        service.moves.play(table, info.mover, info.number, Roll())


def test_a_line_that_is_there_already_is_a_conflict(service: KontorServer, place: Where) -> None:
    """Check the case of several writing processes: the second has not played."""
    table = open_table(service, shanghaien(ME, CARLA))
    info = service.tables.info(table)
    assert info.mover is not None
    query(place, "INSERT INTO steps VALUES (?, ?, 0, 'other', 0)", table, info.number + 1)
    with pytest.raises(Conflict) as conflict:
        service.moves.play(table, info.mover, info.number, Roll())
    assert conflict.value.number == info.number
    query(place, "DELETE FROM steps WHERE step = 'other'")
    assert service.moves.play(table, info.mover, info.number, Roll()) == info.number + 2


def test_a_table_of_other_rules_is_refused_with_a_word(place: Where, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        anna = service.people.guest("Anna")[0].id
        table = service.opening.open(anna, shanghaien(ME, CARLA))
    query(place, "UPDATE tables SET rules = 999")
    with KontorServer.open(place, clock) as service:
        with pytest.raises(Unreadable, match="version 999"):
            service.tables.view(table).look(0)
        assert [listed.id for listed in service.listing.my_tables(anna)] == [table]


# ------------------------------------------------------------------------------------------------------- the log


@pytest.mark.parametrize("plan", MIXED)
@in_a_folder
def test_events_are_those_of_the_record_with_the_views_around_them(service: KontorServer, plan: Plan) -> None:
    table = open_table(service, plan)
    play_out(service, table)
    record = service.tables.record(table)
    game = game_named(plan.game)
    states = list(records.replay(record))
    for seat in (None, 0, 1):
        events = service.tables.view(table).events(seat)
        assert [event.number for event in events] == list(range(2, len(states) + 1))
        assert [event.event for event in events] == records.events(record, seat)
        views = [game.view(state, seat) for state in states]
        assert [(event.before, event.after) for event in events] == list(pairwise(views))


def test_events_can_be_asked_for_in_part(service: KontorServer, clock: Clock) -> None:
    table = open_table(service, shanghaien(ME, CARLA))
    random = Random(1)
    for _ in range(70):
        clock.tick(seconds=1)
        play_one(service, table, random)
    events = service.tables.view(table).events(0)
    last = events[-1].number
    assert last > 100  # more than the cache holds
    assert events[-1].at == clock.time
    assert [event.at for event in events] == sorted(event.at for event in events)
    for since in (-5, 0, 1, 2, 10, last - 64, last - 63, last - 62, last - 1, last, last + 9):
        for until in (None, -1, 0, 5, last - 2, last, last + 9, 10**30):
            wanted = tuple(event for event in events if since < event.number <= (last if until is None else until))
            assert service.tables.view(table).events(0, since, until) == wanted
    for seat in (2, -1, 10**30):
        with pytest.raises(NoSeat):
            service.tables.view(table).events(seat)
        with pytest.raises(NoSeat):
            service.tables.view(table).look(seat)


def test_moves_are_those_of_the_seat_to_move(service: KontorServer) -> None:
    table = open_table(service, shanghaien(ME, CARLA))
    mover = service.tables.info(table).mover
    assert mover is not None
    assert list(service.tables.view(table).look(mover).moves) == [Roll()]
    assert list(service.tables.view(table).look(1 - mover).moves) == []
    assert list(service.tables.view(table).look(None).moves) == []


def test_chance_is_drawn_by_the_seed_and_the_number_of_the_line(service: KontorServer, place: Where) -> None:
    table = open_table(service, dutchman(ME, CARLA, CARLA))
    ((seed,),) = query(place, "SELECT seed FROM tables")
    random = Random(2)
    for _ in range(20):
        play_one(service, table, random)
    with service._transactions.storage.reading() as db:
        record = record_of(db, table_row(db, table))
    assert records.verify(record, seed).outcomes == sum(seat == CHANCE for _, seat, _ in lines(place, table))


def test_what_is_given_out_can_be_written_as_json(service: KontorServer) -> None:
    """Check all values of the server, for the API."""
    table = open_table(service, dutchman(ME, CARLA, MACHINE))
    play_out(service, table)
    for value in (
        service.tables.info(table),
        service.listing.lobby(),
        service.tables.fair(table),
        service.tables.view(table).chat_lines(),
        service.tables.view(table).events(0),
    ):
        assert msgspec.json.encode(value)
