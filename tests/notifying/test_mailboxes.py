"""Limits of codes for a mailbox: at most five an hour in all, and nobody learns of others' requests."""

from __future__ import annotations

from functools import partial

import pytest

from guests import Clock, has_run, letter, mails, query
from kontor.errors import NotAllowed
from kontor.server.composition import KontorServer
from kontor.storage import Place
from races import race

VARIANTS = (
    "anna@mail.example",
    "Anna@Mail.example",
    "anna+1@mail.example",
    "an.na@mail.example",
    "ANNA@MAIL.EXAMPLE",
)


def claim(service: KontorServer, address: str, name: str = "Bernd") -> str:
    """Let a new guest claim that the address is theirs; return the guest's id."""
    guest = service.people.guest(name)[0].id
    service.ways.claim_address(guest, address, letter)
    return guest


def test_a_mailbox_gets_five_codes_an_hour_over_all_ways_and_after_a_restart(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        anna = claim(service, "anna@mail.example", "Anna")
        service.ways.confirm_address(anna, mails(place)[0].subject, "en", "http://localhost")
        clock.tick(minutes=10)
        service.mail_sign_in.send_code("Anna@mail.example", letter)
        for address in VARIANTS[1:4]:
            clock.tick(minutes=10)
            claim(service, address)
        assert len(mails(place)) == 5
        for address in VARIANTS:
            claim(service, address)
        service.mail_sign_in.send_code("anna@mail.example", letter)
        assert len(mails(place)) == 5
        claim(service, "anna@elsewhere.example")
        assert len(mails(place)) == 6, "another mailbox"
    with KontorServer.open(place, clock) as service:
        clock.tick(minutes=19)
        claim(service, "anna@mail.example")
        assert len(mails(place)) == 6
        clock.tick(minutes=1)
        service.mail_sign_in.send_code("anna@mail.example", letter)
        claim(service, "anna@mail.example")
        assert len(mails(place)) == 7, "one for the one of an hour ago"
        service.mail_sign_in.sign_in("anna@mail.example", mails(place)[-1].subject)


def test_of_many_who_ask_at_once_at_two_workers_five_get_a_code(database: str, clock: Clock) -> None:
    with KontorServer.open(database, clock) as one, KontorServer.open(database, clock) as other:
        workers = [one, other] * 4
        guests = [worker.people.guest(f"Guest {number}")[0].id for number, worker in enumerate(workers)]
        asking = zip(workers, guests, strict=True)
        race(*[partial(each.ways.claim_address, guest, "anna@mail.example", letter) for each, guest in asking])
        assert len(mails(database)) == 5


def test_who_asks_for_too_many_sees_no_difference_and_the_last_code_stays_good(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    bernd = claim(service, "anna@mail.example")
    for _ in range(4):
        clock.tick(minutes=1)
        service.ways.claim_address(bernd, "anna@mail.example", letter)
    last = mails(place)[-1].subject
    for _ in range(2):
        clock.tick(minutes=6)
        service.ways.claim_address(bernd, "anna@mail.example", letter)
        carl = claim(service, "anna@mail.example", "Carl")
        assert len(mails(place)) == 5
        assert service.ways.of(bernd) == service.ways.of(carl)
        assert service.ways.of(carl).code_pending
    with pytest.raises(NotAllowed):
        service.ways.confirm_address(carl, last, "en", "http://localhost")
    service.ways.confirm_address(bernd, last, "en", "http://localhost")


def test_an_hour_far_ahead_shuts_nobody_out(service: KontorServer, place: Place, clock: Clock) -> None:
    clock.tick(days=365)
    for _ in range(6):
        claim(service, "anna@mail.example")
    clock.tick(days=-365)
    claim(service, "anna@mail.example")
    assert len(mails(place)) == 6


def test_mailboxes_are_kept_as_hashes_and_only_for_a_while(service: KontorServer, place: Place, clock: Clock) -> None:
    claim(service, "anna@mail.example")
    ((hashed, sent, _),) = query(place, "SELECT hash, sent, requested FROM mailboxes")
    assert len(bytes.fromhex(hashed)) == 32
    assert "anna" not in sent
    clock.tick(hours=23)
    has_run(place, clock)
    service.upkeep.record_heartbeat()
    assert query(place, "SELECT count(*) FROM mailboxes") == [(1,)]
    clock.tick(hours=2)
    has_run(place, clock)
    service.upkeep.record_heartbeat()
    assert query(place, "SELECT count(*) FROM mailboxes") == [(0,)]
