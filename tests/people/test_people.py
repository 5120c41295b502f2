"""Guests, and how they are recognised."""

from pathlib import Path

import pytest

from guests import FRIEND, ME, Clock, as_of, end_sessions, everything_in, has_run, in_a_folder, query, shanghaien
from kontor.errors import BadLink, BadName, NotAllowed
from kontor.people.values import Person, Scope
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.storage.errors import StorageFailure
from races import race


def test_a_guest_is_known_by_their_session(service: KontorServer) -> None:
    anna, token = service.people.guest(" Anna ")
    bernd, other = service.people.guest("Bernd")
    assert anna.name == "Anna"
    assert anna.id != bernd.id
    assert service.people.use_session(token)[0] == anna
    assert service.people.use_session(other)[0] == bernd
    for wrong in ("", "x", token[:-1], token + "x", token.swapcase(), "\ud800", "x" * 100_000):
        assert service.people.use_session(wrong)[0] is None


def test_a_bad_name_makes_nobody(service: KontorServer, place: Place) -> None:
    with pytest.raises(BadName):
        service.people.guest("\u202e")
    assert query(place, "SELECT * FROM people") == []


def test_only_hashes_of_tokens_are_kept(service: KontorServer, place: Place) -> None:
    anna, token = service.people.guest("Anna")
    tokens = [token, service.people.device_link(anna.id), service.people.api_token(anna.id, "my player")]
    assert len(set(tokens)) == 3
    assert min(map(len, tokens)) >= 43  # 256 bits
    service.close()
    held = everything_in(place)
    for secret in tokens:
        assert secret.encode() not in held


def test_the_file_is_for_its_owner_alone(tmp_path: Path, clock: Clock) -> None:
    with KontorServer.open(tmp_path, clock) as service:
        service.people.guest("Anna")
        assert {file.stat().st_mode & 0o077 for file in tmp_path.iterdir()} == {0}


def test_a_session_can_be_ended(service: KontorServer) -> None:
    anna, token = service.people.guest("Anna")
    session = service.people.claim_device(service.people.device_link(anna.id))[1]
    service.people.end_session(token)
    assert service.people.use_session(token)[0] is None
    assert service.people.use_session(session)[0] == anna


def test_a_session_ends_when_it_is_not_used(service: KontorServer, clock: Clock) -> None:
    anna, used = service.people.guest("Anna")
    unused = service.people.claim_device(service.people.device_link(anna.id))[1]
    for _ in range(5):
        clock.tick(days=100)
        assert service.people.use_session(used)[0] == anna
    assert service.people.use_session(unused)[0] is None
    clock.tick(days=181)
    assert service.people.use_session(used)[0] is None


def test_sessions_are_listed_and_revoked_one_by_one(service: KontorServer, clock: Clock) -> None:
    anna, first = service.people.guest("Anna")
    clock.tick(hours=1)
    program = service.people.api_token(anna.id, "my \u202e player")
    bernd, _ = service.people.guest("Bernd")
    newest, oldest = service.people.sessions(anna.id)
    assert (newest.kind, newest.label, newest.created) == ("api", "my player", clock.time)
    assert oldest.kind == "session"
    service.people.revoke(bernd.id, newest.id)  # not hers to revoke
    service.people.revoke(anna.id, "\ud800")
    assert service.people.of_api_token(program) == anna
    service.people.revoke(anna.id, newest.id)
    assert service.people.of_api_token(program) is None
    assert service.people.use_session(first)[0] == anna
    end_sessions(service, anna.id)
    assert service.people.use_session(first)[0] is None
    assert service.people.sessions(anna.id) == ()


def test_a_token_is_good_for_its_purpose_alone(service: KontorServer) -> None:
    anna, session = service.people.guest("Anna")
    program, link = service.people.api_token(anna.id), service.people.device_link(anna.id)
    assert service.people.of_api_token(session) is None
    assert service.people.of_api_token(link) is None
    assert service.people.use_session(program)[0] is None
    assert service.people.use_session(link)[0] is None
    for wrong in (session, program):
        with pytest.raises(BadLink):
            service.people.claim_device(wrong)


def test_a_program_is_known_for_a_year(service: KontorServer, clock: Clock) -> None:
    anna, _ = service.people.guest("Anna")
    program = service.people.api_token(anna.id)
    clock.tick(days=364)
    assert service.people.of_api_token(program) == anna
    clock.tick(days=1)
    assert service.people.of_api_token(program) is None


