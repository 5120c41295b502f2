"""Forms as browsers send them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

Known = TypeVar("Known")


def one_line(text: str, most: int) -> str:
    """Return text as a line of at most ``most`` characters, without control characters and outer spaces."""
    return "".join(filter(str.isprintable, text)).strip()[:most]


class Form(Mapping[str, str]):
    """The fields of a form. Several values of one field are joined by spaces: ``lay=45&lay=-2`` is ``45 -2``."""

    def __init__(self, fields: Iterable[tuple[str, object]]) -> None:
        joined: dict[str, list[str]] = {}
        for name, value in fields:
            if isinstance(value, str):
                joined.setdefault(name, []).append(value)
        self._fields = {name: " ".join(values) for name, values in joined.items()}

    def __getitem__(self, name: str) -> str:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def text(self, name: str, most: int) -> str:
        """Return a field as :func:`one_line` does."""
        return one_line(self.get(name, ""), most)

    def number(self, name: str, default: int = 0) -> int:
        """Return a field as a whole number, or ``default`` if it is not one."""
        text = self.get(name, "").strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default

    def one_of(self, name: str, allowed: Sequence[Known], default: Known) -> Known:
        """Return a field if it is one of the ``allowed`` values, else ``default``."""
        return next((value for value in allowed if value == self.get(name)), default)

    def starter(self) -> int | None:
        """Return the seat that starts, in a form for a new table; None if it is drawn by lot."""
        text = self.get("starter", "")
        return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None
