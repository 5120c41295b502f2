"""Readers of states of Der fliegende Holländer: what each gets, and other states that give them the same."""

from random import Random

import msgspec

from kontor.games.dutchman.rules import DUTCHMAN, State

from .voyages import Leg

Reader = int | None
"""A seat, or a spectator."""


def readers(state: State) -> tuple[Reader, ...]:
    return (*range(len(state.merchants)), None)


def encode_view(state: State, reader: Reader) -> bytes:
    """Return all that a reader gets of a state."""
    return msgspec.json.encode(DUTCHMAN.view(state, reader))


def encode_step(leg: Leg, reader: Reader) -> bytes:
    """Return all that a reader gets of a step."""
    return msgspec.json.encode(DUTCHMAN.event(*leg, reader))


def encode_moves(state: State, random: Random) -> bytes:
    """Return the legal moves; of very many a sample that depends on ``random`` alone."""
    legal = DUTCHMAN.moves(state)
    many = len(legal)
    places = range(many) if many <= 200 else [0, many - 1, *[random.randrange(many) for _ in range(60)]]
    return msgspec.json.encode([many, [legal[place] for place in places]])


def other_deal(state: State, reader: Reader, random: Random) -> State:
    """Return a state that looks the same to the reader, with all else dealt anew."""
    return DUTCHMAN.imagine(DUTCHMAN.view(state, reader), random.randrange)


def same_to(reader: Reader, one: State, other: State, random: Random) -> None:
    """Check that the reader gets the same from both states."""
    assert encode_view(one, reader) == encode_view(other, reader)
    if reader == one.mover:
        seed = random.random()
        assert encode_moves(one, Random(seed)) == encode_moves(other, Random(seed))


def smiths_of(leg: Leg) -> list[int]:
    """Return the seats that shared the middle in this step."""
    return [seat for happened in leg.after.happened for seat in getattr(happened, "smiths", ())]
