"""The rules of Der fliegende Holländer once more, for one game, ``rows[game]``: a row of whole numbers (``layout``).

Each part of the rulebook has its module: ``setting_up``, ``acting`` (cards and lays), ``steering`` (lays are turned
over), ``bargaining``, ``sailing``; ``moves`` says what is legal, ``chance`` draws, and all stand over ``turns``,
``goods`` and ``payments``. They take it that what they are told is legal; ``is_legal`` and ``can_happen`` say whether
it is.
"""

from __future__ import annotations

from kontor.batch.arrays import Bytes, Flags, Ints, Rows, Words
from kontor.batch.compiled import as_int64, njit_inline, popcount, random_below_wide, random_set_bit
from kontor.games.dutchman.batch.acting import after_action, chosen, lay_down, play_kontor, put_back
from kontor.games.dutchman.batch.bargaining import accept, name, next_proposal, propose
from kontor.games.dutchman.batch.chance import chance_acts, is_chance
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
from kontor.games.dutchman.batch.moves import few_moves, fields_ahead, many_moves, nth_move
from kontor.games.dutchman.batch.payments import divide_at_random, write_way
from kontor.games.dutchman.batch.places import (
    CASH_OF,
    CHESTS,
    COLOURS,
    DID_PASS,
    DID_SMITH,
    DUE_ACTION,
    DUE_OVER,
    DUE_PROPOSE,
    HAPPENED,
    PLAYERS,
    QUEUE,
    SHARES_OF,
    SMITH_OF,
    STEP,
    STONES,
    WENT_BANKRUPT,
)
from kontor.games.dutchman.batch.sailing import after_showing, sail_to, show
from kontor.games.dutchman.batch.turns import mover_of, still_in


@njit_inline
def act(rows: Rows, game: int, action: int) -> None:
    """The mover does something legal."""
    rows[game, HAPPENED] = 0
    seat = mover_of(rows, game)
    if action >= PROPOSE:
        write_way(rows, game, (action - PROPOSE) % WAYS)
        propose(rows, game, (action - PROPOSE) // WAYS)
    elif action >= LAY:
        lay_down(rows, game, seat, action - LAY)
    elif action >= NAME:
        name(rows, game, action - NAME)
    elif action >= SAIL:
        sail_to(rows, game, action - SAIL, QUEUE, as_int64(1))
    elif action >= PUT:
        put_back(rows, game, seat, action - PUT)
    elif action >= SHOW:
        show(rows, game, seat, action - SHOW)
    elif action == KEEP:
        after_showing(rows, game)
    elif action == ACCEPT:
        accept(rows, game)
    elif action in (DECLINE, WITHHOLD):
        next_proposal(rows, game)
    elif action == KONTOR:
        play_kontor(rows, game, seat)
    else:
        if action == SMITH:
            rows[game, SMITH_OF + seat] -= 1
        if rows[game, STEP] == DUE_ACTION:
            chosen(rows, game, DID_SMITH if action == SMITH else DID_PASS)
        after_action(rows, game)


@njit_inline
def score_of(rows: Rows, game: int, points: Ints, winners: Flags) -> None:
    """H13: cash plus the value of the shares; the richest of those not bankrupt win, or else of the last to go so."""
    players = as_int64(rows[game, PLAYERS])
    latest = 0
    lasting = still_in(rows, game)
    for seat in range(players):
        points[seat] = rows[game, CASH_OF + seat]
        for colour in range(COLOURS):
            points[seat] += rows[game, SHARES_OF + COLOURS * seat + colour] * CHESTS[rows[game, STONES + colour]]
        latest = max(latest, rows[game, WENT_BANKRUPT + seat])
    wanted = 0 if lasting else latest
    best = 0
    for seat in range(players):
        if rows[game, WENT_BANKRUPT + seat] == wanted:
            best = max(best, points[seat])
    over = rows[game, STEP] == DUE_OVER
    for seat in range(players):
        winners[seat] = over and rows[game, WENT_BANKRUPT + seat] == wanted and points[seat] == best


@njit_inline
def _act_at_random(rows: Rows, game: int, luck: Words) -> None:
    """The mover does something legal, all of it equally likely. A proposal is made without its number."""
    base, bits = few_moves(rows, game)
    few = as_int64(popcount(bits))
    many = many_moves(rows, game)
    if not many:
        act(rows, game, base + random_set_bit(luck, game, bits))
        return
    number = random_below_wide(luck, game, few + many)
    if number < few or rows[game, STEP] != DUE_PROPOSE:
        act(rows, game, nth_move(rows, game, number))
    else:
        rows[game, HAPPENED] = 0
        divide_at_random(rows, game, luck)
        propose(rows, game, random_set_bit(luck, game, fields_ahead(rows, game)))


@njit_inline
def play_on(rows: Rows, game: int, luck: Words, told: Bytes) -> int:
    """Random legal moves to the end; how many they were."""
    decisions = 0
    while rows[game, STEP] != DUE_OVER:
        if is_chance(rows, game):
            chance_acts(rows, game, luck, told)
        else:
            _act_at_random(rows, game, luck)
            decisions += 1
    return decisions
