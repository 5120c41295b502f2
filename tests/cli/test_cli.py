"""The command line: whole games through real terminals and pipes, and a sentence for every error."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from batch.groups import OF_DUTCHMAN
from kontor import arena
from kontor.cli import run
from kontor.distribution import installed_version
from kontor.endings import early_end
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as Shanghaien
from kontor.recording import save_seed, seed_path
from kontor.records import Record, ended_early, read, verify, write
from kontor.work.one_core import ONE_CORE
from test_records import WITHOUT
from timeouts import HANG_TIMEOUT, waited_for

COMMANDS = ["play", "simulate", "replay", "review", "verify", "chart", "bench", "serve"]
COMMANDS += ["backup", "restore", "move", "migrate"]
CHART = Path(__file__).parents[2] / "src/kontor/games/dutchman/rules/chart.toml"
KONTOR = [sys.executable, "-m", "kontor.cli"]


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Run in an empty folder, in English, without colours."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setenv("LOGNAME", "mina")
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def game_over(tmp_path: Path) -> Path:
    """Return the record of a finished game of Shanghaien."""
    arena.simulate(SHANGHAIEN, Shanghaien(), ["random", "random"], 1, 1, folder=tmp_path / "games")
    return next((tmp_path / "games").iterdir())


@pytest.fixture
def voyage(tmp_path: Path) -> Path:
    """Return the record of a finished game of the Holländer."""
    players = ["greedy", "random", "random"]
    arena.simulate(DUTCHMAN, Dutchman(players=3), players, 1, 2, folder=tmp_path / "voyages")
    return next((tmp_path / "voyages").iterdir())


# ------------------------------------------------------------------------------------------------ help


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


# --------------------------------------------------------------------------------------------------- errors

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


# ------------------------------------------------------------------------------------------ records


def test_of_a_game_that_was_ended_early_it_is_told_how(
    game_over: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complete = read(game_over)
    assert complete.ending
    left = Record(complete.header, complete.steps[:6])
    early = ended_early(left, bytes.fromhex(complete.ending.seed), early_end("resigned", 1, 2))
    write(tmp_path / "early.jsonl", early)
    sentence = f"{complete.header.seats[1]} has resigned: {complete.header.seats[0]} wins."
    for command in (["verify"], ["replay", "--all"]):
        assert run([*command, str(tmp_path / "early.jsonl")]) == 0
        assert capsys.readouterr().out.rstrip().endswith(sentence)


def test_verify_says_what_was_verified(game_over: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(game_over)]) == 0
    out = capsys.readouterr().out
    assert re.search(r"Moves: all \d+ steps follow the rules\.", out)
    assert re.search(r"Dice: all \d+ outcomes of chance follow from the seed\.", out)
    assert "Commitment: the seed is the one that line 1 commits to." in out
    assert re.search(r"Result: random \d has \d+ and random \d has \d+\.", out)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "is the one that was promised. The game began without the contribution of Bernd. Result: ",
        ),
        (
            "de",
            "Jeder Beitrag ist der, der versprochen wurde. Die Partie hat ohne den Beitrag von Bernd begonnen.",
        ),
        (
            "fr",
            "bien celle qui avait été promise. La partie a commencé sans la contribution de Bernd.",
        ),
        ("it", "Ogni contributo è proprio quello promesso. La partita è iniziata senza il contributo di Bernd."),
        (
            "ja",
            "ダイスに加えられた値は、どれも約束されたものと一致します。 ゲームはBerndの値を加えずに始まりました。",
        ),
    ],
)
def test_verify_says_whose_share_was_left_out(
    capsys: pytest.CaptureFixture[str], language: str, sentence: str
) -> None:
    write(Path("strict.jsonl"), WITHOUT)
    assert run(["--language", language, "verify", "strict.jsonl"]) == 0
    output = "".join(capsys.readouterr().out.split())  # without the line breaks
    assert "".join(sentence.split()) in output


def test_replay_prints_a_whole_game_or_steps_through_it(
    game_over: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["replay", str(game_over), "--all"]) == 0
    everything = capsys.readouterr().out
    assert everything.count(" is over: ") == 8
    assert re.search(r"(wins by \d+ to \d+|A draw, \d+ all)\.\n$", everything)
    with Path("keys").open("w+") as keys:
        keys.write("n\nb\nback\nwhat\nn\nq\n")
        keys.seek(0)
        monkeypatch.setattr("sys.stdin", keys)
        assert run(["replay", str(game_over)]) == 0
    stepped = re.findall(r"Step (\d+) of", capsys.readouterr().out)
    assert stepped[0] == "0"
    assert int(stepped[2]) == int(stepped[1]) - 1
    assert int(stepped[4]) == int(stepped[1])


def test_replay_opens_all_hands_only_when_the_game_is_over(voyage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(voyage), "--all"]) == 0
    opened = capsys.readouterr().out
    assert len(re.findall(r"^(?:greedy|random 1|random 2) +[BYGORV] \d", opened, re.M)) > 10
    assert run(["replay", str(voyage), "--all", "--seat", "GREEDY"]) == 0
    own = capsys.readouterr().out
    assert not re.search(r"random \d plays a Kontor card and draws|random \d lays [\d ]+ face down", own)
    unfinished = voyage.with_name("left.jsonl")
    unfinished.write_bytes(b"".join(voyage.read_bytes().splitlines(keepends=True)[:40]))
    assert run(["replay", str(unfinished), "--all"]) == 0
    public = capsys.readouterr().out
    assert not re.search(r"draws|face down|^rack|New in the rack", public, re.M)
    assert run(["replay", str(voyage), "--seat", "Nobody"]) == 2


# ------------------------------------------------------------------------------------------- tables


def test_simulate_tells_a_table_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = [
        "simulate",
        "shanghaien",
        "--players",
        "greedy,random",
        "--games",
        "4",
        "--seed",
        "3",
        "--tricks",
        "8,0,0",
    ]
    assert run([*arguments, "--records", "here"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"greedy +4 +\d +\d +[\d.]+% +[\d.]+% – [\d.]+% +[\d.]+", out)
    assert "4 games, seed 3," in out
    for record in (tmp_path / "here").iterdir():
        assert verify(read(record)).result
    assert run([*arguments, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["game"] == "shanghaien"
    assert table["games"] == 4
    assert table["decisions_per_second"] > 0
    assert [player["name"] for player in table["players"]] == ["greedy", "random"]
    for player in table["players"]:
        assert {"name", "games", "wins", "draws", "share", "ci95", "mean_points"} <= set(player)
        low, high = player["ci95"]
        assert 0 <= low <= player["share"] <= high + 1e-9 <= 1 + 1e-9


@pytest.mark.process
def test_simulate_by_several_processes_and_in_mirrors_tells_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "shanghaien", "--players", "steady,greedy", "--games", "6", "--mirrored"]
    assert run(arguments) == 0
    alone = capsys.readouterr().out
    assert re.search(r"steady +6 ", alone)
    assert "interval of 3 groups of 2 games with the same luck" in alone
    assert run([*arguments, "--jobs", "2"]) == 0
    assert re.sub(r"\S+ decisions", "", capsys.readouterr().out) == re.sub(r"\S+ decisions", "", alone)
    assert run([*arguments, "--jobs", "all", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["group"] == 2


@pytest.mark.process
def test_ctrl_c_ends_all_processes_of_a_simulation_with_a_sentence() -> None:
    """Send the signal to all processes at once, as a terminal does.

    None of them is started in the background, where a shell ignores the signal.
    """
    command = ["env", "--default-signal=INT", *KONTOR]
    command += ["simulate", "shanghaien", "--games", "2000", "--jobs", "2", "--records", "here"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, start_new_session=True, encoding="utf-8") as process:
        waited_for(lambda: process.poll() is not None or list(Path().glob("here/*")))
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=HANG_TIMEOUT)
    assert errors == "Stopped before the end.\n"
    assert "greedy" in output, "what came of the games until then"
    assert "seed 1" in output
    assert process.returncode == 130
    waited_for(lambda: not is_there(process.pid))  # the last to end is Python's own helper, which watches over them


def is_there(group: int) -> bool:
    """Return True if any process of a group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


