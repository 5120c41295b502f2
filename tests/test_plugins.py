"""Games as plug-ins, found by entry points: a faulty one affects no other."""

from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points

import pytest

from kontor import plugins as finding
from kontor.game import BadOptions
from kontor.plugins import GROUP, GamePlugin, plugin_named, plugins

SKAT = replace(plugin_named("shanghaien"), name="skat", package="email", minutes=1)
"""Another game, in a package that can be imported."""
SHADOW = replace(SKAT, name="shanghaien")


def find_games(monkeypatch: pytest.MonkeyPatch, *more: EntryPoint) -> list[GamePlugin]:
    """Return the games that exist if ``more`` entry points are installed, in their order."""
    with monkeypatch.context() as patched:
        patched.setattr(finding, "entry_points", lambda group: [*more, *entry_points(group=group)])
        finding._installed.cache_clear()
        games = [*plugins.__wrapped__().values()]
    finding._installed.cache_clear()
    return games


def announced(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, GROUP)


def test_the_games_that_come_with_kontor_are_first_the_shortest_before_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = [plugin.name for plugin in plugins().values() if plugin.package.startswith("kontor.games.")]
    assert ours == ["shanghaien", "dutchman"]
    names = [plugin.name for plugin in find_games(monkeypatch, announced("skat", f"{__name__}:SKAT"))]
    assert names[:2] == ours
    assert "skat" in names[2:]


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("nowhere.plugin:SKAT", "No module named 'nowhere'"),
        (f"{__name__}:BRIDGE", "has no attribute 'BRIDGE'"),
        (f"{__name__}:SHADOW", "it is no GamePlugin of that name"),
        (f"{__name__}:announced", "it is no GamePlugin of that name"),
    ],
)
def test_a_game_that_cannot_be_imported_is_left_out_and_the_log_says_why(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, value: str, reason: str
) -> None:
    games = find_games(monkeypatch, announced("skat", value))
    assert games == [*plugins().values()]
    assert f"The game skat ({value}) is left out: " in caplog.text
    assert reason in caplog.text


def test_no_package_puts_its_game_in_the_place_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    games = find_games(monkeypatch, announced("shanghaien", f"{__name__}:SHADOW"))
    assert games == [*plugins().values()]


def test_a_game_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(BadOptions, match=r"no game “skat”\. There are: shanghaien, dutchman"):
        plugin_named("skat")
