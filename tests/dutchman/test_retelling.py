"""Voyages told as headlines of new rounds."""

from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from kontor.games.dutchman.retelling import retell
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.state import Bankrupt, Earned, Paid, Sailed
from kontor.players import player_named
from kontor.words import Words
from random_steps import game_steps

NAMES = ("Anna", "Bernd", "Carla", "Doris")
WORDS = Words("en")


def whole_game(seed: int) -> list[tuple[Any, Any]]:
    """Return the states of a game, each with the action before it."""
    random, greedy = Random(seed), player_named("dutchman", "greedy")
    state = DUTCHMAN.start(Options(players=4, starter=0))

    def choose(state: Any) -> Any:
        view, moves = DUTCHMAN.view(state, state.mover), DUTCHMAN.moves(state)
        return greedy(view, moves, random) if random.random() < 0.7 else random.choice(moves)

    return [(None, state), *((action, after) for _, action, after in game_steps(DUTCHMAN, state, random, choose))]


def headlines(states: list[tuple[Any, Any]], seat: int | None) -> list[tuple[Any, list[Any], str]]:
    """Return each view that begins a round but the first, what the last voyage brought, and its headline."""
    rounds = []
    for place, (_, state) in enumerate(states):
        if state.mover < 0 or state.step != "action" or state.queue != state.order or state.round == 1:
            continue
        since = [
            (0, DUTCHMAN.event(before, action, after, seat), DUTCHMAN.view(before, seat), DUTCHMAN.view(after, seat))
            for (_, before), (action, after) in pairwise(states[: place + 1])
        ]
        happened = [one for _, event, *_ in since for one in event.happened]
        last = max(at for at, one in enumerate(happened) if isinstance(one, Sailed))
        view = DUTCHMAN.view(state, seat)
        rounds.append((view, happened[last:], retell(WORDS, NAMES, view, partial(list, since))))
    return rounds


@pytest.mark.parametrize("seat", [None, 0, 3])
def test_a_round_begins_with_the_voyage_before_it(seat: int | None) -> None:
    kinds = set()
    for seed in (1, 2, 3):
        for view, happened, headline in headlines(whole_game(seed), seat):
            kinds |= {type(one) for one in happened}
            assert headline.startswith("The Dutchman sails to ")
            assert headline.endswith("Your turn: choose." if view.mover == seat else f"{NAMES[view.mover]} begins.")
            assert "lucky" not in headline
            ruined = [one for event in happened if isinstance(event, Bankrupt) for one in event.seats]
            (paid,) = [event.paid for event in happened if isinstance(event, Paid)] or [()]
            earned: dict[int | None, int] = {
                event.seat: event.ducats for event in happened if isinstance(event, Earned)
            }
            if ruined:
                assert ("you are bankrupt" in headline) == (seat in ruined)
            elif paid:
                assert (f"you pay {paid[seat]}" in headline) == bool(paid[seat]) if seat is not None else True
                assert ("nobody pays" in headline) == (not any(paid))
            else:
                assert ("nobody earns" in headline) == (not earned)
                assert (f"you earn {earned.get(seat)}" in headline) == (seat in earned)
    assert {Sailed, Paid, Earned} <= kinds


def test_nothing_is_retold_once_somebody_has_chosen() -> None:
    view = DUTCHMAN.view(next(state for _, state in whole_game(1) if state.round == 2 and len(state.queue) == 3), 0)
    assert retell(WORDS, NAMES, view, lambda: pytest.fail("the steps are not needed")) == ""
