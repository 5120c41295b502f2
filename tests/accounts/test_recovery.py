"""Typed codes: to come back where no browser is signed in any more, and on a device that takes no links."""

from collections.abc import Callable

import pytest

from guests import CARLA, ME, OPEN, Clock, as_of, everything_in, has_run, play_out, query, shanghaien
from kontor.accounts import recovery
from kontor.errors import BadCode, BadLink
from kontor.people.codes import DEVICE, RECOVERY, new_code, typed_code
from kontor.people.values import Person
from kontor.server.composition import KontorServer
from kontor.storage import Place
from races import race


def test_a_code_is_typed_in_any_way_that_people_type() -> None:
    codes = {new_code(RECOVERY) for _ in range(200)}
    assert len(codes) == 200
    for code in codes:
        letters = typed_code(code)
        assert len(letters) * 5 >= 120, "bits"
        assert [len(group) for group in code.split("-")] == [5] * 5
        assert not set(letters) & set("ILOU")
        wide = "".join(chr(ord(sign) + 0xFEE0) for sign in code)  # as a Japanese keyboard writes
        for typed in (code.lower(), letters, f"  {code.replace('-', ' ')}\n", wide, code.replace("-", "–")):
            assert typed_code(typed) == letters
        assert typed_code(code.replace("0", "o").replace("1", "l")) == letters
    assert [len(group) for group in new_code(DEVICE).split("-")] == [4, 4]


def test_a_recovery_code_brings_the_person_back_until_there_is_another(service: KontorServer, clock: Clock) -> None:
    anna, session = service.people.guest("Anna")
    assert service.recovery.code_since(anna.id) is None
    first = service.recovery.new_code(anna.id)
    assert service.recovery.code_since(anna.id) == clock.time
    service.people.end_session(session)
    clock.tick(days=5000)
    for _ in range(2):
        person, back = service.recovery.sign_in(first)
        assert person == anna
        assert service.people.use_session(back)[0] == anna
    assert [info.kind for info in service.people.sessions(anna.id)] == ["session"] * 2
    second = service.recovery.new_code(anna.id)
    with pytest.raises(BadCode):
        service.recovery.sign_in(first)
    assert service.recovery.sign_in(second)[0] == anna


def test_a_recovery_code_is_not_swept_away(service: KontorServer, clock: Clock, place: Place) -> None:
    anna, _ = service.people.guest("Anna")
    code = service.recovery.new_code(anna.id)
    clock.tick(days=3000)
    has_run(place, clock)
    service.upkeep.record_heartbeat()
    assert service.people.sessions(anna.id) == ()
    assert service.recovery.sign_in(code)[0] == anna


def test_a_code_from_the_operator_is_good_once_for_three_days_and_only_the_newest(
    service: KontorServer, clock: Clock, place: Place
) -> None:
    anna, _ = service.people.guest("Anna")
    own = service.recovery.new_code(anna.id)
    older, newer = service.operating.hand_code(anna.id), service.operating.hand_code(anna.id)
    assert [len(group) for group in newer.split("-")] == [5] * 4
    assert typed_code(newer).encode() not in everything_in(place)
    assert service.recovery.sign_in(newer)[0] == anna
    late = service.operating.hand_code(anna.id)
    clock.tick(days=3)
    for code in (older, newer, late):
        with pytest.raises(BadCode):
            service.recovery.sign_in(code)
    assert service.recovery.sign_in(own)[0] == anna, "the person's own code stays"


@pytest.mark.parametrize("use", ["code", "link"])
def test_the_link_to_another_device_and_the_code_beside_it_are_used_up_together(
    service: KontorServer, use: str
) -> None:
    anna, _ = service.people.guest("Anna")
    link, code = service.people.device_link(anna.id), service.recovery.device_code(anna.id)
    ways: dict[str, Callable[[], tuple[Person, str]]] = {
        "code": lambda: service.recovery.sign_in(code),
        "link": lambda: service.people.claim_device(link),
    }
    assert ways[use]()[0] == anna
    for way in ways.values():
        with pytest.raises((BadCode, BadLink)):
            way()


