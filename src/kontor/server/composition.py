"""The service: all that clients can ask for. Each call is one transaction; all are safe from any thread."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, date, datetime
from typing import Self

from kontor.accounts.blocking import Blocking
from kontor.accounts.leaving import Leaving
from kontor.accounts.mail_sign_in import MailSignIn
from kontor.accounts.merging import Merging
from kontor.accounts.operating import Operating
from kontor.accounts.own_data import Export
from kontor.accounts.passkeys import Passkeys
from kontor.accounts.recovery import Recovery, WrongCodes
from kontor.ahead.store import MovesAhead
from kontor.challenges.store import Challenges
from kontor.clubs.store import Clubs
from kontor.decoding import build_decoders
from kontor.following.store import Following
from kontor.holidays.store import Holidays
from kontor.lobby.seeking import Seeking
from kontor.messages.store import Messages
from kontor.moving.only_moves import OnlyMoves
from kontor.moving.store import OwnMoves
from kontor.notes.store import Notes
from kontor.notifying.outbox import Outbox
from kontor.notifying.table_hooks import TableWebhooks
from kontor.notifying.ways import Ways
from kontor.own_records.store import OwnRecords, RecordReviews
from kontor.people.people import People
from kontor.plugins import games
from kontor.ratings.finding_people import PeopleSearch
from kontor.ratings.histories import Histories
from kontor.ratings.reviewed_seats import ReviewedSeats
from kontor.ratings.stored_ratings import StoredRatings
from kontor.server.upkeep import Upkeep
from kontor.storage import Place, Storage, migrate, open_storage
from kontor.storage.activity import ActivityCounter, StorageFault
from kontor.storage.believed_clock import BelievedClock
from kontor.storage.change_counters import ChangeListener, WatchedTables
from kontor.storage.tally import MissingCommits
from kontor.studies.solving import Solving
from kontor.tables.early_endings import EarlyEndings
from kontor.tables.finished_games import FinishedGames
from kontor.tables.late_seats import Clocks
from kontor.tables.listing import Listing
from kontor.tables.move import TableMoves
from kontor.tables.opening import TableOpening
from kontor.tables.pauses import GamePauses
from kontor.tables.presence import Presence
from kontor.tables.reading import TableQueries
from kontor.tables.salts import Salts
from kontor.tables.stored_results import StoredHints, StoredReviews
from kontor.tables.talking import Talk
from kontor.tables.transactions import TableTransactions
from kontor.tables.visits import Visits
from kontor.tournaments.seasons import Seasons
from kontor.tournaments.talk import EntrantsTalk
from kontor.tournaments.tournaments import Tournaments


def utc_now() -> datetime:
    """Return the time of the machine's clock."""
    return datetime.now(UTC)


class KontorServer:
    """People, tables and games, stored in a folder or in a PostgreSQL database.

    Its parts do the work. Persons and tables are given by their ids, seats by their numbers.
    """

    def __init__(self, storage: Storage, now: Callable[[], datetime], keep: int | None) -> None:
        """Put the parts together; callers use :meth:`open`."""
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
        self.tables = TableQueries(self._transactions)
        self.moves = TableMoves(self._transactions)
        self.moves_ahead = MovesAhead(self._transactions, self.tables, self.moves)
        self.opening = TableOpening(self._transactions)
        self.tournaments = Tournaments(self._transactions)
        self.entrants_talk = EntrantsTalk(self._transactions)
        self.seasons = Seasons(self._transactions)
        self.salts = Salts(self._transactions)
        self.seeking = Seeking(self._transactions)
        self.listing = Listing(self._transactions)
        self.following = Following(self._transactions)
        self.challenges = Challenges(self._transactions)
        self.messages = Messages(self._transactions)
        self.clubs = Clubs(self._transactions)
        self.finished_games = FinishedGames(self._transactions)
        self.talk = Talk(self._transactions)
        self.clocks = Clocks(self._transactions)
        self.early_endings = EarlyEndings(self._transactions)
        self.pauses = GamePauses(self._transactions)
        self.hints = StoredHints(self._transactions)
        self.reviews = StoredReviews(self._transactions)
        self.own_records = OwnRecords(self._transactions)
        self.record_reviews = RecordReviews(self._transactions)
        self.reviewed_seats = ReviewedSeats(self._transactions)
        self.histories = Histories(self._transactions)
        self.ratings = StoredRatings(self._transactions)
        self.people_search = PeopleSearch(self._transactions)
        self.visits = Visits(self._transactions)
        self.presence = Presence(self._transactions)
        self.holidays = Holidays(self._transactions)
        self.own_moves = OwnMoves(self._transactions)
        self.only_moves = OnlyMoves(self._transactions, self.tables, self.moves)
        self.notes = Notes(self._transactions)
        self.ways = Ways(self._transactions)
        self.table_webhooks = TableWebhooks(self._transactions)
        self.solving = Solving(self._transactions)
        self.outbox = Outbox(self._transactions)
        self._closed = False
        self.leading = False
        """True if this process was the leader when it last checked."""
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

    def __exit__(self, *_: object) -> None:
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
