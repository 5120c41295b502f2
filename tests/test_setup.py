"""``scripts/environment.sh``, without the installing of packages: one of two simultaneous first commands waits."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copy

import pytest

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]

FIRST_COMMAND = """
set -euo pipefail
source scripts/environment.sh
set_up() {
    mkdir busy
    sleep 0.2
    mkdir -p .venv/bin
    ln -sf "$PYTHON" .venv/bin/python
    echo "$1" >>made
    if [[ -d src ]]; then touch src/kontor/locale/de/LC_MESSAGES/kontor.mo; fi
    rmdir busy
}
environment "$1"
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    copy(ROOT / "scripts" / "environment.sh", tmp_path / "scripts")
    for name in ("pyproject.toml", "uv.lock"):
        (tmp_path / name).write_text(name, "utf-8")
    return tmp_path


def first_command(clone: Path, kind: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        ["bash", "-c", FIRST_COMMAND, "bash", kind],
        cwd=clone,
        env={"PATH": "/usr/bin:/bin", "PYTHON": sys.executable},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_of_two_first_commands_one_sets_up_and_the_other_waits(clone: Path) -> None:
    both = [first_command(clone, "play") for _ in range(2)]
    messages = [command.communicate()[1] for command in both]
    assert [command.returncode for command in both] == [0, 0], messages
    assert (clone / "made").read_text("utf-8") == "play\n"
    assert not (clone / ".kontor" / "turn").is_symlink()


def test_whoever_was_killed_while_setting_up_keeps_nobody_waiting(clone: Path) -> None:
    with subprocess.Popen(["true"]) as ended:
        ended.wait()
    (clone / ".kontor").mkdir()
    (clone / ".kontor" / "turn").symlink_to(str(ended.pid))
    command = first_command(clone, "dev")
    assert command.communicate()[1] == "Setting up Kontor and the tools for its tests (once) …\n"
    assert command.returncode == 0
    assert (clone / "made").read_text("utf-8") == "dev\n"
    assert not (clone / ".kontor" / "turn").is_symlink()
    again = first_command(clone, "play")
    assert again.communicate()[1] == "", "whoever can test can play"
    assert (clone / "made").read_text("utf-8") == "dev\n"


def test_a_catalogue_that_was_edited_is_compiled_by_the_next_command(clone: Path) -> None:
    folder = clone / "src" / "kontor" / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    edited = folder / "kontor.po"
    edited.touch()
    messages = [first_command(clone, "play").communicate()[1] for _ in range(2)]
    later = (folder / "kontor.mo").stat().st_mtime + 1
    os.utime(edited, (later, later))
    messages.append(first_command(clone, "play").communicate()[1])
    assert messages == ["Setting up Kontor (once) …\n", "", "Bringing Kontor up to date …\n"]
    assert (clone / "made").read_text("utf-8") == "play\nplay\n"
