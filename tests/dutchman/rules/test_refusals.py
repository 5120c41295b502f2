"""Every refusal with its rule and its sentence, and ``moves`` and ``play`` at every step."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from dutchman.rules.situations import (
    EXCHANGE,
    SHIP,
    TWO_DECIDE,
    TWO_NAME,
    agreed_on_island,
    at_sea,
    equally_near,
    last_round,
)
from dutchman.table import ANYBODY, REINER, Seat, deal, deal_game, go, hear, position, refusal, refused_by, say, start
from kontor.game import CHANCE, OVER
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.state import Dice, Lay, Pass, Propose, Put, Share, Shuffle, Starter, Waive


def acting() -> State:
    return position(Seat(rack="45 44 10 10 1", kontor=0, smith=0), ANYBODY, ANYBODY)


def putting() -> State:
    return go(position(*EXCHANGE, pile="red blue green"), "Karin plays a Kontor card")


def sailing() -> State:
    state = position(Seat(rack="31"), ANYBODY, ANYBODY, dutchman="yellow 3", came_from="orange 3")
    return go(state, "Karin lays 31 / Helga passes / Anne passes")


def naming() -> State:
    return replace(equally_near(tied=2), came_from="orange 3")


def proposing() -> State:
    return go(naming(), TWO_NAME)


def answering() -> State:
    return go(proposing(), "Karin proposes Curaçao")


def deciding() -> State:
    return go(equally_near(tied=2), TWO_DECIDE)


def rolling() -> State:
    return go(deciding(), "passes / passes")


def sharing() -> State:
    state = position(Seat(), Seat(), Seat(), middle="20 10")
    return go(state, "Karin plays a Smith card / Helga plays a Smith card / Anne passes")


def shuffling() -> State:
    return go(at_sea(25, 13, 25, 25), SHIP)


def over() -> State:
    return go(last_round(25, 25, 25, 25), SHIP)


def unstarted() -> State:
    return start(starter=None)


def undealt() -> State:
    return start()


def unrolled() -> State:
    return deal_game(ANYBODY, ANYBODY, ANYBODY)


def asking() -> State:
    return go(at_sea(25, 25, 25, 25, check="on request"), SHIP)


def reshuffling() -> State:
    return go(asking(), "Helga asks for the check")


EACH_STEP: tuple[Callable[[], State], ...] = (
    unstarted, undealt, unrolled, acting, putting, sharing, sailing, naming, proposing, answering, deciding, rolling,
    agreed_on_island, shuffling, asking, reshuffling, over,
)  # fmt: skip

ONE_ACTION = "Choose one action: a Kontor card, a Smith card, or horseshoes. (H6)"
PUT_TWO = "Put back two of your five shares, in the order of the colours. (H6a)"
NO_MOVE = "This is not a move of Der fliegende Holländer."

REFUSALS: list[tuple[Callable[[], State], Any, str]] = [
    # an action
    (acting, "plays a Kontor card", "You have no Kontor card left. (H6a)"),
    (acting, "plays a Smith card", "You have no Smith card left. (H6b)"),
    (acting, "passes", "You can pass only with fewer than 5 horseshoes. (H6d)"),
    (acting, Lay(()), "Play at least one horseshoe. (H6c)"),
    (acting, "lays 43", "You do not have the horseshoe 43. (H6c)"),
    (acting, "lays 10 10 10", "You do not have the horseshoe 10. (H6c)"),
    (acting, "lays 45 44", "At most one golden horseshoe can be played. (H6c)"),
    (acting, "lays 1 45", "Horseshoes are listed from the highest down. (H6c)"),
    (acting, "sails to red 1", ONE_ACTION),
    (acting, "accepts", ONE_ACTION),
    (acting, Put(("blue", "red")), ONE_ACTION),
    (acting, Dice(30, 1), f"{NO_MOVE} (H6)"),
    (acting, None, f"{NO_MOVE} (H6)"),
    # putting back
    (putting, "puts back red green", "You do not have so many shares in green. (H6a)"),
    (putting, "puts back red blue", PUT_TWO),
    (putting, "puts back violet violet", "You do not have so many shares in violet. (H6a)"),
    (putting, "passes", "Put two of your five shares under the Kontor pile first. (H6a)"),
    (putting, 7, f"{NO_MOVE} (H6a)"),
    # steering
    (sailing, "sails to orange 3", "The Dutchman cannot go back to orange 3, where it came from. (H8)"),
    (sailing, "sails to Java", "No line leads from yellow 3 to Java. (H8)"),
    (sailing, "sails to yellow 3", "No line leads from yellow 3 to yellow 3. (H8)"),
    (sailing, "sails to Atlantis", "No line leads from yellow 3 to Atlantis. (H8)"),
    (sailing, "passes", "You are nearest: move the Dutchman. (H8)"),
    (sailing, "names blue 1", "You are nearest: move the Dutchman. (H8)"),
    # agreeing
    (naming, "names orange 3", "The Dutchman cannot go back to orange 3, where it came from. (H8)"),
    (naming, "names Java", "No line leads from yellow 3 to Java. (H8)"),
    (naming, "sails to blue 1", "Name the destination you want. (H9)"),
    (proposing, "proposes orange 3", "The Dutchman cannot go back to orange 3, where it came from. (H8)"),
    (proposing, "proposes Java", "No line leads from yellow 3 to Java. (H8)"),
    (proposing, Propose("blue 1", ()), "A proposal says for each of the 2 tied players what they pay or get. (H9)"),
    (
        proposing,
        Propose("blue 1", (0, 0, 0)),
        "A proposal says for each of the 2 tied players what they pay or get. (H9)",
    ),
    (proposing, Propose("blue 1", (-1, 2)), "The total paid and the total received must be the same. (H9)"),
    (proposing, Propose("blue 1", (-26, 26)), "Nobody can pay more ducats than they have. (H9)"),
    (proposing, Propose("blue 1", (26, -26)), "Nobody can pay more ducats than they have. (H9)"),
    (proposing, "accepts", "Make a proposal, or make none. (H9)"),
    (answering, "withholds", "Accept the proposal or decline it. (H9)"),
    (answering, "proposes blue 1", "Accept the proposal or decline it. (H9)"),
    # a deciding round
    (deciding, "plays a Smith card", "Play more horseshoes, or pass. (H10)"),
    (deciding, "lays 31", "You do not have the horseshoe 31. (H6c)"),
    (deciding, Lay(()), "Play at least one horseshoe. (H6c)"),
    # an island
    (agreed_on_island, "shows red", "You can show only a share that you have. (H12)"),
    (agreed_on_island, "passes", "Show one share, or keep them hidden. (H12)"),
    # the check
    (asking, "passes", "Ask for the Kontor pile to be checked, or leave it. (H11a)"),
    (acting, "asks for the check", ONE_ACTION),
    (reshuffling, Shuffle(()), "That outcome is not possible here. (H11a)"),
    (reshuffling, Waive(), "A chance outcome is due now, not a player’s move. (H11a)"),
    # chance
    (unstarted, Starter(3), "That outcome is not possible here. (H5)"),
    (undealt, Starter(0), "That outcome is not possible here. (H4)"),
    (unrolled, Dice(50, 1), "That outcome is not possible here. (H5)"),
    (unrolled, Pass(), "A chance outcome is due now, not a player’s move. (H5)"),
    (rolling, Pass(), "A chance outcome is due now, not a player’s move. (H10a)"),
    (sharing, Share(((20, 10), ()), ()), "That outcome is not possible here. (H6b)"),
    (rolling, Dice(20, 2), "That outcome is not possible here. (H10a)"),
    (shuffling, Shuffle(()), "That outcome is not possible here. (H11)"),
    # the end
    (over, Pass(), "The game is over. (H13)"),
    (over, Dice(30, 1), "The game is over. (H13)"),
]


@pytest.mark.parametrize(
    ("at", "move", "sentence"), REFUSALS, ids=[f"{at.__name__}-{move}" for at, move, _ in REFUSALS]
)
def test_every_refusal_names_its_rule_and_says_why(at: Callable[[], State], move: Any, sentence: str) -> None:
    assert refusal(at(), move) == sentence


@pytest.mark.parametrize("at", EACH_STEP)
@pytest.mark.parametrize("value", [None, 0, 0.5, (), ("pass",), b"pass", object(), Options(), Pass, Seat()])
def test_whatever_is_no_move_is_refused_everywhere(at: Callable[[], State], value: object) -> None:
    assert refused_by(at(), value).startswith("H")


@pytest.mark.parametrize("at", EACH_STEP)
@pytest.mark.parametrize("value", [[1], {"move": "pass"}, {3}])
def test_also_what_cannot_be_hashed_is_refused_everywhere(at: Callable[[], State], value: object) -> None:
    assert refused_by(at(), value).startswith("H")


@pytest.mark.parametrize("at", EACH_STEP)
def test_moves_and_play_agree_for_every_kind_of_move(at: Callable[[], State]) -> None:
    """Check one move of each kind at every step: legal exactly if it is among the moves."""
    state = at()
    every = [move for other in EACH_STEP for move in DUTCHMAN.moves(other())[:40]]
    for move in dict.fromkeys(every):
        if move in DUTCHMAN.moves(state):
            assert DUTCHMAN.play(state, move) != state
        else:
            assert refused_by(state, move).startswith("H")


@pytest.mark.parametrize("at", EACH_STEP)
def test_the_moves_are_a_sequence_with_each_move_once(at: Callable[[], State]) -> None:
    moves = DUTCHMAN.moves(at())
    every = list(moves)
    assert len(moves) == len(every) == len(set(every))
    assert bool(every) == (at().mover not in (CHANCE, OVER))
    assert tuple(moves[:5]) == tuple(every[:5])
    assert tuple(moves[::-1]) == tuple(every[::-1])
    for place, move in enumerate(every[:50]):
        assert moves[place] == move
        assert moves[place - len(every)] == move
        assert move in moves
    with pytest.raises(IndexError):
        moves[len(every)]
    with pytest.raises(IndexError):
        moves[-len(every) - 1]


def test_the_notation_of_these_tests_reads_back() -> None:
    for at in EACH_STEP:
        state = at()
        for move in DUTCHMAN.moves(state)[:60]:
            assert hear(state, say(state, move)) == move
    everybody = deal(*[ANYBODY] * 6)
    assert hear(start(6), say(start(6), everybody)) == everybody
    share = Share(((20,), (10,)), ())
    assert hear(sharing(), say(sharing(), share)) == share
    for outcome in (Dice(30, 1), Starter(REINER), Shuffle(("red", "blue"))):
        assert hear(unrolled(), say(unrolled(), outcome)) == outcome
