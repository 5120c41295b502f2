"""Reviews of Shanghaien: moves in a few words, the outlook of a round, and why one move was better than another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from kontor.game import Below, Value, shuffled
from kontor.games.shanghaien.rules.components import ROUNDS, ROW, Card
from kontor.games.shanghaien.rules.play import deal_out
from kontor.games.shanghaien.rules.scoring import totals
from kontor.games.shanghaien.rules.state import Both, Joker, Move, Nudge, Number, Place, Reroll, Roll, Row, Shanghai
from kontor.games.shanghaien.rules.view import View
from kontor.games.shanghaien.words import ENDS, card, card_at, nation
from kontor.review.adapter import ReviewAdapter
from kontor.words import Words

_PLAIN: Final = 0.15
"""The least difference between two moves in a captain's share of a card that is mentioned."""

_LITTLE: Final = 0.5
"""The least difference in points that is mentioned."""

_OFTEN: Final = 0.02
"""The least difference in the chance to be ahead at the end of the game that is mentioned."""

_MOST: Final = 2
"""The most cards of a row that are mentioned."""

_TRICKS: Final = (Joker, Nudge, Both, Reroll)


class CardOutlook(Value, frozen=True):
    """Share of outcomes in which each captain gets a card, 0 to 1; otherwise it leaves the game."""

    card: Card
    shares: tuple[float, float]


class Outlook(Value, frozen=True):
    """Continuations of rounds from a decision, seen by the captain who decides.

    ``cards`` are those of the row, from left to right. ``lead`` is by how many points the captain is ahead at the
    round's end on average (below 0: behind); ``ahead`` how often (0 to 1) they are ahead then, where level counts
    half; ``starts`` how often they start the next round. (Reviews stored by an older Kontor have only the cards.)
    """

    cards: tuple[CardOutlook, ...]
    lead: float = 0.0
    ahead: float = 0.0
    starts: float = 0.0


# ------------------------------------------------------------------------------------------------------- moves


def move(words: Words, names: Sequence[str], view: View, chosen: Move) -> str:
    """Return a move in a few words, for a table: ``the 4 on the French 3``."""
    match chosen:
        case Roll():
            return words.say("roll")
        case Shanghai():
            return words.say("shanghai")
        case Number(one_at):
            return words.say("the 1 {end}", end=words.say(ENDS[one_at]))
        case Place(die):
            return words.say("the {die} on {card}", die=die, card=card(words, card_at(view, die)))
        case Joker(trick, sailors):
            return words.say("{card} as a joker ({nation})", card=card(words, trick), nation=nation(words, sailors))
        case Nudge(die, to):
            return words.say("Nudge: the {die} becomes {to}", die=die, to=to)
        case Both():
            return words.say("both dice")
        case Reroll():
            return words.say("reroll")


# ----------------------------------------------------------------------------------------------------- outlook


def outlook(before: View, ends: Sequence[tuple[View, tuple[Any, ...]]]) -> Outlook:
    """Return who gets which card of the row, counted in rounds that were played on from ``before``.

    ``ends`` are the last views of these rounds, and what happened until then.
    """
    rows = [view.awards if view.awards_one_at == "left" else view.awards[::-1] for view, _ in ends]
    takers = [Counter(award.taker for award in awards) for awards in zip(*rows, strict=True)]
    own, other = _sides(before)
    leads = [points[own] - points[other] for points in (totals(view.crews) for view, _ in ends)]
    return Outlook(
        cards=tuple(
            CardOutlook(which, (counted[0] / len(rows), counted[1] / len(rows)))
            for which, counted in zip(before.row, takers, strict=True)
        ),
        lead=sum(leads) / len(leads),
        ahead=sum(1.0 if lead > 0 else 0.5 if lead == 0 else 0.0 for lead in leads) / len(leads),
        starts=sum(view.turn == own for view, _ in ends) / len(ends),
    )


# --------------------------------------------------------------------------------------------------------- why


def why(
    words: Words, names: Sequence[str], view: View, played: tuple[Move, Outlook], best: tuple[Move, Outlook]
) -> list[str]:
    """Return why the best move was better than the one played, as far as the outlooks show it."""
    sentences = [
        *_ending(words, names, view, played[0], best[0]),
        *_cards(words, names, view, played, best),
        *_points(words, names[view.mover], view, played[1], best[1]),
        *_trick(words, view, played[0], best[0]),
    ]
    return sentences or [*_next_round(words, names[view.mover], view, played[1], best[1])]


def _sides(view: View) -> tuple[int, int]:
    """Return the seat that decides, and the other."""
    return view.mover, 1 - view.mover


def _ending(words: Words, names: Sequence[str], view: View, played: Move, best: Move) -> Iterator[str]:
    """Yield what ending the round gave, or would have given (S9)."""
    if not isinstance(best, Shanghai) and not isinstance(played, Shanghai):
        return
    awards = deal_out(view.row if view.one_at == "left" else view.row[::-1], view.placed)
    own_cards, other_cards = (
        _list_cards(words, [award.card for award in awards if award.taker == seat]) for seat in _sides(view)
    )
    name, other = (names[seat] for seat in _sides(view))
    yield words.say(
        "Ending the round brings {name} {mine}, and {other} {theirs}.",
        name=name,
        mine=own_cards,
        other=other,
        theirs=other_cards,
    )


