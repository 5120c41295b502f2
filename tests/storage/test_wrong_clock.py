"""A clock that is ahead for a while: nothing final happens by it, and the times that it wrote do no harm."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import BigInteger

from accounts.test_mail_sign_in import ADDRESS, confirm_address, sent, wrong_code
from folders import with_database
from guests import ME, OPEN, Clock, query, shanghaien
from kontor.errors import BadCode, BadLink, BadPasskey
from kontor.lobby.pages import plan_together
from kontor.notifying.mail_codes import MOST_TRIES
from kontor.ratings.values import Fits, FittedGame, FittedPerson
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.believed_clock import HELD, JUMP, BelievedClock
from kontor.storage.schema import METADATA
from kontor.storage.stored_times import milliseconds_of
from kontor.tables.values import Pace
from kontor.work.incidents import incidents
from lobby.test_seeking import TWO, seek
from notifying.mailbox import Mailbox
from notifying.test_notifications import Players
from tables.test_early_endings import seat_people
from tables.test_salts import promise_salt
from tournaments.test_tournaments import of_pairs, people

YEAR = timedelta(days=365)


class Machine:
    """A machine's clock, which can be set, and its monotonic clock."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.steady = 1000.0
        self.believed = BelievedClock(self.clock, lambda: self.steady)

    def pass_time(self, span: timedelta) -> None:
        self.clock.time += span
        self.steady += span.total_seconds()

    def jump(self, span: timedelta) -> None:
        self.clock.time += span


def test_a_jump_ahead_that_is_taken_back_has_not_been() -> None:
    machine = Machine()
    before, counted = machine.clock.time, incidents().get("clock jumped ahead", 0)
    machine.jump(YEAR)
    assert machine.believed() == before
    machine.pass_time(HELD / 2)
    assert machine.believed() == before + HELD / 2
    machine.jump(-YEAR)
    assert machine.believed() == machine.clock.time == before + HELD / 2
    machine.pass_time(HELD)
    assert machine.believed() == machine.clock.time
    assert incidents()["clock jumped ahead"] == counted + 1


def test_a_jump_ahead_counts_once_it_has_lasted() -> None:
    machine = Machine()
    machine.jump(YEAR)
    before = machine.believed()
    machine.pass_time(HELD - timedelta(seconds=1))
    assert machine.believed() < machine.clock.time - YEAR / 2
    machine.jump(YEAR)  # another
    assert machine.believed() == before + HELD - timedelta(seconds=1)
    machine.pass_time(HELD)
    assert machine.believed() == machine.clock.time


def test_sleep_small_steps_and_a_clock_put_back_count_at_once() -> None:
    machine = Machine()
    for span in (timedelta(hours=9), timedelta(days=2)):
        machine.pass_time(span)
        assert machine.believed() == machine.clock.time
    for span in (JUMP, JUMP, -timedelta(days=1), -YEAR):
        machine.jump(span)
        assert machine.believed() == machine.clock.time


def test_a_year_ahead_for_a_minute_nothing_final_is_done(place: Place) -> None:
    machine = Machine()
    with KontorServer.open(place, machine.believed) as service:
        anna, token = service.people.guest("Anna")
        starts = machine.clock.time + timedelta(hours=20)
        tournament = service.tournaments.open(anna.id, of_pairs(starts=starts))
        table = service.opening.open(anna.id, shanghaien(ME, OPEN))
        now = service.ratings.due()
        assert now is not None
        query(place, "UPDATE pulse SET rated = ?", milliseconds_of(now))
        machine.jump(YEAR)
        for _ in range(4):
            service.upkeep.apply_deadlines()
            machine.pass_time(timedelta(seconds=15))
        assert service.ratings.due() is None
        machine.jump(-YEAR)
        service.upkeep.apply_deadlines()
        assert service.tournaments.view(tournament).info.status == "open"
        assert service.people.use_session(token)[0] == anna
        assert service.tables.info(table).status == "waiting"
        machine.pass_time(timedelta(days=1))
        assert service.ratings.due() == machine.clock.time


def test_a_server_believes_no_jump_unless_it_is_given_a_clock(tmp_path: Path) -> None:
    with KontorServer.open(with_database(tmp_path)) as service:
        assert isinstance(service._transactions.clock, BelievedClock)


# ------------------------------------------------------------------------------- a clock that was wrong for longer


@pytest.fixture
def players(place: Place) -> Iterator[Players]:
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        yield Players(service, clock, mailbox)


def put_ahead(service: KontorServer, clock: Clock, **span: float) -> None:
    """Put the clock ahead for so long that it is believed."""
    clock.tick(**span)
    service.upkeep.apply_deadlines()


def put_back(service: KontorServer, clock: Clock, **span: float) -> None:
    """Set the clock right again."""
    clock.time -= timedelta(**span)
    service.upkeep.apply_deadlines()


