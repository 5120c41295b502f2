"""Ratings: which games are rated, who is fitted from them, and what is stored and shown."""

import csv
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise
from math import log
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from guests import CARLA, ME, OPEN, Clock, dutchman, play_out, query, quick, shanghaien
from kontor.endings import early_end
from kontor.game import Result
from kontor.people.person_rows import NOBODY
from kontor.players.levels import LEVELS
from kontor.plugins import plugins
from kontor.ratings.fits import fit_ratings
from kontor.ratings.rated_games import FinishedSeat, StartedGame, select_rated, started_games
from kontor.ratings.values import BestRow, Fits, FittedGame, FittedPerson
from kontor.server.composition import KontorServer
from kontor.server.nightly_ratings import NightlyRatings
from kontor.storage import Place, consistent_read
from kontor.storage.stored_times import milliseconds_of
from kontor.tables.pages.seating import describe_rated_end
from kontor.tables.values import SeatPlan
from kontor.web.pages.languages import words_in

DAY = 24 * 3600 * 1000
ANNA, BERND, CLARA, DORA = ("a" * 20, "b" * 20, "c" * 20, "d" * 20)
CASUAL = SeatPlan("machine", player="casual")


def person(who: str, kind: Any = "open") -> FinishedSeat:
    return FinishedSeat(kind, who, "")


def machine(player: str) -> FinishedSeat:
    return FinishedSeat("machine", None, player)


