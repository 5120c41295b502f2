"""The lesson pages of Shanghaien: its aim, a turn, examples, every sign by its name, and the controls here.

The examples are games of ``examples``, so that what they say can be proved.
"""

from __future__ import annotations

from typing import Final

from kontor.web.rulebook import Body, Figure, Grid, Part, Points, Sign, Signs, Stage
from kontor.words import mark

ABOUT: Final[Body] = (
    Figure(
        "cards",
        mark("Three cards: an American 1, a Spanish 3 and a trick card"),
        mark("An American worth 1, a Spaniard worth 3, and a trick card."),
        "cards",
    ),
    mark(
        "Most cards are sailors from eight nations, with values from 1 to 4. Those you win are your crew. After "
        "eight rounds you add up the values, nation by nation:"
    ),
    Points(
        (
            mark(
                "If both of you have sailors of a nation, the stronger crew scores what the weaker one is worth. The "
                "weaker crew scores nothing."
            ),
            mark("If only one of you has sailors of a nation, that crew scores all it is worth."),
            mark("If both crews are equally strong, nobody scores."),
        )
    ),
    mark(
        "So one small sailor can ruin your opponent’s best crew. But every further one only gives your opponent "
        "points, as long as your crew stays the weaker."
    ),
)

STEPS_TITLE: Final = mark("A turn in five steps")
STEPS: Final = (
    Stage(
        mark("Roll two dice"),
        mark("You have six dice for each round. Take two from your supply and roll them."),
        ("S4", "S6"),
    ),
    Stage(
        mark("Say where the 1 is"),
        mark(
            "Only the starting player does this, once, after the first roll of the round: are the cards numbered "
            "from the left or from the right?"
        ),
        ("S7",),
    ),
    Stage(
        mark("Use a trick, if you like"),
        mark(
            "Trick cards are won like sailors. You may play one per round, directly after your roll: as a joker "
            "among your sailors, or as a trick with the dice."
        ),
        ("S8",),
    ),
    Stage(
        mark("Place one die"),
        mark(
            "Put one of the two on the card with its number; the other goes back to your supply. Then it is your "
            "opponent’s turn."
        ),
        ("S6",),
    ),
    Stage(
        mark("Or call “Shanghai!”"),
        mark(
            "Once you have placed two dice, you may call instead of rolling; with fewer than two dice left you have "
            "to. The round ends, and each card goes to whoever has more dice on it."
        ),
        ("S4", "S5", "S9"),
    ),
)

