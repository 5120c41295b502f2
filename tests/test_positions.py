"""Judged positions: files that follow from the seed and from views alone, and a score of the losses."""

import csv
import json
import re
from collections.abc import Sequence
from functools import cache
from io import StringIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import structs

from bench.league import everybody, league, table
from bench.provenance import weights_digest
from kontor.cli import run
from kontor.game import BadOptions
from kontor.plugins import game_named, plugins
from kontor.positions.adapter import adapter_of
from kontor.positions.making import header_of, judged, make, positions_in, value_of
from kontor.positions.scoring import LostChance, _mean, score_answers, score_player
from kontor.positions.values import (
    FORMAT,
    BadPositions,
    JudgedMove,
    JudgedPosition,
    PositionsFile,
    decode,
    encode_line,
    rules_of,
)
from kontor.puzzles.values import view_from

DOCS = Path(__file__).parents[1] / "docs"
GAMES = tuple(name for name, plugin in plugins().items() if plugin.positions)

pytestmark = pytest.mark.xdist_group("judged positions")


def encode_file(file: PositionsFile) -> bytes:
    return encode_line(file.header) + b"".join(map(encode_line, file.positions))


@cache
def some_positions(game: str) -> tuple[JudgedPosition, ...]:
    """Return all positions of the first game, eight, and some of the second."""
    return tuple(make(game, 1, 10))


@pytest.fixture(params=[pytest.param(game, marks=pytest.mark.long if game == "dutchman" else ()) for game in GAMES])
def positions_file(request: pytest.FixtureRequest) -> PositionsFile:
    """Return a file of either game; judging positions of the Holländer takes five seconds."""
    positions = some_positions(request.param)
    return PositionsFile(header_of(request.param, 1, len(positions)), positions)


@pytest.fixture
def shanghaien() -> PositionsFile:
    return PositionsFile(header_of("shanghaien", 1, 8), some_positions("shanghaien")[:8])


def answers(moves: dict[str, Any]) -> bytes:
    return b"".join(msgspec.json.encode({"id": name, "move": move}) + b"\n" for name, move in moves.items())


# --------------------------------------------------------------------------------------------------------- the file


@pytest.mark.long
def test_a_file_is_read_as_it_was_written(positions_file: PositionsFile) -> None:
    assert decode(encode_file(positions_file)) == msgspec.json.decode(
        msgspec.json.encode(positions_file), type=PositionsFile
    )
    assert encode_file(decode(encode_file(positions_file))) == encode_file(positions_file)


def test_positions_are_of_different_rounds_and_seats_have_a_choice(positions_file: PositionsFile) -> None:
    rules = rules_of(positions_file.header)
    by_game: dict[int, list[int]] = {}
    for position in positions_file.positions:
        by_game.setdefault(position.game, []).append(position.round)
        assert 2 <= len(position.moves) <= position.legal
        view = view_from(rules, position.view)
        assert view.seat == view.mover
        moves = rules.moves(rules.imagine(view, Random(1).randrange))
        assert len(moves) == position.legal
        assert all(msgspec.convert(move.move, rules.move) in moves for move in position.moves)
        assert all(0 <= value <= 1 for move in position.moves for value in (move.a, move.b, move.error or 0.0))
    for rounds in by_game.values():
        assert len(set(rounds)) == len(rounds) <= adapter_of(rules.name).of_a_game
    assert len(by_game) > 1


def test_a_position_follows_from_the_view_alone(positions_file: PositionsFile) -> None:
    """Check that other hidden hands with the same view give the same line."""
    rules, seed = rules_of(positions_file.header), positions_file.header.seed
    for position in positions_file.positions[:4]:
        view = view_from(rules, position.view)
        number, line = map(int, position.id.split("-"))
        other = rules.imagine(view, Random(1).randrange)
        assert judged(rules, other, seed, number, line) == position, position.id


def test_a_game_gives_the_same_whatever_else_is_made(positions_file: PositionsFile) -> None:
    game, seed = positions_file.header.game, positions_file.header.seed
    several = tuple(position for position in positions_file.positions if position.game == 1)
    assert several
    assert positions_in(game, seed, 1)[: len(several)] == several
    assert positions_in(game, seed + 1, 1)[: len(several)] != several


