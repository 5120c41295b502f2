"""API routes for tournaments: find, open, join and leave them, and their standings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from litestar import delete, get, post, put
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from kontor.decoding import misfit
from kontor.game import BadOptions
from kontor.plugins import game_named
from kontor.tables.routes.api_tables import CursorQuery
from kontor.tournaments.api_values import (
    ChosenSeason,
    EnteringTournament,
    NewTournament,
    OpenedSeason,
    OpenedTournament,
    TalkNumber,
    TalkText,
    TournamentsFound,
)
from kontor.tournaments.pages import is_of_pairs, options_of
from kontor.tournaments.site import TheTournamentsSite
from kontor.tournaments.values import (
    Correction,
    SeasonPlan,
    SeasonView,
    Swap,
    TournamentFilter,
    TournamentLine,
    TournamentPlan,
    TournamentView,
)
from kontor.web.cursors import cursor_text, parse_cursor
from kontor.web.forms import Form
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import PLAY, READ, READ_OR_NOBODY, REFUSED, TheProgram, spending
from kontor.web.http.site import in_reading_thread


@get("/api/tournaments", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def tournaments(
    site: TheTournamentsSite,
    program: TheProgram,
    show: FromQuery[Literal["open", "running", "over"]] = "open",
    game: Annotated[str, QueryParameter(max_length=40)] = "",
    name: Annotated[str, QueryParameter(max_length=40, description="Part of the tournament's name.")] = "",
    after: CursorQuery = "",
) -> TournamentsFound:
    """Find public tournaments, the newest first, 24 a page; and one's own that are not over."""
    wanted = TournamentFilter(show, game, name, parse_cursor(after))
    page = site.tournaments.find(wanted, program.id)
    mine = site.tournaments.mine(program.id) if program.id else ()
    return TournamentsFound(mine, page.tournaments, cursor_text(page.after))


@post("/api/tournaments", responses=REFUSED, security=PLAY)
@spending("open")
def open_tournament(site: TheTournamentsSite, program: TheProgram, data: JSONBody[NewTournament]) -> OpenedTournament:
    """Open a tournament, without taking part in it."""
    game = game_named(data.game).name
    pairs = is_of_pairs(game)
    plan = TournamentPlan(
        name=data.name,
        game=game,
        system=data.system or ("swiss" if pairs else "tables"),
        sizes=data.sizes or ((2,) if pairs else (4, 3)),
        options=_options(game, data.options),
        rounds=data.rounds,
        pace=data.pace,
        duplicate=data.duplicate,
        public=data.public,
        takeover=data.takeover,
        fewest=data.fewest,
        starts=data.starts,
        breaks=data.breaks,
        description=data.description,
        most=data.most,
        leavers=data.leavers,
        approval=data.approval,
        club=data.club,
        members_only=data.members_only,
    )
    return OpenedTournament(site.tournaments.open(require_person_id(program), plan))


def _options(game: str, chosen: Mapping[str, Any]) -> dict[int, Any]:
    """Return the game's options by the number of players: the usual ones but for those chosen. Raises BadOptions."""
    kind = game_named(game).options
    usual = options_of(game, Form(()))
    try:
        return {size: msgspec.convert({**msgspec.to_builtins(usual[size]), **chosen}, kind) for size in usual}
    except msgspec.ValidationError as error:
        raise BadOptions("", "These are not options of {game}: {why}.", game=game, why=misfit(error)) from error


@get("/api/tournaments/{tournament:str}", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> TournamentView:
    """Return a tournament: its entrants, the standings, all rounds with their tables, and one's own tables."""
    return site.tournaments.view(tournament, program.id)


@delete("/api/tournaments/{tournament:str}", responses=REFUSED, security=PLAY)
@spending("join")
def cancel_tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> None:
    """Cancel a tournament that one has opened, before it begins."""
    site.tournaments.cancel(tournament, require_person_id(program))


@post("/api/tournaments/{tournament:str}/entrants", responses=REFUSED, security=PLAY)
@spending("join")
def join_tournament(
    site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str], data: JSONBody[EnteringTournament]
) -> TournamentView:
    """Join a tournament, from the next round on. One's tables appear in ``my_tables``, and among one's own tables."""
    site.tournaments.join(tournament, require_person_id(program), data.salt)
    return site.tournaments.view(tournament, program.id)


