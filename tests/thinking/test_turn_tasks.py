"""The message to a thinker is enough: the view as bytes, from which the legal moves follow."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from kontor.game import CHANCE, AnyGame
from kontor.games.dutchman.rules import Options as Dutchman
from kontor.games.shanghaien.rules import Options as Shanghaien
from kontor.players import player_named
from kontor.plugins import game_named
from kontor.thinking.turn_tasks import choose, decoded_task, move_of, random_from, turn_task
from random_steps import game_steps

FEW = 300
"""The most moves that are compared one by one; of more a sample is compared."""

GAMES = [("shanghaien", Shanghaien()), *[("dutchman", Dutchman(players=players)) for players in (3, 4, 6)]]


def decisions(game: AnyGame, options: Any, random: Random) -> Iterator[tuple[Any, Any]]:
    """Yield the views and legal moves of every turn in a random game."""
    for state, _, _ in game_steps(game, game.start(options), random):
        if state.mover != CHANCE:
            yield game.view(state, state.mover), game.moves(state)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_moves_that_follow_from_the_view_are_those_of_the_table_in_their_order(name: str, options: Any) -> None:
    game, random = game_named(name), Random(5)
    for _ in range(4):
        for view, moves in decisions(game, options, random):
            given, sent, follow = decoded_task(turn_task(game, view, b"luck", "random"))
            assert (given.game, given.player, given.luck) == (name, "random", b"luck")
            assert sent == view
            assert type(sent) is type(view)
            assert len(follow) == len(moves)
            some = range(len(moves)) if len(moves) < FEW else random.sample(range(len(moves)), FEW)
            assert [follow[at] for at in some] == [moves[at] for at in some]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_move_is_chosen_by_the_luck_that_was_sent_and_comes_back_as_it_was(name: str, options: Any) -> None:
    game = game_named(name)
    for number, (view, moves) in enumerate(decisions(game, options, Random(6))):
        for player in ("random", "greedy"):
            luck = number.to_bytes(32, "big")
            chosen = move_of(game, choose(turn_task(game, view, luck, player)))
            assert chosen == player_named(name, player)(view, moves, random_from(luck))
            assert chosen in moves


@pytest.mark.parametrize("nonsense", [None, "roll", {"move": "sail"}, {"move": "place", "die": "six"}, [], 7])
def test_what_is_no_move_is_not_taken_for_one(nonsense: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        move_of(game_named("shanghaien"), msgspec.msgpack.encode(nonsense))
