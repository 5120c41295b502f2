"""The rules of Shanghaien, in our own words."""

from __future__ import annotations

from typing import Final

from kontor.games.shanghaien.web.teaching import ABOUT, EXAMPLES, HERE, SIGNS, STEPS, STEPS_TITLE
from kontor.web.rulebook import Chapter, Rule, RuleBook
from kontor.words import mark

BOOK: Final = RuleBook(
    title="Shanghaien",
    players=mark("for two players, about twenty minutes; Roman Pelek and Michael Schacht, 2008"),
    lead=mark(
        "Two captains sit in a harbour tavern, looking for hands. Six cards lie on the bar; with dice you compete "
        "for the ones you want. Sooner or later someone calls “Shanghai!”, the cards go to whoever has the better "
        "dice, and six new ones are laid out. After eight rounds the crews are compared, nation by nation: where "
        "yours is stronger, you score what your opponent’s weaker crew is worth."
    ),
    chapters=(
        Chapter(
            mark("What is on the table"),
            (
                Rule(
                    "S1",
                    mark(
                        "There are 48 cards: 40 sailors and 8 dirty tricks. The sailors come from eight nations, "
                        "each with the values 1, 2, 3, 3 and 4: Americans, French, Germans, Chinese, Dutch, Turks, "
                        "Spaniards and Italians. Each captain has six dice. All 48 cards appear, so both players "
                        "know which are still to come, but not in which order."
                    ),
                ),
                Rule(
                    "S2",
                    mark(
                        "A trick card has two halves; if you play it, choose one. The upper half is a joker, which "
                        "counts as two sailors. The lower half is a trick with the dice: Nudge (change one die by "
                        "1), Both (place both dice) or Reroll (roll both again)."
                    ),
                    ruling=mark(
                        "Of the eight trick cards, three are Nudge, two Both and three Reroll, unless agreed "
                        "otherwise when the table is opened."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("Before the first round"),
            (
                Rule(
                    "S3",
                    mark(
                        "Shuffle the cards and lay six of them out in a row: that is the tavern. The starting player "
                        "is drawn at random, or agreed on beforehand."
                    ),
                ),
                Rule(
                    "S3a",
                    mark(
                        "A variant: each captain starts with a trick card of their own. Anyone invited is told "
                        "before they sit down."
                    ),
                    ruling=mark(
                        "These two cards are extra, on top of the 48, and both are of the same kind, chosen with the "
                        "variant."
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
                        "Take turns. On your turn either roll and place a die (you need two dice in your supply) or "
                        "call “Shanghai!” (you need two of your own dice placed this round), which ends the round."
                    ),
                ),
                Rule("S5", mark("With one die left, or none, you can only call “Shanghai!”.")),
                Rule(
                    "S6",
                    mark(
                        "Roll two dice from your supply. Put one of them on your side of the card with its number; "
                        "the other goes back to the supply. You cannot take back a roll, and one of the two dice "
                        "must be placed."
                    ),
                    example=mark("You roll 2 and 5. One die goes to card 2 or to card 5, as you like."),
                ),
                Rule(
                    "S7",
                    mark(
                        "The cards are numbered 1 to 6, from the left or from the right. The starting player of the "
                        "round decides which, after seeing their first roll and before placing a die."
                    ),
                    ruling=mark("You can use a trick on that first roll too, before or after deciding."),
                ),
            ),
        ),
        Chapter(
            mark("Dirty tricks"),
            (
                Rule(
                    "S8",
                    mark(
                        "Once per round you may use one of your trick cards, directly after a roll of your own; so a "
                        "trick won in the last round can no longer be used. Your captain then takes the place of a "
                        "grey one beside the card with the 1, to show that you have used your trick, and comes back "
                        "at the end of the round."
                    ),
                ),
                Rule(
                    "S8a",
                    mark(
                        "Joker: place the card with sailors of a nation of which you have at least one. It stays "
                        "there to the end, counts as two sailors and no longer counts as an unused trick. Then place "
                        "a die from your roll as usual."
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
                        "Reroll: roll both dice again and place one of the new ones; the old roll is gone. The card "
                        "leaves the game."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("Shanghai!"),
            (
                Rule(
                    "S9",
                    mark(
                        "Take the cards one by one. No dice: the card leaves the game. Only one captain has dice "
                        "there: the card is theirs. Both have: it goes to the captain with more. The same number: "
                        "count the pips of your own dice on the two neighbouring cards (a card at the end has only "
                        "one neighbour), and the higher total wins. Equal again: the card leaves the game."
                    ),
                    example=mark(
                        "Anna has dice on 2, 2, 3, 6 and 6, Bernd on 3, 4, 5, 6 and 6. Card 1: no dice, it leaves. "
                        "Card 2 is Anna’s. Card 3: one die each; on the neighbouring cards Anna has 4 (two 2s) and "
                        "Bernd 4 (one 4), so it leaves. Cards 4 and 5 are Bernd’s. Card 6: two each; on card 5 Anna "
                        "has nothing and Bernd a 5, so it is Bernd’s."
                    ),
                ),
                Rule(
                    "S10",
                    mark(
                        "Both take their dice back, and six new cards are laid out. The captain who did not call "
                        "“Shanghai!” starts the next round. There are eight rounds."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("Who has the better crew"),
            (
                Rule(
                    "S11",
                    mark(
                        "Compare the crews nation by nation: their values, jokers counting 2. If you both have "
                        "sailors of a nation, the stronger crew scores the value of the weaker one, and the weaker "
                        "crew scores nothing. Equal crews: no points. If only one of you has any, that crew scores "
                        "its own value. Each unused trick card is worth 1 point."
                    ),
                    example=mark(
                        "Anna has Chinese of 3, 3 and 4, Bernd one of 1: Anna scores 1, and Bernd nothing. If Bernd "
                        "had no Chinese at all, Anna would score 10: a single sailor in your opponent’s strongest "
                        "nation can cost them nine points."
                    ),
                ),
                Rule("S12", mark("Most points win."), ruling=mark("With equal points the game is a draw.")),
            ),
        ),
    ),
    about=ABOUT,
    steps_title=STEPS_TITLE,
    steps=STEPS,
    examples=EXAMPLES,
    signs=SIGNS,
    here=HERE,
)
