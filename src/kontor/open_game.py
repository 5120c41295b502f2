"""Games without hidden information: views, events and serialisation follow from the state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, get_type_hints

import msgspec
from msgspec.structs import asdict, replace

from kontor.game import Below, Chance, Event, Game, Move, Options, Result, State, View


def nothing_is_hidden(before: object, move: object, after: object) -> bool:
    """Return False: no move reveals anything."""
    return False


class Serialiser(Generic[Options, State]):
    """States of a type as bytes, and back.

    All fields are written but ``options``, which every state of a table shares.
    """

    def __init__(self, state: type[State]) -> None:
        fields = {name: kind for name, kind in get_type_hints(state).items() if name != "options"}
        self._state: Any = state
        self._names = tuple(fields)
        self._decoder = msgspec.msgpack.Decoder(tuple[tuple(fields.values())])  # type: ignore[misc]

    def serialise(self, state: State) -> bytes:
        """Return all fields but the options as bytes."""
        return msgspec.msgpack.encode([getattr(state, name) for name in self._names])

    def deserialise(self, serialised: bytes, options: Options) -> State:
        """Return the state with these options. Raises msgspec.DecodeError if the bytes are no state."""
        fields = dict(zip(self._names, self._decoder.decode(serialised), strict=True))
        read: State = self._state(options=options, **fields)
        return read


def open_game(
    *,
    name: str,
    options: type[Options],
    move: Any,
    outcome: Any,
    state: type[State],
    view: type[View],
    seats: Callable[[Options], int],
    start: Callable[[Options], State],
    moves: Callable[[State], Sequence[Move]],
    chance: Callable[[State], Chance[Any]],
    occasion: Callable[[State], tuple[str | int, ...]],
    play: Callable[[State, Any], State],
    result: Callable[[State], Result | None],
    version: int = 1,
) -> Game[Options, State, Move, View]:
    """Return a game without hidden information.

    ``state`` is a frozen struct with a field ``options``. ``view`` has the same fields, and ``seat`` and ``result``.
    If the options name a seat, it is their field ``starter``.
    """
    serialiser = Serialiser[Options, State](state)
    state_type: Any = state
    view_type: Any = view

    def moved_on(options: Options, places: int) -> Options:
        given: Any = options
        if getattr(given, "starter", None) is None:
            return options
        moved: Options = replace(given, starter=(given.starter + places) % seats(options))
        return moved

    def seen(state: State, seat: int | None) -> View:
        fields: Any = state
        player_view: View = view_type(**asdict(fields), seat=seat, result=result(state))
        return player_view

    def event(before: State, action: Any, after: State, seat: int | None) -> Event:
        return Event(before.mover, action)

    def imagine(view: View, below: Below) -> State:
        """Return the only state that agrees with a view."""
        imagined: State = state_type(**{name: getattr(view, name) for name in state_type.__struct_fields__})
        return imagined

    return Game(
        name=name,
        version=version,
        options=options,
        move=move,
        outcome=outcome,
        view_type=view,
        seats=seats,
        moved_on=moved_on,
        start=start,
        moves=moves,
        chance=chance,
        occasion=occasion,
        play=play,
        view=seen,
        event=event,
        imagine=imagine,
        result=result,
        serialise=serialiser.serialise,
        deserialise=serialiser.deserialise,
        reveals=nothing_is_hidden,
    )
