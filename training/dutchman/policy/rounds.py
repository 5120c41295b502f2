"""Imagined games played to the end of the round, thousands in one call."""

from __future__ import annotations

from typing import Final

import numpy as np

from kontor.batch.arrays import Bytes, GameRow, Ints, Longs, Luck, LuckRow, Rows
from kontor.batch.compiled import LUCK, as_int64, njit_cached, njit_inline
from kontor.games.dutchman.batch.chance import chance_acts, is_chance
from kontor.games.dutchman.batch.layout import NONE, OUTCOME, SAIL
from kontor.games.dutchman.batch.rules import act
from kontor.games.dutchman.batch.tables import DUE_LUCKY, DUE_SAIL
from kontor.games.dutchman.batch.turns import is_over, mover_of
from training.dutchman.policy.imitating import act_by_policy
from training.dutchman.policy.outlook import look_around

CANDIDATE, STATE, COURSE = range(3)
"""Columns of ``labels`` for each end: the action that was tried, the state, and the field to which the thinking seat
sailed (NONE if it did not steer alone)."""
LABELS: Final = 3


@njit_inline
def at_rest(game: GameRow) -> bool:
    """Return True if a round is about to begin, or the game is over.

    States in between are judged by playing them to that point.
    """
    return bool(game.step == DUE_LUCKY or is_over(game))


@njit_inline
def _play_on(
    game: GameRow, seat: int, choosing: bool, thought: GameRow, policy: GameRow, luck: LuckRow, outcome: Bytes
) -> None:
    """Play to the end of the round; while ``choosing``, only until the seat steers."""
    while not at_rest(game) and not (choosing and game.step == DUE_SAIL and mover_of(game) == seat):
        if is_chance(game):
            chance_acts(game, luck, outcome)
        else:
            act_by_policy(game, thought, policy, luck)


@njit_inline
def _branch(
    ends: Rows, at: int, seat: int, thought: GameRow, policy: GameRow, luck: LuckRow, outcome: Bytes, labels: Ints
) -> int:
    """Write the ends of a round in which the seat steers: one for each field ahead, from ``at`` on.

    Returns how many there are.
    """
    look_around(ends[at], thought)
    many = as_int64(thought.many)
    for course in range(1, many):
        ends[at + course] = ends[at]
    for course in range(many):
        game = ends[at + course]
        look_around(game, thought)
        field = as_int64(thought.ahead[course])
        labels[at + course, COURSE] = field
        act(game, SAIL + field)
        _play_on(game, seat, False, thought, policy, luck, outcome)
    return many


@njit_cached
def play_rounds(
    states: Rows,
    luck: Luck,
    actions: Longs,
    seat: int,
    ends: Rows,
    labels: Ints,
    thoughts: Rows,
    policies: Rows,
) -> int:
    """Try each action in each state, and play on to the end of the round by the policy.

    Each state has its own luck. ``seat`` is the mover of all states; where it steers alone, there is an end for each
    field ahead.

    Returns how many ``ends`` and rows of ``labels`` (ends, LABELS) were written. Each trial needs room for as many
    ends as there are ways from a field. ``thoughts`` is a ``thought_of`` their options, ``policies`` one POLICY.
    """
    outcome = np.empty(OUTCOME, np.uint8)
    own = np.empty(1, LUCK)
    many = as_int64(0)
    for candidate in range(len(actions)):
        for place in range(len(states)):
            own[0].state = luck[place].state
            ends[many] = states[place]
            game = ends[many]
            act(game, actions[candidate])
            _play_on(game, seat, True, thoughts[0], policies[0], own[0], outcome)
            written = as_int64(1)
            labels[many, COURSE] = NONE
            if not at_rest(game):
                written = _branch(ends, many, seat, thoughts[0], policies[0], own[0], outcome, labels)
            for end in range(many, many + written):
                labels[end, CANDIDATE] = candidate
                labels[end, STATE] = place
            many += written
    return many
