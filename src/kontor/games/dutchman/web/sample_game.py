"""One game of six merchants, from the deal to the tenth ship: the rules page tells it and shows its positions.

Every position is played by the rules; chance draws what the story needs. In the first six rounds each merchant steers
once, plays one Smith and one Kontor card, and loses little; the rounds after them are told.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.chance import in_order
from kontor.games.dutchman.rules.state import (
    Accept,
    Deal,
    Decline,
    Dice,
    Kontor,
    Lay,
    Name,
    Propose,
    Put,
    Sail,
    Share,
    Show,
    Shuffle,
    Smith,
    Withhold,
)
from kontor.games.dutchman.web.story import Seen

NAMES: Final = ("Anna", "Bernd", "Carla", "Dora", "Emil", "Fritz")
ANNA, BERND, CARLA, DORA, EMIL, FRITZ = range(6)

_DEAL: Final = Deal(
    hands=(
        ("blue", "blue", "red"),
        ("yellow", "yellow", "green"),
        ("red", "red", "violet"),
        ("blue", "green", "orange"),
        ("orange", "red", "violet"),
        ("blue", "blue", "violet"),
    ),
    pile=("green", "red", "yellow", "orange", "yellow", "orange", "yellow", "orange", "green", "violet", "green",
          "violet"),
    racks=(
        (40, 38, 36, 22, 20, 10, 10, 1, 1),
        (41, 39, 24, 21, 20, 10, 10, 1, 1),
        (45, 42, 37, 26, 10, 10, 10, 1, 1),
        (44, 43, 30, 25, 20, 10, 10, 1, 1),
        (46, 32, 31, 28, 10, 10, 1, 1, 1),
        (47, 34, 29, 27, 10, 10, 2, 1, 1),
    ),
    middle=(48, 35, 33, 23, 2, 2),
    out=(),
)  # fmt: skip

_TOLD: Final = 7
"""The round in which Anna exchanges shares; before it, all players put back what they have drawn."""

_K: Final = Kontor()
_S: Final = Smith()


def _lay(*horseshoes: int) -> Lay:
    return Lay(horseshoes)


# Each round: the dice, what everyone does from the starting player on, and what follows the reveal.
_ROUNDS: Final[tuple[tuple[Dice, tuple[Any, ...], tuple[Any, ...]], ...]] = (
    (Dice(20, 3), (_lay(22), _lay(10), _S, _lay(1), _K, _lay(10)), (Sail("green 1"),)),
    (Dice(20, 5), (_lay(24), _lay(10), _S, _lay(10), _K, _lay(10)), (Sail("violet 1"),)),
    (Dice(20, 7), (_lay(26), _lay(1), _S, _lay(10), _K, _lay(10)), (Sail("orange 2"),)),
    (Dice(30, 1), (_lay(30), _lay(10), _S, _lay(10), _K, _lay(10)), (Sail("Curaçao"), Show("blue"))),
    (Dice(30, 3), (_lay(32), _lay(1), _S, _lay(1), _K, _lay(10)), (Sail("green 2"),)),
    (Dice(30, 5), (_lay(34), _lay(1), _S, _lay(1), _K, _lay(1)), (Sail("violet 3"),)),
    (
        Dice(30, 1),
        (_K, _S, _S, _lay(20, 10), _lay(31), _lay(29, 2)),
        (Name("blue 3"), Name("Mauritius"), Withhold(), Propose("Mauritius", (5, -5)), Decline(), Withhold(),
         Withhold(), _lay(28, 1), _lay(27), Sail("blue 3")),
    ),
    (
        Dice(40, 5),
        (_lay(41), _lay(45), _lay(44, 1), _S, _S, _lay(40)),
        (Name("orange 3"), Name("Curaçao"), Propose("orange 3", (-6, 6)), Accept()),
    ),
    (Dice(30, 7), (_lay(37), _lay(25), _lay(1), _lay(1), _lay(36), _lay(21)), (Sail("Holland"), Show("red"))),
    (Dice(40, 7), (_lay(43), _lay(46), _lay(1), _lay(38), _lay(39), _S), (Sail("yellow 1"),)),
    (Dice(40, 3), (_lay(10), _lay(1), _lay(10), _lay(42, 1), _lay(10)), (Sail("green 3"),)),
    (Dice(40, 9), (_lay(47), _lay(10), _lay(48, 1), _lay(10), _lay(10)), (Sail("orange 3"),)),
)  # fmt: skip


@dataclass(frozen=True)
class Moment:
    """A position of the game, and the last steps that led to it."""

    state: State
    steps: tuple[tuple[State, Any, State], ...]

    def seen(self, seat: int | None) -> list[Seen]:
        """Return what a seat, or a spectator, knows of those steps."""
        view, event = DUTCHMAN.view, DUTCHMAN.event
        return [
            (number, event(before, action, after, seat), view(before, seat), view(after, seat))
            for number, (before, action, after) in enumerate(self.steps)
        ]


@cache
def sample_game() -> tuple[Moment, ...]:
    """Return every position, from the deal on."""
    state = DUTCHMAN.start(Options(players=len(NAMES), starter=ANNA))
    steps: list[tuple[State, Any, State]] = []
    moments: list[Moment] = []

    def play(action: Any) -> None:
        nonlocal state
        after = DUTCHMAN.play(state, action)
        steps.append((state, action, after))
        state = after
        moments.append(Moment(state, tuple(steps)))

    def quietly() -> None:
        """Play what the story does not tell: sharing among smiths, and shuffling."""
        while True:
            match state.step:
                case "share":
                    play(_share_out(state))
                case "shuffle":
                    play(Shuffle(in_order(state.pile)))
                case _:
                    return

    play(_DEAL)
    for dice, actions, after in _ROUNDS:
        steps = steps[-40:]
        play(dice)
        for action in actions:
            drawn = state.pile[:2]
            play(action)
            if state.step == "put":
                play(Put(("blue", "blue") if state.round == _TOLD else (drawn[0], drawn[1])))
            quietly()
        for action in after:
            play(action)
            quietly()
    return tuple(moments)


def _share_out(state: State) -> Share:
    """Return a sharing of the highest horseshoes first, to one smith after the other; the rest stays (H6b)."""
    heap, smiths = state.middle, len(state.smiths)
    each = len(heap) // smiths
    return Share(tuple(heap[each * place : each * (place + 1)] for place in range(smiths)), heap[each * smiths :])
