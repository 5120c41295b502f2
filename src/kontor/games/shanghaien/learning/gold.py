"""Round 7 of Shanghaien valued over both rounds that are left, with nothing learned.

Once its row is laid, the six cards of the last row are known (S3). So each way to deal out the row of round 7 leads
to a last round whose worth is the mean over the orders of these cards (``last.py``), and round 7 is solved with that.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
from msgspec.structs import replace

from kontor.game import CHANCE, Value
from kontor.games.shanghaien.learning.last import ORDERS, LastRound
from kontor.games.shanghaien.learning.many import of_rows
from kontor.games.shanghaien.players.ends import TAKERS, ends
from kontor.games.shanghaien.players.round import NOTHING, WAYS, Ends
from kontor.games.shanghaien.players.tables import played
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS, TRICKS, Card, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Row, State
from kontor.players import player_named


class Gold(Value, frozen=True):
    """What a position is worth to seat 0: by the two rounds played out, by the learned values, and how many last
    rounds that differ had to be solved. ``doubt`` is about the standard error of a last round's value where not all
    orders were solved; it shrinks where many last rounds are mixed, and is 0 where all were."""

    exact: float
    learned: float
    doubt: float
    last_rounds: int


def start(number: int, seed: int) -> State:
    """The start of round 7, its row laid, in a game between experts. Their unused tricks are taken out of the game;
    the row may bear one, not more."""
    return start_of(ROUNDS - 1, Random(f"shanghaien/{seed}/gold/{number}"), 1)


def start_of(number: int, random: Random, most: int) -> State:
    """The same of the round of that number, with so many tricks in its row at the most."""
    starts = played(player_named("shanghaien", "expert"), SHANGHAIEN.options(), random)
    state = next(state for state in starts if state.round == number)
    first, second = (replace(crew, tricks=()) for crew in state.crews)
    gone = (*state.gone, *(trick for crew in state.crews for trick in crew.tricks))
    state = replace(state, crews=(first, second), gone=gone)
    rows = (SHANGHAIEN.chance(state).draw(random.randrange) for _ in range(1000))
    return SHANGHAIEN.play(state, next(row for row in rows if sum(card in TRICKS for card in row.cards) <= most))


def valued(laid: State, number: int = ORDERS, random: Random | None = None) -> Gold:
    """The worth of a start of round 7 at which nobody holds a trick: see :func:`exactly`."""
    exact, doubt, last_rounds = exactly(laid, number, random)
    found = of_rows([exact, ends(SHANGHAIEN.view(laid, None))], laid.turn)
    return Gold(float(found[0]), float(found[1]), doubt, last_rounds)


def exactly(laid: State, number: int = ORDERS, random: Random | None = None) -> tuple[Ends, float, int]:
    """What the ends of a round 7 are worth at whose start nobody holds a trick; and ``doubt`` and ``last_rounds`` of
    :class:`Gold`. With ``random``, only so many orders of each last row are solved, others for each. Raises
    ValueError for any other position."""
    if laid.round != ROUNDS - 1 or any(crew.tricks for crew in laid.crews) or any(map(sum, laid.placed)):
        raise ValueError("This is no start of round 7 without tricks in hand.")
    known: dict[object, tuple[float, float]] = {}
    worth = np.empty((1, 1, 2, WAYS))
    doubts = np.zeros((2, WAYS))
    for ender, way, last in _last_rounds(laid):
        key = last.key
        if key not in known:
            value, doubt, _ = last.value(number, random)
            known[key] = (1 - value if last.turn else value), doubt
        value, doubts[ender, way] = known[key]
        worth[0, 0, ender, way] = 1 - value if last.turn else value
    return Ends(((NOTHING,), (NOTHING,)), worth), float(np.sqrt(np.mean(doubts**2))), len(known)


def _last_rounds(laid: State) -> Iterator[tuple[int, int, LastRound]]:
    """By who ends round 7 and who gets which of its cards, the last round that follows."""
    row = Row(laid.to_come)
    for way in range(WAYS):
        after = next_round(laid, way)
        ended = ends(SHANGHAIEN.view(SHANGHAIEN.play(after, row), None))
        for ender in (0, 1):
            yield ender, way, LastRound(ended, 1 - ender)  # the other starts (S10)


def next_round(laid: State, way: int) -> State:
    """The next round, before its row is laid, when the row has been dealt out in a way (``players.round.Ends``). Who
    starts it, the worth of its ends does not ask."""
    first, second = (
        _with(crew, [card for card, taker in zip(laid.row, TAKERS[way], strict=True) if taker == seat])
        for seat, crew in enumerate(laid.crews)
    )
    return replace(
        laid, mover=CHANCE, step="row", round=laid.round + 1, row=(), crews=(first, second), turn=0, starter=0
    )


def _with(crew: Crew, cards: list[Card]) -> Crew:
    sailors = [card for card in cards if is_sailor(card)]
    tricks = [card for card in cards if not is_sailor(card)]
    return replace(crew, sailors=(*crew.sailors, *sailors), tricks=tuple(sorted((*crew.tricks, *tricks))))
