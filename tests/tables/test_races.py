"""Many threads at once: one of two moves for one number wins, and nobody waits for readers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from threading import Barrier

import pytest

from guests import CARLA, MACHINE, ME, OPEN, dutchman, lines, play_out, quick, shanghaien
from kontor import records
from kontor.errors import Conflict, SeatTaken
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.errors import StorageFailure


def test_of_moves_for_one_number_exactly_one_wins(service: KontorServer, place: Place) -> None:
    anna = service.people.guest("Anna")[0].id
    threads, races, random = 3, 0, Random(1)
    barrier = Barrier(threads)

    def race(table: str, seat: int, number: int, move: object) -> int | Conflict:
        barrier.wait()
        try:
            return service.moves.play(table, seat, number, move)
        except Conflict as conflict:
            return conflict

    with ThreadPoolExecutor(threads) as pool:
        table = service.opening.open(anna, shanghaien(ME, CARLA))
        while races < 80:
            mover = service.tables.info(table).mover
            if mover is None:
                table = service.opening.open(anna, shanghaien(ME, CARLA))
                continue
            seen = service.tables.view(table).look(mover)
            racing = [
                pool.submit(race, table, mover, seen.number, seen.moves[random.randrange(len(seen.moves))])
                for _ in range(threads)
            ]
            ends = [racer.result() for racer in racing]
            (won,) = [end for end in ends if isinstance(end, int)]
            assert {end.number for end in ends if isinstance(end, Conflict)} == {won}
            assert service.tables.info(table).number == won == lines(place, table)[-1][0]
            races += 1


def test_of_two_who_take_a_seat_one_gets_it(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    others = [service.people.guest(f"Guest {number}")[0].id for number in range(4)]
    barrier = Barrier(len(others))
    with ThreadPoolExecutor(len(others)) as pool:
        for _ in range(10):
            table = service.opening.open(anna, shanghaien(ME, OPEN))

            def sit(person: str, table: str = table) -> bool:
                barrier.wait()
                try:
                    service.opening.sit(table, 1, person)
                except SeatTaken:
                    return False
                return True

            seated = list(pool.map(sit, others))
            assert sum(seated) == 1
            assert service.opening.seats_of(table, others[seated.index(True)]) == (1,)
            assert service.tables.info(table).status == "playing"


def test_two_runners_play_each_move_once(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    tables = [service.opening.open(anna, shanghaien(MACHINE, MACHINE)) for _ in range(2)]

    def run(_: int) -> int:
        machines, played = quick(service), 0
        while any(service.tables.info(table).status == "playing" for table in tables):
            played += machines.one_round()
        return played

    with ThreadPoolExecutor(2) as pool:
        played = sum(pool.map(run, range(2)))
    moves = 0
    for table in tables:
        record = service.tables.record(table)
        records.verify(record)
        moves += sum(step.seat >= 0 for step in record.steps)
    assert played == moves


def test_readers_do_not_block_the_writer(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, CARLA))
    with service._transactions.storage.reading() as one, service._transactions.storage.reading() as other:
        for db in (one, other):
            assert db.exec_driver_sql("SELECT number FROM tables").scalar() == 3
        play_out(service, table)
        # Each still sees its own moment.
        assert one.exec_driver_sql("SELECT number FROM tables").scalar() == 3
    assert service.tables.info(table).status == "over"


def test_whoever_reads_cannot_write(service: KontorServer) -> None:
    with pytest.raises(StorageFailure), service._transactions.storage.reading() as db:
        db.exec_driver_sql("DELETE FROM people")


@pytest.mark.long
def test_readers_and_writers_in_many_threads(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    tables = [service.opening.open(anna, dutchman(ME, CARLA, CARLA)) for _ in range(2)]

    def look(number: int) -> int:
        table, seen = tables[number % 2], 0
        while service.tables.info(table).status == "playing":
            now = service.tables.view(table).look(number % 3).number
            events = service.tables.view(table).events(number % 3, max(0, now - 3))
            assert now >= seen
            assert events
            assert events[-1].number >= now
            service.listing.my_tables(anna)
            seen = now
        return seen

    with ThreadPoolExecutor(5) as pool:
        looking = [pool.submit(look, number) for number in range(4)]
        pool.submit(play_out, service, *tables).result()
        assert all(done.result() for done in looking)
    for table in tables:
        records.verify(service.tables.record(table))
