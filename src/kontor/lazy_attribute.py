"""An attribute that is found out when it is first asked for.

Like ``functools.cached_property``, which in Python 3.11 lets all objects of a class wait for one of them: while it
asks the database, no other can. Here two threads that ask the same object at once may both find it out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Owner = TypeVar("Owner")
Found = TypeVar("Found")


class lazy_attribute(Generic[Owner, Found]):  # noqa: N801 (it is used as a decorator)
    """``@lazy_attribute`` above a method without arguments."""

    def __init__(self, find: Callable[[Owner], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, owner: None, kind: type[Owner]) -> Self: ...
    @overload
    def __get__(self, owner: Owner, kind: type[Owner]) -> Found: ...

    def __get__(self, owner: Owner | None, kind: Any) -> Self | Found:
        """Finds it out, and keeps it where it is looked for first the next time."""
        if owner is None:
            return self
        found = owner.__dict__[self._name] = self._find(owner)
        return found
