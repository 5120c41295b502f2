"""Guests of the server for the tests: a clock, plans in a few words, and functions that play games to their end."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

import msgspec
import pytest

from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.players import Choose
from kontor.server.composition import KontorServer
from kontor.server.machines import Machines
from kontor.storage import Place
from kontor.storage.schema import METADATA
from kontor.storage.sqlite import DATABASE
from kontor.tables import enqueuing
from kontor.tables.values import Mail, Plan, SeatPlan
from kontor.thinking import NoAnswer, worker
from kontor.thinking.messages import TaskRequest
from kontor.thinking.thinkers import NOBODY, Ask, Asker, Work
from kontor.thinking.turn_tasks import decoded_task, random_from
from kontor.work.failures import safe_traceback
from postgresql import execute

ME = SeatPlan("me")
FRIEND = SeatPlan("friend")
OPEN = SeatPlan("open")
MACHINE = SeatPlan("machine", player="random")
CARLA = SeatPlan("here", "Carla")


in_a_folder = pytest.mark.parametrize("place", ["sqlite"], indirect=True)
"""For tests of long games: other tests run their statements in PostgreSQL, where each costs several times as much."""


class Clock:
    """A clock that advances only when a test does it."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 19, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def tick(self, **span: float) -> None:
        self.time += timedelta(**span)


def shanghaien(*seats: SeatPlan, **more: Any) -> Plan:
    return Plan("shanghaien", ShanghaienOptions(), seats, **more)


def dutchman(*seats: SeatPlan, **more: Any) -> Plan:
    return Plan("dutchman", DutchmanOptions(players=len(seats)), seats, **more)


def end_sessions(service: KontorServer, person: str) -> None:
    for session in service.people.sessions(person):
        service.people.revoke(person, session.id)


def quick(service: KontorServer) -> Machines:
    """Return computer players that do not pause."""
    return Machines(service, at_once, pause=lambda *_: 0)


