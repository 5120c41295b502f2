"""Seeds drawn in advance: no request that brings a share of the dice draws the seed too."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from guests import CARLA, FRIEND, ME, OPEN, Clock, as_of, dutchman, play_out, query, shanghaien
from kontor.errors import BadName, BadText, NotAllowed, NotNow, TooMany
from kontor.fair import commitment
from kontor.game import BadOptions
from kontor.server.composition import KontorServer
from kontor.server.copies import back_up, restore
from kontor.storage import Place
from kontor.tables.values import Share


def test_the_dice_of_a_table_are_committed_to_before_it_is_opened(service: KontorServer) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    seen = {service.opening.next_commitment(bernd)}
    for share in ("", "a", "b"):
        promised = service.opening.next_commitment(anna)
        assert service.opening.next_commitment(anna) == promised, "to ask changes nothing"
        table = service.opening.open(anna, shanghaien(ME, CARLA), Share(share), promised)
        assert service.tables.fair(table).commitment == service.tables.info(table).commitment == promised
        assert service.tables.fair(table).kind == "early"
        seen.add(promised)
    seen.add(service.opening.next_commitment(anna))
    assert len(seen) == 5, "no seed is used twice"


def test_whoever_was_shown_another_commitment_opens_nothing(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    outdated = service.opening.next_commitment(anna)
    service.opening.open(anna, shanghaien(ME, OPEN), Share("a"), outdated)
    promised = service.opening.next_commitment(anna)
    with pytest.raises(NotNow, match="another table in the meantime"):
        service.opening.open(anna, shanghaien(ME, OPEN), Share("a"), outdated)
    assert service.opening.next_commitment(anna) == promised
    assert len(service.listing.my_tables(anna)) == 1


def test_what_is_refused_changes_no_seed(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    for _ in range(20):
        service.opening.open(anna, shanghaien(ME, OPEN))
    promised = service.opening.next_commitment(anna)
    for plan, share in (
        (shanghaien(ME, OPEN), ""),
        (shanghaien(ME, OPEN), "\n"),
        (shanghaien(ME, replace(CARLA, name="\n")), ""),
        (shanghaien(ME, replace(OPEN, kind="machine", player="nobody")), ""),
    ):
        with pytest.raises((TooMany, BadText, BadName, BadOptions)):
            service.opening.open(anna, plan, Share(share))
        assert service.opening.next_commitment(anna) == promised


def test_nobody_else_has_a_next_seed(service: KontorServer) -> None:
    with pytest.raises(NotAllowed):
        service.opening.next_commitment("a" * 20)


def test_the_dice_of_a_rematch_are_committed_to_before_anybody_asks_for_it(service: KontorServer) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    table = service.opening.open(anna, shanghaien(ME, FRIEND))
    promised = service.tables.info(table).next_commitment
    service.opening.sit(table, 1, bernd, service.opening.invitation(table, 1, anna))
    play_out(service, table)
    assert service.tables.info(table).next_commitment == promised
    again = service.opening.rematch(table, anna, Share("a"))
    assert service.tables.fair(again).commitment == promised
    service.opening.leave(again, anna)
    other = service.tables.info(table).next_commitment
    assert other not in (promised, service.tables.info(table).commitment)
    once_more = service.opening.rematch(table, bernd, Share("b"))
    assert service.tables.fair(once_more).commitment == other


def test_in_a_copy_they_are_drawn_anew(service: KontorServer, place: Place, tmp_path: Path) -> None:
    """Check a copy, because games played since it was made have revealed their seeds."""
    anna = service.people.guest("Anna")[0].id
    table = service.opening.open(anna, shanghaien(ME, CARLA))
    promised, of_rematch = service.opening.next_commitment(anna), service.tables.info(table).next_commitment
    back_up(place, tmp_path / "backup.kontor")
    restore(tmp_path / "backup.kontor", tmp_path / "elsewhere")
    with KontorServer.open(tmp_path / "elsewhere") as copy:
        assert copy.tables.info(table).commitment == service.tables.info(table).commitment
        assert copy.opening.next_commitment(anna) != promised
        assert copy.tables.info(table).next_commitment != of_rematch
        ((seed,),) = query(tmp_path / "elsewhere", "SELECT next_seed FROM people")
        assert commitment(seed) == copy.opening.next_commitment(anna)


def test_whoever_was_there_before_gets_theirs(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd")]
        table = service.opening.open(people[0], dutchman(ME, CARLA, replace(CARLA, name="Dora")))
    as_of(place, "0008")
    with KontorServer.open(place, clock) as service:
        promised = {service.opening.next_commitment(person) for person in people}
        assert len(promised | {service.tables.info(table).next_commitment}) == 3
        assert service.tables.fair(table).kind == "late"
        play_out(service, table)
        assert service.tables.record(table).header.commitment == service.tables.fair(table).commitment
