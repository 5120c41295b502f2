"""The longest games of Der fliegende Holländer: six players who are always tied, and never agree."""

from __future__ import annotations

from typing import Any, Final

from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.state import Accept, Decline, Lay, Pass, Propose
from kontor.server.composition import KontorServer
from kontor.tables.values import Plan, SeatPlan

OPTIONS: Final = Options(players=6, circles=5)
PLAN: Final = Plan("dutchman", OPTIONS, (SeatPlan("me"), *[SeatPlan("here", f"Guest {n}") for n in range(2, 7)]))


def haggle(view: Any, moves: Any) -> Any:
    """Return a move that makes the game long.

    All seats lay worthless horseshoes, and each names another destination. Of those asked about a proposal only the
    last declines.
    """
    if view.step in ("action", "again"):
        worthless = [move for move in moves if isinstance(move, Lay) and _is_worthless(move, view.lucky)]
        return worthless[-1] if worthless else next((move for move in moves if isinstance(move, Pass)), moves[0])
    if view.step == "name":
        return moves[len(view.bargain.named) % len(moves)]
    if view.step == "propose":
        return next((moves[at] for at in range(min(2, len(moves))) if isinstance(moves[at], Propose)), moves[0])
    if view.step == "answer":
        return Decline() if len(view.bargain.answering) == 1 else Accept()
    return moves[0]


def _is_worthless(move: Lay, lucky: int) -> bool:
    return len(move.horseshoes) == 1 and reading(move.horseshoes, lucky) == 0


def played(service: KontorServer, table: str, lines: int) -> int:
    """Play until the log has ``lines`` lines, or the game is over; return how many it has then."""
    while True:
        now = service.tables.view(table)
        if now.info.mover is None or now.info.number >= lines:
            return now.info.number
        seen = now.look(now.info.mover)
        service.moves.play(table, now.info.mover, seen.number, haggle(seen.view, seen.moves))
