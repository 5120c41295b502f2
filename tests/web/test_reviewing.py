"""Reviews kept by the server: a review that one process computes is shown by another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from threading import Event

import pytest

from folders import with_database
from guests import CARLA, ME, Clock, play_out, query, shanghaien
from kontor.errors import TooMany
from kontor.records import Record
from kontor.review import Review
from kontor.review.sharing import Work
from kontor.service import TableService
from kontor.service.reviews import Busy, Progress, Reviews
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
def service(tmp_path: Path, clock: Clock) -> Iterator[TableService]:
    with TableService.open(with_database(tmp_path), clock) as service:
        yield service


@pytest.fixture
def game(service: TableService) -> tuple[str, Record]:
    table = service.opening.open(service.people.guest("Anna")[0].id, shanghaien(ME, CARLA))
    play_out(service, table, seed=Random(3).randrange(9))
    return table, service.record(table)


def wait_for_review(progress: Progress) -> Review | None:
    """Return the review once it is done, or None if it failed."""
    waited_for(lambda: progress.review or progress.failed)
    return progress.review


class Waiting:
    """Replacement of the thinkers that computes only once ``may`` is set."""

    def __init__(self) -> None:
        self.calls = 0
        self.may = Event()

    def __call__(self, work: Work, matters: Sequence[bytes]) -> Iterator[bytes]:
        self.calls += 1
        assert self.may.wait(HANG_TIMEOUT)
        return map(work, matters)


def test_what_one_has_thought_another_shows(service: TableService, game: tuple[str, Record]) -> None:
    table, _ = game
    one, other, share = Reviews(service, map), Reviews(service, map), Waiting()
    assert other.of(table) is None
    advice = wait_for_review(one.begin(*game, NOBODY))
    assert advice
    progress = other.of(table)
    assert progress
    assert progress.review == advice
    assert progress.record == game[1]
    assert Reviews(service, share).begin(*game, NOBODY).review == advice
    assert share.calls == 0


def test_what_one_is_at_no_other_begins_unless_it_was_not_heard_of_for_long(
    service: TableService, game: tuple[str, Record], clock: Clock
) -> None:
    table, _ = game
    slow, quick = Waiting(), Waiting()
    quick.may.set()
    one, other = Reviews(service, slow), Reviews(service, quick)
    mine = one.begin(*game, NOBODY)
    assert one.begin(*game, NOBODY) is mine
    for progress in (other.of(table), other.begin(*game, NOBODY)):
        assert progress
        assert (progress.review, progress.failed) == (None, False)
    assert quick.calls == 0
    clock.tick(minutes=3)
    assert other.of(table) is None
    finished_review = wait_for_review(other.begin(*game, NOBODY))
    slow.may.set()
    assert wait_for_review(mine) == finished_review


def test_one_that_failed_is_seen_by_all_and_begun_anew(
    service: TableService, game: tuple[str, Record], caplog: pytest.LogCaptureFixture
) -> None:
    def fail(work: Work, matters: Sequence[bytes]) -> Iterator[bytes]:
        raise ZeroDivisionError

    table, _ = game
    assert wait_for_review(Reviews(service, fail).begin(*game, NOBODY)) is None
    assert "A review failed: ZeroDivisionError" in caplog.text
    other = Reviews(service, map)
    waited_for(lambda: (seen := other.of(table)) and seen.failed)
    assert wait_for_review(other.begin(*game, NOBODY))


def test_one_that_cannot_be_read_any_more_is_thought_anew(
    service: TableService, game: tuple[str, Record], tmp_path: Path
) -> None:
    table, _ = game
    finished_review = wait_for_review(Reviews(service, map).begin(*game, NOBODY))
    query(tmp_path, "UPDATE reviews SET found = x'00'")
    later = Reviews(service, map)
    assert later.of(table) is None
    assert wait_for_review(later.begin(*game, NOBODY)) == finished_review


# ------------------------------------------------------------------------------------------ shared among processes


def finish_games(service: TableService, person: str, number: int) -> list[tuple[str, Record]]:
    tables = [service.opening.open(person, shanghaien(ME, CARLA)) for _ in range(number)]
    play_out(service, *tables)
    return [(table, service.record(table)) for table in tables]


def test_two_reviews_of_one_person_are_thought_out_at_a_time(service: TableService, clock: Clock) -> None:
    anna, bernd = (service.people.guest(name)[0].id for name in ("Anna", "Bernd"))
    one, two, three, four = finish_games(service, anna, 4)
    slow = Waiting()
    own, other = Reviews(service, slow), Reviews(service, slow)
    first, second = own.begin(*one, Asker(1, anna)), own.begin(*two, Asker(2, anna))
    for reviews in (own, other):
        with pytest.raises(TooMany, match="Two of your reviews are already in progress"):
            reviews.begin(*three, Asker(1, anna))
        assert reviews.of(three[0]) is None
    assert own.begin(*two, Asker(2, anna)) is second, "what is thought out already is no third"
    others = own.begin(*three, Asker(1, bernd))
    clock.tick(minutes=3)  # no progress of the waiting reviews was reported, but they keep their places here
    with pytest.raises(TooMany):
        own.begin(*four, Asker(1, anna))
    slow.may.set()
    assert all(wait_for_review(progress) for progress in (first, second, others))
    waited_for(lambda: not own._thinking)
    assert wait_for_review(own.begin(*four, Asker(1, anna)))


def test_all_without_a_name_from_one_network_share_two_reviews(service: TableService) -> None:
    anna = service.people.guest("Anna")[0].id
    one, two, three, four = finish_games(service, anna, 4)
    slow = Waiting()
    reviews = Reviews(service, slow)
    begun = [reviews.begin(*one, Asker(1, "")), reviews.begin(*two, Asker(1, ""))]
    with pytest.raises(TooMany, match="Tell us your name"):
        reviews.begin(*three, Asker(1, ""))
    begun += [reviews.begin(*three, Asker(1, anna)), reviews.begin(*four, Asker(2, ""))]
    slow.may.set()
    assert all(map(wait_for_review, begun))


def test_half_of_the_places_is_for_people_from_elsewhere(
    service: TableService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kontor.service.reviews.WAITING_OF_ONE_ORIGIN", 2)
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Carla", "Dora")]
    games = finish_games(service, people[0], 4)
    slow = Waiting()
    reviews = Reviews(service, slow)
    begun = [reviews.begin(*games[at], Asker(1, people[at])) for at in range(2)]
    with pytest.raises(Busy):
        reviews.begin(*games[2], Asker(1, people[2]))
    begun.append(reviews.begin(*games[2], Asker(2, people[3])))
    slow.may.set()
    assert all(map(wait_for_review, begun))


def test_who_has_asked_is_known_only_as_long_as_it_is_thought_out(
    service: TableService, game: tuple[str, Record], tmp_path: Path
) -> None:
    anna = service.people.guest("Anna")[0].id
    slow = Waiting()
    progress = Reviews(service, slow).begin(*game, Asker(1, anna))
    assert query(tmp_path, "SELECT person FROM reviews") == [(anna,)]
    slow.may.set()
    assert wait_for_review(progress)
    assert query(tmp_path, "SELECT person FROM reviews") == [(None,)]
