"""Stored reviews by seat, games reviewed at night, and who may see which results."""

from collections.abc import Iterator, Sequence
from datetime import timedelta

import pytest

from guests import ME, OPEN, Clock, play_out, shanghaien
from kontor.game import Refusal
from kontor.ratings.values import PARTS, USUAL_PARTS
from kontor.review import Unanswered
from kontor.server.composition import KontorServer
from kontor.server.nightly_reviews import NightlyReviews
from kontor.studies.reviews import Reviews
from kontor.thinking.thinkers import NOBODY as NO_ASKER
from review.judges import SHANGHAIEN_JUDGE
from timeouts import waited_for


@pytest.fixture(autouse=True)
def simple_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.review.judging.judge_named", lambda name: SHANGHAIEN_JUDGE)


def people(service: KontorServer, *names: str) -> list[str]:
    return [service.people.guest(name)[0].id for name in names]


def play_game(service: KontorServer, one: str, other: str, *, hints: bool = False) -> str:
    table = service.opening.open(one, shanghaien(ME, OPEN, hints=hints))
    service.opening.sit(table, 1, other)
    play_out(service, table)
    return table


def test_at_night_games_are_reviewed_one_by_one_the_latest_first(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    clock.time = clock.time.replace(hour=12, minute=0)
    first = play_game(service, anna, bernd)
    clock.tick(minutes=1)
    second = play_game(service, bernd, anna)
    clock.tick(minutes=1)
    play_game(service, anna, bernd, hints=True)
    nightly = NightlyReviews(service, map)
    assert not nightly.one_game(), "it is noon"
    clock.time = clock.time.replace(hour=3) + timedelta(days=1)
    assert service.reviewed_seats.next_unreviewed() == second
    assert service.reviewed_seats.next_unreviewed({second}) == first
    assert nightly.one_game()
    assert len(service.reviewed_seats.of(anna)) == 1
    assert nightly.one_game()
    assert not nightly.one_game(), "with hints moves are not one's own"
    annas, bernds = service.reviewed_seats.of(anna), service.reviewed_seats.of(bernd)
    assert [reviewed.ended for reviewed in annas] == sorted(reviewed.ended for reviewed in annas)
    for one, other in zip(annas, bernds, strict=True):
        assert one.result + other.result == 1
        assert one.adjusted is not None
        assert other.adjusted is not None
        assert one.adjusted + other.adjusted == pytest.approx(1)
        assert one.decisions > 20
        assert one.lost >= 0
    assert sum(reviewed.lost for reviewed in (*annas, *bernds)) > 0, "random moves cost something"


def test_a_game_of_long_ago_is_not_reviewed_by_itself(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    table = play_game(service, anna, bernd)
    clock.tick(days=29)
    assert service.reviewed_seats.next_unreviewed() == table
    clock.tick(days=2)
    assert service.reviewed_seats.next_unreviewed() is None


def test_what_cannot_be_thought_is_tried_again_only_in_another_night(service: KontorServer, clock: Clock) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    play_game(service, anna, bernd)
    tried: list[int] = []

    def fail(work: object, matters: Sequence[bytes]) -> Iterator[bytes]:
        tried.append(len(matters))
        yield from ()
        raise Unanswered("", "The computation failed: {why}.", why=Refusal("", "no"))

    nightly = NightlyReviews(service, fail)
    clock.time = clock.time.replace(hour=4) + timedelta(days=1)
    assert nightly.one_game()
    assert not nightly.one_game()
    assert len(tried) == 1
    clock.tick(hours=12)
    assert not nightly.one_game()
    clock.tick(hours=12)
    assert nightly.one_game()
    assert len(tried) == 2


@pytest.mark.long
def test_a_review_that_was_asked_for_counts_too(service: KontorServer) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    table = play_game(service, anna, bernd)
    reviews = Reviews(service.tables, service.reviews, service.reviewed_seats, map)
    reviews.begin(table, service.tables.record(table), NO_ASKER)
    waited_for(lambda: (progress := reviews.of(table)) and progress.review)
    assert len(service.reviewed_seats.of(anna)) == 1
    assert service.reviewed_seats.next_unreviewed() is None


def test_how_well_somebody_plays_is_private_until_they_show_it(service: KontorServer) -> None:
    (anna,) = people(service, "Anna")
    assert service.ratings.show(anna, listed=True, public=True).parts == USUAL_PARTS
    assert "play" not in USUAL_PARTS
    service.ratings.show(anna, listed=True, public=True, parts=PARTS)
    profile = service.ratings.profile(anna)
    assert profile
    assert profile.parts == PARTS


def test_whoever_is_blocked_does_not_see_the_page(service: KontorServer) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    table = play_game(service, anna, bernd)
    handle = service.ratings.show(anna, listed=True, public=True).handle
    assert service.histories.page_owner(handle, bernd)
    assert [companion.name for companion in service.histories.of(anna, own=True).companions] == ["Bernd"]
    service.blocking.put(table, anna, "seat-1", "block")
    assert service.histories.page_owner(handle, bernd) is None
    assert service.histories.page_owner(handle, anna)
    assert service.histories.of(anna, own=True).companions == ()
