"""Counts of move sequences from fixed positions of Der fliegende Holländer (``counts.toml``), as in chess programs.

Many of them follow from arguments that need no playing: ``test_the_first_counts_can_be_worked_out_by_hand``.
"""

import tomllib
from dataclasses import dataclass
from functools import partial
from math import comb
from pathlib import Path
from typing import Any, Final

import pytest

from kontor.game import CHANCE
from kontor.games.dutchman.rules import DUTCHMAN, State
from reports import check_counts

from .table import Action, Seat, go, position, say, show, start

FILE: Final = Path(__file__).with_name("counts.toml")


@dataclass(frozen=True)
class Setup:
    """A position from the file, and its counts by number of steps."""

    entry: dict[str, Any]
    counts: tuple[int, ...]
    depth: int

    @property
    def state(self) -> State:
        if "players" in self.entry:
            state = start(self.entry["players"], starter=None)
        else:
            seats = [Seat(**seat) for seat in self.entry["seats"]]
            state = position(*seats, **self.entry.get("position", {}))
        return go(state, self.entry.get("script", ""))


SETUPS: Final = {
    entry["name"]: Setup(entry, tuple(entry["counts"]), entry["depth"])
    for entry in tomllib.loads(FILE.read_text(encoding="utf-8"))["setup"]
}


def following(state: State) -> list[Action]:
    """Return every move, or every outcome; of shuffles only the one that changes no place."""
    if state.mover != CHANCE:
        return list(DUTCHMAN.moves(state))
    chance = DUTCHMAN.chance(state)
    outcomes = chance.outcomes()
    return [chance.draw(lambda n: n - 1)] if outcomes is None else [outcome for outcome, _ in outcomes]


def count(state: State, steps: int) -> int:
    if not steps:
        return 1
    if steps == 1 and state.mover != CHANCE:
        return len(DUTCHMAN.moves(state))
    return sum(count(DUTCHMAN.play(state, action), steps - 1) for action in following(state))


def split(state: State, steps: int) -> str:
    """Return the count for each choice of the first step with a choice, as text to compare by hand."""
    while steps > 1 and len(following(state)) == 1:
        state, steps = DUTCHMAN.play(state, following(state)[0]), steps - 1
    return "\n".join(
        f"    {say(state, action):<48}{count(DUTCHMAN.play(state, action), steps - 1):>10,}"
        for action in following(state)
    )


@pytest.mark.parametrize("name", SETUPS)
def test_the_number_of_sequences(name: str) -> None:
    setup = SETUPS[name]
    counts = [count(setup.state, steps) for steps in range(1, setup.depth + 1)]
    check_counts(__file__, name, setup.counts, counts, partial(split, setup.state), show(setup.state))


def first_counts(name: str, steps: int) -> list[int]:
    return list(SETUPS[name].counts[:steps])


