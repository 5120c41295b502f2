"""Pages beyond the tables, in the states that people and games bring them to, for audits in drawn windows."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from guests import play_one
from kontor.challenges.values import OpponentKey, Terms
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.lobby.pages import plan_together
from kontor.lobby.values import Seek
from kontor.messages.values import CorrespondentKey
from kontor.plugins import game_named
from kontor.puzzles.collection import puzzles_of
from kontor.ratings.values import PARTS, Fits, FittedGame, FittedPerson
from kontor.server.composition import utc_now
from kontor.tables.values import NO_SHARE, Pace, Plan, SeatPlan
from kontor.tournaments.values import SeasonPlan, TournamentPlan
from records.made import EXAMPLE, SEED, at_random, play_record, stop_game
from tournaments.test_tournaments import of_pairs, of_tables, person_moves, tables_now
from web.conftest import Served
from web.drawn_windows import NAMES
from web.test_review_page import judge_simply, thought_out

SLOW: Final = Pace("slow", 24 * 3600)
LIVE: Final = Pace("live", 60, 600)

OPTIONS: Final[dict[str, tuple[int, Any]]] = {
    "shanghaien": (2, ShanghaienOptions(starter=0, first_trick="both")),
    "dutchman": (4, DutchmanOptions(players=4, starter=0, circles=1)),
}
"""Numbers of players and options of a short game, by game."""

FOUR: Final = (SeatPlan("me"), SeatPlan("friend"), *[SeatPlan("machine", player="casual")] * 2)

ID: Final = re.compile(r"/[a-z0-9]{20}\b")

LONG_TALK: Final = "Wollen wir morgen weiterspielen? Regeln: https://example.org/rules/der-fliegende-hollaender"


@dataclass(frozen=True)
class OtherPage:
    """Page as a person sees it; without a token, a stranger's."""

    path: str
    token: str | None = None

    @property
    def kind(self) -> str:
        """Return the path, with “…” in place of the id of a table or a tournament."""
        return ID.sub("/…", self.path)


@dataclass(frozen=True)
class Reader:
    """Person with a session."""

    id: str
    token: str


def reader(served: Served, turn: int) -> Reader:
    person, token = served.service.people.guest(NAMES[turn % len(NAMES)])
    return Reader(person.id, token)


def seated(served: Served, game: str, moves: int | None = None) -> tuple[str, list[Reader]]:
    """Return the path of a table and those who sit there, after some moves, or after the whole game."""
    players, options = OPTIONS[game]
    host, *others = [reader(served, turn) for turn in range(players)]
    plan = Plan(game, options, (SeatPlan("me"), *[SeatPlan("open") for _ in others]), pace=SLOW)
    table = served.service.opening.open(host.id, plan)
    for seat, other in enumerate(others, 1):
        served.service.opening.sit(table, seat, other.id)
    random, made = Random(1), 0
    while made != moves and play_one(served.service, table, random):
        made += 1
    return f"/tables/{table}", [host, *others]


def _lobby(served: Served) -> Iterator[OtherPage]:
    """Yield lists with running tables, seeks and tables that wait, as a stranger and as a regular see them."""
    service = served.service
    tables = [seated(served, game, moves=5) for game in OPTIONS]
    host = tables[0][1][0]
    service.talk.say(tables[0][0].rpartition("/")[2], tables[0][1][1].id, LONG_TALK)
    for turn, wanted in enumerate((Seek("dutchman", LIVE, 3, 6), Seek("dutchman", SLOW, 5, 5, near=False))):
        service.seeking.begin(reader(served, turn).id, wanted, plan_together)
    seats = (SeatPlan("me"), SeatPlan("open"), SeatPlan("friend"), SeatPlan("machine", player="greedy"))
    waiting = f"/tables/{service.opening.open(host.id, Plan('dutchman', OPTIONS['dutchman'][1], seats, pace=SLOW))}"
    seeker = reader(served, 3)
    service.seeking.begin(seeker.id, Seek("shanghaien", LIVE, 2, 2), plan_together)
    yield OtherPage("/play/waiting", seeker.token)
    yield from (OtherPage(f"{path}/pause", people[0].token) for path, people in tables)
    service.notes.write(tables[0][0].rpartition("/")[2], host.id, LONG_TALK)
    for path, people in tables:
        yield from (OtherPage(f"{path}/{page}", people[0].token) for page in ("take-back", "note", "ahead"))
    yield OtherPage("/notes", host.token)
    for path in ("/", "/tables", waiting):
        yield from (OtherPage(path), OtherPage(path, host.token))
    yield from (OtherPage(f"/open/{game}", host.token) for game in OPTIONS)
    yield OtherPage("/learn", host.token)


