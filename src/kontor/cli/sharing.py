"""Work of commands, shared by processes or a cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from itertools import zip_longest
from typing import Annotated

import typer

from kontor.words import mark
from kontor.work import Jobs, cluster

Ray = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="[ADDRESS]", help=mark("Share the work with Ray, on a cluster or on this machine.")
    ),
]
"""The option ``--ray``; without an address it is empty: see :func:`with_ray_values`."""


@contextmanager
def sharing(ray: str | None, jobs: int) -> Iterator[Jobs]:
    """Yield the processes or the cluster for the work.

    Ray reports a lost machine on standard output; it is redirected, so that it does not mix with the results.
    """
    if ray is None:
        yield jobs
        return
    with redirect_stdout(sys.stderr), cluster.opened(ray or None, jobs) as opened:
        yield opened


def with_ray_values(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, with an empty value for a ``--ray`` without one; Typer has no optional values."""
    return [
        "--ray=" if argument == "--ray" and following.startswith("-") else argument
        for argument, following in zip_longest(arguments, arguments[1:], fillvalue="-")
    ]