def test_the_tables_let_everybody_sit_everywhere() -> None:
    for game in GAMES:
        tables = adapter_of(game).tables
        assert all(len(tables) % count for count in range(2, 7))
        for options, players in tables:
            assert game_named(game).seats(options) == len(players)


@pytest.mark.long
def test_any_number_of_processes_writes_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "by two"
    assert run(["positions", "make", "shanghaien", "--positions", "9", "--jobs", "2", "--out", str(path)]) == 0
    by_one = PositionsFile(header_of("shanghaien", 1, 9), some_positions("shanghaien")[:9])
    assert path.read_bytes() == encode_file(by_one)


def test_a_game_without_them_is_refused() -> None:
    with pytest.raises(BadOptions):
        header_of("chess", 1, 1)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"positions": 0}, "version 0 of the format; this Kontor reads version 1"),
        ({"rules": 99}, "version 99 of the rules of shanghaien"),
        ({"game": "chess"}, "a game that is not here: There is no game “chess”"),
        ({"count": 9}, "8 of 9 positions: it was cut off"),
        ({"seed": "one"}, "Line 1 is not as it must be: “seed” must be a whole number"),
    ],
)
def test_another_file_is_refused_by_name(shanghaien: PositionsFile, change: dict[str, Any], reason: str) -> None:
    header = {**msgspec.to_builtins(shanghaien.header), **change}
    with pytest.raises(BadPositions, match=reason):
        decode(msgspec.json.encode(header) + b"\n" + b"".join(map(encode_line, shanghaien.positions)))


def test_damage_is_named(shanghaien: PositionsFile) -> None:
    data = encode_file(shanghaien)
    for damaged, reason in (
        (b"", "The file is empty"),
        (data[:-20], "Line 9 is not JSON"),
        (data.replace(b'"round":', b'"ground":', 1), "Line 2 is not as it must be: “round” is missing"),
        (encode_line(structs.replace(shanghaien.header, count=0)), "The file has no positions"),
        (encode_line(shanghaien.header) + encode_line(shanghaien.positions[0]) * 8, "has positions twice"),
    ):
        with pytest.raises(BadPositions, match=reason):
            decode(damaged)


def test_a_move_that_was_not_judged_is_valued_when_somebody_makes_it(positions_file: PositionsFile) -> None:
    """Check that a move's value does not depend on the other moves that are judged."""
    rules = rules_of(positions_file.header)
    for position in positions_file.positions[:6]:
        view = view_from(rules, position.view)
        for one in position.moves[1:3]:
            move = msgspec.convert(one.move, rules.move)
            (again,) = value_of(rules.name, positions_file.header.seed, position.id, view, [move])
            assert (again.a, again.b) == (one.a, one.b)
    missing = next((each for each in positions_file.positions if each.legal > len(each.moves)), None)
    assert (missing is None) == (rules.name == "shanghaien")
    if missing:
        moves = rules.moves(rules.imagine(view_from(rules, missing.view), Random(1).randrange))
        listed = [msgspec.convert(move.move, rules.move) for move in missing.moves]
        other = next(move for move in moves if move not in listed)
        header = structs.replace(positions_file.header, count=1)
        alone = PositionsFile(header, (missing,))
        score = score_answers(alone, "", answers({missing.id: msgspec.to_builtins(other)}))
        assert score.total.at_most >= 0


# -------------------------------------------------------------------------------------------------------- the score


def with_values(
    position: JudgedPosition, name: str, game: int, values: Sequence[tuple[float, float]]
) -> JudgedPosition:
    """Return the position with other values of its moves; the last value stands for all further moves."""
    pairs = [values[min(place, len(values) - 1)] for place in range(len(position.moves))]
    moves = tuple(JudgedMove(one.move, a, b) for one, (a, b) in zip(position.moves, pairs, strict=True))
    return structs.replace(position, id=name, game=game, moves=moves)