EXAMPLES: Final = (
    Part(
        "numbering",
        mark("Where is the 1?"),
        (
            mark("Anna starts the round and rolls 1 and 2. Before she places a die, she says at which end the 1 is."),
            Figure(
                "row",
                mark("The row with the 1 on the left: the Spanish 4 and the American 1 are lit"),
                mark("With the 1 on the left, her dice would go to the Spanish 4 or to the American 1."),
                "from-left",
            ),
            Figure(
                "row",
                mark("The same row with the 1 on the right: the German 2 and the Italian 1 are lit"),
                mark("With the 1 on the right, they would go to the German 2 or to the Italian 1."),
                "from-right",
            ),
            mark(
                "Anna wants the Spanish 4. She says “left” and puts her 1 there. These numbers hold for both players "
                "until the round ends."
            ),
        ),
        ("S7",),
    ),
    Part(
        "deal-out",
        mark("Who gets which card"),
        (
            mark("Anna has placed 2, 2, 3, 6 and 6, Bernd 3, 4, 5, 6 and 6. Then Anna calls “Shanghai!”."),
            Figure(
                "row",
                mark("The six cards with the dice of both captains, and arrows to whoever gets them"),
                mark(
                    "Anna’s dice are below, Bernd’s above. A number alone counts dice, one with four dots counts "
                    "pips on the neighbouring cards. An arrow shows who gets the card; a pale card leaves the game."
                ),
                "dealt",
            ),
            Grid(
                mark("Card by card, with all the sums. Anna’s numbers stand first, then Bernd’s."),
                (mark("Card"), mark("Dice on it"), mark("Pips beside it"), mark("Goes to")),
                (
                    ("1", "0 : 0", "–", mark("nobody")),
                    ("2", "2 : 0", "–", mark("Anna")),
                    ("3", "1 : 1", "2 + 2 : 4", mark("nobody")),
                    ("4", "0 : 1", "–", mark("Bernd")),
                    ("5", "0 : 1", "–", mark("Bernd")),
                    ("6", "2 : 2", "0 : 5", mark("Bernd")),
                ),
            ),
            mark(
                "The neighbours only matter where both have equally many dice. For card 3 they are cards 2 and 4: "
                "Anna’s two 2s make 4, Bernd’s 4 makes 4, so nobody gets it. Card 6 has only one neighbour, card 5. "
                "Bernd has a 5 there, Anna nothing."
            ),
        ),
        ("S9",),
    ),
    Part(
        "tricks",
        mark("One position, four tricks"),
        (
            mark(
                "The same trick can win a round or lose it. In round 4 Anna has one trick card of each kind. She has "
                "a Spanish 3 and a Turkish 1; Bernd has a Spanish 4, a Turkish 3 and a Turkish 4. That makes 3 "
                "points for Anna (three unused tricks) and 4 for Bernd (3 for the Spaniards, 1 for the Turks)."
            ),
            Figure(
                "row",
                mark(
                    "The row: Turkish 2, French 1, American 2, Italian 1, German 4, Chinese 2. Anna’s dice are on 3 "
                    "and 5, Bernd’s on 5 and 6"
                ),
                mark(
                    "Anna’s turn. If the round ended now, the German 4 would be Bernd’s: one die each, but his 6 "
                    "lies beside it."
                ),
                "before-tricks",
            ),
            mark(
                "In what follows Anna rolls and uses a trick, and then Bernd calls “Shanghai!”. The points are those "
                "after the round, Anna’s first."
            ),
        ),
    ),
    Part(
        "nudge",
        mark("Nudge: one die up or down by 1"),
        (
            mark(
                "Well used: Anna rolls 2 and 4. She turns the 4 into a 5: two dice to one, and the German 4 is hers. "
                "That makes 8 points to 6; with the 4 as it is, it would be 6 to 10."
            ),
            Figure("row", mark("The round after Nudge: the German 4 goes to Anna"), "", "nudge-helps"),
            mark(
                "Badly used: she turns the 2 into a 1 and wins the Turkish 2. Her Turks are worth 3 now, but Bernd’s "
                "are worth 7: he stays the stronger and scores 3 instead of 1. That makes 4 points to 12."
            ),
            Figure(
                "row",
                mark("The round after Nudge: the Turkish 2 goes to Anna, the German 4 to Bernd"),
                "",
                "nudge-hurts",
            ),
        ),
        ("S8b", "S11"),
    ),
    Part(
        "both",
        mark("Both: two dice in one turn"),
        (
            mark(
                "Well used: Anna rolls 5 and 6 and places both. On card 5 she has two dice to one. On card 6 it is "
                "one each, but beside it she has 5 + 5 = 10 pips to his 5: that card is hers, too. That makes 10 "
                "points to 4; with the 5 alone it would be 9 to 6."
            ),
            Figure("row", mark("The round after Both: cards 5 and 6 go to Anna"), "", "both-helps"),
            mark(
                "Badly used: a turn later Anna has also placed a 2, and Bernd a 6. She rolls 4 and 5 and places "
                "both, so she has one die left. Bernd answers with a 5: two dice each on card 5, and beside it his 6 "
                "+ 6 = 12 pips to her 4. She cannot roll any more, she has to call “Shanghai!”: 6 points to 10. Had "
                "she placed the 5 alone, she could roll once more."
            ),
            Figure("row", mark("The round after Both: the German 4 goes to Bernd"), "", "both-hurts"),
        ),
        ("S8c", "S5"),
    ),
    Part(
        "reroll",
        mark("Reroll: a second chance"),
        (
            mark(
                "Well used: Anna rolls 1 and 3. The 1 would bring her the Turkish 2, which only helps Bernd, and "
                "card 3 is hers already. She rolls again: 2 and 5. The 5 wins the German 4. That makes 8 points to "
                "6; with the 3 it would be 5 to 10."
            ),
            Figure("row", mark("The round after Reroll: the German 4 goes to Anna"), "", "reroll-helps"),
            mark(
                "Badly used: she rolls 2 and 4, hopes for more and rolls again: 1 and 1. There is no way back, a 1 "
                "has to go to the Turkish 2. That makes 4 points to 12; with the 4 it would be 6 to 10."
            ),
            Figure(
                "row",
                mark("The round after Reroll: the Turkish 2 goes to Anna, the German 4 to Bernd"),
                "",
                "reroll-hurts",
            ),
        ),
        ("S8d",),
    ),
    Part(
        "joker",
        mark("Joker: two more sailors"),
        (
            mark(
                "Well used: any trick card can be a joker instead. Anna places one with her Spaniards: from 3 to 5, "
                "against Bernd’s 4. Now she is the stronger and scores 4, and he scores nothing. As things stand, "
                "that makes 6 points to 1 instead of 3 to 4."
            ),
            Figure("crews", mark("The Spaniards: Anna’s 3 and a joker, worth 5, and Bernd’s 4"), "", "joker-helps"),
            mark(
                "Badly used: she places it with her Turks: from 1 to 3, against Bernd’s 7. He stays the stronger and "
                "scores 3 instead of 1, and she has one unused trick fewer. That makes 2 points to 6."
            ),
            Figure(
                "crews",
                mark("The Turks: Anna’s 1 and a joker, worth 3, and Bernd’s 3 and 4, worth 7"),
                "",
                "joker-hurts",
            ),
        ),
        ("S8a", "S11"),
    ),
    Part(
        "last-round",
        mark("The last round"),
        (
            mark(
                "After seven rounds of another game Bernd leads by 16 points to 7. His Chinese alone make 10, "
                "because Anna has none. In the last round Anna wins the Chinese 1, and Bernd wins a trick card."
            ),
            Figure(
                "row",
                mark("The last row: the Chinese 1 goes to Anna, a trick card to Bernd, four cards leave the game"),
                "",
                "last-round",
            ),
            mark(
                "That one sailor costs Bernd 9 points: his Chinese now score what the weaker crew is worth, 1 point. "
                "Anna’s Chinese score nothing; the weaker crew never does."
            ),
            mark(
                "Bernd’s trick card comes too late: it can only be played after a roll, and nobody rolls any more. "
                "It cannot be a joker either. But like every unused trick it is worth 1 point."
            ),
        ),
        ("S8", "S11"),
    ),
    Part(
        "final-score",
        mark("The final score"),
        (
            Figure(
                "crews",
                mark("Both crews at the end, nation by nation, with their values and points"),
                mark("Beside each crew: what it is worth, and on the coin its points."),
                "final",
            ),
            Points(
                (
                    mark("Americans: 1 + 2 + 3 = 6 for Anna, 3 + 4 = 7 for Bernd. He is the stronger and scores 6."),
                    mark("French: 1 + 4 = 5 for Anna, 2 + 3 = 5 for Bernd. Equally strong: nobody scores."),
                    mark("Chinese: 1 for Anna, 3 + 3 + 4 = 10 for Bernd. He scores 1."),
                    mark("Spaniards: only Anna has any, 3 and two jokers. She scores 3 + 2 + 2 = 7."),
                    mark("Tricks: Bernd has one left. He scores 1."),
                )
            ),
            mark("Anna has 7 points, Bernd has 6 + 1 + 1 = 8. The trick card from the last round wins him the game."),
        ),
        ("S11", "S12"),
    ),
)

