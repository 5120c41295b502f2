"""The arena: seating, the sources of its results, and its counts. And the format of a measurement."""

import json
import os
import signal
from itertools import combinations
from multiprocessing import active_children
from operator import eq
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from kontor import bench, records
from kontor.arena import ArenaGame, Mirrored, Report, Series, Stopped, WorkerLost, simulate
from kontor.game import CHANCE, OVER, AnyGame, BadOptions
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.shanghaien import rules as shanghaien
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.intervals import grouped, wilson

DUEL = ["greedy", "random"]
FOUR = ["random", "greedy", "random", "random"]


def duel(games: int = 6, seed: int = 1, **more: Any) -> Report:
    return simulate(SHANGHAIEN, shanghaien.Options(), DUEL, games, seed, **more)


def without_times(report: Report) -> Report:
    """Return the report without the values that depend on the machine."""
    return structs.replace(report, seconds=0.0, decisions_per_second=0.0)


def test_players_move_on_by_one_seat_from_game_to_game() -> None:
    series = Series(DUTCHMAN, Dutchman(), FOUR, 1)
    for number in range(9):
        seating = series.seating(number)
        assert [seating.index(player) for player in range(4)] == [(player + number) % 4 for player in range(4)]
        assert series.play(number).players == seating


@pytest.mark.parametrize("series", [Series, Mirrored])
@pytest.mark.parametrize("starter", [0, 1])
def test_who_starts_is_a_player_and_moves_on_with_them(series: type[Series], starter: int) -> None:
    """Check H5, S3: an agreed starter is one of the players, on any seat."""
    of_two = series(SHANGHAIEN, shanghaien.Options(starter=starter), DUEL, 1)
    of_four = series(DUTCHMAN, Dutchman(starter=starter), FOUR, 1)
    for number in range(5):
        for games in (of_two, of_four):
            played = games.play(number, recorded=True)
            assert played.record
            first = played.record.header.options.starter
            assert played.players[first] == starter
            assert next(step.seat for step in played.record.steps if step.seat != CHANCE) == first


@pytest.mark.parametrize(
    ("game", "options", "players"), [(SHANGHAIEN, shanghaien.Options(), DUEL), (DUTCHMAN, Dutchman(), FOUR)]
)
def test_a_game_follows_from_the_seed_and_its_number_alone(game: AnyGame, options: Any, players: list[str]) -> None:
    def play(number: int, seed: int) -> ArenaGame:
        return Series(game, options, players, seed).play(number, recorded=True)

    series = Series(game, options, players, 7)
    backwards = [series.play(number, recorded=True) for number in (2, 1, 0)]
    assert backwards[::-1] == [play(number, 7) for number in (0, 1, 2)]
    assert len({play(number, 7).record for number in range(5)} | {play(0, 8).record}) == 6


def test_the_same_seed_gives_the_same_report() -> None:
    assert encode_without_times(duel()) == encode_without_times(duel())
    assert encode_without_times(duel()) != encode_without_times(duel(seed=2))


def test_recording_makes_no_difference_and_the_records_can_be_verified(tmp_path: Path) -> None:
    plain: list[ArenaGame] = []
    report = duel(11, on_game=plain.append)
    recorded: list[ArenaGame] = []
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
    existing = tmp_path / "shanghaien-1-3.jsonl"
    existing.write_text("a record of mine")
    with pytest.raises(BadOptions, match=r"The record .*shanghaien-1-3.jsonl already exists: choose another folder."):
        duel(folder=tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [existing.name]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadOptions, match="cannot be made"):
        duel(folder=tmp_path / "file")


# ----------------------------------------------------------------------------------------------- processes


def encode_without_times(report: Report) -> bytes:
    return msgspec.json.encode(without_times(report))


@pytest.mark.process
@pytest.mark.parametrize("mirrored", [False, True])
def test_the_report_is_the_same_by_however_many_processes(mirrored: bool) -> None:
    def play(jobs: int) -> tuple[bytes, list[ArenaGame]]:
        games: list[ArenaGame] = []
        report = simulate(DUTCHMAN, Dutchman(), FOUR, 12, 4, jobs=jobs, mirrored=mirrored, on_game=games.append)
        return encode_without_times(report), games

    alone = play(1)
    assert [game.number for game in alone[1]] == list(range(12))
    assert play(2) == alone
    assert play(3) == alone


