"""How the games of a batch lie in memory: one row of whole numbers for each game, cut into named fields."""

from __future__ import annotations

from math import prod

from kontor.game import Value


class Field(Value, frozen=True):
    """A part of a game's row: so many numbers (``shape``; none for a single one), from 0 to ``most``; in some fields
    ``NONE`` says that there is none."""

    name: str
    shape: tuple[int, ...]
    most: int
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers the field takes in a row."""
        return prod(self.shape)


class Layout(Value, frozen=True):
    """The fields of a row, in their order."""

    fields: tuple[Field, ...]

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return sum(field.size for field in self.fields)

    def at(self, name: str) -> int:
        """Where a field begins in the row. Raises KeyError."""
        begins = 0
        for field in self.fields:
            if field.name == name:
                return begins
            begins += field.size
        raise KeyError(name)

    def field(self, name: str) -> Field:
        """A field by its name. Raises KeyError."""
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)