SIGNS: Final = (
    Signs(
        mark("Sailors of eight nations"),
        (
            Sign("card A1", mark("Americans"), mark("red, a star")),
            Sign("card F2", mark("French"), mark("light blue, a lily")),
            Sign("card G3", mark("Germans"), mark("dark blue, an oak leaf")),
            Sign("card C3", mark("Chinese"), mark("yellow, a lantern")),
            Sign("card D4", mark("Dutch"), mark("orange, a tulip")),
            Sign("card T1", mark("Turks"), mark("purple, a crescent")),
            Sign("card S2", mark("Spaniards"), mark("green, a castle")),
            Sign("card I3", mark("Italians"), mark("grey, a column")),
        ),
        mark(
            "The number is the value of the sailor; the small signs below repeat it. Each nation has 1, 2, 3, 3 and "
            "4."
        ),
    ),
    Signs(
        mark("Dirty tricks"),
        (
            Sign("card nudge", mark("Nudge"), mark("above: a joker; below: change one die by 1")),
            Sign("card both", mark("Both"), mark("above: a joker; below: place both dice")),
            Sign("card reroll", mark("Reroll"), mark("above: a joker; below: roll both dice again")),
        ),
        mark("The two sailors on the upper half are the joker: it counts as two sailors of a nation you have."),
    ),
    Signs(
        mark("Dice and captains"),
        (
            Sign("die mine", mark("Your dice"), mark("red, round corners, with an anchor")),
            Sign("die theirs", mark("Your opponent’s dice"), mark("blue, cut corners, with a ship’s wheel")),
            Sign(
                "captain mine",
                mark("Your captain"),
                mark("red; he stands beside the 1 once you have used your trick"),
            ),
            Sign(
                "captain theirs",
                mark("Your opponent’s captain"),
                mark("blue; he stands there for your opponent’s trick"),
            ),
            Sign("captain grey", mark("A grey captain"), mark("keeps the captains’ places beside the 1")),
        ),
    ),
)

