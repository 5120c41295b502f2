"""The tutorial of Shanghaien: a game of which the first four rounds are told move by move."""

from __future__ import annotations

from typing import Final

from kontor.games.shanghaien.rules import Move, View
from kontor.games.shanghaien.rules.components import is_sailor, value_of
from kontor.games.shanghaien.rules.play import moves
from kontor.games.shanghaien.rules.state import (
    Both,
    Dice,
    Nudge,
    Number,
    Options,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
    State,
)
from kontor.web.lessons import Lesson, LessonStep, Tip
from kontor.words import mark

_ENOUGH: Final = 3
"""Dice after which a round is ended, where the game goes on by itself."""


def _goes_on(state: State) -> Move:
    """Return a move that takes the better card and ends a round early."""
    legal = moves(state)
    if Shanghai() in legal and sum(state.placed[state.turn]) >= _ENOUGH:
        return Shanghai()
    if state.step == "turn":
        return legal[0]
    if state.one_at is None:
        return Number("left")
    row = state.row if state.one_at == "left" else state.row[::-1]

    def worth(move: Move) -> int:
        card = row[move.die - 1] if isinstance(move, Place) else ""
        return value_of(card) if is_sailor(card) else 2

    return max((move for move in legal if isinstance(move, Place)), key=worth)


LESSON: Final = Lesson(
    options=Options(starter=0),
    others=("Kaspar",),
    goes_on=_goes_on,
    seed=10,
    steps=(
        LessonStep(
            title=mark("Two captains, one tavern"),
            text=mark(
                "You and Kaspar are captains looking for hands. In each of eight rounds six cards lie on the bar, "
                "and with six dice each you compete for them; then your crews are compared. On your turn you roll "
                "two dice: one is placed, the other goes back to your supply."
            ),
            before=(Row(("I1", "G2", "D3", "S4", "A1", "nudge")),),
            ask=mark("Roll two dice."),
            move=Roll(),
            lit=("sh-do-roll",),
        ),
        LessonStep(
            title=mark("Where is the 1?"),
            text=mark(
                "You rolled a 4 and a 5. A die goes to the card with its number. The cards are numbered from the "
                "left or from the right; whoever starts the round decides which, after the first roll."
            ),
            before=(Dice(4, 5),),
            ask=mark("Put the 1 on the left: press the left captain."),
            move=Number("left"),
            other=mark(
                "From the right, your 4 and 5 would hit a Dutch 3 and a German 2. From the left, the 4 hits the "
                "Spaniard worth 4: choose the left."
            ),
            done=mark("Now the numbers 1 to 6 stand below the cards, and your two dice light up their cards."),
            lit=("sh-do-number-left",),
        ),
        LessonStep(
            title=mark("Place one die"),
            text=mark(
                "A sailor has a nation and a value from 1 to 4. With the 4 you compete for a Spaniard worth 4, "
                "with the 5 for an American worth 1."
            ),
            ask=mark("Place the 4 on the Spaniard: press the die or the card."),
            move=Place(4),
            other=mark("That American is worth only 1. The Spaniard is worth 4: place the 4."),
            done=mark("Your die lies below the card, on your side. The 5 went back to your supply."),
            lit=("sh-do-place-4", "sh-card-4"),
        ),
        LessonStep(
            title=mark("Two dice on one card"),
            text=mark(
                "Kaspar wants card 6, a trick card. You have just rolled a 3 and a 6. A card goes to whoever has "
                "more dice on it, so with your 6 it is one against one."
            ),
            before=(Roll(), Dice(3, 6), Place(6), Roll(), Dice(3, 6)),
            ask=mark("Place the 6 on the trick card."),
            move=Place(6),
            other=mark("The Dutch sailor is not bad, but then Kaspar gets the trick card for nothing. Place the 6."),
            done=mark("One die each on card 6."),
            lit=("sh-do-place-6", "sh-card-6"),
        ),
        LessonStep(
            title=mark("The neighbours break a tie"),
            text=mark(
                "With equally many dice on a card, each adds up the pips of their own dice on the cards next to "
                "it; the higher sum gets it. Next to card 6 there is only card 5, and Kaspar has nothing there."
            ),
            before=(Roll(), Dice(2, 2), Place(2), Roll(), Dice(1, 5)),
            ask=mark("Place the 5 on card 5."),
            move=Place(5),
            other=mark(
                "Card 1 is just an Italian worth 1. The 5 brings you the American and, next to it, the trick card: "
                "place the 5."
            ),
            done=mark("On card 6 it is still one against one, but next to it you have 5 pips and Kaspar none."),
            lit=("sh-do-place-5", "sh-card-5"),
        ),
        LessonStep(
            title=mark("Shanghai!"),
            text=mark(
                "With at least two of your own dice on the bar you may call “Shanghai!” instead of rolling: the "
                "round ends at once. (With fewer than two dice left you have to.) Three cards would be yours now."
            ),
            before=(Roll(), Dice(1, 4), Place(1)),
            ask=mark("Call “Shanghai!”"),
            move=Shanghai(),
            other=mark(
                "You could roll again, but then Kaspar rolls, too, and may take a card from you. End the round "
                "while you lead."
            ),
            done=mark("Three cards are yours, two are Kaspar’s. He starts the next round, because you called."),
            lit=("sh-end", "sh-do-shanghai"),
        ),
        LessonStep(
            title=mark("Who gets which card"),
            text=mark(
                "An arrow shows who gets a card; what decided it stands beside the dice, the higher number in "
                "yellow. On card 6 each of you had one die, so the pips next to it counted: 5 to 0. A card without "
                "dice leaves the game, and so does one on which even the neighbours are equal. Below lies the new "
                "row."
            ),
            before=(Row(("C3", "C4", "T2", "S3", "C3", "reroll")),),
            lit=("sh-got-1",),
        ),
        LessonStep(
            title=mark("A dirty trick"),
            text=mark(
                "Once per round, right after your roll, you may play one half of a trick card. The upper one is a "
                "joker: it counts as two more sailors of a nation that you have. The lower one of this card, "
                "Nudge, changes a die by 1."
            ),
            before=(Roll(), Dice(1, 2), Number("left"), Place(2), Roll(), Dice(2, 3)),
            ask=mark("Another Spaniard is on card 4: play Nudge and turn your 3 into a 4."),
            move=Nudge(3, 4),
            other=mark(
                "You may do that. But with Nudge the 3 becomes a 4, and you can have the Spaniard on card 4: press "
                "the lower half of the trick card."
            ),
            done=mark(
                "You placed the 4, and the trick card left the game. Your captain stood at the bar: no second "
                "trick in that round."
            ),
            lit=("sh-nudge-open", "sh-do-nudge-3-4"),
        ),
        LessonStep(
            title=mark("Roll again"),
            text=mark(
                "Among your new cards is another trick card, with Reroll below: both dice are rolled again, and "
                "there is no way back. Two sixes can only go to the German worth 1. (Unused, a trick card is worth "
                "a point at the end.)"
            ),
            before=(
                *(Place(4), Roll(), Dice(1, 6), Place(1), Roll(), Dice(3, 3), Place(3)),
                *(Roll(), Dice(5, 6), Place(5), Roll(), Dice(6, 6), Place(6), Shanghai()),
                *(Row(("D2", "A3", "I3", "both", "F4", "G1")), Roll(), Dice(6, 6), Number("left")),
            ),
            ask=mark("Play Reroll: press the lower half of the trick card."),
            move=Reroll(),
            other=mark("You may do that. But a German worth 1 is little for a die: press the lower half, Reroll."),
            done=mark("A 4 and a 5, much better: you placed the 4 on a Both card, and got it."),
            lit=("sh-do-reroll",),
        ),
        LessonStep(
            title=mark("Spoil a crew"),
            text=mark(
                "Kaspar has Chinese worth 10. A nation that only one of you has scores in full. If both have it, "
                "the stronger crew scores only what the weaker one is worth, and the weaker nothing: one Chinese "
                "sailor costs Kaspar nine points. And your Both card places both dice."
            ),
            before=(
                *(Dice(4, 5), Place(4), Roll(), Dice(2, 5), Place(5), Roll(), Dice(3, 3), Place(3)),
                *(Roll(), Dice(2, 6), Place(2), Shanghai()),
                *(Row(("C1", "G3", "I2", "T4", "D1", "A2")), Roll(), Dice(4, 6), Number("left"), Place(4)),
                *(Roll(), Dice(1, 3)),
            ),
            ask=mark("Play Both: the 1 goes to the Chinese sailor, the 3 to an Italian."),
            move=Both(),
            other=mark(
                "You may do that. But with Both you get the Chinese sailor and the Italian: press its lower half."
            ),
            done=mark("Both sailors are yours, and Kaspar’s ten points have become one."),
            lit=("sh-do-both",),
        ),
        LessonStep(
            title=mark("Who scores what"),
            text=mark(
                "The table at the bottom shows it at any time. Both have a nation: the stronger scores the value "
                "of the weaker; equally strong: nobody scores. Only one has it: full value. Each trick card you "
                "have not used is a point."
            ),
            before=(Roll(), Dice(5, 6), Place(5), Shanghai()),
            lit=("sh-ledger",),
        ),
        LessonStep(
            title=mark("After eight rounds"),
            text=mark(
                "The other rounds have been played quickly, and the crews are compared for good. Whoever has more "
                "points has won. That is all you need to know: now play a game of your own!"
            ),
            to_the_end=True,
            lit=("sh-outcome",),
        ),
    ),
)


