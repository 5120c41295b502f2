"""A position with the moves and outcomes tried from it: a tree, which can be written as text for an address.

The text holds the whole position, so it can be read on any server. It begins with a state that can be written down;
every other state follows from it by the rules. So no address leads to an impossible position.
"""

from __future__ import annotations

import hashlib
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Iterator
from functools import cache, lru_cache
from random import Random
from typing import Any, Final

import msgspec

from kontor.analysis.adapter import BadPosition, adapter_of
from kontor.game import OVER, AnyGame, Refusal, Value
from kontor.plugins import game_named
from kontor.records import Record, replay

FORMAT: Final = 1

MOST_TEXT: Final = 6000
"""The most characters of an address that are read; more than browsers and chats carry safely."""

_MOST_BYTES: Final = 60_000
_MOST_NODES: Final = 600
"""The most nodes of a tree. A round of the Holländer with two circles of bargaining has some fifty."""

_LEVEL: Final = 9


class Node(Value, frozen=True, array_like=True):
    """A step that was tried: the number of its parent node (-1 for the beginning), and the move or outcome."""

    parent: int
    action: Any


class _Written(Value, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A tree in its written form; ``options`` are only those that differ from the defaults."""

    format: int
    rules: int
    options: dict[str, msgspec.Raw]
    setup: msgspec.Raw
    nodes: tuple[tuple[int, msgspec.Raw], ...]


class Variations(Value, frozen=True):
    """A tree of steps tried from a beginning; ``states`` are the states after each node, by its number."""

    game: str
    begin: Any
    """The state at the beginning."""
    nodes: tuple[Node, ...] = ()
    states: tuple[Any, ...] = ()

    def state(self, at: int) -> Any:
        """Return the state after a node; -1 is the beginning."""
        return self.begin if at < 0 else self.states[at]

    def path(self, at: int) -> list[int]:
        """Return the nodes from the beginning to this node, which is the last."""
        nodes = []
        while at >= 0:
            nodes.append(at)
            at = self.nodes[at].parent
        return nodes[::-1]

    def children(self, at: int) -> list[int]:
        """Return the nodes tried after this node, in the order in which they were tried."""
        return [number for number, node in enumerate(self.nodes) if node.parent == at]

    def last(self, at: int = -1) -> int:
        """Return the last node on the line of first-tried steps after a node."""
        while children := self.children(at):
            at = children[0]
        return at

    def tried(self, at: int, action: Any) -> tuple[Variations, int]:
        """Return the tree with an action tried after a node, and the number of its node.

        Raises IllegalMove, and BadPosition for a tree that has grown too large.
        """
        for number in self.children(at):
            if self.nodes[number].action == action:
                return self, number
        after = game_named(self.game).play(self.state(at), action)
        if len(self.nodes) >= _MOST_NODES:
            raise BadPosition("", "There are too many variations here: start over from this position.")
        grown = Variations(self.game, self.begin, (*self.nodes, Node(at, action)), (*self.states, after))
        return grown, len(self.nodes)

    def without(self, at: int) -> Variations:
        """Return the tree without a node and all its descendants."""
        gone = {at}
        new_numbers: dict[int, int] = {-1: -1}
        nodes: list[Node] = []
        states: list[Any] = []
        for number, node in enumerate(self.nodes):
            if number in gone or node.parent in gone:
                gone.add(number)
                continue
            new_numbers[number] = len(nodes)
            nodes.append(Node(new_numbers[node.parent], node.action))
            states.append(self.states[number])
        return Variations(self.game, self.begin, tuple(nodes), tuple(states))


def _line(game: str, begin: Any, actions: list[Any]) -> Variations:
    adapter = adapter_of(game)
    setup = adapter.setup_of(begin)
    if setup is not None:  # the same state as a reader of the address gets
        begin = adapter.state_of(setup, begin.options)
    variations, at = Variations(game, begin), -1
    for action in actions:
        variations, at = variations.tried(at, action)
    return variations


def of_record(record: Record, steps: int) -> Variations:
    """Return the line to the position after so many steps of a record (0 or more); that position is the last node."""
    states = []
    for state in replay(record):
        states.append(state)
        if len(states) > steps:
            break
    adapter = adapter_of(record.header.game)
    first = max(place for place, state in enumerate(states) if not place or adapter.setup_of(state) is not None)
    actions = [step.action for step in record.steps[first : len(states) - 1]]
    return _line(record.header.game, states[first], actions)


def of_view(game: str, view: Any) -> Variations | None:
    """Return a line whose last node is a position with that view; None if there is no such line.

    Hidden things are imagined for the view's seat, the same at every call.
    """
    adapter = adapter_of(game)
    luck = Random(hashlib.sha256(b"kontor view " + msgspec.msgpack.encode(view)).digest())
    state = game_named(game).imagine(view, luck.randrange)
    if adapter.setup_of(state) is not None or state == game_named(game).start(state.options):
        return _line(game, state, [])
    rewound = adapter.rewound(view)
    return None if rewound is None else _line(game, *rewound)


# ------------------------------------------------------------------------------------------------------- as text


def encode(variations: Variations) -> str:
    """Return the text of a tree. Raises BadPosition for a tree that is too large for an address."""
    game = game_named(variations.game)
    setup = adapter_of(game.name).setup_of(variations.begin)
    if setup is None and variations.begin != game.start(variations.begin.options):
        raise BadPosition("", "No game can stand like this.")  # it needs the moves since an earlier state
    written = _Written(
        FORMAT,
        game.version,
        _unusual(game, variations.begin.options),
        msgspec.Raw(msgspec.msgpack.encode(setup)),
        tuple((node.parent, msgspec.Raw(msgspec.msgpack.encode(node.action))) for node in variations.nodes),
    )
    packed = zlib.compress(msgspec.msgpack.encode(written), _LEVEL)
    text = urlsafe_b64encode(packed).decode("ascii").rstrip("=")
    if len(text) > MOST_TEXT:
        raise BadPosition("", "There are too many variations here: start over from this position.")
    return text


@lru_cache(maxsize=32)
def decode(game: str, text: str) -> Variations:
    """Return the tree of a text. Raises BadPosition for any other text, and for a position that cannot be.

    The latest trees are cached, because a page that waits for an answer decodes the same text again and again.
    """
    try:
        written = msgspec.msgpack.decode(_unpack(text), type=_Written)
        if written.format != FORMAT or written.rules != game_named(game).version:
            raise BadPosition("", "This position was written by another Kontor: it cannot be read here.")
        return _read(game_named(game), written)
    except (msgspec.DecodeError, NotBase64, zlib.error, ValueError) as error:
        raise _unreadable() from error


def _unreadable() -> BadPosition:
    return BadPosition("", "This is not a position: the link is cut off, or was changed.")


def _unpack(text: str) -> bytes:
    if len(text) > MOST_TEXT or not text.isascii():
        raise _unreadable()
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), _MOST_BYTES)
    if not unpacking.eof or unpacking.unused_data:
        raise _unreadable()
    return data


def _read(game: AnyGame, written: _Written) -> Variations:
    adapter = adapter_of(game.name)
    if len(written.nodes) > _MOST_NODES:
        raise _unreadable()
    options = msgspec.convert(
        {name: msgspec.msgpack.decode(value) for name, value in written.options.items()}, type=game.options
    )
    setup = msgspec.msgpack.decode(written.setup, type=adapter.setup | None)
    state = game.start(options)
    variations = Variations(game.name, state if setup is None else adapter.state_of(setup, options))
    moves, outcomes = _decoders(game.name)
    nodes: list[Node] = []
    states: list[Any] = []
    for parent, data in written.nodes:
        if not -1 <= parent < len(nodes):
            raise _unreadable()
        before = variations.begin if parent < 0 else states[parent]
        if before.mover == OVER:
            raise _unreadable()
        action = (moves if before.mover >= 0 else outcomes).decode(data)
        try:
            states.append(game.play(before, action))
        except Refusal as refused:
            raise _unreadable() from refused
        nodes.append(Node(parent, action))
    return Variations(game.name, variations.begin, tuple(nodes), tuple(states))


def _unusual(game: AnyGame, options: Any) -> dict[str, msgspec.Raw]:
    """Return the options that differ from the defaults; all options of a game with a chart are long."""
    usual = msgspec.to_builtins(game.options())
    return {name: msgspec.Raw(msgspec.msgpack.encode(value)) for name, value in _changed_options(options, usual)}


def _changed_options(options: Any, usual: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in msgspec.to_builtins(options).items():
        if name not in usual or usual[name] != value:
            yield name, value


@cache
def _decoders(game: str) -> tuple[msgspec.msgpack.Decoder[Any], msgspec.msgpack.Decoder[Any]]:
    """Return the decoders of moves and of outcomes."""
    rules = game_named(game)
    return msgspec.msgpack.Decoder(rules.move), msgspec.msgpack.Decoder(rules.outcome)