def test_a_programs_token_has_a_scope_and_tells_to_the_hour_when_it_was_used(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    anna, session = service.people.guest("Anna")
    read: Scope = "read"
    plays, reads = service.people.api_token(anna.id, "plays"), service.people.api_token(anna.id, "reads", (read,))

    def last_uses() -> dict[str, object]:
        return {token.label: token.used for token in service.people.sessions(anna.id) if token.kind == "api"}

    assert {token.label: token.scopes for token in service.people.sessions(anna.id)} == {
        "": (),
        "plays": ("play", "read", "notify", "messages"),
        "reads": ("read",),
    }
    assert last_uses() == {"plays": None, "reads": None}
    first = clock.time
    assert [program and program.scopes for program in map(service.people.of_api_token, (plays, reads))] == [
        ("play", "read", "notify", "messages"),
        ("read",),
    ]
    assert service.people.use_session(session)[0] == anna
    assert last_uses() == {"plays": first, "reads": first}
    clock.tick(minutes=59)
    service.people.of_api_token(plays)
    assert last_uses()["plays"] == first, "it is not written down each time"
    clock.tick(minutes=1)
    service.people.of_api_token(plays)
    assert last_uses() == {"plays": clock.time, "reads": first}


def test_tokens_of_an_older_kontor_go_on_and_may_play(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        anna, session = service.people.guest("Anna")
        token = service.people.api_token(anna.id, "my player")
    as_of(place, "0005")
    with KontorServer.open(place, clock) as service:
        person = service.people.of_api_token(token)
        assert person is not None
        assert (person.id, person.name, person.scopes) == (anna.id, "Anna", ("play", "read"))
        assert service.people.use_session(session)[0] == anna
        (program,) = (program for program in service.people.sessions(anna.id) if program.kind == "api")
        assert (program.label, program.scopes, program.used) == ("my player", ("play", "read"), clock.time)


def test_whoever_only_looks_is_let_in_where_nothing_can_be_written(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a full disk, or a read-only database: then the use of the token is not recorded."""
    anna, _ = service.people.guest("Anna")
    token = service.people.api_token(anna.id)

    def full(*_: object) -> None:
        raise StorageFailure("", "The server has stopped.")

    monkeypatch.setattr("kontor.people.people._note_use", full)
    assert service.people.of_api_token(token) == anna


def test_a_link_brings_the_person_to_another_device_once(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    link = service.people.device_link(anna.id)
    person, token = service.people.claim_device(link)
    assert person == anna
    assert service.people.use_session(token)[0] == anna
    with pytest.raises(BadLink):
        service.people.claim_device(link)


def test_a_link_is_good_for_ten_minutes_and_only_the_newest(service: KontorServer, clock: Clock) -> None:
    anna, _ = service.people.guest("Anna")
    older, newer = service.people.device_link(anna.id), service.people.device_link(anna.id)
    with pytest.raises(BadLink):
        service.people.claim_device(older)
    clock.tick(minutes=9, seconds=59)
    service.people.claim_device(newer)
    late = service.people.device_link(anna.id)
    clock.tick(minutes=10)
    with pytest.raises(BadLink):
        service.people.claim_device(late)


def test_of_many_who_claim_a_link_at_once_one_gets_it(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    link = service.people.device_link(anna.id)
    got = race(*[lambda: service.people.claim_device(link)[0]] * 6, refused=(BadLink,))
    assert got == [anna]


def test_a_person_can_be_renamed(service: KontorServer) -> None:
    anna, token = service.people.guest("Anna")
    assert service.people.rename(anna.id, "Anne").name == "Anne"
    person = service.people.use_session(token)[0]
    assert person == Person(anna.id, "Anne")


def test_nobody_unknown_gets_a_token(service: KontorServer) -> None:
    for ask in (service.people.device_link, service.people.api_token):
        with pytest.raises(NotAllowed):
            ask("nobody")
    with pytest.raises(NotAllowed):
        service.people.rename("nobody", "Anna")


def test_what_has_run_out_is_forgotten_a_day_later(service: KontorServer, clock: Clock, place: Place) -> None:
    service.people.guest("Anna")
    for days, left in ((180.9, 1), (0.2, 0)):
        clock.tick(days=days)
        has_run(place, clock)
        service.upkeep.apply_deadlines()
        assert len(query(place, "SELECT * FROM tokens")) == left


class Credentials:
    """One thing of each kind that expires."""

    def __init__(self, service: KontorServer) -> None:
        self.anna, self.session = service.people.guest("Anna")
        self.program = service.people.api_token(self.anna.id)
        self.link = service.people.device_link(self.anna.id)
        self.table = service.opening.open(self.anna.id, shanghaien(ME, FRIEND))
        self.invitation = service.opening.invitation(self.table, 1, self.anna.id)

    def check(self, service: KontorServer) -> None:
        """Check that all of it is still valid."""
        assert service.people.use_session(self.session)[0] == self.anna
        assert service.people.of_api_token(self.program) == self.anna
        assert service.people.claim_device(self.link)[0] == self.anna
        service.opening.sit(self.table, 1, service.people.guest("Bernd")[0].id, self.invitation)
        assert service.tables.info(self.table).status == "playing"


def run_on(service: KontorServer, clock: Clock, seconds: int) -> None:
    for _ in range(seconds // 10):
        clock.tick(seconds=10)
        service.upkeep.apply_deadlines()


@pytest.mark.parametrize("days", [1, 31, 200, 20_000, -200, -20_000])
def test_a_clock_that_was_wrong_for_a_while_deletes_nothing(service: KontorServer, clock: Clock, days: int) -> None:
    credentials = Credentials(service)
    run_on(service, clock, 30)
    clock.tick(days=days)
    run_on(service, clock, 60)
    assert days < 200 or service.people.use_session(credentials.session)[0] is None
    clock.tick(days=-days)
    run_on(service, clock, 60)
    credentials.check(service)


def test_a_start_by_a_wrong_clock_deletes_nothing(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        credentials = Credentials(service)
    clock.tick(days=20_000)
    for _ in range(2):
        with KontorServer.open(place, clock) as service:
            run_on(service, clock, 60)
    clock.tick(days=-20_000)
    with KontorServer.open(place, clock) as service:
        credentials.check(service)


def test_of_several_processes_one_with_a_wrong_clock_deletes_nothing(database: str, clock: Clock) -> None:
    wrong = Clock()
    wrong.tick(days=20_000)
    with KontorServer.open(database, clock) as service, KontorServer.open(database, wrong) as other:
        credentials = Credentials(service)
        for _ in range(20):
            run_on(service, clock, 10)
            run_on(other, wrong, 10)
        credentials.check(service)


@in_a_folder
def test_after_days_in_which_the_server_was_closed_it_forgets_by_and_by(place: Place, clock: Clock) -> None:
    """Check that it runs four times as fast over the day of grace and the missed days."""
    with KontorServer.open(place, clock) as service:
        service.people.device_link(service.people.guest("Anna")[0].id)
    clock.tick(days=3)

    def left_after(seconds: int) -> tuple[int, int]:
        """Return how many links are left, and how far the server has caught up, in milliseconds."""
        run_on(service, clock, seconds)
        ((links,),) = query(place, "SELECT count(*) FROM tokens WHERE kind = 'device'")
        ((settled,),) = query(place, "SELECT settled FROM pulse")
        return links, settled

    with KontorServer.open(place, clock) as service:
        links, begun = left_after(10)
        assert (links, left_after(60)) == (1, (1, begun + 240_000))
        query(place, "UPDATE pulse SET settled = settled + ?", (24 * 60 + 10 - 10) * 60_000)
        assert left_after(60)[0] == 1, "ten minutes less than a day and the time of the link"
        assert left_after(90)[0] == 0
        assert len(query(place, "SELECT * FROM tokens")) == 1, "of the session nothing has run out"


def test_who_is_only_looked_up_has_not_come(service: KontorServer, clock: Clock) -> None:
    anna, token = service.people.guest("Anna")
    clock.tick(days=100)
    assert service.people.holder_of_session(token) == anna
    clock.tick(days=80)
    assert service.people.use_session(token) == (None, False)


def test_a_person_has_a_bounded_number_of_sessions(service: KontorServer, clock: Clock) -> None:
    anna, first = service.people.guest("Anna")
    for _ in range(50):
        clock.tick(seconds=1)
        service.people.claim_device(service.people.device_link(anna.id))
    assert service.people.use_session(first)[0] is None
    assert len(service.people.sessions(anna.id)) == 50
