"""Views of Der fliegende Holländer: what a seat may know of a state (H14), and of each step.

This is the one place where secrets are taken out: shares and horseshoes of others, the pile, the middle.
"""

from __future__ import annotations

from typing import Any, Final

from kontor.game import OVER, Event, Result, Value
from kontor.games.dutchman.rules.bargain import Bargain
from kontor.games.dutchman.rules.components import Colour, Horseshoes
from kontor.games.dutchman.rules.play import result
from kontor.games.dutchman.rules.state import (
    Action,
    Agreed,
    Check,
    Counts,
    Deal,
    Happening,
    Inspection,
    Kontor,
    Lay,
    Merchant,
    Options,
    Put,
    Revealed,
    Sailed,
    Share,
    Show,
    Shuffle,
    State,
    Step,
    Undecided,
)


class Player(Value, frozen=True):
    """A merchant as everybody sees them: hidden things are counted.

    ``at_least`` and ``at_most`` say, by colour, what everybody can know of the shares: shown, and not exchanged
    since. ``known`` are horseshoes, among rack and lay, that everybody saw the merchant get. ``held`` are the shares
    themselves, shown by all when the game is over (H13).
    """

    cash: int
    kontor: int
    smith: int
    shares: int
    horseshoes: int
    laid: int | None
    action: Action | None
    at_least: Counts
    at_most: Counts
    known: Horseshoes
    bankrupt: int
    held: tuple[Colour, ...] | None


class Inspected(Value, frozen=True):
    """The result of the last check (H11a), while a share of it lies in the pile where it was shuffled to.

    That is on top, in the cards that no player put there.

    ``shares`` are all those shown, in the order of the colours; ``drawn`` are the numbers that each has drawn since,
    by seat; ``own`` are those that this seat drew.
    """

    shares: tuple[Colour, ...]
    drawn: tuple[int, ...]
    own: tuple[Colour, ...]

    @property
    def among(self) -> tuple[Colour, ...]:
        """Return the shares that may be left in the pile; all of them are, if nobody else has drawn."""
        left = list(self.shares)
        for share in self.own:
            left.remove(share)
        return tuple(left)


class View(Value, frozen=True, omit_defaults=True):
    """The table as ``seat`` sees it (None is a spectator). Fields that a state has too are those of the state.

    ``shares``, ``rack`` and ``lay`` are the own ones. ``pile`` goes from the top; a card is None unless this seat put
    it there itself. ``middle`` and ``out`` are numbers of horseshoes. ``ahead`` is where the Dutchman may sail (H8).
    """

    seat: int | None
    mover: int
    step: Step
    queue: tuple[int, ...]
    players: tuple[Player, ...]
    shares: tuple[Colour, ...]
    rack: Horseshoes
    lay: Horseshoes | None
    round: int
    starter: int
    order: tuple[int, ...]
    lucky: int | None
    dutchman: str
    came_from: str | None
    ahead: tuple[str, ...]
    stones: Counts
    counter: int
    pile: tuple[Colour | None, ...]
    put_by: tuple[int | None, ...]
    middle: int
    middle_known: Horseshoes
    out: int
    revealed: tuple[Revealed, ...]
    bargain: Bargain | None
    rolls: tuple[tuple[int, int], ...]
    happened: tuple[Happening, ...]
    options: Options
    result: Result | None
    inspection: Inspected | None = None


def view(state: State, seat: int | None) -> View:
    """Return the state as a seat, or a spectator, may know it."""
    own = Merchant() if seat is None else state.merchants[seat]
    return View(
        seat=seat,
        mover=state.mover,
        step=state.step,
        queue=state.queue,
        players=_players(state),
        shares=own.shares,
        rack=own.rack,
        lay=own.lay,
        round=state.round,
        starter=state.starter,
        order=state.order,
        lucky=state.lucky,
        dutchman=state.dutchman,
        came_from=state.came_from,
        ahead=state.sea.ahead[state.dutchman][state.came_from],
        stones=state.stones,
        counter=state.counter,
        pile=tuple(
            [
                card if seat is not None and seat == by else None
                for card, by in zip(state.pile, state.put_by, strict=True)
            ]
        ),
        put_by=state.put_by,
        middle=state.in_the_middle,
        middle_known=state.middle_known,
        out=len(state.out),
        revealed=state.revealed,
        bargain=state.bargain,
        rolls=state.rolls,
        happened=state.happened,
        options=state.options,
        result=result(state),
        inspection=_view_inspection(state.inspection, seat),
    )


