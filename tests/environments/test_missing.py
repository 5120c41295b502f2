"""A Kontor without the extra: it imports nothing of it, and its errors say what to install."""

import os
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from kontor.distribution import command_for

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
EXTRA = ("pyspiel", "pettingzoo", "gymnasium")

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {extra!r}:
            raise ModuleNotFoundError(name=name)
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in {extra!r} else found(name, package)
sys.meta_path.insert(0, Missing())
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "package"), [("openspiel", "pyspiel"), ("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium")]
)
def test_a_missing_package_is_told_with_the_command_that_installs_it(module: str, package: str) -> None:
    result = run(f"{WITHOUT.format(extra=EXTRA)}\nimport kontor.environments.{module}")
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        f"kontor.optional_packages.MissingExtra: The research environments need the package {package}, which is not"
        f" installed: {command_for('research')}"
    )


def test_the_numbered_steps_need_no_extra() -> None:
    result = run(
        f"{WITHOUT.format(extra=EXTRA)}\n"
        "from kontor.environments.encoders import opening\n"
        "from kontor.environments.adapter import encoder_of\n"
        "print(len(opening(encoder_of('dutchman')).chances()))"
    )
    assert (result.stdout, result.stderr) == ("4\n", "")


def test_nothing_of_the_extra_is_imported_by_the_rest() -> None:
    result = run(f"import sys, kontor.cli\nprint(set(sys.modules) & {set(EXTRA)!r})")
    assert (result.stdout, result.stderr) == ("set()\n", "")


def test_the_extra_is_no_dependency_of_kontor() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    named = {"gymnasium", "open_spiel", "pettingzoo"}
    assert {line.partition(">")[0] for line in project["optional-dependencies"]["research"]} == named
    assert not any(line.startswith(tuple(named)) for line in project["dependencies"])


def test_openspiel_is_there_to_be_tested() -> None:
    """Fail under CI if OpenSpiel is missing: conftest.py skips the tests that need it."""
    if find_spec("pyspiel") is None:
        missing = "OpenSpiel is missing (it has no wheels for this Python), so nothing of it was tested"
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)
