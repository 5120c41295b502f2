"""Guests, and how they are known again."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from threading import Barrier, Thread

import pytest

from kontor.table import BadLink, BadName, House, NotAllowed, Person
from kontor.table.storage import Place

from .guests import FRIEND, ME, Clock, everything_in, has_run, query, shanghaien


def test_a_guest_is_known_by_their_session(house: House) -> None:
    anna, token = house.guest(" Anna ")
    bernd, other = house.guest("Bernd")
    assert anna.name == "Anna"
    assert anna.id != bernd.id
    assert house.person_of_session(token) == anna
    assert house.person_of_session(other) == bernd
    for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), "\ud800", "x" * 100_000):
        assert house.person_of_session(wrong) is None


def test_a_bad_name_makes_nobody(house: House, place: Place) -> None:
    with pytest.raises(BadName):
        house.guest("\u202e")
    assert query(place, "SELECT * FROM people") == []


def test_only_hashes_of_tokens_are_kept(house: House, place: Place) -> None:
    anna, token = house.guest("Anna")
    tokens = [token, house.device_link(anna.id), house.api_token(anna.id, "my player")]
    assert len(set(tokens)) == 3
    assert min(map(len, tokens)) >= 43  # 256 bits
    house.close()
    held = everything_in(place)
    for kept in tokens:
        assert kept.encode() not in held


def test_the_file_is_for_its_owner_alone(tmp_path: Path, clock: Clock) -> None:
    with House.open(tmp_path, clock) as house:
        house.guest("Anna")
        assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}


def test_a_session_can_be_ended(house: House) -> None:
    anna, token = house.guest("Anna")
    here = house.claim_device(house.device_link(anna.id))[1]
    house.end_session(token)
    assert house.person_of_session(token) is None
    assert house.person_of_session(here) == anna


def test_a_session_ends_when_it_is_not_used(house: House, clock: Clock) -> None:
    anna, used = house.guest("Anna")
    unused = house.claim_device(house.device_link(anna.id))[1]
    for _ in range(5):
        clock.tick(days=100)
        assert house.person_of_session(used) == anna
    assert house.person_of_session(unused) is None
    clock.tick(days=181)
    assert house.person_of_session(used) is None


def test_sessions_are_listed_and_revoked_one_by_one(house: House, clock: Clock) -> None:
    anna, first = house.guest("Anna")
    clock.tick(hours=1)
    program = house.api_token(anna.id, "my \u202e player")
    bernd, _ = house.guest("Bernd")
    newest, oldest = house.sessions(anna.id)
    assert (newest.kind, newest.label, newest.created) == ("api", "my player", clock.time)
    assert oldest.kind == "session"
    house.revoke(bernd.id, newest.id)  # not hers to revoke
    house.revoke(anna.id, "\ud800")
    assert house.person_of_api_token(program) == anna
    house.revoke(anna.id, newest.id)
    assert house.person_of_api_token(program) is None
    assert house.person_of_session(first) == anna
    house.revoke_all(anna.id)
    assert house.person_of_session(first) is None
    assert house.sessions(anna.id) == ()


def test_a_token_is_good_for_its_purpose_alone(house: House) -> None:
    anna, session = house.guest("Anna")
    program, link = house.api_token(anna.id), house.device_link(anna.id)
    assert house.person_of_api_token(session) is None
    assert house.person_of_api_token(link) is None
    assert house.person_of_session(program) is None
    assert house.person_of_session(link) is None
    for wrong in (session, program):
        with pytest.raises(BadLink):
            house.claim_device(wrong)


def test_a_program_is_known_for_a_year(house: House, clock: Clock) -> None:
    anna, _ = house.guest("Anna")
    program = house.api_token(anna.id)
    clock.tick(days=364)
    assert house.person_of_api_token(program) == anna
    clock.tick(days=1)
    assert house.person_of_api_token(program) is None


def test_a_link_brings_the_person_to_another_device_once(house: House) -> None:
    anna, _ = house.guest("Anna")
    link = house.device_link(anna.id)
    person, token = house.claim_device(link)
    assert person == anna
    assert house.person_of_session(token) == anna
    with pytest.raises(BadLink):
        house.claim_device(link)


def test_a_link_is_good_for_ten_minutes_and_only_the_newest(house: House, clock: Clock) -> None:
    anna, _ = house.guest("Anna")
    older, newer = house.device_link(anna.id), house.device_link(anna.id)
    with pytest.raises(BadLink):
        house.claim_device(older)
    clock.tick(minutes=9, seconds=59)
    house.claim_device(newer)
    late = house.device_link(anna.id)
    clock.tick(minutes=10)
    with pytest.raises(BadLink):
        house.claim_device(late)


def test_of_many_who_claim_a_link_at_once_one_gets_it(house: House) -> None:
    anna, _ = house.guest("Anna")
    link = house.device_link(anna.id)
    barrier, got = Barrier(6), list[Person]()

    def claim() -> None:
        barrier.wait()
        with suppress(BadLink):
            got.append(house.claim_device(link)[0])

    threads = [Thread(target=claim) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [anna]


def test_a_person_can_be_renamed(house: House) -> None:
    anna, token = house.guest("Anna")
    assert house.rename(anna.id, "Anne").name == "Anne"
    known = house.person_of_session(token)
    assert known == Person(anna.id, "Anne")


def test_nobody_unknown_gets_a_token(house: House) -> None:
    for ask in (house.device_link, house.api_token):
        with pytest.raises(NotAllowed):
            ask("nobody")
    with pytest.raises(NotAllowed):
        house.rename("nobody", "Anna")


def test_what_has_run_out_is_forgotten_a_day_later(house: House, clock: Clock, place: Place) -> None:
    house.guest("Anna")
    for days, left in ((180.9, 1), (0.2, 0)):
        clock.tick(days=days)
        has_run(place, clock)
        house.tend()
        assert len(query(place, "SELECT * FROM tokens")) == left


class Kept:
    """Of each kind one thing that time deletes."""

    def __init__(self, house: House) -> None:
        self.anna, self.session = house.guest("Anna")
        self.program = house.api_token(self.anna.id)
        self.link = house.device_link(self.anna.id)
        self.table = house.open_table(self.anna.id, shanghaien(ME, FRIEND))
        self.invitation = house.invitation(self.table, 1, self.anna.id)

    def check(self, house: House) -> None:
        """All of it still serves."""
        assert house.person_of_session(self.session) == self.anna
        assert house.person_of_api_token(self.program) == self.anna
        assert house.claim_device(self.link)[0] == self.anna
        house.sit(self.table, 1, house.guest("Bernd")[0].id, self.invitation)
        assert house.info(self.table).status == "playing"


def run_on(house: House, clock: Clock, seconds: int) -> None:
    for _ in range(seconds // 10):
        clock.tick(seconds=10)
        house.tend()


@pytest.mark.parametrize("days", [1, 31, 200, 20_000, -200, -20_000])
def test_a_clock_that_was_wrong_for_a_while_deletes_nothing(house: House, clock: Clock, days: int) -> None:
    kept = Kept(house)
    run_on(house, clock, 30)
    clock.tick(days=days)
    run_on(house, clock, 60)
    assert days < 200 or house.person_of_session(kept.session) is None
    clock.tick(days=-days)
    run_on(house, clock, 60)
    kept.check(house)


def test_a_start_by_a_wrong_clock_deletes_nothing(place: Place, clock: Clock) -> None:
    with House.open(place, clock) as house:
        kept = Kept(house)
    clock.tick(days=20_000)
    for _ in range(2):
        with House.open(place, clock) as house:
            run_on(house, clock, 60)
    clock.tick(days=-20_000)
    with House.open(place, clock) as house:
        kept.check(house)


def test_of_several_processes_one_with_a_wrong_clock_deletes_nothing(database: str, clock: Clock) -> None:
    wrong = Clock()
    wrong.tick(days=20_000)
    with House.open(database, clock) as house, House.open(database, wrong) as other:
        kept = Kept(house)
        for _ in range(20):
            run_on(house, clock, 10)
            run_on(other, wrong, 10)
        kept.check(house)


def test_after_days_in_which_the_house_was_closed_it_forgets_by_and_by(place: Place, clock: Clock) -> None:
    """Four times as fast as it runs, the day of grace and the days that were missed go by."""
    with House.open(place, clock) as house:
        house.device_link(house.guest("Anna")[0].id)
    clock.tick(days=3)
    with House.open(place, clock) as house:
        links = "SELECT * FROM tokens WHERE kind = 'device'"
        house.tend()
        assert len(query(place, links)) == 1
        hours = 0
        while query(place, links):
            hours += 1
            for _ in range(120):
                clock.tick(seconds=30)
                house.tend()
        assert hours == 7, "a day and ten minutes, four times as fast"
        assert len(query(place, "SELECT * FROM tokens")) == 1, "of the session nothing has run out"


def test_who_is_only_looked_up_has_not_come(house: House, clock: Clock) -> None:
    anna, token = house.guest("Anna")
    clock.tick(days=100)
    assert house.holder_of_session(token) == anna
    clock.tick(days=80)
    assert house.use_session(token) == (None, False)


def test_a_person_has_a_bounded_number_of_sessions(house: House, clock: Clock) -> None:
    anna, first = house.guest("Anna")
    for _ in range(50):
        clock.tick(seconds=1)
        house.claim_device(house.device_link(anna.id))
    assert house.person_of_session(first) is None
    assert len(house.sessions(anna.id)) == 50