def _view_inspection(inspection: Inspection | None, seat: int | None) -> Inspected | None:
    if inspection is None:
        return None
    own = () if seat is None else inspection.drawn[seat]
    return Inspected(inspection.shares, tuple(map(len, inspection.drawn)), own)


def _players(state: State) -> tuple[Player, ...]:
    actions = dict(zip(state.order, state.actions, strict=False))
    over = state.mover == OVER
    return tuple([_player(merchant, actions.get(seat), over) for seat, merchant in enumerate(state.merchants)])


def _player(merchant: Merchant, action: Action | None, over: bool) -> Player:
    return Player(
        cash=merchant.cash,
        kontor=merchant.kontor,
        smith=merchant.smith,
        shares=len(merchant.shares),
        horseshoes=len(merchant.rack),
        laid=None if merchant.lay is None else len(merchant.lay),
        action=action,
        at_least=merchant.at_least,
        at_most=merchant.at_most,
        known=merchant.known,
        bankrupt=merchant.bankrupt,
        held=merchant.shares if over else None,
    )


_SHOWING: Final = (Kontor, Show, Check)
"""Moves that show shares to somebody: drawn (H6a), on an island (H12), in the pile (H11a)."""

_SAID: Final = (Agreed, Sailed, Undecided)
"""Public happenings: said aloud, or seen on the chart."""


def reveals(before: State, move: Any, after: State) -> bool:
    """Return True if a move tells somebody what was hidden from them.

    Lays are turned over (H8), horseshoes are shared (H6b), shares are shown (H11, H12), drawn (H6a), or looked for in
    the pile (H11a).
    """
    return isinstance(move, _SHOWING) or not all(isinstance(happened, _SAID) for happened in after.happened)


# ---------------------------------------------------------------------------------- steps as they are seen


class Drawn(Value, frozen=True, tag="kontor", tag_field="seen"):
    """A Kontor card was played; its player sees the two shares drawn (H6a)."""

    shares: tuple[Colour, ...] | None


class PutBack(Value, frozen=True, tag="put", tag_field="seen"):
    """Two shares went under the pile; the player who put them knows which (H6a)."""

    shares: tuple[Colour, ...] | None


class FaceDown(Value, frozen=True, tag="lay", tag_field="seen"):
    """Horseshoes were laid face down; all see how many (H6c)."""

    count: int
    horseshoes: Horseshoes | None


class Dealt(Value, frozen=True, tag="deal", tag_field="seen"):
    """The game was dealt; each sees what they got (H4)."""

    shares: tuple[Colour, ...] | None
    horseshoes: Horseshoes | None


class Got(Value, frozen=True, tag="share", tag_field="seen"):
    """Smiths shared the middle; each sees the own part (H6b)."""

    each: int
    horseshoes: Horseshoes | None


class Shuffled(Value, frozen=True, tag="shuffle", tag_field="seen"):
    """The Kontor pile, of ``count`` cards, was shuffled (H11, H11a)."""

    count: int


def event(before: State, action: Any, after: State, seat: int | None) -> Event:
    """Return one step as a seat, or a spectator, may know it."""
    return Event(before.mover, _visible_action(before, action, seat), after.happened)


def _visible_action(before: State, action: Any, seat: int | None) -> Any:
    own = seat is not None and seat == before.mover
    match action:
        case Kontor():
            return Drawn(before.pile[:2] if own else None)
        case Put(shares):
            return PutBack(shares if own else None)
        case Lay(horseshoes):
            return FaceDown(len(horseshoes), horseshoes if own else None)
        case Deal(hands=hands, racks=racks):
            return Dealt(None, None) if seat is None else Dealt(hands[seat], racks[seat])
        case Share(parts):
            smiths = before.smiths
            return Got(len(parts[0]), parts[smiths.index(seat)] if seat in smiths else None)
        case Shuffle(pile):
            return Shuffled(len(pile))
        case _:
            return action
