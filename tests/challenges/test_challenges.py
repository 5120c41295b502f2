"""Challenges: a seat is kept for one person, who accepts, declines, or proposes other terms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from accounts.test_leaving import find_rows
from folders import with_database
from following.test_following import show_page
from guests import FRIEND, MACHINE, ME, OPEN, Clock, dutchman, play_out, query, shanghaien
from kontor.challenges import store
from kontor.challenges.values import OpponentKey, Terms
from kontor.errors import BadInvitation, BadPlan, NoTable, NotAllowed, NotNow, TooMany
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.tables.values import NO_SHARE, Plan
from notifying.mailbox import Mailbox
from notifying.test_notifications import BASE, Players, in_both, texts
from races import race

DUEL = shanghaien(ME, FRIEND)


def terms(plan: Plan = DUEL) -> Terms:
    return Terms(plan, NO_SHARE, "", 0)


def challenge(service: KontorServer, person: str, other: str, plan: Plan = DUEL) -> str:
    """Challenge somebody by their page; return the id of the table."""
    return service.challenges.send(person, OpponentKey(handle=show_page(service, other)), terms(plan))


def only(service: KontorServer, person: str) -> str:
    """Return the id of the one challenge that waits for the person."""
    (waiting,) = service.challenges.open_to(person)
    return waiting.id


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if getattr(request, "param", "sqlite") == "sqlite":
        return with_database(tmp_path)
    address: str = request.getfixturevalue("database")
    return address


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(place: Place, clock: Clock) -> Iterator[KontorServer]:
    with KontorServer.open(place, clock) as opened:
        yield opened


@pytest.fixture
def three(service: KontorServer) -> tuple[str, str, str]:
    anna, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla"))
    return anna, bernd, carla


@in_both
def test_a_challenge_keeps_a_seat_for_one_person_alone(service: KontorServer, three: tuple[str, str, str]) -> None:
    anna, bernd, carla = three
    table = challenge(service, anna, bernd)
    (waiting,) = service.challenges.open_to(bernd)
    assert (waiting.name, waiting.table.id, waiting.seat, waiting.counters) == ("Anna", table, 1, False)
    assert service.challenges.open_to(anna) == service.challenges.open_to(carla) == ()
    for other in (anna, carla):
        with pytest.raises(NotNow):
            service.challenges.find(waiting.id, other)
    with pytest.raises(BadInvitation):
        service.opening.sit(table, 1, carla)
    service.opening.sit(table, 1, bernd)
    assert service.tables.info(table).status == "playing"
    assert service.challenges.open_to(bernd) == ()


@in_both
def test_a_declined_challenge_closes_the_table_and_the_challenger_reads_so(
    service: KontorServer, three: tuple[str, str, str]
) -> None:
    anna, bernd, _ = three
    table = challenge(service, anna, bernd)
    declined = only(service, bernd)
    with pytest.raises(NotNow):
        service.challenges.decline(declined, anna)
    service.challenges.decline(declined, bernd)
    with pytest.raises(NoTable):
        service.tables.info(table)
    with pytest.raises(NotNow):
        service.challenges.decline(declined, bernd)
    (line,) = service.challenges.declined(anna)
    assert (line.name, line.game) == ("Bernd", "shanghaien")
    service.challenges.dismiss(line.id, bernd)
    assert service.challenges.declined(anna) == (line,), "it is not his to remove"
    service.challenges.dismiss(line.id, anna)
    assert service.challenges.declined(anna) == ()


@in_both
def test_of_accepting_and_declining_at_once_one_counts(service: KontorServer, three: tuple[str, str, str]) -> None:
    anna, bernd, _ = three
    for _ in range(4):
        table = challenge(service, anna, bernd)
        answered = only(service, bernd)

        def accept(table: str = table) -> str:
            service.opening.sit(table, 1, bernd)
            return "accepted"

        def decline(answered: str = answered) -> str:
            service.challenges.decline(answered, bernd)
            return "declined"

        (outcome,) = race(accept, decline, refused=(NotNow, NoTable))
        declined = service.challenges.declined(anna)
        assert len(declined) == (outcome == "declined")
        for line in declined:
            service.challenges.dismiss(line.id, anna)
        if outcome == "accepted":
            assert service.tables.info(table).status == "playing"


def test_where_others_sit_already_a_declined_challenge_frees_the_seat(
    service: KontorServer, three: tuple[str, str, str]
) -> None:
    anna, bernd, carla = three
    table = challenge(service, anna, bernd, dutchman(ME, FRIEND, OPEN))
    service.opening.sit(table, 2, carla)
    service.challenges.decline(only(service, bernd), bernd)
    info = service.tables.info(table, bernd)
    assert (info.status, info.seats[1].taken, info.seats[1].may_sit) == ("waiting", False, False)


@in_both
def test_other_terms_replace_the_challenge_and_go_the_other_way(
    service: KontorServer, three: tuple[str, str, str]
) -> None:
    anna, bernd, _ = three
    first = challenge(service, anna, bernd)
    answered = only(service, bernd)
    with pytest.raises(BadPlan):
        service.challenges.counter(answered, bernd, terms(shanghaien(ME)))
    assert only(service, bernd) == answered, "a plan that is refused changes nothing"
    second = service.challenges.counter(answered, bernd, terms(dutchman(ME, FRIEND, MACHINE)))
    with pytest.raises(NoTable):
        service.tables.info(first)
    assert service.challenges.open_to(bernd) == ()
    (waiting,) = service.challenges.open_to(anna)
    assert (waiting.name, waiting.counters, waiting.table.id) == ("Bernd", True, second)
    with pytest.raises(NotNow):
        service.challenges.counter(answered, bernd, terms())
    service.opening.sit(second, waiting.seat, anna)
    assert service.tables.info(second).status == "playing"


def test_there_are_limits_of_how_many_are_open(
    service: KontorServer, three: tuple[str, str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bernd, carla = three
    challenge(service, anna, bernd)
    with pytest.raises(TooMany, match="You have already challenged Bernd"):
        challenge(service, anna, bernd)
    monkeypatch.setattr(store, "MOST_SENT", 1)
    with pytest.raises(TooMany, match="1 of your challenges"):
        challenge(service, anna, carla)
    monkeypatch.setattr(store, "MOST_RECEIVED", 1)
    with pytest.raises(TooMany, match="Bernd already has many open challenges"):
        challenge(service, carla, bernd)
    service.challenges.decline(only(service, bernd), bernd)
    challenge(service, anna, bernd)


def test_a_challenge_lapses_after_a_week_and_its_table_a_day_later(
    service: KontorServer, clock: Clock, three: tuple[str, str, str]
) -> None:
    anna, bernd, _ = three
    table = challenge(service, anna, bernd)
    lapsed = only(service, bernd)
    clock.tick(days=6, hours=23)
    assert only(service, bernd) == lapsed
    clock.tick(hours=2)
    assert service.challenges.open_to(bernd) == ()
    with pytest.raises(NotNow):
        service.challenges.find(lapsed, bernd)
    with service._transactions.changing() as change:
        store.sweep(change, change.now)
    with pytest.raises(NoTable):
        service.tables.info(table)


@pytest.mark.parametrize("blocker", [0, 1])
def test_nobody_challenges_people_whom_they_block_or_who_block_them(
    service: KontorServer, three: tuple[str, str, str], blocker: int
) -> None:
    anna, bernd, _ = three
    met = service.opening.open(anna, shanghaien(ME, OPEN))
    service.opening.sit(met, 1, bernd)
    play_out(service, met)
    assert [companion.name for companion in service.challenges.companions(anna)] == ["Bernd"]
    table = challenge(service, anna, bernd)
    waiting = only(service, bernd)
    service.blocking.put(met, three[blocker], f"seat-{1 - blocker}", "block")
    assert service.challenges.open_to(bernd) == ()
    with pytest.raises(NotNow):
        service.challenges.decline(waiting, bernd)
    service.opening.leave(table, anna)
    for key in (OpponentKey(handle=show_page(service, bernd)), OpponentKey(table=met, seat=1)):
        with pytest.raises(NotAllowed):
            service.challenges.send(anna, key, terms())
        assert (service.challenges.opponent(key, anna) is None) == (blocker == 1), "he is not told of a block"
    assert service.challenges.companions(anna) == service.challenges.companions(bernd) == ()


def test_people_without_a_page_are_challenged_by_those_alone_who_have_played_with_them(
    service: KontorServer, three: tuple[str, str, str]
) -> None:
    anna, bernd, carla = three
    met = service.opening.open(anna, shanghaien(ME, OPEN))
    key = OpponentKey(table=met, seat=1)
    service.opening.sit(met, 1, bernd)
    assert service.challenges.opponent(key, anna) is None, "the game is not over"
    play_out(service, met)
    assert service.challenges.opponent(key, carla) is service.challenges.opponent(key, None) is None
    (companion,) = service.challenges.companions(anna)
    assert (companion.name, companion.key) == ("Bernd", key)
    service.challenges.send(anna, key, terms())
    assert only(service, bernd)
    handle = show_page(service, bernd)
    (companion,) = service.challenges.companions(anna)
    assert companion.key == OpponentKey(handle=handle)
    for nobody in (OpponentKey(), OpponentKey(handle=bernd), OpponentKey(table=met, seat=7), OpponentKey("x", "x")):
        assert service.challenges.opponent(nobody, anna) is None


def test_the_eight_with_whom_one_played_last_are_listed(service: KontorServer, clock: Clock) -> None:
    anna = service.people.guest("Anna")[0].id
    for number in range(9):
        other = service.people.guest(f"Person {number}")[0].id
        table = service.opening.open(anna, shanghaien(ME, OPEN))
        service.opening.sit(table, 1, other)
        service.early_endings.resign(table, 0, anna)
        clock.tick(minutes=1)
    names = [companion.name for companion in service.challenges.companions(anna)]
    assert names == [f"Person {number}" for number in range(8, 0, -1)]


def test_challenges_are_exported_and_go_with_the_person(
    service: KontorServer, place: Place, three: tuple[str, str, str]
) -> None:
    anna, bernd, carla = three
    challenge(service, anna, bernd)
    challenge(service, carla, anna)
    own = service.export.of(anna).challenges
    assert [(one.name, one.sent, one.game) for one in own] == [
        ("Bernd", True, "shanghaien"),
        ("Carla", False, "shanghaien"),
    ]
    service.leaving.leave(anna, "Anna")
    assert service.challenges.open_to(bernd) == ()
    assert not [table for table, _ in find_rows(place, anna) if table == "person_challenges"]


def test_challenges_of_two_who_become_one_are_theirs(service: KontorServer, three: tuple[str, str, str]) -> None:
    anna, bernd, carla = three
    phone = service.people.guest("Anni")[0].id
    challenge(service, bernd, phone)
    challenge(service, phone, carla)
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert service.challenges.find(only(service, anna), anna).name == "Bernd"
    (waiting,) = service.challenges.open_to(carla)
    assert waiting.name == "Anna"


# ------------------------------------------------------------------------------------------------------------- news


@pytest.fixture
def players(place: Place) -> Iterator[Players]:
    """Yield Anna, who is told by mail, and Bernd."""
    clock = Clock()
    with Mailbox() as mailbox, KontorServer.open(place, clock) as service:
        both = Players(service, clock, mailbox)
        both.confirm_mail(both.anna, "anna@mail.example")
        yield both


@in_both
def test_a_challenge_other_terms_and_a_refusal_are_each_told_once(players: Players) -> None:
    service, anna, bernd = players.service, players.anna.id, players.bernd.id
    challenge(service, bernd, anna)
    players.clock.tick(seconds=25)
    (mail,) = players.mails()
    assert mail["Subject"] == "Bernd challenges you: Shanghaien"
    assert "The challenge stands for a week." in texts(mail)[0]
    service.challenges.counter(only(service, anna), anna, terms())
    service.challenges.counter(only(service, bernd), bernd, terms())
    assert players.tell() == ["Bernd proposes other terms: Shanghaien"]
    service.challenges.counter(only(service, anna), anna, terms())
    service.challenges.decline(only(service, bernd), bernd)
    players.clock.tick(seconds=25)
    (mail,) = players.mails()
    assert mail["Subject"] == "Bernd has declined your challenge"
    assert f"{BASE}/" in texts(mail)[0]
    assert players.tell() == []


def test_challenges_that_are_answered_or_not_wanted_are_not_told(players: Players, place: Place) -> None:
    service, anna, bernd = players.service, players.anna.id, players.bernd.id
    challenge(service, bernd, anna)
    service.challenges.decline(only(service, anna), anna)
    assert players.tell() == []
    service.ways.choose_occasions(anna, followed=True, challenged=False)
    challenge(service, bernd, anna)
    assert players.tell() == []
    assert query(place, "SELECT COUNT(*) FROM outbox") == [(0,)]
