"""Signing in by a code sent to one's own address, and by nothing else."""

import pytest

from guests import Clock, letter, mails
from kontor.errors import BadCode
from kontor.server.composition import KontorServer
from kontor.storage import Place

ADDRESS = "Anna@example.org"


def confirm_address(service: KontorServer, place: Place, clock: Clock) -> str:
    """Return the id of Anna, whose address is confirmed."""
    anna = service.people.guest("Anna")[0].id
    service.ways.claim_address(anna, ADDRESS, letter)
    service.ways.confirm_address(anna, mails(place)[-1].subject, "en", "http://localhost")
    clock.tick(minutes=1)
    return anna


def sent(service: KontorServer, place: Place, address: str = ADDRESS) -> str | None:
    """Ask for a code; return the code sent to the address, or None."""
    before = len(mails(place))
    service.mail_sign_in.send_code(address, letter)
    new = mails(place)[before:]
    assert len(new) < 2
    assert not new or new[0].to == ADDRESS
    return new[0].subject if new else None


def wrong_code(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


def test_a_code_brings_the_person_back_once(service: KontorServer, place: Place, clock: Clock) -> None:
    anna = confirm_address(service, place, clock)
    code = sent(service, place, " anna@EXAMPLE.org")
    assert code is not None
    assert len(code) == 6
    person, session = service.mail_sign_in.sign_in(ADDRESS, f"{code[:3]} {code[3:]}")
    assert person.id == anna
    assert service.people.holder_of_session(session) == person
    with pytest.raises(BadCode):
        service.mail_sign_in.sign_in(ADDRESS, code)


def test_five_wrong_codes_use_it_up_and_there_is_no_other_for_ten_minutes(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    confirm_address(service, place, clock)
    code = sent(service, place)
    assert code is not None
    for _ in range(5):
        with pytest.raises(BadCode):
            service.mail_sign_in.sign_in(ADDRESS, wrong_code(code))
    with pytest.raises(BadCode):
        service.mail_sign_in.sign_in(ADDRESS, code)
    clock.tick(minutes=9)
    assert sent(service, place) is None
    clock.tick(minutes=1)
    code = sent(service, place)
    assert code is not None
    service.mail_sign_in.sign_in(ADDRESS, code)


def test_a_code_is_good_for_ten_minutes_and_one_is_sent_a_minute(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    confirm_address(service, place, clock)
    first = sent(service, place)
    assert first is not None
    clock.tick(seconds=59)
    assert sent(service, place) is None
    clock.tick(seconds=1)
    second = sent(service, place)
    assert second is not None
    if first != second:
        with pytest.raises(BadCode):
            service.mail_sign_in.sign_in(ADDRESS, first)
    clock.tick(minutes=10)
    with pytest.raises(BadCode):
        service.mail_sign_in.sign_in(ADDRESS, second)


def test_nothing_is_sent_to_an_address_that_is_not_confirmed_or_of_nobody(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    anna = confirm_address(service, place, clock)
    other = service.people.guest("Bernd")[0].id
    service.ways.claim_address(other, ADDRESS, letter)
    claimed = mails(place)[-1].subject
    with pytest.raises(BadCode):
        service.mail_sign_in.sign_in(ADDRESS, claimed)
    service.ways.claim_address(other, "bernd@example.org", letter)
    unconfirmed = mails(place)[-1].subject
    before = len(mails(place))
    for address in ("bernd@example.org", "nobody@example.org", "", "\x00", "\ud800", "x" * 10_000, "a@b@c"):
        service.mail_sign_in.send_code(address, letter)
        for code in (unconfirmed, "000000", ""):
            with pytest.raises(BadCode):
                service.mail_sign_in.sign_in(address, code)
    service.operating.suspend(anna)
    service.mail_sign_in.send_code(ADDRESS, letter)
    assert len(mails(place)) == before
