"""Whoever looks at the tavern: what they see, what they may do, and what is theirs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from kontor.game import Event, Value
from kontor.games.shanghaien import words as said
from kontor.games.shanghaien.rules import Move, View
from kontor.games.shanghaien.rules.components import (
    TRICKS,
    Card,
    Nation,
    Trick,
    is_sailor,
    nation_of,
    value_of,
)
from kontor.games.shanghaien.web.moves import Choice, field_of
from kontor.words import Words

Side = Literal["mine", "theirs"]
Seen = tuple[int, Event, View, View]
"""A step as one reader knows it: its number, the event, and the views before and after."""


class Face(Value, frozen=True):
    """A card as it is drawn: a sailor has a nation and a value, a dirty trick its dice trick."""

    text: str
    nation: Nation | None = None
    value: int = 0
    trick: Trick | None = None


@dataclass(frozen=True)
class Reader:
    """A reader of the table. ``moves`` are theirs: none while the other moves."""

    words: Words
    names: Sequence[str]
    view: View
    moves: Sequence[Move]

    @property
    def me(self) -> int:
        """The seat that is *mine*. A spectator looks over the shoulder of the first captain."""
        return self.view.seat or 0

    def side(self, seat: int) -> Side:
        """Whose side a seat is on."""
        return "mine" if seat == self.me else "theirs"

    def seat(self, side: Side) -> int:
        """Who sits on a side."""
        return self.me if side == "mine" else 1 - self.me

    def face(self, card: Card) -> Face:
        """A card as it is drawn."""
        return face_of(self.words, card)

    def choice(self, move: Move, text: str) -> Choice | None:
        """A button, if the move can be made."""
        return Choice(field_of(move), text) if move in self.moves else None


@lru_cache(maxsize=1024)
def face_of(words: Words, card: Card) -> Face:
    """A card as it is drawn."""
    text = said.card(words, card)
    if is_sailor(card):
        return Face(text, nation=nation_of(card), value=value_of(card))
    return Face(text, trick=next(trick for trick in TRICKS if trick == card))
