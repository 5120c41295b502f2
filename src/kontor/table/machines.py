"""Machine players: they find the tables where it is their turn, think outside of all locks, and play as others do.

Nothing is kept but in the database, so that after a crash they go on where they were; and since their random numbers
follow from the line, they think the same again. A move is appended under the number of the line it was thought for:
whoever else was there meanwhile, it is played once or not at all.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from kontor.players import Choose, player_named
from kontor.players.uniform import choose as uniform
from kontor.table.errors import Conflict, NotYourTurn
from kontor.table.house import House
from kontor.table.values import Look, MachineTurn, Pace

_LOG = logging.getLogger(__name__)

_PAUSE: Final = 1.5
_SHARE: Final = 0.1
"""The longest pause before a move, in seconds; and the greatest part of a short time that it may take."""

_LOOK: Final = 1.0
_LOOK_SOON: Final = 0.1
"""After how many seconds to look again if nothing is heard; and if somebody only pauses."""

_REST: Final = 30.0
"""For how many seconds a table is left alone where something failed."""


def pause_of(pace: Pace) -> float:
    """For how many seconds a machine player lets the others see what happened, before it moves: hardly any of the
    time of a move where that is short."""
    return min(_PAUSE, pace.seconds * _SHARE) if pace.kind == "live" else _PAUSE


class Machines:
    """All machine players of a house::

    with House.open(folder) as house, Machines(house):
        ...  # serve
    """

    def __init__(
        self,
        house: House,
        pause: Callable[[Pace], float] = pause_of,
        player: Callable[[str, str], Choose] = player_named,
    ) -> None:
        """``player(game, name)`` finds them."""
        self._house = house
        self._pause = pause
        self._player = player
        self._resting: dict[str, float] = {}
        self._waiting = False
        self._wake = Event()
        self._stop = Event()
        self._thread: Thread | None = None

    # -------------------------------------------------------------------------------------------------- in a thread

    def start(self) -> Self:
        """Begins to play, in a thread of its own."""
        self._house.listen(lambda table: self._wake.set())
        self._stop.clear()
        self._thread = Thread(target=self._run, name="machine players", daemon=True)
        self._thread.start()
        return self

    def stop(self, timeout: float = 2.0) -> None:
        """Ends after the present move. One that thinks longer is left alone: its move will not be played."""
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.clear()
            played = _guarded("A round of the machine players", self.one_round)
            if not played:
                self._wake.wait(_LOOK_SOON if self._waiting else _LOOK)

    # ------------------------------------------------------------------------------------------------------ a round

    def one_round(self) -> int:
        """Each machine player whose turn it is, and whose pause is over, moves once. Returns how many did."""
        self._house.tend()
        played = 0
        self._waiting = False
        for turn in self._house.machine_turns():
            if self._stop.is_set():
                break
            if turn.waited < self._pause(turn.pace):
                self._waiting = True
            elif self._resting.get(turn.table, 0.0) <= monotonic():
                self._resting.pop(turn.table, None)
                moved = _guarded(f"A turn at a table of {turn.game}", partial(self._move, turn))
                if moved is None:
                    # What fails now will hardly go better at once; the other tables must not wait for it.
                    self._resting[turn.table] = monotonic() + _REST
                played += bool(moved)
        return played

    def _move(self, turn: MachineTurn) -> bool:
        """Whether the machine player has moved; not if somebody else was quicker."""
        try:
            seen, random = self._house.think(turn.table, turn.seat)
            if not seen.moves:
                return False
            self._house.play_machine(turn.table, turn.seat, seen.number, self._choice(turn, seen, random))
        except (Conflict, NotYourTurn):
            return False
        return True

    def _choice(self, turn: MachineTurn, seen: Look, random: Random) -> Any:
        """What the machine player chooses; where it fails, any move, for the others cannot wait for ever."""
        dice = random.getstate()

        def choose() -> tuple[Any, bool]:
            move = self._player(turn.game, turn.player)(seen.view, seen.moves, random)
            return move, move in seen.moves

        player = f"The machine player {turn.player} of {turn.game}"
        move, legal = _guarded(player, choose) or (None, True)
        if not legal:
            _LOG.error("%s chose what is no move", player)
        if move is None or not legal:
            random.setstate(dice)
            return uniform(seen.view, seen.moves, random)
        return move


T = TypeVar("T")


def _guarded(what: str, do: Callable[[], T]) -> T | None:
    """Whatever goes wrong in there stops nobody else. What it says about itself is not logged: a message can quote
    what is hidden from the players, or from everybody."""
    try:
        return do()
    except Exception as error:  # noqa: BLE001 (players can be anybody's code, and the runner has to live)
        lines = traceback.extract_tb(error.__traceback__)[-3:]
        where = " < ".join(f"{Path(line.filename).name}:{line.lineno}" for line in reversed(lines))
        _LOG.error("%s failed: %s at %s", what, type(error).__name__, where)
        return None
