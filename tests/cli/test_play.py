"""The command ``play``: whole games through real terminals and pipes."""

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

from kontor.cli import run
from kontor.recording import save_seed, seed_path
from kontor.records import read, verify
from timeouts import HANG_TIMEOUT

from .commands import KONTOR

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