def test_a_device_code_is_good_for_ten_minutes_and_only_the_newest(service: KontorServer, clock: Clock) -> None:
    anna, _ = service.people.guest("Anna")
    older, newer = service.recovery.device_code(anna.id), service.recovery.device_code(anna.id)
    with pytest.raises(BadCode):
        service.recovery.sign_in(older)
    clock.tick(minutes=9, seconds=59)
    assert service.recovery.sign_in(newer)[0] == anna
    late = service.recovery.device_code(anna.id)
    clock.tick(minutes=10)
    with pytest.raises(BadCode):
        service.recovery.sign_in(late)


def test_after_many_wrong_codes_of_whomever_those_for_devices_end_and_their_links_do_not(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Count the wrong codes of all addresses together."""
    monkeypatch.setattr(recovery, "MOST_WRONG", 8)
    (anna, session), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    lasting, link = service.recovery.new_code(anna.id), service.people.device_link(anna.id)
    code, other = service.recovery.device_code(anna.id), service.recovery.device_code(bernd.id)

    def mistype(times: int, letters: int = DEVICE) -> None:
        for _ in range(times):
            with pytest.raises(BadCode):
                service.recovery.sign_in(new_code(letters))

    mistype(7)
    mistype(20, RECOVERY)  # they cannot be guessed, and do not limit typed codes of others
    mistype(20, 6)
    with pytest.raises(BadCode, match="your own code"):
        service.merging.merge(bernd.id, other)
    with pytest.raises(BadCode):
        service.merging.merge(bernd.id, new_code(DEVICE))  # the eighth
    for ended in (code, other):
        with pytest.raises(BadCode):
            service.recovery.sign_in(ended)
    assert service.people.use_session(session)[0] == anna
    assert service.people.claim_device(link)[0] == anna
    assert service.recovery.sign_in(lasting)[0] == anna
    mistype(5)
    assert service.recovery.sign_in(service.recovery.device_code(anna.id))[0] == anna, "a new one is as good as any"


def test_of_many_who_type_a_device_code_at_once_one_gets_in(service: KontorServer) -> None:
    anna, _ = service.people.guest("Anna")
    code = service.recovery.device_code(anna.id)
    got = race(*[lambda: service.recovery.sign_in(code)[0]] * 6, refused=(BadCode,))
    assert got == [anna]


def test_no_other_token_is_a_code_and_no_code_another_token(service: KontorServer) -> None:
    anna, session = service.people.guest("Anna")
    recovery, device = service.recovery.new_code(anna.id), service.recovery.device_code(anna.id)
    tokens = (session, service.people.api_token(anna.id), service.people.device_link(anna.id))
    for wrong in (*tokens, *(token[:RECOVERY] for token in tokens), "", "\ud800", "0" * 25, "x" * 100_000):
        with pytest.raises(BadCode):
            service.recovery.sign_in(wrong)
    for code in (recovery, typed_code(recovery), typed_code(device)):
        assert service.people.use_session(code)[0] is None
        assert service.people.of_api_token(code) is None
        with pytest.raises(BadLink):
            service.people.claim_device(code)


def test_only_hashes_of_codes_are_kept(service: KontorServer, place: Place) -> None:
    anna, _ = service.people.guest("Anna")
    codes = (service.recovery.new_code(anna.id), service.recovery.device_code(anna.id))
    service.close()
    held = everything_in(place)
    for code in codes:
        assert code.encode() not in held
        assert typed_code(code).encode() not in held


def test_the_code_is_offered_after_the_first_game_until_it_is_had_or_put_away(service: KontorServer) -> None:
    (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd.id)
    assert not service.recovery.is_offered(anna.id)
    play_out(service, table)
    assert service.recovery.is_offered(anna.id)
    assert service.recovery.is_offered(bernd.id)
    service.recovery.new_code(anna.id)
    service.recovery.put_away(bernd.id)
    assert not service.recovery.is_offered(anna.id)
    assert not service.recovery.is_offered(bernd.id)


def test_people_of_an_older_kontor_are_offered_a_code(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        anna, _ = service.people.guest("Anna")
        play_out(service, service.opening.open(anna.id, shanghaien(ME, CARLA)))
    as_of(place, "0013")
    with KontorServer.open(place, clock) as service:
        assert service.recovery.is_offered(anna.id)
        code = service.recovery.new_code(anna.id)
        assert service.recovery.sign_in(code)[0] == anna
    assert [kind for (kind,) in query(place, "SELECT kind FROM tokens ORDER BY kind")] == [
        "recovery",
        "session",
        "session",
    ]
