"""The tutorial of Der fliegende Holländer: a game for three whose first five rounds are told move by move."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.rules import Move, View
from kontor.games.dutchman.rules.components import HORSESHOES, Colour, Horseshoes
from kontor.games.dutchman.rules.horseshoes import highest_first
from kontor.games.dutchman.rules.moves import moves
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import (
    Accept,
    Deal,
    Dice,
    Kontor,
    Lay,
    Name,
    Options,
    Pass,
    Propose,
    Put,
    Sail,
    Show,
    Smith,
    State,
    Withhold,
)
from kontor.web.lessons import Lesson, LessonStep, Tip
from kontor.words import mark

_HANDS: Final[tuple[tuple[Colour, ...], ...]] = (
    ("blue", "blue", "green"),
    ("yellow", "red", "red"),
    ("green", "orange", "orange"),
)
_PILE: Final[tuple[Colour, ...]] = ("violet", "yellow", "violet")
_RACKS: Final[tuple[Horseshoes, ...]] = (
    (45, 43, 38, 29, 10, 10, 2, 1, 1),
    (47, 41, 34, 26, 20, 10, 10, 1, 1),
    (42, 36, 31, 25, 10, 10, 2, 1, 1),
)
_MIDDLE: Final[Horseshoes] = (33, 10, 1)


def _deal() -> Deal:
    left = list(HORSESHOES)
    for shoe in (*sum(_RACKS, ()), *_MIDDLE):
        left.remove(shoe)
    return Deal(_HANDS, _PILE, _RACKS, _MIDDLE, highest_first(left))


def _goes_on(state: State) -> Move:
    """Return a move: each lays one horseshoe, the starter of the round the best, and steers where they have least."""
    legal = moves(state)
    merchant = state.merchants[state.mover]
    match state.step:
        case "action":
            fits = [shoe for shoe in merchant.gold if shoe <= (state.lucky or 0)]
            if state.mover == state.starter and fits:
                return Lay((fits[0],))
            if Pass() in legal:
                return Pass()
            return Lay(merchant.rack[-1:])
        case "sail":
            return min((move for move in legal if isinstance(move, Sail)), key=lambda move: _cost(state, move.to))
        case "show":
            return max(
                (move for move in legal if isinstance(move, Show)),
                key=lambda move: worth((move.colour,), state.stones),
            )
        case "propose":
            return Withhold()
        case "again":
            return Pass()
        case _:
            return legal[0]


def _cost(state: State, to: str) -> int:
    colour = state.sea.ship[to]
    held = tuple(share for share in state.merchants[state.mover].shares if share == colour)
    return worth(held, state.stones)


_RICH: Final = 6
"""Horseshoes in the middle for which a Smith card is worth considering."""


def _is_rich(view: View) -> bool:
    return view.step == "action" and view.middle >= _RICH and view.round > 1


_HAND: Final = "df-grid"
"""Id of the desk, for steps where the question and the hand matter."""

LESSON: Final = Lesson(
    options=Options(players=3, starter=0),
    others=("Kaspar", "Melchior"),
    goes_on=_goes_on,
    seed=3,
    steps=(
        LessonStep(
            title=mark("A merchant in 1729"),
            text=mark(
                "You have 25 ducats and three secret shares in ships. A ghost ship, the Dutchman, sails among "
                "them: where it meets a ship, its shareholders pay; where it meets an island, those who steered it "
                "earn. In the end cash and the value of the shares count: the richest wins."
            ),
            before=(_deal(), Dice(30, 5)),
            lit=("df-share-blue-1", "df-share-blue-2", "df-share-green-1"),
        ),
        LessonStep(
            title=mark("The lucky number"),
            text=mark(
                "Every round two dice make the lucky number: now 35. Whoever comes nearest to it with horseshoes, "
                "but not above it, steers the Dutchman. You may use one golden horseshoe; each silver one is added "
                "or subtracted, whichever is better. So 45 and 10 make exactly 35."
            ),
            ask=mark("Choose the golden 45 and a silver 10, and play them face down."),
            move=Lay((45, 10)),
            other=mark("You can do that. But 45 − 10 is exactly 35, and nobody can beat that: play the 45 and a 10."),
            done=mark("All horseshoes were turned over together. You are exact: you steer."),
            lit=("df-shoe-45-1", "df-shoe-10-1", "df-lay"),
            there=_HAND,
        ),
        LessonStep(
            title=mark("A ship costs its shareholders"),
            text=mark(
                "You must move the Dutchman along one line, never back to where it came from. Everyone with shares "
                "in the ship it meets pays the ship’s value for each of them: now 2 ducats. You have no share in "
                "red."
            ),
            before=(Lay((34,)), Lay((31, 1))),
            ask=mark("Sail to the red ship: press it on the chart, then “Set sail”."),
            move=Sail("red 1"),
            other=mark("It may sail there. But you know for sure that red costs you nothing: take the red ship."),
            done=mark("Kaspar had to show two red shares and pay for them. You paid nothing."),
            lit=("df-spot-1-0", "df-to-1-0", "df-sail"),
        ),
        LessonStep(
            title=mark("What is spared grows in value"),
            text=mark(
                "The marker of each ship stands on a treasure chest: that is what a share in it is worth. The ship "
                "that was met is worth 2 again, and all the others move on one chest, with the black marker. When "
                "the black marker reaches 18, after ten ships, the game ends."
            ),
            lit=("df-ruler", "df-stones"),
        ),
        LessonStep(
            title=mark("The Smith fetches horseshoes"),
            text=mark(
                "Everyone takes one action per round: play horseshoes, a Smith card or a Kontor card. (With fewer "
                "than five horseshoes one may also pass.) What was played before lies in the middle: eight "
                "horseshoes. A Smith card fetches them, shared with other smiths. You have three for the whole "
                "game."
            ),
            before=(Dice(20, 7), Lay((26, 1)), Lay((25,))),
            ask=mark("Play a Smith card."),
            move=Smith(),
            other=mark(
                "You can do that. But nobody else is a smith in this round, so all eight would be yours: play a "
                "Smith card."
            ),
            done=mark(
                "All eight are yours. But Kaspar steered, and blue cost you 3 ducats for each of your two shares."
            ),
            lit=("df-choose-smith", "df-ask-smith-yes"),
            there=_HAND,
        ),
        LessonStep(
            title=mark("The Kontor swaps shares"),
            text=mark(
                "Blue was met, so it is worth just 2 now. With a Kontor card you draw the top two shares of the "
                "pile and put any two of your five back under it. Of Kontor cards, too, you have only three for "
                "the whole game."
            ),
            before=(Sail("blue 1"), Dice(40, 1), Lay((36, 2))),
            ask=mark("Play a Kontor card."),
            move=Kontor(),
            other=mark(
                "You can do that. But your blue shares are worth little, and now is the time to change them: play "
                "a Kontor card."
            ),
            lit=("df-choose-kontor", "df-ask-kontor-yes"),
            there=_HAND,
        ),
        LessonStep(
            title=mark("Which shares to keep"),
            text=mark(
                "You drew violet and yellow. Blue is worth 2 a share, the three others 4 each. Nobody sees what "
                "you put back."
            ),
            ask=mark("Put the two blue shares under the pile."),
            move=Put(("blue", "blue")),
            other=mark("Those are worth 4 each. The blue ones are worth only 2: put both of them back."),
            done=mark("Now you have three shares that are worth more, and nobody knows which."),
            lit=("df-share-blue-1", "df-share-blue-2", "df-put"),
            there=_HAND,
        ),
        LessonStep(
            title=mark("Tied: each names a destination"),
            text=mark(
                "Each round the next to the left begins: this time you, with the golden 43 for the lucky number "
                "43. But Melchior has 42 + 1. You steer together: if you both name the same destination, the "
                "Dutchman goes there. The violet ship would cost you 5 ducats; on the island Curaçao each of you "
                "could earn."
            ),
            before=(Lay((41,)), Sail("orange 2"), Dice(40, 3), Lay((43,)), Smith(), Lay((42, 1))),
            ask=mark("Name Curaçao."),
            move=Name("Curaçao"),
            other=mark("There you would pay 5 ducats for your violet share. Name the island Curaçao."),
            done=mark("Melchior names the violet ship: it would cost only you."),
            lit=("df-spot-3-1", "df-to-3-1", "df-name"),
        ),
        LessonStep(
            title=mark("Strike a bargain"),
            text=mark(
                "Each tied player may propose where to go, and who pays whom. If all of them accept, it is done; "
                "if no proposal is accepted, they play more horseshoes for the same lucky number. Two ducats for "
                "Melchior are cheaper than five for violet."
            ),
            before=(Name("violet 1"),),
            ask=mark("Propose Curaçao, and that you pay Melchior 2 ducats."),
            move=Propose("Curaçao", (-2, 2)),
            other=mark("That is allowed, too. In this lesson: Curaçao, you pay 2 ducats, and Melchior gets 2."),
            done=mark("Melchior accepts: he has your two ducats, and the Dutchman lies at Curaçao."),
            lit=("df-spot-3-1", "df-to-3-1", "df-ducats-1", "df-more-1", "df-propose"),
            there=_HAND,
        ),
        LessonStep(
            title=mark("An island brings money"),
            text=mark(
                "Everyone who took part in steering may show one share and gets its value from the bank. The "
                "others then know that you have it. On an island no marker moves."
            ),
            before=(Accept(),),
            ask=mark("Show your green share: it brings 5 ducats."),
            move=Show("green"),
            other=mark("That is allowed. In this lesson, show the green share and take its 5 ducats."),
            done=mark("The bank paid you 5 ducats."),
            lit=("df-share-green-1", "df-show"),
            there=_HAND,
        ),
        LessonStep(
            title=mark("No agreement: the deciding round"),
            text=mark(
                "A new round: you and Kaspar both made 31. You wanted blue, Kaspar wanted green, and neither made "
                "a proposal. So the two of you play more horseshoes for the same lucky number, again with one "
                "golden one. Whoever is nearest now steers alone; whoever passes is out of it."
            ),
            before=(
                *(Show("green"), Dice(30, 1), Lay((20, 10, 1)), Pass(), Lay((31,)), Name("green 2"), Name("blue 3")),
                *(Withhold(), Withhold(), Withhold(), Withhold(), Lay((26, 1))),
            ),
            ask=mark("Play the golden 33 and the silver 2 face down."),
            move=Lay((33, 2)),
            other=mark("That is allowed. But 33 − 2 is exactly 31, and nobody can beat that: play the 33 and the 2."),
            done=mark("31: exact. Kaspar had only 27, so you steered alone and met blue: it cost you nothing."),
            lit=("df-shoe-33-1", "df-shoe-2-1", "df-lay"),
            there=_HAND,
        ),
        LessonStep(
            title=mark("The end"),
            text=mark(
                "The other rounds have been played quickly. Melchior could not pay for a ship in full: he gave all "
                "he had and is out of the game, bankrupt. So keep some ducats in hand! After ten ships cash and "
                "shares are added up. That is all you need to know: now play a game of your own!"
            ),
            before=(Sail("blue 3"),),
            to_the_end=True,
            lit=("df-end",),
        ),
    ),
)


TIPS: Final = (
    Tip(
        "again",
        lambda view: view.step == "again",
        mark(
            "No agreement: the tied players play more horseshoes for the same lucky number. Whoever passes now no "
            "longer steers."
        ),
    ),
    Tip(
        "tie",
        lambda view: view.step == "name",
        mark(
            "You are tied: each tied player names a destination. If all name the same, it is done; if not, you "
            "bargain."
        ),
    ),
    Tip(
        "bargain",
        lambda view: view.step in ("propose", "answer"),
        mark("Now you may bargain: a destination, and who pays whom. It is done when all tied players accept."),
    ),
    Tip(
        "sail",
        lambda view: view.step == "sail",
        mark("You steer. A ship costs its shareholders, you among them; on an island only you may earn."),
    ),
    Tip(
        "island",
        lambda view: view.step == "show",
        mark("An island: you may show one share and get its value. The others then know that you have it."),
    ),
    Tip(
        "put",
        lambda view: view.step == "put",
        mark(
            "Keep shares that are worth a lot and whose ships are unlikely to be met. Nobody sees what you put "
            "under the pile."
        ),
    ),
    Tip(
        "action",
        lambda view: view.step == "action",
        mark(
            "One action per round. Your three Kontor and three Smith cards must last the whole game; only a Smith "
            "card brings horseshoes back."
        ),
    ),
    Tip(
        "middle",
        _is_rich,
        mark("Many horseshoes lie in the middle: a Smith card fetches them, shared with other smiths."),
    ),
)