@pytest.mark.process
def test_the_records_are_the_same_by_however_many_processes(tmp_path: Path) -> None:
    def record(jobs: int) -> list[tuple[str, bytes]]:
        folder = tmp_path / f"{jobs}"
        simulate(SHANGHAIEN, shanghaien.Options(), ["greedy", "random"], 5, 1, jobs=jobs, folder=folder)
        return [(file.name, file.read_bytes()) for file in sorted(folder.iterdir())]

    alone = record(1)
    assert len(alone) == 5
    assert record(2) == alone


@pytest.mark.process
def test_no_process_is_left_when_the_games_are_played_or_somebody_has_enough() -> None:
    duel(3, jobs=2)
    assert not active_children()

    def stop(played: ArenaGame) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        duel(1000, jobs=2, on_game=stop)
    assert not active_children()


@pytest.mark.parametrize("jobs", [1, 2])
def test_who_stops_a_series_is_told_of_the_whole_groups_until_then(jobs: int) -> None:
    def stop(played: ArenaGame) -> None:
        if played.number == 6:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        duel(1000, jobs=jobs, mirrored=True, on_game=stop)
    report = stopped.value.report
    assert report.games == 6
    assert without_times(report) == without_times(duel(6, mirrored=True))


def test_who_stops_before_a_group_is_played_is_told_nothing() -> None:
    def stop(played: ArenaGame) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as stopped:
        duel(1000, mirrored=True, on_game=stop)
    assert not isinstance(stopped.value, Stopped)


@pytest.mark.process
def test_a_process_that_dies_is_told_of() -> None:
    def kill(played: ArenaGame) -> None:
        if not played.number:
            os.kill(active_children()[0].pid or 0, signal.SIGKILL)

    with pytest.raises(WorkerLost, match="processes that share the work ended early"):
        duel(1000, jobs=2, on_game=kill)
    assert not active_children()


# ----------------------------------------------------------------------------------------------- mirrored games

Luck = dict[tuple[str | int, ...], list[Any]]


def luck_of(series: Series, number: int, random: Random) -> Luck:
    """Return the outcomes of chance on each occasion of a game of random moves."""
    game = series.game
    source = series.source(number)
    luck: Luck = {}
    state = game.start(series.options)
    while state.mover != OVER:
        if state.mover == CHANCE:
            action = game.chance(state).draw(source(state, 2))
            luck.setdefault(game.occasion(state), []).append(action)
        else:
            action = random.choice(game.moves(state))
        state = game.play(state, action)
    return luck


def test_mirrored_games_of_shanghaien_have_the_same_rows_and_dice_whatever_is_played() -> None:
    """Check S3, S6, S10: every row, and the dice of a seat's k-th roll and k-th *reroll* in a round."""
    series = Mirrored(SHANGHAIEN, shanghaien.Options(first_trick="reroll"), DUEL, 1)
    games = [luck_of(series, 6, Random(1)), luck_of(series, 6, Random(2)), luck_of(series, 7, Random(3))]
    for one, other in combinations(games, 2):
        assert one["starter", 1] == other["starter", 1]
        for number in range(1, 9):
            assert one["row", number] == other["row", number]
        both = one.keys() & other.keys()
        assert len([occasion for occasion in both if occasion[0] == "roll"]) == 16
        for occasion in both:
            assert all(map(eq, one[occasion], other[occasion])), occasion
    rolls = [roll for occasion, some in games[0].items() if occasion[0] == "roll" for roll in some]
    assert len(set(rolls)) > 10


def test_mirrored_games_of_the_hollander_have_the_same_deal_and_lucky_numbers() -> None:
    """Check H4, H5, H10a."""
    series = Mirrored(DUTCHMAN, Dutchman(), FOUR, 1)
    games = [luck_of(series, number, Random(number)) for number in (4, 5, 6, 7)]
    for one, other in combinations(games, 2):
        assert one["starter", 1] == other["starter", 1]
        assert one["deal", 1] == other["deal", 1]
        both = one.keys() & other.keys()
        assert {("lucky", number) for number in range(1, 11)} <= both
        for occasion in both:
            if occasion[0] in ("lucky", "rolling"):
                assert all(map(eq, one[occasion], other[occasion])), occasion
    assert len({luck[0] for occasion, luck in games[0].items() if occasion[0] == "lucky"}) > 3


@pytest.mark.parametrize("game", [SHANGHAIEN, DUTCHMAN])
def test_another_group_has_other_luck(game: AnyGame) -> None:
    options, players = (shanghaien.Options(), DUEL) if game is SHANGHAIEN else (Dutchman(), FOUR)
    size = len(players)
    first = luck_of(Mirrored(game, options, players, 1), size - 1, Random(1))
    for seed, number in ((1, size), (2, 0)):
        other = luck_of(Mirrored(game, options, players, seed), number, Random(1))
        assert [*first.values()][1:3] != [*other.values()][1:3]


