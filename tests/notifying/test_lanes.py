"""Slow recipients: they delay no other person's mail, codes and notifications."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from guests import ME, OPEN, Clock, post_mail, shanghaien
from kontor.notifying import public_https
from kontor.notifying.lanes import SHARES
from kontor.notifying.mail import MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.webhook import Webhooks, new_secret
from kontor.people.values import Person
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.enqueuing import DELAY
from kontor.tables.values import Mail
from notifying.mailbox import Mailbox
from notifying.receiver import Receiver
from notifying.test_notifications import BASE, Players, in_both
from notifying.test_notifications import place as place
from timeouts import HANG_TIMEOUT, waited_for

GUESTS: Final = 6
HOOKS: Final = 10
CODES: Final = 8
NETWORK: Final = 7
"""The number of the network from which the guests open their tables."""


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """Run a server that responds only after ``answers`` is set; clients wait as long as it takes."""
    for limit in ("_TIMEOUT", "_DEADLINE"):
        monkeypatch.setattr(public_https, limit, HANG_TIMEOUT)
    with Receiver(tmp_path) as receiver:
        receiver.answers.clear()
        try:
            yield receiver
        finally:
            receiver.answers.set()


@pytest.fixture
def crowd(place: Place, receiver: Receiver) -> Iterator[Players]:
    """Run a server whose notifier sends mail and calls webhooks."""
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        players = Players(service, clock, mailbox)
        mail = MailServer.of(mailbox.url, "Kontor <kontor@games.example>")
        hooks = Webhooks(receiver.poster())
        players.notifier = Notifier(
            service, {"mail": mail.send, "webhook": hooks.send}, str.title, leads=lambda: True
        )
        yield players


def add_hooks(players: Players, receiver: Receiver, person: Person, number: int = HOOKS) -> None:
    """Give a person webhooks, all at a path with their name, and have each send a trial."""
    ways = players.service.ways
    for hook in range(number):
        url = f"{receiver.origin}/{person.name}?{hook}"
        ways.try_now(person.id, ways.add(person.id, "webhook", url, new_secret(), "en", BASE))


def end_game(players: Players, host: Person, friend: Person) -> None:
    """Open a table, play, and end it: the friend is notified."""
    table = players.service.opening.open(host.id, shanghaien(ME, OPEN), origin=NETWORK)
    players.service.opening.sit(table, 1, friend.id)
    players.service.early_endings.resign(table, 0, host.id)


@pytest.mark.long
@in_both
def test_codes_arrive_while_a_crowd_of_webhooks_does_not_answer(crowd: Players, receiver: Receiver) -> None:
    guests = [crowd.service.people.guest(f"Guest-{number}")[0] for number in range(GUESTS)]
    for guest in guests:
        add_hooks(crowd, receiver, guest)
    for host, friend in zip(guests, [*guests[1:], guests[0]], strict=True):
        end_game(crowd, host, friend)
    crowd.clock.tick(seconds=DELAY / 1000 + 1)
    crowd.notifier.one_round()
    waited_for(lambda: receiver.waiting.total() == GUESTS * SHARES["webhooks"].of_person)
    for number in range(CODES):
        post_mail(crowd.service, Mail(f"{number}@mail.example", "your code", ("hello",)))
    # The receiver responds to nothing until all codes have arrived.
    waited_for(lambda: crowd.notifier.one_round() and len(crowd.mailbox.letters) == CODES)
    assert receiver.waiting.total() == GUESTS * SHARES["webhooks"].of_person
    receiver.answers.set()
    crowd.notifier.finish()
    assert len(receiver.posted) == 2 * GUESTS * HOOKS
    assert max(receiver.most_waiting.values()) == SHARES["webhooks"].of_person


@in_both
def test_a_person_whose_webhooks_do_not_answer_holds_up_no_other_webhook(crowd: Players, receiver: Receiver) -> None:
    add_hooks(crowd, receiver, crowd.anna)
    crowd.clock.tick(seconds=1)
    add_hooks(crowd, receiver, crowd.bernd, 1)
    waited_for(lambda: crowd.notifier.one_round() and receiver.waiting["/Bernd"])
    assert sum(number for path, number in receiver.waiting.items() if "Anna" in path) <= 2


@in_both
def test_tables_of_one_network_have_a_share_of_the_webhooks(crowd: Players, receiver: Receiver) -> None:
    receiver.answers.set()
    guests = [crowd.service.people.guest(f"Guest-{number}")[0] for number in range(2 * SHARES["webhooks"].of_origin)]
    for guest in guests:
        add_hooks(crowd, receiver, guest, 1)
    crowd.notifier.finish()
    receiver.answers.clear()
    receiver.most_waiting.clear()
    for host, friend in zip(guests, [*guests[1:], guests[0]], strict=True):
        end_game(crowd, host, friend)
    crowd.clock.tick(seconds=DELAY / 1000 + 1)
    add_hooks(crowd, receiver, crowd.bernd, 1)
    most = SHARES["webhooks"].of_origin
    waited_for(lambda: crowd.notifier.one_round() and receiver.waiting.total() == most + 1)
    assert receiver.waiting["/Bernd"] == 1
    receiver.answers.set()
    crowd.notifier.finish()
    assert len(receiver.posted) == 2 * len(guests) + 1