def _may_use_trick(view: View) -> bool:
    seat = view.seat or 0
    return view.step == "place" and bool(view.crews[seat].tricks) and not view.spent[seat]


def _may_end(view: View) -> bool:
    return view.step == "turn" and sum(view.placed[view.seat or 0]) >= 2


def _is_contested(view: View) -> bool:
    own, other = view.placed[view.seat or 0], view.placed[1 - (view.seat or 0)]
    return view.step == "place" and any(a and a == b for a, b in zip(own, other, strict=True))


TIPS: Final = (
    Tip(
        "trick",
        _may_use_trick,
        mark("You have a trick card: one trick a round, now or after a later roll. Unused it is worth a point."),
    ),
    Tip(
        "tie",
        _is_contested,
        mark("On one card you both have equally many dice: your own pips on the cards next to it decide."),
    ),
    Tip(
        "shanghai",
        _may_end,
        mark(
            "With two of your own dice placed you may call “Shanghai!”. It ends the round, and your opponent starts "
            "the next."
        ),
    ),
    Tip(
        "number",
        lambda view: view.step == "place" and view.one_at is None,
        mark("You start this round: say at which end the 1 is. See what your two dice would hit from either end."),
    ),
    Tip(
        "score",
        lambda view: view.round > 1 and view.step == "turn",
        mark(
            "Before you compete for a card, look at the score table: one sailor of a nation in which your opponent "
            "is strong costs them most."
        ),
    ),
)