def test_the_first_counts_can_be_worked_out_by_hand() -> None:
    """Derive the counts from cards, horseshoes and ducats, without playing. ``dice`` are the 15 different rolls."""
    dice = 15

    # Karin has 45 and 1: she lays either, both, or passes. Helga has 20 twice: she lays one, two, or passes. Anne
    # passes. Twelve pairs. Neither lays: a roll. For 31, Karin's readings are 0, 1 (the 1 alone), 0; Helga's 20 and
    # 0. Equally near at 0 are Karin's two with Helga's one. In these, and where one is nearest, there are four lines
    # from Holland: to name, or to sail.
    karin, helga, lines = 3 + 1, 2 + 1, 4
    pairs = karin * helga
    assert first_counts("few horseshoes and no cards", 4) == [karin, pairs, pairs, dice + (pairs - 1) * lines]

    # 45, 20, 10, 10, 1: no gold or one, no twenty or one, up to two tens, no one or one, but not nothing at all. With
    # five she may not pass, but play either card.
    lays = 2 * 2 * 3 * 2 - 1
    assert first_counts("five horseshoes and every kind of card", 1) == [lays + 2]

    # The smith takes 48, 10, 10 and 1: two · three · two lays but not none, and passing with four.
    assert first_counts("one smith, who takes all and lays next round", 1) == [2 * 3 * 2 - 1 + 1]

    # Karin exchanges, which takes two steps, or passes. Of two yellow ones, violet, red and blue there are 10 pairs,
    # but three of them come twice (yellow with violet, red, blue). Helga and Anne pass; as nobody lays, they roll.
    pairs = comb(5, 2) - 3
    expected = [1 + 1, pairs + 1, pairs + 1, pairs + dice, pairs * dice + dice**2]
    assert first_counts("an exchange of shares", 5) == expected

    # Two name one of three fields: in six of nine ways they differ. With three ducats between them one can have 0 to
    # 3 of them: 3 · 4 proposals, or none. Where they agree: on blue 1 or orange 3 Helga cannot pay two ducats for a
    # share, and the pile is shuffled; on the island Karin shows one of two colours or none, then Helga one of three.
    fields, differ = 3, 6
    propose = fields * (3 + 1)
    expected = [
        fields,
        fields**2,
        differ * (propose + 1) + 1 + 1 + 3,
        # A proposal is answered in two ways, and after none it is Helga's turn.
        differ * (propose * 2 + (propose + 1)) + dice + dice + 3 * 4,
    ]
    assert first_counts("a tie of two with three ducats between them, one circle", 4) == expected

    # Three name one of two fields: they agree in two of eight ways. One ducat can be in three places. On blue 1
    # Karin and Helga cannot pay, and Anne is the last one left: the game is over. On the island they show one of two,
    # three and three colours, or none.
    fields, differ = 2, 6
    propose = fields * 3
    expected = [
        *(fields, fields**2, fields**3),
        differ * (propose + 1) + 0 + 3,
        differ * (propose * 2 + (propose + 1)) + 3 * 4,
        # Accepted: the third answers. Declined, or withheld before: the next proposes.
        differ * (propose * (2 + (propose + 1)) + propose * 2 + (propose + 1)) + 3 * 4 * 4,
    ]
    assert first_counts("a tie of three, one ducat, two circles", 6) == expected

    # No bargaining: in six ways Karin lays her 2 or passes, Helga and Anne have nothing left.
    assert first_counts("a tie of three, and no bargaining", 3) == [fields, fields**2, fields**3]

    # Karin lays 29, 1 or both, or passes: 29, 1, 30. Helga lays 28, 1 or both, or passes: 28, 1, 29. They are
    # equally near with 29 and with 1, and name one of three fields; both pass: a roll; else one of them sails.
    assert first_counts("a deciding round of two", 3) == [4, 4 * 4, dice + (4 * 4 - 1) * 3]

    # Each of the 15 rolls has a sum of its own. The highest is alone if one rolls any and both others less.
    alone = 3 * sum(less**2 for less in range(dice))
    expected = [dice, dice**2, dice**3, alone * lines + (dice**3 - alone) * dice]
    assert first_counts("three roll for it", 4) == expected

    # Karin shows one of two colours or none, Helga one of three or none; the dice; then, in the next round, Helga
    # passes, Anne plays her Kontor card or passes.
    showings = 3 * 4
    assert first_counts("two on an island", 5) == [3, showings, showings * dice, showings * dice, showings * dice * 2]

    # Karin lays 31, 10 or both (which is 21), or passes; so does Helga with 20, 1 or both (21). They are equally near
    # with 21. Karin is nearest with 31 (4 ways), 21 (against 20, 1 and nothing) and 10 (against 1 and nothing); Helga
    # against 10 (with 20 and 21) and against nothing (3 ways). Both ships end the game; on the island Karin has three
    # things to do, Helga four.
    karin, helga = 4 + 3 + 2, 2 + 3
    expected = [4, 4 * 4, 4 * 4, dice + (4 * 4 - 1) * 3, karin * 3 + helga * 4 + 3 * 3 + dice**2]
    assert karin + helga == 4 * 4 - 1 - 1
    assert first_counts("before the last ship", 5) == expected

    # On blue 1 Helga is ruined: a shuffle. On orange 3 everybody can pay: the dice. On the island Karin shows one of
    # three colours, or none. In the next round Helga, if she is still there, lays 48, 1 or both, or passes.
    assert first_counts("a ship that ruins one of four", 3) == [3, 1 + dice + 4, dice + dice * 4 + 4 * dice]


def test_a_change_of_counts_is_reported_by_the_first_choice() -> None:
    report = split(SETUPS["an exchange of shares"].state, 3)
    assert [line.split() for line in report.splitlines()] == [
        ["Karin", "plays", "a", "Kontor", "card", "7"],
        ["Karin", "passes", "1"],
    ]
