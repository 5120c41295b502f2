"""A bounded cache of the values used last, with a smaller bound for those that are done."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Values by their keys. Safe to use from any thread."""

    def __init__(
        self,
        most: int,
        few: int,
        is_done: Callable[[Value], bool],
        is_newer: Callable[[Value, Value], bool] = lambda cached, value: True,
    ) -> None:
        """Create a cache of at most ``most`` values that are not done, and ``few`` that are.

        A value replaces the cached one only if ``is_newer(cached, value)``.
        """
        self._is_done = is_done
        self._is_newer = is_newer
        self._shelves: tuple[tuple[int, OrderedDict[Key, Value]], ...] = ((most, OrderedDict()), (few, OrderedDict()))
        self._lock = Lock()

    def __len__(self) -> int:
        return sum([len(shelf) for _, shelf in self._shelves])

    def get(self, key: Key) -> Value | None:
        """Return the value cached under the key and mark it as used, or return None."""
        with self._lock:
            for _, shelf in self._shelves:
                value = shelf.get(key)
                if value is not None:
                    shelf.move_to_end(key)
                    return value
        return None

    def keep(self, key: Key, value: Value) -> None:
        """Cache the value; if there are too many, drop the least recently used."""
        with self._lock:
            for _, shelf in self._shelves:
                cached = shelf.get(key)
                if cached is not None:
                    value = value if self._is_newer(cached, value) else cached
                    del shelf[key]
            most, shelf = self._shelves[self._is_done(value)]
            shelf[key] = value
            while len(shelf) > most:
                shelf.popitem(last=False)

    def forget(self, key: Key) -> None:
        """Remove the key from the cache, if it is there."""
        with self._lock:
            for _, shelf in self._shelves:
                shelf.pop(key, None)
