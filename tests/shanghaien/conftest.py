"""What a failing test of Shanghaien prints."""

from __future__ import annotations

from kontor.games.shanghaien.rules import State

from .table import show


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Two states that should be equal (or should not): both tables, and the fields in which they differ."""
    if not (isinstance(left, State) and isinstance(right, State)):
        return None
    fields = [
        f"{name}: {getattr(left, name)!r} {op} {getattr(right, name)!r}"
        for name in State.__struct_fields__
        if getattr(left, name) != getattr(right, name)
    ]
    return [f"state {op} state", *show(left).splitlines(), "", *show(right).splitlines(), "", *fields]
