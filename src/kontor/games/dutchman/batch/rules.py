"""The rules of Der fliegende Holländer for one game of a batch: a row of whole numbers (``layout``).

Each part of the rulebook has its module: ``setting_up``, ``acting`` (cards and lays), ``steering`` (lays are turned
over), ``bargaining``, ``sailing``; ``moves`` says what is legal, ``chance`` draws, and all are built on ``turns``,
``goods`` and ``payments``. They assume that actions and outcomes are legal; ``is_legal`` and ``can_happen`` check it.
"""

from __future__ import annotations

from kontor.batch.arrays import Bytes, Flags, GameRow, Ints, LuckRow
from kontor.batch.compiled import as_int64, njit_inline, popcount, random_below_wide, random_set_bit
from kontor.games.dutchman.batch.acting import after_action, chosen, lay_down, play_kontor, put_back
from kontor.games.dutchman.batch.bargaining import accept, name, next_proposal, propose
from kontor.games.dutchman.batch.chance import can_happen, chance_acts, happen, is_chance
from kontor.games.dutchman.batch.layout import (
    ACCEPT,
    DECLINE,
    KEEP,
    KONTOR,
    LAY,
    NAME,
    PROPOSE,
    PUT,
    SAIL,
    SHOW,
    SMITH,
    WAYS,
    WITHHOLD,
)
from kontor.games.dutchman.batch.moves import (
    count_moves,
    few_moves,
    fields_ahead,
    is_legal,
    many_moves,
    mark_legal,
    nth_move,
)
from kontor.games.dutchman.batch.payments import divide_at_random, write_way
from kontor.games.dutchman.batch.sailing import after_showing, sail_to, show
from kontor.games.dutchman.batch.seeing import see
from kontor.games.dutchman.batch.tables import CHESTS, COLOURS, DID_PASS, DID_SMITH, DUE_ACTION, DUE_PROPOSE
from kontor.games.dutchman.batch.turns import is_over, mover_of, still_in


@njit_inline
def act(game: GameRow, action: int) -> None:
    """Apply a legal action of the mover."""
    game.happened = 0
    seat = mover_of(game)
    if action >= PROPOSE:
        write_way(game, (action - PROPOSE) % WAYS)
        propose(game, (action - PROPOSE) // WAYS)
    elif action >= LAY:
        lay_down(game, seat, action - LAY)
    elif action >= NAME:
        name(game, action - NAME)
    elif action >= SAIL:
        sail_to(game, action - SAIL, game.queue, as_int64(1))
    elif action >= PUT:
        put_back(game, seat, action - PUT)
    elif action >= SHOW:
        show(game, seat, action - SHOW)
    elif action == KEEP:
        after_showing(game)
    elif action == ACCEPT:
        accept(game)
    elif action in (DECLINE, WITHHOLD):
        next_proposal(game)
    elif action == KONTOR:
        play_kontor(game, seat)
    else:
        if action == SMITH:
            game.smith[seat] -= 1
        if game.step == DUE_ACTION:
            chosen(game, DID_SMITH if action == SMITH else DID_PASS)
        after_action(game)


@njit_inline
def score_of(game: GameRow, points: Ints, winners: Flags) -> None:
    """Write each seat's points, and the winners of a finished game (H13).

    Points are cash plus the value of the shares. The richest of those not bankrupt win; if all are, the richest of
    the last to go bankrupt.
    """
    players = as_int64(game.players)
    latest = 0
    lasting = still_in(game)
    for seat in range(players):
        points[seat] = game.cash[seat]
        for colour in range(COLOURS):
            points[seat] += game.shares[seat, colour] * CHESTS[game.stones[colour]]
        latest = max(latest, game.bankrupt[seat])
    wanted = 0 if lasting else latest
    best = 0
    for seat in range(players):
        if game.bankrupt[seat] == wanted:
            best = max(best, points[seat])
    over = is_over(game)
    for seat in range(players):
        winners[seat] = over and game.bankrupt[seat] == wanted and points[seat] == best


@njit_inline
def act_at_random(game: GameRow, luck: LuckRow) -> None:
    """Apply a legal action of the mover, all equally likely.

    A proposal is made without its number.
    """
    base, bits = few_moves(game)
    few = as_int64(popcount(bits))
    many = many_moves(game)
    if not many:
        act(game, base + random_set_bit(luck, bits))
        return
    number = random_below_wide(luck, few + many)
    if number < few or game.step != DUE_PROPOSE:
        act(game, nth_move(game, number))
    else:
        game.happened = 0
        divide_at_random(game, luck)
        propose(game, random_set_bit(luck, fields_ahead(game)))


@njit_inline
def play_on(game: GameRow, luck: LuckRow, outcome: Bytes) -> int:
    """Play random legal moves to the end; return how many there were."""
    decisions = 0
    while not is_over(game):
        if is_chance(game):
            chance_acts(game, luck, outcome)
        else:
            act_at_random(game, luck)
            decisions += 1
    return decisions


__all__ = [
    "act",
    "act_at_random",
    "can_happen",
    "chance_acts",
    "count_moves",
    "happen",
    "is_chance",
    "is_legal",
    "is_over",
    "mark_legal",
    "mover_of",
    "nth_move",
    "play_on",
    "score_of",
    "see",
]
