"""Notifications of people: their occasions and contents, by mails to a real mail server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

import pytest

from folders import with_database
from guests import ME, OPEN, Clock, play_one, query, shanghaien
from kontor.errors import BadText, NotAllowed, SeatTaken
from kontor.notifying.daily import HOURS, next_time, zones
from kontor.notifying.due_rows import EndedGame
from kontor.notifying.mail import MailServer
from kontor.notifying.notifier import Notifier
from kontor.notifying.outcomes import WAITS
from kontor.notifying.sending import Send
from kontor.notifying.texts import _describe_ending
from kontor.notifying.values import Frequency, Rhythm, SendKind, WayKind
from kontor.people.values import Person
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.enqueuing import DELAY
from kontor.tables.values import Mail, Pace
from kontor.words import Words
from notifying.mailbox import Mailbox
from profiles import sample_cases

BASE: Final = "https://games.example"
NO_LIMIT: Final = Pace()


def letter(address: str, code: str) -> Mail:
    return Mail(address, f"code {code}", ("hello",))


class Players:
    """Anna, who is away, and Bernd at a table, with a clock and a mailbox for tests."""

    def __init__(self, service: KontorServer, clock: Clock, mailbox: Mailbox) -> None:
        self.service, self.clock, self.mailbox = service, clock, mailbox
        mail = MailServer.of(mailbox.url, "Kontor <kontor@games.example>")
        self.notifier = Notifier(service, {"mail": mail.send}, str.title, leads=lambda: True)
        (self.anna, _), (self.bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
        self.random = Random(1)

    def confirm_mail(self, person: Person, address: str, language: str = "en") -> None:
        """Let a person be notified by mail from now on."""
        self.service.ways.claim_address(person.id, address, letter)
        (question,) = self.mails()
        self.service.ways.confirm_address(person.id, str(question["Subject"]).split()[1], language, BASE)

    def mails(self) -> list[EmailMessage]:
        """Finish the notifier's work, and return the mail."""
        self.notifier.finish()
        return self.mailbox.take()

    def table(self, pace: Pace = NO_LIMIT) -> str:
        """Open a table at which it is Bernd's turn; return its id."""
        table = self.service.opening.open(self.bernd.id, shanghaien(ME, OPEN, pace=pace))
        self.service.opening.sit(table, 1, self.anna.id)
        self.until(table, self.bernd)
        return table

    def mover(self, table: str) -> str:
        mover = self.service.tables.info(table).mover
        assert mover is not None
        return (self.bernd.id, self.anna.id)[mover]

    def until(self, table: str, person: Person) -> None:
        """Play moves until it is the person's turn."""
        while self.mover(table) != person.id:
            assert play_one(self.service, table, self.random)

    def tell(self) -> list[str]:
        """Return the subjects of the mail that comes when a turn has waited for a while."""
        self.clock.tick(seconds=DELAY / 1000 + 1)
        return [str(mail["Subject"]) for mail in self.mails()]

    def choose(self, frequency: Frequency, reminders: bool = True, zone: str = "", **when: Any) -> None:
        """Choose the same rhythm for every way."""
        rhythm = Rhythm(frequency, **{"lead": None if reminders else 0, **when})
        ways = {way.id: rhythm for way in self.service.ways.of(self.anna.id).ways}
        self.service.ways.choose(self.anna.id, ways, "en", BASE, zone=zone)


def texts(mail: EmailMessage) -> tuple[str, str]:
    """Return the plain text and the HTML of a mail."""
    plain, html = (mail.get_body((kind,)) for kind in ("plain", "html"))
    assert plain
    assert html
    return plain.get_content(), html.get_content()


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if getattr(request, "param", "sqlite") == "sqlite":
        return with_database(tmp_path)
    address: str = request.getfixturevalue("database")
    return address


in_both = pytest.mark.parametrize(
    "place", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)], indirect=True
)
"""Both storages, for queries that are written differently for each."""


@pytest.fixture
def players(place: Place) -> Iterator[Players]:
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        yield Players(service, clock, mailbox)


