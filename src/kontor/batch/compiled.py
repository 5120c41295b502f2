"""Basics of all kernels: their compilation and cache, operations on bits, and random numbers.

The generator is SplitMix64 (Steele, Lea and Flood, 2014). Its state is one 64-bit number a game, which grows by the
same odd number at every draw and is mixed. The first state follows from the seed and the number of the game alone. So
results depend neither on the number of games played together nor on the number of cores.

Compiled kernels are cached in ``__pycache__`` for the next process, under a name derived from all their sources.
(Numba itself looks only at the file that contains a kernel.) Kernels of old sources are removed when new ones are
compiled.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from shutil import rmtree
from time import time
from typing import Any, Final, TypeVar, cast

import numpy as np

from kontor.batch.arrays import LuckRow
from kontor.optional_packages import requiring_extra
from kontor.plugins import plugins
from kontor.words import mark

with requiring_extra(
    "batch", mark("The batch simulator needs the package {package}, which is not installed: {command}")
):
    import numba
    from llvmlite import ir
    from numba.core import config as settings
    from numba.core import types
    from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])


_settings: Any = settings
_PARTS: Final = ("batch", "rules", "players")
"""The folders of a game with sources of kernels, beside all of this one."""

UNUSED: Final = 24 * 60 * 60.0
"""Seconds after which a kernel cache that no process has opened may be removed."""


def kernel_cache_folder(package: str = "kontor") -> Path:
    """Return the folder in which kernels of a top-level package are cached.

    Its name follows from the sources of kernels in Kontor and in the games, and from all sources of another package.
    """
    digest = sha256()
    games = [Path(str(files(plugin.package))) for plugin in plugins().values() if plugin.batch]
    others = [] if package == "kontor" else [Path(folder) for folder in sys.modules[package].__path__]
    for folder in (Path(__file__).parent, *(game / part for game in games for part in _PARTS), *others):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return Path(__file__).with_name("__pycache__") / f"kernels-{digest.hexdigest()[:16]}"


def keep_cache_folder(kernels: Path) -> None:
    """Create the folder for kernels if it is missing, and remove unused ones beside it.

    A process that still runs other sources may have begun more than a day ago. Its kernels are in memory, and numba
    creates the folder again when it compiles more. Only removal at the very moment of writing would hurt it, so
    folders used within a day are kept.
    """
    with suppress(OSError):  # the folder is read-only, as njit_cached() finds out too, or another process was quicker
        if kernels.is_dir():
            os.utime(kernels)
            return
        kernels.mkdir(parents=True)
        for other in kernels.parent.glob("kernels-*"):
            if time() - other.stat().st_mtime > UNUSED:
                rmtree(other, ignore_errors=True)


@cache
def _cache_folder_of(package: str) -> Path:
    """Return the folder for kernels of a top-level package, created; a module without a package has Kontor's."""
    folder = kernel_cache_folder(package if hasattr(sys.modules.get(package), "__path__") else "kontor")
    keep_cache_folder(folder)
    return folder


def njit_cached(function: Function) -> Function:
    """Return the function as a kernel, which is compiled when it is first called.

    It is cached for the next process, and releases the GIL while it runs.
    """
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = before or str(_cache_folder_of(function.__module__.partition(".")[0]))
    try:
        return cast("Function", numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # neither the source folder nor the home folder can be written
        return cast("Function", numba.njit(nogil=True, error_model="numpy")(function))
    finally:
        _settings.CACHE_DIR = before


def njit_inline(function: Function) -> Function:
    """Return the function as a part of kernels, compiled with each of them."""
    return cast("Function", numba.njit(nogil=True, error_model="numpy")(function))


def _intrinsic(function: Callable[..., Any]) -> Any:
    """Return a function as a numba intrinsic, which writes instructions of LLVM."""
    return intrinsic(function)


def int64_constant(number: int) -> int:
    """Return a constant for kernels.

    Numba gives each plain literal a type of its own, and compiles a function anew for each literal in its calls.
    """
    return cast("int", np.int64(number))


@_intrinsic
def popcount(_typing: Any, bits: Any) -> Any:
    """Return the number of bits set in a 64-bit number."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), code


@_intrinsic
def trailing_zeros(_typing: Any, bits: Any) -> Any:
    """Return the place of the lowest bit set in a 64-bit number that is not 0."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), code


LUCK: Final = np.dtype([("state", np.uint64)])
"""The random state of a game, as a record."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_MIX_AGAIN = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_S11, _S30, _S27, _S31, _S32 = map(np.uint64, (11, 30, 27, 31, 32))
_UNIT = 2.0**-53
_ONE = np.uint64(1)


@njit_inline
def as_int64(number: Any) -> int:
    """Return a signed integer, so that differences can be below 0."""
    return np.int64(number)  # type: ignore[return-value]


@njit_inline
def mix64(number: np.uint64) -> np.uint64:
    """Return a 64-bit number with its bits mixed, a bijection."""
    number = (number ^ (number >> _S30)) * _MIX
    number = (number ^ (number >> _S27)) * _MIX_AGAIN
    return number ^ (number >> _S31)


@njit_inline
def initial_rng_state(seed: np.uint64, game: np.uint64) -> np.uint64:
    """Return the random state with which a game begins."""
    return mix64(mix64(seed + _STEP) ^ mix64(game * _MIX + _MIX_AGAIN))


@njit_inline
def random_below(luck: LuckRow, number: int) -> int:
    """Return a random number from 0 to ``number`` − 1, all exactly equally likely.

    ``number`` is at least 1 and below 2³². The method is Lemire's: the high half of a product, drawn again in the few
    cases that would favour some numbers.
    """
    many = np.uint64(number)
    while True:
        luck.state += _STEP
        product = (mix64(luck.state) >> _S32) * many
        rest = product & _LOW
        if rest >= many or rest >= (_LOW + _ONE - many) % many:
            return as_int64(product >> _S32)


@njit_inline
def random_below_wide(luck: LuckRow, number: int) -> int:
    """Return a random number from 0 to ``number`` − 1, all equally likely, for a ``number`` below 2⁶³.

    Beyond 2³², as many bits as the number has are drawn until the result is below it.
    """
    if number <= _LOW:
        return random_below(luck, number)
    bits = np.uint64(number - 1)
    for shift in (1, 2, 4, 8, 16, 32):
        bits |= bits >> np.uint64(shift)
    while True:
        luck.state += _STEP
        drawn = mix64(luck.state) & bits
        if drawn < np.uint64(number):
            return as_int64(drawn)


@njit_inline
def random_unit(luck: LuckRow) -> float:
    """Return a random number from 0 to below 1, one of 2⁵³."""
    luck.state += _STEP
    return float((mix64(luck.state) >> _S11) * _UNIT)


@njit_inline
def random_set_bit(luck: LuckRow, bits: np.uint64) -> int:
    """Return the place of a random bit that is set, all equally likely; nothing is drawn if only one is set."""
    many = popcount(bits)
    if many > _ONE:
        for _ in range(random_below(luck, as_int64(many))):
            bits &= bits - _ONE
    return as_int64(trailing_zeros(bits))


@_intrinsic
def _pointer(_typing: Any, address: Any) -> Any:
    """Return an address as an untyped pointer."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(address), code


@njit_inline
def record_at(address: int, kind: np.dtype[np.void]) -> Any:
    """Return the one record at an address, as an array."""
    return numba.carray(  # type: ignore[attr-defined]
        _pointer(address), 1, kind
    )
