"""The command line: help, a sentence for every error, and small commands."""

import json
import os
import re
from pathlib import Path

import pytest

from kontor.cli import run
from kontor.distribution import installed_version

from .commands import CHART

COMMANDS = ["play", "simulate", "replay", "review", "verify", "chart", "bench", "serve"]
COMMANDS += ["backup", "restore", "move", "migrate"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_with_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"kontor {command} [OPTIONS]" in out
    assert re.search(rf"Examples?:\n +kontor {command}", out)
    assert all(len(line) <= 80 for line in out.splitlines())


def test_without_a_command_help_is_shown_and_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    out = capsys.readouterr().out
    assert all(command in out for command in COMMANDS)
    assert run(["--version"]) == 0
    assert re.fullmatch(r"kontor \d+\.\d+.*\n", capsys.readouterr().out)


def test_a_language_without_a_catalogue_falls_back_to_english(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--language", "tlh", "chart"]) == 0
    assert "Neighbours" in capsys.readouterr().out


WRONG = {
    "no such command": (["sail"], "No such command 'sail'. See kontor --help."),
    "a command that has left": (["train", "dutchman", "--jobs", "2"], "run python -m training train in a clone"),
    "the help of another": (["gauge", "--help"], "run python -m training gauge in a clone"),
    "no such option": (["play", "shanghaien", "--trick", "1"], "There is no option --trick."),
    "no game": (["play"], "Which game?"),
    "another game": (["play", "chess"], "There is no game “chess”"),
    "missing file": (["verify"], "FILE is missing."),
    "no cores": (["bench", "--cores", "0"], "--cores does not take this value. See kontor bench --help."),
    "no streams": (["serve", "--streams", "0"], "--streams does not take this value. See kontor serve --help."),
    "no days": (["serve", "--keep", "0"], "--keep does not take this value. See kontor serve --help."),
    "holidays below none": (
        ["serve", "--holidays", "-1"],
        "--holidays does not take this value. See kontor serve --help.",
    ),
    "tricks that do not sum to 8": (["play", "shanghaien", "--tricks", "3,3,3"], "make 9. (S2)"),
    "tricks that are no numbers": (["play", "shanghaien", "--tricks", "a,b,c"], "“a” is not a whole number. (S2)"),
    "two kinds of tricks": (["play", "shanghaien", "--tricks", "4,4"], "(S2)"),
    "a negative trick": (["play", "shanghaien", "--tricks=-1,4,5"], "(S2)"),
    "no such trick": (["play", "shanghaien", "--first-trick", "cheat"], "“cheat”"),
    "a starter who is not there": (["play", "shanghaien", "--seat", "Anna", "--starter", "Xaver"], "(S3)"),
    "an option of the other game": (["play", "shanghaien", "--circles", "2"], "no option --circles"),
    "too many players": (["play", "shanghaien", "--players", "a,b,c"], "2"),
    "too few merchants": (["play", "dutchman", "--players", "Anna,Bernd"], "not 2. (H4)"),
    "too many merchants": (["play", "dutchman", "--players", "a,b,c,d,e,f,g"], "not 7. (H4)"),
    "too many circles": (["play", "dutchman", "--circles", "6"], "not 6. (H9)"),
    "a check that there is not": (["play", "dutchman", "--check", "always"], "not “always”. (H11a)"),
    "circles that are no number": (["play", "dutchman", "--circles", "two"], "(H9)"),
    "no such computer player": (["play", "shanghaien", "--seat", "Anna=clever"], "“clever”"),
    "two of one name": (["play", "shanghaien", "--players", "Anna,anna"], "called Anna"),
    "a seat without a name": (["play", "shanghaien", "--players", "Anna,"], "needs a name"),
    "too long a name": (["play", "shanghaien", "--players", f"{'A' * 70},Bernd"], "70"),
    "a name that hides": (["play", "shanghaien", "--players", "A\x1b[2J,Bernd"], "control character"),
    "a chart that is not there": (["play", "dutchman", "--chart", "none.toml"], "none.toml cannot be used"),
    "a chart that is a folder": (["chart", "."], "cannot be used"),
    "a chart that is garbage": (["chart", "garbage"], "is not a text in UTF-8. (H3)"),
    "a chart that is no chart": (["chart", "empty"], "(H3)"),
    "a chart with two ships too few": (["chart", "broken.toml"], "three ships of each colour"),
    "a chart with a name that hides": (["chart", "hidden.toml"], "visible characters"),
    "a chart with a name too long": (["chart", "long.toml"], "1 to 20 visible characters"),
    "a record that is not there": (["replay", "none"], "none cannot be used"),
    "a record that is a folder": (["verify", "."], "cannot be used"),
    "a record that is garbage": (["verify", "garbage"], "Line 1: "),
    "a record that is empty": (["replay", "empty", "--all"], "The file is empty."),
    "a chart instead of a record": (["play", "--resume", "broken.toml"], "Line 1: "),
    "a game to go on that is not there": (["play", "--resume", "none"], "none cannot be used"),
    "going on with more": (["play", "shanghaien", "--resume", "x"], "--resume takes a file and nothing else"),
    "a file that is there already": (["play", "shanghaien", "--save", "garbage"], "The file garbage already exists"),
    "a folder that is not there": (["play", "shanghaien", "--save", "no/such/file"], "cannot be used"),
    "no games": (["simulate", "shanghaien", "--games", "0"], "from 1 on, not “0”"),
    "games that are no number": (["simulate", "shanghaien", "--games", "many"], "not “many”"),
    "a seed that is no number": (["simulate", "shanghaien", "--seed", "x"], "not “x”"),
    "people in a simulation": (["simulate", "shanghaien", "--players", "Anna,greedy"], "“Anna”"),
    "too few players in a simulation": (["simulate", "shanghaien", "--players", "greedy"], "2 seats"),
    "too many players in a simulation": (["simulate", "dutchman", "--players", ",".join(["random"] * 7)], "(H4)"),
    "records in a file": (["simulate", "shanghaien", "--games", "1", "--records", "garbage"], "garbage"),
    "jobs that are no number": (["simulate", "shanghaien", "--jobs", "every"], "--jobs takes a whole number"),
    "no jobs": (["simulate", "shanghaien", "--jobs", "0"], "from 1 on, not “0”"),
    "a budget for who needs none": (["play", "shanghaien", "--seat", "greedy:5"], "it takes no budget"),
    "an odd number of mirrored games": (["simulate", "shanghaien", "--games", "7", "--mirrored"], "but 6 or 8"),
    "mirrored records": (["simulate", "shanghaien", "--mirrored", "--records", "r"], "cannot be recorded"),
    "an option without a value": (["simulate", "shanghaien", "--games"], "--games"),
    "one argument too many": (["verify", "a", "b"], "b"),
}


@pytest.mark.parametrize(("arguments", "part"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_said_in_a_sentence(
    arguments: list[str], part: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("garbage").write_bytes(bytes(range(256)) * 4)
    Path("empty").write_bytes(b"")
    Path("broken.toml").write_text(CHART.read_text("utf-8").replace("red    = [[1, 0], ", "red = ["), "utf-8")
    Path("hidden.toml").write_text(CHART.read_text("utf-8").replace("Madeira", "\\u001b[2J"), "utf-8")
    twice = CHART.read_text("utf-8").replace("Madeira", "\\u001b[2J").replace("Java", "\\u001b[2J")
    Path("twice.toml").write_text(twice, "utf-8")
    Path("long.toml").write_text(CHART.read_text("utf-8").replace("Madeira", "Madeira" * 4), "utf-8")
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        code = run(arguments)
    output = capsys.readouterr()
    sentence = " ".join(output.err.split())
    assert code in (1, 2)
    assert part in sentence
    assert sentence.endswith((".", ")", "?"))
    assert not re.search(r"Traceback|Error|[Ii]nvalid|\buser\b", sentence.partition("JSON is malformed")[0])
    assert all(len(line) <= 80 for line in output.err.splitlines())
    assert not list(Path().glob("*.jsonl*"))


def test_a_forged_record_names_the_line_and_the_rule(game_over: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = game_over.read_text("utf-8").splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if '"place"' in line)
    lines[place] = re.sub(r'"die":(\d)', lambda match: f'"die":{int(match[1]) % 6 + 1}', lines[place])
    game_over.write_text("".join(lines), "utf-8")
    for command in ("verify", "replay"):
        assert run([command, str(game_over)]) == 1
        assert f"Line {place + 1}: You did not roll" in " ".join(capsys.readouterr().err.split())


def test_going_on_with_a_game_that_is_over_is_refused(game_over: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "--resume", str(game_over)]) == 1
    assert "The game is over: it cannot go on." in " ".join(capsys.readouterr().err.split())


def test_bench_tells_the_machine_and_the_speeds(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the speeds of the rules; ``environments/test_speed.py`` has those of batches and OpenSpiel too."""
    for name in ("_in_batches", "_in_openspiel"):
        monkeypatch.setattr(f"kontor.cli.bench.{name}", lambda words, measured, seconds: measured)
    assert run(["bench", "--seconds", "0"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"shanghaien +2( +[1-9][\d,]*){3} *\n", out)
    assert re.findall(r"dutchman +(\d)(?: +[1-9][\d,]*){3} *\n", out) == [*"4356"]
    assert f"Kontor {installed_version()}" in " ".join(out.split())
    assert run(["bench", "--json", "--seconds", "0"]) == 0
    assert json.loads(capsys.readouterr().out)["speeds"][0]["median"] > 0
    assert run(["bench", "--seconds", "soon"]) != 0


def test_the_chart_is_drawn_in_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["chart"]) == 0
    out = capsys.readouterr().out
    assert run(["chart", str(CHART)]) == 0
    assert capsys.readouterr().out == out
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "18 ships, 6 islands, 40 lines. The Dutchman starts on Holland." in out