@in_both
def test_whoever_is_away_is_told_once_that_it_is_their_turn(players: Players, place: Place) -> None:
    table = players.table()
    players.until(table, players.anna)
    assert query(place, "SELECT COUNT(*) FROM outbox") == [(0,)], "nobody has a way yet"
    players.confirm_mail(players.anna, "anna@mail.example")
    players.until(table, players.bernd)
    players.until(table, players.anna)
    assert players.mails() == [], "perhaps she is just coming"
    players.clock.tick(seconds=DELAY / 1000 + 1)
    (mail,) = players.mails()
    assert mail["To"] == "anna@mail.example"
    assert mail["Subject"] == "Your turn: Shanghaien"
    plain, html = texts(mail)
    assert "Bernd has moved. It is your turn." in plain
    assert f"{BASE}/tables/{table}" in plain
    assert f"{BASE}/tables/{table}" in html

    players.until(table, players.bernd)  # she moves, so she has looked
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    assert players.tell() == []
    left = query(place, "SELECT occasion FROM outbox")
    assert left == [("reminder",)], "of the last of them, should she stay away"


def test_what_was_seen_or_taken_back_is_not_told(players: Players) -> None:
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.until(table, players.anna)
    players.clock.tick(seconds=2)
    view = players.service.tables.view(table, players.anna.id)
    players.service.visits.note(view.snapshot, players.anna.id)  # she looks at the page
    assert players.tell() == []

    players.until(table, players.bernd)
    players.until(table, players.anna)
    players.until(table, players.bernd)
    assert players.tell() == [], "it is not her turn any more"


def test_a_look_counts_until_the_next_turn_and_one_mail_until_the_next_look(players: Players) -> None:
    table, other = players.table(), players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    # Apart from Bernd's resignation and the like, only she can move on; another table is another matter.
    players.until(other, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]


@in_both
def test_once_a_day_all_tables_are_told_together_at_the_hour_one_has_chosen(players: Players) -> None:
    """Start at half past eight in the evening in Berlin."""
    table, other = players.table(Pace("slow", 72 * 3600)), players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.choose("daily", False, hour=21, zone="Europe/Berlin")
    players.clock.tick(minutes=31)
    assert players.mails() == [], "nothing waits for her"
    players.until(table, players.anna)
    players.until(other, players.anna)
    assert players.tell() == []
    players.clock.tick(hours=23)
    assert players.mails() == []
    players.clock.tick(hours=1)
    (mail,) = players.mails()
    assert mail["Subject"] == "2 games are waiting for you"
    assert "Shanghaien: You have 2 days left." in texts(mail)[0]
    players.until(other, players.bernd)
    players.clock.tick(hours=24)
    (mail,) = players.mails()
    assert "Shanghaien: You have 24 hours left." in texts(mail)[0]
    players.choose("daily", False, hour=6, zone="Europe/Berlin")
    players.clock.tick(hours=9)
    (mail,) = players.mails()
    assert "Shanghaien: You have 15 hours left." in texts(mail)[0]
    players.until(table, players.bernd)
    for _ in range(3):
        players.clock.tick(hours=24)
        assert players.mails() == [], "nothing waits for her"


def test_a_summary_tells_how_many_tables_it_leaves_out(players: Players) -> None:
    ways, anna = players.service.ways, players.anna.id
    sent: dict[WayKind, Mail] = {}
    kinds: tuple[WayKind, ...] = ("mail", "webhook", "discord", "push")
    players.confirm_mail(players.anna, "anna@mail.example")
    for kind in kinds[1:]:
        ways.add(anna, kind, f"https://{kind}.example/", "", "en", BASE)

    def keep(kind: WayKind) -> Send:
        return lambda message: sent.update({kind: message.mail})

    sends: dict[SendKind, Send] = {kind: keep(kind) for kind in kinds}
    players.notifier = Notifier(players.service, sends, str.title, leads=lambda: True)
    players.choose("daily", False, hour=12)
    for _ in range(53):
        table = players.service.opening.open(players.bernd.id, shanghaien(OPEN, ME))
        players.service.opening.sit(table, 0, anna)
        while players.service.tables.info(table).mover != 0:
            assert play_one(players.service, table, players.random)
    players.until(players.table(), players.anna)
    players.tell()
    players.clock.tick(hours=24)
    players.notifier.finish()
    listed = {"mail": 54, "webhook": 54, "discord": 12, "push": 4}
    assert {kind: len(mail.links) for kind, mail in sent.items()} == listed
    for kind, mail in sent.items():
        assert mail.subject == "54 games are waiting for you"
        left_out = 54 - listed[kind]
        assert mail.paragraphs == ((f"… and {left_out} more.",) if left_out else ())
        assert all(link.url.startswith(f"{BASE}/tables/") for link in mail.links)