def game(*seats: FinishedSeat, winners: tuple[int, ...] = (0,), at: int = 100 * DAY, **more: Any) -> StartedGame:
    points = tuple(30 if seat in winners else 20 - seat for seat in range(len(seats)))
    fields = {"hints": False, "stood_in": False, "result": Result(points, winners), "early": None, **more}
    return StartedGame("t" * 20, "shanghaien", at, at + DAY // 24, seats=seats, **fields)


TWO = game(person(ANNA, "me"), person(BERND))

NOT_RATED = {
    "with hints": replace(TWO, hints=True),
    "over days, with dice that other tables have": replace(TWO, foreseeable=True),
    "where a computer player stood in for a while": replace(TWO, stood_in=True),
    "with two at one device": replace(TWO, seats=(person(ANNA, "me"), person(ANNA, "here"))),
    "with one person on two seats": replace(TWO, seats=(person(ANNA, "me"), person(ANNA))),
    "against a computer player that is no level": replace(TWO, seats=(person(ANNA), machine("greedy"))),
    "of computer players alone": replace(TWO, seats=(machine("casual"), machine("steady"))),
    "ended by agreement": replace(TWO, result=None, early=early_end("agreed", 0, 2)),
}


@pytest.mark.parametrize("finished", NOT_RATED.values(), ids=NOT_RATED)
def test_not_rated_is_a_game(finished: StartedGame) -> None:
    assert not list(select_rated([finished]))


def places(*finished: StartedGame) -> list[tuple[tuple[str, int], ...]]:
    return [rated_game.places for rated_game in select_rated(finished)]


def test_rated_is_a_game_of_people_who_were_invited_or_came_and_the_best_stand_first() -> None:
    four = game(person(ANNA, "me"), person(BERND, "friend"), person(CLARA), machine("expert"), winners=(2,))
    assert places(TWO, four) == [((ANNA, 0), (BERND, 1)), ((ANNA, 1), (BERND, 2), (CLARA, 0), ("expert", 3))]


def test_who_share_the_win_or_the_points_share_a_place() -> None:
    draw = game(person(ANNA), person(BERND), person(CLARA), person(DORA), result=Result((9, 9, 4, 4), (0, 1)))
    assert places(draw) == [((ANNA, 0), (BERND, 0), (CLARA, 2), (DORA, 2))]


@pytest.mark.parametrize("how", ["resigned", "claimed"])
def test_of_two_who_resigns_or_stays_away_has_lost(how: Any) -> None:
    assert places(replace(TWO, result=None, early=early_end(how, 0, 2))) == [((ANNA, 1), (BERND, 0))]


def test_among_more_who_resigns_is_last_and_the_others_places_are_those_of_the_end() -> None:
    resigned = person(CLARA)._replace(resigned=True)
    assert places(game(person(ANNA), person(BERND), resigned, machine("expert"), winners=(2,))) == [
        ((ANNA, 0), (BERND, 1), (CLARA, 3), ("expert", 2))
    ]
    two = game(person(ANNA)._replace(resigned=True), person(BERND), resigned)
    assert places(two) == [((ANNA, 1), (BERND, 0), (CLARA, 1))]
    alone = game(resigned, machine("casual"), machine("casual"), result=None, early=early_end("resigned", 0, 3))
    assert places(alone) == [((CLARA, 2), ("casual", 0), ("casual 2", 0))], "who resigns against levels has lost, too"


def test_who_has_left_is_somebody_else_in_each_game() -> None:
    left = game(person(NOBODY), person(BERND), person(NOBODY))
    ((first, _), _, (second, _)) = places(left)[0]
    assert len({first, second, NOBODY}) == 3


def test_several_computer_players_of_a_level_are_one_strength_on_several_seats() -> None:
    casual = machine("casual")
    assert places(game(person(ANNA), casual, casual, machine("steady"))) == [
        ((ANNA, 0), ("casual", 1), ("casual 2", 2), ("steady", 3))
    ]


def test_against_a_level_alone_the_first_game_of_a_day_counts() -> None:
    alone = game(person(ANNA), machine("casual"))
    lost = replace(alone, result=Result((1, 2), (1,)))
    steady = replace(alone, seats=(person(ANNA), machine("steady")))
    mixed = game(person(ANNA), machine("casual"), machine("expert"))
    of_another = replace(alone, seats=(person(BERND), machine("casual")))
    with_company = game(person(ANNA), person(BERND), machine("casual"))
    tomorrow = replace(alone, started=alone.started + DAY)
    later = [lost, alone, steady, mixed, of_another, with_company, with_company, tomorrow]
    assert len(places(*later)) == 6
    assert places(*later)[0] == ((ANNA, 1), ("casual", 0)), "the first, not the best"
    for way_out in (
        replace(lost, ended=None, result=None),
        replace(lost, result=None, early=early_end("agreed", 0, 2)),
        replace(lost, stood_in=True),
    ):
        assert places(way_out, alone) == [], "whatever becomes of the first"
    assert len(places(replace(alone, hints=True), alone)) == 1, "practice is none"
    elsewhere = replace(alone, game="dutchman")
    assert len(places(alone, elsewhere)) == 2


# ---------------------------------------------------------------------------------------------------- the anchors


def shares() -> Iterator[tuple[str, str, float]]:
    file = Path(__file__).parents[2] / "docs" / "strength.csv"
    with file.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            yield row["game"], row["players"], float(row["share of the first"]) / 100


def odds(game: str, stronger: str, weaker: str) -> float:
    """Return the odds of the stronger against one of the weaker.

    They come from a match of one stronger player, with weaker ones on all other seats.
    """
    others = 3 if game == "dutchman" else 1
    (share,) = (
        rate for of, players, rate in shares() if (of, players) == (game, ",".join([stronger, *[weaker] * others]))
    )
    return others * share / (1 - share)


@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
@pytest.mark.parametrize(
    ("weaker", "stronger"), [("casual", "keen"), ("casual", "steady"), ("steady", "strong"), ("steady", "expert")]
)
def test_the_levels_stand_as_far_apart_as_they_were_measured(game: str, weaker: str, stronger: str) -> None:
    points = plugins()[game].level_points
    apart = log(odds(game, stronger, weaker)) * 400 / log(10)
    assert points[stronger] - points[weaker] == pytest.approx(apart, abs=1)
    assert points["casual"] == 1500


@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
@pytest.mark.parametrize(("weaker", "stronger"), pairwise(LEVELS))
def test_of_two_neighbours_the_stronger_wins_60_to_75_percent_of_games_for_two(
    game: str, weaker: str, stronger: str
) -> None:
    assert 0.6 < odds(game, stronger, weaker) / (1 + odds(game, stronger, weaker)) < 0.75


# ------------------------------------------------------------------------------------------------- in a database


def now(clock: Clock) -> int:
    return milliseconds_of(clock())


def run_night(service: KontorServer, place: Place, clock: Clock) -> Fits:
    clock.tick(days=1)
    fits = fit_ratings(place, now(clock))
    service.ratings.keep(fits, pause=0)
    return fits


def store_ratings(service: KontorServer, clock: Clock, points: dict[str, tuple[int, int]]) -> None:
    """Store points and deviations as if they had been fitted."""
    people = tuple([FittedPerson(person_id, mean, wide, 9, now(clock)) for person_id, (mean, wide) in points.items()])
    service.ratings.keep(Fits(now(clock), (FittedGame("shanghaien", 99, people),), 0.0, 0), pause=0)


def make_guests(service: KontorServer, *names: str) -> list[str]:
    return [service.people.guest(name)[0].id for name in names]


def seat_people(service: KontorServer, *people: str, **more: Any) -> str:
    plan = (shanghaien if len(people) == 2 else dutchman)(ME, *[OPEN] * (len(people) - 1), **more)
    table = service.opening.open(people[0], plan)
    for seat, person_id in enumerate(people[1:], 1):
        service.opening.sit(table, seat, person_id)
    return table


def play_won_game(service: KontorServer, winner: str, loser: str) -> None:
    """Play a game of two that the first wins: the other resigns."""
    service.early_endings.resign(seat_people(service, winner, loser), 1, loser)


def test_games_in_a_database_are_rated_by_how_they_were_played(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    anna, bernd, clara = make_guests(service, "Anna", "Bernd", "Clara")
    play_out(service, seat_people(service, anna, bernd), seat_people(service, anna, bernd, clara))
    play_out(service, service.opening.open(anna, shanghaien(ME, CARLA)))
    play_out(service, seat_people(service, anna, bernd, hints=True))
    stood_in = seat_people(service, anna, bernd, clara)
    service.early_endings.resign(stood_in, 1, bernd)
    service.early_endings.resign(stood_in, 2, clara)
    service.early_endings.resign(stood_in, 0, anna)
    agreed = seat_people(service, anna, bernd)
    service.early_endings.propose(agreed, 0, anna)
    service.early_endings.agree(agreed, bernd)
    play_won_game(service, anna, bernd)
    with consistent_read(place) as db:
        finished = list(started_games(db))
        assert len(finished) == 7
        assert sorted((rated_game.game, len(rated_game.places)) for rated_game in select_rated(finished)) == [
            ("dutchman", 3),
            ("shanghaien", 2),
            ("shanghaien", 2),
        ]
        for started in finished:
            sentence = describe_rated_end(words_in("en"), service.tables.info(started.id))
            assert sentence.startswith("Rated") == bool(list(select_rated([started]))), sentence


def test_who_wins_against_a_level_stands_above_it(service: KontorServer, place: Place, clock: Clock) -> None:
    (anna,) = make_guests(service, "Anna")
    for _ in range(3):
        table = service.opening.open(anna, shanghaien(ME, CASUAL))
        play_out(service, table)
        clock.tick(days=1)
    quick(service)
    fits = run_night(service, place, clock)
    ((of, rated_games, people),) = [(one.game, one.rated, one.people) for one in fits.games if one.people]
    assert (of, rated_games, [one.games for one in people]) == ("shanghaien", 3, [3])
    (rating,) = service.ratings.of(anna)
    assert not rating.sure
    assert rating.low < rating.points < rating.high


def test_the_strongest_stand_first_and_only_who_chose_to_be_listed(service: KontorServer, clock: Clock) -> None:
    anna, bernd, clara, dora = make_guests(service, "Anna", "Bernd", "Clara", "Dora")
    store_ratings(service, clock, {anna: (1700, 50), bernd: (1600, 50), clara: (1400, 50), dora: (1450, 50)})
    assert not service.ratings.best("shanghaien").number, "nobody has chosen"
    for person_id in (anna, bernd, clara):
        service.ratings.show(person_id, listed=True, public=person_id == anna)
    page = service.ratings.best("shanghaien", bernd)
    assert [row.name for row in page.rows if row.rank] == ["Anna", "Bernd", "Clara"]
    assert [row.level for row in page.rows if row.level] == [*reversed(LEVELS)]
    assert [row.points for row in page.rows] == sorted((row.points for row in page.rows), reverse=True)
    assert [row.mine for row in page.rows if row.rank] == [False, True, False]
    assert [bool(row.handle) for row in page.rows if row.rank] == [True, False, False]
    assert anna not in {row.handle for row in page.rows}, "the id is not told"
    service.operating.suspend(anna)
    service.ratings.show(clara, listed=False, public=True)
    service.leaving.leave(dora, "Dora")
    assert [row.name for row in service.ratings.best("shanghaien").rows if row.rank] == ["Bernd"]


def test_pages_of_the_best_hold_everybody_once(service: KontorServer, clock: Clock) -> None:
    people = make_guests(service, *(f"Gast {number}" for number in range(12)))
    ratings = {
        person_id: (1300 + 70 * number, 150 if number % 4 == 3 else 60) for number, person_id in enumerate(people)
    }
    store_ratings(service, clock, ratings)
    for person_id in people:
        service.ratings.show(person_id, listed=True, public=False)
    for most in (1, 3, 5, 9, 50):
        rows: list[BestRow] = []
        first = 0
        while True:
            page = service.ratings.best("shanghaien", None, first, most)
            rows += page.rows
            if not page.more:
                break
            first += most
        assert page.number == 12
        assert len(rows) == 12 + len(LEVELS), most
        sure = [row for row in rows if row.sure]
        assert [row.points for row in sure] == sorted((row.points for row in sure), reverse=True)
        assert rows[len(sure) :] == [row for row in rows if not row.sure]
        assert [row.rank for row in rows if row.rank] == list(range(1, 10))


# ------------------------------------------------------------------------------------------------------ the curve


def test_the_curve_has_a_point_for_each_day_on_which_the_rating_moved(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    anna, bernd = make_guests(service, "Anna", "Bernd")
    play_won_game(service, anna, bernd)
    run_night(service, place, clock)
    run_night(service, place, clock)
    for _ in range(6):
        play_won_game(service, anna, bernd)
    run_night(service, place, clock)
    curve = service.ratings.curve(anna)
    assert [day.day for day in curve] == [(clock() - timedelta(days=2)).date(), clock().date()]
    assert 1500 < curve[0].points < curve[1].points
    assert curve[1].points == service.ratings.of(anna)[0].points


# ------------------------------------------------------------------------------------------- a person's own data


def test_what_is_known_of_a_person_is_in_their_data_and_goes_with_them(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    anna, bernd = make_guests(service, "Anna", "Bernd")
    play_won_game(service, anna, bernd)
    run_night(service, place, clock)
    profile = service.ratings.show(anna, listed=True, public=True)
    own = service.export.of(anna)
    assert (own.profile, own.ratings, own.curve) == (profile, service.ratings.of(anna), service.ratings.curve(anna))
    assert own.ratings
    service.leaving.leave(anna, "Anna")
    for sql in (
        "SELECT handle FROM profiles WHERE person = ?",
        "SELECT points FROM ratings WHERE person = ?",
        "SELECT points FROM rating_days WHERE person = ?",
    ):
        assert not query(place, sql, anna)
    run_night(service, place, clock)
    assert not query(place, "SELECT person FROM ratings WHERE person = ?", anna)
    assert service.ratings.of(bernd), "the game still counts for the other"


def test_of_two_who_become_one_the_ratings_become_one(service: KontorServer, place: Place, clock: Clock) -> None:
    anna, phone, bernd = make_guests(service, "Anna", "Anni", "Bernd")
    play_won_game(service, anna, bernd)
    play_won_game(service, phone, bernd)
    play_out(service, seat_people(service, phone, bernd, make_guests(service, "Clara")[0]))
    run_night(service, place, clock)
    handle = service.ratings.show(phone, listed=True, public=True).handle
    before = service.ratings.of(anna)
    service.merging.merge(anna, service.recovery.new_code(phone))
    assert [one.game for one in service.ratings.of(anna)] == ["shanghaien", "dutchman"]
    assert service.ratings.of(anna)[0] == before[0]
    assert service.ratings.profile(anna) is not None
    assert [row[0] for row in query(place, "SELECT handle FROM profiles WHERE person = ?", anna)] == [handle]
    run_night(service, place, clock)
    assert [one.games for one in service.ratings.of(anna)] == [2, 1]


# ------------------------------------------------------------------------------------------------------- at night


class Counted:
    def __init__(self) -> None:
        self.nights: list[Any] = []
        self.failed = 0

    def fitted(self, at: Any, seconds: float, memory: int) -> None:
        self.nights.append((at, seconds >= 0, memory > 0))

    def not_fitted(self) -> None:
        self.failed += 1


@pytest.mark.process
def test_a_process_of_its_own_fits_once_a_day_from_three_on(
    service: KontorServer, place: Place, clock: Clock
) -> None:
    anna, bernd = make_guests(service, "Anna", "Bernd")
    play_won_game(service, anna, bernd)
    counted = Counted()
    nightly = NightlyRatings(service, place, counter=counted)
    assert nightly.one_look(), "a new server has none yet"
    assert not nightly.one_look()
    assert counted.nights == [(clock(), True, True)]
    (rating,) = service.ratings.of(anna)
    assert rating.points > 1500
    clock.time = clock.time.replace(hour=2, minute=59) + timedelta(days=1)
    assert not nightly.one_look(), "not yet three in the morning"
    clock.tick(minutes=1)
    assert nightly.one_look()
    clock.tick(hours=23, minutes=59)
    assert not nightly.one_look()
    clock.tick(days=3)
    assert nightly.one_look(), "the first moment after"
    assert service.ratings.last_fitted() == clock()
    assert not counted.failed
