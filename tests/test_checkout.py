"""A clone made by Git for Windows: it has the same bytes as any other (``.gitattributes``)."""

import subprocess
from pathlib import Path

import pytest

from test_package import ROOT, copy_source


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        [
            "git", "-c", "user.name=Anna", "-c", "user.email=anna@example.org", "-c", "init.defaultBranch=main",
            *arguments,
        ],
        cwd=folder,
        check=True,
        capture_output=True,
    )  # fmt: skip


@pytest.mark.process
def test_git_for_windows_changes_no_byte(tmp_path: Path) -> None:
    source, clone = tmp_path / "source", tmp_path / "clone"
    source.mkdir()
    copy_source(source)
    git(source, "init")
    git(source, "-c", "core.autocrlf=false", "add", "--all")
    git(source, "commit", "-m", "all")
    git(tmp_path, "clone", "-c", "core.autocrlf=true", "-c", "core.eol=crlf", str(source), str(clone))
    files = [file.relative_to(source) for file in source.rglob("*") if file.is_file() and ".git" not in file.parts]
    assert len(files) > 1000
    assert [str(name) for name in files if (source / name).read_bytes() != (clone / name).read_bytes()] == []
    for script in ("kontor", "test", ".ci/run", "scripts/environment.sh", "scripts/extra", "scripts/python-versions"):
        subprocess.run(["bash", "-n", str(clone / script)], check=True)
        assert b"\r" not in (clone / script).read_bytes()


def test_all_text_in_the_repository_ends_its_lines_with_lf() -> None:
    """Keep Git from showing files as changed in a fresh clone."""
    listed = subprocess.run(["git", "ls-files", "--eol"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    wrong = [
        line for line in listed.splitlines() if line.startswith(("i/crlf", "i/mixed")) and "attr/-text" not in line
    ]
    assert wrong == []
