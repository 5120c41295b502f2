"""API routes for challenges, with the same contents as their pages."""

from __future__ import annotations

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody
from msgspec.structs import replace

from kontor.challenges.api_values import ChallengesInfo, CounterChallenge, NewChallenge
from kontor.challenges.site import TheChallengesSite
from kontor.challenges.store import CHALLENGED_SEAT
from kontor.challenges.values import OpponentKey, Terms
from kontor.errors import BadPlan
from kontor.tables.api_values import NewTable, Opened, Sitting
from kontor.tables.routes.api_tables import plan_of_table
from kontor.tables.values import SeatPlan, Share, TableInfo
from kontor.web.addresses import origin_of
from kontor.web.http.faults import require_person_id
from kontor.web.http.programs import PLAY, READ, REFUSED, TheProgram, spending
from kontor.web.http.site import in_reading_thread


@get("/api/challenges", responses=REFUSED, security=READ)
@in_reading_thread
def my_challenges(site: TheChallengesSite, program: TheProgram) -> ChallengesInfo:
    """Return the challenges that wait for one's answer, one's own that were declined, and whom one can challenge."""
    person, challenges = require_person_id(program), site.challenges
    return ChallengesInfo(challenges.open_to(person), challenges.declined(person), challenges.companions(person))


@post("/api/challenges", responses=REFUSED, security=PLAY)
@spending("open")
def challenge_person(site: TheChallengesSite, program: TheProgram, data: JSONBody[NewChallenge]) -> Opened:
    """Challenge a person: open a table at which a seat is kept for them."""
    key = OpponentKey(data.handle, data.table, data.seat)
    return Opened(site.challenges.send(require_person_id(program), key, _terms(program.address, data.terms)))


@post("/api/challenges/{challenge:str}/accept", responses=REFUSED, security=PLAY, status_code=200)
@spending("join")
def accept_challenge(
    site: TheChallengesSite, program: TheProgram, challenge: FromPath[str], data: JSONBody[Sitting]
) -> TableInfo:
    """Accept a challenge: sit down at its table. The last one starts the game."""
    person = require_person_id(program)
    accepted = site.challenges.find(challenge, person)
    table, share = accepted.table.id, Share(data.salt, data.salt_commitment)
    site.opening.sit(table, accepted.seat, person, share=share)
    return site.tables.info(table, person)


@post("/api/challenges/{challenge:str}/counter", responses=REFUSED, security=PLAY)
@spending("open")
def counter_challenge(
    site: TheChallengesSite, program: TheProgram, challenge: FromPath[str], data: JSONBody[CounterChallenge]
) -> Opened:
    """Propose other terms in answer to a challenge: a table that replaces it."""
    terms = _terms(program.address, data.terms)
    return Opened(site.challenges.counter(challenge, require_person_id(program), terms))


@post("/api/challenges/{challenge:str}/decline", responses=REFUSED, security=PLAY, status_code=204)
@spending("join")
def decline_challenge(site: TheChallengesSite, program: TheProgram, challenge: FromPath[str]) -> None:
    """Decline a challenge; the other is told."""
    site.challenges.decline(challenge, require_person_id(program))


@delete("/api/challenges/{challenge:str}", responses=REFUSED, security=PLAY)
@spending("join")
def dismiss_challenge(site: TheChallengesSite, program: TheProgram, challenge: FromPath[str]) -> None:
    """Remove the note that one's own challenge was declined."""
    site.challenges.dismiss(challenge, require_person_id(program))


def _terms(address: str, table: NewTable) -> Terms:
    """Return the terms that a table means, with the seat of the other kept for them. Raises BadOptions."""
    plan = plan_of_table(table)
    kinds = [seat.kind for seat in plan.seats]
    if kinds[: CHALLENGED_SEAT + 1] != ["me", "friend"]:
        raise BadPlan(
            "", "In a challenge the first seat is your own (me), and the second that of the other (friend)."
        )
    seats = tuple([SeatPlan("friend") if at == CHALLENGED_SEAT else seat for at, seat in enumerate(plan.seats)])
    share = Share(table.salt, table.salt_commitment)
    return Terms(replace(plan, seats=seats), share, table.commitment, origin_of(address))


ROUTES = (
    *(my_challenges, challenge_person, accept_challenge),
    *(counter_challenge, decline_challenge, dismiss_challenge),
)