THREADS = """
from atexit import register
from threadpoolctl import threadpool_info
register(lambda: print(*("threads:", *(pool["num_threads"] for pool in threadpool_info()))))
from kontor.cli import main
main()
"""


@pytest.mark.process
def test_games_of_one_seed_are_the_same_however_many_cores_there_are() -> None:
    """Check that matrices are multiplied by one thread, however many cores the machine has.

    NumPy rounds sums of products differently with each number of threads, and the player `expert` decides by them.
    """
    command = [sys.executable, "-c", THREADS, "simulate", "dutchman", "--players", "expert,greedy,greedy"]
    usual = {name: value for name, value in os.environ.items() if name not in ONE_CORE}
    done = subprocess.run([*command, "--games", "1"], env=usual, capture_output=True, text=True, check=True)
    threads = done.stdout.rpartition("threads:")[2].split()
    assert threads
    assert {*threads} == {"1"}


def test_simulate_takes_the_options_of_the_dutchman(capsys: pytest.CaptureFixture[str]) -> None:
    players = "random,random,random,random,random"
    arguments = [
        "simulate",
        "dutchman",
        "--players",
        players,
        "--circles",
        "0",
        "--games",
        "1",
        "--chart",
        str(CHART),
    ]
    assert run([*arguments, "--records", ".", "--json"]) == 0
    (record,) = Path().glob("*.jsonl")
    options = read(record).header.options
    assert options.players == 5
    assert options.circles == 0


