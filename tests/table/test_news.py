"""Several processes at one database: each hears of what the others change, whatever becomes of the news, and one of
them plays for the machine players."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kontor.table import House
from patience import waited_for
from postgresql import execute

from .guests import ME, OPEN, Clock, shanghaien
from .neighbours import (
    QUICKLY,
    Ear,
    each_hears_of_what_the_other_changes_and_once_of_its_own,
    each_hears_when_the_other_has_ended_sessions,
    machine_players_play_each_move_once,
)


@pytest.fixture
def houses(database: str, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, House]]:
    """One house, open in two processes, as it were."""
    monkeypatch.setattr("kontor.table.storage.news.LOOK", QUICKLY)
    with House.open(database, clock) as one, House.open(database, clock) as other:
        yield one, other


def listening(database: str) -> list[int]:
    """Which connections hear news."""
    asked = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    return [pid for (pid,) in execute(database, asked)]


def test_each_hears_of_what_the_other_changes_and_once_of_its_own(houses: tuple[House, House], database: str) -> None:
    ears = [Ear(house) for house in houses]
    waited_for(lambda: len(listening(database)) == 2)
    each_hears_of_what_the_other_changes_and_once_of_its_own(ears, *houses)


def test_each_hears_when_the_other_has_ended_sessions(houses: tuple[House, House], database: str) -> None:
    ears = [Ear(house) for house in houses]
    waited_for(lambda: len(listening(database)) == 2)
    each_hears_when_the_other_has_ended_sessions(ears, *houses)


def test_sessions_that_have_ended_are_found_out_where_nobody_told(houses: tuple[House, House], database: str) -> None:
    one, _ = houses
    ear = Ear(one)
    waited_for(lambda: listening(database))
    ear.has_looked()
    before = one.endings
    execute(database, "UPDATE pulse SET endings = endings + 1")  # as if the process died after its commit
    waited_for(lambda: one.endings > before)


def test_whoever_has_lost_the_line_hears_of_it_all_the_same(houses: tuple[House, House], database: str) -> None:
    one, other = houses
    ear = Ear(one)
    waited_for(lambda: listening(database))
    anna = other.guest("Anna")[0].id
    table = other.open_table(anna, shanghaien(ME, OPEN))
    assert ear.hears() == table
    ear.watched = (table,)
    for word in ("Ahoy", "Land"):
        for pid in listening(database):
            execute(database, "SELECT pg_terminate_backend(?)", pid)
        other.chat(table, anna, word)
        assert ear.hears() == table
    waited_for(lambda: listening(database))


def test_news_that_nobody_told_are_found_out_where_somebody_looks(houses: tuple[House, House], database: str) -> None:
    one, other = houses
    ear = Ear(one)
    waited_for(lambda: listening(database))
    anna = other.guest("Anna")[0].id
    watched, unwatched = (other.open_table(anna, shanghaien(ME, OPEN)) for _ in range(2))
    assert {ear.hears(), ear.hears()} == {watched, unwatched}
    ear.watched = (watched,)
    ear.has_looked()
    ear.has_heard()
    execute(database, "UPDATE tables SET changes = changes + 1")  # as if the process died after its commit
    assert ear.hears() == watched
    ear.has_looked()
    assert ear.has_heard() == []
    execute(database, "DELETE FROM tables")
    assert ear.hears() == watched, "that it has gone, too"


def test_many_changes_are_told_together(houses: tuple[House, House], database: str) -> None:
    one, other = houses
    ear = Ear(one)
    waited_for(lambda: listening(database))
    tables = [f"{number:020}" for number in range(500)]
    other._storage.announce(dict.fromkeys(tables, 2**31 - 1))
    assert {ear.hears() for _ in tables} == set(tables)


def test_one_leads_and_another_when_it_is_gone(houses: tuple[House, House], database: str, clock: Clock) -> None:
    one, other = houses
    assert [one.leads(), other.leads()] == [True, False]
    assert [one.leads(), other.leads()] == [True, False]
    holders = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
    assert execute(database, holders) == [(True,)]
    assert not one.leads(), "the line was cut"
    waited_for(other.leads)
    assert not one.leads()
    other.close()
    waited_for(one.leads)
    with House.open(database, clock) as third:
        assert not third.leads()


def test_machine_players_of_two_processes_play_each_move_once(houses: tuple[House, House]) -> None:
    machine_players_play_each_move_once(*houses)
