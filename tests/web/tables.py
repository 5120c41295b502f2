"""Tables at the moment that a test is about: the server itself plays up to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest

from kontor.players import player_named
from kontor.server.composition import KontorServer
from kontor.tables.values import Pace, Plan, SeatPlan, Tempo
from web.prepared import owned_seed, seed_of

NO_LIMIT: Final = Pace()

NAMES: Final = ("Anna", "Bernd", "Carla", "Doris", "Emil", "Frida")


@dataclass(frozen=True)
class Table:
    """Table, and the session tokens of the people who sit there."""

    service: KontorServer
    id: str
    tokens: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/tables/{self.id}"

    @property
    def number(self) -> int:
        return self.service.tables.info(self.id).number

    @property
    def mover(self) -> int:
        mover = self.service.tables.info(self.id).mover
        assert mover is not None
        return mover

    @property
    def token(self) -> str:
        return self.tokens[self.mover]

    def person(self, seat: int) -> str:
        holder = self.service.people.holder_of_session(self.tokens[seat])
        assert holder is not None
        return holder.id

    @property
    def view(self) -> Any:
        return self.service.tables.view(self.id).look(self.mover).view

    @property
    def moves(self) -> Sequence[Any]:
        """Return the mover's legal moves.

        Six merchants have a million proposals: read only as many as needed.
        """
        return self.service.tables.view(self.id).look(self.mover).moves

    def play(self, *moves: Any) -> None:
        for move in moves:
            self.service.moves.play(self.id, self.mover, self.number, move)

    def last(self) -> Any:
        """Return the last action of a player, as its own seat knows it."""
        events = self.service.tables.view(self.id).events(None)
        number, seat = next((line.number, line.event.seat) for line in reversed(events) if line.event.seat >= 0)
        (own,) = self.service.tables.view(self.id).events(seat, number - 1, number)
        return own.event.action


def open_known_table(
    service: KontorServer,
    game: str,
    options: Any,
    players: int,
    seed: int,
    tempo: Tempo = "at once",
    pace: Pace = NO_LIMIT,
) -> Table:
    """Open a table with known dice, at which ``players`` people sit."""
    with pytest.MonkeyPatch.context() as patch:
        owned_seed(patch, seed_of(seed))
        people = [service.people.guest(name) for name in NAMES[:players]]
        seats = (SeatPlan("me"), *(SeatPlan("open") for _ in people[1:]))
        table = service.opening.open(people[0][0].id, Plan(game, options, seats, pace=pace, tempo=tempo))
        for seat, (person, _) in enumerate(people[1:], 1):
            service.opening.sit(table, seat, person.id)
    return Table(service, table, tuple(token for _, token in people))


def brought_there(table: Table, game: str, wanted: Callable[[Any], bool]) -> Table:
    """Play until the mover's view is wanted, partly by good moves and partly at random."""
    random, greedy = Random(1), player_named(game, "greedy")
    while not wanted(table.view):
        moves = table.moves
        shrewd = random.random() < 0.7
        table.play(greedy(table.view, moves, random) if shrewd else moves[random.randrange(len(moves))])
    return table
