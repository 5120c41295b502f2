"""What is true of one house that two processes have open, wherever it lives."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic, sleep

from kontor import records
from kontor.table import House
from kontor.table.storage.counters import LOOK

from .guests import CARLA, MACHINE, ME, quick, shanghaien

PATIENCE = 20.0


class Ear:
    """What somebody who listens to a house has heard; ``watched`` are the tables that they look at."""

    def __init__(self, house: House) -> None:
        self.watched: tuple[str, ...] = ()
        self._heard: SimpleQueue[str] = SimpleQueue()
        house.watch(lambda: self.watched)
        house.listen(self._heard.put)

    def hears(self, within: float = PATIENCE) -> str | None:
        """The table of the next change; None if none is heard of."""
        try:
            return self._heard.get(timeout=within)
        except Empty:
            return None

    def settle(self) -> None:
        """Until nothing more is heard."""
        while self.hears(LOOK * 1.5) is not None:
            pass


def waited_for(happens: Callable[[], object]) -> None:
    until = monotonic() + PATIENCE
    while not happens():
        assert monotonic() < until
        sleep(0.02)


def each_hears_of_what_the_other_changes_and_once_of_its_own(ears: list[Ear], one: House, other: House) -> None:
    """``ears`` are those of both."""
    table = one.open_table(one.guest("Anna")[0].id, shanghaien(ME, CARLA))
    assert [ear.hears() for ear in ears] == [table, table]
    seat = other.info(table).mover
    assert seat is not None
    seen = other.look(table, seat)
    other.play(table, seat, seen.number, seen.moves[0])
    assert [ear.hears() for ear in ears] == [table, table]
    assert one.info(table).number == other.info(table).number > seen.number
    assert one.look(table, seat) == other.look(table, seat)
    sleep(LOOK * 1.5)
    assert [ear.hears(0) for ear in ears] == [None, None], "what has been heard is not told again"


def each_hears_when_the_other_has_ended_sessions(one: House, other: House) -> None:
    person, _ = one.guest("Anna")
    for ends in (one.revoke_all, one.api_token, one.device_link):
        here, there = one.endings, other.endings
        ends(person.id)
        assert one.endings > here, "whoever did it knows at once"
        waited_for(partial(lambda known: other.endings > known, there))
    sleep(LOOK * 1.5)
    before = one.endings, other.endings
    sleep(LOOK * 1.5)
    assert (one.endings, other.endings) == before, "what has been heard is not told again"


def machine_players_play_each_move_once(one: House, other: House) -> None:
    """Those of both processes, who do not pause."""
    anna = one.guest("Anna")[0].id
    with quick(one), quick(other):
        tables = [house.open_table(anna, shanghaien(MACHINE, MACHINE)) for house in (one, other)]
        waited_for(lambda: all(one.info(table).status == "over" for table in tables))
    for table in tables:
        assert records.verify(other.record(table)).dice
