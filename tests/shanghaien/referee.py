"""A second implementation of Shanghaien: a slow referee, written from the rules alone.

It shares nothing with the engine, not even a card: moves are the words of ``table.word``. Cards lie at places 0 to 5
of a row; dice lie at places too and have their pips on top. Everything is counted again for each question.
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Hand:
    """The cards that a player has won."""

    sailors: list[str] = field(default_factory=list)
    tricks: list[str] = field(default_factory=list)
    jokers: list[tuple[str, str]] = field(default_factory=list)

    def sum_of(self, nation: str) -> int:
        """Return the sum of the sailors of a nation, and 2 for each joker with them (S2, S11)."""
        return sum(int(card[1]) for card in self.sailors if card[0] == nation) + sum(
            2 for _, where in self.jokers if where == nation
        )


class Referee:
    """A game, kept without the engine."""

    def __init__(self, tricks: tuple[int, int, int], starter: int | None, first_trick: str | None) -> None:
        nudge, both, reroll = tricks
        self.pile = Counter(nation + value for nation in "AFGCDTSI" for value in "12334")
        self.pile += Counter({"nudge": nudge, "both": both, "reroll": reroll})
        self.hands = (Hand(), Hand())
        if first_trick is not None:  # S3a
            for hand in self.hands:
                hand.tricks.append(first_trick)
        self.gone: Counter[str] = Counter()
        self.row: list[str] = []
        self.dice: list[tuple[list[int], list[int]]] = []
        self.rolled: list[int] = []
        self.captains = [False, False]
        self.one_at: str | None = None
        self.round = 1
        self.starter = starter
        self.player = starter
        self.shares: list[tuple[str, tuple[int, int], tuple[int, int] | None, int | None]] = []
        """The shares of the last round by place: the card, the dice, the pips (only where needed), and the taker."""
        self.waits_for = "starter" if starter is None else "row"

    # legal words ------------------------------------------------------------------------------------------

    @property
    def mover(self) -> int:
        """Return the seat to move, or -1 for chance, or -2 at the end."""
        if self.waits_for == "end":
            return -2
        if self.waits_for in ("starter", "row", "dice"):
            return -1
        assert self.player is not None
        return self.player

    def placed(self, seat: int) -> list[int]:
        """Return the player's dice in the tavern, by pips."""
        return sorted(die for dice in self.dice for die in dice[seat])

    def legal(self) -> set[str]:
        """Return the words that the player to move may say."""
        if self.mover < 0:
            return set()
        if self.waits_for == "turn":
            return self._turn()
        words: set[str] = set()
        if self.one_at is None:  # S7
            words |= {"left", "right"}
        elif self.waits_for == "one":
            words |= {str(die) for die in self.rolled}  # S6
        if self.waits_for == "one" and not self.captains[self.mover]:  # S8
            words |= self._tricks()
        return words

    def _turn(self) -> set[str]:
        words = set()
        own = len(self.placed(self.mover))
        if 6 - own >= 2:
            words.add("roll")  # S4
        if own >= 2:
            words.add("shanghai")  # S4, S5
        return words

    def _tricks(self) -> set[str]:
        hand = self.hands[self.mover]
        words = {f"joker:{card}:{sailor[0]}" for card in hand.tricks for sailor in hand.sailors}  # S8a
        if "nudge" in hand.tricks:
            words |= {f"{die}>{die - 1}" for die in self.rolled if die > 1}  # S8b
            words |= {f"{die}>{die + 1}" for die in self.rolled if die < 6}
        return words | ({"both", "reroll"} & set(hand.tricks))  # S8c, S8d

    # doing steps ------------------------------------------------------------------------------------------

    def do(self, step: str) -> None:
        """Do one step, assumed to be legal."""
        if step in ("Anna", "Bernd"):
            self.starter = self.player = ("Anna", "Bernd").index(step)
            self.waits_for = "row"
        elif step.startswith("row:"):
            self._lay(step[4:].split(","))
        elif step == "roll":
            self.waits_for = "dice"
        elif step.startswith("dice:"):
            self.rolled = [int(step[5]), int(step[6])]
            self.waits_for = "one"
        elif step in ("left", "right"):
            self.one_at = step
            if self.waits_for == "both":
                self._place(*self.rolled)
        elif step == "shanghai":
            self._shanghai()
        elif len(step) == 1:
            self._place(int(step))
        else:
            self._trick(step)

    def _lay(self, cards: list[str]) -> None:
        self.pile -= Counter(cards)
        self.row = cards
        self.dice = [([], []) for _ in cards]
        self.player = self.starter
        self.waits_for = "turn"

    def _place(self, *dice: int) -> None:
        assert self.player is not None
        for die in dice:
            place = die - 1 if self.one_at == "left" else 6 - die
            self.dice[place][self.player].append(die)
        self.rolled = []
        self.player = 1 - self.player
        self.waits_for = "turn"

    def _trick(self, step: str) -> None:
        assert self.player is not None
        self.captains[self.player] = True
        hand = self.hands[self.player]
        if step.startswith("joker:"):
            _, card, nation = step.split(":")
            hand.tricks.remove(card)
            hand.jokers.append((card, nation))
            return
        card = "nudge" if ">" in step else step
        hand.tricks.remove(card)
        self.gone[card] += 1
        if card == "nudge":
            self.rolled.remove(int(step[0]))
            self.rolled.append(int(step[2]))
        elif card == "reroll":
            self.rolled = []
            self.waits_for = "dice"
        elif self.one_at is None:
            self.waits_for = "both"
        else:
            self._place(*self.rolled)

    def _shanghai(self) -> None:
        assert self.player is not None
        self.shares = [self._share(place) for place in range(6)]
        for card, _, _, taker in self.shares:
            if taker is None:
                self.gone[card] += 1
            else:
                hand = self.hands[taker]
                (hand.sailors if card[1:].isdigit() else hand.tricks).append(card)
        self.row, self.dice, self.one_at, self.captains = [], [], None, [False, False]
        if self.round == 8:
            self.waits_for = "end"
        else:
            self.round += 1
            self.starter = self.player = 1 - self.player  # S10
            self.waits_for = "row"

    def _share(self, place: int) -> tuple[str, tuple[int, int], tuple[int, int] | None, int | None]:
        """Return the share by S9 for the card at one place of the row."""
        card, dice = self.row[place], self.dice[place]
        count = (len(dice[0]), len(dice[1]))
        if count == (0, 0):
            return card, count, None, None
        if count[0] != count[1]:
            return card, count, None, 0 if count[0] > count[1] else 1
        pips = [0, 0]
        for neighbour in (place - 1, place + 1):
            if neighbour in range(6):
                for seat in (0, 1):
                    pips[seat] += sum(self.dice[neighbour][seat])
        taker = None if pips[0] == pips[1] else 0 if pips[0] > pips[1] else 1
        return card, count, (pips[0], pips[1]), taker

    # scoring ----------------------------------------------------------------------------------------------

    def totals(self) -> tuple[int, int]:
        """Return the totals by S11, with the crews moved from one player to the other as in the rulebook."""
        points = [0, 0]
        for nation in "AFGCDTSI":
            sums = [hand.sum_of(nation) for hand in self.hands]
            if sums[0] and sums[1]:
                if sums[0] > sums[1]:
                    sums = [sums[1], 0]
                elif sums[1] > sums[0]:
                    sums = [0, sums[0]]
                else:
                    sums = [0, 0]
            points[0] += sums[0]
            points[1] += sums[1]
        for seat, hand in enumerate(self.hands):
            points[seat] += len(hand.tricks)
        return points[0], points[1]
