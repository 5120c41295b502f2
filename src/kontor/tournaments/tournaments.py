"""Tournaments: opening, joining, starting, and their standings.

``tournament_rounds`` does their automatic steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, func, insert, or_, select

from kontor.errors import BadPlan, NotAllowed, NotNow, TooMany
from kontor.fair import commitment, new_seed
from kontor.game import BadOptions
from kontor.optional_packages import is_installed
from kontor.people.person_rows import take_person
from kontor.people.texts import description_of, name_of
from kontor.plugins import plugins
from kontor.storage.ids import new_id
from kontor.storage.schema import TOURNAMENT_ROW, entrants, pairings, people, tournaments
from kontor.storage.stored_times import datetime_of, maybe_datetime, milliseconds_of
from kontor.tables import plan_checks
from kontor.tables.transactions import TableTransactions
from kontor.tables.values import Pace, Plan, SeatPlan, TournamentOfTable
from kontor.tournaments import POINT, TIE_BREAKS, of_clubs, organising, tournament_entrants, tournament_rounds
from kontor.tournaments.checks import check_host, check_open, check_unfinished
from kontor.tournaments.organiser_log import log_entries, own_entries
from kontor.tournaments.placings import kind_of, placings
from kontor.tournaments.rows import (
    EntrantRow,
    PairingRow,
    TournamentRow,
    entrant_rows,
    pairing_rows,
    seed_of,
    set_row,
    take,
    tournament_row,
)
from kontor.tournaments.season_rows import season_of
from kontor.tournaments.talk import own_lines
from kontor.tournaments.values import (
    BoardInfo,
    ClubOfTournament,
    Correction,
    EntrantInfo,
    FoundTournaments,
    OwnTournament,
    ProposalInfo,
    RoundInfo,
    StandingInfo,
    Swap,
    TournamentFilter,
    TournamentInfo,
    TournamentPlan,
    TournamentView,
)
from kontor.work.failing_items import FailingItems

MOST_ROUNDS: Final = 30
MOST_OPEN: Final = 5
"""Number of unfinished tournaments that one person can have opened."""

FURTHEST: Final = timedelta(days=90)
"""The longest time from now until a tournament begins."""


class Tournaments:
    """Opens, changes and finds tournaments."""

    def __init__(self, transactions: TableTransactions) -> None:
        self._transactions = transactions

    # ------------------------------------------------------------------------------------------------------ opening

    def open(self, person: str, plan: TournamentPlan) -> str:
        """Open a tournament hosted by the person; return its id.

        Raises BadPlan, BadOptions, BadName, TooMany; NoClub unless they are a member of its club.
        """
        columns = _columns_of(plan)
        with self._transactions.changing() as change:
            take_person(change.db, person)
            _check_room(change.db, person)
            now = datetime_of(change.now)
            if plan.starts is not None and not now < plan.starts < now + FURTHEST:
                raise BadPlan("", "The tournament has to begin within the next 90 days.")
            tournament, seed = new_id(), new_seed()
            new = {"id": tournament, "host": person, "status": "open", "created": change.now, "round": 0}
            new |= {"joining": True, "seed": seed, "commitment": commitment(seed)}
            change.db.execute(insert(tournaments).values(**columns, **new))
            if plan.club:
                of_clubs.add(change.db, tournament, person, plan.club, members_only=plan.members_only)
            return tournament

    def join(self, tournament: str, person: str, salt: str = "") -> None:
        """Enter the person from the next round on. Raises NoTable, NotNow, NotAllowed, TooMany, BadText."""
        with self._transactions.changing() as change:
            tournament_entrants.join(change, tournament, person, salt)

    def leave(self, tournament: str, person: str) -> None:
        """Withdraw the person. They forfeit the games that they are playing, unless the host has chosen otherwise.

        Raises NoTable, NotNow, NotAllowed.
        """
        with self._transactions.changing() as change:
            row = take(change, tournament)
            check_unfinished(row)
            rows = entrant_rows(change.db, tournament)
            own_entry = next((entrant for entrant in rows if entrant.person == person and entrant.left is None), None)
            if own_entry is None:
                raise NotAllowed("", "You do not take part in this tournament.")
            tournament_entrants.withdraw(change, row, own_entry)

    # ---------------------------------------------------------------------------------------------------- the host

    def allow_joining(self, tournament: str, person: str, *, joining: bool) -> None:
        """Set whether people can join from now on. Raises NoTable, NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row = take(change, tournament)
            check_host(row, person)
            check_unfinished(row)
            set_row(change, tournament, joining=joining)

    def start(self, tournament: str, person: str) -> None:
        """Begin the first round. Raises NoTable, NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row = take(change, tournament)
            check_host(row, person)
            check_open(row)
            tournament_entrants.move_up(change, row)
            count = len(tournament_rounds.playing_now(entrant_rows(change.db, tournament)))
            needed = max(row.fewest, row.smallest)
            if count < needed:
                raise NotNow("", "The tournament needs at least {needed} players.", needed=needed)
            tournament_rounds.step(change, tournament_rounds.begin(change, row))

    def cancel(self, tournament: str, person: str) -> None:
        """Cancel a tournament that has not begun. Raises NoTable, NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row = take(change, tournament)
            check_host(row, person)
            check_open(row)
            set_row(change, tournament, status="cancelled", ended=change.now)

    def remove(self, tournament: str, person: str, number: int) -> None:
        """Remove an entrant, who cannot come back; only the host may. Raises NoTable, NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            row = take(change, tournament)
            check_host(row, person)
            check_unfinished(row)
            rows = entrant_rows(change.db, tournament)
            leaver = next((entrant for entrant in rows if entrant.number == number), None)
            if leaver is None or leaver.left is not None:
                raise NotNow("", "They have already left.")
            tournament_entrants.withdraw(change, row, leaver, removed=True)

    def correct(self, tournament: str, person: str, correction: Correction) -> None:
        """Correct a result; only the host may. Raises NoTable, NotAllowed, NotNow, BadPlan, BadText."""
        with self._transactions.changing() as change:
            organising.correct(change, take(change, tournament), person, correction)

    def swap(self, tournament: str, person: str, swapped: Swap) -> None:
        """Change the pairing proposed for the next round; only the host may.

        Raises NoTable, NotAllowed, NotNow, BadText.
        """
        with self._transactions.changing() as change:
            organising.swap(change, take(change, tournament), person, swapped)

    def begin_round(self, tournament: str, person: str) -> None:
        """Begin the round whose pairing is proposed; only the host may. Raises NoTable, NotAllowed, NotNow."""
        with self._transactions.changing() as change:
            organising.begin_round(change, take(change, tournament), person)

    def go_on(self) -> None:
        """Do what is due at all tournaments, as the server does every second. Raises StorageFailure."""
        tournament_rounds.go_on(self._transactions, FailingItems("tournaments"))

    # ----------------------------------------------------------------------------------------------------- queries

    def view(self, tournament: str, person: str | None = None) -> TournamentView:
        """Return the tournament as it is now. Raises NoTable."""
        with self._transactions.reading() as db:
            row = tournament_row(db, tournament)
            everybody = entrant_rows(db, tournament)
            paired = pairing_rows(db, tournament)
            (info,) = _infos(db, [row], person)
            own_tables = tournament_entrants.playing_at(db, tournament, person) if person else ()
            log = log_entries(db, tournament)
            season = season_of(db, tournament)
        view = _view(info, row, everybody, paired, person, tuple(own_tables))
        return msgspec.structs.replace(view, proposal=_proposal(row, paired), log=log, season=season)

    def find(self, wanted: TournamentFilter, person: str | None = None, limit: int = 24) -> FoundTournaments:
        """Return a page of the public tournaments that match a query, the newest first."""
        statuses = ("over", "cancelled") if wanted.show == "over" else (wanted.show,)
        query = select(*TOURNAMENT_ROW).where(
            tournaments.c.status.in_(statuses), tournaments.c.public, tournaments.c.game.in_(plugins())
        )
        if wanted.game:
            query = query.where(tournaments.c.game == wanted.game)
        if wanted.name:
            # SQLite ignores case only for ASCII.
            ways = {wanted.name, wanted.name.lower(), wanted.name.upper(), wanted.name.title()}
            query = query.where(or_(*(tournaments.c.name.icontains(way, autoescape=True) for way in sorted(ways))))
        if wanted.after is not None:
            since, last = wanted.after
            earlier = tournaments.c.created < since
            query = query.where(earlier | ((tournaments.c.created == since) & (tournaments.c.id > last)))
        page = query.order_by(tournaments.c.created.desc(), tournaments.c.id).limit(limit + 1)
        with self._transactions.reading() as db:
            rows = [TournamentRow(*row) for row in db.execute(page)]
            tournament_infos = _infos(db, rows[:limit], person)
        after = (rows[limit - 1].created, rows[limit - 1].id) if len(rows) > limit else None
        return FoundTournaments(tournament_infos, after)

    def of_club(self, club: str, person: str | None) -> tuple[TournamentInfo, ...]:
        """Return the tournaments of a club: first those that are not over, then some others; the newest first."""
        with self._transactions.reading() as db:
            rows = [TournamentRow(*row) for row in db.execute(of_clubs.rows_of_club(club))]
            return _infos(db, rows, person)

    def clubs_of(self, person: str) -> dict[str, str]:
        """Return the names of the clubs for which the person can open a tournament, by their ids."""
        with self._transactions.reading() as db:
            return {row.id: row.name for row in db.execute(of_clubs.names_of_clubs(person))}

    def of_table(self, table: str) -> TournamentOfTable | None:
        """Return the tournament that a table belongs to, or None."""
        other = pairings.alias()
        query = (
            select(tournaments.c.id, tournaments.c.name, pairings.c.round, other.c.table_id)
            .join(pairings, pairings.c.tournament == tournaments.c.id)
            .outerjoin(
                other,
                (other.c.tournament == pairings.c.tournament)
                & (other.c.round == pairings.c.round)
                & (other.c.board == pairings.c.board)
                & (other.c.game != pairings.c.game),
            )
            .where(pairings.c.table_id == table)
        )
        row = self._transactions.ask(lambda db: db.execute(query).first())
        return None if row is None else TournamentOfTable(*row)

    def mine(self, person: str) -> tuple[TournamentInfo, ...]:
        """Return the unfinished tournaments that the person has opened or takes part in, running ones first."""
        with self._transactions.reading() as db:
            taking_part = select(entrants.c.tournament).where(entrants.c.person == person, entrants.c.left.is_(None))
            query = select(*TOURNAMENT_ROW).where(
                tournaments.c.status.in_(("open", "running")),
                tournaments.c.game.in_(plugins()),
                (tournaments.c.host == person) | tournaments.c.id.in_(taking_part),
            )
            newest_first = (tournaments.c.status.desc(), tournaments.c.created.desc(), tournaments.c.id)
            return _infos(db, [TournamentRow(*row) for row in db.execute(query.order_by(*newest_first))], person)


def _check_room(db: Connection, person: str) -> None:
    are_unfinished = (tournaments.c.host == person) & tournaments.c.status.in_(("open", "running"))
    if (db.scalar(select(func.count()).select_from(tournaments).where(are_unfinished)) or 0) >= MOST_OPEN:
        reason = "You already have {most} tournaments that are not over: end or cancel one first."
        raise TooMany("", reason, most=MOST_OPEN)


def _columns_of(plan: TournamentPlan) -> dict[str, Any]:
    """Return the columns of a tournament that can be played. Raises BadPlan, BadOptions, BadName."""
    pairs = plan.system != "tables"
    if pairs != (plan.sizes == (2,)) or not plan.sizes or not (pairs or set(plan.sizes) <= {3, 4, 5, 6}):
        raise BadPlan("", "This game cannot be played like that in a tournament.")
    if plan.duplicate and not pairs:
        raise BadPlan("", "Only games for two can be played with the same luck.")
    if plan.members_only and not plan.club:
        raise BadPlan("", "Choose the club whose members can join.")
    is_public = plan.public and not plan.members_only
    if plan.duplicate and plan.pace.kind == "slow" and is_public:
        raise BadPlan("", "Turn-based duplicate is only for people who have the link.")
    if plan.system == "swiss" and not is_installed("rustworkx"):
        raise BadPlan("", "This server cannot pair Swiss tournaments.")
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        raise BadPlan("", "A tournament has 1 to {most} rounds.", most=MOST_ROUNDS)
    if plan.pace.kind == "none":
        raise BadPlan("", "A tournament needs a time limit.")
    if not 2 <= plan.fewest <= tournament_entrants.MOST_ENTRANTS:
        most = tournament_entrants.MOST_ENTRANTS
        raise BadPlan("", "A tournament is for 2 to {most} players.", most=most)
    if plan.most is not None and not plan.fewest <= plan.most <= tournament_entrants.MOST_ENTRANTS:
        raise BadPlan("", "The most players cannot be fewer than the players needed.")
    if plan.approval and plan.system in ("all", "all twice"):
        raise BadPlan("", "If everyone plays everyone, the pairings are fixed.")
    if any(size not in plan.options for size in ((2,) if pairs else (3, 4, 5, 6))):
        raise BadOptions("", "There are no options for every size of table.")
    texts = {}
    for size, options in plan.options.items():
        seats = (SeatPlan("open"),) * size
        texts[size] = plan_checks.check(Plan(plan.game, options, seats, plan.pace, takeover=plan.takeover)).options
    return {
        "name": name_of(plan.name),
        "game": plan.game,
        "system": plan.system,
        "duplicate": plan.duplicate,
        "in_step": plan.duplicate and plan.pace.kind == "live",
        "sizes": msgspec.json.encode(plan.sizes).decode(),
        "options": "{" + ",".join(f'"{size}":{text}' for size, text in texts.items()) + "}",
        "rounds": 0 if plan.system in ("all", "all twice") else plan.rounds,
        "pace": plan.pace.kind,
        "seconds": plan.pace.seconds,
        "reserve": plan.pace.reserve,
        "takeover": plan.takeover,
        "public": is_public,
        "breaks": plan.breaks,
        "fewest": plan.fewest,
        "most": plan.most,
        "description": description_of(plan.description),
        "leavers": plan.leavers,
        "approval": plan.approval,
        "starts": None if plan.starts is None else milliseconds_of(plan.starts),
    }


# ------------------------------------------------------------------------------------------------ from rows to values


def _infos(db: Connection, rows: Sequence[TournamentRow], person: str | None) -> tuple[TournamentInfo, ...]:
    ids = [row.id for row in rows]
    unwithdrawn = entrants.c.tournament.in_(ids) & entrants.c.left.is_(None)
    in_tournament = (entrants.c.tournament, entrants.c.waiting)
    counted = select(*in_tournament, func.count()).where(unwithdrawn).group_by(*in_tournament)
    counts = {(tournament, waiting): number for tournament, waiting, number in db.execute(counted)}
    own_entries_ = select(*in_tournament).where(unwithdrawn, entrants.c.person == person)
    own = {row.tournament: row.waiting for row in db.execute(own_entries_)}
    openers = select(people.c.id, people.c.name).where(people.c.id.in_({row.host for row in rows}))
    names = {row.id: row.name for row in db.execute(openers)}
    with_clubs = of_clubs.clubs_of_tournaments(db, ids, person) if ids else {}
    tournament_infos = []
    for row in rows:
        opener, waits, club = names.get(row.host, ""), own.get(row.id), with_clubs.get(row.id)
        tournament_infos.append(_info(db, row, counts, opener, person, waits, club))
    return tuple(tournament_infos)


def _info(
    db: Connection,
    row: TournamentRow,
    counts: Mapping[tuple[str, bool], int],
    opener: str,
    person: str | None,
    waits: bool | None,
    club: ClubOfTournament | None,
) -> TournamentInfo:
    """Return a tournament. ``counts`` are entrants by tournament and whether they wait; ``waits`` is the person's."""
    is_finished = row.status in ("over", "cancelled")
    return TournamentInfo(
        id=row.id,
        name=row.name,
        game=row.game,
        system=row.system,
        sizes=row.sizes,
        duplicate=row.duplicate,
        in_step=row.in_step,
        breaks=row.breaks,
        rounds=row.rounds,
        pace=Pace(row.pace, row.seconds, row.reserve),
        takeover=row.takeover,
        public=row.public,
        fewest=max(row.fewest, row.smallest),
        most=tournament_entrants.most_entrants(row),
        description=row.description,
        leavers=row.leavers,
        approval=row.approval,
        starts=maybe_datetime(row.starts),
        status=row.status,
        joining=row.takes_more(),
        created=datetime_of(row.created),
        started=maybe_datetime(row.started),
        ended=maybe_datetime(row.ended),
        round=row.round,
        next=maybe_datetime(row.next) if row.status == "running" else None,
        entrants=counts.get((row.id, False), 0),
        waiting=counts.get((row.id, True), 0),
        opener=opener,
        host=person is not None and row.host == person,
        mine=waits is False,
        waits=waits is True,
        commitment=row.commitment,
        seed=seed_of(db, row.id).hex() if is_finished else None,
        club=club,
    )