def test_the_best_move_is_chosen_by_one_judgement_and_valued_by_the_other(shanghaien: PositionsFile) -> None:
    """Compute it by hand: A prefers the first move, B the second."""
    one = next(position for position in shanghaien.positions if len(position.moves) >= 3)
    values = [(0.6, 0.4), (0.5, 0.5), (0.1, 0.1)]
    positions = tuple(with_values(one, f"{game}-1", game, values) for game in range(2))
    file = PositionsFile(structs.replace(shanghaien.header, count=2), positions)
    first, second, third = (move.move for move in positions[0].moves[:3])
    both = score_answers(file, "by hand", answers({"0-1": first, "1-1": third}))
    # The first: (0.4 − 0.4 + 0.5 − 0.6) / 2 = −0.05; the third: (0.4 − 0.1 + 0.5 − 0.1) / 2 = 0.35.
    assert both.total.lost == pytest.approx(0.15)
    assert both.total.at_most == pytest.approx(0.2)
    assert both.best == 0.5
    assert both.seconds is None
    # Two clusters, 0.2 to either side of the mean: a standard error of 0.2 with one degree of freedom.
    assert both.total.ci95 == pytest.approx((0.15 - 12.706205 * 0.2, 0.15 + 12.706205 * 0.2))
    same = score_answers(file, "by hand", answers({"0-1": second, "1-1": second}))
    assert same.total.lost == pytest.approx((0.4 - 0.5 + 0.5 - 0.5) / 2)


def test_luck_of_the_judgements_is_not_taken_for_losses() -> None:
    """Check equally good moves with noisy judgements: nobody loses anything, except in the upper figure."""
    drawing = Random(1)
    rounds = []
    for game in range(400):
        values = [JudgedMove(move, drawing.gauss(0.5, 0.1), drawing.gauss(0.5, 0.1)) for move in range(8)]
        by_a, by_b = max(values, key=lambda each: each.a), max(values, key=lambda each: each.b)
        mine = values[0]
        lost = (by_a.b - mine.b + by_b.a - mine.a) / 2
        rounds.append(LostChance(game, 1, lost, max(each.both for each in values) - mine.both, None))
    mean = _mean(rounds)
    assert mean.ci95
    assert mean.ci95[0] < 0 < mean.ci95[1]
    assert mean.at_most > 0.05


def test_decisions_of_one_game_are_one_observation() -> None:
    lost = [LostChance(game, 1, 0.1 * (game % 2), 0.0, None) for game in range(20)]
    once, thrice = _mean(lost), _mean(lost * 3)
    assert thrice.ci95 == pytest.approx(once.ci95)
    assert thrice.positions == 60
    assert _mean(lost[:1] * 5).ci95 is None


def test_the_expert_loses_next_to_nothing_and_random_more_than_it(positions_file: PositionsFile) -> None:
    strong, weak = (score_player(positions_file, player) for player in ("expert", "random"))
    assert strong.total.lost < 0.02
    assert weak.total.lost > strong.total.lost + 0.01
    assert strong.total.lost <= strong.total.at_most
    assert (
        sum(part.positions for part in weak.rounds.values()) == weak.total.positions == len(positions_file.positions)
    )
    if positions_file.header.game == "shanghaien":
        assert strong.total.at_most == 0
        assert strong.best == 1
    again = score_player(positions_file, "random")
    assert again.total == weak.total


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"9-99": {"move": "roll"}}, "There is no position 9-99 in the file"),
        ({"FIRST": None}, "Position .* has no answer"),
        ({"FIRST": {"move": "sail"}}, "is not a move: “move” cannot be “sail”"),
        ({"FIRST": {"move": "place", "die": 7}}, "is not legal: "),
    ],
)
def test_answers_that_do_not_fit_are_refused_by_name(
    shanghaien: PositionsFile, change: dict[str, Any], reason: str
) -> None:
    good = {position.id: position.moves[0].move for position in shanghaien.positions}
    first = shanghaien.positions[0].id
    given = {**good, **{first if name == "FIRST" else name: move for name, move in change.items()}}
    with pytest.raises(BadPositions, match=reason):
        score_answers(shanghaien, "", answers({name: move for name, move in given.items() if move}))
    with pytest.raises(BadPositions, match="answered twice"):
        score_answers(shanghaien, "", answers(good) * 2)
    with pytest.raises(BadPositions, match="Line 1 is not JSON"):
        score_answers(shanghaien, "", b"{\n")
    assert score_answers(shanghaien, "", answers(good)).total.positions == len(good)