@delete("/api/tournaments/{tournament:str}/entrants", responses=REFUSED, security=PLAY)
@spending("join")
def leave_tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> None:
    """Leave a tournament, or its waiting list. One forfeits the games that one plays, unless ``leavers`` differs."""
    site.tournaments.leave(tournament, require_person_id(program))


@post("/api/tournaments/{tournament:str}/start", responses=REFUSED, security=PLAY)
@spending("join")
def start_tournament(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> TournamentView:
    """Start a tournament that one has opened."""
    site.tournaments.start(tournament, require_person_id(program))
    return site.tournaments.view(tournament, program.id)


@post("/api/tournaments/{tournament:str}/results", responses=REFUSED, security=PLAY)
@spending("join")
def correct_result(
    site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str], data: JSONBody[Correction]
) -> TournamentView:
    """Correct a result of this round or the one before, in a tournament that one has opened. All can read the log."""
    site.tournaments.correct(tournament, require_person_id(program), data)
    return site.tournaments.view(tournament, program.id)


@post("/api/tournaments/{tournament:str}/pairing", responses=REFUSED, security=PLAY)
@spending("join")
def swap_entrants(
    site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str], data: JSONBody[Swap]
) -> TournamentView:
    """Swap two entrants of the proposed pairing, in a tournament that one has opened. All can read the log."""
    site.tournaments.swap(tournament, require_person_id(program), data)
    return site.tournaments.view(tournament, program.id)


@post("/api/tournaments/{tournament:str}/rounds", responses=REFUSED, security=PLAY)
@spending("join")
def begin_round(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> TournamentView:
    """Begin the round whose pairing is proposed, in a tournament that one has opened."""
    site.tournaments.begin_round(tournament, require_person_id(program))
    return site.tournaments.view(tournament, program.id)


@get("/api/tournaments/{tournament:str}/chat", responses=REFUSED, security=READ)
@in_reading_thread
def talk(site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str]) -> tuple[TournamentLine, ...]:
    """Return the talk of a tournament in which one takes part, or that one has opened."""
    return site.entrants_talk.read(tournament, require_person_id(program))


@post("/api/tournaments/{tournament:str}/chat", responses=REFUSED, security=PLAY)
@spending("chat")
def say(
    site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str], data: JSONBody[TalkText]
) -> TalkNumber:
    """Write a line of the talk of a tournament."""
    return TalkNumber(site.entrants_talk.say(tournament, require_person_id(program), data.text))


@get("/api/seasons/{season:str}", responses=REFUSED, security=READ_OR_NOBODY)
@in_reading_thread
def season(site: TheTournamentsSite, program: TheProgram, season: FromPath[str]) -> SeasonView:
    """Return a season: its tournaments and its table."""
    return site.seasons.view(season, program.id)


@post("/api/seasons", responses=REFUSED, security=PLAY)
@spending("open")
def open_season(site: TheTournamentsSite, program: TheProgram, data: JSONBody[SeasonPlan]) -> OpenedSeason:
    """Open a season."""
    return OpenedSeason(site.seasons.open(require_person_id(program), data))


@put("/api/tournaments/{tournament:str}/season", responses=REFUSED, security=PLAY)
@spending("join")
def choose_season(
    site: TheTournamentsSite, program: TheProgram, tournament: FromPath[str], data: JSONBody[ChosenSeason]
) -> TournamentView:
    """Let a tournament that one has opened belong to a season that one has opened, or to none."""
    site.seasons.put(tournament, require_person_id(program), data.season)
    return site.tournaments.view(tournament, program.id)


ROUTES = (
    tournaments,
    open_tournament,
    tournament,
    cancel_tournament,
    join_tournament,
    leave_tournament,
    start_tournament,
    correct_result,
    swap_entrants,
    begin_round,
    talk,
    say,
    season,
    open_season,
    choose_season,
)
