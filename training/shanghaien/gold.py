"""Reference values of round 7 of Shanghaien: both rounds that are left are solved, with nothing learned.

Once its row is laid, the six cards of the last row are known (S3). So each way to deal out the row of round 7 leads
to a last round. Its value is the mean over the orders of these cards (``last.py``). Round 7 is solved with that.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
from msgspec.structs import replace

from kontor.game import CHANCE, Value
from kontor.games.shanghaien.players.ends import TAKERS, ends
from kontor.games.shanghaien.players.round import NOTHING, WAYS, Ends
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import ROUNDS, TRICKS, Card, is_sailor
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Row, State
from kontor.players import player_named
from training.shanghaien.last import ORDERS, LastRound
from training.shanghaien.many import of_rows
from training.shanghaien.tables import played


class Gold(Value, frozen=True):
    """The value of a position to seat 0, solved and learned.

    ``exact`` is solved over both rounds, ``learned`` uses the learned values for the last; ``last_rounds`` is the
    number of different last rounds that had to be solved. ``doubt`` is about the standard error of a last round's
    value where not all orders were solved; it shrinks where many last rounds are mixed, and is 0 where all were.
    """

    exact: float
    learned: float
    doubt: float
    last_rounds: int


def start(number: int, seed: int) -> State:
    """Return a start of round 7, its row laid, in a game between experts.

    Their unused tricks are taken out of the game; the row has one trick at most.
    """
    return start_of(ROUNDS - 1, Random(f"shanghaien/{seed}/gold/{number}"), 1)


def start_of(number: int, random: Random, most: int) -> State:
    """Return a start of a round, its row laid, with ``most`` tricks in the row at most; see :func:`start`."""
    starts = played(player_named("shanghaien", "expert"), SHANGHAIEN.options(), random)
    state = next(state for state in starts if state.round == number)
    first, second = (replace(crew, tricks=()) for crew in state.crews)
    gone = (*state.gone, *(trick for crew in state.crews for trick in crew.tricks))
    state = replace(state, crews=(first, second), gone=gone)
    rows = (SHANGHAIEN.chance(state).draw(random.randrange) for _ in range(1000))
    return SHANGHAIEN.play(state, next(row for row in rows if sum(card in TRICKS for card in row.cards) <= most))


def valued(laid: State, number: int = ORDERS, random: Random | None = None) -> Gold:
    """Return the value of a start of round 7 at which nobody holds a trick; see :func:`exactly`."""
    exact, doubt, last_rounds = exactly(laid, number, random)
    chances = of_rows([exact, ends(SHANGHAIEN.view(laid, None))], laid.turn)
    return Gold(float(chances[0]), float(chances[1]), doubt, last_rounds)


def exactly(laid: State, number: int = ORDERS, random: Random | None = None) -> tuple[Ends, float, int]:
    """Return the values of the ends of a round 7 at whose start nobody holds a trick, with their doubt.

    Also returned are ``doubt`` and ``last_rounds`` of :class:`Gold`. With ``random``, only ``number`` orders of each
    last row are solved, others for each. Raises ValueError for any other position.
    """
    if laid.round != ROUNDS - 1 or any(crew.tricks for crew in laid.crews) or any(map(sum, laid.placed)):
        raise ValueError("This is no start of round 7 without tricks in hand.")
    cached: dict[object, tuple[float, float]] = {}
    worth = np.empty((1, 1, 2, WAYS))
    doubts = np.zeros((2, WAYS))
    for ender, way, last in _last_rounds(laid):
        key = last.key
        if key not in cached:
            value, doubt, _ = last.value(number, random)
            cached[key] = (1 - value if last.turn else value), doubt
        value, doubts[ender, way] = cached[key]
        worth[0, 0, ender, way] = 1 - value if last.turn else value
    return Ends(((NOTHING,), (NOTHING,)), worth), float(np.sqrt(np.mean(doubts**2))), len(cached)


def _last_rounds(laid: State) -> Iterator[tuple[int, int, LastRound]]:
    """Yield who ends round 7, the way its cards are dealt out, and the last round that follows."""
    row = Row(laid.to_come)
    for way in range(WAYS):
        after = next_round(laid, way)
        ended = ends(SHANGHAIEN.view(SHANGHAIEN.play(after, row), None))
        for ender in (0, 1):
            yield ender, way, LastRound(ended, 1 - ender)  # the other starts (S10)


def next_round(laid: State, way: int) -> State:
    """Return the next round, before its row is laid, after a way to deal out the row (``players.round.Ends``).

    The starter is set to 0: the values of its ends do not depend on it.
    """
    first, second = (
        _with_cards(crew, [card for card, taker in zip(laid.row, TAKERS[way], strict=True) if taker == seat])
        for seat, crew in enumerate(laid.crews)
    )
    return replace(
        laid, mover=CHANCE, step="row", round=laid.round + 1, row=(), crews=(first, second), turn=0, starter=0
    )


def _with_cards(crew: Crew, cards: list[Card]) -> Crew:
    sailors = [card for card in cards if is_sailor(card)]
    tricks = [card for card in cards if not is_sailor(card)]
    return replace(crew, sailors=(*crew.sailors, *sailors), tricks=tuple(sorted((*crew.tricks, *tricks))))
