"""A rematch as an offer: all at the finished table see who made it, who comes, and who does not."""

from __future__ import annotations

import pytest

from guests import ME, OPEN, play_out, shanghaien
from kontor.errors import NotAllowed, NotNow
from kontor.server.composition import KontorServer
from kontor.tables.values import RematchOffer
from tables.test_early_endings import kinds, seat_people


def finish_game(service: KontorServer, *names: str) -> tuple[str, list[str]]:
    table, people = seat_people(service, *names)
    play_out(service, table)
    return table, people


def offer(service: KontorServer, table: str, person: str) -> RematchOffer | None:
    return service.tables.info(table, person).rematch_offer


def test_all_see_who_offered_it_who_comes_and_who_does_not(service: KontorServer) -> None:
    table, (anna, bernd, carla) = finish_game(service, "Anna", "Bernd", "Carla")
    assert offer(service, table, anna) is None
    heard: list[str] = []
    service.listen(heard.append)
    new = service.opening.rematch(table, anna)
    assert kinds(service, table)[-1] == "rematch"
    assert offer(service, table, anna) == RematchOffer("Anna", ("Bernd", "Carla"), (), own=True, asked=False)
    assert offer(service, table, bernd) == RematchOffer("Anna", ("Bernd", "Carla"), (), own=False, asked=True)
    heard.clear()
    service.opening.decline_rematch(table, bernd)
    assert set(heard) == {table, new}, "who looks at either hears of it"
    assert kinds(service, table)[-1] == "no rematch"
    assert offer(service, table, bernd) == RematchOffer("Anna", ("Carla",), ("Bernd",), own=False, asked=False)
    with pytest.raises(NotAllowed):
        service.opening.decline_rematch(table, bernd)
    heard.clear()
    service.opening.sit(new, service.opening.seats_of(table, carla)[0], carla)
    assert set(heard) == {table, new}
    assert offer(service, table, carla) == RematchOffer("Anna", (), ("Bernd",), own=False, asked=False)
    # A seat that is no longer kept for anyone is open to anyone with an invitation; then the offer is over.
    (seat,) = service.opening.seats_of(table, bernd)
    guest = service.people.guest("Dora")[0].id
    service.opening.sit(new, seat, guest, service.opening.invitation(new, seat, anna))
    assert service.tables.info(new).status == "playing"
    assert offer(service, table, anna) is None
    assert service.tables.info(table, anna).rematch == new
    with pytest.raises(NotNow):
        service.opening.decline_rematch(table, anna)


def test_who_offered_it_may_withdraw_and_another_may_offer_it(service: KontorServer) -> None:
    table, (anna, bernd) = finish_game(service, "Anna", "Bernd")
    with pytest.raises(NotNow, match="No rematch has been offered"):
        service.opening.decline_rematch(table, anna)
    service.opening.rematch(table, anna)
    service.opening.decline_rematch(table, anna)
    assert service.tables.info(table, bernd).rematch is None
    new = service.opening.rematch(table, bernd)
    assert offer(service, table, anna) == RematchOffer("Bernd", ("Anna",), (), own=False, asked=True)
    assert service.opening.rematch(table, anna) == new
    assert service.tables.info(new).status == "playing"
    assert kinds(service, table).count("rematch") == 2, "who accepts offers nothing"


def test_who_looks_on_may_speak_once_the_game_is_over(service: KontorServer) -> None:
    table, (anna, _) = finish_game(service, "Anna", "Bernd")
    guest = service.people.guest("Dora")[0].id
    service.talk.say(table, guest, "Well played!")
    service.talk.say(table, anna, "Thank you.")
    lines = service.tables.view(table).chat_lines()[-2:]
    assert [(line.kind, line.seat, line.name) for line in lines] == [("onlooker", None, "Dora"), ("said", 0, "Anna")]
    going_on = service.opening.open(anna, shanghaien(ME, OPEN))
    service.opening.sit(going_on, 1, service.people.guest("Emil")[0].id)
    private, people = seat_people(service, "Frida", "Georg", watch=False)
    service.early_endings.resign(private, 0, people[0])
    for elsewhere in (going_on, private):
        with pytest.raises(NotAllowed):
            service.talk.say(elsewhere, guest, "Play the red one!")
