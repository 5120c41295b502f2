"""The arena: who sits where, what the results depend on, how they are counted. And the shape of a measurement."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor import bench, records, shanghaien
from kontor.arena import Played, Report, Series, simulate, wilson
from kontor.dutchman import DUTCHMAN
from kontor.dutchman import Options as Dutchman
from kontor.game import AnyGame, BadOptions
from kontor.shanghaien import SHANGHAIEN

DUEL = ["greedy", "random"]
FOUR = ["random", "greedy", "random", "random"]


def duel(games: int = 6, seed: int = 1, **more: Any) -> Report:
    return simulate(SHANGHAIEN, shanghaien.Options(), DUEL, games, seed, **more)


def test_players_move_on_by_one_seat_from_game_to_game() -> None:
    series = Series(DUTCHMAN, Dutchman(), FOUR, 1)
    for number in range(9):
        seating = series.seating(number)
        assert [seating.index(player) for player in range(4)] == [(player + number) % 4 for player in range(4)]
        assert series.play(number).players == seating


@pytest.mark.parametrize(
    ("game", "options", "players"), [(SHANGHAIEN, shanghaien.Options(), DUEL), (DUTCHMAN, Dutchman(), FOUR)]
)
def test_a_game_follows_from_the_seed_and_its_number_alone(game: AnyGame, options: Any, players: list[str]) -> None:
    def played(number: int, seed: int) -> Played:
        return Series(game, options, players, seed).play(number, recorded=True)

    series = Series(game, options, players, 7)
    backwards = [series.play(number, recorded=True) for number in (2, 1, 0)]
    assert backwards[::-1] == [played(number, 7) for number in (0, 1, 2)]
    assert len({played(number, 7).record for number in range(5)} | {played(0, 8).record}) == 6


def test_the_same_seed_gives_the_same_report() -> None:
    def counted(report: Report) -> Report:
        return msgspec.structs.replace(report, seconds=0.0, decisions_per_second=0.0)

    assert counted(duel()) == counted(duel())
    assert counted(duel()) != counted(duel(seed=2))


def test_recording_makes_no_difference_and_the_records_can_be_verified(tmp_path: Path) -> None:
    plain: list[Played] = []
    report = duel(11, on_game=plain.append)
    recorded: list[Played] = []
    again = duel(11, folder=tmp_path / "new" / "folder", on_game=recorded.append)
    assert again.players == report.players
    assert [game.result for game in recorded] == [game.result for game in plain]
    files = sorted((tmp_path / "new" / "folder").iterdir())
    assert [file.name for file in files] == [f"shanghaien-1-{number:02}.jsonl" for number in range(11)]
    for file, played in zip(files, recorded, strict=True):
        record = records.read(file)
        assert record == played.record
        verified = records.verify(record)
        assert verified.dice
        assert verified.result == played.result
        assert sum(step.seat >= 0 for step in record.steps) == played.decisions
        assert list(record.header.players) == [DUEL[player] for player in played.players]


def test_records_of_the_hollander_can_be_verified_and_name_the_seats(tmp_path: Path) -> None:
    simulate(DUTCHMAN, Dutchman(), FOUR, 2, 3, folder=tmp_path)
    for number in range(2):
        record = records.read(tmp_path / f"dutchman-3-{number}.jsonl")
        assert records.verify(record).dice
        assert sorted(record.header.seats) == ["greedy", "random 1", "random 2", "random 3"]


def test_a_record_is_never_overwritten(tmp_path: Path) -> None:
    there = tmp_path / "shanghaien-1-3.jsonl"
    there.write_text("a record of mine")
    with pytest.raises(BadOptions, match=r"There is a record .*shanghaien-1-3.jsonl already: choose another folder."):
        duel(folder=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [there.name]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadOptions, match="cannot be made"):
        duel(folder=tmp_path / "file")


# ----------------------------------------------------------------------------------------------- counting


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_standings_sum_up(players: int) -> None:
    results: list[Played] = []
    names = ["random"] * (players - 1) + ["greedy"]
    report = simulate(DUTCHMAN, Dutchman(players=players), names, 9, 5, on_game=results.append)
    standings = report.players
    assert [standing.name for standing in standings] == names
    assert [game.number for game in results] == list(range(9))
    assert sum(standing.share for standing in standings) == pytest.approx(1)
    assert report.decisions == sum(game.decisions for game in results)
    for player, standing in enumerate(standings):
        seats = [game.players.index(player) for game in results]
        won = [game.result.winners for game, seat in zip(results, seats, strict=True) if seat in game.result.winners]
        assert standing.games == report.games == 9
        assert standing.wins == sum(len(winners) == 1 for winners in won)
        assert standing.draws == sum(len(winners) > 1 for winners in won)
        assert standing.share == pytest.approx(sum(1 / len(winners) for winners in won) / 9)
        points = [game.result.points[seat] for game, seat in zip(results, seats, strict=True)]
        assert standing.mean_points == pytest.approx(sum(points) / 9)
        assert standing.ci95 == wilson(standing.share * 9, 9)


def test_a_drawn_game_is_half_a_victory_for_both() -> None:
    """Of so many games some are drawn."""
    results: list[Played] = []
    report = simulate(SHANGHAIEN, shanghaien.Options(), ["random", "random"], 150, 1, on_game=results.append)
    drawn = sum(len(game.result.winners) == 2 for game in results)
    assert drawn
    for standing in report.players:
        assert standing.draws == drawn
        assert standing.share == pytest.approx((standing.wins + drawn / 2) / 150)


@pytest.mark.parametrize(
    ("successes", "tries", "low", "high"),
    [(0, 10, 0.0, 0.27754), (1, 10, 0.01787, 0.40415), (5, 10, 0.23659, 0.76341), (10, 10, 0.72246, 1.0),
     (81, 263, 0.25529, 0.36621), (500, 1000, 0.46907, 0.53093)],
)  # fmt: skip
def test_the_wilson_interval_of_known_cases(successes: int, tries: int, low: float, high: float) -> None:
    """81 of 263 is the example of Newcombe (1998), *Two-sided confidence intervals for the single proportion*."""
    assert wilson(successes, tries) == pytest.approx((low, high), abs=1e-5)


@given(st.integers(1, 10_000).flatmap(lambda tries: st.tuples(st.floats(0, tries), st.just(tries))))
def test_the_wilson_interval_holds_the_share_and_is_one(case: tuple[float, int]) -> None:
    successes, tries = case
    low, high = wilson(successes, tries)
    assert 0 <= low <= high <= 1
    assert low - 1e-9 <= successes / tries <= high + 1e-9


def test_the_report_as_json() -> None:
    table = json.loads(msgspec.json.encode(duel()))
    assert table["game"] == "shanghaien"
    assert table["games"] == 6
    assert table["decisions_per_second"] > 0
    assert [row["name"] for row in table["players"]] == DUEL
    for row in table["players"]:
        assert set(row) == {"name", "games", "wins", "draws", "share", "ci95", "mean_points"}
        low, high = row["ci95"]
        assert 0 <= low <= row["share"] <= high <= 1


# ----------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("game", "options", "players", "sentence"),
    [
        (SHANGHAIEN, shanghaien.Options(), ["random"], "has 2 seats, but 1 player is named"),
        (SHANGHAIEN, shanghaien.Options(), ["random"] * 3, "has 2 seats, but 3 players are named"),
        (DUTCHMAN, Dutchman(players=4), ["random"] * 3, "has 4 seats, but 3 players are named"),
        (DUTCHMAN, Dutchman(players=7), ["random"] * 7, "3 to 6 players, not 7"),
        (SHANGHAIEN, shanghaien.Options(), ["greedy", "nobody"], "no machine player “nobody”"),
    ],
)
def test_what_cannot_be_played_is_refused(game: AnyGame, options: Any, players: list[str], sentence: str) -> None:
    with pytest.raises(BadOptions, match=sentence):
        simulate(game, options, players, 1, 1)


@pytest.mark.parametrize("games", [0, -3])
def test_no_games_are_no_simulation(games: int) -> None:
    with pytest.raises(BadOptions, match=f"At least one game must be played, not {games}"):
        duel(games)


# ----------------------------------------------------------------------------------------------- bench


def test_a_measurement_has_its_shape() -> None:
    """No speed is asked for here: only that everything is told."""
    told: list[tuple[str, int, float]] = []
    measured = bench.measure(
        runs=2, seconds=0, on_run=lambda game, players, speed: told.append((game, players, speed))
    )
    assert {(speed.game, speed.players) for speed in measured.speeds} == {
        ("shanghaien", 2), ("dutchman", 3), ("dutchman", 4), ("dutchman", 5), ("dutchman", 6),
    }  # fmt: skip
    assert len(told) == 2 * len(measured.speeds)
    for speed in measured.speeds:
        assert len(speed.runs) == speed.games == 2
        assert speed.slowest == min(speed.runs) <= speed.median <= speed.fastest == max(speed.runs)
        assert speed.decisions >= speed.games
    machine = measured.machine
    assert machine.cores >= 1
    assert all([machine.processor, machine.system, machine.python, machine.kontor])
    assert json.loads(msgspec.json.encode(measured))["speeds"][0]["game"] == "shanghaien"
