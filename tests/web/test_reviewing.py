"""Reviews kept by the server: a review that one process computes is shown by another."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Event

import pytest

from folders import with_database
from guests import CARLA, ME, Clock, play_one, query, shanghaien
from kontor.errors import TooMany
from kontor.records import Record
from kontor.review import Review
from kontor.review.sharing import Work
from kontor.server.composition import KontorServer
from kontor.storage.errors import StorageFailure
from kontor.studies.reviews import Busy, Progress, Reviews
from kontor.thinking.thinkers import NOBODY, Asker
from review.judges import SHANGHAIEN_JUDGE
from timeouts import HANG_TIMEOUT, waited_for


@pytest.fixture(autouse=True)
def simple_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.review.judging.judge_named", {"shanghaien": SHANGHAIEN_JUDGE}.__getitem__)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Iterator[KontorServer]:
    with KontorServer.open(with_database(tmp_path), clock) as service:
        yield service


@pytest.fixture
def game(service: KontorServer) -> tuple[str, Record]:
    return finish_games(service, service.people.guest("Anna")[0].id, 1)[0]


def finish_games(service: KontorServer, person: str, number: int) -> list[tuple[str, Record]]:
    """Return games that the person resigned after some moves: a whole one takes a third of a second to review."""
    tables = [service.opening.open(person, shanghaien(ME, CARLA)) for _ in range(number)]
    random = Random(3)
    for table in tables:
        for _ in range(12):
            play_one(service, table, random)
        service.early_endings.resign(table, 0, person)
    return [(table, service.tables.record(table)) for table in tables]


def wait_for_review(reviews: Reviews, table: str) -> Review | None:
    def ended() -> Progress | None:
        progress = reviews.of(table)
        return progress if progress and (progress.review or progress.failed) else None

    return waited_for(ended).review


def compute(reviews: Reviews, game: tuple[str, Record]) -> Review | None:
    reviews.begin(*game, NOBODY)
    return wait_for_review(reviews, game[0])


class Waiting:
    """Replacement of the thinkers that computes only once ``may`` is set."""

    def __init__(self) -> None:
        self.calls = 0
        self.may = Event()

    def __call__(self, work: Work, matters: Sequence[bytes]) -> Iterator[bytes]:
        self.calls += 1
        assert self.may.wait(HANG_TIMEOUT)
        return map(work, matters)


def test_what_one_has_thought_another_shows(service: KontorServer, game: tuple[str, Record]) -> None:
    table, _ = game
    one, other, share = (
        Reviews(service.tables, service.reviews, service.reviewed_seats, map),
        Reviews(service.tables, service.reviews, service.reviewed_seats, map),
        Waiting(),
    )
    assert other.of(table) is None
    advice = compute(one, game)
    assert advice
    progress = other.of(table)
    assert progress
    assert progress.review == advice
    assert progress.record == game[1]
    assert (
        Reviews(service.tables, service.reviews, service.reviewed_seats, share).begin(*game, NOBODY).review == advice
    )
    assert share.calls == 0


def test_what_one_is_at_no_other_begins_unless_it_was_not_heard_of_for_long(
    service: KontorServer, game: tuple[str, Record], clock: Clock
) -> None:
    table, _ = game
    slow, quick = Waiting(), Waiting()
    quick.may.set()
    one, other = (
        Reviews(service.tables, service.reviews, service.reviewed_seats, slow),
        Reviews(service.tables, service.reviews, service.reviewed_seats, quick),
    )
    mine = one.begin(*game, NOBODY)
    assert one.begin(*game, NOBODY) == mine
    for progress in (other.of(table), other.begin(*game, NOBODY)):
        assert progress
        assert (progress.review, progress.failed) == (None, False)
    assert quick.calls == 0
    clock.tick(minutes=3)
    assert other.of(table) is None
    finished_review = compute(other, game)
    slow.may.set()
    assert wait_for_review(one, table) == finished_review
    assert mine.review is None, "a page that shows it does not see it change"


def test_one_that_failed_is_seen_by_all_and_begun_anew(
    service: KontorServer, game: tuple[str, Record], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(work: Work, matters: Sequence[bytes]) -> Iterator[bytes]:
        raise ZeroDivisionError

    table, _ = game
    assert compute(Reviews(service.tables, service.reviews, service.reviewed_seats, fail), game) is None
    assert "A review failed: ZeroDivisionError" in caplog.text
    other = Reviews(service.tables, service.reviews, service.reviewed_seats, map)
    waited_for(lambda: (seen := other.of(table)) and seen.failed)
    assert compute(other, game)


def test_one_whose_failure_cannot_be_stored_is_begun_anew(
    service: KontorServer, game: tuple[str, Record], clock: Clock, tmp_path: Path
) -> None:
    table, _ = game
    failed = Event()

    def fail_once(work: Work, matters: Sequence[bytes]) -> Iterator[bytes]:
        if failed.is_set():
            return map(work, matters)
        failed.set()
        query(tmp_path, "ALTER TABLE reviews RENAME TO elsewhere")
        raise ZeroDivisionError

    def is_asked_in_vain() -> bool:
        try:
            return reviews.of(table) is None
        except StorageFailure:
            return True

    reviews = Reviews(service.tables, service.reviews, service.reviewed_seats, fail_once)
    reviews.begin(*game, NOBODY)
    waited_for(is_asked_in_vain)
    query(tmp_path, "ALTER TABLE elsewhere RENAME TO reviews")
    clock.tick(minutes=3)
    assert compute(reviews, game)


def test_one_that_cannot_be_read_any_more_is_thought_anew(
    service: KontorServer, game: tuple[str, Record], tmp_path: Path
) -> None:
    table, _ = game
    finished_review = compute(Reviews(service.tables, service.reviews, service.reviewed_seats, map), game)
    query(tmp_path, "UPDATE reviews SET found = x'00'")
    later = Reviews(service.tables, service.reviews, service.reviewed_seats, map)
    assert later.of(table) is None
    assert compute(later, game) == finished_review


def test_two_reviews_of_one_person_are_thought_out_at_a_time(service: KontorServer, clock: Clock) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    one, two, three, four = finish_games(service, anna, 4)
    slow = Waiting()
    own, other = (
        Reviews(service.tables, service.reviews, service.reviewed_seats, slow),
        Reviews(service.tables, service.reviews, service.reviewed_seats, slow),
    )
    own.begin(*one, Asker(1, anna))
    second = own.begin(*two, Asker(2, anna))
    for reviews in (own, other):
        with pytest.raises(TooMany, match="Two of your reviews are already in progress"):
            reviews.begin(*three, Asker(1, anna))
        assert reviews.of(three[0]) is None
    assert own.begin(*two, Asker(2, anna)) == second, "what is thought out already is no third"
    own.begin(*three, Asker(1, bernd))
    clock.tick(minutes=3)  # no progress of the waiting reviews was reported, but they keep their places here
    with pytest.raises(TooMany):
        own.begin(*four, Asker(1, anna))
    slow.may.set()
    assert all(wait_for_review(own, table) for table, _ in (one, two, three))
    own.begin(*four, Asker(1, anna))
    assert wait_for_review(own, four[0])


def test_all_without_a_name_from_one_network_share_two_reviews(service: KontorServer) -> None:
    anna = service.people.guest("Anna")[0].id
    one, two, three, four = finish_games(service, anna, 4)
    slow = Waiting()
    reviews = Reviews(service.tables, service.reviews, service.reviewed_seats, slow)
    for game in (one, two):
        reviews.begin(*game, Asker(1, ""))
    with pytest.raises(TooMany, match="Tell us your name"):
        reviews.begin(*three, Asker(1, ""))
    reviews.begin(*three, Asker(1, anna))
    reviews.begin(*four, Asker(2, ""))
    slow.may.set()
    assert all(wait_for_review(reviews, table) for table, _ in (one, two, three, four))


def test_half_of_the_places_is_for_people_from_elsewhere(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor.studies.reviews.WAITING_OF_ONE_ORIGIN", 2)
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla", "Dora")]
    games = finish_games(service, people[0], 4)
    slow = Waiting()
    reviews = Reviews(service.tables, service.reviews, service.reviewed_seats, slow)
    for at in range(2):
        reviews.begin(*games[at], Asker(1, people[at]))
    with pytest.raises(Busy):
        reviews.begin(*games[2], Asker(1, people[2]))
    reviews.begin(*games[2], Asker(2, people[3]))
    slow.may.set()
    assert all(wait_for_review(reviews, table) for table, _ in games[:3])


def test_who_has_asked_is_known_only_as_long_as_it_is_thought_out(
    service: KontorServer, game: tuple[str, Record], tmp_path: Path
) -> None:
    anna = service.people.guest("Anna")[0].id
    slow = Waiting()
    reviews = Reviews(service.tables, service.reviews, service.reviewed_seats, slow)
    reviews.begin(*game, Asker(1, anna))
    assert query(tmp_path, "SELECT person FROM reviews") == [(anna,)]
    slow.may.set()
    assert wait_for_review(reviews, game[0])
    assert query(tmp_path, "SELECT person FROM reviews") == [(None,)]
