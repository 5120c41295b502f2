"""The tavern of Shanghaien: what its templates show, from a view, and the move that a form means.

Everything is seen from one side (Y2): whoever reads is *mine*, below and red with an anchor; the other is *theirs*,
above and blue with a wheel. A spectator looks over the shoulder of the first captain. The values here are plain; the
templates loop over them, and each sentence is already said.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from kontor.game import OVER, Value
from kontor.games.shanghaien import words as said
from kontor.games.shanghaien.rules import Move, View
from kontor.games.shanghaien.rules.components import ROUNDS, ROW, End
from kontor.games.shanghaien.rules.state import Dice, Roll
from kontor.games.shanghaien.web.hand import Ending, Rolled, TrickCard, asks, ending, hand, no_trick, rolled
from kontor.games.shanghaien.web.ledger import Books, Coming, Company, Line, books
from kontor.games.shanghaien.web.moves import Choice, field_of, move_of
from kontor.games.shanghaien.web.reader import Face, Reader, Seen, Side
from kontor.games.shanghaien.web.row import Rail, Settled, Stand, last_round, rails, settled, stands
from kontor.words import Words

__all__ = ["Board", "Face", "Seen", "context", "field_of", "move_of"]


class Plate(Value, frozen=True):
    """A player: the dice in the supply, the trick cards in hand, the captain, and the points so far."""

    side: Side
    name: str
    you: bool
    supply: int
    supply_text: str
    tricks: tuple[Face, ...]
    tricks_text: str
    at_row: bool
    captain_text: str
    to_move: bool
    points: str


class Board(Value, frozen=True):
    """The whole table of Shanghaien, as its templates show it."""

    mood: Literal["mine", "theirs", "over", "chance"]
    round: int
    rounds: int
    round_text: str
    theirs: Plate
    mine: Plate
    one_at: End | None
    """The end of the row where the 1 is, once that is said."""
    stands: tuple[Stand, ...]
    rails: tuple[Rail, ...]
    settled: Settled | None
    last_round: Settled | None
    asks: str
    rolled: tuple[Rolled, ...]
    thrown: bool
    """Whether they were rolled since the reader's last move."""
    roll: Choice | None
    ending: Ending | None
    hand: tuple[TrickCard, ...]
    hand_text: str
    """Whether a trick can be played now, or why not."""
    left: int
    left_text: str
    ledger: tuple[Line, ...]
    sums: Line
    crews: tuple[Company, ...]
    coming: tuple[Coming, ...]
    over: str
    winner: Side | None


def context(
    words: Words, names: Sequence[str], view: View, moves: Sequence[Move], events: Sequence[Seen] = ()
) -> dict[str, Any]:
    """What ``shanghaien/board.html`` needs. ``moves`` are those of the reader: none while the other moves."""
    mine = moves if view.seat is not None and view.seat == view.mover else ()
    return {"board": _board(Reader(words, names, view, mine), events)}


def _board(reader: Reader, events: Sequence[Seen]) -> Board:
    view, kept = reader.view, books(reader)
    mood: Literal["mine", "theirs", "over", "chance"] = "chance"
    if view.mover >= 0:
        mood = reader.side(view.mover)
    elif view.mover == OVER:
        mood = "over"
    winners = view.result.winners if view.result else ()
    return Board(
        mood=mood,
        round=view.round,
        rounds=ROUNDS,
        round_text=reader.words.say("Round {round} of {rounds}", round=view.round, rounds=ROUNDS),
        theirs=_plate(reader, "theirs", kept),
        mine=_plate(reader, "mine", kept),
        one_at=view.one_at,
        stands=tuple(stands(reader, events)),
        rails=tuple(rails(reader)),
        settled=settled(reader),
        last_round=last_round(reader),
        asks=asks(reader),
        rolled=tuple(rolled(reader)),
        thrown=any(isinstance(event.action, Dice) for _, event, _, _ in events),
        roll=reader.choice(Roll(), reader.words.say("Roll two dice")),
        ending=ending(reader),
        hand=tuple(hand(reader)),
        hand_text=no_trick(reader) or reader.words.say("You may play one half now."),
        left=len(view.to_come),
        left_text=reader.words.count("{n} card to come", "{n} cards to come", len(view.to_come)),
        ledger=kept.ledger,
        sums=kept.sums,
        crews=kept.crews,
        coming=kept.coming,
        over=said.headline(reader.words, reader.names, view) if view.mover == OVER else "",
        winner=reader.side(winners[0]) if len(winners) == 1 else None,
    )


def _plate(reader: Reader, side: Side, kept: Books) -> Plate:
    view, words, seat = reader.view, reader.words, reader.seat(side)
    name, crew = reader.names[seat], view.crews[seat]
    supply = ROW - sum(view.placed[seat]) - (2 if view.roll and view.turn == seat else 0)
    if view.spent[seat] and view.one_at:
        captain = words.say("{name} has used the trick of this round: the captain stands by the 1.", name=name)
    elif view.spent[seat]:
        captain = words.say("{name} has used the trick of this round: the captain stands at the row.", name=name)
    else:
        captain = words.say("{name} has not used a trick this round.", name=name)
    return Plate(
        side=side,
        name=name,
        you=seat == view.seat,
        supply=supply,
        supply_text=words.count("{n} die in the supply", "{n} dice in the supply", supply),
        tricks=tuple(reader.face(trick) for trick in crew.tricks),
        tricks_text=words.count("{n} trick card in hand", "{n} trick cards in hand", len(crew.tricks)),
        at_row=view.spent[seat],
        captain_text=captain,
        to_move=view.mover == seat,
        points=words.count("{n} point", "{n} points", kept.points[seat]),
    )
