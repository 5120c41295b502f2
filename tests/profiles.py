"""Profiles of thoroughness for tests of properties.

``./test`` tries two fifths of the examples (``usual``), and fewer windows and moments of a few long tests;
``./test --quick`` tries a tenth (``quick``); ``./test --all`` and tests that are run by name all of them (``whole``).
``KONTOR_TESTS=thorough`` tries fifty times as many, and others each time.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")

PROFILE: Final = os.environ.get("KONTOR_TESTS", "whole")
"""The profile of this run."""

_SHARE: Final = {"whole": 1.0, "usual": 0.4, "quick": 0.1, "thorough": 50.0}

IS_USUAL: Final = PROFILE in ("usual", "quick")
"""True in ``./test`` and ``./test --quick``, which leave further windows and moves to ``./test --all``."""

# The time of an example depends more on the machine than on the tested code.
for _name, _share in _SHARE.items():
    settings.register_profile(_name, settings.default, deadline=None, max_examples=round(100 * _share))


def scale_examples(examples: int) -> int:
    """Return how many of ``examples`` are tried in this run: by the profile, and at least two.

    Raises KeyError where the environment names no profile.
    """
    return max(2, round(examples * _SHARE[PROFILE]))


def sample_cases(cases: Sequence[T]) -> Sequence[T]:
    """Return every tenth of the cases in the quick profile, otherwise all."""
    return cases[::10] if PROFILE == "quick" else cases


def first_cases(number: int, cases: Sequence[T]) -> Sequence[T]:
    """Return the first cases in ``./test`` and ``./test --quick``, otherwise all."""
    return cases[:number] if IS_USUAL else cases


def long_after(first: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases as parameters of a test; all but the first ones are marked as long."""
    return _marked_after(first, cases, pytest.mark.long)


def extended_after(first: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases as parameters of a test; all but the first ones are left to ``./test --all``."""
    return _marked_after(first, cases, pytest.mark.extended)


def _marked_after(first: int, cases: Iterable[Any], mark: pytest.MarkDecorator) -> list[Any]:
    return [pytest.param(case, marks=mark if at >= first else ()) for at, case in enumerate(cases)]
