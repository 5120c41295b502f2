"""An attribute that is computed on first access and then cached on the object.

``functools.cached_property`` holds one lock per class in Python 3.11: while one object asks the database, all others
wait. Here two threads that read the same object at once may both compute the value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Owner = TypeVar("Owner")
Found = TypeVar("Found")


class lazy_attribute(Generic[Owner, Found]):  # noqa: N801 (it is used as a decorator)
    """Decorator for a method without arguments: ``@lazy_attribute``."""

    def __init__(self, find: Callable[[Owner], Found]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, owner: None, kind: type[Owner]) -> Self: ...
    @overload
    def __get__(self, owner: Owner, kind: type[Owner]) -> Found: ...

    def __get__(self, owner: Owner | None, kind: Any) -> Self | Found:
        """Compute the value and store it in the object's ``__dict__``, where the next access finds it first."""
        if owner is None:
            return self
        value = owner.__dict__[self._name] = self._find(owner)
        return value
