"""Types of the arrays of a batch, named by their contents."""

from __future__ import annotations

from typing import Any

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
GameRow = Any
"""A game of a batch, or what a seat sees of it: a numpy record. In kernels its fields are attributes, in Python items
(``row["cash"]``)."""
Rows = np.ndarray[Any, np.dtype[np.void]]
LuckRow = Any
"""The random state of a game: a record whose only field is ``state``."""
Luck = np.ndarray[Any, np.dtype[np.void]]
Numbers = np.ndarray[Any, np.dtype[Any]]
Longs = np.ndarray[Any, np.dtype[np.int64]]
Ints = np.ndarray[Any, np.dtype[np.int32]]
Seats = np.ndarray[Any, np.dtype[np.int8]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
Reals = np.ndarray[Any, np.dtype[np.float32]]