def _list_cards(words: Words, cards: Sequence[Card]) -> str:
    return words.all_of([card(words, which) for which in cards]) if cards else words.say("nothing")


class _Gain(Value, frozen=True):
    """A card that the better move wins more often for the captain who decides, or less often for the other.

    ``seat`` gets it in ``share`` of the rounds after the move played, in ``instead`` of them after the better one.
    """

    gain: float
    card: Card
    seat: int
    share: float
    instead: float


def _gains(view: View, played: Outlook, best: Outlook) -> list[_Gain]:
    """Return the cards with a clear gain, the largest gain first."""
    largest = []
    for one, other in zip(played.cards, best.cards, strict=True):
        gains = [
            _Gain(
                sign * (other.shares[seat] - one.shares[seat]), one.card, seat, one.shares[seat], other.shares[seat]
            )
            for seat, sign in zip(_sides(view), (1, -1), strict=True)
        ]
        largest.append(max(gains, key=lambda gain: gain.gain))
    plain = [gain for gain in largest if gain.gain >= _PLAIN]
    return sorted(plain, key=lambda gain: -gain.gain)[:_MOST]


def _cards(
    words: Words, names: Sequence[str], view: View, played: tuple[Move, Outlook], best: tuple[Move, Outlook]
) -> Iterator[str]:
    """Yield who gets the cards. If one of the moves ends the round, only the other one leaves that open."""
    gains = _gains(view, played[1], best[1])
    if isinstance(best[0], Shanghai) or isinstance(played[0], Shanghai):
        yield from (
            words.say(
                "If the round goes on, {name} gets {card} in {share} of 100 simulations.",
                name=names[gain.seat],
                card=card(words, gain.card),
                share=round(100 * (gain.share if isinstance(best[0], Shanghai) else gain.instead)),
            )
            for gain in gains[:1]
        )
        return
    for gain in gains:
        yield words.say(
            "If the round goes on from here, {name} gets {card} in {share} of 100 simulations; after the "
            "better move, in {instead}.",
            name=names[gain.seat],
            card=card(words, gain.card),
            share=round(100 * gain.share),
            instead=round(100 * gain.instead),
        )


def _points(words: Words, name: str, view: View, played: Outlook, best: Outlook) -> Iterator[str]:
    """Yield the difference in points (S11), or in the last round in the chance to be ahead (S12)."""
    more = best.lead - played.lead
    if view.round == ROUNDS and best.ahead - played.ahead >= _OFTEN:
        yield words.say(
            "At the end {name} is ahead in {instead} of 100 simulations, instead of {share}.",
            name=name,
            instead=round(100 * best.ahead),
            share=round(100 * played.ahead),
        )
    elif more >= _LITTLE:
        yield words.count_tenths(
            "At the end of the round {name} is {n} point better off against the opponent, on average.",
            "At the end of the round {name} is {n} points better off against the opponent, on average.",
            more,
            name=name,
        )
    elif more <= -_LITTLE and view.round < ROUNDS:
        yield words.count_tenths(
            "In this round that costs {name} {n} point, on average; it pays in the rounds that follow.",
            "In this round that costs {name} {n} points, on average; it pays in the rounds that follow.",
            -more,
            name=name,
        )


def _next_round(words: Words, name: str, view: View, played: Outlook, best: Outlook) -> Iterator[str]:
    """Yield how the next round begins (S10), for moves between which this round shows no difference."""
    if view.round == ROUNDS:
        return
    if abs(best.starts - played.starts) >= _PLAIN:
        yield words.say(
            "The points come to about the same; but {name} starts the next round in {instead} of 100 simulations, "
            "instead of {share}.",
            name=name,
            instead=round(100 * best.starts),
            share=round(100 * played.starts),
        )
    else:
        yield words.count_tenths(
            "In this round both come to about the same ({n} point apart on average): the difference shows later.",
            "In this round both come to about the same ({n} points apart on average): the difference shows later.",
            abs(best.lead - played.lead),
        )


def _trick(words: Words, view: View, played: Move, best: Move) -> Iterator[str]:
    """Yield what a trick card could have been kept for (S11)."""
    if isinstance(played, _TRICKS) and not isinstance(best, _TRICKS):
        if view.round < ROUNDS:
            yield words.say("The trick card would have been saved for a better moment.")
        elif not isinstance(played, Joker):
            yield words.say("Unused, the trick card would have been worth a point.")


# ---------------------------------------------------------------------------------------------------------- rows


def drawn_evenly(view: View, number: int, below: Below) -> list[Row]:
    """Return rows of the cards still to come (S3).

    The pile is shuffled and laid out to its end, as often as it takes. Each row is as likely as any other, but all
    cards come equally often, which halves the variance of a mean over the rows.
    """
    rows: list[Row] = []
    while len(rows) < number:
        pile = shuffled(view.to_come, below)
        rows += [Row(tuple(pile[first : first + ROW])) for first in range(0, len(pile), ROW)]
    return rows[:number]


ADAPTER: Final = ReviewAdapter(move, "expert", outlook, Outlook, why, drawn_evenly, opponents="expert")
