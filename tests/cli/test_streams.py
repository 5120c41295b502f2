"""Closed streams and odd terminals: every command ends with its output, or with a sentence."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from kontor import arena
from kontor.cli import run
from kontor.games.shanghaien.rules import SHANGHAIEN, Options
from kontor.terminal.screen import WIDTH, columns, console

pytestmark = pytest.mark.process

RECORD: Final = "game.jsonl"
COMMANDS: Final[tuple[tuple[int, list[str]], ...]] = (
    (0, ["--help"]),
    (0, ["play", "shanghaien", "--save", "new.jsonl"]),
    (1, ["play", "--resume", "missing.jsonl"]),
    (0, ["replay", RECORD]),
    (0, ["replay", "--all", RECORD]),
    (0, ["simulate", "shanghaien", "--games", "2", "--json", "--jobs", "2"]),
    (0, ["migrate", "--data", "tables"]),
    (2, ["serve", "--port", "no"]),
    (0, ["verify", RECORD]),
)
"""Commands with their exit codes."""


@pytest.fixture(autouse=True)
def _record(tmp_path: Path) -> None:
    arena.simulate(SHANGHAIEN, Options(), ["random", "random"], 1, 1, folder=tmp_path / "games")
    next((tmp_path / "games").iterdir()).rename(tmp_path / RECORD)


def run_redirected(
    folder: Path, arguments: list[str], redirected: str = "", **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a command by the shell, with its streams redirected and an empty input."""
    return subprocess.run(
        ["bash", "-c", f'exec "$@" {redirected}', "bash", sys.executable, "-m", "kontor.cli", *arguments],
        cwd=folder,
        env={**os.environ, "LANGUAGE": "en", "NO_COLOR": "1", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
    )


@pytest.mark.parametrize(("closed", "commands"), [("<&-", 9), (">&-", 2), ("2>&-", 2), ("<&- >&- 2>&-", 2)])
def test_no_command_needs_the_stream_that_is_closed(tmp_path: Path, closed: str, commands: int) -> None:
    for code, arguments in COMMANDS[-commands:]:
        result = run_redirected(tmp_path, arguments, closed)
        for left in ("new.jsonl", "new.jsonl.seed"):
            (tmp_path / left).unlink(missing_ok=True)
        assert "Traceback" not in result.stdout + result.stderr
        assert result.returncode == code, (arguments, result.stderr)
        assert result.stdout or ">&-" in closed or code


def test_no_database_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """Keep output for a closed stream from being written into the database."""
    script = (
        "import os, sys; from kontor.terminal.screen import open_closed_streams; open_closed_streams();"
        "file = open('file', 'w'); os.write(2, b'warning'); print(file.fileno() > 2, os.stat('file').st_size,"
        " file=open('told', 'w'))"
    )
    subprocess.run(
        ["bash", "-c", 'exec "$@" <&- >&- 2>&-', "bash", sys.executable, "-c", script], cwd=tmp_path, check=True
    )
    assert (tmp_path / "told").read_text("utf-8") == "True 0\n"


def test_a_reader_that_has_gone_ends_a_command_without_a_word(tmp_path: Path) -> None:
    for _, arguments in (COMMANDS[0], COMMANDS[4], COMMANDS[-1]):
        result = run_redirected(tmp_path, arguments, "> >(true)")
        for left in ("new.jsonl", "new.jsonl.seed"):
            (tmp_path / left).unlink(missing_ok=True)
        assert "Traceback" not in result.stderr, arguments
        assert "Exception ignored" not in result.stderr, arguments


SIZES: Final = ("0", "-1", "", "abc", "²", "1.5", "100000", "9" * 5000, "00", " 80 ")


@pytest.mark.parametrize("size", SIZES)
def test_a_size_that_says_nothing_is_as_none(size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.delenv("LINES", raising=False)
    usual = console().size
    monkeypatch.setenv("COLUMNS", size)
    monkeypatch.setenv("LINES", size)
    assert console().size == usual
    assert console().width == min(columns(), WIDTH)


def test_odd_terminals_are_written_on(tmp_path: Path) -> None:
    usual = run_redirected(tmp_path, ["verify", RECORD]).stdout
    assert usual
    odd = [
        {"COLUMNS": size, "LINES": size, "TERM": term} for size, term in (("0", ""), ("²", "dumb"), ("9" * 5000, "x"))
    ]
    odd += [{"LC_ALL": "C", "PYTHONUTF8": "0", "HOME": "/nowhere"}]
    for environment in odd:
        result = run_redirected(tmp_path, ["verify", RECORD], **environment)
        assert (result.stdout, result.stderr, result.returncode) == (usual, "", 0), environment


def test_a_small_terminal_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "12")
    assert console().size == (40, 12)


@pytest.mark.parametrize("command", [["replay", "--all"], ["verify"], ["review"], ["play", "--resume"]])
def test_what_is_no_record_is_said_in_a_sentence(
    tmp_path: Path, command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANGUAGE", "en")
    record = (tmp_path / RECORD).read_bytes()
    (tmp_path / "with bom").write_bytes(b"\xef\xbb\xbf" + record)
    (tmp_path / "crlf").write_bytes(record.replace(b"\n", b"\r\n"))
    (tmp_path / "latin").write_bytes(record.replace(b"random", b"r\xe4ndom"))
    (tmp_path / "utf-16").write_bytes(record.decode().encode("utf-16"))
    (tmp_path / "empty").touch()
    (tmp_path / "a folder").mkdir()
    for name in (
        "with bom",
        "crlf",
        "latin",
        "utf-16",
        "empty",
        "a folder",
        "-",
        "/dev/null",
        "missing",
        "x" * 300,
        "",
    ):
        assert run([*command, name]) in (1, 2), name
        assert capsys.readouterr().err.strip(), name
