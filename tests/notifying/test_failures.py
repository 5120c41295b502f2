"""Failed deliveries: who is to blame, whether there is a retry, and what the person reads about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from folders import with_database
from guests import Clock, as_of, query
from kontor.notifying.mail import MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.outcomes import REFUSED_FOR, WAITS
from kontor.notifying.public_https import check_status
from kontor.notifying.sending import Dead, Failed
from kontor.notifying.texts import Message
from kontor.notifying.values import FailureReason, Way, WayKind
from kontor.server.composition import KontorServer
from kontor.tables.values import Mail
from notifying.mailbox import Mailbox
from notifying.test_notifications import BASE, Players
from ports import free_ports

DAY: Final = 24 * 3600

REPLIES: Final[tuple[tuple[str, str, FailureReason], ...]] = (
    ("RCPT", "550 5.1.1 no such mailbox", "gone"),
    ("RCPT", "550-5.1.1 no such mailbox\r\n550 5.1.1 ask your friend", "gone"),
    ("RCPT", "553 5.1.3 bad address", "gone"),
    ("RCPT", "550 5.1.2 bad domain", "gone"),
    ("RCPT", "556 5.1.10 null MX", "gone"),
    ("RCPT", "550 5.7.23 SPF validation failed", "policy"),
    ("RCPT", "550 5.7.1 relaying denied", "policy"),
    ("RCPT", "554 5.7.1 blocked by a list", "policy"),
    ("RCPT", "550 5.1.8 bad sender's system", "operator"),
    ("RCPT", "530 5.7.0 authentication required", "operator"),
    ("RCPT", "550 no", "refused"),
    ("RCPT", "550 5.2.1 mailbox disabled", "refused"),
    ("RCPT", "550 4.1.1 a code of another class", "refused"),
    ("RCPT", "552 5.2.2 over quota", "full"),
    ("RCPT", "452 4.2.2 over quota", "full"),
    ("RCPT", "450 4.7.1 greylisted", "busy"),
    ("RCPT", "451 4.1.1 no such mailbox just now", "busy"),
    ("RCPT", "421 4.3.2 going down", "busy"),
    ("MAIL", "550 5.1.1 we do not know you", "operator"),
    ("MAIL", "550 5.7.1 sender rejected", "operator"),
    ("MAIL", "451 4.3.0 later", "busy"),
    ("MAIL", "552 5.3.4 too large", "size"),
    ("DATA", "550 5.1.1 no such mailbox", "refused"),
    ("DATA", "554 5.7.1 spam", "policy"),
    ("DATA", "554 spam", "policy"),
    ("DATA", "552 5.3.4 too large", "size"),
    ("DATA", "451 4.3.0 later", "busy"),
)


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    with Mailbox() as mailbox:
        yield mailbox


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return with_database(tmp_path)


@pytest.fixture
def players(place: Path, mailbox: Mailbox) -> Iterator[Players]:
    clock = Clock()
    with KontorServer.open(place, clock) as service:
        yield Players(service, clock, mailbox)


def message() -> Message:
    return Message("way.1", "try", "", "", Mail("anna@mail.example", "Kontor", ("Hello",)))


def failure(url: str) -> Failed:
    with pytest.raises(Failed) as failed:
        MailServer.of(url, "kontor@games.example").send(message())
    return failed.value


@pytest.mark.parametrize(("stage", "reply", "reason"), REPLIES)
def test_a_reply_says_who_has_to_put_it_right(
    mailbox: Mailbox, stage: str, reply: str, reason: FailureReason
) -> None:
    mailbox.replies[stage] = reply
    failed = failure(mailbox.url)
    assert failed.reason == reason
    assert isinstance(failed, Dead) == (reason == "gone")
    assert reply[:3] in failed.detail
    assert "mailbox" not in failed.detail, "nothing that the other side has written"


def test_a_server_that_lets_nobody_in_is_no_fault_of_the_recipient() -> None:
    def refuse(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        assert isinstance(data, LoginPassword)
        return AuthResult(success=False, handled=False)

    with Mailbox(authenticator=refuse, auth_require_tls=False) as mailbox:
        failed = failure(mailbox.url.replace("smtp://", "smtp://me:wrong@"))
    assert (failed.reason, failed.detail) == ("operator", "AUTH: 535 5.7.8")
    failed = failure(f"smtp://127.0.0.1:{free_ports()}")
    assert (failed.reason, failed.detail) == ("operator", "connect: no connection")


def way_of(players: Players) -> Way:
    (way,) = players.service.ways.of(players.anna.id).ways
    return way


def try_mail(players: Players) -> Way:
    """Try the only way; return its new state."""
    players.service.ways.try_now(players.anna.id, way_of(players).id)
    players.mails()
    return way_of(players)


@pytest.mark.parametrize(("stage", "reply", "reason"), [entry for entry in REPLIES if entry[2] != "gone"])
def test_one_refusal_switches_nothing_off_and_is_tried_again(
    players: Players, stage: str, reply: str, reason: FailureReason
) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    players.mailbox.replies[stage] = reply
    way = try_mail(players)
    assert not way.dead
    assert way.failure
    assert way.failure.reason == reason
    players.mailbox.replies.clear()
    players.clock.tick(seconds=WAITS[0] / 1000 + 1)
    assert [str(mail["Subject"]) for mail in players.mails()] == ["Kontor can reach you"]
    assert way_of(players).failure is None


def test_an_unknown_mailbox_is_the_end_of_a_way_and_its_person_reads_why(players: Players) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    players.mailbox.replies["RCPT"] = "550 5.1.1 no such mailbox"
    way = try_mail(players)
    assert way.dead
    assert way.failure
    assert (way.failure.reason, way.failure.detail) == ("gone", "RCPT: 550 5.1.1")
    players.service.ways.revive(players.anna.id, way.id)
    way = way_of(players)
    assert (way.dead, way.failure) == (False, None)


def days_of(players: Players, stage: str, reply: str) -> int:
    """Return after how many days of this reply a way is switched off; 0 if it never is."""
    players.mailbox.replies = {stage: reply}
    for day in range(10):
        if try_mail(players).dead:
            return day
        players.clock.tick(days=1)
    return 0


@pytest.mark.parametrize("reply", ["550 5.7.23 SPF validation failed", "550 5.2.1 mailbox disabled", "550 no"])
def test_refusals_for_days_are_the_end_of_a_way(players: Players, reply: str) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    assert days_of(players, "RCPT", reply) == REFUSED_FOR / 1000 / DAY


@pytest.mark.parametrize(
    ("stage", "reply"),
    [
        ("RCPT", "450 4.7.1 greylisted"),
        ("RCPT", "552 5.2.2 over quota"),
        ("MAIL", "550 5.7.1 sender rejected"),
        ("DATA", "552 5.3.4 too large"),
    ],
)
def test_what_can_pass_or_lies_with_the_server_never_ends_a_way(players: Players, stage: str, reply: str) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    assert days_of(players, stage, reply) == 0


def test_a_delivery_and_a_failure_of_another_kind_end_a_row_of_refusals(players: Players) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    for between in ({}, {"RCPT": "450 4.7.1 greylisted"}):
        for _ in range(3):
            players.mailbox.replies = {"RCPT": "550 5.7.1 spam"}
            for _ in range(3):
                assert not try_mail(players).dead
                players.clock.tick(days=0.9)
            players.mailbox.replies = dict(between)
            assert not try_mail(players).dead


def test_one_message_is_tried_for_five_days_and_then_given_up_alone(players: Players, place: Path) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    players.mailbox.replies["RCPT"] = "450 4.2.0 later"
    try_mail(players)
    for wait in WAITS:
        assert query(place, "SELECT COUNT(*) FROM outbox WHERE occasion = 'try'") == [(1,)]
        players.clock.tick(seconds=wait / 1000 + 1)
        players.mails()
    assert query(place, "SELECT COUNT(*) FROM outbox WHERE occasion = 'try'") == [(0,)]
    assert sum(WAITS) / 1000 >= 4.5 * DAY
    way = way_of(players)
    assert not way.dead
    assert way.failure


@pytest.mark.parametrize(
    ("status", "reason"),
    {
        404: "gone",
        410: "gone",
        400: "refused",
        403: "refused",
        302: "refused",
        413: "size",
        429: "busy",
        503: "busy",
    }.items(),
)
def test_a_status_of_http_says_the_same(status: int, reason: FailureReason) -> None:
    with pytest.raises(Failed) as failed:
        check_status(status, (404, 410))
    assert (failed.value.reason, failed.value.detail) == (reason, f"HTTP {status}")
    assert isinstance(failed.value, Dead) == (reason == "gone")
    for taken in (200, 201, 204):
        check_status(taken, (404, 410))


@pytest.mark.parametrize("kind", ["webhook", "discord", "push"])
def test_another_server_that_is_away_ends_nothing_and_one_that_refuses_for_days_does(
    place: Path, kind: WayKind
) -> None:
    clock, failures = Clock(), [Failed("unreached", "timeout")]

    def send(_: Message) -> None:
        raise failures[-1]

    with KontorServer.open(place, clock) as service:
        notifier = Notifier(service, {kind: send}, str.title, leads=lambda: True)
        anna = service.people.guest("Anna")[0].id
        way = service.ways.add(anna, kind, "https://hooks.example/", "", "en", BASE)
        for failed, died in (
            (failures[0], None),
            (Failed("busy", "HTTP 503"), None),
            (Failed("refused", "HTTP 403"), 3),
        ):
            failures.append(failed)
            service.ways.revive(anna, way)
            for day in range(8):
                service.ways.try_now(anna, way)
                notifier.finish()
                (now,) = service.ways.of(anna).ways
                assert now.failure
                assert now.failure.detail == failed.detail
                assert now.dead == (died is not None and day >= died)
                clock.tick(days=1)


def test_what_lies_with_the_server_is_logged_once_without_an_address(
    players: Players, caplog: pytest.LogCaptureFixture
) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    players.mailbox.replies["RCPT"] = "550 5.7.23 anna@mail.example: SPF validation failed"
    for _ in range(3):
        try_mail(players)
    (logged,) = caplog.messages
    assert "RCPT: 550 5.7.23" in logged
    assert "anna" not in logged


def test_ways_of_an_older_kontor_have_no_failure(place: Path, mailbox: Mailbox) -> None:
    with KontorServer.open(place) as service:
        anna = service.people.guest("Anna")[0].id
        service.ways.add(anna, "webhook", "https://hooks.example/", "", "en", BASE)
    as_of(place, "0025")
    with KontorServer.open(place) as service:
        (way,) = service.ways.of(anna).ways
        assert (way.dead, way.failure) == (False, None)
