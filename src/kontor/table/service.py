"""The server: everything that a client can ask for. Each call is one transaction; all are safe from any thread."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from sqlalchemy.exc import IntegrityError

from kontor.game import Refusal
from kontor.records import Record
from kontor.table import (
    clocks,
    early_endings,
    listing,
    migrate,
    opening,
    people,
    plan_checks,
    playing,
    stored_results,
    talking,
)
from kontor.table.activity import ActivityCounter, CountedStorage
from kontor.table.changes import Change
from kontor.table.errors import Conflict, StorageFailure
from kontor.table.game_states import GameStates
from kontor.table.people import Kind
from kontor.table.rows import milliseconds_of
from kontor.table.storage import Place, Storage, open_storage
from kontor.table.storage.change_counters import SESSIONS_KEY
from kontor.table.stored_results import StoredHint, StoredReview
from kontor.table.table_snapshots import TableSnapshots
from kontor.table.table_views import GameLog, TableView
from kontor.table.values import (
    ChatLine,
    FairDiceInfo,
    Lobby,
    MachineTurn,
    Person,
    Plan,
    Scope,
    SeatView,
    SessionInfo,
    Status,
    TableInfo,
    VisibleStep,
)

_LOG = logging.getLogger(__name__)

ChangeListener = Callable[[str], None]
WatchedTables = Callable[[], Collection[str]]


def utc_now() -> datetime:
    """The time, as the machine has it."""
    return datetime.now(UTC)


class TableService:
    """People, tables and games, kept in a folder or in a PostgreSQL database.

    Persons, tables and seats are meant by their ids and numbers. A seat is believed: whoever serves strangers asks
    :meth:`seats_of` first.
    """

    def __init__(self, storage: Storage, now: Callable[[], datetime]) -> None:
        """Use :meth:`open`."""
        self._counters: list[ActivityCounter] = []
        self._storage = CountedStorage(storage, self._counters)
        self._clock = now
        self._snapshots = TableSnapshots()
        self._states = GameStates()
        self._listening: list[ChangeListener] = []
        self._watching: list[WatchedTables] = []
        self._endings = 0
        self._heartbeat_at = 0
        self._deadlines_applied = 0
        self.record_heartbeat()

    @classmethod
    def open(cls, place: Place, now: Callable[[], datetime] = utc_now) -> Self:
        """Opens what a server keeps in a folder, or in the PostgreSQL database of an address; makes it where it is
        missing. Raises CannotOpen."""
        with ExitStack() as undo:
            storage = open_storage(place)
            undo.callback(storage.close)
            service = cls(storage, now)
            undo.pop_all()
            return service

    def close(self) -> None:
        """Everything is on the disk already. Calls that come later are refused."""
        self._storage.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def listen(self, heard: ChangeListener) -> None:
        """``heard(table)`` is called after each change at a table, once it is on the disk, in whichever thread made
        it; what other processes change is heard in another. It should be quick, and must not raise."""
        if not self._listening:
            self._storage.hear(self._notify_listeners, self._watched)
        self._listening.append(heard)

    def watch(self, watched: WatchedTables) -> None:
        """``watched()`` tells which tables somebody is looking at: of these, whoever listens misses no change, even
        if news of another process are lost. May be called from any thread."""
        self._watching.append(watched)

    def _watched(self) -> Collection[str]:
        return {SESSIONS_KEY, *(table for watched in tuple(self._watching) for table in watched())}

    def count_activity(self, counter: ActivityCounter) -> None:
        """Counts moves, refused or not, and failures of the database from now on."""
        self._counters.append(counter)

    def is_current(self) -> bool:
        """Whether the database is as this program knows it: a newer one may have changed it since. Raises
        StorageFailure."""
        with self._storage.reading() as db:
            return migrate.is_current(db)

    def count_tables(self) -> dict[Status, int]:
        """How many tables wait, are being played, and are over."""
        with self._storage.reading() as db:
            return listing.count_tables(db)

    # ------------------------------------------------------------------------------------------------------ people

    def guest(self, name: str) -> tuple[Person, str]:
        """A new person, and a session token for their browser. Raises BadName."""
        with self._changing() as change:
            return people.guest(change.db, name, change.now)

    def rename(self, person: str, name: str) -> Person:
        """From now on; where they sit already, they keep the old name. Raises BadName."""
        with self._changing() as change:
            return people.rename(change.db, person, name)

    def person_of_session(self, token: str) -> Person | None:
        """Who is known by a session token. A session ends when it was not used for ``SESSION_DAYS``."""
        return self.use_session(token)[0]

    def use_session(self, token: str) -> tuple[Person | None, bool]:
        """Who is known by a session token; and whether it was prolonged just now, so that the browser is to keep it
        longer, too."""
        person, to_prolong = self._asked(token, "session")
        return person, to_prolong and self._noted(lambda change: people.prolong(change.db, token, change.now))

    def holder_of_session(self, token: str) -> Person | None:
        """Who is known by a session token; this is no use of it, and prolongs nothing."""
        return self._asked(token, "session")[0]

    @property
    def endings(self) -> int:
        """How often sessions may have been ended, by this process or, as soon as it is heard of, by others. Whoever
        believes that one is good asks again when this has grown, and now and then, for time ends sessions too."""
        return self._endings

    def end_session(self, token: str) -> None:
        """The token is good for nothing any more."""
        with self._ending() as change:
            people.end(change.db, token)

    def device_link(self, person: str) -> str:
        """A token that brings the person to another device: once, within ten minutes, and only the newest."""
        return self._new_token(person, "device")

    def claim_device(self, link: str) -> tuple[Person, str]:
        """Whose link it is, and a session token for this device. Raises BadLink."""
        with self._ending() as change:
            return people.claim_device(change.db, link, change.now)

    def api_token(self, person: str, label: str = "", scope: Scope = "play") -> str:
        """A token for a program that plays as the person, or looks on as them alone, for a year."""
        return self._new_token(person, "api", label, scope)

    def person_of_api_token(self, token: str) -> Person | None:
        """As whom a program plays."""
        person, used = self._asked(token, "api")
        if used:
            self._noted(lambda change: people.note_use(change.db, token, change.now))
        return person

    def sessions(self, person: str) -> tuple[SessionInfo, ...]:
        """By which browsers and programs the person is known."""
        with self._storage.reading() as db:
            return people.sessions(db, person, self._now())

    def revoke(self, person: str, session: str) -> None:
        """Ends one of the person's sessions, by its id."""
        with self._ending() as change:
            people.revoke(change.db, person, session)

    def revoke_all(self, person: str) -> None:
        """Ends all of them, programs and links included."""
        with self._ending() as change:
            people.revoke(change.db, person, None)

    # ------------------------------------------------------------------------------------------------------ tables

    def open_table(self, person: str, plan: Plan, salt: str = "") -> str:
        """A new table, whose host the person is. The game begins at once if nobody is missing. Raises BadPlan,
        BadOptions, BadName, BadText, TooMany."""
        checked = plan_checks.check(plan)
        with self._changing() as change:
            return opening.open_table(change, person, checked, salt)

    def invitation(self, table: str, seat: int, person: str) -> str:
        """A token by which somebody can sit on the seat. Raises NotAllowed, SeatTaken, NotNow."""
        token = secrets.token_urlsafe(32)
        with self._changing() as change:
            opening.new_invitation(change, table, seat, person, token)
        return token

    def sit(self, table: str, seat: int, person: str, invitation: str | None = None, salt: str = "") -> None:
        """The person takes the seat; the game begins if it was the last. Raises SeatTaken, BadInvitation."""
        with self._changing() as change:
            opening.sit(change, table, seat, person, invitation, salt)

    def leave(self, table: str, person: str) -> None:
        """Before the game begins. Raises NotNow, NotAllowed."""
        with self._changing() as change:
            opening.leave(change, table, person)

    def fill(self, table: str, seat: int, person: str, player: str) -> None:
        """The host puts a machine player on an empty seat. Raises NotAllowed, SeatTaken, NotNow, BadOptions."""
        with self._changing() as change:
            opening.fill(change, table, seat, person, player)

    def rematch(self, table: str, person: str, salt: str = "") -> str:
        """The table of the rematch: made by the first who asks; whoever asks sits where they sat. Raises NotNow."""
        with self._changing() as change:
            return opening.rematch(change, table, person, salt)

    def seats_of(self, table: str, person: str) -> tuple[int, ...]:
        """Where the person sits; the eyes they may look through, and the seats they may move for."""
        with self._storage.reading() as db:
            return opening.seats_of(db, table, person)

    def table_view(self, table: str, person: str | None = None) -> TableView:
        """The table as it is now, whatever happens while somebody asks about it. Raises NoTable."""
        snapshot = self._storage.ask(lambda db: self._snapshots.asked_for(db, table))
        if snapshot is None:
            with self._storage.reading() as db:
                snapshot = self._snapshots.snapshot(db, table)
        return TableView(snapshot, person, self._now(), GameLog(snapshot, self._states, self._storage.reading))

    def info(self, table: str, person: str | None = None) -> TableInfo:
        """The table from outside. Raises NoTable."""
        return self.table_view(table, person).info

    def lobby(self, person: str | None = None) -> Lobby:
        """Tables with open seats, and games to be watched."""
        with self._storage.reading() as db:
            return listing.lobby(db, person, self._now())

    def my_tables(self, person: str) -> tuple[TableInfo, ...]:
        """Those that are not over, with the person's turn first."""
        with self._storage.reading() as db:
            return listing.my_tables(db, person, self._now())

    def finished(self, person: str, before: datetime | None = None, limit: int = 50) -> tuple[TableInfo, ...]:
        """Those that are over, the newest first; for more, ask for those before the last one's end."""
        with self._storage.reading() as db:
            until = None if before is None else milliseconds_of(before)
            return listing.finished(db, person, until, limit, self._now())

    def chat(self, table: str, person: str, text: str, seat: int | None = None) -> int:
        """Says something at the table; ``seat`` tells who speaks where several share a device. Raises BadText."""
        with self._changing() as change:
            return talking.say(change, table, person, text, seat)

    def said(self, table: str, since: int = 0, limit: int = 200) -> tuple[ChatLine, ...]:
        """The last rows of the table's talk, after the one with the number ``since``."""
        return self.table_view(table).said(since, limit)

    # ----------------------------------------------------------------------------------------------------- playing

    def view(self, table: str, seat: int | None) -> tuple[int, Any]:
        """The number of the last line, and the game as the seat, or a spectator, may know it."""
        seen = self.look(table, seat)
        return seen.number, seen.view

    def moves(self, table: str, seat: int) -> Sequence[Any]:
        """The legal moves of the seat; none if it is not its turn. There can be millions: do not list them all."""
        return self.look(table, seat).moves

    def look(self, table: str, seat: int | None) -> SeatView:
        """View and moves, of one moment. Raises NotNow before the start, NotAllowed, Unreadable."""
        return self.table_view(table).look(seat)

    def events(
        self, table: str, seat: int | None, since: int = 0, until: int | None = None
    ) -> tuple[VisibleStep, ...]:
        """The lines after ``since``, up to ``until``, as the seat may know them."""
        return self.table_view(table).events(seat, since, until)

    def play(self, table: str, seat: int, number: int, move: Any) -> int:
        """A person's move at the seat, who has seen the lines up to ``number``. When this returns, the move and what
        chance made of it are on the disk. Returns the number of the last line.

        Raises IllegalMove with the rule, Conflict if something has happened since, NotYourTurn, StoodIn.
        """
        return self._play(table, seat, number, move, machine=False)

    def record(self, table: str) -> Record:
        """The game as a file; only when it is over, for it tells everything. Raises NotNow."""
        with self._storage.reading() as db:
            return playing.record(db, self._states, table)

    def fair(self, table: str) -> FairDiceInfo:
        """What makes the dice fair; with the seed when the game is over."""
        with self._storage.reading() as db:
            return playing.fair(db, table)

    # ------------------------------------------------------------------------------------------------------ clocks

    def late(self, table: str) -> int | None:
        """The seat whose time is over, if any."""
        return self.info(table).late

    def stand_in(self, table: str, seat: int, person: str) -> None:
        """Another at the table lets a machine player go on for a seat that is late. Raises NotAllowed, NotNow."""
        with self._changing() as change:
            clocks.ask_stand_in(change, table, seat, person)

    def come_back(self, table: str, seat: int, person: str) -> None:
        """The person at the seat moves again. Raises NotAllowed."""
        with self._changing() as change:
            clocks.come_back(change, table, seat, person)

    # ------------------------------------------------------------------------------------------------ ending early

    def resign(self, table: str, seat: int, person: str) -> None:
        """The person gives up the seat, for good. Of two seats the other wins; among more a machine player plays on,
        while anybody is left. Raises NotAllowed, NotNow."""
        with self._changing() as change:
            early_endings.resign(change, table, seat, person)

    def propose_end(self, table: str, seat: int, person: str) -> None:
        """The person proposes to end the game without a result. Raises NotAllowed, NotNow."""
        with self._changing() as change:
            early_endings.propose(change, table, seat, person)

    def agree_to_end(self, table: str, person: str) -> None:
        """The person agrees to what is proposed; when all do, the game is over. Raises NotAllowed, NotNow."""
        with self._changing() as change:
            early_endings.agree(change, table, person)

    def decline_end(self, table: str, person: str) -> None:
        """The person does not agree, or withdraws what they proposed. Raises NotAllowed, NotNow."""
        with self._changing() as change:
            early_endings.decline(change, table, person)

    def claim(self, table: str, seat: int, person: str) -> None:
        """The person no longer waits for the seat, whose own has stayed away for seven days. Raises NotAllowed,
        NotNow."""
        with self._changing() as change:
            early_endings.claim(change, table, seat, person)

    def visit(self, now: TableView) -> None:
        """Whoever asked for the moment looks at the table. It is noted once an hour; where it cannot be written, one
        can look all the same."""
        if early_endings.is_to_be_noted(now.snapshot, now.person, self._now()):
            with suppress(StorageFailure), self._changing() as change:
                assert now.person is not None
                early_endings.visit(change, now.snapshot.row.id, now.person)

    # ------------------------------------------------------------------------------------------ what time brings

    def apply_deadlines(self) -> None:
        """What time brings, to be called every few seconds (more than once a second changes nothing): machine players
        sit in for the late where that is to happen by itself; what has run out is forgotten; and it is noted that the
        program runs."""
        now = self._now()
        if not self._heartbeat_at <= now < self._heartbeat_at + clocks.HEARTBEAT_INTERVAL:
            self.record_heartbeat()
        if self._deadlines_applied <= now < self._deadlines_applied + clocks.DEADLINE_CHECK_INTERVAL:
            return
        with self._storage.reading() as db:
            overdue = clocks.overdue(db, now)
        self._deadlines_applied = now
        if overdue:
            with self._changing() as change:
                clocks.apply_deadlines(change, now)

    def record_heartbeat(self) -> None:
        """Notes that the program runs, and forgets what has run out. Raises StorageFailure where nothing can be
        written."""
        with self._changing() as change:
            until = clocks.record_heartbeat(change)
            people.sweep(change.db, until)
            opening.sweep(change, until)
            self._heartbeat_at = change.now

    # ---------------------------------------------------------------------------------------- for machine players

    def leads(self) -> bool:
        """Whether it is for this process to play for the machine players: of all that have the server open, one does.
        To be asked again every second, always by the same thread."""
        return self._storage.leads()

    def machine_turns(self) -> tuple[MachineTurn, ...]:
        """Where a machine player is to move, the longest waiting first."""
        with self._storage.reading() as db:
            return listing.machine_turns(db, self._now())

    def think(self, table: str, seat: int) -> tuple[SeatView, bytes]:
        """What a machine player is given, and the luck it draws from. Raises NotYourTurn where a person sits."""
        return playing.think(self.table_view(table), seat)

    def is_plainly_forced(self, table: str) -> bool:
        """Whether everybody can see that whoever is to move has one move only."""
        return playing.is_plainly_forced(self.table_view(table))

    def begins_round(self, table: str) -> bool:
        """Whether the last move ended a round."""
        return playing.begins_round(self.table_view(table))

    def play_machine(self, table: str, seat: int, number: int, move: Any) -> int:
        """A machine player's move, in the way of :meth:`play`. Raises NotYourTurn if the person has come back."""
        return self._play(table, seat, number, move, machine=True)

    # ----------------------------------------------------------------------------------------------------- practice

    def practise(self, table: str, seat: int) -> tuple[SeatView, bytes, str]:
        """What the judge is given for a hint: what the seat sees, the luck it draws from, and the game. Raises
        NotAllowed where there are no hints, NotYourTurn, NotNow, StoodIn."""
        return playing.practise(self.table_view(table), seat)

    def hint(self, table: str, seat: int, number: int) -> StoredHint | None:
        """What the seat has asked about its decision after a line, if it has."""
        with self._storage.reading() as db:
            return stored_results.hint(db, table, seat, number, self._now())

    def begin_hint(self, table: str, seat: int, number: int) -> None:
        """The seat has asked for a hint after a line, and somebody thinks about it. Raises Conflict if it has
        moved."""
        with self._changing() as change:
            stored_results.begin_hint(change, table, seat, number)

    def give_hint(self, table: str, seat: int, number: int, found: bytes) -> None:
        """Keeps what was thought, and tells all at the table that a hint was given. Raises Conflict if the seat has
        moved."""
        with self._changing() as change:
            stored_results.give_hint(change, table, seat, number, found)

    def fail_hint(self, table: str, seat: int, number: int) -> None:
        """Keeps that it came to nothing."""
        with self._changing() as change:
            stored_results.fail_hint(change, table, seat, number)

    # ------------------------------------------------------------------------------------------------------ reviews

    def review(self, table: str) -> StoredReview | None:
        """How far the review of a game is, if anybody has asked for it. Whom it is for, must be asked before."""
        with self._storage.reading() as db:
            return stored_results.review(db, table, self._now())

    def begin_review(self, table: str) -> bool:
        """Whether the review of a game is to be thought by whoever asks; not if it is done, or another process is at
        it."""
        with self._changing() as change:
            return stored_results.begin_review(change, table)

    def keep_review(self, table: str, review: StoredReview) -> None:
        """How far it is now, or how it ended."""
        with self._changing() as change:
            stored_results.keep_review(change.db, table, change.now, review)

    def forget_review(self, table: str) -> None:
        """It can be begun anew, for what was kept cannot be read."""
        with self._changing() as change:
            stored_results.forget_review(change.db, table)

    # ------------------------------------------------------------------------------------------------ transactions

    def _notify_listeners(self, what: str) -> None:
        """Whoever listens looks at the table again; or sessions have ended."""
        if what == SESSIONS_KEY:
            self._endings += 1
            return
        for heard in tuple(self._listening):
            _tell(heard, what)

    def _play(self, table: str, seat: int, number: int, move: Any, *, machine: bool) -> int:
        try:
            change, last = self._played(table, seat, number, move, machine=machine)
        except Refusal as refusal:
            for counter in self._counters:
                counter.refused(refusal, machine=machine)
            raise
        for counter in self._counters:
            counter.moved(change.game_states[table].game.name, machine=machine)
        return last

    def _played(self, table: str, seat: int, number: int, move: Any, *, machine: bool) -> tuple[Change, int]:
        try:
            with self._changing() as change:
                return change, playing.play(change, table, seat, number, move, machine=machine)
        except IntegrityError as error:
            # Two lines of one number: another process was quicker, where a database lets several write.
            raise Conflict(self.info(table).number) from error

    def _asked(self, token: str, kind: Kind) -> tuple[Person | None, bool]:
        now = self._now()
        return self._storage.ask(lambda db: people.person_of(db, token, kind, now))

    def _noted(self, note: Callable[[Change], None]) -> bool:
        """Whether a use was noted. Where nothing can be written now, the next one is: who only looks is not kept from
        it."""
        try:
            with self._changing() as change:
                note(change)
        except StorageFailure:
            return False
        return True

    def _new_token(self, person: str, kind: Kind, label: str = "", scope: Scope = "play") -> str:
        with self._ending() as change:
            return people.new_token(change.db, person, kind, change.now, label, scope)

    def _now(self) -> int:
        return milliseconds_of(self._clock())

    @contextmanager
    def _ending(self) -> Iterator[Change]:
        with self._changing() as change:
            yield change
            change.news[SESSIONS_KEY] = people.count_ending(change.db)

    @contextmanager
    def _changing(self) -> Iterator[Change]:
        with self._storage.writing() as db:
            change = Change(db, self._now, self._snapshots, self._states)
            yield change
        for snapshot in change.snapshots:
            self._snapshots.keep(snapshot)
        for table, game_state in change.game_states.items():
            self._states.keep(table, game_state)
        news = {table: change.taken.get(table, 0) for table in change.touched} | change.news
        self._storage.announce(news)
        for what in news:
            self._notify_listeners(what)


def _tell(heard: ChangeListener, table: str) -> None:
    try:
        heard(table)
    except Exception as error:  # noqa: BLE001 (what has happened is on the disk: whoever asked for it must not believe it failed)
        _LOG.error("A listener failed: %s", type(error).__name__)