def test_in_a_group_everybody_sits_once_on_each_seat() -> None:
    series = Mirrored(DUTCHMAN, Dutchman(), FOUR, 1)
    for first in (0, 4, 8):
        seatings = [series.play(number).players for number in range(first, first + 4)]
        for seats in zip(*seatings, strict=True):
            assert sorted(seats) == [0, 1, 2, 3]


def test_two_players_alike_who_leave_nothing_to_luck_win_half_of_their_mirrored_games() -> None:
    results: list[ArenaGame] = []
    report = simulate(SHANGHAIEN, shanghaien.Options(), ["greedy"] * 2, 6, 1, mirrored=True, on_game=results.append)
    assert [standing.share for standing in report.players] == [0.5, 0.5]
    for one, other in zip(results[::2], results[1::2], strict=True):
        assert one.result == other.result
        assert one.players == other.players[::-1]


def test_the_interval_of_mirrored_games_is_that_of_their_groups() -> None:
    results: list[ArenaGame] = []
    report = simulate(SHANGHAIEN, shanghaien.Options(), ["random"] * 2, 40, 3, mirrored=True, on_game=results.append)
    assert report.group == 2
    for player, standing in enumerate(report.players):
        shares = [(game.players.index(player) in game.result.winners) / len(game.result.winners) for game in results]
        assert standing.ci95 == grouped(shares, 2)
        assert standing.share == pytest.approx(sum(shares) / 40)


# ----------------------------------------------------------------------------------------------- counting


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_standings_sum_up(players: int) -> None:
    results: list[ArenaGame] = []
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
    results: list[ArenaGame] = []
    report = simulate(SHANGHAIEN, shanghaien.Options(), ["random", "random"], 150, 1, on_game=results.append)
    drawn = sum(len(game.result.winners) == 2 for game in results)
    assert drawn
    for standing in report.players:
        assert standing.draws == drawn
        assert standing.share == pytest.approx((standing.wins + drawn / 2) / 150)


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
        (SHANGHAIEN, shanghaien.Options(), ["greedy", "nobody"], "no computer player “nobody”"),
    ],
)
def test_what_cannot_be_played_is_refused(game: AnyGame, options: Any, players: list[str], sentence: str) -> None:
    with pytest.raises(BadOptions, match=sentence):
        simulate(game, options, players, 1, 1)


def test_what_mirrored_games_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(
        BadOptions, match="in groups of 2, because everyone sits once in each seat: not 7, but 6 or 8"
    ):
        duel(7, mirrored=True)
    with pytest.raises(BadOptions, match=r"in groups of 4, .*: not 3, but 4 or 8"):
        simulate(DUTCHMAN, Dutchman(), FOUR, 3, 1, mirrored=True)
    with pytest.raises(BadOptions, match="Mirrored games cannot be recorded"):
        duel(mirrored=True, folder=tmp_path / "records")
    assert not (tmp_path / "records").exists()


def test_no_processes_play_nothing() -> None:
    with pytest.raises(BadOptions, match="At least one process is needed, not 0"):
        duel(jobs=0)


@pytest.mark.parametrize("games", [0, -3])
def test_no_games_are_no_simulation(games: int) -> None:
    with pytest.raises(BadOptions, match=f"At least one game is needed, not {games}"):
        duel(games)


# ----------------------------------------------------------------------------------------------- bench


def test_a_measurement_has_its_shape() -> None:
    """Check only that every measurement is reported: no speed is required here."""
    progress: list[tuple[str, int, float]] = []
    measured = bench.measure(
        runs=2, seconds=0, on_run=lambda game, players, speed: progress.append((game, players, speed))
    )
    assert {(speed.game, speed.players) for speed in measured.speeds} == {
        ("shanghaien", 2), ("dutchman", 3), ("dutchman", 4), ("dutchman", 5), ("dutchman", 6),
    }  # fmt: skip
    assert len(progress) == 2 * len(measured.speeds)
    for speed in measured.speeds:
        assert len(speed.runs) == speed.games == 2
        assert speed.slowest == min(speed.runs) <= speed.median <= speed.fastest == max(speed.runs)
        assert speed.decisions >= speed.games
    machine = measured.machine
    assert machine.cores >= 1
    assert all([machine.processor, machine.system, machine.python, machine.kontor])
    assert json.loads(msgspec.json.encode(measured))["speeds"][0]["game"] == "shanghaien"
