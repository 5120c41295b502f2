"""Words that a player types for a move: whole words, their beginnings, and moves that the rules refuse."""

import pytest

from kontor.questions import asked_in, meant
from kontor.words import Words
from kontor_pig.questions import QUESTION
from kontor_pig.rules import PIG, Hold, Move, Options, Roll, Rolled, State, moves, play, start


def understood(state: State, typed: str, language: str = "en") -> list[Move]:
    """Return the moves that the text may mean, for the seat to move."""
    view = PIG.view(state, state.mover)
    question = asked_in(Words(language), lambda words: QUESTION(words, ("Anna", "Bernd"), view, moves(state)))
    return [choice.value for choice in meant(typed, question)]


@pytest.mark.parametrize(("typed", "move"), [("roll", Roll()), (" Ro ", Roll()), ("h", Hold()), ("HOLD", Hold())])
def test_a_word_or_its_beginning_is_enough(typed: str, move: Move) -> None:
    state = play(play(start(Options(starter=0)), Roll()), Rolled(5))
    assert understood(state, typed) == [move]


def test_what_the_rules_refuse_is_understood_so_that_they_can_say_why() -> None:
    assert understood(start(Options(starter=0)), "hold") == [Hold()]


@pytest.mark.parametrize("typed", ["", "x", "roll hold", "1"])
def test_anything_else_is_nothing(typed: str) -> None:
    assert understood(start(Options(starter=0)), typed) == []
