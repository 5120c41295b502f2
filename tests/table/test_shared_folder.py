"""A folder that several processes share: they write in turn, hear of each other, and one leads."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import pytest
from msgspec.structs import replace

from kontor import records
from kontor.table import House
from kontor.table.errors import InUse
from kontor.table.storage import Share
from kontor.table.storage.shared import Sharing
from kontor.table.storage.sqlite import DATABASE
from patience import HANG_TIMEOUT

from .guests import CARLA, ME, OPEN, Clock, play_one, shanghaien
from .neighbours import (
    QUICKLY,
    Ear,
    each_hears_of_what_the_other_changes_and_once_of_its_own,
    each_hears_when_the_other_has_ended_sessions,
    machine_players_play_each_move_once,
)

PROCESSES = 3
GAMES = 4

Houses = tuple[House, House]


def inherited(share: Share) -> Share:
    """As a process has it that was begun with it: files of its own."""
    news = replace(share.news, inbox=os.dup(share.news.inbox), ways=tuple(os.dup(way) for way in share.news.ways))
    return replace(share, held=os.dup(share.held), news=news)


@pytest.fixture
def sharing(tmp_path: Path) -> Iterator[Sharing]:
    with closing(Sharing(tmp_path, PROCESSES)) as sharing:
        yield sharing


@pytest.fixture
def houses(sharing: Sharing, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Houses]:
    """One house, open in two processes, as it were."""
    monkeypatch.setattr("kontor.table.storage.shared.LOOK", QUICKLY)
    with (
        House.open(inherited(sharing.share(0)), clock) as one,
        House.open(inherited(sharing.share(1)), clock) as other,
    ):
        yield one, other


def test_each_hears_of_what_the_other_changes_and_once_of_its_own(houses: Houses) -> None:
    each_hears_of_what_the_other_changes_and_once_of_its_own([Ear(house) for house in houses], *houses)


def test_each_hears_when_the_other_has_ended_sessions(houses: Houses) -> None:
    each_hears_when_the_other_has_ended_sessions([Ear(house) for house in houses], *houses)


def test_news_that_do_not_fit_are_found_out_where_somebody_looks(houses: Houses) -> None:
    one, other = houses
    anna = other.guest("Anna")[0].id
    table = other.open_table(anna, shanghaien(ME, OPEN))
    told = 0
    while told < 20_000:  # nobody takes them: ``one`` does not listen yet
        other._storage.announce({f"{told:020}": 1})
        told += 1
    other.chat(table, anna, "Ahoy")
    ear = Ear(one)
    ear.watched = (table,)
    heard = set()
    while table not in heard:
        heard.add(ear.hears())
    assert len(heard) < told, "there was no room for all"


def test_one_leads_and_another_when_it_is_gone(houses: Houses, sharing: Sharing, clock: Clock) -> None:
    one, other = houses
    assert [one.leads(), other.leads()] == [True, False]
    assert [one.leads(), other.leads()] == [True, False]
    one.close()
    assert other.leads()
    with House.open(inherited(sharing.share(2)), clock) as third:
        assert not third.leads()


def test_machine_players_of_two_processes_play_each_move_once(houses: Houses) -> None:
    machine_players_play_each_move_once(*houses)


def test_the_folder_is_kept_from_others_until_all_have_gone(tmp_path: Path, clock: Clock) -> None:
    with closing(Sharing(tmp_path, 2)) as sharing:
        with pytest.raises(InUse):
            House.open(tmp_path, clock)
        share = inherited(sharing.share(0))
    with House.open(share, clock) as house:
        house.guest("Anna")
        with pytest.raises(InUse):  # whoever began it has gone, as one who was killed
            House.open(tmp_path, clock)
    House.open(tmp_path, clock).close()


def play_games(share: Share, number: int) -> None:
    """What one of the processes does: plays at its own tables, and at those of the others."""
    random = Random(number)
    with House.open(share) as house:
        anna = house.guest("Anna")[0].id
        own = [house.open_table(anna, shanghaien(ME, CARLA)) for _ in range(GAMES)]

        def play(table: str) -> None:
            while play_one(house, table, random):
                pass

        threads = [Thread(target=play, args=(table,)) for table in own]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def test_processes_that_write_at_once_lose_nothing(sharing: Sharing, tmp_path: Path) -> None:
    """Each commit moves pages from SQLite's log into the database when that has grown: a thousand pages, and this
    is several times as much. No two may do so at once."""
    House.open(inherited(sharing.share(0))).close()
    context = get_context("fork")
    processes = [context.Process(target=play_games, args=(sharing.share(place), place)) for place in range(PROCESSES)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(HANG_TIMEOUT)
        assert process.exitcode == 0
    with closing(sqlite3.connect(tmp_path / DATABASE)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        tables = [table for (table,) in db.execute("SELECT id FROM tables")]
        assert len(tables) == PROCESSES * GAMES
    with House.open(inherited(sharing.share(0))) as house:
        for table in tables:
            assert records.verify(house.record(table)).dice


def test_one_that_is_killed_in_the_midst_of_writing_keeps_nobody_waiting(sharing: Sharing, clock: Clock) -> None:
    context = get_context("fork")
    with House.open(inherited(sharing.share(0)), clock) as house:
        anna = house.guest("Anna")[0]
        holds = context.Event()

        def hold_the_turn() -> None:
            with House.open(sharing.share(1), clock) as other, other._storage.writing() as db:
                db.exec_driver_sql("UPDATE people SET name = 'Nobody'")
                holds.set()
                sleep(2 * HANG_TIMEOUT)

        process = context.Process(target=hold_the_turn)
        process.start()
        assert holds.wait(HANG_TIMEOUT)
        renamed: list[str] = []
        waiting = Thread(target=lambda: renamed.append(house.rename(anna.id, "Berta").name))
        waiting.start()
        sleep(0.5)
        assert not renamed, "it is the other's turn"
        process.kill()
        waiting.join(HANG_TIMEOUT)
        assert renamed == ["Berta"]
        process.join()
