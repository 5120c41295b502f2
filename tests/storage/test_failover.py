"""A failover to another database, which lacks the last lines of the lost one.

Processes with these lines in memory do not go on from them: the database is authoritative.
"""

from contextlib import ExitStack
from pathlib import Path
from random import Random

import pytest

from guests import CARLA, ME, Clock, dutchman, play_one, play_out
from kontor import records
from kontor.errors import Conflict
from kontor.server import copies
from kontor.server.composition import KontorServer
from postgresql import Server, database_of
from tables.test_views import contents_of

BEFORE, LOST = 15, 8
"""Moves that both databases have, and moves that only the lost one has."""

PROCESSES = LOST + 2
"""Processes that had all of the server in memory at the failover: each looks again at another moment."""


def takes_over(server: Server, address: str, backup: Path) -> None:
    """Let the address lead to a database as old as the backup, and cut all connections."""
    name = database_of(address)
    younger = server.create("template1")
    copies.restore(backup, server.address(younger))
    server.drop(name)
    server.execute(f"ALTER DATABASE {younger} RENAME TO {name}")


def play_a_while(service: KontorServer, table: str, random: Random, clock: Clock, moves: int) -> None:
    for _ in range(moves):
        clock.tick(seconds=1)
        assert play_one(service, table, random)


@pytest.mark.parametrize("looks_first", [True, False])
def test_nobody_goes_on_from_what_was_lost(
    postgres: Server, database: str, clock: Clock, tmp_path: Path, looks_first: bool
) -> None:
    backup, random = tmp_path / "backup", Random(1)
    with ExitStack() as opened:
        service = opened.enter_context(KontorServer.open(database, clock))
        table = service.opening.open(service.people.guest("Anna")[0].id, dutchman(ME, CARLA, CARLA))
        play_a_while(service, table, random, clock, BEFORE)
        copies.back_up(database, backup)
        play_a_while(service, table, random, clock, LOST)
        processes = [opened.enter_context(KontorServer.open(database, clock)) for _ in range(PROCESSES)]
        lost = [contents_of(process.tables.view(table)) for process in processes]
        takes_over(postgres, database, backup)

        other, random = opened.enter_context(KontorServer.open(database, clock)), Random(2)
        numbers = []
        for process, had in zip(processes, lost, strict=True):
            if looks_first:
                assert contents_of(process.tables.view(table)) == contents_of(other.tables.view(table)) != had
            play_a_while(other, table, random, clock, 1)
            seat = other.tables.info(table).mover
            assert seat is not None
            seen = other.tables.view(table).look(seat)
            clock.tick(seconds=1)
            with pytest.raises(Conflict):
                process.moves.play(table, seat, seen.number + 1, seen.moves[0])
            numbers.append(
                process.moves.play(table, seat, seen.number, seen.moves[random.randrange(len(seen.moves))])
            )
            assert contents_of(process.tables.view(table)) == contents_of(other.tables.view(table))
        assert numbers[0] < lost[0][0].number < numbers[-1], "before, and after, as many lines were written anew"
        play_out(processes[0], table)
        assert records.verify(other.tables.record(table)).dice
