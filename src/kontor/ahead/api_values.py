"""Moves given ahead, as programs read and send them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from kontor.game import Value


class GivenAhead(Value, frozen=True):
    """The moves given ahead, also in words; ``missed`` if it is one's turn and they do not fit."""

    moves: tuple[Any, ...]
    sentences: tuple[str, ...]
    missed: bool


class NewMovesAhead(Value, frozen=True, forbid_unknown_fields=True):
    """Moves to be given ahead, instead of those given before."""

    moves: Annotated[tuple[dict[str, Any], ...], msgspec.Meta(min_length=1, max_length=20)]