HERE: Final = (
    Part(
        "here-one",
        mark("Saying where the 1 is"),
        (
            mark(
                "If you start the round, your first roll brings up two strips of numbers, above the cards and below "
                "them. On each a grey captain stands where the 1 would be, and the numbers you rolled are lit. "
                "Choose a strip."
            ),
            Figure(
                "bar",
                mark(
                    "The bar with two strips of numbers, one from the left and one from the right, a grey captain on "
                    "each"
                ),
                "",
                "numbering",
            ),
            mark(
                "Until the round ends, two grey captains mark that end of the row. When you use a trick, your own "
                "captain takes the place of one of them."
            ),
            Figure(
                "row",
                mark("The row in the middle of a round: a red captain and a grey one stand at the left end"),
                mark("Anna has used her trick, Bernd has not."),
                "spent",
            ),
        ),
        ("S7", "S8"),
    ),
    Part(
        "here-tricks",
        mark("Placing a die or playing a trick"),
        (
            mark(
                "To place a die without a trick, choose the die or the lit card it would go to. Your trick cards lie "
                "beside the roll: choose the upper half for the joker, the lower half for the trick with the dice."
            ),
            Figure(
                "hand", mark("Two dice to choose from, and trick cards with an upper and a lower half"), "", "hand"
            ),
        ),
        ("S6", "S8"),
    ),
    Part(
        "here-arrows",
        mark("Arrows: who gets what"),
        (
            mark(
                "When the round is over, every card shows the numbers that decided it, and an arrow to whoever gets "
                "it: down to you, up to your opponent. A card without an arrow leaves the game. You see this until "
                "you roll again."
            ),
            Figure(
                "bar",
                mark("The bar after a round, with dice, numbers and arrows"),
                mark("The example from above, as it looks at the table."),
                "dealt",
            ),
        ),
        ("S9",),
    ),
    Part(
        "here-score",
        mark("The score table"),
        (
            mark(
                "Below the bar stands what each crew is worth, and on a coin the points it would score now. Beside "
                "it you see how many cards of each nation are still in play, and what they are worth together."
            ),
            Figure(
                "score", mark("The score table with both crews, nation by nation, and the cards in play"), "", "score"
            ),
            mark(
                "Choose a name to see that crew, “In play” to see the cards still to come, and a total to see how it "
                "is made up."
            ),
        ),
        ("S11",),
    ),
)