def _people(served: Served) -> Iterator[OtherPage]:
    """Yield the pages about somebody with a history, and the best."""
    service = served.service
    for game in OPTIONS:
        path, (host, other, *_) = seated(served, game)
        now = int(utc_now().timestamp() * 1000)
        fitted = tuple(FittedPerson(one.id, 1500, 20, 50, now) for one in (host, other))
        service.ratings.keep(Fits(now, (FittedGame(game, 50, fitted),), 0.0, 0), pause=0)
        parts = [f"/you?open={part}" for part in ("holidays", "own-moves", "writers")]
        pages = ("/you", *parts, "/people/me", f"/best/{game}", f"/best/{game}/calibration")
        yield from (OtherPage(page, host.token) for page in pages)
        yield OtherPage(f"{path}/people", other.token)
    handle = service.ratings.show(host.id, listed=True, public=True, parts=PARTS).handle
    for page in ("/people?name=e", f"/people/{handle}", "/games", f"/games?person={handle}&players=3"):
        yield OtherPage(page, other.token)
    yield from _challenged(served, host, other, handle)
    yield from _written(served)
    yield from _clubs(served)
    yield from (OtherPage(page, host.token) for page in ("/people", "/you/leave", "/notices", "/return"))


def _challenged(served: Served, host: Reader, other: Reader, handle: str) -> Iterator[OtherPage]:
    """Yield pages of somebody who follows the host, is challenged by them, and whose own challenge was declined."""
    service, (third, fourth) = served.service, (reader(served, turn) for turn in (4, 5))
    handles = {one.id: service.ratings.show(one.id, listed=False, public=True).handle for one in (other, third)}
    hosts = service.ratings.show(fourth.id, listed=False, public=True).handle
    service.following.follow(other.id, handle)
    service.following.follow(other.id, hosts)
    terms = Terms(Plan("dutchman", OPTIONS["dutchman"][1], FOUR, pace=SLOW), NO_SHARE, "", 0)
    service.challenges.send(host.id, OpponentKey(handle=handles[other.id]), terms)
    service.challenges.send(other.id, OpponentKey(handle=handles[third.id]), terms)
    (declined,) = service.challenges.open_to(third.id)
    service.challenges.decline(declined.id, third.id)
    (waiting,) = service.challenges.open_to(other.id)
    pages = ("/", "/people/following", f"/challenges/to/{handle}?game=dutchman", f"/challenges/{waiting.id}/counter")
    yield from (OtherPage(page, other.token) for page in pages)
    yield OtherPage("/open/dutchman", other.token)


def _written(served: Served) -> Iterator[OtherPage]:
    """Yield the conversations of somebody, an unread one with long words among them, and a new one."""
    service = served.service
    path, (one, two, third, fourth) = seated(served, "dutchman", moves=1)
    table = path.rpartition("/")[2]
    conversation = service.messages.write_to(two.id, CorrespondentKey(table=table, seat=0), LONG_TALK).conversation
    for text in ("Donaudampfschifffahrtsgesellschaftskapitänsmütze", "Ahoi!\nBis morgen."):
        service.messages.write(conversation, one.id, text)
        service.messages.write(conversation, two.id, text)
    service.messages.write_to(third.id, CorrespondentKey(table=table, seat=0), LONG_TALK * 3)
    blocked = service.messages.write_to(fourth.id, CorrespondentKey(table=table, seat=0), "Na?").conversation
    service.blocking.put_correspondent(blocked, one.id, "block")
    for page in ("/messages", "/", f"/messages/{conversation}", f"/messages/{blocked}"):
        yield OtherPage(page, one.token)
    yield OtherPage("/messages", third.token)
    yield OtherPage(f"/messages/to/{table}/1", fourth.token)


def _clubs(served: Served) -> Iterator[OtherPage]:
    """Yield a club with long names, its tournaments and best members, as its founder, a member and others see it."""
    service = served.service
    founder, *members, stranger = [reader(served, turn) for turn in range(6)]
    club = service.clubs.create(founder.id, "Donaudampfschifffahrtsgesellschaft e. V.", LONG_TALK[:200], visible=True)
    invitation = service.clubs.view(club, founder.id).invitation
    for member in members:
        service.clubs.join(invitation, member.id)
        service.ratings.show(member.id, listed=True, public=True, parts=PARTS)
    now = int(utc_now().timestamp() * 1000)
    for game in OPTIONS:
        fitted = tuple(FittedPerson(one.id, 1500, 20 * turn, 50, now) for turn, one in enumerate(members, 1))
        service.ratings.keep(Fits(now, (FittedGame(game, 50, fitted),), 0.0, 0), pause=0)
    for more in ({}, {"members_only": True, "duplicate": True}):
        service.tournaments.open(founder.id, of_pairs(name="Große Regatta der Hansestädte", club=club, **more))
    yield from (OtherPage(f"/clubs/{club}", one.token) for one in (founder, members[0], stranger))
    yield OtherPage(f"/clubs/{club}")
    yield OtherPage("/clubs", founder.token)
    yield OtherPage(f"/clubs/join/{invitation}", stranger.token)
    yield OtherPage(f"/tournaments/new/dutchman?club={club}", founder.token)


