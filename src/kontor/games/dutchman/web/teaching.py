"""The teaching part of the rules page of Der fliegende Holländer, before and after the numbered rules.

It holds the idea, a round, the rounds of the sample game, the signs on the table, and their use in the browser.
"""

from __future__ import annotations

from typing import Final

from kontor.web.rulebook import Body, Callout, Figure, Grid, Part, Points, Sign, Signs, Stage
from kontor.words import mark

ABOUT: Final[Body] = (
    mark("You win by being the richest merchant at the end: your cash counts, and the value of your three shares."),
    mark(
        "Shares become more valuable by themselves. Each time the Dutchman meets a ship, the markers of all ships"
        " move on"
        " one chest; only the ship it has met starts again from 2. So the longer a ship is spared, the more its"
        " shares are"
        " worth, and the more they cost when the Dutchman meets it after all. The tenth ship it meets ends the"
        " game."
    ),
    Callout(
        mark(
            "Know this before you start: three Kontor cards and three Smith cards must last you the whole game. A"
            " Kontor"
            " card rids you of shares in a ship that is in danger, a Smith card gets you new horseshoes, and none"
            " of them"
            " comes back. If you use them up early, you can only watch and pay."
        )
    ),
    Figure(
        "cards",
        mark("Three Kontor cards with a book and a quill, and three Smith cards with an anvil and a hammer"),
        mark("All your cards for the whole game."),
    ),
)

STEPS: Final[tuple[Stage, ...]] = (
    Stage(
        mark("The lucky number"),
        mark(
            "The starting player rolls two dice. Their sum is the lucky number of this round, an odd number from"
            " 21 to 49."
        ),
        ("H5",),
    ),
    Stage(
        mark("Everyone does one thing"),
        mark(
            "One after the other, each merchant exchanges shares with a Kontor card, gets horseshoes with a Smith"
            " card, or plays horseshoes face down to steer. If you have fewer than five horseshoes, you may pass."
        ),
        ("H6",),
    ),
    Stage(
        mark("The horseshoes are revealed"),
        mark(
            "First the smiths split the horseshoes in the middle. Then everyone who played horseshoes reveals them"
            " at the same moment: whoever is nearest to the lucky number steers. Too high counts nothing."
        ),
        ("H6b", "H7", "H8"),
    ),
    Stage(
        mark("The Dutchman sails"),
        mark(
            "It moves along one line to a neighbouring field, never straight back. If several players are tied,"
            " they must agree on where it goes, and may offer ducats for it. Otherwise they play horseshoes again."
        ),
        ("H8", "H9", "H10"),
    ),
    Stage(
        mark("It costs or it brings"),
        mark(
            "On a ship, everyone pays for each of their shares in it, and the markers move on. On an island,"
            " whoever steered shows one share and is paid its value."
        ),
        ("H11", "H12"),
    ),
)

