"""Serialisation of states, with everything hidden, as bytes and back.

The options, and the sea made of them, are left out: every state of a table shares them. Horseshoes are written as
numbers, for the state keeps them in many small tables that all games share. The last check (H11a) is written only
where there can be a check.
"""

from __future__ import annotations

from typing import Any, Final, get_type_hints

import msgspec

from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import Horseshoes
from kontor.games.dutchman.rules.horseshoes import laid, split
from kontor.games.dutchman.rules.state import Inspection, Merchant, Options, State

_STATE: Final = {
    name: kind
    for name, kind in get_type_hints(State).items()
    if name not in ("merchants", "sea", "options", "inspection")
}
_MERCHANT: Final = {
    name: kind for name, kind in get_type_hints(Merchant).items() if name not in ("gold", "silver", "laid")
}
_Merchant: Final[Any] = tuple[Horseshoes, Horseshoes | None, tuple[tuple(_MERCHANT.values())]]  # type: ignore[misc]
_Rest: Final[Any] = tuple[tuple(_STATE.values())]  # type: ignore[misc]
_DECODER: Final = msgspec.msgpack.Decoder(tuple[tuple[_Merchant, ...], _Rest])
_DECODER_CHECKING: Final = msgspec.msgpack.Decoder(tuple[tuple[_Merchant, ...], _Rest, Inspection | None])


def serialise(state: State) -> bytes:
    """Return the state as bytes, without the options."""
    merchants = [
        (merchant.rack, merchant.lay, [getattr(merchant, name) for name in _MERCHANT]) for merchant in state.merchants
    ]
    rest = [getattr(state, name) for name in _STATE]
    return msgspec.msgpack.encode(
        (merchants, rest, state.inspection) if state.options.may_check else (merchants, rest)
    )


def deserialise(serialised: bytes, options: Options) -> State:
    """Return the state of a game with these options. Raises msgspec.DecodeError for bytes that are no state."""
    decoder = _DECODER_CHECKING if options.may_check else _DECODER
    merchants, rest, *inspection = decoder.decode(serialised)
    return State(
        merchants=tuple([_merchant(*merchant) for merchant in merchants]),
        sea=sea_of(options.chart, options.box),
        options=options,
        inspection=inspection[0] if inspection else None,
        **dict(zip(_STATE, rest, strict=True)),
    )


def _merchant(rack: Horseshoes, lay: Horseshoes | None, rest: tuple[Any, ...]) -> Merchant:
    gold, silver = split(rack)
    return Merchant(
        gold=gold, silver=silver, laid=laid(lay) if lay else None, **dict(zip(_MERCHANT, rest, strict=True))
    )