# ------------------------------------------------------------------------------------------------------ the commands


@pytest.mark.long
def test_the_commands_make_and_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "positions.jsonl"
    make_it = ["positions", "make", "shanghaien", "--positions", "6", "--out", str(path)]
    assert run(make_it) == 0
    assert "6 positions are in" in capsys.readouterr().out
    assert run(make_it) == 2
    assert "already exists" in capsys.readouterr().err
    assert run(["positions", "score", str(path), "--player", "casual", "--json"]) == 0
    score = json.loads(capsys.readouterr().out)
    assert score["player"] == "casual"
    assert score["total"]["positions"] == 6
    written = tmp_path / "answers.jsonl"
    lines = map(json.loads, islice(path.read_text("utf-8").splitlines(), 1, None))
    written.write_bytes(
        b"".join(
            msgspec.json.encode({"id": line["id"], "move": line["moves"][0]["move"], "seconds": 0.25}) + b"\n"
            for line in lines
        )
    )
    assert run(["positions", "score", str(path), "--answers", str(written)]) == 0
    out = capsys.readouterr().out
    assert "A decision takes 250.0 ms." in out
    assert run(["positions", "score", str(path)]) == 2
    assert run(["positions", "score", str(path), "--player", "nobody"]) == 2
    path.write_bytes(path.read_bytes().replace(f'"positions":{FORMAT}'.encode(), b'"positions":0', 1))
    assert run(["positions", "score", str(path), "--player", "casual"]) == 1
    assert "version 0 of the format" in capsys.readouterr().err


@pytest.mark.long
def test_the_commands_of_the_page_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "positions.md").read_text("utf-8")
    commands = re.findall(r"^    kontor (positions .*)$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        assert run(command.split()) == 0, command
        made = decode(Path("shanghaien.jsonl").read_bytes())
        Path("answers.jsonl").write_bytes(
            answers({position.id: position.moves[-1].move for position in made.positions})
        )


def test_the_sample_is_read() -> None:
    """Check only that it can be read: other players would make another sample today."""
    sample = decode((DOCS / "positions.jsonl").read_bytes())
    assert score_player(sample, "random").total.positions == sample.header.count


# -------------------------------------------------------------------------------------------------------- the league


def test_the_league_scores_all_and_pairs_each_with_each(shanghaien: PositionsFile) -> None:
    rows = league(shanghaien, ["random", "casual", "greedy"], games=2, seed=1, jobs=1)
    assert {player: set(row.against) for player, row in rows.items()} == {
        player: set(rows) - {player} for player in rows
    }
    for player, row in rows.items():
        assert row.score == structs.replace(score_player(shanghaien, player), seconds=row.score.seconds)
        for other, standing in row.against.items():
            assert standing.games == 2
            assert standing.share + rows[other].against[player].share == pytest.approx(1)
    head, *lines = csv.reader(StringIO(table(shanghaien, rows, "python -m bench.league shanghaien --games 2", 1)))
    assert [line[0] for line in lines] == ["random", "casual", "greedy"]
    assert all(line[head.index(f"against {line[0]}")] == "" for line in lines)
    origin = [dict(zip(head, line, strict=True)) for line in lines]
    assert {(row["n"], row["games"], row["groups"], row["seed"]) for row in origin} == {("8", "2", "1", "1")}
    assert {row["weights"] for row in origin} == {weights_digest("shanghaien")}
    assert lines[1][1] == f"{100 * rows['casual'].score.total.lost:.2f}"


def test_the_league_has_every_player_once() -> None:
    assert everybody("shanghaien", "10") == [
        *("random", "casual", "keen", "greedy", "steady", "strong", "expert"),
        "mcts:10",
    ]
    assert everybody("dutchman", "10") == [
        *("random", "casual", "keen", "steady", "strong", "expert"),
        *("ismcts:10", "swift:10"),
    ]