EXAMPLES: Final[tuple[Part, ...]] = (
    Part(
        "example-start",
        mark("Set-up for three to six"),
        (
            mark(
                "Each merchant gets 25 ducats, nine horseshoes, three Kontor cards, three Smith cards and three"
                " shares. Of each ship there is one share fewer than there are merchants."
            ),
            Grid(
                mark("What is on the table at the start"),
                (
                    mark("Merchants"),
                    mark("Shares of each ship"),
                    mark("Shares in all"),
                    mark("In the pile"),
                    mark("Horseshoes in the middle"),
                ),
                (
                    ("3", "2", "12", "3", "3"),
                    ("4", "3", "18", "6", "4"),
                    ("5", "4", "24", "9", "5"),
                    ("6", "5", "30", "12", "6"),
                ),
            ),
            mark(
                "The examples that follow are from one game of six: Anna, Bernd, Carla, Dora, Emil and Fritz. This"
                " is what Anna has at the start; the others see neither her shares nor her horseshoes."
            ),
            Figure(
                "own",
                mark(
                    "Anna’s rack with four golden and five silver horseshoes, 25 ducats, two blue shares and a red"
                    " one, and her six cards"
                ),
                scene="own",
            ),
        ),
        ("H4",),
    ),
    Part(
        "example-round",
        mark("A whole round: lucky number 31"),
        (
            mark(
                "It is the seventh round. The Dutchman has met five ships so far, but no blue one: a blue share"
                " has climbed to 7 ducats. Now it lies beside a violet ship and can go on to a blue ship or to the"
                " island of Mauritius. Anna rolls 30 and 1: the lucky number is 31."
            ),
            Figure(
                "chart",
                mark(
                    "The sea chart: the Dutchman at a violet ship near the bottom; a blue ship and Mauritius are"
                    " lit, the green ship it came from is crossed out"
                ),
                mark("It can go where it glows, but not back to the crossed-out ship."),
                scene="chart-31",
            ),
            Points(
                (
                    mark(
                        "Anna has two blue shares. She plays a Kontor card, draws a green and a red share, and"
                        " puts the two blue ones under the pile."
                    ),
                    mark("Bernd and Carla each play a Smith card."),
                    mark("Dora, Emil and Fritz play horseshoes, face down."),
                ),
                numbered=True,
            ),
            Figure(
                "plates",
                mark("Six plates with the names of the merchants and what each has done"),
                mark("Everyone sees who does what and how many horseshoes lie there, but not which."),
                scene="chosen",
            ),
            mark(
                "Four horseshoes are in the middle: Bernd and Carla get two each. Only then are the others"
                " revealed. Dora has made 20 + 10 = 30. Emil has 31. Fritz has made 29 + 2 = 31 as well. Dora is"
                " one short; Emil and Fritz are tied."
            ),
            Figure(
                "turned", mark("Three rows of horseshoes: Dora 20 and 10, Emil 31, Fritz 29 and 2"), scene="revealed"
            ),
            mark(
                "Emil wants to go to the blue ship, Fritz to Mauritius. Fritz offers 5 ducats for the island; Emil"
                " declines. So both play horseshoes again for the same 31, from what they have left: Emil makes 28"
                " + 1 = 29, Fritz has 27. Emil is nearer and steers alone."
            ),
            Figure("turned", mark("Two rows of horseshoes: Emil 28 and 1, Fritz 27"), scene="again"),
        ),
        ("H5", "H6", "H7", "H8", "H9", "H10"),
    ),
    Part(
        "example-ship",
        mark("What a ship costs: blue, 7 ducats"),
        (
            mark(
                "Emil steers to the blue ship. All blue shares must be shown, and each costs 7 ducats: Dora pays 7"
                " for one, Fritz 14 for two. Anna would have paid 14, too; her Kontor card has saved her that."
            ),
            Figure("voyage", mark("The bill: Dora 7 ducats, Fritz 14"), scene="ship"),
            mark(
                "Now the blue marker goes back to the chest without a number, and all six markers and the black"
                " marker move on one chest. Blue is worth 2 again; red and yellow have climbed from 7 to 9."
            ),
            Figure(
                "chests",
                mark("The chests before: the blue, the red and the yellow marker on 7"),
                mark("Before the blue ship"),
                scene="again",
            ),
            Figure(
                "chests",
                mark("The chests afterwards: the blue marker on 2, the red and the yellow one on 9"),
                mark("After the blue ship"),
                scene="ship",
            ),
        ),
        ("H11",),
    ),
    Part(
        "example-bargain",
        mark("A bargain that is paid"),
        (
            mark(
                "The next round, lucky number 45. Carla plays 45, Dora 44 + 1: they are tied. Carla wants to go to"
                " the orange ship. She has no share in it, and her two red shares would climb from 9 to 11. Dora"
                " has an orange share, which would cost her 5 ducats."
            ),
            mark(
                "Carla proposes the orange ship and 6 ducats for Dora. That leaves Dora with one ducat more than"
                " before, so she accepts. The 6 ducats change hands at once, then the Dutchman sails, and everyone"
                " pays for orange as usual."
            ),
            Figure(
                "question",
                mark("Dora is asked: Carla proposes the orange ship and pays Dora 6 ducats; accept or decline"),
                mark("What Dora sees: the proposal, and what it comes to for her."),
                scene="proposed",
            ),
        ),
        ("H9",),
    ),
    Part(
        "example-island",
        mark("What an island brings: red, 11 ducats"),
        (
            mark(
                "In the ninth round Carla steers alone, and calls at Holland. On an island she may show one share "
                "and is paid its value. Red is the most valuable now: she shows a red share and gets 11 ducats from "
                "the bank. After an agreement, everyone who took part may show one."
            ),
            Figure(
                "holdings",
                mark("Carla’s three shares, two red and one violet; the red one is chosen, for 11 ducats"),
                mark("Carla chooses what to show."),
                scene="showing",
            ),
            mark("She keeps the share, but now everyone knows that she has it. On islands no marker moves."),
        ),
        ("H12",),
    ),
    Part(
        "example-bankrupt",
        mark("Bankrupt"),
        (
            mark(
                "In the tenth round Emil steers to a yellow ship. No yellow ship has been met yet, so a share"
                " costs 11. Bernd has two, which makes 22 ducats, but only 19 in cash. He pays the 19 and is out"
                " of the game. His two yellow shares and the green one are shuffled into the Kontor pile, his"
                " horseshoes go to the middle."
            ),
            Figure("voyage", mark("The bill: Bernd 19 ducats for two shares, which is not enough"), scene="bankrupt"),
            mark("The others play on. If only one merchant is left, they win at once."),
        ),
        ("H11", "H13"),
    ),
    Part(
        "example-end",
        mark("The end: the tenth ship"),
        (
            mark(
                "In the twelfth round Carla steers to an orange ship, the tenth in this game. The black marker"
                " reaches chest 18, and so does red: no red ship has been met in the whole game. It is over, and"
                " all is added up. Carla has 23 ducats, two red shares at 18 and a violet one at 7, which makes"
                " 66. Anna comes to 58: the 11 ducats from Holland have decided it."
            ),
            Figure(
                "end", mark("The totals: Carla 66, Anna 58, Emil 32, Fritz 23, Dora 15, Bernd bankrupt"), scene="end"
            ),
        ),
        ("H13",),
    ),
)

