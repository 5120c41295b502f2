"""The seats of a game as given on the command line: people and computer players."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kontor.game import BadOptions
from kontor.players import is_player, opponent_of, player_named
from kontor.players.levels import usual
from kontor.terminal.adapter import TerminalAdapter
from kontor.visible_text import visible
from kontor.words import Words

PERSON: Final = "person"


@dataclass(frozen=True)
class SeatAssignment:
    """A seat's name, and its player: ``person`` or the name of a computer player."""

    name: str
    player: str


def seats_from(given: Sequence[str], adapter: TerminalAdapter) -> list[SeatAssignment]:
    """Return the seats for texts like ``Anna``, ``Bernd=greedy`` and ``greedy``.

    A single text is joined by the usual computer players. Without any, you play against them under your login name.
    Raises BadOptions.
    """
    game = adapter.game.name
    texts = [text.strip() for text in given] or [_own_name(adapter)]
    if len(texts) == 1:
        texts += [usual(game)] * (len(adapter.usual) - 1)
    names = [_split(text, game) for text in texts]
    taken = [visible(name).casefold() for name, _ in names if name]
    for name in taken:
        if taken.count(name) > 1:
            raise BadOptions("", "Two seats are called {name}: give them different names.", name=name.title())
    free = iter([name for name in adapter.usual if name.casefold() not in taken])
    return [
        SeatAssignment(name or next(free, f"{player} {place}"), player)
        for place, (name, player) in enumerate(names, 1)
    ]


def players_from(given: str | None, adapter: TerminalAdapter) -> list[str]:
    """Return the computer players of a text like ``greedy,random``; without one, the usual one and random ones."""
    if given is None:
        return [opponent_of(adapter.game.name), *["random"] * (len(adapter.usual) - 1)]
    players = [text.strip() for text in given.split(",")]
    for player in players:
        player_named(adapter.game.name, player)
    return players


def _split(text: str, game: str) -> tuple[str, str]:
    """Return the name (empty if it has yet to be chosen) and the player of one seat. Raises BadOptions."""
    name, sign, player = (part.strip() for part in text.partition("="))
    if sign:
        if player != PERSON:
            player_named(game, player)
        return name, player
    if not name:
        raise BadOptions(
            "", "A seat needs a name, such as Anna, or a computer player, such as Bernd={usual}.", usual=usual(game)
        )
    if not is_player(game, name):
        return name, PERSON
    player_named(game, name)
    return "", name


def _own_name(adapter: TerminalAdapter) -> str:
    """Return the login name, or the first usual name if it does not fit."""
    name = os.environ.get("LOGNAME") or os.environ.get("USER") or ""
    fit = name.isalnum() and len(name) <= 20 and not is_player(adapter.game.name, name)
    return name.capitalize() if fit else adapter.usual[0]


def names_shown(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a record as they are shown: without hidden characters, and all different."""
    visible_names = list[str]()
    for name in names:
        bare = visible(name).strip() or "\N{REPLACEMENT CHARACTER}"
        candidates = (bare, *(f"{bare} {number}" for number in range(2, len(names) + 1)))
        visible_names.append(next(candidate for candidate in candidates if candidate not in visible_names))
    return tuple(visible_names)


def seat_called(words: Words, wanted: str, names: Sequence[str]) -> int:
    """Return the seat with this name. Raises BadOptions if there is none."""
    for seat, name in enumerate(names):
        if name.casefold() == visible(wanted).casefold():
            return seat
    raise BadOptions(
        "", "Nobody at this table is called {name}; there are {names}.", name=wanted, names=words.all_of(names)
    )