def _games(served: Served) -> Iterator[OtherPage]:
    """Yield the pages about a game that is over: log, replay, dice, review, and analysis."""
    for game in OPTIONS:
        path, (host, *_) = seated(served, game)
        with served.guest() as stranger:
            thought_out(stranger, path)
        yield from (OtherPage(f"{path}/{page}") for page in ("log", "replay?place=20", "fair?verify=1", "review"))
        yield OtherPage(f"{path}/review/12", host.token)
        yield from (OtherPage(f"{path}/analysis?at={at}") for at in (1, 12))


def _records(served: Served) -> Iterator[OtherPage]:
    """Yield the records that somebody has brought: the list, and each of them as its owner and others see it."""
    records, owner = served.service.own_records, reader(served, 1)
    yield OtherPage("/records")
    for number, game in enumerate(OPTIONS):
        record_id = records.keep(owner.id, play_record(game_named(game), OPTIONS[game][1], at_random(number), SEED))
        records.share(record_id, owner.id)
        link = records.find(record_id, owner.id).info.link
        yield from (OtherPage(f"/records/{record_id}", owner.token), OtherPage(f"/records/{link}"))
        yield OtherPage(f"/records/{link}/replay?place=20")
    unfinished, early = stop_game(EXAMPLE, 20)
    for record in (unfinished, early):
        yield OtherPage(f"/records/{records.keep(owner.id, record)}", owner.token)
    yield OtherPage("/records", owner.token)


def _puzzles(_: Served) -> Iterator[OtherPage]:
    """Yield puzzles of each kind, before and after an answer, and the board and form of the analysis."""
    for game in OPTIONS:
        yield OtherPage(f"/puzzles/{game}")
        puzzle = next(iter(puzzles_of(game)))
        yield from (OtherPage(f"/puzzles/{game}/{puzzle}{answer}") for answer in ("", "?move=0"))
        yield from (OtherPage(f"/analysis/{game}{form}") for form in ("", "/setup"))


def _tournament(served: Served) -> Iterator[OtherPage]:
    """Yield tournaments before they begin, midway and at their ends, as their opener and a stranger see them."""
    service, random = served.service, Random(1)
    for plan in (of_pairs(name="Winter Cup", rounds=1), of_tables(name="Große Regatta der Hansestädte", rounds=1)):
        everybody = [reader(served, turn) for turn in range(7)]
        tournament = service.tournaments.open(everybody[0].id, plan)
        for one in everybody:
            service.tournaments.join(tournament, one.id)
        views = (OtherPage(f"/tournaments/{tournament}", everybody[0].token), OtherPage(f"/tournaments/{tournament}"))
        yield from views
        service.tournaments.start(tournament, everybody[0].id)
        yield from views
        while service.tournaments.view(tournament).info.status == "running":
            for table in tables_now(service.tournaments.view(tournament)):
                while person_moves(service, table, random):
                    pass
            service.tournaments.go_on()
        yield from views
        yield from _organised(served, tournament, plan, [one.id for one in everybody], everybody[0].token)
        yield OtherPage(f"/tournaments/new/{plan.game}", everybody[0].token)
    yield OtherPage("/tournaments?show=over", everybody[0].token)


def _organised(
    served: Served, tournament: str, plan: TournamentPlan, everybody: Sequence[str], token: str | None
) -> Iterator[OtherPage]:
    """Yield a season, the chat of a tournament, and another one with a description and a proposed pairing."""
    service, host = served.service, everybody[0]
    season = service.seasons.open(host, SeasonPlan("Winter auf der Alster", (10, 6, 3), best=2))
    service.seasons.put(tournament, host, season)
    for person, text in zip(everybody, ("Bis morgen um acht?", "Ja. https://example.org/" + 40 * "x"), strict=False):
        service.entrants_talk.say(tournament, person, text)
    described = replace(
        plan, approval=True, most=4, description=f"Jeden Dienstag um acht.\n\n{LONG_TALK}", name="Kurz"
    )
    proposed = service.tournaments.open(host, described)
    for person in everybody:
        service.tournaments.join(proposed, person)
    yield OtherPage(f"/tournaments/{proposed}", token)
    service.tournaments.start(proposed, host)
    yield from (OtherPage(path, token) for path in (f"/seasons/{season}", f"/tournaments/{tournament}/chat"))
    yield from (OtherPage(path, token) for path in ("/seasons", f"/tournaments/{proposed}"))


OCCASIONS: Final[dict[str, Callable[[Served], Iterator[OtherPage]]]] = {
    "lobby": _lobby,
    "people": _people,
    "games": _games,
    "records": _records,
    "puzzles": _puzzles,
    "tournament": _tournament,
}
"""Functions that bring a server to a state and yield its pages, by what they are about."""


@pytest.fixture
def quick_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge the games of reviews quickly."""
    judge_simply(monkeypatch)
