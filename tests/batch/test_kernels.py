"""The cache of compiled kernels: those of old sources are removed unless a process still uses them."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from kontor.batch.compiled import UNUSED, keep_cache_folder
from timeouts import HANG_TIMEOUT


def kernels(folder: Path, name: str, *, unused: float, files: int = 2) -> Path:
    """Return a folder filled as numba fills it, last used at a process start ``unused`` seconds ago."""
    cache = folder / f"kernels-{name}"
    (cache / "batch_0123").mkdir(parents=True)
    for number in range(files):
        (cache / "batch_0123" / f"rules.step-{number}.py311.nbi").write_bytes(b"compiled")
    began = cache.stat().st_mtime - unused
    os.utime(cache, (began, began))
    return cache


def test_new_kernels_make_old_ones_go_that_nobody_has_begun_with_for_a_day(tmp_path: Path) -> None:
    old = kernels(tmp_path, "old", unused=UNUSED + 60)
    recent = kernels(tmp_path, "recent", unused=UNUSED - 60)
    module = tmp_path / "compiled.cpython-311.pyc"
    module.write_bytes(b"Python's own")
    new = tmp_path / "kernels-new"
    keep_cache_folder(new)
    assert new.is_dir()
    assert not old.exists()
    assert len(list(recent.rglob("*.nbi"))) == 2
    assert module.read_bytes() == b"Python's own"


def test_while_no_new_ones_are_made_nothing_goes_and_whoever_begins_leaves_a_mark(tmp_path: Path) -> None:
    old = kernels(tmp_path, "old", unused=UNUSED + 60)
    used = kernels(tmp_path, "known", unused=UNUSED + 60)
    keep_cache_folder(used)
    assert old.exists()
    keep_cache_folder(tmp_path / "kernels-new")
    assert used.exists()
    assert not old.exists()


def test_many_may_tidy_up_at_once(tmp_path: Path) -> None:
    for number in range(5):
        kernels(tmp_path, f"old-{number}", unused=UNUSED + 60, files=40)
    together = Barrier(8)

    def begin(number: int) -> None:
        together.wait()
        keep_cache_folder(tmp_path / f"kernels-new-{number % 4}")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(begin, range(8)))
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"kernels-new-{number}" for number in range(4)]


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").write_bytes(b"a file where a folder should be")
    keep_cache_folder(tmp_path / "__pycache__" / "kernels-new")
    assert (tmp_path / "__pycache__").is_file()


DOUBLING = """
from kontor.batch.compiled import njit_cached

@njit_cached
def doubled(number):
    return number * 2
"""

LOSING = """
import shutil, sys
from doubling import doubled

print(doubled(2))
shutil.rmtree(sys.argv[1])
print(doubled(2.5), doubled(3))
"""


@pytest.mark.process
def test_a_process_whose_kernels_were_removed_goes_on_and_keeps_new_ones(tmp_path: Path) -> None:
    (tmp_path / "doubling.py").write_text(DOUBLING, "utf-8")
    cache = tmp_path / "kernels-lost"
    result = subprocess.run(
        [sys.executable, "-c", LOSING, str(cache)],
        cwd=tmp_path,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
        capture_output=True,
        encoding="utf-8",
        timeout=HANG_TIMEOUT,
    )
    assert (result.returncode, result.stdout.split()) == (0, ["4", "5.0", "6"]), result.stderr
    assert len(list(cache.rglob("doubling.doubled-*.nbc"))) == 1


@pytest.mark.process
def test_a_package_beside_kontor_has_kernels_of_its_own_sources(tmp_path: Path) -> None:
    """Check the name of the folder, which a change of any file of the package changes."""
    package = tmp_path / "kernels_of_a_test"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "numbers.py").write_text("ONE = 1\n", "utf-8")
    names = []
    for number in (1, 1, 2):
        (package / "numbers.py").write_text(f"ONE = {number}\n", "utf-8")
        code = (
            "import kernels_of_a_test\n"
            "from kontor.batch.compiled import kernel_cache_folder\n"
            "print(kernel_cache_folder('kernels_of_a_test').name, kernel_cache_folder().name)"
        )
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert done.returncode == 0, done.stderr
        names.append(done.stdout.split())
    (first, ours), again, (changed, _) = names
    assert again == [first, ours]
    assert len({first, ours, changed}) == 3
