"""The bargain of the tied players (H9), and other ways to decide (H10)."""

from __future__ import annotations

from kontor.batch.arrays import GameRow
from kontor.batch.compiled import as_int64, njit_inline
from kontor.games.dutchman.batch.layout import AGREED, ROLLED_FOR, UNDECIDED
from kontor.games.dutchman.batch.sailing import sail_to
from kontor.games.dutchman.batch.tables import DUE_AGAIN, DUE_ANSWER, DUE_PROPOSE, DUE_SAIL
from kontor.games.dutchman.batch.turns import mover_of, queue


@njit_inline
def name(game: GameRow, to: int) -> None:
    """Name a destination (H9)."""
    tie = as_int64(game.tie)
    game.named[game.names] = to
    game.names += 1
    game.waiting -= 1
    if game.waiting:
        return
    same = True
    for place in range(tie):
        same = same and game.named[place] == to
    if same:
        for place in range(tie):
            game.agreed[place] = 0
        game.happened |= AGREED
        sail_to(game, to, game.tied, tie)
    elif game.circles == 0:
        _lay_again(game)
    else:
        queue(game, game.tied, tie)
        game.step = DUE_PROPOSE


@njit_inline
def propose(game: GameRow, to: int) -> None:
    """Make a proposal, whose ducats are in the row; the others answer, clockwise from the proposer (H9)."""
    tie = as_int64(game.tie)
    proposer_at = game.asked
    game.proposed = 1
    game.proposed_to = to
    game.accepted = 0
    for place in range(tie - 1):
        game.queue[place] = game.tied[(proposer_at + 1 + place) % tie]
    game.queued = tie - 1
    game.waiting = tie - 1
    game.step = DUE_ANSWER


@njit_inline
def accept(game: GameRow) -> None:
    """Accept the proposal; the last acceptance pays the ducats and moves the Dutchman (H9)."""
    game.accepted += 1
    game.waiting -= 1
    if game.waiting:
        return
    tie = as_int64(game.tie)
    for place in range(tie):
        ducats = game.ducats[place]
        game.cash[game.tied[place]] += ducats
        game.agreed[place] = ducats
    game.happened |= AGREED
    sail_to(game, as_int64(game.proposed_to), game.tied, tie)


@njit_inline
def next_proposal(game: GameRow) -> None:
    """Let the next of the tied players propose; after the last circle a deciding round begins (H10)."""
    tie = as_int64(game.tie)
    proposer_at = game.asked + 1
    circle = game.circle
    if proposer_at == tie:
        proposer_at = 0
        circle += 1
    game.proposed = 0
    game.accepted = 0
    if circle > game.circles:
        _lay_again(game)
        return
    game.asked = proposer_at
    game.circle = circle
    queue(game, game.tied[proposer_at:], tie - proposer_at)
    game.step = DUE_PROPOSE


@njit_inline
def _lay_again(game: GameRow) -> None:
    """Begin a deciding round (H10)."""
    queue(game, game.tied, as_int64(game.tie))
    game.happened |= UNDECIDED
    game.step = DUE_AGAIN


@njit_inline
def roll_for_it(game: GameRow, total: int) -> None:
    """Record a roll; after the last one the highest sum moves the Dutchman, and ties roll again (H10a)."""
    rolls = game.rolls + 1
    game.rolled_seat[rolls - 1] = mover_of(game)
    game.rolled[rolls - 1] = total
    game.rolls = rolls
    game.waiting -= 1
    if game.waiting:
        return
    best = 0
    highest = 0
    for place in range(rolls):
        if game.rolled[place] > best:
            best = game.rolled[place]
            highest = 0
        if game.rolled[place] == best:
            game.queue[highest] = game.rolled_seat[place]
            highest += 1
    game.queued = highest
    game.waiting = highest
    game.happened |= ROLLED_FOR
    game.rolled_for = rolls
    if highest == 1:
        game.step = DUE_SAIL
    else:
        game.rolls = 0
