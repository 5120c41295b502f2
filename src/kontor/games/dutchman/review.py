"""Reviews of Der fliegende Holländer: moves in a few words, the outlook of a round, and why one move was better.

All is told from the view of the seat that decided, and from rounds imagined out of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from kontor.game import OVER, Value
from kontor.games.dutchman.event_text import payments
from kontor.games.dutchman.rules.chart import sea_of
from kontor.games.dutchman.rules.components import Colour
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Move,
    Name,
    Pass,
    Propose,
    Put,
    Sail,
    Sailed,
    Show,
    Smith,
    Waive,
    Withhold,
)
from kontor.games.dutchman.rules.view import View
from kontor.games.dutchman.words import colour, field, plain, shares
from kontor.review.adapter import ReviewAdapter
from kontor.words import Words

_PLAIN: Final = 0.25
"""The least difference of two moves at which the Dutchman's destination, and who steers, are mentioned."""


_FEW: Final = 1.0
"""The least difference in ducats that is mentioned: a smaller one may be the luck of the imagined rounds."""


_RARELY: Final = 0.5
"""If the game is over more often than this, later rounds are not mentioned."""


class Outlook(Value, frozen=True):
    """The outlook of a round for the deciding seat: means over imagined rounds, from the decision to the round's end.

    ``cash`` is the change of everybody's cash, by seat; ``wealth`` that of their own cash and shares together;
    ``horseshoes`` that of their rack; ``over`` is how often (0 to 1) the game is over then; ``helm`` how often they
    move the Dutchman, alone or with others; ``fields`` are the fields it is moved to and how often, the most likely
    first.
    """

    cash: tuple[float, ...]
    wealth: float
    horseshoes: float
    over: float
    helm: float
    fields: tuple[tuple[str, float], ...]

    def often(self, to: str) -> float:
        """Return how often (0 to 1) the Dutchman is moved there."""
        return dict(self.fields).get(to, 0.0)


# ------------------------------------------------------------------------------------------------------- moves


def move(words: Words, names: Sequence[str], view: View, chosen: Move) -> str:
    """Return a move in a few words, as it stands in a table: ``lay 45 2``; ``sail to Madeira``."""
    say = words.say
    match chosen:
        case Kontor():
            return say("Kontor card")
        case Smith():
            return say("Smith card")
        case Pass():
            return say("pass")
        case Put(two):
            return say("put {shares} under the pile", shares=shares(words, two))
        case Lay(horseshoes):
            return say("play {shoes}", shoes=plain(horseshoes))
        case Show(which):
            return say("show {colour}", colour=colour(words, which))
        case Keep():
            return say("show nothing")
        case Check():
            return say("check the pile")
        case Waive():
            return say("no check")
        case _:
            return _describe_steering(words, names, view, chosen)


def _describe_steering(words: Words, names: Sequence[str], view: View, chosen: Move) -> str:
    """Return a move about the Dutchman's destination in a few words."""
    chart = view.options.chart
    match chosen:
        case Sail(to):
            return words.say("sail to {field}", field=field(words, chart, to))
        case Name(to):
            return words.say("name {field}", field=field(words, chart, to))
        case Propose(to, ducats):
            assert view.bargain is not None
            terms = payments(words, names, view.bargain.tied, ducats)
            return words.say("propose {field}; {terms}", field=field(words, chart, to), terms=terms)
        case Withhold():
            return words.say("no proposal")
        case Accept():
            return words.say("accept")
        case _:
            assert isinstance(chosen, Decline)
            return words.say("decline")


# ----------------------------------------------------------------------------------------------------- outlook


def outlook(before: View, ends: Sequence[tuple[View, tuple[Any, ...]]]) -> Outlook:
    """Return the outlook of rounds played on from ``before``; ``ends`` are their last views, and what happened."""
    seat, count = before.mover, len(ends)
    sailed = [one for _, happened in ends for one in happened if isinstance(one, Sailed)]
    return Outlook(
        cash=tuple(
            sum(_cash(after, at) for after, _ in ends) / count - _cash(before, at)
            for at in range(len(before.players))
        ),
        wealth=sum(_wealth(after, seat) for after, _ in ends) / count - _wealth(before, seat),
        horseshoes=sum(len(after.rack) for after, _ in ends) / count - len(before.rack),
        over=sum(after.mover == OVER for after, _ in ends) / count,
        helm=sum(seat in one.by for one in sailed) / count,
        fields=tuple((to, often / count) for to, often in Counter(one.to for one in sailed).most_common()),
    )


def _cash(view: View, seat: int) -> int:
    return view.players[seat].cash


def _wealth(view: View, seat: int) -> int:
    return _cash(view, seat) + worth(view.shares, view.stones)


# --------------------------------------------------------------------------------------------------------- why


def why(
    words: Words, names: Sequence[str], view: View, played: tuple[Move, Outlook], best: tuple[Move, Outlook]
) -> list[str]:
    """Return why the best move was better than the one played, as far as this round shows it."""
    name, (_, one), (_, other) = names[view.mover], played, best
    sentences = [
        *_kept_shares(words, name, view, played[0], best[0]),
        *_describe_course(words, view, played, best),
        *_helm(words, name, one, other),
        *_ducats(words, name, view.mover, one, other),
        *_rival(words, names, view.mover, one, other),
    ]
    sentences += _horseshoes(words, name, one, other, alone=not sentences)
    if other.over <= _RARELY < one.over:
        return [*sentences, words.say("The game would have gone on.")]
    if not sentences and other.over <= _RARELY:
        return [*_describe_end(words, name, view, other)]
    return sentences


