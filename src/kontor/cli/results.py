"""Results on standard output, as JSON or as pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from kontor.terminal.screen import Picture, Screen, show_json


def show_result(result: Any, as_json: bool, picture: Callable[[], Picture]) -> None:
    """Print a result as JSON, or as a picture."""
    if as_json:
        show_json(result)
    else:
        Screen().show(picture())


def table_of(left: list[str], right: list[str]) -> Table:
    """Return a table whose first columns hold words, and whose other columns hold numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for head in left:
        table.add_column(Text(head))
    for head in right:
        # In a narrow table only heads of several words are wrapped; the others would lose letters.
        table.add_column(Text(head), justify="right", no_wrap=" " not in head)
    return table
