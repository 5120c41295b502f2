"""Players with a budget: how it is named, and who takes one."""

from itertools import count
from random import Random
from typing import Any

import pytest

from kontor.game import BadOptions
from kontor.players import add_benchmark_player, is_benchmark_player, is_player, player_named, players_of
from kontor.players.budget import Iterations, Seconds, budget_from
from kontor.plugins import games, plugin_named
from players import searching


@pytest.fixture
def added(monkeypatch: pytest.MonkeyPatch) -> str:
    """Add a benchmark player to Shanghaien; return its name."""
    monkeypatch.setattr("kontor.players._added_players", {})
    add_benchmark_player("shanghaien", "searching", "players.searching")
    return "searching"


@pytest.mark.parametrize(
    ("text", "budget"),
    [("1", Iterations(1)), ("2000", Iterations(2000)), ("10000000", Iterations(10_000_000)),
     ("0.1s", Seconds(0.1)), ("1s", Seconds(1)), ("60s", Seconds(60)), ("0.000001s", Seconds(1e-6))],
)  # fmt: skip
def test_a_budget_is_iterations_or_seconds(text: str, budget: Any) -> None:
    assert budget_from(text) == budget


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "1.5", "2k", "10000001", "²", "0s", "0.0s", "61s", "s", "1 s", "nans"]
)
def test_what_is_no_budget_is_refused(text: str, added: str) -> None:
    with pytest.raises(BadOptions, match=f"“{text}” is not a search budget: 2000 means iterations"):
        player_named("shanghaien", f"{added}:{text}")


def test_who_does_not_search_takes_no_budget() -> None:
    with pytest.raises(BadOptions, match="The computer player “greedy” does not search, so it takes no budget"):
        player_named("shanghaien", "greedy:2000")


def test_an_unknown_player_is_unknown_with_a_budget_too(added: str) -> None:
    with pytest.raises(BadOptions, match=rf"no computer player “Magnus:5”. There are: random, .*{added}"):
        player_named("shanghaien", "Magnus:5")


def test_a_benchmark_player_is_a_player_of_its_game_but_not_offered_as_company(added: str) -> None:
    for name in (added, f"{added}:2000"):
        assert is_player("shanghaien", name)
        assert is_benchmark_player("shanghaien", name)
        assert player_named("shanghaien", name)(None, ("first", "second"), Random(1)) == "first"
        assert not is_player("dutchman", name)
    assert added not in players_of("shanghaien")
    assert player_named("shanghaien", added) is searching.choose


@pytest.mark.parametrize("game", games())
def test_our_games_offer_no_benchmark_players(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kontor.players._added_players", {})
    for name in plugin_named(game).players:
        assert is_player(game, name)
        assert not is_benchmark_player(game, name)
        player_named(game, name)
    assert not any(is_player(game, name) for name in ("ismcts", "mcts", "swift", "Anna"))


def test_so_many_iterations() -> None:
    assert list(Iterations(3).thinking()) == [0, 1, 2]


def test_so_many_seconds_of_the_processor_and_one_iteration_always(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(100.0, 0.25)  # reading the clock and an iteration take a quarter of a second together
    monkeypatch.setattr("kontor.players.budget.thread_time", lambda: next(ticks))
    assert list(Seconds(1.0).thinking()) == [0, 1, 2, 3]
    assert list(Seconds(1.1).thinking()) == [0, 1, 2, 3, 4]
    assert list(Seconds(1e-9).thinking()) == [0]
