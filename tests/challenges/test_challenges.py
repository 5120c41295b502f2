"""Challenges: a seat is kept for one person, who accepts, declines, or proposes other terms."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final

import psycopg
import pytest

from accounts.test_leaving import find_rows
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
from servers import one_place
from timeouts import HANG_TIMEOUT, waited_for

place = one_place

DUEL = shanghaien(ME, FRIEND)


def terms(plan: Plan = DUEL) -> Terms:
    return Terms(plan, NO_SHARE, "", 0)


def challenge(service: KontorServer, person: str, other: str, plan: Plan = DUEL) -> str:
    """Challenge somebody by their page; return the id of the table."""
    return service.challenges.send(person, OpponentKey(handle=show_page(service, other)), terms(plan))


def played(service: KontorServer, person: str, other: str) -> str:
    """Return the id of a finished game of two people, the person on the first seat."""
    table = service.opening.open(person, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, other)
    service.early_endings.resign(table, 0, person)
    return table


def own_tables(service: KontorServer, person: str) -> list[str]:
    return [info.id for info in service.listing.my_tables(person)]


def sweep(service: KontorServer) -> None:
    store.sweep(service._transactions, service._transactions.now())


def only(service: KontorServer, person: str) -> str:
    """Return the id of the one challenge that waits for the person."""
    (waiting,) = service.challenges.open_to(person)
    return waiting.id


Three = tuple[str, str, str]


@pytest.fixture
def three(service: KontorServer) -> Three:
    anna, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla"))
    return anna, bernd, carla


@in_both
def test_a_challenge_keeps_a_seat_for_one_person_alone(service: KontorServer, three: Three) -> None:
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
    service: KontorServer, three: Three
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
def test_of_accepting_and_declining_at_once_one_counts(service: KontorServer, three: Three) -> None:
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


def test_where_others_sit_already_a_declined_challenge_frees_the_seat(service: KontorServer, three: Three) -> None:
    anna, bernd, carla = three
    table = challenge(service, anna, bernd, dutchman(ME, FRIEND, OPEN))
    service.opening.sit(table, 2, carla)
    service.challenges.decline(only(service, bernd), bernd)
    info = service.tables.info(table, bernd)
    assert (info.status, info.seats[1].taken, info.seats[1].may_sit) == ("waiting", False, False)


@in_both
def test_a_challenge_ends_with_its_challenger_and_never_closes_a_table_of_somebody_else(
    service: KontorServer, clock: Clock, three: Three
) -> None:
    anna, bernd, carla = three
    table = challenge(service, anna, bernd, dutchman(ME, FRIEND, OPEN))
    service.opening.sit(table, 2, carla)
    waiting = only(service, bernd)
    service.opening.leave(table, anna)
    assert service.challenges.open_to(bernd) == ()
    with pytest.raises(NotNow):
        service.challenges.decline(waiting, bernd)
    with pytest.raises(NotNow):
        service.challenges.counter(waiting, bernd, terms())
    clock.tick(days=7, hours=1)
    sweep(service)
    info = service.tables.info(table, bernd)
    assert (info.status, info.seats[2].taken, info.seats[1].may_sit) == ("waiting", True, False)


WAITS_FOR_LOCK: Final = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


@pytest.mark.postgresql
@pytest.mark.parametrize("place", ["postgresql"], indirect=True)
@pytest.mark.parametrize("answer", ["decline", "counter", "lapse"])
def test_whoever_ends_a_challenge_locks_its_table_first_as_a_challenger_who_cancels_it(
    service: KontorServer, place: str, clock: Clock, three: Three, answer: str
) -> None:
    anna, bernd, _ = three
    table = challenge(service, anna, bernd)
    waiting = only(service, bernd)
    acts: dict[str, Callable[[], object]] = {
        "decline": lambda: service.challenges.decline(waiting, bernd),
        "counter": lambda: service.challenges.counter(waiting, bernd, terms()),
        "lapse": lambda: sweep(service),
    }
    if answer == "lapse":
        clock.tick(days=8)
    with psycopg.connect(place) as canceller, ThreadPoolExecutor(1) as pool:
        canceller.execute("SELECT id FROM tables WHERE id = %s FOR UPDATE", (table,))
        answered = pool.submit(acts[answer])
        waited_for(lambda: query(place, WAITS_FOR_LOCK) != [(0,)])
        canceller.execute("DELETE FROM tables WHERE id = %s", (table,))
        canceller.commit()
        with suppress(NotNow):
            answered.result(HANG_TIMEOUT)
    assert service.challenges.open_to(bernd) == service.challenges.open_to(anna) == ()
    assert service.challenges.declined(anna) == ()


@in_both
def test_answers_and_cancelling_at_once_end_a_challenge_one_way(service: KontorServer, three: Three) -> None:
    anna, bernd, _ = three
    for number in range(4):
        table = challenge(service, anna, bernd)
        answered = only(service, bernd)

        def cancel(table: str = table) -> str:
            service.opening.leave(table, anna)
            return "cancelled"

        def answer(number: int = number, answered: str = answered) -> str:
            if number % 2:
                service.challenges.decline(answered, bernd)
            else:
                service.opening.leave(service.challenges.counter(answered, bernd, terms()), bernd)
            return "answered"

        assert len(race(cancel, answer, refused=(NotNow, NoTable))) == 1
        with pytest.raises(NoTable):
            service.tables.info(table)


@in_both
def test_other_terms_replace_the_challenge_and_go_the_other_way(service: KontorServer, three: Three) -> None:
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
    service: KontorServer, three: Three, monkeypatch: pytest.MonkeyPatch
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
    service: KontorServer, clock: Clock, three: Three
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
    sweep(service)
    with pytest.raises(NoTable):
        service.tables.info(table)


@in_both
def test_a_challenge_to_somebody_whom_one_blocks_is_withdrawn_as_if_it_were_cancelled(
    service: KontorServer, three: Three
) -> None:
    anna, bernd, carla = three
    met = played(service, anna, bernd)
    table = challenge(service, anna, bernd)
    waiting = only(service, bernd)
    service.blocking.put(met, anna, "seat-1", "mute")
    assert only(service, bernd) == waiting, "to mute is not to block"
    service.blocking.put(met, anna, "seat-1", "block")
    assert service.challenges.open_to(bernd) == ()
    assert own_tables(service, bernd) == own_tables(service, anna) == []
    with pytest.raises(NoTable):
        service.tables.info(table)
    with pytest.raises(NotNow, match="no longer open"):
        service.challenges.decline(waiting, bernd)
    for key in (OpponentKey(handle=show_page(service, bernd)), OpponentKey(table=met, seat=1)):
        assert service.challenges.opponent(key, anna), "she knows whom she blocks"
        with pytest.raises(NotAllowed, match="You have blocked Bernd"):
            service.challenges.send(anna, key, terms())
    assert service.challenges.companions(anna) == ()
    assert [companion.name for companion in service.challenges.companions(bernd)] == ["Anna"]
    service.blocking.put(met, anna, "seat-1", None)
    table = challenge(service, anna, bernd, dutchman(ME, FRIEND, OPEN))
    service.opening.sit(table, 2, carla)
    service.blocking.put(met, anna, "seat-1", "block")
    assert service.tables.info(table, bernd).seats[1].may_sit is False
    assert own_tables(service, bernd) == []
    assert own_tables(service, carla) == [table]


def test_a_challenge_by_somebody_whom_one_blocks_just_waits(
    service: KontorServer, clock: Clock, three: Three
) -> None:
    anna, bernd, _ = three
    met = played(service, anna, bernd)
    table = challenge(service, anna, bernd)
    waiting = only(service, bernd)
    before = service.tables.info(table, anna)
    service.blocking.put(met, bernd, "seat-0", "block")
    assert service.challenges.open_to(bernd) == ()
    assert own_tables(service, bernd) == []
    with pytest.raises(NotNow):
        service.challenges.decline(waiting, bernd)
    assert service.tables.info(table, anna).seats == before.seats
    assert service.export.of(bernd).challenges == ()
    assert [own.name for own in service.export.of(anna).challenges] == ["Bernd"]
    clock.tick(days=7, hours=1)
    sweep(service)
    assert own_tables(service, anna) == []


def test_nobody_learns_from_challenges_who_blocks_them(
    service: KontorServer, three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bernd, carla = three
    met, key = played(service, anna, bernd), OpponentKey(handle=show_page(service, bernd))
    by_game = OpponentKey(table=met, seat=1)
    before = service.challenges.companions(anna), service.challenges.opponent(by_game, anna)
    assert [companion.name for companion in before[0]] == ["Bernd"]
    service.blocking.put(met, bernd, "seat-0", "block")
    assert (service.challenges.companions(anna), service.challenges.opponent(by_game, anna)) == before
    assert service.challenges.companions(bernd) == ()
    table = service.challenges.send(anna, by_game, terms())
    assert own_tables(service, anna) == [table]
    assert service.tables.info(table, anna).seats[1].name == "Bernd"
    assert service.challenges.open_to(bernd) == ()
    assert own_tables(service, bernd) == []
    with pytest.raises(TooMany, match="You have already challenged Bernd"):
        service.challenges.send(anna, by_game, terms())
    monkeypatch.setattr(store, "MOST_RECEIVED", 1)
    service.challenges.send(carla, key, terms())
    service.opening.leave(table, anna)
    with pytest.raises(TooMany, match="Bernd already has many open challenges"):
        service.challenges.send(anna, by_game, terms())


def test_people_without_a_page_are_challenged_by_those_alone_who_have_played_with_them(
    service: KontorServer, three: Three
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
    show_page(service, bernd)
    (companion,) = service.challenges.companions(anna)
    assert companion.key == key, "the page would be missing for those alone whom he blocks"
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


def test_challenges_that_are_open_or_declined_of_late_are_exported_and_go_with_the_person(
    service: KontorServer, place: Place, clock: Clock, three: Three
) -> None:
    anna, bernd, carla = three
    challenge(service, anna, bernd)
    clock.tick(minutes=1)
    challenge(service, carla, anna)
    own = service.export.of(anna).challenges
    assert [(one.name, one.sent, one.game) for one in own] == [
        ("Bernd", True, "shanghaien"),
        ("Carla", False, "shanghaien"),
    ]
    service.opening.leave(own[1].table or "", carla)
    service.challenges.decline(only(service, bernd), bernd)
    (exported,) = service.export.of(anna).challenges
    assert (exported.name, exported.table, exported.declined is None) == ("Bernd", None, False)
    clock.tick(days=7, hours=1)
    assert service.export.of(anna).challenges == ()
    challenge(service, anna, bernd)
    service.leaving.leave(anna, "Anna")
    assert service.challenges.open_to(bernd) == ()
    assert not [table for table, _ in find_rows(place, anna) if table == "person_challenges"]


def test_challenges_of_two_who_become_one_are_theirs(service: KontorServer, three: Three) -> None:
    anna, bernd, carla = three
    phone = service.people.guest("Anni")[0].id
    challenge(service, bernd, phone)
    challenge(service, phone, carla)
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert service.challenges.find(only(service, anna), anna).name == "Bernd"
    (waiting,) = service.challenges.open_to(carla)
    assert waiting.name == "Anna"


def test_challenges_end_where_two_become_one_of_whom_one_blocks_the_challenged(
    service: KontorServer, three: Three
) -> None:
    anna, bernd, _ = three
    phone = service.people.guest("Anni")[0].id
    service.blocking.put(played(service, anna, bernd), anna, "seat-1", "block")
    table = challenge(service, phone, bernd)
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert service.challenges.open_to(bernd) == ()
    assert own_tables(service, bernd) == []
    with pytest.raises(NoTable):
        service.tables.info(table)


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
    assert "Perhaps another time." in texts(mail)[0]
    assert "closed" not in texts(mail)[0], "others may sit at the table"
    assert players.tell() == []


@in_both
def test_challenges_by_one_person_are_told_once_an_hour_however_often_they_are_sent(players: Players) -> None:
    service, anna, bernd = players.service, players.anna.id, players.bernd.id
    service.opening.leave(challenge(service, bernd, anna), bernd)
    table = challenge(service, bernd, anna)
    subjects = ["Bernd challenges you: Shanghaien"]
    assert players.tell() == subjects, "the first was corrected before anybody was told"
    for _ in range(4):
        service.opening.leave(table, bernd)
        table = challenge(service, bernd, anna)
        assert players.tell() == []
        sweep(service)
    challenge(service, service.people.guest("Carla")[0].id, anna)
    assert players.tell() == ["Carla challenges you: Shanghaien"]
    service.opening.leave(table, bernd)
    players.clock.tick(hours=1)
    sweep(service)
    challenge(service, bernd, anna)
    assert players.tell() == subjects


def test_a_challenge_by_somebody_whom_one_blocks_is_not_told(players: Players, place: Place) -> None:
    service, anna, bernd = players.service, players.anna.id, players.bernd.id
    met = played(service, bernd, anna)
    players.tell()
    service.blocking.put(met, anna, "seat-0", "block")
    service.challenges.send(bernd, OpponentKey(table=met, seat=1), terms())
    assert query(place, "SELECT COUNT(*) FROM outbox WHERE occasion = 'challenge'") == [(0,)]
    assert players.tell() == []


def test_challenges_that_are_answered_or_not_wanted_are_not_told(players: Players, place: Place) -> None:
    service, anna, bernd = players.service, players.anna.id, players.bernd.id
    challenge(service, bernd, anna)
    service.challenges.decline(only(service, anna), anna)
    assert players.tell() == []
    service.ways.choose_occasions(anna, followed=True, challenged=False)
    players.clock.tick(hours=1)
    challenge(service, bernd, anna)
    assert players.tell() == []
    assert query(place, "SELECT COUNT(*) FROM outbox") == [(0,)]
