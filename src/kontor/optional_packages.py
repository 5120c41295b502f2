"""What Kontor does only with more packages: each such room names an extra that installs them (``pyproject.toml``)."""

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
    """Around the imports of an extra's packages. Raises MissingExtra if one is not installed: the sentence names the
    ``{package}``, and the ``{command}`` that installs the extra."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise MissingExtra("", sentence, package=missing.name, command=command_for(extra)) from None


def is_installed(package: str) -> bool:
    """Whether a package of an extra is there. It is not imported, which may take a while."""
    return find_spec(package) is not None