def at_once(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
    future = Future[bytes]()
    answer = worker.answer(TaskRequest(f"{work.__module__}:{work.__qualname__}", matter))
    if answer.given is None:
        future.set_exception(NoAnswer(answer.failure))
    else:
        future.set_result(answer.given)
    return future


def by(choose: Choose) -> Ask:
    """Return a function that thinks in this process, with the given player."""

    def ask(work: Work, matter: bytes, asker: Asker = NOBODY) -> Future[bytes]:
        future = Future[bytes]()
        try:
            given, view, moves = decoded_task(matter)
            future.set_result(msgspec.msgpack.encode(choose(view, moves, random_from(given.luck))))
        except Exception as error:  # noqa: BLE001 (as a thinker does it)
            future.set_exception(NoAnswer(safe_traceback(error)))
        return future

    return ask


def play_one(service: KontorServer, table: str, random: Random) -> bool:
    """Make a random move if a person is to move; return whether a move was made."""
    info = service.tables.info(table)
    if info.mover is None or info.seats[info.mover].player:
        return False
    seen = service.tables.view(table).look(info.mover)
    service.moves.play(table, info.mover, seen.number, seen.moves[random.randrange(len(seen.moves))])
    return True


def play_out(service: KontorServer, *tables: str, seed: int = 1) -> None:
    """Play random moves for people, and those of computer players, until all games are over."""
    random, machines = Random(seed), quick(service)
    while any(play_one(service, table, random) for table in tables) or machines.one_round():
        pass
    assert [service.tables.info(table).status for table in tables] == ["over"] * len(tables)


def post_mail(service: KontorServer, mail: Mail) -> None:
    """Put a mail into the outbox, past the limit of its mailbox."""
    with service._transactions.changing() as change:
        enqueuing.note_mail(change, mail)


def letter(address: str, code: str) -> Mail:
    """Return a mail with a code as its subject."""
    return Mail(address, code, ())


def mails(place: Place) -> list[Mail]:
    """Return the mail in the outbox, in its order."""
    rows = query(place, "SELECT mail FROM outbox WHERE mail IS NOT NULL ORDER BY created, id")
    return [msgspec.json.decode(mail, type=Mail) for (mail,) in rows]


def query(place: Place, sql: str, *values: object) -> list[Any]:
    """Return the rows of a query, run outside the server."""
    if isinstance(place, str):
        return execute(place, sql, *values)
    connection = sqlite3.connect(place / DATABASE)
    try:
        with connection:
            return connection.execute(sql, values).fetchall()
    finally:
        connection.close()


_UNDONE: Final = {
    "0037": ("DROP TABLE moves_ahead",),
    "0038": (
        *(f"DROP TABLE {table}" for table in ("season_tournaments", "seasons", "tournament_log", "tournament_talk")),
        *(
            f"ALTER TABLE tournaments DROP COLUMN {column}"
            for column in ("description", "most", "leavers", "approval", "proposal")
        ),
        "ALTER TABLE entrants DROP COLUMN waiting",
        "ALTER TABLE pairings DROP COLUMN corrected",
    ),
    "0039": (
        *(f"DROP TABLE {table}" for table in ("table_webhooks", "club_tournaments", "club_members", "clubs")),
        "ALTER TABLE reports DROP COLUMN club",
    ),
    "0042": (
        "DROP INDEX ix_tables_archived",
        "DROP INDEX ix_seats_archived",
        *(f"ALTER TABLE tables DROP COLUMN {column}" for column in ("length", "ended_early")),
        "ALTER TABLE seats DROP COLUMN won",
        "CREATE INDEX ix_tables_archived ON tables (archived, id, game, players, rated) WHERE archived IS NOT NULL",
        "CREATE INDEX ix_seats_archived ON seats (person, archived, table_id) WHERE archived IS NOT NULL",
    ),
    "0035": ("DROP TABLE notes", "ALTER TABLE tables DROP COLUMN undo_to", "ALTER TABLE tables DROP COLUMN streams"),
    "0036": (
        *(f"DROP TABLE {table}" for table in ("messages", "correspondents", "conversations")),
        "ALTER TABLE people DROP COLUMN writers",
        "ALTER TABLE notification_settings DROP COLUMN written",
        "ALTER TABLE reports DROP COLUMN around",
    ),
    "0040": (
        *(f"ALTER TABLE ways DROP COLUMN {column}" for column in ("hour", "lead", "quiet_from", "quiet_to")),
        "ALTER TABLE notification_settings ADD COLUMN hour INTEGER NOT NULL DEFAULT 18",
        "ALTER TABLE notification_settings ADD COLUMN reminders BOOLEAN NOT NULL DEFAULT TRUE",
    ),
    "0043": ("DROP TABLE calibrations",),
    "0041": tuple(f"ALTER TABLE people DROP COLUMN {column}" for column in ("confirms", "only_move")),
    "0034": (
        "DROP TABLE follows",
        "DROP TABLE person_challenges",
        *(f"ALTER TABLE notification_settings DROP COLUMN {column}" for column in ("followed", "challenged")),
        "ALTER TABLE outbox DROP COLUMN about",
    ),
    "0033": (
        "DROP TABLE holidays",
        *(
            f"ALTER TABLE tables DROP COLUMN {column}"
            for column in ("proposal", "stopped", "resumes", "paused", "breaks")
        ),
        *(f"ALTER TABLE seats DROP COLUMN {column}" for column in ("holiday", "given")),
        "ALTER TABLE tournaments DROP COLUMN breaks",
    ),
    "0032": ("DROP TABLE record_reviews", "DROP TABLE own_records"),
    "0031": (
        "DROP INDEX ix_tables_archived",
        "DROP INDEX ix_seats_archived",
        *(f"ALTER TABLE tables DROP COLUMN {column}" for column in ("archived", "players", "rated")),
        "ALTER TABLE seats DROP COLUMN archived",
    ),
    "0030": ("ALTER TABLE tournaments DROP COLUMN in_step",),
    "0027": ("DROP TABLE mailboxes",),
    "0026": tuple(f"ALTER TABLE ways DROP COLUMN {name}" for name in ("failing", "reason", "detail", "refused")),
    "0025": ("DROP TABLE reviewed_seats", "ALTER TABLE profiles DROP COLUMN parts"),
    "0024": ("DROP TABLE seeks",),
    "0023": tuple(f"DROP TABLE {table}" for table in ("pairings", "entrants", "tournaments")),
    "0022": (
        "ALTER TABLE tokens ADD COLUMN scope VARCHAR(10) NOT NULL DEFAULT 'play'",
        "ALTER TABLE tokens DROP COLUMN scopes",
    ),
    "0019": (
        *(f"DROP TABLE {table}" for table in ("profiles", "ratings", "rating_days")),
        "ALTER TABLE pulse DROP COLUMN rated",
    ),
    "0021": (
        "ALTER TABLE ways DROP COLUMN frequency",
        "ALTER TABLE notification_settings ADD COLUMN frequency VARCHAR(10) NOT NULL DEFAULT 'once'",
        "ALTER TABLE notification_settings ADD COLUMN summary BIGINT",
        *(f"ALTER TABLE notification_settings DROP COLUMN {column}" for column in ("hour", "zone")),
    ),
    "0020": ("DROP TABLE solved",),
    "0018": ("DROP TABLE challenges", "DROP TABLE passkeys"),
    "0017": tuple(
        f"DROP TABLE {table}"
        for table in ("outbox", "looks", "ways", "notification_settings", "mail_addresses", "keys")
    ),
    "0016": (
        *(f"DROP TABLE {table}" for table in ("acts", "reports", "blocks")),
        "DROP INDEX ix_chat_person",
        "ALTER TABLE chat DROP COLUMN person",
        "DROP INDEX ix_people_left",
        'ALTER TABLE people DROP COLUMN "left"',
        "ALTER TABLE people DROP COLUMN suspended",
    ),
    "0015": ("ALTER TABLE people DROP COLUMN code_put_away",),
    "0014": (
        *(f"ALTER TABLE tables DROP COLUMN {column}" for column in ("undo", "undone")),
        "ALTER TABLE seats DROP COLUMN here",
    ),
    "0013": ("ALTER TABLE tables DROP COLUMN tempo",),
    "0012": ("DROP INDEX ix_tables_origin_status",),
    "0011": tuple(f"ALTER TABLE seats DROP COLUMN {column}" for column in ("salt_commitment", "begins_without")),
    "0010": (
        "DROP INDEX ix_reviews_person",
        "ALTER TABLE reviews DROP COLUMN person",
        "DROP INDEX ix_tables_visited_machine",
        "ALTER TABLE tables DROP COLUMN visited",
        "ALTER TABLE tables DROP COLUMN origin",
        "CREATE INDEX ix_tables_machine ON tables (machine)",
    ),
    "0009": (
        "ALTER TABLE people DROP COLUMN next_seed",
        *(f"ALTER TABLE tables DROP COLUMN {column}" for column in ("next_seed", "next_commitment", "dice")),
    ),
    "0008": (
        *(f"ALTER TABLE tables DROP COLUMN {column}" for column in ("takeover", "early", "proposed")),
        *(f"ALTER TABLE seats DROP COLUMN {column}" for column in ("resigned", "agreed", "visited")),
    ),
    "0007": ("ALTER TABLE tokens DROP COLUMN scope", "ALTER TABLE tokens DROP COLUMN used"),
    "0006": ("ALTER TABLE pulse DROP COLUMN settled",),
    "0005": ("ALTER TABLE pulse DROP COLUMN endings",),
    "0004": (
        "DROP TABLE snapshots",
        "DROP INDEX ix_tables_machine",
        "DROP INDEX ix_tables_status_started",
        "DROP INDEX ix_seats_reserved",
        "ALTER TABLE tables DROP COLUMN machine",
    ),
    "0003": ("DROP TABLE hints", "DROP TABLE reviews", "ALTER TABLE tables DROP COLUMN changes"),
    "0002": ("ALTER TABLE tables DROP COLUMN hints",),
}


def has_run(place: Place, clock: Callable[[], datetime]) -> None:
    """Set the heartbeat as if the server had run up to now with a correct clock."""
    now = clock().timestamp() * 1000
    query(place, "UPDATE pulse SET at = ?, settled = ?", round(now), round(now))


def as_of(place: Place, revision: str) -> None:
    """Change the database back to the state of an older revision."""
    for later, statements in _UNDONE.items():
        for statement in statements if later > revision else ():
            query(place, statement)
    query(place, "UPDATE alembic_version SET version_num = ?", revision)


def lines(place: Place, table: str) -> list[tuple[int, int, str]]:
    """Return the log: number, seat and step of each line."""
    return query(place, "SELECT number, seat, step FROM steps WHERE table_id = ? ORDER BY number", table)


def everything_in(place: Place) -> bytes:
    """Return all stored data of a closed server."""
    if isinstance(place, str):
        return "".join(repr(query(place, f"SELECT * FROM {table}")) for table in METADATA.tables).encode()  # noqa: S608
    return b"".join(file.read_bytes() for file in place.iterdir())
