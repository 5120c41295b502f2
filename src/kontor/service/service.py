"""The service: all that clients can ask for. Each call is one transaction; all are safe from any thread."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, date, datetime
from types import TracebackType
from typing import Any, Self

from sqlalchemy.exc import IntegrityError

from kontor.accounts.blocking import Blocking
from kontor.accounts.leaving import Leaving
from kontor.accounts.mail_sign_in import MailSignIn
from kontor.accounts.merging import Merging
from kontor.accounts.operating import Operating
from kontor.accounts.own_data import Export
from kontor.accounts.passkeys import Passkeys
from kontor.accounts.recovery import Recovery, WrongCodes
from kontor.accounts.solving import Solving
from kontor.decoding import build_decoders
from kontor.errors import Conflict
from kontor.game import Refusal
from kontor.lobby.listing import Listing
from kontor.lobby.seeking import Seeking
from kontor.notifying.outbox import Outbox
from kontor.notifying.ways import Ways
from kontor.people.people import People
from kontor.plugins import games
from kontor.ratings.histories import Histories
from kontor.ratings.reviewed_seats import ReviewedSeats
from kontor.ratings.stored_ratings import StoredRatings
from kontor.records import Record
from kontor.service.upkeep import Upkeep
from kontor.storage import Place, Storage, migrate, open_storage
from kontor.storage.activity import ActivityCounter, StorageFault
from kontor.storage.believed_clock import BelievedClock
from kontor.storage.change_counters import ChangeListener, WatchedTables
from kontor.storage.tally import MissingCommits
from kontor.tables import playing, undo
from kontor.tables.changes import TableChange
from kontor.tables.clocks import Clocks
from kontor.tables.early_endings import EarlyEndings
from kontor.tables.opening import TableOpening
from kontor.tables.presence import Presence
from kontor.tables.salts import Salts
from kontor.tables.stored_results import StoredHints, StoredReviews
from kontor.tables.table_snapshots import TableSnapshot
from kontor.tables.table_views import GameLog, TableView
from kontor.tables.talking import Talk
from kontor.tables.transactions import TableTransactions
from kontor.tables.values import FairDiceInfo, TableInfo, UndoChoice
from kontor.tables.visits import Visits
from kontor.tournaments.tournaments import Tournaments


def utc_now() -> datetime:
    """Return the time of the machine's clock."""
    return datetime.now(UTC)


