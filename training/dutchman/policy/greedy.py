"""Moves of ``greedy``, and games in which all seats play like it."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import Bytes, GameRow, Ints, Luck, LuckRow, Rows
from kontor.batch.compiled import as_int64, njit_cached, njit_inline
from kontor.games.dutchman.batch.bargaining import propose
from kontor.games.dutchman.batch.chance import chance_acts, is_chance
from kontor.games.dutchman.batch.goods import horseshoes_in
from kontor.games.dutchman.batch.layout import KONTOR, NONE, OUTCOME, PASS, SAIL, SMITH, WITHHOLD
from kontor.games.dutchman.batch.rules import act
from kontor.games.dutchman.batch.tables import (
    DID_SMITH,
    DUE_ACTION,
    DUE_AGAIN,
    DUE_ANSWER,
    DUE_NAME,
    DUE_PROPOSE,
    DUE_PUT,
    DUE_SAIL,
)
from kontor.games.dutchman.batch.turns import is_over, mover_of
from kontor.games.dutchman.players import greedy
from kontor.games.dutchman.rules.components import FEW
from training.dutchman.policy.agreement import answer, field_to_name, field_to_propose
from training.dutchman.policy.contest import best_lay, contend, horseshoe_worth, in_rack, later_rounds, without_me
from training.dutchman.policy.outlook import best_for, look_ahead
from training.dutchman.policy.shares import exchange_gain, pair_to_put, share_to_show

_KONTOR_CARD: Final = greedy.KONTOR_CARD
_SMITH_CARD: Final = greedy.SMITH_CARD
_SHARING: Final = greedy.SHARING


@njit_inline
def act_as_greedy(game: GameRow, thought: GameRow) -> None:
    """Make the move that ``greedy`` would make."""
    look_ahead(game, thought, mover_of(game))
    if game.step == DUE_PROPOSE:
        make_proposal(game, thought, field_to_propose(game, thought))
    else:
        act(game, greedy_action(game, thought))


@njit_inline
def make_proposal(game: GameRow, thought: GameRow, to: int) -> None:
    """Propose a field and the ducats in the thought (H9), or withhold if the field is NONE."""
    if to == NONE:
        act(game, WITHHOLD)
        return
    game.happened = 0
    for place in range(game.tie):
        game.ducats[place] = thought.ducats[game.tied[place]]
    propose(game, to)


@njit_inline
def greedy_action(game: GameRow, thought: GameRow) -> int:
    """Return the action of ``greedy``, in any step but that of proposing."""
    step = game.step
    me = thought.me
    if step == DUE_ACTION:
        return _action(game, thought)
    if step == DUE_PUT:
        contend(game, thought, game.order, as_int64(game.in_order))
        return pair_to_put(game, thought)
    if step == DUE_SAIL:
        return SAIL + best_for(game, thought, me, as_int64(1) << me)
    if step == DUE_NAME:
        return field_to_name(game, thought)
    if step == DUE_ANSWER:
        return answer(game, thought)
    if step == DUE_AGAIN:
        return _lay_again(game, thought)
    return share_to_show(game, me)


@njit_inline
def _action(game: GameRow, thought: GameRow) -> int:
    """Return the action with the best standing (H6): lay, forge, exchange or pass."""
    me = thought.me
    contend(game, thought, game.order, as_int64(game.in_order))
    idle = without_me(thought, game.order, as_int64(game.in_order))
    chosen, best = best_lay(game, thought, game.order, as_int64(game.in_order))
    if in_rack(game, me) < FEW and idle > best:
        chosen, best = PASS, idle
    if game.smith[me]:
        forging = forging_standing(game, thought, idle)
        if forging > best:
            chosen, best = SMITH, forging
    if game.kontor[me] and exchanging_standing(game, thought, idle) > best:
        chosen = KONTOR
    return chosen


@njit_inline
def exchanging_standing(game: GameRow, thought: GameRow, idle: float) -> float:
    """Return the mover's standing with a Kontor card (H6a), given the standing without a lay (``idle``)."""
    card = _card_worth(thought, _KONTOR_CARD, as_int64(game.kontor[thought.me]))
    return float(idle + exchange_gain(game, thought) - card)


@njit_inline
def forging_standing(game: GameRow, thought: GameRow, idle: float) -> float:
    """Return the mover's standing with a Smith card (H6b), given the standing without a lay (``idle``)."""
    smiths = as_int64(1)
    for place in range(game.acted):
        smiths += game.actions[place] == DID_SMITH
    middle = as_int64(horseshoes_in(game.middle_gold, game.middle_silver))
    got = middle / (smiths + _SHARING * (game.waiting - 1))
    card = _card_worth(thought, _SMITH_CARD, as_int64(game.smith[thought.me]))
    return float(idle + got * horseshoe_worth(game, thought, got) - card)


@njit_inline
def _card_worth(thought: GameRow, card: float, cards: int) -> float:
    """Return what a card is worth later.

    It is worth less if fewer better moments are to come for all such cards.
    """
    return card * max(0.0, 1 - cards / (later_rounds(thought) + 1))


@njit_inline
def _lay_again(game: GameRow, thought: GameRow) -> int:
    """Return the action of a deciding round (H10): lay further horseshoes, or pass."""
    tie = as_int64(game.tie)
    contend(game, thought, game.tied, tie)
    lay, best = best_lay(game, thought, game.tied, tie)
    return lay if best > without_me(thought, game.tied, tie) else PASS


@njit_inline
def _play_on(game: GameRow, luck: LuckRow, most: int, outcome: Bytes, thought: GameRow) -> int:
    decisions = as_int64(0)
    while decisions < most and not is_over(game):
        if is_chance(game):
            chance_acts(game, luck, outcome)
        else:
            act_as_greedy(game, thought)
            decisions += 1
    return decisions


@njit_cached
def play_as_greedy(rows: Rows, luck: Luck, most: int, decisions: Ints, thoughts: Rows, start: int, stop: int) -> None:
    """Play games on, all seats as ``greedy``, until they are over or ``most`` decisions have been made.

    Writes the number of ``decisions`` of each game. ``thoughts`` is a ``thought_of`` their options.
    """
    outcome = np.empty(OUTCOME, np.uint8)
    for at in range(start, stop):
        decisions[at] = _play_on(rows[at], luck[at], most, outcome, thoughts[0])