def test_a_table_whose_game_is_no_longer_installed_is_no_turn(players: Players, place: Place) -> None:
    players.until(players.table(), players.anna)
    assert len(players.service.ways.turns(players.anna.id)) == 1
    query(place, "UPDATE tables SET game = 'gone'")
    assert players.service.ways.turns(players.anna.id) == ()


def test_a_summary_that_is_late_is_the_only_one_of_its_day(players: Players) -> None:
    """Start at half past seven in the evening; the summary due at eight is sent at nine the next morning."""
    players.confirm_mail(players.anna, "anna@mail.example")
    players.choose("daily", False, hour=20)
    players.until(players.table(), players.anna)
    players.tell()
    players.clock.tick(hours=13, minutes=30)
    assert len(players.mails()) == 1
    for hours, mails in ((11, 0), (4, 0), (19, 0), (1, 1), (24, 1)):
        players.clock.tick(hours=hours)
        assert len(players.mails()) == mails, hours


def test_a_table_without_a_clock_is_not_told_of_for_ever(players: Players) -> None:
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.choose("daily", False, hour=12)
    players.until(table, players.anna)
    mails = 0
    for _ in range(60):
        mails += len(players.tell())
        players.clock.tick(hours=24)
    assert mails == 14


def test_each_way_is_used_as_often_as_one_likes(players: Players) -> None:
    ways, anna = players.service.ways, players.anna.id
    sent: list[tuple[str, str]] = []
    players.notifier = Notifier(
        players.service,
        {
            "mail": lambda message: sent.append(("mail", message.occasion)),
            "webhook": lambda message: sent.append((message.address, message.occasion)),
        },
        str.title,
        leads=lambda: True,
    )
    ways.claim_address(anna, "anna@mail.example", letter)
    (code,) = players.service.outbox.exchange((), ())
    ways.confirm_address(anna, str(code.mail).split("code ")[1][:6], "en", BASE)
    for name in "ab":
        ways.add(anna, "webhook", f"https://{name}.example/", "whsec_AAAA", "en", BASE)
    mail, first, second = sorted(ways.of(anna).ways, key=lambda way: way.address)
    rhythms = {mail.id: Rhythm("daily", 12, 0), first.id: Rhythm("once", 12, 0), second.id: Rhythm("never", 12, 0)}
    ways.choose(anna, rhythms, "en", BASE)
    chosen = {way.address: way.rhythm.frequency for way in ways.of(anna).ways}
    assert chosen == {"": "daily", first.address: "once", second.address: "never"}
    bernds = ways.add(players.bernd.id, "webhook", "https://c.example/", "whsec_AAAA", "en", BASE)
    ways.choose(anna, {bernds: Rhythm("never")}, "en", BASE)
    assert ways.of(players.bernd.id).ways[0].rhythm.frequency == "once", "his are none of hers"
    players.until(players.table(), players.anna)
    players.tell()
    assert sent == [("https://a.example/", "turn")]
    players.clock.tick(hours=24)
    players.notifier.finish()
    assert sent[1:] == [("mail", "daily")]


def _at(zone: str, *time: int) -> int:
    return int(datetime(*time, tzinfo=ZoneInfo(zone)).timestamp() * 1000)  # type: ignore[arg-type, misc]


