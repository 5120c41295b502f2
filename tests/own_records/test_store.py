"""Records that people have brought: theirs alone unless they share them, and gone with them."""

import pytest

from accounts.test_leaving import find_rows
from guests import query
from kontor.accounts.archive import pack_data
from kontor.errors import NoRecord, TooMany
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.own_records.store import MOST_RECORDS
from kontor.records import decode, encode
from kontor.server.composition import KontorServer
from kontor.storage import Place
from kontor.words import Words
from records.made import EXAMPLE, SEED, at_random, ended_early, play_record
from security.test_own_data import unpack


def test_a_record_is_found_by_its_owner_and_by_nobody_else(service: KontorServer) -> None:
    (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    record_id = service.own_records.keep(anna.id, EXAMPLE)
    brought = service.own_records.find(record_id, anna.id)
    assert decode(brought.data) == EXAMPLE
    assert (brought.mine, brought.key, brought.info.link) == (True, record_id, "")
    summary = brought.info.summary
    assert (summary.seats, summary.players, summary.steps) == (("Anna", "Bernd"), ("person", "greedy"), 115)
    assert summary.result
    assert summary.is_over
    assert [info.id for info in service.own_records.of_person(anna.id)] == [record_id]
    assert not service.own_records.of_person(bernd.id)
    for key, person in (
        (record_id, bernd.id),
        (record_id, None),
        (anna.id, anna.id),
        ("", anna.id),
        ("x" * 400, None),
    ):
        with pytest.raises(NoRecord):
            service.own_records.find(key, person)


def test_a_link_opens_one_record_until_it_is_taken_back_and_never_again(service: KontorServer) -> None:
    (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    record_id, other = (service.own_records.keep(anna.id, record) for record in (EXAMPLE, ended_early(SHANGHAIEN)))
    service.own_records.share(record_id, anna.id)
    link = service.own_records.find(record_id, anna.id).info.link
    service.own_records.share(record_id, anna.id)
    assert service.own_records.find(record_id, anna.id).info.link == link, "those who have it can go on using it"
    for person in (None, bernd.id):
        brought = service.own_records.find(link, person)
        assert (brought.mine, brought.key, brought.info.id) == (False, link, record_id)
    assert service.own_records.find(link, anna.id).mine
    assert not service.own_records.find(other, anna.id).info.link
    for act in (service.own_records.share, service.own_records.stop_sharing, service.own_records.delete):
        for key, person in ((record_id, bernd.id), (link, anna.id), (link, bernd.id)):
            with pytest.raises(NoRecord):
                act(key, person)
    service.own_records.stop_sharing(record_id, anna.id)
    service.own_records.share(record_id, anna.id)
    assert service.own_records.find(record_id, anna.id).info.link != link
    with pytest.raises(NoRecord):
        service.own_records.find(link, None)


def test_the_same_record_is_kept_once_and_a_name_stays_with_it(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0].id, service.people.guest("Bernd")[0].id
    record_id = service.own_records.keep(anna, EXAMPLE)
    service.own_records.rename(record_id, anna, "  Das  Spiel\x00 vom Dienstag ")
    assert service.own_records.keep(anna, EXAMPLE) == record_id
    assert [info.name for info in service.own_records.of_person(anna)] == ["Das Spiel vom Dienstag"]
    assert service.own_records.keep(bernd, EXAMPLE) != record_id
    with pytest.raises(NoRecord):
        service.own_records.rename(record_id, bernd, "Meins")
    service.own_records.delete(record_id, anna)
    assert not service.own_records.of_person(anna)
    assert len(service.own_records.of_person(bernd)) == 1


def test_a_person_has_only_so_many_records(service: KontorServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_RECORDS == 100
    monkeypatch.setattr("kontor.own_records.store.MOST_RECORDS", 2)
    anna = service.people.guest("Anna")[0].id
    several = [play_record(SHANGHAIEN, SHANGHAIEN.options(), at_random(turn), SEED) for turn in range(3)]
    first, _ = (service.own_records.keep(anna, record) for record in several[:2])
    with pytest.raises(TooMany, match="You have 2 records here"):
        service.own_records.keep(anna, several[2])
    assert service.own_records.keep(anna, several[0]) == first
    service.own_records.delete(first, anna)
    service.own_records.keep(anna, several[2])


def test_a_records_review_goes_with_it(service: KontorServer, place: Place) -> None:
    anna = service.people.guest("Anna")[0].id
    record_id = service.own_records.keep(anna, EXAMPLE)
    assert service.record_reviews.begin(record_id, anna)
    assert not service.record_reviews.begin(record_id, anna)
    service.own_records.delete(record_id, anna)
    assert not query(place, "SELECT record FROM record_reviews")
    with pytest.raises(NoRecord):
        service.record_reviews.begin(record_id, anna)


def test_reviews_of_records_and_of_tables_have_one_limit(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    several = [play_record(SHANGHAIEN, SHANGHAIEN.options(), at_random(turn), SEED) for turn in range(3)]
    *first, last = [service.own_records.keep(anna, record) for record in several]
    for record_id in first:
        assert service.record_reviews.begin(record_id, anna)
    with pytest.raises(TooMany, match="Two of your reviews"):
        service.record_reviews.begin(last, anna)


def test_records_are_deleted_with_their_owner(service: KontorServer, place: Place) -> None:
    (anna, _), (bernd, _) = service.people.guest("Anna"), service.people.guest("Bernd")
    record_id = service.own_records.keep(anna.id, EXAMPLE)
    others = service.own_records.keep(bernd.id, EXAMPLE)
    service.record_reviews.begin(record_id, anna.id)
    service.record_reviews.begin(others, anna.id)
    service.leaving.leave(anna.id, "Anna")
    assert not find_rows(place, record_id)
    assert [table for table, _ in find_rows(place, anna.id)] in (["acts"], ["people", "acts"], ["acts", "acts"])
    assert service.own_records.find(others, bernd.id).mine


def test_records_of_two_guests_who_are_one_are_that_ones(service: KontorServer) -> None:
    (anna, _), (phone, _) = service.people.guest("Anna"), service.people.guest("Anni")
    record_id = service.own_records.keep(phone.id, EXAMPLE)
    service.own_records.share(record_id, phone.id)
    link = service.own_records.find(record_id, phone.id).info.link
    service.record_reviews.begin(record_id, phone.id)
    service.merging.merge(anna.id, service.recovery.new_code(phone.id))
    assert service.own_records.find(record_id, anna.id).mine
    assert service.own_records.find(link, None).info.id == record_id


def test_own_data_hold_the_records_with_their_names_and_links(service: KontorServer) -> None:
    anna, bernd = service.people.guest("Anna")[0].id, service.people.guest("Bernd")[0].id
    record_id = service.own_records.keep(anna, EXAMPLE)
    service.own_records.keep(bernd, ended_early(SHANGHAIEN))
    service.own_records.rename(record_id, anna, "Dienstag")
    files = unpack(pack_data(Words("en"), service, anna))
    assert files[f"own_records/{record_id}.jsonl"] == encode(EXAMPLE)
    assert [name for name in files if name.startswith("own_records/")] == [f"own_records/{record_id}.jsonl"]
    assert b'"name": "Dienstag"' in files["own_records.json"]
