"""The output of failing tests of Shanghaien."""

from kontor.games.shanghaien.rules import State

from .table import show


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Describe two states that should (or should not) be equal: both tables, and the differing fields."""
    if not (isinstance(left, State) and isinstance(right, State)):
        return None
    fields = [
        f"{name}: {getattr(left, name)!r} {op} {getattr(right, name)!r}"
        for name in State.__struct_fields__
        if getattr(left, name) != getattr(right, name)
    ]
    return [f"state {op} state", *show(left).splitlines(), "", *show(right).splitlines(), "", *fields]