def test_an_hour_comes_once_a_day_also_when_clocks_are_changed() -> None:
    hour = 3600 * 1000
    for zone, day, chosen, hours in (
        ("Europe/Berlin", (2026, 3, 28), 18, 23),  # on the 29th the clock goes from two to three
        ("Europe/Berlin", (2026, 10, 24), 18, 25),
        ("Europe/Berlin", (2026, 10, 24), 2, 24),  # which comes twice on the 25th: the first time counts
        ("Asia/Kolkata", (2026, 3, 28), 18, 24),
    ):
        at = _at(zone, *day, chosen)
        assert next_time(at - 1, chosen, zone) == at
        assert next_time(at, chosen, zone) == at + hours * hour, (zone, day)
    missing = next_time(_at("Europe/Berlin", 2026, 3, 28, 12), 2, "Europe/Berlin")
    assert missing == _at("Europe/Berlin", 2026, 3, 29, 3), "there is no two o'clock"
    assert next_time(missing, 2, "Europe/Berlin") == _at("Europe/Berlin", 2026, 3, 30, 2)
    twice = _at("Europe/Berlin", 2026, 10, 25, 2)
    assert next_time(twice, 2, "Europe/Berlin") == _at("Europe/Berlin", 2026, 10, 26, 2)
    assert next_time(0, 1, "") == next_time(0, 1, "Nowhere/Nothing") == hour
    for zone in zones():
        assert 0 < next_time(at, 0, zone) - at <= 25 * hour, zone


