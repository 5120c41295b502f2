"""Inputs of computer players and of the judge for a turn: the seat's view, and a seed of random numbers."""

from __future__ import annotations

import hmac
from random import Random
from typing import Any, Final

from kontor.errors import NotAllowed
from kontor.game import AnyGame, Below
from kontor.tables.rows import TableRow
from kontor.tables.turn_checks import check_is_machine, check_turn_of_person, require_begun
from kontor.tables.values import SHARED_DICE, SeatView
from kontor.tables.views import TableView

_MACHINE: Final = b"kontor-machine-1"
_JUDGE: Final = b"kontor-judge-1"
"""Prefixes that separate the random numbers of computer players and the judge from the dice of the same seed.

The dice use messages that begin differently.
"""

_IMAGINED: Final = 8
"""Number of imagined states by which it is decided what everybody can see."""


def think(now: TableView, seat: int) -> tuple[SeatView, bytes]:
    """Return what a computer player gets: its seat's view, and its random seed, always the same for the same line.

    At tables that share their dice the seed depends on the table, so that none tells what another's computer player
    chooses.
    """
    check_is_machine(now.snapshot.sitting(seat))
    seat_view = now.look(seat)
    row = now.snapshot.row
    prefix = _MACHINE + row.id.encode() if row.dice in SHARED_DICE else _MACHINE
    return seat_view, luck_of(now.log.game_state.dice.seed, seat_view.number + 1, prefix)


def is_plainly_forced(now: TableView) -> bool:
    """Return True if everybody can see that the seat to move has only one move."""
    game_state = now.log.game_state
    return one_move_to_see(game_state.game, game_state.state, Random(game_state.number).randrange)


def one_move_to_see(game: AnyGame, state: Any, below: Below) -> bool:
    """Return True if there is only one move in all states that a spectator may imagine.

    If there is only one move because of a hand, as when all its cards are alike, others must not learn that.
    """
    view = game.view(state, None)
    return all(len(game.moves(game.imagine(view, below))) == 1 for _ in range(_IMAGINED))


def practise(now: TableView, seat: int) -> tuple[SeatView, bytes, str]:
    """Return what the judge gets when a person asks for a hint, and the name of the game.

    Raises NotAllowed, NotYourTurn, NotNow, StoodIn.
    """
    row = require_begun(now.snapshot.row)
    check_practice(row)
    check_turn_of_person(row, now.snapshot.sitting(seat))
    seat_view = now.look(seat)
    return seat_view, luck_of(now.log.game_state.dice.seed, seat_view.number + 1, _JUDGE), row.game


def check_practice(row: TableRow) -> None:
    """Raise NotAllowed at a table without hints."""
    if not row.hints:
        raise NotAllowed("", "There are no hints at this table.")


def luck_of(seed: bytes, line: int, prefix: bytes = _MACHINE) -> bytes:
    """Return the seed of a computer player's random numbers, for the move on a line: 32 bytes.

    Nothing about the dice can be learned from it.
    """
    return hmac.digest(seed, prefix + line.to_bytes(8, "big"), "sha256")
