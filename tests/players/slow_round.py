"""A round of Shanghaien solved in the simplest way, directly from the rules (S4 to S9): by recursion alone.

It uses neither the rules engine nor the solver. The values of the round's ends are given from outside, so that any
values will do, also such as no real game has.
"""

from dataclasses import dataclass
from typing import Any

from kontor.games.shanghaien.rules.components import End

NUMBERS = range(1, 7)
Counts = tuple[int, ...]
"""Counts of dice on the numbers 1 to 6."""
Roll = tuple[int, int]


@dataclass(frozen=True)
class Position:
    """The placed dice at the beginning of a turn.

    ``used`` is the use by which each seat has spent its trick (S8); 0 is none.
    """

    placed: tuple[Counts, Counts] = ((0,) * 6, (0,) * 6)
    turn: int = 0
    used: tuple[int, int] = (0, 0)
    one_at: End | None = None


class SlowRound:
    """Seat 0's chance to win from any point of a round.

    ``worth[u0][u1][ender][way]`` and ``uses`` are those of the solver's ``Ends``; ``dice`` are those of each player.
    """

    def __init__(self, worth: Any, uses: Any, dice: int = 6) -> None:
        assert dice >= 3, "with fewer, somebody could neither roll nor shanghai"
        self.worth = worth
        self.uses = uses
        self.dice = dice
        self._turns: dict[Position, float] = {}
        self._rolls: dict[tuple[Position, Roll], float] = {}
        self._rollings: dict[Position, float] = {}

    # ---- choices of a player

    def turn(self, at: Position) -> float:
        """Return the value of a turn: roll, or shanghai (S4, S5)."""
        if at not in self._turns:
            self._turns[at] = self._best_value(at.turn, list(self.of_turn(at).values()))
        return self._turns[at]

    def of_turn(self, at: Position) -> dict[str, float]:
        """Return the values of rolling and of shanghaiing, where they are allowed."""
        own = sum(at.placed[at.turn])
        values = {}
        if self.dice - own >= 2:
            values["roll"] = self.rolling(at)
        if own >= 2:
            values["shanghai"] = self.ended(at)
        return values

    def rolling(self, at: Position) -> float:
        """Return the value before two dice are rolled (S6)."""
        if at not in self._rollings:
            self._rollings[at] = sum(self.rolled(at, (a, b)) for a in NUMBERS for b in NUMBERS) / 36
        return self._rollings[at]

    def rolled(self, at: Position, roll: Roll) -> float:
        """Return the value after a roll (S6, S7, S8)."""
        if (at, roll) not in self._rolls:
            every = [value for values in self.of_roll(at, roll).values() for value in values]
            self._rolls[at, roll] = self._best_value(at.turn, every)
        return self._rolls[at, roll]

    def of_roll(self, at: Position, roll: Roll) -> dict[tuple[Any, ...], list[float]]:
        """Return the values of all choices after a roll; one key holds the values of equivalent ways."""
        values: dict[tuple[Any, ...], list[float]] = {}
        if at.one_at is None:
            for end in ("left", "right"):
                values["number", end] = [self.rolled(self._with_number(at, end), roll)]
        else:
            for die in set(roll):
                values["place", die] = [self.turn(self._with_dice(at, die))]
        if at.used[at.turn] == 0:
            for number, use in enumerate(self.uses[at.turn]):
                if number:
                    self._use(values, self._with_trick_used(at, number), use, roll)
        return values

    def _use(self, values: dict[tuple[Any, ...], list[float]], at: Position, use: Any, roll: Roll) -> None:
        """Add the values of using a trick (S8a to S8d)."""
        if use.nation is not None:
            values["joker", use.trick, use.nation] = [self.rolled(at, roll)]
        elif use.trick == "nudge":
            for die, other in (roll, roll[::-1]):
                for to in (die - 1, die + 1):
                    if to in NUMBERS:
                        values["nudge", die, to] = [self.rolled(at, (min(other, to), max(other, to)))]
        elif use.trick == "both":
            ends: list[Any] = [at.one_at] if at.one_at else ["left", "right"]
            both = [self.turn(self._with_dice(self._with_number(at, end), *roll)) for end in ends]
            values["both",] = [self._best_value(at.turn, both)]
        else:
            assert use.trick == "reroll"
            values["reroll",] = [self.rolling(at)]

    def _best_value(self, seat: int, values: list[float]) -> float:
        return max(values) if seat == 0 else min(values)

    # ---- results of choices

    def _with_number(self, at: Position, end: Any) -> Position:
        return Position(at.placed, at.turn, at.used, end)

    def _with_trick_used(self, at: Position, number: int) -> Position:
        used = (number, at.used[1]) if at.turn == 0 else (at.used[0], number)
        return Position(at.placed, at.turn, used, at.one_at)

    def _with_dice(self, at: Position, *dice: int) -> Position:
        counts = list(at.placed[at.turn])
        for die in dice:
            counts[die - 1] += 1
        placed = (tuple(counts), at.placed[1]) if at.turn == 0 else (at.placed[0], tuple(counts))
        return Position(placed, 1 - at.turn, at.used, at.one_at)

    def ended(self, at: Position) -> float:
        """Return the value when the round has ended and the cards are dealt out (S9)."""
        way = 0
        for place in range(6):
            number = place + 1 if at.one_at == "left" else 6 - place
            way += (1 + taker) * 3**place if (taker := self._taker(at.placed, number)) is not None else 0
        return float(self.worth[at.used[0]][at.used[1]][at.turn][way])

    def _taker(self, placed: tuple[Counts, Counts], number: int) -> int | None:
        first, second = placed[0][number - 1], placed[1][number - 1]
        if first == second:
            if first == 0:
                return None
            first, second = (self._count_beside(counts, number) for counts in placed)
        return None if first == second else int(second > first)

    def _count_beside(self, counts: Counts, number: int) -> int:
        return sum(beside * counts[beside - 1] for beside in (number - 1, number + 1) if beside in NUMBERS)
