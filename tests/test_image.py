"""``deploy/Containerfile``, built and run by programs without privileges.

Its base image is made of Debian's packages, because no test fetches an image.
"""

import ast
import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import msgspec
import pytest

from postgresql import Server
from timeouts import HANG_TIMEOUT, waited_for

pytestmark = [pytest.mark.extended, pytest.mark.process, pytest.mark.long, pytest.mark.xdist_group("image")]

ROOT = Path(__file__).parents[1]
BUILDER = "kontor-builder"
"""The user that builds where root runs the tests: one with subordinate ids, made by .ci/run."""

CERTIFICATES = Path(os.environ.get("SSL_CERT_FILE", "/etc/ssl/certs/ca-certificates.crt"))
IDENTITY = "import os; print(os.getuid())"
WRITE = "open('/opt/kontor/new', 'w')"


IDLE = """
import os, subprocess, sys, time
from pathlib import Path
from urllib.request import urlopen
own = [os.getpid(), os.getppid()]
pids = [int(name) for name in os.listdir('/proc') if name.isdigit() and int(name) not in own]
rolled = [Path(f'/proc/{pid}/smaps_rollup').read_text() for pid in pids]
pss = [int(line.split()[1]) for text in rolled for line in text.splitlines() if line.startswith('Pss:')]
print('processes:', len(pss))
print('memory, MB:', round(sum(pss) / 1024))
began = time.monotonic()
again = subprocess.Popen(['kontor', 'serve', '--port', '1740', '--data', '/tmp/again'], stdout=subprocess.PIPE)
again.stdout.readline()
urlopen('http://127.0.0.1:1740/ready').read()
print('seconds from the process to the first answer of /ready:', round(time.monotonic() - began, 2))
again.terminate()
again.wait()
"""


def skip_without(program: str) -> None:
    reason = f"{program} is missing: no image is built"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@dataclass(frozen=True)
class Builder:
    """A user's images and containers, in a folder of their own."""

    folder: Path
    user: str | None

    def run(self, program: str, *arguments: str | Path, check: bool = True) -> str:
        """Run a program, and return its output; fail unless it ends well, or ``check`` is off."""
        images, state = self.folder / "images", self.folder / "state"
        stored: list[str | Path] = ["--root", images, "--runroot", state, "--storage-driver", "overlay"]
        if program == "podman":  # runc, because crun refuses machines with both kinds of control groups
            stored += ["--cgroup-manager", "cgroupfs", "--runtime", "runc"]
        places = dict.fromkeys(("HOME", "TMPDIR", "XDG_RUNTIME_DIR"), str(self.folder))
        result = subprocess.run(
            [program, *stored, *arguments],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], **places},
            user=self.user,
            group=self.user,
            extra_groups=[] if self.user else None,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        assert not check or result.returncode == 0, f"{program} {arguments}:\n{result.stdout}{result.stderr}"
        return result.stdout.strip()

    def python(self, container: str, code: str, check: bool = True) -> str:
        """Return the output of a line of Python within the container."""
        return self.run("podman", "exec", container, "python", "-c", code, check=check)


