"""The rules of Shanghaien, in our own words."""

from __future__ import annotations

from typing import Final

from kontor.web.rulebook import Chapter, Rule, RuleBook
from kontor.words import mark

BOOK: Final = RuleBook(
    title="Shanghaien",
    players=mark("for two, about twenty minutes; Roman Pelek and Michael Schacht, 2008"),
    lead=mark(
        "Two captains sit in a harbour tavern, looking for hands. Six cards lie on the bar; with dice you bid for"
        " the ones you want. Sooner or later somebody calls “shanghai!”, the cards go to whoever has the better"
        " dice, and six new ones are laid. After eight rounds the crews are compared, nation by nation."
    ),
    chapters=(
        Chapter(
            mark("What is on the table"),
            (
                Rule(
                    "S1",
                    mark(
                        "There are 48 cards: 40 sailors and 8 dirty tricks. The sailors come from eight nations,"
                        " each with the values 1, 2, 3, 3 and 4: Americans, French, Germans, Chinese, Dutch, Turks,"
                        " Spaniards and Italians. Each captain has six dice. All 48 cards come into play, so what is"
                        " still to come is known to both; only the order is not."
                    ),
                ),
                Rule(
                    "S2",
                    mark(
                        "A trick card has two halves, and whoever plays it chooses one. The upper half is a joker,"
                        " which counts as two sailors. The lower half is a trick with the dice: nudge, both, or"
                        " reroll."
                    ),
                    ruling=mark(
                        "Of the eight cards three are nudges, two are boths and three are rerolls, unless something"
                        " else is agreed when the table is opened."
                    ),
                ),
            ),
            picture="cards",
        ),
        Chapter(
            mark("Before the first round"),
            (
                Rule(
                    "S3",
                    mark(
                        "The cards are shuffled, and six of them are laid in a row: that is the tavern. Who starts"
                        " is drawn at random, or agreed on beforehand."
                    ),
                ),
                Rule(
                    "S3a",
                    mark(
                        "A variant: each captain begins with a trick card of their own. Whoever is invited is told"
                        " before they sit down."
                    ),
                    ruling=mark(
                        "These two cards are extra, beside the 48, and both are of the same kind, which is chosen"
                        " with the variant."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("A turn"),
            (
                Rule(
                    "S4",
                    mark(
                        "The captains take turns. On yours you either roll and place a die, for which you need at"
                        " least two dice in your supply; or you call shanghai, for which at least two of your own"
                        " dice must have been placed in this round. Shanghai ends the round."
                    ),
                ),
                Rule("S5", mark("With one die left, or none, you can only call shanghai.")),
                Rule(
                    "S6",
                    mark(
                        "Roll two dice of your supply. Put one of them on your side of the card with its number; the"
                        " other goes back to the supply. A roll cannot be taken back, and one of the two must be"
                        " placed."
                    ),
                    example=mark("You roll 2 and 5. One die goes to card 2 or to card 5, as you like."),
                ),
                Rule(
                    "S7",
                    mark(
                        "The cards are numbered 1 to 6, from the left or from the right. Whoever starts the round"
                        " decides that, after seeing their first roll and before placing a die."
                    ),
                    ruling=mark("A trick can be used on that first roll too, before deciding or after it."),
                ),
            ),
            picture="roll",
        ),
        Chapter(
            mark("Dirty tricks"),
            (
                Rule(
                    "S8",
                    mark(
                        "Once a round you may use one trick card that you have, and only directly after a roll of"
                        " your own; so a trick won in the last round cannot be used any more. Your captain then"
                        " stands beside the card with the 1, to show that you have had your trick, and comes back at"
                        " the end of the round. Until then a grey captain keeps the place."
                    ),
                ),
                Rule(
                    "S8a",
                    mark(
                        "The joker: lay the card with sailors of a nation of which you have at least one. It stays"
                        " there to the end and counts as two of them; an unused trick it is no longer. Then place a"
                        " die of your roll as usual."
                    ),
                ),
                Rule(
                    "S8b",
                    mark(
                        "Nudge: turn one of the two dice up or down by 1, staying within 1 and 6. Then place one of"
                        " the two. The card leaves the game."
                    ),
                ),
                Rule("S8c", mark("Both: place both dice. The card leaves the game.")),
                Rule(
                    "S8d",
                    mark(
                        "Reroll: roll both dice again, and place one of the new ones; the old roll is gone. The card"
                        " leaves the game."
                    ),
                ),
            ),
            picture="tricks",
        ),
        Chapter(
            mark("Shanghai!"),
            (
                Rule(
                    "S9",
                    mark(
                        "Each card of the row is looked at by itself. Nobody’s die lies there: the card leaves the"
                        " game. Only one captain has dice there: it is theirs. Both have: it goes to whoever has"
                        " more. Equally many: count the pips of your own dice on the two cards beside it (a card at"
                        " the end has only one neighbour), and the higher sum wins. Equal again: the card leaves the"
                        " game."
                    ),
                    example=mark(
                        "Anna has dice on 2, 2, 3, 6 and 6, Bernd on 3, 4, 5, 6 and 6. Card 1 leaves. Card 2 is"
                        " Anna’s. On card 3 both have one; beside it Anna counts 4 and Bernd counts 4: it leaves."
                        " Cards 4 and 5 are Bernd’s. On card 6 both have two; beside it Anna has nothing and Bernd"
                        " 5: it is Bernd’s."
                    ),
                ),
                Rule(
                    "S10",
                    mark(
                        "Both take their dice back, and six new cards are laid. Whoever did not call shanghai starts"
                        " the next round. There are eight rounds."
                    ),
                ),
            ),
            picture="shanghai",
        ),
        Chapter(
            mark("Who has the better crew"),
            (
                Rule(
                    "S11",
                    mark(
                        "Compare the two crews nation by nation: their values, with jokers counted as 2. If both"
                        " captains have sailors of a nation, the stronger side scores the value of the weaker one,"
                        " and the weaker side scores nothing. Equal strength: nobody scores. If only one captain has"
                        " any, they score their full value. Each trick card that was not used is one point."
                    ),
                    example=mark(
                        "Anna has Chinese of 3, 3 and 4, Bernd one of 1: Anna scores 1, and Bernd nothing. If Bernd"
                        " had no Chinese at all, she would score 10: a single sailor in your rival’s strongest"
                        " nation can cost them nine points."
                    ),
                ),
                Rule("S12", mark("Most points win."), ruling=mark("With equal points the game is a draw.")),
            ),
        ),
    ),
)
