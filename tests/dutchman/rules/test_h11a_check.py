"""H11a: the Kontor pile is shown to all on request."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from dutchman.rules.situations import LOTTERY, SHIP, at_sea, last_round
from dutchman.table import ANNE, ANYBODY, HELGA, KARIN, KARL, Seat, go, legal, position, refused_by, results, whose
from kontor.games.dutchman.rules import DUTCHMAN, Options, State
from kontor.games.dutchman.rules.state import Shuffle

LEFT_IN_THE_PILE = "yellow yellow green green orange violet"
"""The shares that nobody holds in ``at_sea``."""


def after_check(pile: str = LEFT_IN_THE_PILE, **more: Any) -> State:
    """Return the state after a check, with the pile shuffled into this order."""
    state = go(at_sea(25, 25, 25, 25, check="on request", **more), SHIP)
    return go(state, f"Helga asks for the check / shuffle {pile}")


def test_H11a_option_it_is_never_checked_unless_that_was_agreed_on() -> None:
    assert not Options().may_check
    assert Options(check="never") == Options()
    assert whose(go(at_sea(25, 25, 25, 25), SHIP)) == "chance: lucky"


def test_H11a_option_what_was_agreed_on_before_there_was_a_check_is_written_as_it_was() -> None:
    """Check that old records, tables and links stay as they are."""
    assert b"check" not in msgspec.json.encode(Options())
    assert b"check" not in msgspec.json.encode(msgspec.json.decode(b'{"check": "never"}', type=Options))
    encoded = msgspec.json.encode(Options(check="on request"))
    assert msgspec.json.decode(encoded, type=Options).may_check
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"check": "always"}', type=Options)


def test_H11a_any_player_may_ask_after_a_ship_before_the_next_round() -> None:
    state = go(at_sea(25, 25, 25, 25, check="on request"), SHIP)
    for name in ("Helga", "Anne", "Karl", "Karin"):
        assert whose(state) == f"{name}: check"
        assert legal(state) == ["asks for the check", "waives the check"]
        assert results(go(state, "asks for the check")) == [f"the pile is shown: {LEFT_IN_THE_PILE}"]
        assert state.round == 1
        state = go(state, f"{name} waives the check")
        assert results(state) == []
    assert (whose(state), state.round, state.starter) == ("chance: lucky", 2, HELGA)
    assert state.inspection is None


def test_H11a_the_first_who_asks_ends_the_asking_once_after_each_ship() -> None:
    state = go(at_sea(25, 25, 25, 25, check="on request"), SHIP)
    state = go(state, "Helga waives the check / Anne asks for the check")
    assert whose(state) == "chance: reshuffle"
    state = go(state, f"shuffle {LEFT_IN_THE_PILE} / dice 30 + 1")
    assert (whose(state), state.round) == ("Helga: action", 2)
    state = go(state, "Helga lays 48 / Anne passes / Karl passes / Karin lays 10 / Karin sails to red 1")
    assert whose(state) == "Anne: check"  # and again after the next ship


def test_H11a_nobody_asks_after_an_island() -> None:
    state = position(Seat(rack="31"), ANYBODY, ANYBODY, dutchman="yellow 3", check="on request")
    state = go(state, "Karin lays 31 / Helga passes / Anne passes / Karin sails to Curaçao / Karin shows nothing")
    assert whose(state) == "chance: lucky"


def test_H11a_nobody_asks_when_the_game_is_over() -> None:
    assert whose(go(last_round(25, 25, 25, 25, check="on request"), SHIP)) == "nobody: over"


def test_H11a_the_bankrupt_do_not_ask_and_their_shares_are_checked_too() -> None:
    state = go(at_sea(25, 13, 25, 25, check="on request"), SHIP)
    assert whose(state) == "chance: shuffle"
    state = DUTCHMAN.play(state, Shuffle(state.pile))
    assert (whose(state), state.queue) == ("Anne: check", (ANNE, KARL, KARIN))
    state = go(state, "Anne asks for the check")
    assert results(state) == ["the pile is shown: blue blue yellow yellow green green green orange violet"]


def test_H11a_it_tells_everybody_the_pile_and_ends_what_anyone_knows_of_its_order() -> None:
    before = at_sea(25, 25, 25, 25, check="on request", pile="violet orange green green yellow yellow")
    state = go(before, "Karin plays a Kontor card / Karin puts back orange violet / Helga lays 48 / Anne lays 10")
    state = go(state, "Karl passes / Anne sails to blue 1")
    assert DUTCHMAN.view(state, KARIN).pile[-2:] == ("orange", "violet")
    state = go(state, "Helga asks for the check / shuffle orange yellow green yellow violet green")
    for seat in (*range(4), None):
        view = DUTCHMAN.view(state, seat)
        assert view.pile == (None,) * 6
        assert view.put_by == (None,) * 6
        assert view.inspection is not None
        assert view.inspection.among == view.inspection.shares
        assert " ".join(view.inspection.shares) == LEFT_IN_THE_PILE
        imagined = DUTCHMAN.imagine(view, Random(1).randrange)
        assert Counter(imagined.pile) == Counter(state.pile)


def test_H11a_who_draws_knows_what_is_left_and_the_others_what_it_is_among() -> None:
    state = go(after_check("violet orange green green yellow yellow"), "dice 30 + 1 / Helga plays a Kontor card")
    state = go(state, "Helga puts back blue blue")
    own, other = DUTCHMAN.view(state, HELGA).inspection, DUTCHMAN.view(state, KARL).inspection
    assert own is not None
    assert other is not None
    assert own.among == ("yellow", "yellow", "green", "green")
    assert " ".join(other.among) == LEFT_IN_THE_PILE
    assert own.drawn == other.drawn == (0, 2, 0, 0)
    imagined = [DUTCHMAN.imagine(DUTCHMAN.view(state, KARL), Random(seed).randrange) for seed in range(100)]
    tops = {tuple(sorted(state.pile[:4])) for state in imagined}
    assert len(tops) == 8  # any four of the six, as far as they differ
    assert {Counter(state.pile[:4])["red"] for state in imagined} == {0}


def test_H11a_what_it_showed_is_forgotten_when_the_last_of_it_is_drawn() -> None:
    state = position(ANYBODY, ANYBODY, ANYBODY, dutchman="yellow 3", check="on request")
    state = go(state, f"passes / passes / passes / {LOTTERY} / Karin sails to blue 1 / Helga asks for the check")
    state = go(DUTCHMAN.play(state, Shuffle(state.pile)), "dice 30 + 1 / Helga plays a Kontor card")
    assert state.inspection is not None
    state = DUTCHMAN.play(state, DUTCHMAN.moves(state)[0])
    assert state.put_by == (None, HELGA, HELGA)
    assert go(state, "Anne plays a Kontor card").inspection is None


def test_H11a_a_bankrupts_shares_end_it_until_somebody_asks_again() -> None:
    state = go(after_check(), "dice 30 + 1 / Helga lays 48 / Anne passes / Karl passes / Karin lays 10")
    karin, *others = state.merchants
    state = go(replace(state, merchants=(replace(karin, cash=0), *others)), "Karin sails to red 1")
    assert results(state)[-1] == "bankrupt: Karin"
    assert state.inspection is None
    state = DUTCHMAN.play(state, Shuffle(state.pile))
    assert DUTCHMAN.view(state, HELGA).inspection is None
    assert go(state, "Anne asks for the check").inspection is not None


def test_H11a_every_order_is_equally_likely() -> None:
    state = go(at_sea(25, 25, 25, 25, check="on request"), SHIP)
    state = go(state, "Helga asks for the check")
    orders = set(permutations(state.pile))
    chance = DUTCHMAN.chance(state)
    assert {chance.probability(Shuffle(order)) for order in orders} == {Fraction(1, len(orders))}
    assert refused_by(state, Shuffle(state.pile[1:])) == "H11a"
    assert DUTCHMAN.occasion(state) == ("reshuffle", 1)


def test_H11a_a_snapshot_keeps_what_is_known_and_is_as_it_was_without_the_check() -> None:
    state = go(after_check(), "dice 30 + 1 / Helga plays a Kontor card")
    assert DUTCHMAN.deserialise(DUTCHMAN.serialise(state), state.options) == state
    merchants, rest = msgspec.msgpack.decode(DUTCHMAN.serialise(at_sea(25, 25, 25, 25)))
    assert (len(merchants), len(rest)) == (4, len(State.__struct_fields__) - 4)
