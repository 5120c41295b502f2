"""Notifications in pauses and on holiday: nobody is reminded; afterwards a turn that still waits is told once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from folders import with_database
from guests import Clock
from kontor.server.composition import KontorServer
from kontor.tables.values import Pace
from notifying.mailbox import Mailbox
from notifying.test_notifications import Players, texts

DAY = Pace("slow", 24 * 3600)


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(with_database(tmp_path), clock) as service:
        players = Players(service, clock, mailbox)
        players.confirm_mail(players.anna, "anna@mail.example")
        yield players


def test_in_a_pause_nobody_is_reminded_and_afterwards_once(players: Players) -> None:
    service, table = players.service, players.table(DAY)
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    seat = service.tables.seats_of(table, players.bernd.id).mine[0]
    service.early_endings.propose(table, seat, players.bernd.id, "pause")
    service.early_endings.agree(table, players.anna.id, "pause")
    assert service.ways.turns(players.anna.id) == ()
    players.clock.tick(days=3)
    assert players.mails() == []
    service.pauses.end(table, players.bernd.id)
    assert players.tell() == ["Your turn: Shanghaien"]
    players.clock.tick(hours=18)
    (mail,) = players.mails()
    assert mail["Subject"] == "Your time is running out: Shanghaien"
    players.clock.tick(hours=5)
    assert players.mails() == []


def pause(players: Players, table: str) -> None:
    """Let both agree on a pause."""
    seat = players.service.tables.seats_of(table, players.anna.id).mine[0]
    players.service.early_endings.propose(table, seat, players.anna.id, "pause")
    players.service.early_endings.agree(table, players.bernd.id, "pause")


@pytest.mark.parametrize("hours", [1, 72], ids=["before the reminder", "beyond it"])
def test_who_ends_a_pause_is_not_told_of_their_own_turn_but_reminded_once(players: Players, hours: int) -> None:
    table = players.table(DAY)
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    pause(players, table)
    players.clock.tick(hours=hours)
    assert players.mails() == []
    players.service.pauses.end(table, players.anna.id)
    assert players.tell() == []
    players.clock.tick(hours=17)
    assert players.mails() == []
    players.clock.tick(hours=1)
    assert [str(mail["Subject"]) for mail in players.mails()] == ["Your time is running out: Shanghaien"]
    players.clock.tick(hours=5)
    assert players.mails() == []


def test_after_a_short_pause_that_another_ends_one_reminder_comes(players: Players) -> None:
    table = players.table(DAY)
    players.until(table, players.anna)
    players.tell()
    pause(players, table)
    players.clock.tick(hours=1)
    players.service.pauses.end(table, players.bernd.id)
    players.tell()
    players.clock.tick(hours=18)
    assert [str(mail["Subject"]) for mail in players.mails()] == ["Your time is running out: Shanghaien"]


def test_without_a_clock_too_who_ends_a_pause_is_reminded(players: Players) -> None:
    table = players.table()
    players.until(table, players.anna)
    players.tell()
    pause(players, table)
    players.clock.tick(days=6)
    assert players.mails() == []
    players.service.pauses.end(table, players.anna.id)
    assert players.tell() == []
    players.clock.tick(days=5)
    assert len(players.mails()) == 1


def test_who_is_on_holiday_hears_of_turns_only_at_its_end(players: Players) -> None:
    service, table = players.service, players.table(DAY)
    last_day = (players.clock.time + timedelta(days=6)).date()
    service.holidays.begin(players.anna.id, last_day, 30)
    players.until(table, players.anna)
    assert players.tell() == []
    assert service.ways.turns(players.anna.id) == ()
    players.clock.time = datetime(last_day.year, last_day.month, last_day.day, 23, 59, 59, tzinfo=UTC)
    assert players.mails() == []
    players.clock.tick(seconds=3)
    service.upkeep.apply_deadlines()
    assert players.tell() == ["Your turn: Shanghaien"]
    (turn,) = service.ways.turns(players.anna.id)
    assert turn.deadline is not None
    players.clock.tick(hours=18)
    (mail,) = players.mails()
    assert "6 hours left" in texts(mail)[0]


def test_who_comes_back_early_is_reminded_in_time(players: Players) -> None:
    service, table = players.service, players.table(DAY)
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    service.holidays.begin(players.anna.id, (players.clock.time + timedelta(days=6)).date(), 30)
    players.clock.tick(days=2)
    assert players.mails() == []
    service.holidays.end(players.anna.id)
    assert players.tell() == ["Your turn: Shanghaien"]
    players.clock.tick(hours=18)
    assert [str(mail["Subject"]) for mail in players.mails()] == ["Your time is running out: Shanghaien"]
