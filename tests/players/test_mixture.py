"""Players between two others: each move is one of theirs, in the requested proportion."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import Options
from kontor.players import player_named
from kontor.players.mixture import mixture
from shanghaien.random_games import Plan


def first(view: Any, moves: Sequence[int], random: Random) -> int:
    return moves[0]


def last(view: Any, moves: Sequence[int], random: Random) -> int:
    return moves[-1]


@given(share=st.floats(0, 1), seed=st.integers(0, 10**6))
def test_a_mixture_decides_as_the_stronger_in_its_share_of_all_decisions(share: float, seed: int) -> None:
    random, choose = Random(seed), mixture(first, last, share)
    as_stronger = sum(choose(None, (0, 1), random) for _ in range(2000))
    assert as_stronger == pytest.approx(2000 * share, abs=120), "more than five standard errors off"


@pytest.mark.parametrize(("name", "those"), [("keen", ("casual", "steady")), ("strong", ("steady", "expert"))])
def test_a_level_between_two_plays_the_moves_of_both_and_no_other(name: str, those: tuple[str, str]) -> None:
    choose, weaker, stronger = (player_named("shanghaien", player) for player in (name, *those))
    for step in list(Plan(Options(), 4).steps())[::3]:
        if step.before.mover >= 0:
            view, moves = SHANGHAIEN.view(step.before, step.before.mover), SHANGHAIEN.moves(step.before)
            chosen = {choose(view, moves, Random(seed)) for seed in range(10)}
            assert chosen == {other(view, moves, Random(1)) for other in (weaker, stronger)}
