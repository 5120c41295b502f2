"""Packages that only some commands need: a room that uses one names its extra (``pyproject.toml``)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from kontor.distribution import command_for
from kontor.game import Refusal


class MissingExtra(Refusal):
    """A package of an extra is not installed."""


@contextmanager
def requiring_extra(extra: str, sentence: str) -> Iterator[None]:
    """Wrap the imports of an extra's packages. Raises MissingExtra if one is not installed.

    The sentence names the ``{package}``, and the ``{command}`` that installs the extra.
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        raise MissingExtra("", sentence, package=missing.name, command=command_for(extra)) from None


def is_installed(package: str) -> bool:
    """Return True if a package is installed. It is not imported, because that may take a while."""
    return find_spec(package) is not None
