"""Searches for part of a name, in small and capital letters alike."""

from __future__ import annotations

from sqlalchemy import Column, ColumnElement, or_


def contains(column: Column[str], name: str) -> ColumnElement[bool]:
    """Return the condition that a column contains a name in any case.

    SQLite folds the case of ASCII letters only, so usual spellings of others are looked for as well.
    """
    spellings = {name, name.lower(), name.upper(), name.title()}
    return or_(*(column.icontains(spelling, autoescape=True) for spelling in sorted(spellings)))
