"""Observations of a seat, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kontor.environments.encoders import Features, ObservationPart, Steps, one_of
from kontor.game import CHANCE
from kontor.games.dutchman.research.lengths import ROUNDS
from kontor.games.dutchman.research.moves import given_by
from kontor.games.dutchman.research.outcomes import colours_by, horseshoes_by
from kontor.games.dutchman.research.steps import (
    COUNT,
    FIELDS,
    FIRST_SILVER,
    GOLD,
    HORSESHOE,
    KIND,
    KINDS,
    LAY,
    SILVER,
    SILVERS,
    TO,
    most_ducats,
)
from kontor.games.dutchman.rules.components import (
    CARDS,
    COLOURS,
    EXCHANGED,
    HORSESHOES,
    LAST_CHEST,
    SHARES,
    Horseshoes,
)
from kontor.games.dutchman.rules.state import Step
from kontor.games.dutchman.rules.view import View

STEPS: Final[tuple[Step, ...]] = (
    "starter", "deal", "lucky", "action", "put", "share", "sail", "name", "propose", "answer", "again", "rolling",
    "show", "shuffle", "over",
)  # fmt: skip
"""The steps by their numbers."""
ACTIONS: Final = ("kontor", "smith", "lay", "pass")


def parts(players: int) -> tuple[ObservationPart, ...]:
    """Return the parts of an observation; seats are counted clockwise from the observer's."""
    pile, ducats, heap = len(COLOURS) * (players - 1), most_ducats(players), (len(KINDS),)
    most, shoes = max(COUNT.values()), len(HORSESHOES)
    return (
        ObservationPart("step", (len(STEPS),), 1),
        ObservationPart("mover", (players,), 1),
        ObservationPart("waiting", (players,), 1),
        ObservationPart("round", (1,), ROUNDS),
        ObservationPart("lucky", (1,), 49),
        ObservationPart("order", (players,), players),
        ObservationPart("cash", (players,), ducats),
        ObservationPart("kontor", (players,), CARDS),
        ObservationPart("smith", (players,), CARDS),
        ObservationPart("hand", (players,), SHARES + EXCHANGED),
        ObservationPart("horseshoes", (players,), shoes),
        ObservationPart("laid", (players,), shoes),
        ObservationPart("action", (players, len(ACTIONS)), 1),
        ObservationPart("at_least", (players, len(COLOURS)), SHARES),
        ObservationPart("at_most", (players, len(COLOURS)), SHARES + EXCHANGED),
        ObservationPart("known", (players, *heap), most),
        ObservationPart("bankrupt", (players,), 1),
        ObservationPart("reading", (players,), 49),
        ObservationPart("nearest", (players,), 1),
        ObservationPart("rolled", (players,), 49),
        ObservationPart("dutchman", (FIELDS,), 1),
        ObservationPart("came_from", (FIELDS,), 1),
        ObservationPart("ahead", (FIELDS,), 1),
        ObservationPart("stones", (len(COLOURS),), LAST_CHEST),
        ObservationPart("counter", (1,), LAST_CHEST),
        ObservationPart("in_pile", (1,), pile),
        ObservationPart("put_by", (pile, players), 1),
        ObservationPart("middle", (1,), shoes),
        ObservationPart("middle_known", heap, most),
        ObservationPart("tied", (players,), 1),
        ObservationPart("named", (players, FIELDS), 1),
        ObservationPart("circle", (1,), 6),
        ObservationPart("proposer", (players,), 1),
        ObservationPart("proposed_to", (FIELDS,), 1),
        ObservationPart("ducats", (players,), ducats, -ducats),
        ObservationPart("accepted", (players,), 1),
        ObservationPart("shares", (len(COLOURS),), SHARES + EXCHANGED, private=True),
        ObservationPart("rack", heap, most, private=True),
        ObservationPart("lay", heap, most, private=True),
        ObservationPart("pile", (pile, len(COLOURS)), 1, private=True),
        ObservationPart("begun", (1,), 1, private=True),
        ObservationPart("begun_lay", (len(GOLD) + 1,), 1, private=True),
        ObservationPart("begun_counts", (len(SILVER), 2), most, private=True),
        ObservationPart("begun_to", (FIELDS,), 1, private=True),
        ObservationPart("begun_asked", (players,), 1, private=True),
        ObservationPart("begun_ducats", (players,), ducats, -ducats, private=True),
    )


