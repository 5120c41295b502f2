"""The package built from a clean clone.

It has the same bytes each time and is complete: in an empty environment every command and every extra works. All
texts that tell somebody to install something name our package.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import httpx
import msgspec
import pytest

from kontor.distribution import NAME
from scripts import release
from timeouts import HANG_TIMEOUT

ROOT = Path(__file__).parents[1]

pytestmark = [pytest.mark.process, pytest.mark.xdist_group("package")]
"""Marks: all is built and installed once, for all these tests."""

BUILT = pytest.mark.extended
"""Mark of the tests of what is built and installed."""


@dataclass(frozen=True)
class Installed:
    wheel: Path
    programs: Path
    elsewhere: Path

    def run(self, program: str, *arguments: str) -> str:
        """Return the output of the installed program, in a folder and with a home apart from the source."""
        environment = {"PATH": os.defpath, "HOME": str(self.elsewhere), "NO_COLOR": "1", "COLUMNS": "80"}
        return run([self.programs / program, *arguments], self.elsewhere, environment)


def run(command: list[str | Path], folder: Path, environment: dict[str, str] | None = None) -> str:
    result = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert result.returncode == 0, f"{command} ended with {result.returncode}:\n{result.stdout}{result.stderr}"
    return result.stdout


def find_uv() -> str:
    """Return the uv that ./test has made for itself, or one on the PATH."""
    places = [str(ROOT / ".kontor" / "uv" / "bin"), os.environ.get("PATH", os.defpath)]
    uv = shutil.which("uv", path=os.pathsep.join(places))
    if uv is None:
        missing = "the program uv, which builds the wheel, is missing"
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)
    return uv


def copy_source(folder: Path) -> None:
    """Copy the files of the source as a clone has them, without an environment."""
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], ROOT).split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file() and not name.startswith("docs/pictures"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


@dataclass(frozen=True)
class Built:
    wheel: Path
    source: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build both files of a release from a clean clone."""
    uv, clone, out = find_uv(), tmp_path_factory.mktemp("clean"), tmp_path_factory.mktemp("built")
    copy_source(clone)
    files = release.build(uv, clone, out, WHEN, TZ="UTC")
    wheel, source = sorted(files, key=lambda name: name.endswith(".tar.gz"))
    return Built(out / wheel, out / source)


WHEN = 1_764_000_000
"""The time of the commit from which a release is built."""


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file with the dependency versions of uv.lock, so that no test depends on the day."""
    file = tmp_path_factory.mktemp("versions") / "constraints.txt"
    locked = ["export", "--frozen", "--all-extras", "--no-dev", "--no-emit-project", "--no-hashes", "--quiet"]
    run([find_uv(), *locked, "--output-file", file], ROOT)
    return file


@pytest.fixture(scope="module")
def installed(built: Built, versions: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Install the wheel and its dependencies in an environment without anything else."""
    uv, folder = find_uv(), tmp_path_factory.mktemp("package")
    environment = folder / "environment"
    programs = environment / ("Scripts" if sys.platform == "win32" else "bin")
    # Run it in the source's folder, where a uv that is a shim for several versions is known to run.
    run([uv, "venv", "--python", sys.executable, environment], ROOT)
    run([uv, "pip", "install", "--python", programs / "python", "--constraint", versions, built.wheel], ROOT)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    return Installed(built.wheel, programs, elsewhere)


@BUILT
def test_built_again_elsewhere_and_later_each_file_has_the_same_bytes(built: Built, tmp_path: Path) -> None:
    clone = tmp_path / "another folder"
    copy_source(clone)
    for file in clone.rglob("*"):
        file.chmod(0o700 if file.is_dir() else 0o600)
        os.utime(file, (WHEN + 86_400, WHEN + 86_400))
    files = release.build(find_uv(), clone, tmp_path / "built", WHEN, TZ="Asia/Tokyo", LC_ALL="C")
    assert sorted(files) == sorted((built.wheel.name, built.source.name))
    assert [file.name for file in (built.wheel, built.source) if file.read_bytes() != files[file.name]] == []


