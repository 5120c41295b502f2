"""Merging two guests: after proof of both, and never while they sit at one table."""

from functools import partial

import pytest

from accounts.test_leaving import find_rows
from guests import MACHINE, ME, OPEN, dutchman, play_out, query, shanghaien
from kontor.errors import BadCode, NotAllowed, NotNow
from kontor.server.composition import KontorServer
from kontor.storage import Place
from races import race


def test_everything_of_the_other_is_the_persons_then(service: KontorServer, place: Place) -> None:
    (anna, _), (phone, session), (bernd, _) = (service.people.guest(name) for name in ("Anna", "Anni", "Bernd"))
    program, code = service.people.api_token(phone.id, "robot"), service.recovery.new_code(phone.id)
    link = service.people.device_link(phone.id)
    over = service.opening.open(phone.id, shanghaien(ME, MACHINE))
    waiting = service.opening.open(bernd.id, dutchman(ME, OPEN, OPEN))
    service.opening.sit(waiting, 1, phone.id)
    service.talk.say(waiting, phone.id, "Bin unterwegs")
    service.blocking.put(waiting, phone.id, "seat-0", "mute")
    play_out(service, over)
    rematch = service.opening.rematch(over, phone.id)
    service.tables.view(waiting, anna.id)  # in memory
    service.recovery.new_code(anna.id)
    service.merging.merge(anna.id, code)
    assert service.people.holder_of_session(session) == anna
    assert (player := service.people.of_api_token(program)) is not None
    assert player.id == anna.id
    for table, seats in ((over, (0,)), (waiting, (1,)), (rematch, (0,))):
        assert service.opening.seats_of(table, anna.id) == seats
    assert service.tables.info(over, anna.id).host
    assert service.tables.info(waiting, anna.id).mine == (1,)
    assert [line.text for line in service.export.of(anna.id).talk] == ["Bin unterwegs"]
    assert [other.name for other in service.blocking.blocked_people(anna.id)] == ["Bernd"]
    with pytest.raises(BadCode):
        service.recovery.sign_in(code)
    with pytest.raises(NotAllowed):
        service.people.rename(phone.id, "Anni")
    assert [table for table, _ in find_rows(place, phone.id)] == ["acts"]
    assert not query(place, "SELECT hash FROM tokens WHERE kind = 'device'"), link


@pytest.mark.parametrize("how", ["waiting", "playing", "rematch"])
def test_two_who_sit_at_one_table_stay_two(service: KontorServer, how: str) -> None:
    (anna, _), (bernd, session) = service.people.guest("Anna"), service.people.guest("Bernd")
    table = service.opening.open(anna.id, dutchman(ME, OPEN, OPEN if how == "waiting" else MACHINE))
    service.opening.sit(table, 1, bernd.id)
    if how == "rematch":
        play_out(service, table)
        service.opening.rematch(table, anna.id)
    code = service.recovery.new_code(bernd.id)
    with pytest.raises(NotNow, match="same table"):
        service.merging.merge(anna.id, code)
    assert service.people.holder_of_session(session) == bernd
    assert service.opening.seats_of(table, bernd.id) != ()


def test_two_whose_games_are_over_become_one(service: KontorServer) -> None:
    (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    table = service.opening.open(anna.id, shanghaien(ME, OPEN))
    service.opening.sit(table, 1, bernd.id)
    play_out(service, table)
    service.merging.merge(anna.id, service.recovery.device_code(bernd.id))
    assert service.tables.info(table, anna.id).mine == (0, 1)


def test_a_block_by_or_of_one_of_the_two_stays(service: KontorServer) -> None:
    anna, phone, bernd, carla = (service.people.guest(name)[0].id for name in ("Anna", "Anni", "Bernd", "Carla"))
    first = service.opening.open(bernd, dutchman(ME, OPEN, OPEN))
    second = service.opening.open(carla, dutchman(ME, OPEN, OPEN))
    service.opening.sit(first, 1, anna)
    service.opening.sit(second, 1, phone)
    service.opening.sit(second, 2, bernd)
    service.opening.sit(first, 2, carla)
    service.blocking.put(first, bernd, "seat-1", "mute")
    service.blocking.put(second, bernd, "seat-1", "block")
    service.blocking.put(first, anna, "seat-0", "block")
    service.blocking.put(second, phone, "seat-2", "mute")
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert [(other.name, other.kind) for other in service.blocking.blocked_people(bernd)] == [("Anna", "block")]
    assert [(other.name, other.kind) for other in service.blocking.blocked_people(anna)] == [("Bernd", "block")]


def test_only_a_good_code_of_another_proves_anything(service: KontorServer) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    old = service.recovery.new_code(bernd)
    service.recovery.new_code(bernd)
    for code in (old, "", "0" * 25, service.recovery.new_code(anna), service.people.device_link(bernd)):
        with pytest.raises(BadCode):
            service.merging.merge(anna, code)
    service.operating.suspend(bernd)
    with pytest.raises(BadCode):
        service.merging.merge(anna, service.recovery.new_code(bernd))
    assert {person.name for person in service.operating.find("")} == {"Anna", "Bernd"}


def test_of_two_who_take_each_other_at_once_one_is_left(service: KontorServer) -> None:
    (anna, hers), (bernd, his) = service.people.guest("Anna"), service.people.guest("Bernd")
    codes = {anna.id: service.recovery.new_code(bernd.id), bernd.id: service.recovery.new_code(anna.id)}

    def merge(person: str) -> str:
        service.merging.merge(person, codes[person])
        return person

    (left,) = race(*[partial(merge, person) for person in codes], refused=(BadCode, NotAllowed))
    assert {service.people.holder_of_session(hers), service.people.holder_of_session(his)} == {
        anna if left == anna.id else bernd
    }


def test_who_sits_down_meanwhile_is_not_lost(service: KontorServer) -> None:
    (anna, _), (phone, _) = service.people.guest("Anna"), service.people.guest("Anni")
    code = service.recovery.new_code(phone.id)
    table = service.opening.open(service.people.guest("Bernd")[0].id, dutchman(ME, OPEN, OPEN))

    def merge() -> bool:
        try:
            service.merging.merge(anna.id, code)
        except NotNow:
            service.merging.merge(anna.id, code)
        return False

    def sit() -> bool:
        try:
            service.opening.sit(table, 1, phone.id)
        except NotAllowed:
            return False
        return True

    has_sat = any(race(merge, sit))
    assert service.opening.seats_of(table, anna.id) == ((1,) if has_sat else ())
    assert service.opening.seats_of(table, phone.id) == ()
