"""Every refusal with its rule, at every step."""

from collections.abc import Callable
from typing import Any

import pytest

from kontor.games.shanghaien.rules import SHANGHAIEN, Options, State
from kontor.games.shanghaien.rules.state import Dice, Joker, Nudge, Number, Place, Reroll, Roll, Row, Shanghai
from shanghaien.table import ANNA_STARTS, actions, go, open_game, position, refusing_rule, show, word

REFUSALS: dict[str, tuple[Callable[[], State], Any, str]] = {
    "no move at all": (lambda: position(), None, "S4"),
    "an outcome on a player's turn": (lambda: position(), Dice(1, 2), "S4"),
    "shanghai too early": (lambda: position(dice=("1", "2 2")), Shanghai(), "S4"),
    "rolling with one die": (lambda: position(dice=("1 1 1 1 1", "")), Roll(), "S5"),
    "rolling twice": (lambda: go(position(), "36"), Roll(), "S6"),
    "shanghai after the roll": (lambda: go(position(dice=("1 1", "")), "36"), Shanghai(), "S6"),
    "placing before the roll": (lambda: position(), Place(3), "S6"),
    "placing another number": (lambda: go(position(), "36"), Place(4), "S6"),
    "dice that do not exist": (lambda: go(position(), "roll"), Dice(0, 9), "S6"),
    "placing before numbering": (lambda: open_game("36"), Place(3), "S7"),
    "numbering before the roll": (lambda: open_game(), Number("left"), "S7"),
    "numbering again": (lambda: open_game("36 left"), Number("left"), "S7"),
    "placing one of both": (lambda: go(position(anna="both", one_at=None), "36 both"), Place(3), "S7"),
    "a trick before the roll": (lambda: position(anna="nudge"), Nudge(3, 4), "S8"),
    "a second trick": (lambda: go(position(anna="nudge nudge"), "36 3>4"), Nudge(4, 5), "S8"),
    "a trick one does not have": (lambda: go(position(anna="nudge"), "36"), Reroll(), "S8"),
    "a joker alone": (lambda: go(position(anna="nudge"), "36"), Joker("nudge", "F"), "S8a"),
    "a nudge by 2": (lambda: go(position(anna="nudge"), "36"), Nudge(3, 5), "S8b"),
    "a nudge of another die": (lambda: go(position(anna="nudge"), "36"), Nudge(4, 5), "S8b"),
    "a row on the starter's lot": (lambda: SHANGHAIEN.start(Options()), Row(("A1",) * 6), "S3"),
    "a row of two": (lambda: SHANGHAIEN.start(ANNA_STARTS), Row(("A1", "A2")), "S3"),
    "after the end": (lambda: go(position(round_number=8, dice=("1 1", "")), "shanghai"), Roll(), "S10"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_every_refusal_names_its_rule(case: str) -> None:
    reach, action, rule = REFUSALS[case]
    state = reach()
    assert refusing_rule(state, action) == rule, show(state)


NONSENSE = {
    "nothing": None,
    "a number": 7,
    "a word": "3",
    "a tuple": (3,),
    "a list": [3],
    "a move as a dictionary": {"move": "place", "die": 3},
    "a class": Place,
    "an object": object(),
    "a row of numbers": Row((1, 2, 3, 4, 5, 6)),  # type: ignore[arg-type]
}

EVERYWHERE: dict[str, Callable[[], State]] = {
    "starter": lambda: SHANGHAIEN.start(Options()),
    "row": lambda: SHANGHAIEN.start(ANNA_STARTS),
    "turn": lambda: position(),
    "roll": lambda: go(position(), "roll"),
    "place": lambda: go(position(), "36"),
    "both": lambda: go(position(anna="both", one_at=None), "36 both"),
    "reroll": lambda: go(position(anna="reroll"), "36 reroll"),
    "over": lambda: go(position(round_number=8, dice=("1 1", "")), "shanghai"),
}


@pytest.mark.parametrize("case", NONSENSE)
@pytest.mark.parametrize("step", EVERYWHERE)
def test_whatever_is_no_move_is_refused_everywhere(step: str, case: str) -> None:
    state = EVERYWHERE[step]()
    assert state.step == step
    assert refusing_rule(state, NONSENSE[case], a_word=False) in {"S3", "S4", "S6", "S10"}


def test_the_notation_of_these_tests_reads_back() -> None:
    script = (
        "Anna row:A1,A2,A3,A3,A4,F1 roll dice:24 left joker:nudge:F 3>4 both reroll dice:11 6 shanghai right Bernd"
    )
    assert " ".join(word(action) for action in actions(script)) == script
