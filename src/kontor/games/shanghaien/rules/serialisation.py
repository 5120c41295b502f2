"""A state as bytes, and back. What every state of a table shares, the options, is left out."""

from __future__ import annotations

from typing import Final, get_type_hints

import msgspec

from kontor.games.shanghaien.rules.state import Options, State

_STATE: Final = {name: kind for name, kind in get_type_hints(State).items() if name != "options"}
_DECODER: Final = msgspec.msgpack.Decoder(tuple[tuple(_STATE.values())])  # type: ignore[misc]


def serialise(state: State) -> bytes:
    """Everything but the options."""
    return msgspec.msgpack.encode([getattr(state, name) for name in _STATE])


def deserialise(serialised: bytes, options: Options) -> State:
    """The state of a game with these options. Raises msgspec.DecodeError where the bytes are none."""
    return State(options=options, **dict(zip(_STATE, _DECODER.decode(serialised), strict=True)))
