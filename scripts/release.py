"""Makes the files of a release, and publishes nothing: see docs/releasing.md.

.venv/bin/python scripts/release.py            into dist/

It needs a clean tree whose version, changelog and citation agree. It builds wheel and source distribution in two
clones and compares their bytes, lists what Kontor is made of (SBOM, CycloneDX), and writes checksums.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from kontor.web.http.notices import notices

ROOT: Final = Path(__file__).parents[1]
_RELEASED: Final = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", re.MULTILINE)
_UNRELEASED: Final = re.compile(r"^## \[Unreleased\]\n(.*?)^## ", re.MULTILINE | re.DOTALL)


class NotReady(Exception):
    """A sentence that says why there is no release."""


def run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a program and return what it prints. Raises NotReady with its error output."""
    done = subprocess.run(  # noqa: S603 (our own commands)
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    if done.returncode:
        raise NotReady(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def find_uv() -> str:
    """Return the uv that ./test has installed for itself, or one on the PATH. Raises NotReady."""
    uv = shutil.which("uv", path=os.pathsep.join([str(ROOT / ".kontor/uv/bin"), os.environ.get("PATH", os.defpath)]))
    if uv is None:
        raise NotReady("uv is missing, which builds the package.")
    return uv


def agreed_version(folder: Path) -> str:
    """Return the version in the package, the changelog and the citation. Raises NotReady if they differ."""
    version: str = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    changelog = (folder / "CHANGELOG.md").read_text("utf-8")
    released = _RELEASED.search(changelog)
    if released is None:
        raise NotReady("CHANGELOG.md names no version.")
    cited = dict(re.findall(r"^(version|date-released): (\S+)$", (folder / "CITATION.cff").read_text("utf-8"), re.M))
    versions = {"CHANGELOG.md": released[1], "CITATION.cff": cited.get("version")}
    for file, other in versions.items():
        if other != version:
            raise NotReady(f"pyproject.toml says {version}, {file} {other}.")
    if cited.get("date-released") != released[2]:
        raise NotReady(f"CHANGELOG.md says {released[2]}, CITATION.cff {cited.get('date-released')}.")
    return version


def releasable_version(folder: Path) -> str:
    """Return the agreed version. Raises NotReady also if the changelog has changes without a version."""
    waiting = _UNRELEASED.search((folder / "CHANGELOG.md").read_text("utf-8"))
    if waiting and waiting[1].strip():
        raise NotReady("CHANGELOG.md tells of unreleased changes: give them a version.")
    return agreed_version(folder)


def build(uv: str, source: Path, out: Path, when: int, **settings: str) -> dict[str, bytes]:
    """Build a source; return the bytes of its source distribution and of the wheel made from that, by name."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(when), **settings}
    run([uv, "build", "--quiet", "--out-dir", out, source], ROOT, environment)
    return {file.name: file.read_bytes() for file in sorted(out.iterdir()) if file.name.endswith((".whl", ".tar.gz"))}


def built_twice(uv: str, repository: Path, when: int) -> dict[str, bytes]:
    """Build two clones in other folders, time zones and locales, and return the files.

    Raises NotReady if a byte differs.
    """
    with TemporaryDirectory(prefix="kontor-release-") as name:
        made = []
        for folder, settings in (("one", {"TZ": "UTC"}), ("another folder", {"TZ": "Asia/Tokyo", "LC_ALL": "C"})):
            clone = Path(name) / folder / "kontor"
            run(["git", "clone", "--quiet", "--no-hardlinks", repository, clone], ROOT)
            made.append(build(uv, clone, Path(name) / folder / "built", when, **settings))
        first, second = made
        if differing := [file for file in {*first, *second} if first.get(file) != second.get(file)]:
            raise NotReady(f"Built twice, {', '.join(sorted(differing))} has not the same bytes.")
        return first


def sbom(uv: str, version: str, wheel: bytes, when: int) -> bytes:
    """Return the SBOM: packages that Kontor needs, with all extras, by uv.lock; works of others in the wheel."""
    command = [uv, "export", "--frozen", "--no-dev", "--all-extras", "--format", "cyclonedx1.5", "--quiet"]
    listed: dict[str, Any] = json.loads(run([*command, "--preview-features", "sbom-export"], ROOT))
    digest = hashlib.sha256(wheel).hexdigest()
    listed["serialNumber"] = f"urn:uuid:{uuid5(NAMESPACE_URL, digest)}"
    listed["metadata"]["timestamp"] = datetime.fromtimestamp(when, UTC).isoformat().replace("+00:00", "Z")
    listed["metadata"]["component"] |= {
        "type": "application",
        "purl": f"pkg:pypi/kontor-table@{version}",
        "hashes": [{"alg": "SHA-256", "content": digest}],
        "licenses": [{"license": {"id": "MIT"}}],
        "components": [
            {
                "type": "library" if notice.licence == "0BSD" else "data",
                "bom-ref": f"within:{notice.name}",
                "name": notice.name,
                "licenses": [{"license": {"id": notice.licence}}],
                "externalReferences": [{"type": "website", "url": notice.url}],
            }
            for notice in notices()
            if notice.url
        ],
    }
    return f"{json.dumps(listed, indent=2)}\n".encode()


def release(repository: Path, out: Path) -> str:
    """Make all files of the release and return the version. Raises NotReady if something prevents it."""
    if run(["git", "status", "--porcelain"], repository):
        raise NotReady("There is something that is not committed.")
    version, uv = releasable_version(repository), find_uv()
    run([sys.executable, "tests/catalogues.py", "--check"], repository)
    when = int(run(["git", "log", "-1", "--format=%ct"], repository))
    files = built_twice(uv, repository, when)
    (wheel,) = (content for name, content in files.items() if name.endswith(".whl"))
    files[f"kontor_table-{version}.cdx.json"] = sbom(uv, version, wheel, when)
    sums = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(files.items()))
    files["SHA256SUMS"] = sums.encode()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for name, content in files.items():
        (out / name).write_bytes(content)
    return version


def main() -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder that the files come into")
    out = parser.parse_args().out
    try:
        version = release(ROOT, out)
    except NotReady as why:
        sys.stderr.write(f"No release: {why}\n")
        return 1
    sys.stdout.write(
        f"{(out / 'SHA256SUMS').read_text('utf-8')}Kontor {version} is in {out}. Next: docs/releasing.md\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