def _view(
    info: TournamentInfo,
    row: TournamentRow,
    everybody: Sequence[EntrantRow],
    paired: Sequence[PairingRow],
    person: str | None,
    own_tables: tuple[str, ...],
) -> TournamentView:
    rounds = _rounds(paired)
    places = placings(row, everybody, paired)
    return TournamentView(
        info=info,
        entrants=tuple(
            [
                EntrantInfo(
                    entrant.number,
                    entrant.name,
                    person is not None and entrant.person == person,
                    entrant.first,
                    entrant.left is not None,
                    entrant.removed,
                    entrant.waiting,
                )
                for entrant in everybody
            ]
        ),
        standings=tuple(
            [
                StandingInfo(
                    placing.place,
                    int(placing.entrant),
                    placing.points,
                    placing.tie_breaks,
                    placing.played,
                    placing.wins,
                )
                for placing in places
            ]
        ),
        tie_breaks=tuple(TIE_BREAKS[kind_of(row)]),
        rounds=rounds,
        my_tables=own_tables,
        options=msgspec.json.decode(row.options),
    )


def _proposal(row: TournamentRow, paired: Sequence[PairingRow]) -> ProposalInfo | None:
    if row.status != "running" or row.proposal is None:
        return None
    return ProposalInfo(row.round + 1, row.proposal, organising.faults_of(paired, row.proposal))


