"""What all kernels share: how they are compiled, how they count bits, and where their luck comes from.

Luck is SplitMix64 (Steele, Lea and Flood, 2014): one 64-bit number a game, which grows by the same odd number at
every draw and is mixed. Where a game begins follows from the seed and the number of the game alone, so results depend
neither on how many games are played together nor on how many cores play them.

Compiled kernels are kept in ``__pycache__`` for the next process, under a name that follows from all sources that go
into them (numba itself looks only at the file in which a kernel stands). Those of sources that are gone are removed
when new ones are made.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
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
"""The folders of a game of which something goes into a kernel, beside all of this one."""

UNUSED: Final = 24 * 60 * 60.0
"""Seconds after which kernels with which no process has begun may be removed."""


def kernel_cache_folder() -> Path:
    """Where kernels of these sources are kept."""
    digest = sha256()
    games = [Path(str(files(plugin.package))) for plugin in plugins().values() if plugin.batch]
    for folder in (Path(__file__).parent, *(game / part for game in games for part in _PARTS)):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return Path(__file__).with_name("__pycache__") / f"kernels-{digest.hexdigest()[:16]}"


def keep_cache_folder(kernels: Path) -> None:
    """Makes the folder for kernels if it is missing, and removes those beside it that nobody uses any more.

    A process that still runs other sources may have begun more than a day ago. It has its kernels in memory, and
    numba makes the folder again for whatever it still compiles; only a folder that went at the very moment of writing
    would hurt it, and so those of a day are spared.
    """
    with suppress(OSError):  # nowhere to write, as compiled() finds out too; or another process was quicker
        if kernels.is_dir():
            os.utime(kernels)
            return
        kernels.mkdir(parents=True)
        for other in kernels.parent.glob("kernels-*"):
            if time() - other.stat().st_mtime > UNUSED:
                rmtree(other, ignore_errors=True)


_CACHE_FOLDER: Final = kernel_cache_folder()
if not _settings.CACHE_DIR:
    keep_cache_folder(_CACHE_FOLDER)


def njit_cached(function: Function) -> Function:
    """The function as a kernel: compiled when it is first called, kept for the next process, and run without holding
    up Python's other threads."""
    before = _settings.CACHE_DIR
    _settings.CACHE_DIR = before or str(_CACHE_FOLDER)
    try:
        return cast("Function", numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    except RuntimeError:  # nowhere to keep it: neither beside the source nor in the home folder
        return cast("Function", numba.njit(nogil=True, error_model="numpy")(function))
    finally:
        _settings.CACHE_DIR = before


def njit_inline(function: Function) -> Function:
    """The function as a part of kernels, compiled with each of them."""
    return cast("Function", numba.njit(nogil=True, error_model="numpy")(function))


def _intrinsic(function: Callable[..., Any]) -> Any:
    """One of the processor's own, by numba's way to write such a thing down."""
    return intrinsic(function)


def int64_constant(number: int) -> int:
    """A constant for kernels. Of a plain one numba makes a type of its own, and compiles a function anew for each of
    them that it is called with."""
    return cast("int", np.int64(number))


@_intrinsic
def popcount(_typing: Any, bits: Any) -> Any:
    """How many bits of a 64-bit number are set."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), code


@_intrinsic
def trailing_zeros(_typing: Any, bits: Any) -> Any:
    """The place of the lowest bit set in a 64-bit number that is not 0."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), code


LUCK: Final = np.dtype([("state", np.uint64)])
"""The luck of a game."""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)
_MIX_AGAIN = np.uint64(0x94D049BB133111EB)
_LOW = np.uint64(0xFFFFFFFF)
_S11, _S30, _S27, _S31, _S32 = map(np.uint64, (11, 30, 27, 31, 32))
_UNIT = 2.0**-53
_ONE = np.uint64(1)


@njit_inline
def as_int64(number: Any) -> int:
    """As a whole number with a sign, so that differences can be below 0."""
    return np.int64(number)  # type: ignore[return-value]


@njit_inline
def mix64(number: np.uint64) -> np.uint64:
    """A 64-bit number with its bits mixed, each result from one number."""
    number = (number ^ (number >> _S30)) * _MIX
    number = (number ^ (number >> _S27)) * _MIX_AGAIN
    return number ^ (number >> _S31)


@njit_inline
def initial_rng_state(seed: np.uint64, game: np.uint64) -> np.uint64:
    """Where the luck of a game begins."""
    return mix64(mix64(seed + _STEP) ^ mix64(game * _MIX + _MIX_AGAIN))


@njit_inline
def random_below(luck: LuckRow, number: int) -> int:
    """A number from 0 to ``number`` − 1, all exactly equally likely; ``number`` is at least 1 and below 2³².

    Lemire's way: the high half of a product, drawn again in the few cases that would prefer some.
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
    """The same for a number below 2⁶³: beyond 2³² as many bits as it has are drawn until they are below it."""
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
    """A number from 0 to below 1, one of 2⁵³."""
    luck.state += _STEP
    return float((mix64(luck.state) >> _S11) * _UNIT)


@njit_inline
def random_set_bit(luck: LuckRow, bits: np.uint64) -> int:
    """The place of one of the bits that are set, all equally likely. Nothing is drawn where there is one only."""
    many = popcount(bits)
    if many > _ONE:
        for _ in range(random_below(luck, as_int64(many))):
            bits &= bits - _ONE
    return as_int64(trailing_zeros(bits))


@_intrinsic
def _pointer(_typing: Any, address: Any) -> Any:
    """An address as a pointer to who knows what."""

    def code(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(address), code


@njit_inline
def record_at(address: int, kind: np.dtype[np.void]) -> Any:
    """The one record that stands at an address, as an array."""
    return numba.carray(  # type: ignore[attr-defined]
        _pointer(address), 1, kind
    )