def features(view: View, seat: int, begun: Steps, places: Mapping[str, int]) -> Features:
    """Return the numbers of all parts; ``places`` are the numbers of the fields by their names."""
    count = len(view.players)
    most_pile = len(COLOURS) * (count - 1)
    seats = [(seat + place) % count for place in range(count)]
    players = [view.players[one] for one in seats]
    bargain = view.bargain
    proposal = bargain.proposal if bargain else None
    named = dict(zip(bargain.tied, bargain.named, strict=False)) if bargain else {}
    readings = {lain.seat: lain.reading for revealed in view.revealed for lain in revealed.lays}
    nearest = view.revealed[-1].nearest if view.revealed else ()
    rolled = dict(view.rolls)
    playing = [place for place, one in enumerate(seats) if one in view.order]
    shares, rack = list(view.shares), view.rack
    if view.mover == CHANCE:
        shares += colours_by(step for step in begun if step < HORSESHOE)
        rack += horseshoes_by(step for step in begun if step >= HORSESHOE)
        begun = ()
    proposing = bool(begun) and begun[0] >= TO
    return {
        "step": one_of(len(STEPS), STEPS.index(view.step)),
        "mover": one_of(count, seats.index(view.mover) if view.mover >= 0 else None),
        "waiting": [one in view.queue for one in seats],
        "round": view.round,
        "lucky": view.lucky or 0,
        "order": [view.order.index(one) + 1 if place in playing else 0 for place, one in enumerate(seats)],
        "cash": [player.cash for player in players],
        "kontor": [player.kontor for player in players],
        "smith": [player.smith for player in players],
        "hand": [player.shares for player in players],
        "horseshoes": [player.horseshoes for player in players],
        "laid": [player.laid or 0 for player in players],
        "action": [
            one_of(len(ACTIONS), ACTIONS.index(player.action) if player.action else None) for player in players
        ],
        "at_least": [player.at_least for player in players],
        "at_most": [player.at_most for player in players],
        "known": [_count_kinds(player.known) for player in players],
        "bankrupt": [bool(player.bankrupt) for player in players],
        "reading": [readings.get(one, 0) for one in seats],
        "nearest": [one in nearest for one in seats],
        "rolled": [rolled.get(one, 0) for one in seats],
        "dutchman": _field(places, view.dutchman),
        "came_from": _field(places, view.came_from),
        "ahead": _fields_among(places, view.ahead),
        "stones": view.stones,
        "counter": view.counter,
        "in_pile": len(view.pile),
        "put_by": _pad_rows([one_of(count, None if by is None else seats.index(by)) for by in view.put_by],
                          most_pile, count),
        "middle": view.middle,
        "middle_known": _count_kinds(view.middle_known),
        "tied": [one in bargain.tied if bargain else 0 for one in seats],
        "named": [_field(places, named.get(one)) for one in seats],
        "circle": bargain.circle if bargain else 0,
        "proposer": one_of(
            count, seats.index(bargain.proposer) if bargain and view.step in ("propose", "answer") else None
        ),
        "proposed_to": _field(places, proposal.to if proposal else None),
        "ducats": _by_seat(seats, bargain.tied if bargain else (), proposal.ducats if proposal else ()),
        "accepted": [one in _accepting_seats(bargain) if bargain else 0 for one in seats],
        "shares": [shares.count(colour) for colour in COLOURS],
        "rack": _count_kinds(rack),
        "lay": _count_kinds(view.lay or ()),
        "pile": _pad_rows([one_of(len(COLOURS), COLOURS.index(card) if card else None) for card in view.pile],
                        most_pile, len(COLOURS)),
        "begun": 1 if begun else 0,
        "begun_lay": _begun_lay(begun),
        "begun_counts": _begun_counts(begun),
        "begun_to": one_of(FIELDS, begun[0] - TO if proposing else None),
        "begun_asked": _begun_asked(bargain.tied, begun, seats) if bargain and proposing else [0] * count,
        "begun_ducats": _by_seat(seats, bargain.tied, given_by(begun, most_ducats(count)))
        if bargain and proposing
        else [0] * count,
    }  # fmt: skip


def _field(places: Mapping[str, int], name: str | None) -> list[int]:
    return one_of(FIELDS, None if name is None else places[name])


def _fields_among(places: Mapping[str, int], names: Sequence[str]) -> list[int]:
    row = [0] * FIELDS
    for name in names:
        row[places[name]] = 1
    return row


def _by_seat(seats: Sequence[int], tied: Sequence[int], ducats: Sequence[int]) -> list[int]:
    given = dict(zip(tied, ducats, strict=False))
    return [given.get(one, 0) for one in seats]


def _count_kinds(horseshoes: Horseshoes) -> list[int]:
    counts = [0] * len(KINDS)
    for horseshoe in horseshoes:
        counts[KIND[horseshoe] - HORSESHOE] += 1
    return counts


def _pad_rows(rows: list[list[int]], most: int, width: int) -> list[list[int]]:
    return rows + [[0] * width] * (most - len(rows))


def _accepting_seats(bargain: Any) -> tuple[int, ...]:
    return bargain.accepted if bargain.proposal else ()


def _begun_lay(begun: Steps) -> list[int]:
    return one_of(len(GOLD) + 1, begun[0] - LAY if begun and LAY <= begun[0] < FIRST_SILVER else None)


def _begun_counts(begun: Steps) -> list[tuple[int, int]]:
    """Return for each kind of silver whether its number has been chosen, and that number."""
    chosen = {}
    for step in begun[1:] if begun and begun[0] < FIRST_SILVER else ():
        kind = next(kind for kind in reversed(SILVER) if step >= SILVERS[kind])
        chosen[kind] = step - SILVERS[kind]
    return [(kind in chosen, chosen.get(kind, 0)) for kind in SILVER]


def _begun_asked(tied: Sequence[int], begun: Steps, seats: Sequence[int]) -> list[int]:
    """Return the tied player whose ducats are the next step, one-hot by seat."""
    return one_of(len(seats), seats.index(tied[len(begun) - 1]))
