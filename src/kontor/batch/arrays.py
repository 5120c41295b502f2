"""The arrays of a batch, by what their numbers are."""

from __future__ import annotations

from typing import Any

import numpy as np

Bytes = np.ndarray[Any, np.dtype[np.uint8]]
Words = np.ndarray[Any, np.dtype[np.uint64]]
Rows = np.ndarray[Any, np.dtype[Any]]
"""One game in each row: uint8 or int32, as the game's layout says."""
Longs = np.ndarray[Any, np.dtype[np.int64]]
Ints = np.ndarray[Any, np.dtype[np.int32]]
Seats = np.ndarray[Any, np.dtype[np.int8]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
Reals = np.ndarray[Any, np.dtype[np.float32]]
