"""The notification of a person who moves up from the waiting list of a tournament."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from folders import with_database
from guests import Clock
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.enqueuing import DELAY
from notifying.mailbox import Mailbox
from notifying.test_notifications import BASE, Players, in_both, texts
from tournaments.test_tournaments import of_pairs, people


@pytest.fixture
def players(place: Place) -> Iterator[Players]:
    """Yield Anna, who is told by mail, and Bernd."""
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        both = Players(service, clock, mailbox)
        both.confirm_mail(both.anna, "anna@mail.example")
        yield both


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if getattr(request, "param", "sqlite") == "sqlite":
        return with_database(tmp_path)
    address: str = request.getfixturevalue("database")
    return address


def wait_for_place(players: Players) -> tuple[str, str]:
    """Let Anna wait for a place in a tournament; return it, and a person who has one."""
    (carla,) = people(players.service, "Carla")
    tournament = players.service.tournaments.open(players.bernd.id, of_pairs(most=2))
    for person in (players.bernd.id, carla, players.anna.id):
        players.service.tournaments.join(tournament, person)
    return tournament, carla


@in_both
def test_who_moves_up_is_told_once_with_the_way_to_the_tournament(players: Players) -> None:
    tournament, carla = wait_for_place(players)
    players.service.tournaments.leave(tournament, carla)
    players.clock.tick(seconds=DELAY / 1000 + 1)
    (mail,) = players.mails()
    assert mail["Subject"] == "You are in: Winter Cup"
    assert f"{BASE}/tournaments/{tournament}" in texts(mail)[0]
    players.clock.tick(days=1)
    assert players.mails() == []


def test_who_leaves_at_once_is_not_told(players: Players) -> None:
    tournament, carla = wait_for_place(players)
    players.service.tournaments.leave(tournament, carla)
    players.service.tournaments.leave(tournament, players.anna.id)
    players.clock.tick(seconds=DELAY / 1000 + 1)
    assert players.mails() == []