def _kept_shares(words: Words, name: str, view: View, played: Move, best: Move) -> Iterator[str]:
    """Yield the shares kept, their values, and the cost if their ships are met next (H6a, H11)."""
    if not (isinstance(best, Put) and isinstance(played, Put)):
        return
    better, other = _shares_left(view, best), _shares_left(view, played)
    yield words.say(
        "{name} keeps {shares}, worth {n} ducats now, instead of {others}, worth {m}.",
        name=name,
        shares=shares(words, better),
        n=worth(better, view.stones),
        others=shares(words, other),
        m=worth(other, view.stones),
    )
    due, instead = _cost_due(view, better), _cost_due(view, other)
    if due != instead:
        yield words.say(
            "If the Dutchman met every ship within its reach, these shares would cost {n} ducats, the others {m}.",
            n=due,
            m=instead,
        )


def _shares_left(view: View, put: Put) -> tuple[Colour, ...]:
    """Return the shares that are kept."""
    left = list(view.shares)
    for share in put.shares:
        left.remove(share)
    return tuple(left)


def _cost_due(view: View, held: tuple[Colour, ...]) -> int:
    """Return the cost of shares if the Dutchman meets every ship that it can reach now."""
    ship = sea_of(view.options.chart).ship
    met = {ship[to] for to in view.ahead if to in ship}
    return worth(tuple(share for share in held if share in met), view.stones)


def _describe_end(words: Words, name: str, view: View, best: Outlook) -> Iterator[str]:
    """Yield how the round ends after both moves, where it shows no difference."""
    richer = round(best.wealth)
    field_name = field(words, view.options.chart, best.fields[0][0]) if best.fields else ""
    if field_name:
        yield words.say("After both moves the Dutchman would probably go to {field} in this round.", field=field_name)
    if richer > 0:
        yield words.count(
            "Either way {name} would be about {n} ducat richer at its end; the difference shows later.",
            "Either way {name} would be about {n} ducats richer at its end; the difference shows later.",
            richer,
            name=name,
        )
    elif richer < 0:
        yield words.count(
            "Either way {name} would be about {n} ducat poorer at its end; the difference shows later.",
            "Either way {name} would be about {n} ducats poorer at its end; the difference shows later.",
            -richer,
            name=name,
        )
    else:
        yield words.say(
            "Either way {name} would be as rich as now at its end; the difference shows later.", name=name
        )


def _describe_course(
    words: Words, view: View, played: tuple[Move, Outlook], best: tuple[Move, Outlook]
) -> Iterator[str]:
    """Yield where the Dutchman would have gone; a move that names it itself needs no words."""
    if isinstance(best[0], Sail) or not (played[1].fields and best[1].fields):
        return
    best_field, played_field = best[1].fields[0][0], played[1].fields[0][0]
    chart = view.options.chart
    if best_field != played_field:
        yield words.say(
            "The Dutchman would probably have gone to {destination}, not to {here}.",
            destination=field(words, chart, best_field),
            here=field(words, chart, played_field),
        )
    elif best[1].often(best_field) - played[1].often(best_field) >= _PLAIN:
        yield words.say(
            "The Dutchman would have been more likely to go to {destination}.",
            destination=field(words, chart, best_field),
        )


def _helm(words: Words, name: str, played: Outlook, best: Outlook) -> Iterator[str]:
    if abs(best.helm - played.helm) >= _PLAIN:
        yield words.say(
            "{name} would have steered in {instead} of 100 simulated rounds, instead of {share}.",
            name=name,
            instead=round(100 * best.helm),
            share=round(100 * played.helm),
        )


def _ducats(words: Words, name: str, mover: int, played: Outlook, best: Outlook) -> Iterator[str]:
    """Yield the gain in cash; and where that is too small, in the value of shares."""
    gained = best.cash[mover] - played.cash[mover]
    if gained >= _FEW:
        yield words.count(
            "By the end of the round {name} would have had about {n} ducat more.",
            "By the end of the round {name} would have had about {n} ducats more.",
            round(gained),
            name=name,
        )
        return
    worth_more = best.wealth - played.wealth
    if worth_more >= _FEW:
        yield words.count(
            "Counting shares, {name} would have been about {n} ducat richer.",
            "Counting shares, {name} would have been about {n} ducats richer.",
            round(worth_more),
            name=name,
        )
    elif worth_more <= -_FEW and best.over <= _RARELY:
        yield words.count(
            "In this round that costs {name} about {n} ducat; it pays in the rounds that follow.",
            "In this round that costs {name} about {n} ducats; it pays in the rounds that follow.",
            round(-worth_more),
            name=name,
        )


def _rival(words: Words, names: Sequence[str], mover: int, played: Outlook, best: Outlook) -> Iterator[str]:
    """Yield the rival who would have lost the most cash."""
    losses = [(one - other, seat) for seat, (one, other) in enumerate(zip(played.cash, best.cash, strict=True))]
    loss, seat = max((loss for loss in losses if loss[1] != mover), key=lambda loss: loss[0])
    if loss >= _FEW:
        yield words.count(
            "{other} would have had about {n} ducat less.",
            "{other} would have had about {n} ducats less.",
            round(loss),
            other=names[seat],
        )


def _horseshoes(words: Words, name: str, played: Outlook, best: Outlook, *, alone: bool) -> Iterator[str]:
    """Yield the horseshoes left for later; ``alone``: nothing else differs."""
    more = round(best.horseshoes - played.horseshoes)
    if more > 0 and best.over <= _RARELY:
        yield words.count(
            "{n} more horseshoe would have been left for later rounds.",
            "{n} more horseshoes would have been left for later rounds.",
            more,
        )
        if alone:
            yield words.say("In ducats both moves come to about the same in this round.")


ADAPTER: Final = ReviewAdapter(move, "greedy", outlook, Outlook, why, opponents="steady")
