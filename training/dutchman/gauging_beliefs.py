"""Errors of the beliefs (``beliefs.py``), measured in games of each player with itself.

Beliefs take all deals as equally likely. A player who chooses what to keep holds more than that. So the errors are
measured with equal weights, and with weights for what was kept (``keeping.py``). They are measured against what
others really hold when a round begins.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import log, sqrt
from random import Random
from typing import Final, NamedTuple

from kontor.game import CHANCE, OVER
from kontor.games.dutchman.players import expert, greedy
from kontor.games.dutchman.players.beliefs import Beliefs, WeightsOf, all_equal
from kontor.games.dutchman.rules.chance import chance
from kontor.games.dutchman.rules.components import CHESTS, COLOURS, PLACE_OF
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import play
from kontor.games.dutchman.rules.state import Options, State, start
from kontor.games.dutchman.rules.view import view
from training.dutchman import keeping
from training.trainers import BeliefError, Calibration

STAGES: Final = ((1, 3), (4, 6), (7, 9), (10, 12), (13, 15), (16, 99))
"""Rounds that are measured together: the first and the last."""
SEATS: Final = 4
PLAYERS: Final = {"greedy": greedy.choose, "expert": expert.choose}
_LEAST: Final = 1e-9


class Hand(NamedTuple):
    """Errors of the beliefs about one hidden hand.

    ``more`` is how much more it was worth than believed, in ducats. ``log_loss`` is the mean over the colours of −ln
    of the believed probability of its number of shares, ``expected`` the expectation of that.
    """

    round: int
    more: float
    log_loss: float
    expected: float


class Game(NamedTuple):
    """Hands hidden from one of the seats at each start of a round in a game.

    They are given with equal weights, and the same ones with weights for what was kept.
    """

    equal: list[Hand]
    weighed: list[Hand]


def hands_of(task: tuple[int, str, int]) -> tuple[str, Game]:
    """Play a game, given by a seed, a player's name and a number; return its hidden hands with the player's name."""
    seed, player, number = task
    random = Random(f"dutchman/{seed}/beliefs/{player}/{number}")
    choose = PLAYERS[player]
    hands = Game([], [])
    state = start(Options(SEATS))
    while state.mover != OVER:
        if state.mover != CHANCE:
            state = play(state, choose(view(state, state.mover), moves(state), random))
            continue
        if state.step == "lucky":
            reader = random.choice(state.order)
            hands.equal.extend(hidden_hands(state, reader))
            hands.weighed.extend(hidden_hands(state, reader, keeping.weights_of))
        state = play(state, chance(state).draw(random.randrange))
    return player, hands


def hidden_hands(state: State, reader: int, weights_of: WeightsOf = all_equal) -> Iterable[Hand]:
    """Yield the hands that a seat does not know for certain, in a state at the start of a round."""
    beliefs = Beliefs(view(state, reader), weights_of)
    for seat in state.order:
        if seat == reader or not beliefs.is_open(seat):
            continue
        held = state.merchants[seat].shares
        more = losses = expected = 0.0
        for colour in COLOURS:
            likely = beliefs.shares(seat, colour)
            count = held.count(colour)
            value = CHESTS[state.stones[PLACE_OF[colour]]]
            more += value * (count - sum(number * each for number, each in enumerate(likely)))
            losses -= log(max(likely[count], _LEAST))
            expected -= sum(each * log(max(each, _LEAST)) for each in likely)
        yield Hand(state.round, more, losses / len(COLOURS), expected / len(COLOURS))


def by_stage(player: str, games: Sequence[Game]) -> tuple[BeliefError, ...]:
    """Return the errors of beliefs in games of a player, by stage.

    Stages with hidden hands in fewer than two games are left out, because they give no standard error.
    """
    stages: dict[tuple[int, int], list[Game]] = defaultdict(list)
    for game in games:
        for first, last in STAGES:
            some = Game(*([hand for hand in hands if first <= hand.round <= last] for hands in game))
            if some.equal:
                stages[first, last].append(some)
    return tuple(_error(player, stages[stage]) for stage in STAGES if len(stages[stage]) > 1)


def _error(player: str, games: Sequence[Game]) -> BeliefError:
    rounds = [hand.round for game in games for hand in game.equal]
    equal = _calibration([game.equal for game in games])
    return BeliefError(
        player,
        min(rounds),
        max(rounds),
        len(rounds),
        equal.bias,
        equal.bias_error,
        equal.log_loss,
        equal.expected,
        _calibration([game.weighed for game in games]),
    )


def _calibration(games: Sequence[Sequence[Hand]]) -> Calibration:
    hands = [hand for game in games for hand in game]
    count = len(hands)
    bias = sum(hand.more for hand in hands) / count
    # The hands of one game are not independent: they are summed up before squaring.
    spread = sum(sum(hand.more - bias for hand in game) ** 2 for game in games)
    return Calibration(
        bias,
        sqrt(spread * len(games) / (len(games) - 1)) / count,
        sum(hand.log_loss for hand in hands) / count,
        sum(hand.expected for hand in hands) / count,
    )
