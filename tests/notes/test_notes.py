"""Private notes about tables: for one person alone, kept after the end, and given up with the person."""

from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from guests import CARLA, ME, Clock, as_of, play_out, query, shanghaien
from kontor.accounts.archive import pack_data
from kontor.errors import BadText, NoTable, NotAllowed
from kontor.notes.store import LONGEST
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.words import Words
from security.test_own_data import unpack
from tables.test_early_endings import seat_people


def test_a_note_is_kept_after_the_end_for_the_person_alone(service: KontorServer, clock: Clock) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd")
    service.notes.write(table, anna, "  he bluffs\r\nwith\tnudge \x00 ")
    play_out(service, table)
    text = service.notes.of(table, anna)
    assert text.splitlines()[0] == "he bluffs"
    assert "\x00" not in text
    assert service.notes.of(table, bernd) == ""
    assert service.notes.listed(bernd) == []
    assert [(listed.note.table, listed.over) for listed in service.notes.listed(anna)] == [(table, True)]
    clock.tick(days=1)
    service.notes.write(table, anna, "second")
    assert [(listed.note.text, listed.note.at) for listed in service.notes.listed(anna)] == [("second", clock.time)]
    service.notes.write(table, anna, " \n ")
    assert service.notes.listed(anna) == []


def test_notes_are_for_people_who_sit_there_and_not_too_long(service: KontorServer) -> None:
    table, (anna, _) = seat_people(service, "Anna", "Bernd")
    eve = service.people.guest("Eve")[0].id
    with pytest.raises(NotAllowed):
        service.notes.write(table, eve, "x")
    with pytest.raises(NotAllowed):
        service.notes.of(table, eve)
    with pytest.raises(NoTable):
        service.notes.of("nothing", anna)
    service.notes.write(table, anna, "x" * LONGEST)
    with pytest.raises(BadText, match="at most 2000 characters"):
        service.notes.write(table, anna, "x" * (LONGEST + 1))


def test_notes_are_exported_merged_and_deleted_with_the_person(service: KontorServer, place: Place) -> None:
    people = [service.people.guest("Anna")[0].id for _ in range(2)]
    tables = [service.opening.open(person, shanghaien(ME, CARLA)) for person in people]
    for person, table in zip(people, tables, strict=True):
        service.notes.write(table, person, f"note of {table}")
    files = unpack(pack_data(Words("en"), service, people[0]))
    exported = msgspec.json.decode(files["notes.json"])
    assert [(note["table"], note["text"]) for note in exported] == [(tables[0], f"note of {tables[0]}")]
    service.merging.merge(people[0], service.recovery.new_code(people[1]))
    assert {listed.note.table for listed in service.notes.listed(people[0])} == set(tables)
    service.leaving.leave(people[0], "Anna")
    assert query(place, "SELECT count(*) FROM notes") == [(0,)]


def test_of_two_notes_about_one_table_the_others_follows(service: KontorServer) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd")
    service.notes.write(table, anna, "mine")
    service.notes.write(table, bernd, "theirs")
    play_out(service, table)
    service.merging.merge(anna, service.recovery.new_code(bernd))
    assert service.notes.of(table, anna) == "mine\n\ntheirs"


def test_nothing_of_two_long_notes_is_lost(service: KontorServer) -> None:
    table, (anna, bernd) = seat_people(service, "Anna", "Bernd")
    for person, letter in ((anna, "a"), (bernd, "b")):
        service.notes.write(table, person, letter * LONGEST)
    play_out(service, table)
    service.merging.merge(anna, service.recovery.new_code(bernd))
    assert service.notes.of(table, anna) == "a" * LONGEST + "\n\n" + "b" * LONGEST


def test_a_note_saved_many_times_at_once_is_one(service: KontorServer) -> None:
    table, (anna, _) = seat_people(service, "Anna", "Bernd")
    texts = [f"text {number}" for number in range(24)]
    with ThreadPoolExecutor(8) as executor:
        list(executor.map(lambda text: service.notes.write(table, anna, text), texts))
    assert service.notes.of(table, anna) in texts


def test_a_database_of_before_gets_notes(place: Place, clock: Clock) -> None:
    with KontorServer.open(place, clock) as service:
        table, (anna, _) = seat_people(service, "Anna", "Bernd")
    as_of(place, "0034")
    with KontorServer.open(place, clock) as service:
        service.notes.write(table, anna, "later")
        assert service.notes.of(table, anna) == "later"
