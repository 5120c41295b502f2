"""What a seat, a spectator or a stranger gets from the server, byte by byte: nothing that they may not know."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from kontor.game import CHANCE, Refusal, shuffled
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.dutchman.rules.state import Accept, Deal, Dice, Kontor, Lay, Put, Sail, Show
from kontor.games.shanghaien.rules.state import Roll
from kontor.records import Step, encode_line
from kontor.table import Plan, TableService
from kontor.table.storage import Place

from .guests import ME, OPEN, Clock, dutchman, lines, play_one, query


def everything(service: TableService, table: str, person: str | None, seats: Sequence[int | None]) -> Iterator[Any]:
    """All that the server gives to somebody with these eyes."""
    for seat in seats:
        seen = service.table_view(table).look(seat)
        yield seen.number, seen.view, list(seen.moves[:500]), len(seen.moves)
        yield service.table_view(table).events(seat)
        yield service.table_view(table).look(seat).view
    yield service.info(table, person)
    yield service.listing.lobby(person)
    yield service.fair(table)
    yield service.table_view(table).said()
    if person is not None:
        yield service.listing.my_tables(person)
        yield service.listing.finished(person)
        yield service.opening.seats_of(table, person)


def refusals(service: TableService, table: str, seat: int, moves: Sequence[Any]) -> Iterator[str]:
    """What is told to whoever tries what is not allowed."""
    number = service.info(table).number
    for move in moves:
        try:
            service.play(table, seat, number, move)
        except Refusal as refused:
            yield f"{refused!r} {refused} {refused.details}"
    try:
        service.record(table)
    except Refusal as refused:
        yield f"{refused!r} {refused}"


def in_bytes(told: Any) -> bytes:
    """As JSON, and as Python would show it."""
    return msgspec.json.encode(told) + repr(told).encode()


# ------------------------------------------------------------------------------------- seeds, tokens, ids of persons


def test_no_seed_token_or_persons_id_is_told_while_a_game_is_played(service: TableService, place: Place) -> None:
    people = [service.people.guest(name) for name in ("Anna", "Bernd", "Dora")]
    ids = [person.id for person, _ in people]
    tokens = [token for _, token in people] + [service.people.api_token(ids[0]), service.people.device_link(ids[0])]
    table = service.opening.open(ids[0], dutchman(ME, OPEN, OPEN))
    tokens.append(service.opening.invitation(table, 1, ids[0]))
    for seat in (1, 2):
        service.opening.sit(table, seat, ids[seat])
    ((seed,),) = query(place, "SELECT seed FROM tables")
    hidden = [seed, repr(seed)[2:-1].encode(), seed.hex().encode(), seed.hex().upper().encode()]
    hidden += [base64.b64encode(seed)[:40], base64.urlsafe_b64encode(seed)[:40], base64.b32encode(seed)[:48]]
    hidden += [str(int.from_bytes(seed, order)).encode() for order in ("big", "little")]
    hidden += [token.encode() for token in tokens]
    hidden += [kept.encode() for (kept,) in query(place, "SELECT hash FROM tokens")]
    hidden += [person.encode() for person in ids]
    random, looks = Random(1), 0
    while play_one(service, table, random):
        if service.info(table).status == "over":
            break
        eyes: list[tuple[str | None, list[int | None]]] = [(None, [None])]
        eyes += [(ids[seat], [seat]) for seat in range(3)]
        person, seats = eyes[looks % len(eyes)]
        told = b"".join(map(in_bytes, everything(service, table, person, seats)))
        told += "".join(refusals(service, table, looks % 3, [Kontor(), Put(("red", "blue")), Lay((21, 22))])).encode()
        assert [secret for secret in hidden if secret in told] == []
        looks += 1
    assert looks > 20
    told = b"".join(map(in_bytes, everything(service, table, None, [None])))
    assert seed.hex().encode() in told  # the game is over


# ------------------------------------------------------------------------------------ two games that differ unseen


OPTIONS = Options(players=4, starter=1)


class Alike:
    """Two games of four in which everything public is the same, and all that seat 0 has; what is hidden from seat 0
    differs. From the deal to the moment before the lays are revealed: seat 1 plays Kontor and puts two shares back,
    seats 2 and 3 lay horseshoes, seat 0 is to move."""

    def __init__(self) -> None:
        random = Random(5)
        self.states: list[Any] = [DUTCHMAN.start(OPTIONS)] * 2
        self.steps: tuple[list[Step], list[Step]] = ([], [])
        deal = DUTCHMAN.chance(self.states[0]).draw(random.randrange)
        self.act(CHANCE, deal, dealt_anew(deal, random))
        self.act(CHANCE, Dice(30, 7), Dice(30, 7))
        self.act(1, Kontor(), Kontor())
        self.act(1, *[Put(state.merchants[1].shares[place : place + 2]) for place, state in enumerate(self.states)])
        for seat in (2, 3):
            self.act(seat, *[Lay(state.merchants[seat].rack[-2:]) for state in self.states])
        assert self.states[0].mover == self.states[1].mover == 0

    def act(self, seat: int, *actions: Any) -> None:
        for game, action in enumerate(actions):
            self.steps[game].append(Step(seat, action))
            self.states[game] = DUTCHMAN.play(self.states[game], action)


def dealt_anew(deal: Deal, random: Random) -> Deal:
    """What seat 0 does not see is dealt again."""
    shares = shuffled([share for hand in (*deal.hands[1:], deal.pile) for share in hand], random.randrange)
    shoes = shuffled([shoe for rack in (*deal.racks[1:], deal.middle, deal.out) for shoe in rack], random.randrange)
    hands = [tuple(sorted(shares[at : at + 3], key=COLOURS.index)) for at in (0, 3, 6)]
    racks = [tuple(sorted(shoes[at : at + 9], reverse=True)) for at in (0, 9, 18)]
    return replace(
        deal,
        hands=(deal.hands[0], *hands),
        pile=tuple(shares[9:]),
        racks=(deal.racks[0], *racks),
        middle=tuple(sorted(shoes[27:31], reverse=True)),
        out=tuple(sorted(shoes[31:], reverse=True)),
    )


def test_what_is_hidden_changes_no_byte_of_what_others_get(
    place: Place, copied: Callable[[], Place], clock: Clock
) -> None:
    alike = Alike()
    with TableService.open(place, clock) as service:
        ids = [service.people.guest(f"Guest {number}")[0].id for number in range(5)]
        table = service.opening.open(ids[0], Plan("dutchman", OPTIONS, (ME, OPEN, OPEN, OPEN)))
        for seat in (1, 2, 3):
            service.opening.sit(table, seat, ids[seat])
    # The log is the truth: whoever writes it decides what was dealt and played.
    query(place, "DELETE FROM steps")
    query(place, "UPDATE tables SET number = ?, mover = 0", len(alike.steps[0]) + 1)
    places = [place, copied()]
    told: list[dict[int | None, list[bytes]]] = []
    for at, steps in zip(places, alike.steps, strict=True):
        for number, step in enumerate(steps, 2):
            row = (table, number, step.seat, encode_line(step).decode().rstrip("\n"))
            query(at, "INSERT INTO steps VALUES (?, ?, ?, ?, 0)", *row)
        with TableService.open(at, clock) as service:
            told.append(
                {
                    eye: [
                        *map(in_bytes, everything(service, table, ids[4 if eye is None else eye], [eye])),
                        *(refused.encode() for refused in refusals(service, table, eye or 0, TRIES)),
                    ]
                    for eye in (None, 0, 1, 2, 3)
                }
            )
    one, other = told
    for eye in (None, 0):
        assert one[eye] == other[eye]
    for seat in (1, 2, 3):  # or else there was nothing to tell
        assert one[seat] != other[seat]
    assert [len(lines(at, table)) for at in places] == [len(alike.steps[0])] * 2


TRIES = (Put(("red", "red")), Lay((99,)), Lay((48, 47)), Sail("Holland"), Show("red"), Accept(), Roll())
"""What seat 0 cannot do now: the refusals of the rules, who know everything, tell nothing of what is hidden."""