def test_h11a_games_with_the_check_are_recorded_and_verified() -> None:
    arguments = ["simulate", "dutchman", "--players", "random,casual,greedy,random", "--check", "on-request"]
    assert run([*arguments, "--games", "3", "--records", "."]) == 0
    records = [*Path().glob("*.jsonl")]
    assert len(records) == 3
    assert [run(["verify", str(record)]) for record in records] == [0, 0, 0]
    steps = [step.action for record in records for step in read(record).steps]
    assert read(records[0]).header.options.may_check
    assert {"Check", "Waive"} <= {type(action).__name__ for action in steps}


@pytest.mark.long
@OF_DUTCHMAN
def test_bench_tells_the_machine_and_the_speeds(capsys: pytest.CaptureFixture[str]) -> None:
    """Check the shortest runs: one game each. No speed is required here."""
    assert run(["bench", "--seconds", "0"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"shanghaien +2( +[1-9][\d,]*){3} *\n", out)
    by_engine_then_vectors = re.findall(r"dutchman +(\d)(?: +[1-9][\d,]*){3} *\n", out)
    assert by_engine_then_vectors == [*"4356", *"4356"]
    in_batches = re.findall(r"dutchman +(\d) +([12])(?: +[\d,]+){3} *\n", out)
    assert in_batches == [(players, cores) for players in "4356" for cores in "12"]
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


# ------------------------------------------------------------------------------ whole games, through a pipe

ANSWERS = {
    "shanghaien": ["roll", "left", *"123456", "shanghai"],
    "dutchman": [
        "smith",
        "kontor",
        "play",
        "a",
        "yes",
        "pass",
        "1",
        "nobody",
        "no",
        "accept",
        "nothing",
        "none",
        *(one + other for one, other in combinations_with_replacement("BYGORV", 2)),
    ],
}


@pytest.mark.process
@pytest.mark.parametrize("game", ["shanghaien", "dutchman"])
def test_a_game_is_played_from_a_file_of_answers(game: str) -> None:
    """Check that an answer without a meaning gets a sentence, and the next one is read."""
    players = {"shanghaien": "Anna,Bernd=greedy", "dutchman": "Anna,Bernd=random,Carla=greedy"}[game]
    answers = "\n".join(ANSWERS[game] * 400)
    command = [*KONTOR, "play", game, "--players", players, "--save", "game.jsonl"]
    done = subprocess.run(command, input=answers, capture_output=True, encoding="utf-8", timeout=HANG_TIMEOUT)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    result = verify(read(Path("game.jsonl"))).result
    assert result, done.stdout[-2000:]
    assert "The record is game.jsonl." in done.stdout
    assert "\x1b" not in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@pytest.mark.process
def test_the_end_of_the_answers_saves_and_leaves() -> None:
    command = [*KONTOR, "play", "shanghaien", "--players", "Anna,Bernd"]
    result = subprocess.run(
        command, input="roll\nleft\n", capture_output=True, encoding="utf-8", timeout=HANG_TIMEOUT
    )
    assert result.returncode == 0
    (record,) = Path().glob("shanghaien-*.jsonl")
    assert f"The game is saved. Resume it with: kontor play --resume {record}" in " ".join(result.stdout.split())
    assert [step.seat >= 0 for step in read(record).steps] == [False, False, True, False, True]
    again = subprocess.run(
        [*KONTOR, "play", "--resume", record], input=b"\xff\xfe\n?\nq\n", capture_output=True, timeout=HANG_TIMEOUT
    )
    assert again.returncode == 0
    assert b"Traceback" not in again.stderr


# ------------------------------------------------------------------------------ at a real terminal


class Terminal:
    """A command at a pseudo-terminal of 80 columns and 30 rows."""

    def __init__(self, *arguments: str) -> None:
        self.output = ""
        self._process, self._fd = pty.fork()
        if not self._process:
            os.environ.update(TERM="xterm", LINES="30", COLUMNS="80")
            os.execv(sys.executable, [*KONTOR, *arguments])  # noqa: S606 (no shell is wanted)

    def until(self, wanted: str) -> str:
        """Return the output from now on until this text appears."""
        begin = len(self.output)
        while wanted not in self.output[begin:]:
            ready, _, _ = select.select([self._fd], [], [], HANG_TIMEOUT)
            assert ready, f"waited for {wanted!r}: {self.output[begin:]}"
            try:
                self.output += os.read(self._fd, 65536).decode("utf-8", "replace")
            except OSError:
                raise AssertionError(f"it ended before {wanted!r}: {self.output[begin:]}") from None
        return self.output[begin:]

    def type(self, keys: str, wanted: str) -> str:
        """Type, and wait until this text appears."""
        os.write(self._fd, keys.encode())
        return self.until(wanted)

    def tell(self, number: signal.Signals) -> None:
        """Send a signal."""
        os.kill(self._process, number)

    def end(self) -> int:
        """Wait for the end; return the exit code."""
        while True:
            try:
                if not os.read(self._fd, 65536):
                    break
            except OSError:
                break
        os.close(self._fd)
        return os.waitstatus_to_exitcode(os.waitpid(self._process, 0)[1])


@pytest.mark.process
@pytest.mark.parametrize("way", ["Ctrl-C", "Ctrl-D", "q", "SIGTERM", "SIGHUP"])
def test_leaving_a_terminal_loses_nothing_and_going_on_goes_on_there(
    way: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check that Anna, who has rolled and leaves, finds the same two dice when she comes back."""
    table = Terminal("play", "shanghaien", "--players", "Anna,Bernd", "--starter", "Anna", "--save", "game.jsonl")
    table.until("Press Enter to begin.")
    table.type("\n", "Anna> ")
    rolled = table.type("roll\n", "Anna> ")
    if way.startswith("SIG"):
        table.tell(signal.Signals[way])
    else:
        keys = {"Ctrl-C": "\x03", "Ctrl-D": "\x04", "q": "q\n"}[way]
        os.write(table._fd, keys.encode())
    table.until("The game is saved. Resume it with: kontor play --resume game.jsonl")
    assert table.end() == 0
    assert "Traceback" not in table.output
    assert seed_path(Path("game.jsonl")).exists()
    dice = re.search(r"┃\d┃  ┃\d┃", rolled)
    assert dice
    Path("leave").write_text("q\n")
    with Path("leave").open() as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert run(["play", "--resume", "game.jsonl"]) == 0
    assert dice[0] in capsys.readouterr().out


@pytest.mark.process
def test_words_of_the_players_go_into_the_dice() -> None:
    table = Terminal("play", "shanghaien", "--players", "Anna,Bernd,".rstrip(","), "--salts", "--save", "game.jsonl")
    output = table.until("Anna, a word for the dice> ")
    table.type("tulip\n", "Bernd, a word for the dice> ")
    table.type("\n", "> ")
    os.write(table._fd, b"q\n")
    assert table.end() == 0
    header = read(Path("game.jsonl")).header
    assert header.salts == ("tulip", "")
    assert header.commitment in output  # committed to before anybody has said a word


@pytest.mark.process
def test_a_game_that_is_open_twice_is_refused_before_anything_is_lost() -> None:
    table = Terminal("play", "shanghaien", "--players", "Anna,Bernd", "--starter", "Anna", "--save", "game.jsonl")
    table.until("Press Enter to begin.")
    table.type("\n", "Anna> ")
    again = Terminal("play", "--resume", "game.jsonl")
    again.until("Anna> ")
    again.type("roll\n", "Anna> ")
    table.type("roll\n", "is the game open twice?")
    assert table.end() == 1
    os.write(again._fd, b"q\n")
    assert again.end() == 0
    assert len(read(Path("game.jsonl")).steps) == 3


def test_a_game_that_was_cut_off_before_its_ending_gets_it(
    game_over: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a file that ends with the last move, because the machine stopped before the result was written."""
    complete = game_over.read_bytes()
    lines = complete.splitlines(keepends=True)
    save_seed(game_over, bytes.fromhex(json.loads(lines[-1])["seed"]))
    game_over.write_bytes(b"".join(lines[:-1]))
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr("sys.stdin", nothing)
        assert run(["play", "--resume", str(game_over)]) == 0
    assert game_over.read_bytes() == complete
    assert not seed_path(game_over).exists()
    assert "points" in capsys.readouterr().out


@pytest.mark.process
def test_a_curtain_falls_between_two_people_with_secrets() -> None:
    table = Terminal("play", "dutchman", "--players", "Anna,Bernd,Carla", "--starter", "Anna", "--save", "game.jsonl")
    table.until("Press Enter to begin.")
    table.type("\n", "Hand the keyboard to Anna, then press Enter. ")
    anna = table.type("\n", "Anna> ")
    assert "rack" in anna
    curtain = table.type("smith\n", "Hand the keyboard to Bernd, then press Enter. ")
    behind = curtain.rsplit("\x1b[3J", 1)[1]  # the history is cleared too
    assert "rack" not in behind
    assert "shares" not in behind
    bernd = table.type("\n", "Bernd> ").rsplit("\x1b[3J", 1)[1]
    rack = next(line for line in anna.splitlines() if line.startswith("rack"))
    assert rack not in bernd
    # The arrow key brings back nothing that Anna typed.
    table.type("\x1b[A\n", "Bernd> ")
    assert "smith" not in table.output.rsplit("Bernd> ", 2)[1].splitlines()[0]
    os.write(table._fd, b"\x03")
    left = table.until("The game is saved.")
    assert "\x1b[3J" in left
    assert table.end() == 0


@pytest.mark.process
def test_colours_are_for_terminals_that_want_them(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Terminal("chart")
    table.until("Neighbours")
    table.end()
    assert "\x1b[94m" not in table.output
    monkeypatch.delenv("NO_COLOR")
    table = Terminal("chart")
    table.until("Neighbours")
    table.end()
    assert "\x1b[" in table.output


def test_simulate_lets_the_player_start_who_is_named_on_whichever_seat(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["simulate", "shanghaien", "--players", "greedy,random", "--starter", "random", "--games", "4",
                "--records", "games"]) == 0  # fmt: skip
    starters = []
    for path in sorted((tmp_path / "games").iterdir()):
        record = read(path)
        starters.append((record.header.options.starter, record.header.players[record.header.options.starter]))
    assert starters == [(1, "random"), (0, "random"), (1, "random"), (0, "random")]