def _rounds(paired: Sequence[PairingRow]) -> tuple[RoundInfo, ...]:
    boards = defaultdict(list)
    for pairing in paired:
        boards[pairing.round].append(pairing)
    return tuple([_round(number, round_pairings) for number, round_pairings in boards.items()])


def _round(number: int, paired: Sequence[PairingRow]) -> RoundInfo:
    over = all(pairing.points is not None for pairing in paired)
    return RoundInfo(number, tuple([_board(pairing, over) for pairing in paired]), over)


def _board(pairing: PairingRow, over: bool) -> BoardInfo:
    """Return a board of a round; that of a bye has its point once all others of the round are ``over``."""
    is_settled = pairing.points is not None and (over or not pairing.is_bye)
    return BoardInfo(
        number=pairing.board,
        entrants=pairing.entrants,
        points=tuple([points / POINT for points in pairing.points]) if pairing.points and is_settled else None,
        scores=pairing.scores if is_settled and pairing.scores else None,
        table=pairing.table,
        second=pairing.game == 1,
        corrected=pairing.corrected,
    )


def tournaments_of(db: Connection, person: str) -> tuple[OwnTournament, ...]:
    """Return the tournaments that a person has opened, or takes or took part in, for their own data."""
    own_tournaments = []
    for tournament in tournament_entrants.of_person(db, person):
        row = tournament_row(db, tournament)
        entry = next((entrant for entrant in entrant_rows(db, tournament) if entrant.person == person), None)
        own_tournaments.append(
            OwnTournament(
                tournament=tournament,
                name=row.name,
                game=row.game,
                status=row.status,
                opened=row.host == person,
                number=entry.number if entry else None,
                called=entry.name if entry else "",
                first=entry.first if entry else None,
                left=maybe_datetime(entry.left) if entry else None,
                removed=bool(entry and entry.removed),
                salt=entry.salt if entry else "",
                description=row.description if row.host == person else "",
                changes=own_entries(db, tournament, person),
                chat=own_lines(db, tournament, person),
                season=season_of(db, tournament) if row.host == person else None,
            )
        )
    return tuple(own_tournaments)
