"""Fair dice: the promise before the game, and, when it is over, whether it was kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from kontor.endings import describe_early_end
from kontor.errors import NotAllowed
from kontor.records import BadRecord, describe_dice, verify
from kontor.tables.pages.seating import names_of
from kontor.tables.site import TablesSite, TheTablesSite
from kontor.tables.values import SHARED_DICE, DiceKind, FairDiceInfo, TableInfo
from kontor.web.adapter import adapter_of
from kontor.web.http.sessions import AnyRequest, TheVisitor
from kontor.web.http.site import in_reading_thread
from kontor.web.pages.visitor import Visitor
from kontor.web.pages.whole_page import WholePage


class VerifiedDice(msgspec.Struct, frozen=True):
    """The results of the check, a sentence each; or the fault. Both are empty before it."""

    results: Sequence[str] = ()
    fault: str = ""


class FairPage(WholePage, frozen=True, kw_only=True):
    """The context of the page about the dice of a table."""

    template: ClassVar = "fair/fair.html"

    info: TableInfo
    title: str
    kind: DiceKind
    same_elsewhere: bool
    """True if other tables have the same dice."""
    commitment: str
    salts: Sequence[tuple[str, str, str]]
    """The names at the seats, each with the salt and the commitment to it."""
    salts_by_place: Sequence[str]
    strict: bool
    """True if everybody had committed to their salt before any was shown."""
    compared: bool
    """True if the browsers compare the salts."""
    mine: str
    """The commitment to the reader's own salt."""
    seed: str | None
    """The seed, once the game is over."""
    verified: VerifiedDice


@get("/tables/{table:str}/fair")
@in_reading_thread
def fairness_page(
    request: AnyRequest, site: TheTablesSite, visitor: TheVisitor, table: FromPath[str]
) -> Response[str]:
    """Return the page of the commitment, the salts, and, when the game is over, the seed.

    With ``?verify=1`` everything is recomputed.
    """
    info = site.tables.info(table, visitor.id)
    if not (info.may_watch or info.mine):
        raise NotAllowed("", "This game is for its players only.")
    dice = site.tables.fair(table)
    names = names_of(visitor.words, info)
    shares = list(zip(dice.salts, dice.salt_commitments, strict=True))
    promised = any(promise and (salt or info.status == "waiting") for salt, promise in shares)
    # A share that was given openly can be exploited: it was known when others made their commitments. A spectator
    # does not know who is honest, so all people count.
    commitments = [dice.salt_commitments[seat] for seat in info.mine or _people(info)]
    is_verified = dice.seed and "verify" in request.query_params
    page = FairPage(
        info=info,
        title=adapter_of(info.game).title,
        kind=dice.kind,
        same_elsewhere=dice.kind in SHARED_DICE,
        commitment=dice.commitment,
        salts=[(name, *share) for name, share in zip(names, shares, strict=True)],
        strict=promised and all(commitments),
        compared=promised and info.status != "waiting",
        salts_by_place=_by_place(dice),
        mine=next((dice.salt_commitments[seat] for seat in info.mine), ""),
        seed=dice.seed,
        verified=_verify_record(site, visitor, table, names) if is_verified else VerifiedDice(),
    )
    return site.page(visitor, page)


def _people(info: TableInfo) -> list[int]:
    """Return the seats on which people sit."""
    return [number for number, seat in enumerate(info.seats) if seat.taken and not seat.player]


def _by_place(dice: FairDiceInfo) -> list[str]:
    """Return the salts by place at the table; where seats are drawn, that is not the order of the seats."""
    places = dice.places or range(len(dice.salts))
    return [salt for _, salt in sorted(zip(places, dice.salts, strict=True))]


def _verify_record(site: TablesSite, visitor: Visitor, table: str, names: Sequence[str]) -> VerifiedDice:
    """Return the results of the check, a sentence each."""
    words = visitor.words
    try:
        checked = verify(site.tables.record(table))
    except BadRecord as fault:
        return VerifiedDice(fault=words.say("Line {line}: {reason}", line=fault.line, reason=words.refuse(fault)))
    return VerifiedDice(
        (
            words.say("The seed is the one promised before the first move."),
            words.count(
                "The one shuffle or roll follows from it.",
                "All {n} shuffles and rolls follow from it.",
                checked.outcomes,
            ),
            words.count("The one step follows the rules.", "All {n} steps follow the rules.", checked.steps),
            *describe_dice(words, checked),
            *([describe_early_end(words, names, checked.early)] if checked.early else ()),
        )
    )


ROUTES = (fairness_page,)
