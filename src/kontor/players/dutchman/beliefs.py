"""What a seat may believe about the things it cannot see: shares and horseshoes of others, the pile, the middle."""

from __future__ import annotations

from random import Random

from kontor.dutchman.imagine import imagine
from kontor.dutchman.state import State
from kontor.dutchman.view import View


class Beliefs:
    """What a view leaves open, and how likely it is."""

    def __init__(self, view: View) -> None:
        self._view = view

    def sample(self, random: Random) -> State:
        """A whole state that this view could come from."""
        return imagine(self._view, random.randrange)