def _changes(zone: ZoneInfo) -> list[datetime]:
    """Return the days from 2025 to 2037 on which the clock of a zone is changed, and some others."""
    days = [datetime(2025, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(13 * 365)]
    offsets = [day.astimezone(zone).utcoffset() for day in days]
    return [days[0], *(day for day, one, other in zip(days, offsets, offsets[1:], strict=False) if one != other)]


def test_each_day_has_one_summary_in_every_zone_and_at_every_hour() -> None:
    # One zone for all with the same changes.
    zone_of_changes: dict[tuple[object, ...], str] = {
        tuple(_changes(ZoneInfo(zone))): zone for zone in sample_cases(zones())
    }
    zone_of_changes |= {(zone,): zone for zone in ("America/Nuuk", "America/Scoresbysund", "Africa/Casablanca")}
    for zone, changes in ((ZoneInfo(name), _changes(ZoneInfo(name))) for name in zone_of_changes.values()):
        for change in changes:
            begin = (change - timedelta(days=3)).astimezone(zone)
            days = [begin.date() + timedelta(days=n) for n in range(1, 7)]
            for hour in HOURS:
                at = _at(zone.key, begin.year, begin.month, begin.day, 23, 59)
                times = [at := next_time(at, hour, zone.key) for _ in days]
                assert [datetime.fromtimestamp(one / 1000, zone).date() for one in times] == days, (zone, hour)


def test_a_day_that_a_place_leaves_out_has_no_summary() -> None:
    before = _at("Pacific/Apia", 2011, 12, 29, 18)
    assert next_time(before, 18, "Pacific/Apia") == _at("Pacific/Apia", 2011, 12, 31, 18)


def test_no_other_hour_or_zone_can_be_chosen(players: Players) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    for hour, zone in ((24, "UTC"), (-1, "UTC"), (1, "../../etc/passwd"), (1, "Nowhere/Nothing")):
        with pytest.raises(BadText):
            players.choose("daily", hour=hour, zone=zone)


def test_before_the_time_is_over_one_is_reminded_once(players: Players) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    players.choose("never")
    table = players.table(Pace("slow", 24 * 3600))
    players.until(table, players.anna)
    assert players.tell() == []
    players.clock.tick(hours=17)
    assert players.mails() == []
    players.clock.tick(hours=1)
    (mail,) = players.mails()
    assert mail["Subject"] == "Your time is running out: Shanghaien"
    assert "You have 6 hours left." in texts(mail)[0]
    players.clock.tick(hours=5)
    assert players.mails() == []


@in_both
def test_without_a_clock_one_is_reminded_two_days_before_others_may_claim_the_game(players: Players) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    table = players.table()
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    players.clock.tick(hours=5 * 24 - 1)
    assert players.mails() == []
    players.clock.tick(hours=2)
    (mail,) = players.mails()
    assert mail["Subject"] == "Your game is waiting for you: Shanghaien"
    assert "In two days they may claim the win" in texts(mail)[0]
    assert players.service.tables.info(table).claimable is None
    players.clock.tick(hours=2 * 24)
    assert players.mails() == []
    assert players.service.tables.info(table).claimable is not None


def test_who_was_there_is_not_reminded_that_they_are_away(players: Players) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    table = players.table()
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    players.clock.tick(hours=4 * 24)
    players.service.visits.note(players.service.tables.view(table).snapshot, players.anna.id)
    players.clock.tick(hours=3 * 24)
    assert players.mails() == []
    players.until(table, players.bernd)
    players.clock.tick(hours=7 * 24)
    assert players.mails() == []


@in_both
def test_the_end_and_a_rematch_and_a_stand_in_are_told(players: Players) -> None:
    service = players.service
    over = service.opening.open(players.bernd.id, shanghaien(ME, OPEN))
    late = service.opening.open(players.bernd.id, shanghaien(ME, OPEN, pace=Pace("slow", 3600)))
    for table in (over, late):
        service.opening.sit(table, 1, players.anna.id)
    players.confirm_mail(players.anna, "anna@mail.example")
    players.choose("never", reminders=False)
    players.until(late, players.anna)
    service.early_endings.resign(over, 0, players.bernd.id)
    service.opening.rematch(over, players.bernd.id)
    players.clock.tick(hours=2)
    service.clocks.stand_in(late, 1, players.bernd.id)
    service.upkeep.record_heartbeat()
    players.clock.tick(seconds=DELAY / 1000 + 1)
    mails = {str(mail["Subject"]): texts(mail)[0] for mail in players.mails()}
    assert sorted(mails) == [
        "A computer player stands in for you: Shanghaien",
        "A rematch: Shanghaien",
        "The game is over: Shanghaien",
    ]
    assert "Bernd has resigned: Anna wins. See how it ended." in mails["The game is over: Shanghaien"]


@pytest.mark.parametrize(
    ("winners", "text"),
    [
        ((0,), ("You have won against Bernd and ⚙\xa0casual.",)),
        ((1,), ("Bernd has won.", "Your opponents: Bernd and ⚙\xa0casual.")),
        ((0, 1), ("Anna and Bernd share the win.", "Your opponents: Bernd and ⚙\xa0casual.")),
    ],
)
def test_the_end_is_told_with_its_winners(winners: tuple[int, ...], text: tuple[str, ...]) -> None:
    names = (("Anna", ""), ("Bernd", ""), ("casual", "casual"))
    assert _describe_ending(Words("en"), EndedGame(names, (0,), winners, None)) == text


def test_a_mail_that_is_not_taken_is_sent_again_under_its_id_and_one_to_nobody_is_the_last(players: Players) -> None:
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.until(table, players.anna)
    players.mailbox.busy = True
    assert players.tell() == []
    (row,) = query_outbox(players)
    players.mailbox.busy = False
    players.clock.tick(seconds=WAITS[0] / 1000 + 1)
    (mail,) = players.mails()
    assert mail["Message-ID"] == f"<{row}@games.example>"

    (way,) = players.service.ways.of(players.anna.id).ways
    players.mailbox.gone.add("anna@mail.example")
    players.service.ways.try_now(players.anna.id, way.id)
    assert players.mails() == []
    (way,) = players.service.ways.of(players.anna.id).ways
    assert way.dead
    players.service.ways.revive(players.anna.id, way.id)
    players.mailbox.gone.clear()
    players.service.ways.try_now(players.anna.id, way.id)
    assert [mail["Subject"] for mail in players.mails()] == ["Kontor can reach you"]


def query_outbox(players: Players) -> list[str]:
    with players.service.outbox._transactions.reading() as db:
        return [row.id for row in db.exec_driver_sql("SELECT id FROM outbox")]


@in_both
def test_what_was_taken_by_a_process_that_died_is_sent_by_the_next_under_the_same_id(players: Players) -> None:
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.until(table, players.anna)
    players.clock.tick(seconds=DELAY / 1000 + 1)
    (taken,) = players.service.outbox.exchange((), ())  # and now it dies
    assert players.mails() == []
    players.clock.tick(minutes=3)
    (mail,) = players.mails()
    assert mail["Message-ID"] == f"<{taken.id}@games.example>"


def test_an_address_is_its_persons_once_they_have_read_the_code_there(players: Players) -> None:
    ways, anna, bernd = players.service.ways, players.anna.id, players.bernd.id
    ways.claim_address(anna, "Anna@Mail.Example", letter)
    (mail,) = players.mails()
    code = str(mail["Subject"]).split()[1]
    wrong = str((int(code) + 1) % 10**6).zfill(6)
    assert re.fullmatch(r"[0-9]{6}", code)
    ways.claim_address(bernd, "anna@mail.example", letter)
    (mail,) = players.mails()
    with pytest.raises(NotAllowed):
        ways.confirm_address(anna, wrong, "en", BASE)
    ways.confirm_address(anna, f" {code[:3]} {code[3:]} ", "en", BASE)
    assert ways.owner_of("ANNA@mail.example") == anna
    with pytest.raises(SeatTaken):
        ways.confirm_address(bernd, str(mail["Subject"]).split()[1], "en", BASE)
    assert not ways.of(bernd).confirmed

    ways.claim_address(bernd, "bernd@mail.example", letter)
    (mail,) = players.mails()
    code = str(mail["Subject"]).split()[1]
    wrong = str((int(code) + 1) % 10**6).zfill(6)
    for _ in range(5):
        with pytest.raises(NotAllowed):
            ways.confirm_address(bernd, wrong, "en", BASE)
    with pytest.raises(NotAllowed):
        ways.confirm_address(bernd, code, "en", BASE)
    ways.forget_address(anna)
    assert ways.owner_of("anna@mail.example") is None


def test_nobody_changes_or_ends_the_ways_of_another(players: Players) -> None:
    ways, anna, bernd = players.service.ways, players.anna.id, players.bernd.id
    players.confirm_mail(players.anna, "anna@mail.example")
    (way,) = ways.of(anna).ways
    ways.remove(bernd, way.id)
    with pytest.raises(NotAllowed):
        ways.try_now(bernd, way.id)
    assert ways.of(anna).ways == (way,)
    token = ways.stop_token(way.id)
    for other in (way.id, f"{way.id}.", f"{way.id}.{'0' * 64}", token[:-1], f"x{token}", "", "é.é"):
        assert not ways.stop(other)
    assert ways.of(anna).ways == (way,)
    assert ways.stop(token)
    assert ways.of(anna).ways == ()
    assert ways.of(anna).confirmed, "she can still sign in by it"


def test_whoever_has_the_table_before_their_eyes_is_not_told_and_whoever_has_just_left_is(players: Players) -> None:
    visits, anna = players.service.visits, players.anna.id
    table, other = players.table(), players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    visits.note_visible(table, anna, True)
    players.until(table, players.anna)
    players.until(other, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"], "of the other table"
    visits.note_visible(table, anna, False)
    assert players.tell() == [], "she saw it"
    players.until(table, players.bernd)
    visits.note_visible(table, anna, True)
    players.clock.tick(seconds=1)
    visits.note_visible(table, anna, False)
    players.clock.tick(seconds=1)
    players.until(table, players.anna)
    assert players.tell() == ["Your turn: Shanghaien"]
    players.until(table, players.bernd)
    visits.note_visible(table, anna, True)
    players.until(table, players.anna)
    players.clock.tick(minutes=2)
    assert players.tell() == ["Your turn: Shanghaien"], "nothing was heard of the page for long"


def test_a_move_made_anew_is_told_once(players: Players) -> None:
    service, table = players.service, players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.until(table, players.anna)
    (row,) = query_outbox(players)
    with service.outbox._transactions.changing() as change:  # the state that an undone move leaves
        columns = "way, table_id, occasion, number, due, tries"
        change.db.exec_driver_sql(
            f"INSERT INTO outbox (id, created, {columns}) SELECT 'later', created + 1, {columns} FROM outbox"  # noqa: S608
        )
    assert row != "later"
    players.clock.tick(seconds=DELAY / 1000 + 1)
    (mail,) = players.mails()
    assert mail["Message-ID"] == "<later@games.example>"