def test_a_clock_that_is_put_back_is_logged_and_counted(
    service: KontorServer, clock: Clock, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor.work.incidents._logged_at", {})
    before = incidents()
    put_ahead(service, clock, days=1)
    service.ratings.keep(Fits(milliseconds_of(clock.time), (), 0.0, 0), pause=0)
    with caplog.at_level(logging.WARNING):
        put_back(service, clock, days=1)
        for _ in range(3):
            assert service.ratings.due() is not None
    assert [record.message for record in caplog.records] == [
        "The clock was put back by 86400 s",
        "A time in the database lies in the future and is ignored",
    ]
    assert incidents()["clock put back"] == before["clock put back"] + 1
    assert incidents()["time from the future"] > before["time from the future"]


def test_whoever_moved_while_it_was_a_day_ahead_is_told_of_turns(players: Players) -> None:
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    put_ahead(players.service, players.clock, days=1)
    players.until(table, players.anna)
    players.service.visits.note_visible(table, players.anna.id, visible=True)
    players.until(table, players.bernd)
    put_back(players.service, players.clock, days=1)
    for _ in range(2):
        players.until(table, players.anna)
        assert players.tell() == ["Your turn: Shanghaien"]
        players.until(table, players.bernd)


def test_what_was_to_be_told_while_it_was_a_year_ahead_is_told_once_it_is_right(players: Players) -> None:
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    put_ahead(players.service, players.clock, days=365)
    players.until(table, players.anna)
    put_back(players.service, players.clock, days=365)
    assert players.tell() == ["Your turn: Shanghaien"]


def test_a_summary_that_was_put_off_for_a_year_comes_once_it_is_right(players: Players) -> None:
    table = players.table()
    players.confirm_mail(players.anna, "anna@mail.example")
    players.choose("daily")
    put_ahead(players.service, players.clock, days=365)
    players.until(table, players.anna)
    players.tell()
    assert players.mails() == []
    put_back(players.service, players.clock, days=365)
    assert len(players.mails()) == 1
    players.clock.tick(days=1)
    assert len(players.mails()) == 1, "and another the next day"


def test_a_reminder_that_was_put_off_for_a_year_comes_before_the_deadline(players: Players) -> None:
    players.confirm_mail(players.anna, "anna@mail.example")
    players.choose("never")
    table = players.table(Pace("slow", 24 * 3600))
    players.until(table, players.anna)
    put_ahead(players.service, players.clock, days=365)
    assert players.mails() == []
    put_back(players.service, players.clock, days=365)
    assert players.mails() == []
    players.clock.tick(hours=18)
    assert [str(mail["Subject"]) for mail in players.mails()] == ["Your time is running out: Shanghaien"]


def test_ratings_fitted_a_year_ahead_are_fitted_again_and_their_curve_goes_on(
    service: KontorServer, clock: Clock
) -> None:
    (anna,) = people(service, "Anna")

    def check_fit(points: int) -> None:
        at = milliseconds_of(clock.time)
        person = FittedPerson(anna, points, 20, 50, at)
        service.ratings.keep(Fits(at, (FittedGame("shanghaien", 50, (person,)),), 0.0, 0), pause=0)

    clock.tick(days=365)
    check_fit(1600)
    assert service.ratings.due() is None
    clock.tick(days=-365)
    assert service.ratings.curve(anna) == ()
    assert service.ratings.due() == clock.time
    check_fit(1601)
    assert service.ratings.due() is None
    assert [day.points for day in service.ratings.curve(anna)] == [1601]


def test_nobody_is_here_or_looks_for_a_game_until_the_day_the_clock_had(service: KontorServer, clock: Clock) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd")
    clock.tick(days=1)
    service.presence.attend(lambda: {(table, bernd)})
    service.presence.note()
    seek(service, anna, TWO)
    assert service.tables.info(table, anna).seats[1].here
    clock.tick(days=-1)
    assert not service.tables.info(table, anna).seats[1].here
    assert seek(service, bernd, TWO) is None
    service.seeking.wait(anna, plan_together)  # their page says that it is there
    info = service.seeking.wait(anna, plan_together)
    assert info is not None
    assert info.table is not None, "they have waited for long enough"


def test_a_game_begins_without_a_share_that_was_to_come_a_day_ahead(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    clock.tick(days=1)
    table = service.opening.open(anna, shanghaien(ME, OPEN, pace=Pace("live", 60)), promise_salt("a"))
    service.opening.sit(table, 1, bernd, share=promise_salt("b"))
    service.salts.reveal(table, anna, "a")
    assert not service.tables.info(table).may_begin_without
    clock.tick(days=-1)
    service.salts.begin_without(table, anna)
    assert service.tables.info(table).status == "playing"


def test_no_code_or_link_is_good_until_the_day_the_clock_had(
    service: KontorServer, clock: Clock, place: Place
) -> None:
    anna = confirm_address(service, place, clock)
    clock.tick(days=1)
    code, link = sent(service, place), service.people.device_link(anna)
    service.passkeys.new_challenge("a browser")
    assert code is not None
    for _ in range(MOST_TRIES):
        with pytest.raises(BadCode):
            service.mail_sign_in.sign_in(ADDRESS, wrong_code(code))
    clock.tick(days=-1)
    with pytest.raises(BadLink):
        service.people.claim_device(link)
    with pytest.raises(BadPasskey):
        service.passkeys.take_challenge("a browser")
    query(place, "DELETE FROM outbox")
    new = sent(service, place)
    assert new is not None
    assert service.mail_sign_in.sign_in(ADDRESS, new)[0].id == anna


def test_a_break_of_a_tournament_is_never_longer_than_it_can_be(
    service: KontorServer, clock: Clock, place: Place
) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    tournament = service.tournaments.open(anna, of_pairs(pace=Pace("live", 30, 60)))
    for person in (anna, bernd):
        service.tournaments.join(tournament, person)
    clock.tick(days=30)
    service.tournaments.start(tournament, anna)
    query(place, "UPDATE tournaments SET next = ?, round = 0", milliseconds_of(clock.time))
    query(place, "DELETE FROM pairings")
    put_back(service, clock, days=30)
    assert service.tournaments.view(tournament).info.round == 1


def test_after_a_long_closure_a_tournament_waits_before_it_is_cancelled(place: Place, clock: Clock) -> None:
    """Check that it waits, because the clock may have been put forward meanwhile."""
    with KontorServer.open(place, clock) as service:
        (anna,) = people(service, "Anna")
        tournament = service.tournaments.open(anna, of_pairs(starts=clock.time + timedelta(hours=20)))
    clock.tick(days=1)
    with KontorServer.open(place, clock) as service:
        service.upkeep.apply_deadlines()
        clock.tick(minutes=9)
        service.upkeep.apply_deadlines()
        assert service.tournaments.view(tournament).info.status == "open"
        clock.tick(minutes=2)
        service.upkeep.apply_deadlines()
        assert service.tournaments.view(tournament).info.status == "cancelled"


# ---------------------------------------------------------------------------------------------- every column of times

COMPARED = {
    *("tables.since", "tables.deadline"),  # restarted when the clock is put back (upkeep)
    "tables.stopped",  # only the time between since and stopped counts
    *(
        "seats.visited",
        "steps.at",
        "looks.at",
        "looks.visible",
        "looks.told",
        "ways.refused",
        "table_webhooks.refused",
    ),
    *(
        "hints.asked",
        "reviews.at",
        "record_reviews.at",
        "pulse.rated",
        "tournaments.next",
        "tournaments.ended",
        "seeks.since",
        "seeks.seen",
        "seeks.offer",
        "follows.notified",
        "correspondents.notified",
        "correspondents.begun",
        "messages.at",
        "table_webhooks.posted",
    ),
    *("mail_addresses.expires", "challenges.expires", "tokens.used"),
    *("outbox.created", "outbox.due"),  # brought to the present when the clock is put back
    *("pulse.at", "pulse.settled"),  # written anew by each heartbeat
    "tokens.expires",  # of links; sessions may last longer, for to end them early would be worse
}
"""Columns in which a future time could do harm when compared with the present, but does not."""

HARMLESS = {
    "tables.visited",  # computer players go on with a game that has no spectators any more
    *("tables.created", "tables.started", "tables.ended", "invitations.created"),  # old rows are kept for longer
    *("tables.archived", "seats.archived"),  # the same as tables.ended
    *("people.created", "people.left", "people.suspended", "tokens.created", "ways.created", "ways.failing"),
    "table_webhooks.failing",
    *("chat.at", "blocks.at", "reports.at", "reports.handled", "acts.at", "mail_addresses.confirmed"),
    *("passkeys.created", "passkeys.used", "ratings.played", "ratings.fitted", "mailboxes.requested"),
    *("own_records.added", "follows.at", "notes.at", "moves_ahead.at"),
    *("clubs.created", "club_members.joined", "table_webhooks.created"),  # at worst another member takes over a club
    "conversations.last",  # a conversation is kept for longer
    *("tables.resumes", "seats.holiday", "holidays.begins", "holidays.ends"),  # people can end pauses and holidays
    *("person_challenges.at", "person_challenges.declined"),  # a challenge stands for longer, or a note of it
    *("entrants.left", "tournaments.created", "tournaments.started"),
    "tournaments.starts",  # by the host's choice
    *("tournament_log.at", "tournament_talk.at", "seasons.created"),
    *("seats.left", "passkeys.counter"),  # no times
}
"""Columns that are only shown and sorted by, or delay at most a deletion."""


def test_every_time_in_the_database_was_thought_of() -> None:
    """Check that each column of times is listed above, with the effect of a future time."""
    columns = [
        column for table in METADATA.sorted_tables for column in table.c if isinstance(column.type, BigInteger)
    ]
    assert {str(column) for column in columns} == COMPARED | HARMLESS
    assert not COMPARED & HARMLESS
