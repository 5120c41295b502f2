"""A person's solved puzzles: theirs alone, and kept when two guests are merged."""

import pytest

from kontor.errors import NotAllowed
from kontor.server.composition import KontorServer


def test_it_is_kept_and_goes_with_the_person(service: KontorServer) -> None:
    (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    assert service.solving.change(anna.id, lambda text: text + "a") == "a"
    assert service.solving.change(anna.id, lambda text: text + "b") == "ab"
    assert (service.solving.of(anna.id), service.solving.of(bernd.id)) == ("ab", "")
    service.leaving.leave(anna.id, "Anna")
    assert service.solving.of(anna.id) == ""
    with pytest.raises(NotAllowed):
        service.solving.change(anna.id, lambda text: "c")


@pytest.mark.parametrize(("mine", "expected"), [("", "theirs"), ("mine", "mine")])
def test_what_two_guests_solved_is_not_lost_when_they_become_one(
    service: KontorServer, mine: str, expected: str
) -> None:
    (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    service.solving.change(bernd.id, lambda text: "theirs")
    if mine:
        service.solving.change(anna.id, lambda text: mine)
    service.merging.merge(anna.id, service.recovery.new_code(bernd.id))
    assert service.solving.of(anna.id) == expected
