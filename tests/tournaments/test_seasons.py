"""Seasons: the points of places, the results that count, and the pages' values."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guests import Clock, in_a_folder
from kontor.errors import BadPlan, NoTable, NotAllowed, TooMany
from kontor.server.composition import KontorServer
from kontor.tournaments import seasons
from kontor.tournaments.season_table import points_of, season_table
from kontor.tournaments.values import Correction, SeasonPlan
from tournaments.test_tournaments import of_pairs, people, play_out, start_tournament

WINTER = SeasonPlan("Winter", (10, 6, 3))


@st.composite
def placed_players(draw: st.DrawFn) -> dict[str, int]:
    """Return places of players: with ties, the next places are left out."""
    strengths = draw(st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), max_size=6))
    return {player: 1 + sum(other > own for other in strengths.values()) for player, own in strengths.items()}


@given(
    st.lists(placed_players(), max_size=5),
    st.lists(st.integers(0, 20), min_size=1, max_size=8),
    st.integers(1, 6),
)
def test_the_table_gives_out_the_points_of_the_places(
    tournaments: list[dict[str, int]], points: list[int], best: int
) -> None:
    points = sorted(points, reverse=True)
    given = [points_of(places, points) for places in tournaments]
    table = season_table(given)
    assert sum(row.total for row in table) == sum(sum(points[: len(places)]) for places in tournaments)
    for row in table:
        assert row.total == sum((result for result in row.results if result is not None), Fraction(0))
    limited = {row.player: row for row in season_table(given, best)}
    for row in table:
        results = sorted([result for result in row.results if result is not None], reverse=True)
        assert limited[row.player].total == sum(results[:best])
        assert sum(limited[row.player].counted) == min(best, len(results))
    for above, below in pairwise(table):
        assert above.total >= below.total
        assert above.place <= below.place


def test_players_who_share_a_place_share_its_points_and_the_best_result_breaks_ties() -> None:
    shared = season_table([points_of({"a": 1, "b": 1, "c": 3}, (10, 6, 3))])
    assert [(row.player, row.place, float(row.total)) for row in shared[:2]] == [("a", 1, 8), ("b", 1, 8)]
    ranked = season_table(
        [points_of(places, (10, 5, 0)) for places in ({"a": 1, "b": 2, "c": 3}, {"b": 2, "a": 4, "c": 1})]
    )
    assert [(row.player, row.place, float(row.total)) for row in ranked] == [("a", 1, 10), ("c", 1, 10), ("b", 3, 10)]


@in_a_folder
def test_a_season_adds_up_its_finished_tournaments(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 3, of_pairs(rounds=1))
    season = service.seasons.open(persons[0], WINTER)
    service.seasons.put(tournament, persons[0], season)
    view = service.tournaments.view(tournament)
    assert view.season is not None
    assert (view.season.id, view.season.name) == (season, "Winter")
    assert service.seasons.view(season).standings == (), "it is not over yet"
    places = {standing.entrant: standing.place for standing in play_out(service, clock, tournament).standings}
    table = service.seasons.view(season, persons[1])
    assert [tournament.status for tournament in table.tournaments] == ["over"]
    assert {standing.name: standing.place for standing in table.standings} == {
        f"Player {entrant}": place for entrant, place in places.items()
    }
    assert sum(standing.points for standing in table.standings) == 19
    assert [standing.name for standing in table.standings if standing.mine] == ["Player 2"]
    assert (table.info.host, service.seasons.view(season, persons[0]).info.host) == (False, True)


def test_a_corrected_result_counts_in_the_season_too(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 2, of_pairs(rounds=1))
    season = service.seasons.open(persons[0], WINTER)
    service.seasons.put(tournament, persons[0], season)
    play_out(service, clock, tournament)
    assert [standing.points for standing in service.seasons.view(season).standings] == [10, 6]
    service.tournaments.correct(tournament, persons[0], Correction(1, 1, (1, 1), "They agreed."))
    assert [standing.points for standing in service.seasons.view(season).standings] == [8, 8]


def test_only_hosts_choose_seasons_and_there_are_limits(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bernd = people(service, "Anna", "Bernd")
    own, other = (service.tournaments.open(person, of_pairs()) for person in (anna, bernd))
    season = service.seasons.open(anna, WINTER)
    for tournament, person in ((own, bernd), (other, anna), (other, bernd)):
        with pytest.raises(NotAllowed):
            service.seasons.put(tournament, person, season)
    service.seasons.put(own, anna, season)
    service.seasons.put(own, anna, "")
    assert service.tournaments.view(own).season is None
    monkeypatch.setattr(seasons, "MOST_TOURNAMENTS", 0)
    with pytest.raises(TooMany):
        service.seasons.put(own, anna, season)
    monkeypatch.setattr(seasons, "MOST_SEASONS", 1)
    with pytest.raises(TooMany):
        service.seasons.open(anna, WINTER)
    with pytest.raises(NotAllowed):
        service.seasons.delete(season, bernd)
    service.seasons.delete(season, anna)
    with pytest.raises(NoTable):
        service.seasons.view(season)
    assert service.tournaments.view(own).info.name == "Winter Cup"


@pytest.mark.parametrize("points", [(), (1,) * 51, (1, 2), (-1,), (1001,)])
def test_points_that_make_no_sense_are_refused(service: KontorServer, points: tuple[int, ...]) -> None:
    (anna,) = people(service, "Anna")
    with pytest.raises(BadPlan):
        service.seasons.open(anna, SeasonPlan("Winter", points))


@in_a_folder
def test_a_season_outlives_its_host_and_has_no_row_for_those_who_left(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 3, of_pairs(rounds=1))
    season = service.seasons.open(persons[0], WINTER)
    service.seasons.put(tournament, persons[0], season)
    play_out(service, clock, tournament)
    assert [each.name for each in service.export.of(persons[0]).seasons] == ["Winter"]
    service.leaving.leave(persons[0], "Player 1")
    view = service.seasons.view(season)
    assert view.info.opener == ""
    assert {standing.name for standing in view.standings} == {"Player 2", "Player 3"}


@in_a_folder
def test_points_stay_the_same_when_accounts_are_merged_or_deleted(service: KontorServer, clock: Clock) -> None:
    tournament, persons = start_tournament(service, 4, of_pairs(system="all", rounds=1))
    season = service.seasons.open(persons[0], SeasonPlan("Winter", (10, 6, 3, 1)))
    service.seasons.put(tournament, persons[0], season)
    play_out(service, clock, tournament)
    before = {standing.name: standing.points for standing in service.seasons.view(season).standings}
    first, *_, last = before
    by_name = {f"Player {number}": person for number, person in enumerate(persons, 1)}
    service.merging.merge(by_name[last], service.recovery.new_code(by_name[first]))
    best = service.seasons.view(season, by_name[last]).standings[0]
    assert (best.points, best.mine) == (before[first], True), "the better result counts"
    others = [name for name in before if name not in (first, last)]
    service.leaving.leave(by_name[others[0]], others[0])
    after = {standing.name: standing.points for standing in service.seasons.view(season).standings}
    assert after[others[1]] == before[others[1]]