@pytest.fixture(scope="module")
def builder() -> Iterator[Builder]:
    for program in ("buildah", "podman", "runc", "catatonit", "mmdebstrap", "newuidmap"):
        if shutil.which(program) is None:
            skip_without(program)
    user = BUILDER if os.geteuid() == 0 else None
    if user and user not in {entry.pw_name for entry in pwd.getpwall()}:
        skip_without(f"the user {BUILDER}")
    # Not in memory, where tests have their files: an image is large.
    folder = Path(tempfile.mkdtemp(prefix="kontor-image-", dir="/var/tmp"))
    try:
        for part in ("images", "state"):
            (folder / part).mkdir(mode=0o700)
        if user:
            for place in (folder, folder / "images", folder / "state"):
                shutil.chown(place, user, user)
        built = Builder(folder, user)
        yield built
        built.run("podman", "rm", "--all", "--force", "--time", "0")
        built.run("buildah", "rm", "--all")
        built.run("buildah", "unshare", "rm", "-rf", folder / "images")
        built.run("podman", "system", "migrate")  # ends the process that holds the user's namespaces
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def image(builder: Builder) -> str:
    """Return the image of this Kontor, built from the files of a clone."""
    system, source = builder.folder / "system.tar", builder.folder / "source"
    packages = "python3,python3-venv,ca-certificates"
    subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={packages}", "bookworm", system], check=True
    )
    source.mkdir()
    for name in ("src", "deploy"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("hatch_build.py", "pyproject.toml", "uv.lock", "README.md", "LICENSE", ".dockerignore"):
        shutil.copy(ROOT / name, source)
    container = builder.run("buildah", "from", "scratch")
    builder.run("buildah", "add", "--quiet", container, system, "/")
    # Certificates of this machine are trusted there too: packages are fetched through the same network.
    builder.run("buildah", "add", "--quiet", container, CERTIFICATES, "/etc/ssl/certs/ca-certificates.crt")
    builder.run("buildah", "config", "--env", "SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt", container)
    builder.run("buildah", "commit", "--quiet", container, "localhost/python")
    build = [
        "--isolation", "chroot", "--network", "host", "--format", "docker", "--build-arg",
        "PYTHON=localhost/python",
    ]  # fmt: skip
    builder.run("buildah", "bud", *build, "--file", source / "deploy" / "Containerfile", "--tag", "kontor", source)
    return "localhost/kontor"


LIMITS = ("--read-only", "--network", "none", "--cap-drop", "all", "--security-opt", "no-new-privileges")


@pytest.fixture(scope="module")
def container(builder: Builder, image: str) -> str:
    """Return a container that serves, with a network of its own and a read-only root."""
    volumes = ["--tmpfs", "/tmp", "--volume", "kept:/var/lib/kontor"]  # noqa: S108 (the container's own)
    return builder.run("podman", "run", "--detach", *LIMITS, *volumes, image)


def waits_until_healthy(builder: Builder, container: str) -> None:
    """Wait with pauses: each check starts two processes, and would take a core from the server."""
    look = partial(builder.run, "podman", "healthcheck", "run", container, check=False)
    waited_for(lambda: look() == "", pause=partial(sleep, 1))


def test_the_image_serves_and_says_that_it_is_healthy(builder: Builder, container: str) -> None:
    waits_until_healthy(builder, container)
    page = builder.python(
        container, "from urllib.request import urlopen; print(urlopen('http://127.0.0.1:1729/').read().decode())"
    )
    assert "<title>Kontor" in page


def test_it_runs_without_privileges_and_writes_to_its_volume_alone(builder: Builder, container: str) -> None:
    assert builder.python(container, IDENTITY) == "1729"
    assert builder.python(container, WRITE, check=False) == ""
    assert "kontor.db" in builder.python(container, "import os; print(os.listdir('/var/lib/kontor'))")


def test_a_backup_is_made_within_it(builder: Builder, container: str) -> None:
    builder.run("podman", "exec", container, "kontor", "backup", "/var/lib/kontor/monday.kontor")
    assert "monday.kontor" in builder.python(container, "import os; print(os.listdir('/var/lib/kontor'))")


def test_what_it_takes_while_nobody_plays_is_told(builder: Builder, container: str) -> None:
    """Measure it for docs/measurements.md; ``pytest -s`` shows the figures."""
    figures = dict(line.split(": ") for line in builder.python(container, IDLE).splitlines())
    assert set(figures) == {"processes", "memory, MB", "seconds from the process to the first answer of /ready"}
    for figure, value in figures.items():
        assert float(value) > 0, figure
    sys.stdout.write(f"The image: {figures}\n")


def test_it_ends_in_time_when_it_is_told_to(builder: Builder, container: str) -> None:
    builder.run("podman", "stop", "--time", str(HANG_TIMEOUT), container)
    assert builder.run("podman", "inspect", "--format", "{{.State.ExitCode}}", container) == "0"


def test_the_services_of_compose_serve_from_postgresql_and_back_it_up(
    builder: Builder, image: str, postgres: Server
) -> None:
    """Check them with their environments and commands, with a socket in place of compose's network."""
    services = msgspec.yaml.decode((ROOT / "deploy/compose.yaml").read_bytes())["services"]
    name = postgres.create()
    postgres.folder.chmod(0o711)
    given = {"GAMES:?set it to your host name": "games.example"}
    settings: list[str] = []
    for variable, value in services["kontor"]["environment"].items():
        for name_in_file, replacement in given.items():
            value = value.replace(f"${{{name_in_file}}}", replacement)
        if variable == "KONTOR_DATABASE":
            value = f"postgresql://postgres@/{name}?host=/run/postgresql"
        settings += ["--env", f"{variable}={value}"]
    assert services["backup"]["environment"] == services["kontor"]["environment"]
    common = ["--detach", *LIMITS, "--tmpfs", "/tmp", *settings]  # noqa: S108 (the container's own)
    common += ["--volume", f"{postgres.folder}:/run/postgresql"]
    serving = builder.run("podman", "run", *common, image)
    waits_until_healthy(builder, serving)
    entrypoint, command = (services["backup"][key] for key in ("entrypoint", "command"))
    copies = ["--init", "--volume", "backups:/var/lib/kontor", "--entrypoint", json.dumps(entrypoint)]
    (script,) = command
    saving = builder.run("podman", "run", *common, *copies, image, script.replace("$$", "$"))
    waited_for(
        lambda: re.fullmatch(r"\['\d\d\.kontor'\]", builder.python(saving, FILES)) is not None,
        pause=partial(sleep, 1),
    )
    (file,) = ast.literal_eval(builder.python(saving, FILES))
    restored = builder.run(
        *("podman", "exec", "--env", "KONTOR_DATABASE=", saving),
        *("kontor", "restore", f"/var/lib/kontor/{file}", "--data", "/tmp/restored"),  # noqa: S108 (as above)
    )
    assert restored
    for one in (saving, serving):
        builder.run("podman", "stop", "--time", str(HANG_TIMEOUT), one)
    assert builder.run("podman", "inspect", "--format", "{{.State.ExitCode}}", serving) == "0"
    postgres.drop(name)


FILES = "import os; print(os.listdir('/var/lib/kontor'))"


def installed_extras() -> set[str]:
    return set(re.findall(r"--extra (\w+)", (ROOT / "deploy" / "Containerfile").read_text("utf-8")))


def test_all_that_it_installs_is_there_for_arm64_too() -> None:
    """Check for wheels: ``podman build --platform linux/arm64`` has no compiler."""
    locked = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    wanted: list[dict[str, Any]] = [{"name": "kontor-table", "extra": list(installed_extras())}]
    wheels: dict[str, list[str]] = {}
    for one in wanted:
        for package in [package for package in locked if package["name"] == one["name"]]:
            below = [*package.get("dependencies", ())]
            for extra in one.get("extra", ()):
                below += package["optional-dependencies"][extra]
            wanted += [new for new in below if new not in wanted and "== 'win32'" not in new.get("marker", "")]
            wheels.setdefault(one["name"], []).extend(
                wheel["url"].rpartition("/")[2] for wheel in package.get("wheels", ())
            )
    assert wheels.pop("kontor-table") == wheels.pop("http-ece") == []  # built there, as here: without a compiler
    assert {"msgspec", "psycopg-binary", "rustworkx", "uvloop", "webauthn"} <= set(wheels)
    assert {name: files for name, files in wheels.items() if not any(map(fits_arm64, files))} == {}


def fits_arm64(wheel: str) -> bool:
    """Return True if a wheel can be installed on arm64, for the Python of the image."""
    compiled = "manylinux" in wheel and "aarch64" in wheel and ("cp311-cp311" in wheel or "abi3" in wheel)
    return compiled or wheel.endswith("-none-any.whl")
