"""Components of the server: exactly those that were reviewed, under licences that allow it."""

import re
import tomllib
from hashlib import sha256
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any, Final

import pytest

from kontor.distribution import NAME

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "src" / "kontor"
STATIC: Final = PACKAGE / "web" / "pages" / "static"

VENDORED: Final = {
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
}
"""SHA-256 of ``dist/htmx.min.js`` and ``dist/ext/hx-sse.min.js`` in htmx.org 4.0.1 from npm.

Its integrity there is
sha512-oF7JgXhDW9UXCy/k1ZYFUQgzu/rm19ORWPSPNL91vPluB2PB9+MV55tyQdH/w7o2EAbTYUG5SDW1R60mdkdqGg==.
"""

ALLOWED: Final = re.compile(
    r"MIT|BSD|Apache|ISC|PSF|Python Software Foundation|MPL|Mozilla|Zlib|0BSD|CC0|Unlicense|LGPL|Lesser General", re.I
)
"""Licences of installed packages that may be used beside code under the MIT licence."""


def read_lock() -> dict[str, Any]:
    packages = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    return {package["name"]: package for package in packages}


def installed_with_kontor(packages: dict[str, Any]) -> list[str]:
    """Return the names of all packages of a plain installation on this system, from the lock file."""
    names, left = set[str](), [NAME]
    while left:
        name = left.pop()
        if name in names:
            continue
        names.add(name)
        package = packages[name]
        left += [each["name"] for each in package.get("dependencies", [])]
        wanted = [extra for each in packages[NAME]["dependencies"] for extra in each.get("extra", [])]
        for extra, more in package.get("optional-dependencies", {}).items():
            left += [each["name"] for each in more if extra in wanted and name != NAME]
    return sorted(names - {NAME})


def licence_of(package: Distribution) -> str:
    metadata = package.metadata
    classified = [line for line in metadata.get_all("Classifier") or [] if line.startswith("License ::")]
    named = [line[:200] for name in ("License-Expression", "License") for line in metadata.get_all(name) or []]
    return " ".join([*named, *classified])


def test_everything_is_pinned_to_exact_bytes() -> None:
    for name, package in read_lock().items():
        if name == NAME:
            continue
        assert "registry" in package["source"], f"{name} comes from a registry, and from nowhere else"
        files = [*package.get("wheels", []), *([package["sdist"]] if "sdist" in package else [])]
        assert files
        assert all(re.fullmatch("sha256:[0-9a-f]{64}", file["hash"]) for file in files), name


def test_the_lock_says_what_the_project_asks_for() -> None:
    dependencies = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    names = {re.split(r"[\[>=<~!; ]", line)[0] for line in dependencies}
    assert names == {each["name"] for each in read_lock()[NAME]["dependencies"]}


def test_what_is_installed_with_kontor_may_be_used() -> None:
    names = installed_with_kontor(read_lock())
    assert len(names) > 15
    for name in names:
        try:
            package = distribution(name)
        except ModuleNotFoundError:
            continue  # for another system
        assert ALLOWED.search(licence_of(package)), f"{name}: {licence_of(package)}"


@pytest.mark.parametrize("name", VENDORED)
def test_what_was_copied_is_what_was_published(name: str) -> None:
    assert sha256((STATIC / name).read_bytes()).hexdigest() == VENDORED[name]


def test_nothing_else_was_copied() -> None:
    """Check that every other script and style is our own."""
    assert {file.name for file in PACKAGE.rglob("static/*.min.*")} == set(VENDORED)


def test_no_secret_lies_in_the_source() -> None:
    keys = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|gh[pousr]_\w{30}|xox[baprs]-\w{10}")
    for folder in ("src", "scripts", "docs", ".ci"):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and file.suffix in {"", ".py", ".sh", ".md", ".toml", ".js", ".html", ".json"}:
                assert not keys.search(file.read_text("utf-8")), file


def test_no_dangerous_function_is_called() -> None:
    """Check that no function executes input: no eval, pickle, shell or YAML, and XML only written.

    Environments can be pickled by those who use them, so the word may be in the source; unpickling may not.
    """
    reading = r"\bpickle\.(?!DEFAULT_PROTOCOL\b)|\bfrom pickle\b|\bmarshal\b|\byaml\b"
    calls = re.compile(rf"\b(eval|exec)\(|{reading}|shell=True|os\.system|__import__\(")
    xml = re.compile(r"\bxml\.(?!etree import ElementTree\n)|\bElementTree\.(?!Element\b|SubElement\b|tostring\b)")
    for file in (ROOT / "src").rglob("*.py"):
        assert not calls.search(file.read_text("utf-8")), file
        assert not xml.search(file.read_text("utf-8")), file


def test_our_scripts_make_nothing_of_text() -> None:
    """Check that scripts use written text only as text: no code, no markup, no objects.

    htmx inserts pages that a script requests, and the policy keeps it from running anything. One thing is read as
    data: an event of the table's own stream, whose keys are elements of our templates. One thing is written as data:
    the response of a device to a passkey request, which the server checks.
    """
    ours = {file.name: file.read_text("utf-8") for file in PACKAGE.rglob("static/*.js") if file.name not in VENDORED}
    assert len(ours) >= 3
    event = "JSON.parse(event.detail.message.data)"
    assert ours["kontor.js"].count(event) == 1
    ours["kontor.js"] = ours["kontor.js"].replace(event, "")
    written = "JSON.stringify(await credentialFor(form))"
    assert ours["passkeys.js"].count(written) == 1
    ours["passkeys.js"] = ours["passkeys.js"].replace(written, "")
    code = r"\beval\b|\bFunction\(|\bJSON\b|__proto__|Object\.assign"
    markup = r"(inner|outer)HTML\s*\+?=(?!=)|insertAdjacentHTML|document\.write"
    for name, text in ours.items():
        assert not re.findall(f"{code}|{markup}", text), name