class TableService:
    """People, tables and games, stored in a folder or in a PostgreSQL database.

    Here are the calls made with every move; its parts do the rest. Persons and tables are given by their ids, seats
    by their numbers. The given seat is not checked: call ``opening.seats_of`` first to serve strangers.
    """

    def __init__(self, storage: Storage, now: Callable[[], datetime], keep: int | None) -> None:
        """Make a service; callers use :meth:`open`."""
        self._transactions = TableTransactions(storage, now)
        self.people = People(self._transactions)
        wrong_codes = WrongCodes(self._transactions)
        self.recovery = Recovery(self._transactions, wrong_codes)
        self.passkeys = Passkeys(self._transactions)
        self.leaving = Leaving(self._transactions)
        self.export = Export(self._transactions)
        self.blocking = Blocking(self._transactions)
        self.merging = Merging(self._transactions, wrong_codes)
        self.mail_sign_in = MailSignIn(self._transactions)
        self.operating = Operating(self._transactions)
        self.opening = TableOpening(self._transactions)
        self.tournaments = Tournaments(self._transactions)
        self.salts = Salts(self._transactions)
        self.seeking = Seeking(self._transactions)
        self.listing = Listing(self._transactions)
        self.talk = Talk(self._transactions)
        self.clocks = Clocks(self._transactions)
        self.early_endings = EarlyEndings(self._transactions)
        self.hints = StoredHints(self._transactions)
        self.reviews = StoredReviews(self._transactions)
        self.reviewed_seats = ReviewedSeats(self._transactions)
        self.histories = Histories(self._transactions)
        self.ratings = StoredRatings(self._transactions)
        self.visits = Visits(self._transactions)
        self.presence = Presence(self._transactions)
        self.ways = Ways(self._transactions)
        self.solving = Solving(self._transactions)
        self.outbox = Outbox(self._transactions)
        self._closed = False
        self.leading = False
        """Whether this process was the leader when it last checked."""
        self.upkeep = Upkeep(self._transactions, keep)
        self.upkeep.start()

    @classmethod
    def open(cls, place: Place, now: Callable[[], datetime] | None = None, keep: int | None = None) -> Self:
        """Open a server in a folder, or in the PostgreSQL database of an address; create it where it is missing.

        Games of people are kept for ``keep`` days after their end, or for ever. ``now()`` returns the time; without
        it the machine's clock is used, unless it has just jumped ahead. Raises CannotOpen.
        """
        games()  # their structs are about to be decoded, too
        build_decoders()
        with ExitStack() as undo:
            storage = open_storage(place)
            undo.callback(storage.close)
            service = cls(storage, now or BelievedClock(utc_now), keep)
            undo.pop_all()
            return service

    def close(self) -> None:
        """Record when the program ended, and close the storage. Later calls are refused.

        Until the program runs again, clocks stand still. Everything else is on the disk already.
        """
        if not self._closed:
            self._closed = True
            self.upkeep.stop()
        self._transactions.storage.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------------------------------------------ this process

    def listen(self, heard: ChangeListener) -> None:
        """Call ``heard(table)`` after each change at a table, once it is on the disk.

        It is called in the thread that made the change; for changes of other processes, in another thread. It should
        be quick, and must not raise.
        """
        self._transactions.listen(heard)

    def watch(self, watched: WatchedTables) -> None:
        """Call ``watched()`` for the tables that somebody is looking at; listeners miss no change of these.

        This holds even if notifications of another process are lost. ``watched`` may be called from any thread.
        """
        self._transactions.watch(watched)

    def count_activity(self, counter: ActivityCounter) -> None:
        """Count moves, refused or not, and failures of the database in ``counter`` from now on."""
        self._transactions.counters.append(counter)

    def now(self) -> datetime:
        """Return the time of the server."""
        return self._transactions.clock()

    def today(self) -> date:
        """Return the date of the server, in universal time."""
        return self._transactions.clock().astimezone(UTC).date()

    def is_current(self) -> bool:
        """Return True if the database has this program's version; a newer program may have changed it since.

        Raises StorageFailure.
        """
        with self._transactions.reading() as db:
            return migrate.is_current(db)

    def storage_fault(self) -> StorageFault:
        """Return what is wrong with the database, as the transactions of this process have seen it."""
        return self._transactions.storage.fault()

    def missing_commits(self) -> MissingCommits | None:
        """Return the commits that the database lacked when it was opened, as far as they are known."""
        return self._transactions.storage.missing

    def leads(self) -> bool:
        """Return True if this process is the leader, which plays for the computer players.

        Of all processes that have the server open, one is. Call this every second, always from the same thread.
        """
        self.leading = self._transactions.storage.leads()
        return self.leading

    # ----------------------------------------------------------------------------------------------------- queries

    def table_view(self, table: str, person: str | None = None) -> TableView:
        """Return the table as it is now: one moment, also if the table changes meanwhile. Raises NoTable."""
        transactions = self._transactions
        cache = transactions.cache
        snapshot = cache.get_noted(table) or transactions.ask(lambda db: cache.get_validated(db, table))
        if snapshot is None:
            with transactions.reading() as db:
                snapshot = cache.snapshot(db, table)
        return self._view_of(snapshot, person)

    def info(self, table: str, person: str | None = None) -> TableInfo:
        """Return the table from outside. Raises NoTable."""
        return self.table_view(table, person).info

    def seating(self, table: str, person: str | None = None) -> TableInfo:
        """Return the table from outside, perhaps as it was a while ago. Raises NoTable.

        Once the game has begun, always the same people sit there, so what is in memory needs no query.
        """
        snapshot = self._transactions.cache.get_cached(table)
        if snapshot is None or snapshot.row.status != "playing":
            return self.info(table, person)
        return self._view_of(snapshot, person).info

    def _view_of(self, snapshot: TableSnapshot, person: str | None) -> TableView:
        log = GameLog(snapshot, self._transactions.cache, self._transactions.reading)
        return TableView(snapshot, person, self._transactions.now(), log)

    # ----------------------------------------------------------------------------------------------------- playing

    def play(
        self,
        table: str,
        seat: int,
        number: int,
        move: Any,
        undone: int | None = None,
        choice: UndoChoice = "usual",
    ) -> int:
        """Play a person's move at the seat, and return the number of the last line.

        The person has seen the lines up to ``number``, and so many ``undone`` before (None: not checked). ``choice``:
        whether the move can be taken back. When this returns, the move and the outcomes of chance after it are on the
        disk.

        Raises IllegalMove with the rule, Conflict if something has happened since, NotYourTurn, StoodIn.
        """
        return self._play(table, seat, (number, undone), move, choice, machine=False)

    def play_machine(self, table: str, seat: int, number: int, move: Any, undone: int | None = None) -> int:
        """Play a computer player's move, as :meth:`play` does. Raises NotYourTurn if the person has come back."""
        return self._play(table, seat, (number, undone), move, "never", machine=True)

    def undo(self, table: str, person: str, number: int, undone: int) -> None:
        """Take back the person's move on the line ``number``, of a table with so many lines ``undone`` before.

        A second call changes nothing. Raises NotNow, NotAllowed.
        """
        with self._transactions.changing(urgent=True) as change:
            undo.undo(change, table, person, number, undone)

    def _play(
        self, table: str, seat: int, seen_lines: playing.SeenLines, move: Any, choice: UndoChoice, *, machine: bool
    ) -> int:
        try:
            change, last = self._play_in_transaction(table, seat, seen_lines, move, choice, machine=machine)
        except Refusal as refusal:
            for counter in self._transactions.counters:
                counter.refused(refusal, machine=machine)
            raise
        for counter in self._transactions.counters:
            counter.moved(change.played[-1][1].game.name, machine=machine)
        return last

    def _play_in_transaction(
        self, table: str, seat: int, seen_lines: playing.SeenLines, move: Any, choice: UndoChoice, *, machine: bool
    ) -> tuple[TableChange, int]:
        try:
            with self._transactions.changing(urgent=True) as change:
                return change, playing.play(change, table, seat, seen_lines, move, choice, machine=machine)
        except IntegrityError as error:
            # Two lines of one number: another process was faster, where a database allows several writers.
            raise Conflict(self.info(table).number) from error

    # ----------------------------------------------------------------------------------------------- after the game

    def record(self, table: str) -> Record:
        """Return the record of a game that is over; it holds everything that was hidden. Raises NotNow."""
        with self._transactions.reading() as db:
            return playing.record(db, table)

    def fair(self, table: str) -> FairDiceInfo:
        """Return the data that proves the dice fair, with the seed when the game is over."""
        with self._transactions.reading() as db:
            return playing.fair(db, table)