@BUILT
def test_the_version_is_that_of_changelog_and_citation(built: Built) -> None:
    version = release.agreed_version(ROOT)
    assert built.wheel.name == f"kontor_table-{version}-py3-none-any.whl"
    assert version not in (ROOT / "docs/research.md").read_text("utf-8"), "it is cited in one place"


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("CHANGELOG.md", "## [1.", "## [7.", "CHANGELOG.md 7."),
        ("CITATION.cff", "\nversion: 1.", "\nversion: 7.", "CITATION.cff 7."),
        ("CITATION.cff", "date-released: 2", "date-released: 3", "CITATION.cff 3"),
        ("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n### Fixed\n\n- A hole.\n", "unreleased changes"),
    ],
)
def test_nothing_is_released_that_contradicts_itself(
    tmp_path: Path, file: str, old: str, new: str, reason: str
) -> None:
    for name in ("pyproject.toml", "CHANGELOG.md", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    changes = (tmp_path / "CHANGELOG.md").read_text("utf-8")
    waiting = re.compile(r"(## \[Unreleased\]\n).*?(?=^## )", re.DOTALL | re.MULTILINE)
    (tmp_path / "CHANGELOG.md").write_text(waiting.sub(r"\1\n", changes), "utf-8")
    text = (tmp_path / file).read_text("utf-8")
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(release.NotReady, match=reason):
        release.releasable_version(tmp_path)


def test_nothing_is_released_that_is_not_committed(tmp_path: Path) -> None:
    run(["git", "init", "--quiet"], tmp_path)
    (tmp_path / "new").touch()
    with pytest.raises(release.NotReady, match="not committed"):
        release.release(tmp_path, tmp_path / "dist")


@BUILT
def test_the_list_of_parts_names_what_is_needed_and_what_lies_within(built: Built) -> None:
    wheel = built.wheel.read_bytes()
    first = release.sbom(find_uv(), "1.0.0", wheel, WHEN)
    assert first == release.sbom(find_uv(), "1.0.0", wheel, WHEN)
    listed = json.loads(first)
    assert (listed["bomFormat"], listed["specVersion"]) == ("CycloneDX", "1.5")
    needed = {component["name"] for component in listed["components"]}
    direct = {"litestar", "msgspec", "numba", "psycopg-binary", "webauthn"}
    assert direct <= needed
    assert needed.isdisjoint({"pytest", "mypy", "sphinx"}), "tools for tests are no part"
    within = {part["name"]: part["licenses"] for part in listed["metadata"]["component"]["components"]}
    assert set(within) == {"htmx 4.0.1", "EB Garamond", "Unicode confusables"}


@BUILT
def test_everything_of_the_source_is_in_the_wheel(installed: Installed) -> None:
    source = ROOT / "src"
    files = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    wanted = {file for file in files if "__pycache__" not in file}
    assert {"kontor/py.typed", "kontor/games/dutchman/rules/chart.toml"} <= wanted
    with ZipFile(installed.wheel) as wheel:
        held = set(wheel.namelist())
    assert wanted - held == set()
    packages = {name.partition("/")[0] for name in held if ".dist-info/" not in name}
    assert packages == {"kontor"}, "training and measurements stay in the repository"
    assert [name for name in held if name.endswith("licenses/LICENSE")]


@BUILT
def test_the_installed_package_is_the_one_that_runs(installed: Installed) -> None:
    where = installed.run("python", "-c", "import kontor; print(kontor.__file__)")
    assert Path(where.strip()).is_relative_to(installed.programs.parent)


@BUILT
def test_the_installed_command_draws_the_chart(installed: Installed) -> None:
    drawn = installed.run("kontor", "chart")
    chart = tomllib.loads((ROOT / "src/kontor/games/dutchman/rules/chart.toml").read_text("utf-8"))
    assert [island["name"] for island in chart["island"] if island["name"] not in drawn] == []


EVERY_HELP = """
import typer
from kontor.cli import app, run
def told(command, *path):
    assert run([*path, "--help"]) == 0, path
    for name, below in getattr(command, "commands", {}).items():
        if not below.hidden:
            told(below, *path, name)
told(typer.main.get_command(app))
"""


@BUILT
def test_each_installed_command_tells_its_help(installed: Installed) -> None:
    output = installed.run("python", "-c", EVERY_HELP)
    for command in ("play", "simulate", "serve", "backup", "people", "bench", "puzzles"):
        assert f"Usage: kontor {command} [" in output


@BUILT
def test_the_installed_command_serves_pages(installed: Installed) -> None:
    environment = {"PATH": os.defpath, "HOME": str(installed.elsewhere), "LANGUAGE": "en"}
    command: list[str | Path] = [installed.programs / "kontor", "serve", "--port", "0", "--thinkers", "1"]
    with subprocess.Popen(command, cwd=installed.elsewhere, env=environment, stdout=subprocess.PIPE) as server:
        try:
            assert server.stdout
            address = server.stdout.readline().decode().strip()
            with httpx.Client(base_url=address, timeout=HANG_TIMEOUT) as reader:
                page = reader.get("/rules/dutchman").text
                assert "Der fliegende Holländer" in page
                served = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
                assert served
                assert [path for path in served if reader.get(path).status_code != 200] == []
        finally:
            server.terminate()
    assert server.returncode == 0


EXTRAS = {
    "batch": "import kontor.batch",
    "cluster": "import ray, kontor.work.cluster",
    "passkeys": "import webauthn, kontor.accounts.webauthn_checks",
    "postgres": "import kontor.storage.postgres",
    "push": "import http_ece, py_vapid, kontor.notifying.push",
    "research": "import kontor.environments.gymnasium, kontor.environments.openspiel, kontor.environments.pettingzoo",
    "tournaments": "import rustworkx, kontor.tournaments.matching",
}
"""For each extra, the imports that fail without it."""


@pytest.fixture(scope="module")
def extended(installed: Installed, versions: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of an environment with the wheel and all extras: as links, because some are large."""
    uv, environment = find_uv(), tmp_path_factory.mktemp("extended") / "environment"
    run([uv, "venv", "--python", sys.executable, environment], ROOT)
    wanted = f"{NAME}[{','.join(EXTRAS)}] @ {installed.wheel.as_uri()}"
    install: list[str | Path] = [uv, "pip", "install", "--link-mode", "symlink", "--constraint", versions, "--python"]
    python = environment / "bin" / "python"
    run([*install, python, wanted], ROOT)
    return python


@BUILT
def test_each_extra_brings_what_it_is_for(installed: Installed, extended: Path, tmp_path: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(declared) == set(EXTRAS)
    for extra, code in EXTRAS.items():
        without = "\n".join(("try:", f"    {code}", "except Exception as why:", "    print(type(why).__name__)"))
        missing = installed.run("python", "-c", without).strip()
        assert missing in {"MissingExtra", "ModuleNotFoundError"}, f"{extra}: {missing}"
        run([extended, "-W", "ignore", "-c", code], tmp_path)


@BUILT
@pytest.mark.long
def test_ten_lines_lead_from_the_installed_wheel_to_a_learning_curve(extended: Path, tmp_path: Path) -> None:
    page = (ROOT / "docs/benchmark.md").read_text("utf-8")
    install = re.search(r"^    scripts/extra ([a-z ]+)$", page, re.MULTILINE)
    assert install
    assert install[1].split() == ["batch", "research"]
    lines = re.search(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert lines
    assert len(lines[1].splitlines()) <= 10
    environment = {"PATH": os.defpath, "HOME": str(tmp_path), "OPENBLAS_NUM_THREADS": "1"}
    curve = run([extended, "-c", lines[1]], tmp_path, environment).splitlines()
    points = [re.fullmatch(r" *([\d,]+) decisions: mean reward ([+-]\d\.\d\d)", line) for line in curve]
    decisions = [int(point[1].replace(",", "")) for point in points if point]
    assert len(decisions) == len(curve) >= 3
    assert decisions == sorted(set(decisions))
    rewards = [float(point[2]) for point in points if point]
    assert rewards[-1] > rewards[0]


@BUILT
@pytest.mark.parametrize(
    ("game", "players"),
    [("shanghaien", ["greedy", "random"]), ("dutchman", ["greedy", "random", "random", "random"])],
)
def test_the_installed_command_plays_a_game(installed: Installed, game: str, players: list[str]) -> None:
    arguments = ["--players", ",".join(players), "--games", "1", "--seed", "1", "--json"]
    table: dict[str, Any] = json.loads(installed.run("kontor", "simulate", game, *arguments))
    assert table["game"] == game
    assert table["games"] == 1
    assert table["decisions_per_second"] > 0
    rows = table["players"]
    assert [row["name"] for row in rows] == players
    assert [row["games"] for row in rows] == [1] * len(players)
    assert sum(row["wins"] for row in rows) == 1 or sum(row["draws"] for row in rows) >= 2
    for row in rows:
        assert set(row) >= {"name", "games", "wins", "draws", "share", "ci95", "mean_points"}


@BUILT
def test_the_package_says_under_which_licences_it_is_and_brings_them(installed: Installed) -> None:
    output = installed.run(
        "python",
        "-c",
        "from importlib.metadata import metadata\n"
        f"told = metadata('{NAME}')\n"
        "print(told['License-Expression'], *told.get_all('License-File'), sep='\\n')",
    )
    expression, *licences = output.splitlines()
    assert expression == "MIT AND OFL-1.1 AND 0BSD AND Unicode-DFS-2016"
    assert {Path(name).name for name in licences} == {
        "LICENSE",
        "htmx-LICENSE.txt",
        "kontor-text-LICENSE.txt",
        "confusables-LICENSE.txt",
    }
    with ZipFile(installed.wheel) as wheel:
        held = {name.partition("licenses/")[2] for name in wheel.namelist() if ".dist-info/licenses/" in name}
    assert held == set(licences)


@BUILT
def test_every_script_and_font_of_others_in_the_wheel_has_its_licence_beside_it(installed: Installed) -> None:
    """Check compressed files: ours are readable text, so that those come from elsewhere."""
    with ZipFile(installed.wheel) as wheel:
        names = wheel.namelist()
    foreign = [Path(name) for name in names if re.search(r"\.(?:min\.js|woff2?|ttf|otf|wasm|mjs)$", name)]
    origins = {"htmx.min.js": "htmx", "hx-sse.min.js": "htmx"}
    origins |= {"kontor-text.woff2": "kontor-text", "kontor-text-600.woff2": "kontor-text"}
    assert {file.name for file in foreign} == set(origins)
    assert [
        file for file in foreign if f"{file.parent.as_posix()}/{origins[file.name]}-LICENSE.txt" not in names
    ] == []


@BUILT
def test_the_source_distribution_brings_the_licences_too(built: Built) -> None:
    with tarfile.open(built.source) as source:
        held = {name.partition("/")[2] for name in source.getnames()}
    assert {"CHANGELOG.md", "CITATION.cff", "docs/index.md"} <= held
    static = "src/kontor/web/pages/static"
    assert {"LICENSE", f"{static}/htmx-LICENSE.txt", f"{static}/kontor-text-LICENSE.txt"} <= held
    assert "src/kontor/people/confusables-LICENSE.txt" in held


def test_the_workflow_of_a_release_runs_scripts_of_ours_and_holds_no_token() -> None:
    text = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    jobs: dict[str, Any] = msgspec.yaml.decode(text)["jobs"]
    commands = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    scripts = re.findall(r"scripts/\S+", "\n".join(commands))
    assert {"scripts/release.py"} <= set(scripts)
    assert [script for script in scripts if not (ROOT / script).is_file()] == []
    assert "secrets." not in text
    assert jobs["package"]["permissions"] == {"id-token": "write"}, "whoever publishes can do nothing else"
    (image,) = (step["with"] for step in jobs["image"]["steps"] if "build-push" in step.get("uses", ""))
    assert (ROOT / image["file"]).is_file()
    assert image["platforms"] == "linux/amd64,linux/arm64"


# ----------------------------------------------------------------------------------------------- packages to install


TEXTS = (
    "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CITATION.cff", "docs", "deploy", "examples",
    "bench", "training", "scripts", ".github", "src", "kontor",
)  # fmt: skip
KINDS = {"", ".md", ".py", ".po", ".html", ".txt", ".sh", ".js", ".toml", ".service", ".env", ".yml", ".cff"}
INSTALLS = re.compile(r"\b(?:pip3?|pipx|uv|uvx)(?: (?:tool|pip))? (?:install|add|download) ([^`\n]*)")
OURS = {NAME, "uv"}
"""Packages that may be installed: Kontor by its own name, and the installer."""


def texts() -> Iterator[tuple[Path, str]]:
    """Yield every text that is read by or shown to people."""
    for name in TEXTS:
        place = ROOT / name
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.is_file() and file.suffix in KINDS and "__pycache__" not in file.parts:
                # A catalogue breaks sentences into lines, and both put a backslash before quotes.
                yield file, re.sub(r'"\n"', "", file.read_text("utf-8")).replace("\\", "")


def named_in(arguments: str) -> list[str]:
    """Return the distributions that an install command names."""
    words = (word.strip("\"'()[].,;:") for word in arguments.split())
    return [re.split(r"[\[<>=!~; ]", word)[0] for word in words if re.match(r"[a-z]", word)]


def test_no_text_tells_anybody_to_install_what_is_not_ours() -> None:
    """Check `kontor` too, which is a stranger's program on PyPI."""
    commands = [(file, arguments) for file, text in texts() for arguments in INSTALLS.findall(text)]
    assert {file.name for file, _ in commands} >= {"own-game.md", "Containerfile"}
    for file, arguments in commands:
        assert set(named_in(arguments)) <= OURS, f"{file}: {arguments}"
    for file, text in texts():
        assert not re.search(r"\bkontor\[(batch|cluster|postgres|research)", text), file


MISSING_BATCH = (
    "from kontor.game import Refusal\ntry:\n    import kontor.batch\nexcept Refusal as told:\n    print(told)"
)


@BUILT
def test_where_it_is_installed_a_missing_extra_is_told_with_our_own_name(installed: Installed) -> None:
    message = installed.run("python", "-c", MISSING_BATCH)
    assert message.strip().endswith(f'which is not installed: pip install "{NAME}[batch]"')


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone, in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("a clone")
    copy_source(folder)
    return folder


@BUILT
def test_in_a_clone_the_command_that_is_told_installs_the_extra(clone: Path, tmp_path: Path) -> None:
    uv = find_uv()
    environment = {
        "PATH": os.pathsep.join([str(Path(uv).parent), os.environ.get("PATH", os.defpath)]),
        "HOME": str(tmp_path),
        "UV_CACHE_DIR": run([uv, "cache", "dir"], ROOT).strip(),
        **{name: value for name, value in os.environ.items() if name.startswith(("UV_INDEX", "UV_DEFAULT", "PIP_"))},
    }
    assert run([clone / "kontor", "--version"], tmp_path, environment).startswith("kontor ")
    result = subprocess.run(
        [clone / "kontor", "bench", "--lockstep", "1"],
        cwd=tmp_path,
        env={**environment, "LANGUAGE": "en"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 1
    message = " ".join(result.stderr.split())
    command = message.partition("which is not installed: ")[2]
    assert shlex.split(command) == [str(clone / "scripts" / "extra"), "batch"]
    run(["bash", "-c", command], tmp_path, environment)
    assert run([clone / ".venv" / "bin" / "python", "-c", MISSING_BATCH], tmp_path, environment) == ""