SIGNS: Final[tuple[Signs, ...]] = (
    Signs(
        mark("Six ships and their shares"),
        (
            Sign("share blue", mark("Blue"), mark("one stripe")),
            Sign("share yellow", mark("Yellow"), mark("a sun")),
            Sign("share green", mark("Green"), mark("a leaf")),
            Sign("share orange", mark("Orange"), mark("a ring")),
            Sign("share red", mark("Red"), mark("a cross")),
            Sign("share violet", mark("Violet"), mark("a star")),
        ),
        mark("The number below is what the share is worth now."),
    ),
    Signs(
        mark("Cards"),
        (
            Sign("card kontor", mark("Kontor card"), mark("Book and quill: exchange two shares.")),
            Sign("card smith", mark("Smith card"), mark("Anvil and hammer: get horseshoes from the middle.")),
        ),
    ),
    Signs(
        mark("Horseshoes"),
        (
            Sign("horseshoe 43", mark("Golden horseshoe"), mark("Square nail holes; 21 to 48, each number once.")),
            Sign(
                "horseshoe 10",
                mark("Silver horseshoe"),
                mark("Round nail holes; 1, 2, 10 or 20, to add or subtract."),
            ),
            Sign("back", mark("Face down"), mark("Horseshoes in the middle, or played and not yet revealed.")),
        ),
    ),
    Signs(
        mark("On the chart and the chests"),
        (
            Sign("dutchman", mark("The Dutchman"), mark("Each round it meets a ship or calls at an island.")),
            Sign("ahead", mark("A glowing ring"), mark("It can sail there.")),
            Sign("behind", mark("A red cross"), mark("It came from there and cannot go back.")),
            Sign("marker blue", mark("A ship’s marker"), mark("The chest it stands on tells what a share is worth.")),
            Sign("counter", mark("The black marker"), mark("When it reaches the last chest, the game ends.")),
        ),
    ),
    Signs(
        mark("Beside a merchant’s name"),
        (
            Sign("icon coin", mark("ducats in cash")),
            Sign("icon share", mark("shares, hidden")),
            Sign("icon shoe", mark("horseshoes in the rack, hidden")),
            Sign("icon kontor", mark("Kontor cards left")),
            Sign("icon smith", mark("Smith cards left")),
            Sign("icon wheel", mark("starts this round")),
        ),
    ),
)

HERE: Final[tuple[Part, ...]] = (
    Part(
        "here-laying",
        mark("Playing horseshoes"),
        (
            mark(
                "Click the horseshoes on your rack, and again to put one back. Beside the lucky number you read at"
                " once what they make. Then press “Play face down”."
            ),
            Figure(
                "laying",
                mark("Dora’s rack; the 20 and one 10 are chosen, below it the buttons"),
                mark("Dora has chosen 20 and 10."),
                scene="laying",
            ),
        ),
        ("H6c", "H7"),
    ),
    Part(
        "here-cards",
        mark("Kontor and Smith cards"),
        (
            mark(
                "Click the card or its button. You are asked once more, because the card is gone for good. After a "
                "Kontor card you see five shares and choose the two that go back."
            ),
            Figure(
                "holdings",
                mark("Anna’s five shares; the two blue ones are chosen to be put back"),
                mark("Anna puts both blue shares back."),
                scene="exchange",
            ),
        ),
        ("H6a", "H6b"),
    ),
    Part(
        "here-steering",
        mark("Steering"),
        (
            mark(
                "Click a glowing ship or island on the chart, or choose it in the list, where you also read what"
                " it would cost or bring you. Then press “Set sail”."
            ),
            Figure(
                "question",
                mark("Emil’s two destinations, the blue ship and Mauritius; the blue ship is chosen"),
                scene="steering",
            ),
        ),
        ("H8",),
    ),
    Part(
        "here-bargain",
        mark("Proposals"),
        (
            mark(
                "If you are tied, everyone first names a destination; flags on the chart show them. Then each in"
                " turn can propose one, and write down who pays and who gets how much. The others accept or"
                " decline. You can also chat, but only what is accepted here is binding."
            ),
            Figure(
                "question",
                mark("Carla’s proposal: the orange ship; Carla pays 6 ducats, Dora gets 6"),
                mark("Carla’s proposal, before she presses “Propose”."),
                scene="proposing",
            ),
        ),
        ("H9",),
    ),
    Part(
        "here-known",
        mark("Public knowledge"),
        (
            mark(
                "Nobody has to remember the shares that were shown: “Public knowledge” below the chart keeps the"
                " account, until they are exchanged. After the blue ship, this is public knowledge."
            ),
            Figure(
                "known",
                mark("A table of merchants and ships: Dora has exactly one blue share, Fritz exactly two"),
                mark("=2: exactly two. ≥1: at least one. ≤1: at most one. ·: unknown."),
                scene="ship",
            ),
        ),
        ("H11", "H14"),
    ),
)
