"""Scenes of a game at its table, one of every kind: who looks, at what decision, after which events."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.players import player_named
from kontor.server.composition import KontorServer
from kontor.tables.values import Pace
from web.tables import NO_LIMIT, Table, open_known_table

LONG_PACE: Final = Pace("slow", 14 * 24 * 3600)
"""Pace of a table whose time ends at a date, which is the longest text of a clock."""

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


def scenes(service: KontorServer, game: str, players: int, seed: int, pace: Pace = NO_LIMIT) -> Iterator[Scene]:
    """Play a game with known dice, and yield each kind of scene when it comes for the first time.

    The table goes on when the next scene is asked for. The title of a scene with a clock says so.
    """
    table = open_known_table(service, game, OPTIONS[game](players), players, seed, pace=pace)
    random, greedy = Random(seed), player_named(game, "greedy")
    clock = "" if pace == NO_LIMIT else ", clock"
    seen: set[str] = set()
    for _ in range(MOST_LINES):
        mover = service.tables.info(table.id).mover
        if mover is None:
            break
        yield from _new_scenes(table, game, mover, clock, seen)
        is_shrewd = random.random() < 0.6
        table.play(greedy(table.view, table.moves, random) if is_shrewd else random.choice(table.moves))
    yield from (Scene(f"the end{clock}", table, seat) for seat in (0, None))


_ROLES: Final = (("asked", 1), ("proposer", 0))
"""Roles and seats of those who look at a proposal."""


def occasions(service: KontorServer, game: str, players: int) -> Iterator[Scene]:
    """Yield what comes between the moves of a table with a clock.

    A move is to be taken back, a pause is proposed and agreed on, and somebody resigns.
    """
    table = open_known_table(service, game, OPTIONS[game](players), players, 1, pace=LONG_PACE)
    table.play(table.moves[0])
    people = [table.person(seat) for seat in range(players)]
    service.early_endings.propose(table.id, 0, people[0], "undo")
    yield from (Scene(f"a move is to be taken back, {role}", table, seat) for role, seat in _ROLES)
    service.early_endings.decline(table.id, people[0], "undo")
    service.early_endings.propose(table.id, 0, people[0], "pause")
    yield from (Scene(f"a pause is proposed, {role}", table, seat) for role, seat in _ROLES)
    for person in people[1:]:
        service.early_endings.agree(table.id, person, "pause")
    yield from (Scene(f"paused, {role}", table, seat) for role, seat in (("player", 0), ("spectator", None)))
    service.pauses.end(table.id, people[0])
    service.early_endings.resign(table.id, table.mover, people[table.mover])
    yield Scene("somebody resigned", table, 0)


def _new_scenes(table: Table, game: str, mover: int, clock: str, seen: set[str]) -> Iterator[Scene]:
    """Yield what the mover, another player and a spectator see now, if it is of a kind that was not seen before."""
    played = table.service.tables.view(table.id)
    other = (mover + 1) % len(table.tokens)
    for role, seat in (("mover", mover), ("another", other), ("spectator", None)):
        kind = f"{KINDS[game](played.look(seat).view, seat)}, {role}{clock}"
        if kind not in seen:
            seen.add(kind)
            yield Scene(kind, table, seat)
