"""Scenes of a game at its table, one of every kind: who looks, at what decision, after which events."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.players import player_named
from kontor.server.composition import KontorServer
from web.tables import Table, open_known_table

MOST_LINES: Final = 400
"""Most moves after which the rest of a game shows nothing new."""


@dataclass(frozen=True)
class Scene:
    """Table at a moment, and the seat that looks at it; None is a spectator."""

    title: str
    table: Table
    seat: int | None


def _dutchman_kind(view: Any, seat: int | None) -> str:
    tied = len(view.bargain.tied) if view.bargain else 0
    is_tied = bool(view.bargain) and seat in view.bargain.tied
    events = {type(happening).__name__ for happening in view.happened}
    striking = [name for name in ("Bankrupt", "Checked", "Earned", "Undecided") if name in events]
    return ", ".join(
        [view.step, *([f"{tied} tied"] if tied else []), *(["reader tied"] if is_tied else []), *striking]
    )


def _shanghaien_kind(view: Any, seat: int | None) -> str:
    crew = view.crews[seat or 0]
    tricks = f"{min(len(crew.tricks), 3)} tricks"
    rounds = "first round" if view.round == 1 else "last round" if view.round == 8 else "a round"
    spent = ["trick used"] if seat is not None and view.spent[seat] else []
    return ", ".join([view.step, rounds, tricks, *spent])


KINDS: Final[dict[str, Callable[[Any, int | None], str]]] = {
    "dutchman": _dutchman_kind,
    "shanghaien": _shanghaien_kind,
}
"""The differences in how a table is drawn, by game: functions of a view and the seat that has it."""

OPTIONS: Final[dict[str, Callable[[int], Any]]] = {
    "dutchman": lambda players: DutchmanOptions(players=players, starter=0, check="on request"),
    "shanghaien": lambda players: ShanghaienOptions(starter=0, first_trick="both"),
}


def scenes(
    service: KontorServer, monkeypatch: pytest.MonkeyPatch, game: str, players: int, seed: int
) -> Iterator[Scene]:
    """Play a game with known dice, and yield each kind of scene when it comes for the first time.

    The table goes on when the next scene is asked for.
    """
    table = open_known_table(service, monkeypatch, game, OPTIONS[game](players), players, seed)
    random, greedy = Random(seed), player_named(game, "greedy")
    seen: set[str] = set()
    for _ in range(MOST_LINES):
        mover = service.tables.info(table.id).mover
        if mover is None:
            break
        yield from _new_scenes(table, game, mover, seen)
        is_shrewd = random.random() < 0.6
        table.play(greedy(table.view, table.moves, random) if is_shrewd else random.choice(table.moves))
    yield from (Scene("the end", table, seat) for seat in (0, None))


def resigned_scene(service: KontorServer, monkeypatch: pytest.MonkeyPatch, game: str, players: int) -> Scene:
    """Return a table at which the mover resigned, as the first seat sees it."""
    table = open_known_table(service, monkeypatch, game, OPTIONS[game](players), players, 1)
    table.play(table.moves[0])
    person = service.people.holder_of_session(table.token)
    assert person is not None
    service.early_endings.resign(table.id, table.mover, person.id)
    return Scene("somebody resigned", table, 0)


def _new_scenes(table: Table, game: str, mover: int, seen: set[str]) -> Iterator[Scene]:
    """Yield what the mover, another player and a spectator see now, if it is of a kind that was not seen before."""
    played = table.service.tables.view(table.id)
    other = (mover + 1) % len(table.tokens)
    for role, seat in (("mover", mover), ("another", other), ("spectator", None)):
        kind = f"{KINDS[game](played.look(seat).view, seat)}, {role}"
        if kind not in seen:
            seen.add(kind)
            yield Scene(kind, table, seat)
