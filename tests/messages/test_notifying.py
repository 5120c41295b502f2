"""Notifications of messages: at most once an hour until they are read, and never with what was written."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from guests import Clock
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.enqueuing import DELAY
from messages.test_messages import meet
from notifying.mailbox import Mailbox
from notifying.test_notifications import BASE, Players, in_both, texts
from servers import one_place

place = one_place


@pytest.fixture
def players(place: Place) -> Iterator[Players]:
    """Yield Anna, who is told by mail, and Bernd, who has played with her."""
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        both = Players(service, clock, mailbox)
        both.confirm_mail(both.anna, "anna@mail.example")
        yield both


def write_to_anna(players: Players) -> str:
    service, bernd = players.service, players.bernd.id
    listed = service.messages.list_of(bernd).conversations
    if listed:
        return service.messages.write(listed[0].id, bernd, "Geheime Worte").conversation
    key = meet(service, bernd, players.anna.id)
    service.early_endings.resign(key.table, 0, bernd)
    players.clock.tick(minutes=1)
    players.mails()
    return service.messages.write_to(bernd, key, "Geheime Worte").conversation


@in_both
def test_a_person_is_told_of_messages_once_an_hour_until_they_read_and_never_what_they_say(players: Players) -> None:
    conversation = write_to_anna(players)
    assert players.mails() == [], "perhaps she reads it just now"
    players.clock.tick(seconds=DELAY / 1000 + 1)
    (mail,) = players.mails()
    assert mail["Subject"] == "Bernd has written to you"
    assert f"{BASE}/messages/{conversation}" in texts(mail)[0]
    assert not any("Geheime" in text for text in texts(mail))
    write_to_anna(players)
    assert players.tell() == []
    players.clock.tick(hours=1)
    write_to_anna(players)
    assert players.tell() == ["Bernd has written to you"]
    players.service.messages.note_read(conversation, players.anna.id, 9)
    write_to_anna(players)
    assert players.tell() == ["Bernd has written to you"], "she has read the others"


@pytest.mark.parametrize("how", ["read", "switched off", "muted", "blocked"])
def test_who_has_read_a_message_or_wants_none_is_not_told(players: Players, how: str) -> None:
    service, anna = players.service, players.anna.id
    conversation = write_to_anna(players)
    if how == "read":
        service.messages.note_read(conversation, anna, 1)
    elif how == "switched off":
        service.ways.choose_occasions(anna, followed=True, challenged=True, written=False)
    else:
        service.blocking.put_correspondent(conversation, anna, "mute" if how == "muted" else "block")
    assert players.tell() == []


def test_two_notifications_that_wait_become_one(players: Players) -> None:
    conversation = write_to_anna(players)
    players.service.messages.note_read(conversation, players.anna.id, 1)
    players.clock.tick(seconds=5)
    write_to_anna(players)
    players.clock.tick(seconds=DELAY / 1000 - 4)
    assert players.mails() == [], "the first was read"
    assert players.tell() == ["Bernd has written to you"]


def test_messages_are_told_again_after_the_clock_was_put_back(players: Players) -> None:
    players.clock.tick(days=30)
    write_to_anna(players)
    assert players.tell() == ["Bernd has written to you"]
    players.clock.time -= timedelta(days=29)
    write_to_anna(players)
    assert players.tell() == ["Bernd has written to you"]
