"""What is true of one house that two processes have open, wherever it lives."""

from __future__ import annotations

from functools import partial
from queue import SimpleQueue

from kontor import records
from kontor.table import House
from patience import HANG_TIMEOUT, waited_for

from .guests import CARLA, MACHINE, ME, quick, shanghaien

QUICKLY = 0.1
"""Seconds between one look at the counters and the next, where a test waits for many."""


class Ear:
    """What somebody who listens to a house has heard; ``watched`` are the tables that they look at."""

    def __init__(self, house: House) -> None:
        self.watched: tuple[str, ...] = ()
        self._looks = 0
        self._heard: SimpleQueue[str] = SimpleQueue()
        house.watch(self._look)
        house.listen(self._heard.put)

    def _look(self) -> tuple[str, ...]:
        self._looks += 1
        return self.watched

    def has_looked(self) -> None:
        """Waits until the counters have been looked at, from the beginning to the end."""
        begun = self._looks
        waited_for(lambda: self._looks > begun + 1)

    def hears(self) -> str:
        """The table of the next change."""
        return self._heard.get(timeout=HANG_TIMEOUT)

    def has_heard(self) -> list[str]:
        """What else there was, up to now."""
        return [self._heard.get_nowait() for _ in range(self._heard.qsize())]


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
    for ear in ears:
        ear.has_looked()
    assert [ear.has_heard() for ear in ears] == [[], []], "what has been heard is not told again"


def each_hears_when_the_other_has_ended_sessions(ears: list[Ear], one: House, other: House) -> None:
    """``ears`` are those of both."""
    person, _ = one.guest("Anna")
    for ends in (one.revoke_all, one.api_token, one.device_link):
        here, there = one.endings, other.endings
        ends(person.id)
        assert one.endings > here, "whoever did it knows at once"
        waited_for(partial(lambda known: other.endings > known, there))
    for ear in ears:
        ear.has_looked()
    before = one.endings, other.endings
    for ear in ears:
        ear.has_looked()
    assert (one.endings, other.endings) == before, "what has been heard is not told again"


def machine_players_play_each_move_once(one: House, other: House) -> None:
    """Those of both processes, who do not pause."""
    anna = one.guest("Anna")[0].id
    with quick(one), quick(other):
        tables = [house.open_table(anna, shanghaien(MACHINE, MACHINE)) for house in (one, other)]
        waited_for(lambda: all(one.info(table).status == "over" for table in tables))
    for table in tables:
        assert records.verify(other.record(table)).dice
