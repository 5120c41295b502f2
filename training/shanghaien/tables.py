"""Tables to learn from: what may lie there at the start of a round.

They come from games of *greedy*, some of them with moves at random strewn in, and are then varied. Rounds in which
both can use a trick take many times as long to solve as those in which nobody can; but from round 4 on both hold some
at most tables of good players, and so at many of these. Tables at which the game is as good as decided are left out,
mostly: they teach little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from msgspec.structs import replace

from kontor.game import CHANCE, OVER
from kontor.games.shanghaien.players import greedy
from kontor.games.shanghaien.players.values import between, expected_lead
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.components import (
    ROUNDS,
    TRICK_CARDS,
    TRICKS,
    Card,
    TrickCounts,
    is_sailor,
    nation_of,
)
from kontor.games.shanghaien.rules.scoring import Crew
from kontor.games.shanghaien.rules.state import Move, Options, State
from kontor.games.shanghaien.rules.view import View
from kontor.players import Choose

STRAYING: Final = (0.0, 0.0, 0.05, 0.2)
"""Probability of a random move, in one game or another."""

HOLDING: Final = (1.5, 1.5, 2.0)
"""Number of tables made of one, where nobody, one, and both have tricks; so many on average."""

HANDS: Final = (1, 2, 2, 3, TRICK_CARDS)
"""The most tricks that a captain who has some can have left, at each table."""

MOVED: Final = (0, 2, 4, 6)
"""Number of sailors that change hands, or leave the game or come back, at one table or another."""

STRAYS: Final = 4.5
"""By how many points the lead strays in a round (the standard deviation)."""

DECIDED: Final = 2.0
"""With a lead of so many standard deviations the game is as good as decided; and how many such tables are kept."""
KEPT: Final = 0.3


def game(random: Random) -> Iterator[State]:
    """Play a game of greedy with some random moves; yield the states before its rows are laid."""
    straying = random.choice(STRAYING)

    def choose(view: View, moves: Sequence[Move], random: Random) -> Move:
        return random.choice(moves) if random.random() < straying else greedy.choose(view, moves, random)

    for state in played(choose, _options(random), random):
        if state.mover != OVER:
            yield state


def played(choose: Choose, options: Options, random: Random) -> Iterator[State]:
    """Play a game with this policy for both; yield the states before each row, and at last the final state."""
    state = SHANGHAIEN.start(options)
    while state.mover != OVER:
        if state.mover == CHANCE:
            if state.step == "row":
                yield state
            action = SHANGHAIEN.chance(state).draw(random.randrange)
        else:
            action = choose(SHANGHAIEN.view(state, state.mover), SHANGHAIEN.moves(state), random)
        state = SHANGHAIEN.play(state, action)
    yield state


def _options(random: Random) -> Options:
    """Return the options of the rules; in a quarter of games other trick cards (S2), often a first trick (S3a)."""
    if random.random() < 0.75:
        return Options()
    nudge = random.randint(0, TRICK_CARDS)
    both = random.randint(0, TRICK_CARDS - nudge)
    counts = TrickCounts(nudge, both, TRICK_CARDS - nudge - both)
    return Options(tricks=counts, first_trick=random.choice((None, *TRICKS)))


def tables(start: State, random: Random) -> Iterator[State]:
    """Yield tables made from one, all before the row of the same round is laid."""
    for holders, mean in enumerate(HOLDING):
        for _ in range(int(mean + random.random())):
            table = _limit_tricks(_move_sailors(start, random), holders, random)
            if holding(table) == holders and not _is_decided(table, random):
                yield table


def holding(table: State) -> int:
    """Return how many of the two seats have tricks."""
    return sum(bool(crew.tricks) for crew in table.crews)


def _move_sailors(state: State, random: Random) -> State:
    """Move random sailors between the crews and the discarded cards, and draw a random starter."""
    piles: tuple[list[Card], ...] = (
        *[list(crew.sailors) for crew in state.crews],
        list(filter(is_sailor, state.gone)),
    )
    for _ in range(random.choice(MOVED)):
        taken, given = random.choice(piles), random.choice(piles)
        if taken:
            given.append(taken.pop(random.randrange(len(taken))))
    starter = random.randrange(2)
    first, second = (_with_sailors(crew, pile) for crew, pile in zip(state.crews, piles, strict=False))
    return replace(state, crews=(first, second), starter=starter, turn=starter)


def _with_sailors(crew: Crew, sailors: list[Card]) -> Crew:
    """Return the crew with other sailors; jokers stay only with nations that it still has (S8a)."""
    nations = {nation_of(card) for card in sailors}
    jokers = tuple(joker for joker in crew.jokers if joker.nation in nations)
    return replace(crew, sailors=tuple(sailors), jokers=jokers)


def _limit_tricks(state: State, holders: int, random: Random) -> State:
    """Let at most ``holders`` seats keep tricks, each up to a random number of them."""
    most = [random.choice(HANDS) if seat < holders else 0 for seat in (0, 1)]
    random.shuffle(most)
    first, second = (
        replace(crew, tricks=tuple(sorted(random.sample(crew.tricks, min(count, len(crew.tricks))))))
        for crew, count in zip(state.crews, most, strict=True)
    )
    return replace(state, crews=(first, second))


def _is_decided(state: State, random: Random) -> bool:
    lead = expected_lead(between([SHANGHAIEN.view(state, None)]))[0]
    later = ROUNDS - state.round + 1
    return bool(abs(lead) > DECIDED * STRAYS * later**0.5) and random.random() > KEPT
