"""The rules of Der fliegende Holländer, in our own words."""

from __future__ import annotations

from typing import Final

from kontor.web.rulebook import Callout, Chapter, Figure, Grid, Part, Points, Rule, RuleBook, Sign, Signs, Stage
from kontor.words import mark

_ABOUT: Final = (
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

_STEPS: Final = (
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

_EXAMPLES: Final = (
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
                mark("Before"),
                scene="again",
            ),
            Figure(
                "chests",
                mark("The chests afterwards: the blue marker on 2, the red and the yellow one on 9"),
                mark("Afterwards"),
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
                "In the ninth round Carla steers alone, and calls at Holland. On an island she may show one share"
                " and is paid its value. Red is the most valuable now: she shows a red share and gets 11 ducats"
                " from the bank. Of an agreement everyone who took part may show one."
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

_SIGNS: Final = (
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

_HERE: Final = (
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
                "Click the card or its button. You are asked once more, for the card is gone for good. After a"
                " Kontor card you see five shares and choose the two that go back."
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
        mark("What everyone knows"),
        (
            mark(
                "Nobody has to remember the shares that were shown: “Public knowledge” below the chart keeps the"
                " account, until they are exchanged. After the blue ship this is what everyone knows."
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

BOOK: Final = RuleBook(
    title="Der fliegende Holländer",
    players=mark("The Flying Dutchman; for three to six players, about an hour; Klaus Teuber, 1992"),
    lead=mark(
        "In 1729 you are a merchant with shares in six ships. A ghost ship sails among them. Where "
        "it meets a ship, everyone with shares in that ship pays; where it meets an island, those "
        "who steered it there earn. Each round it is steered by whoever comes nearest to the lucky "
        "number with their horseshoes. In the end the richest wins."
    ),
    chapters=(
        Chapter(
            mark("What is on the table"),
            (
                Rule(
                    "H1",
                    mark(
                        "There are 60 horseshoes. Each of the 28 golden ones has a different number, from 21 to 48;"
                        " the 32 silver ones have 1 (thirteen), 2 (three), 10 (thirteen) and 20 (three), and can be"
                        " added or subtracted. Two dice make the lucky number: one shows 20, 20, 30, 30, 40, 40, the"
                        " other 1, 3, 5, 5, 7, 9. There are 30 shares, five in each of six ships: blue, yellow,"
                        " green, orange, red and violet; 18 Kontor cards, 18 Smith cards, and ducats."
                    ),
                ),
                Rule(
                    "H2",
                    mark(
                        "Twelve treasure chests stand in a row. The first has no number. Six markers, one for each "
                        "ship, and a black marker move along the chests; a share is worth the number of the chest "
                        "that its ship’s marker stands on."
                    ),
                    ruling=mark(
                        "The numbers are 2, 3, 4, 5, 6, 7, 9, 11, 13, 15 and 18. Only 2, 7, 11 and 18 are handed"
                        " down; we filled in the others."
                    ),
                ),
                Rule(
                    "H3",
                    mark(
                        "On the sea chart the Dutchman sails from field to field along the lines. The fields are"
                        " ships, three of each colour, and islands; Holland is one of them. The middle is left free"
                        " for horseshoes."
                    ),
                    ruling=mark(
                        "We know no source for the lines of the old board, so this chart is our own: 18 ships, 6 "
                        "islands and 40 lines. No two islands are neighbours, nor two ships of one colour, and at "
                        "least three lines leave each field. You can bring a chart of your own that keeps to this."
                    ),
                ),
            ),
            picture=Figure(
                "chart",
                mark("The sea chart with its ships and islands"),
                mark("The chart at the start of a game."),
                scene="start",
            ),
        ),
        Chapter(
            mark("Before the first round"),
            (
                Rule(
                    "H4",
                    mark(
                        "The number of shares in play of each ship is one less than the number of players. Each "
                        "player gets three shares, hidden; the rest form the Kontor pile, face down. With 3, 4, 5 or "
                        "6 players, 12, 18, 24 or 30 shares are in play, and 3, 6, 9 or 12 of them are in the pile. "
                        "Each player also gets 25 ducats, three Kontor cards and three Smith cards, all open, and "
                        "nine horseshoes, hidden. As many horseshoes as there are players lie in the middle, face "
                        "down. All markers stand on chest 2, and the Dutchman lies off Holland."
                    ),
                ),
                Rule(
                    "H5",
                    mark(
                        "The starting player of the first round is drawn at random, or agreed on; after that it is "
                        "the next player to the left, skipping anyone who is bankrupt. The starting player rolls "
                        "both dice: their sum is the lucky number of the round."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("A round: everyone takes one action"),
            (
                Rule(
                    "H6",
                    mark(
                        "Starting with the starting player and going clockwise, everyone chooses one of four "
                        "actions. Be sparing with your cards: three Kontor cards and three Smith cards are all you "
                        "have for the whole game. A card once played is gone for good, and there are no new ones."
                    ),
                ),
                Rule(
                    "H6a",
                    mark(
                        "Kontor, the merchants’ trading house: play a Kontor card, take the top two shares of the "
                        "pile, and put any two of your five shares under it, unseen. These may be the two you have "
                        "just drawn. The card is gone for the rest of the game."
                    ),
                    ruling=mark("The two go under the pile in the order of the colours."),
                ),
                Rule(
                    "H6b",
                    mark(
                        "Smith: play a Smith card. When everyone has chosen, and before anything is revealed, the "
                        "smiths split the horseshoes in the middle equally, unseen. What cannot be split equally "
                        "stays there. A single smith takes them all. The card is gone for the rest of the game."
                    ),
                ),
                Rule(
                    "H6c",
                    mark(
                        "Horseshoes: play at least one, face down. At most one may be golden; silver ones as many as "
                        "you like. Everyone sees how many you play."
                    ),
                    ruling=mark(
                        "“At most one golden” applies each time you play horseshoes: in a deciding round (H10) you "
                        "may play another one."
                    ),
                ),
                Rule("H6d", mark("Pass: only with fewer than five horseshoes.")),
            ),
        ),
        Chapter(
            mark("Who steers the Dutchman"),
            (
                Rule(
                    "H7",
                    mark(
                        "Every horseshoe played counts; each silver one is added or subtracted. A total below the "
                        "lucky number is allowed, one above it is worth 0."
                    ),
                    ruling=mark("You don’t have to do the sums: the best total is found for you."),
                    example=mark("43 can be made of 45−2, of 43 alone, of 20+20+2+1, or of 31+10+2."),
                ),
                Rule(
                    "H8",
                    mark(
                        "All horseshoes played are revealed together. Whoever is nearest to the lucky number must "
                        "move the Dutchman along one line to a neighbouring field, but not back to where it came "
                        "from in the previous round. Then the horseshoes go to the middle, face down: they are the "
                        "stock for the next round."
                    ),
                    ruling=mark("If every total is 0, everyone who played horseshoes is tied."),
                ),
                Rule(
                    "H9",
                    mark(
                        "If several players are tied, each of them, in the order of play, names a destination. If "
                        "all name the same, the Dutchman goes there. If not, they may bargain and offer ducats. A "
                        "majority is not enough."
                    ),
                    ruling=mark(
                        "Each tied player in turn may make one proposal: a destination, and who pays whom how much "
                        "(at most the cash they have). The others accept or decline; if all accept, the payments are "
                        "made and the Dutchman moves. There are two such bargaining rounds, unless agreed otherwise "
                        "when the table is opened. You can also chat freely; nothing said there is binding. Only the "
                        "tied players take part."
                    ),
                ),
                Rule(
                    "H10",
                    mark(
                        "No agreement: each tied player in turn plays more horseshoes for the same lucky number, "
                        "face down, or passes. All are revealed together, and the nearest of those who played go on "
                        "as before, until they agree or only one is left. If nobody plays any, they roll for it."
                    ),
                ),
                Rule("H10a", ruling=mark("They roll both dice; the highest total steers, and ties roll again.")),
                Rule(
                    "H10b",
                    ruling=mark(
                        "If nobody plays horseshoes in a round, everyone still in the game rolls for it in the same "
                        "way: the Dutchman moves every round."
                    ),
                ),
            ),
            picture=Figure(
                "steering",
                mark("A golden horseshoe 45 and a silver one 2"),
                mark("45 − 2 is 43: one golden and one silver horseshoe."),
            ),
        ),
        Chapter(
            mark("What the Dutchman brings"),
            (
                Rule(
                    "H11",
                    mark(
                        "A ship: everyone shows their shares in it and pays its value for each one. Then its marker "
                        "goes back to the chest without a number, and all six markers and the black marker move on "
                        "one chest, so the ship just met is worth 2 again. A player who cannot pay in full is "
                        "bankrupt and out of the game."
                    ),
                    ruling=mark(
                        "A bankrupt player pays what they have. Their shares are shuffled into the Kontor pile, "
                        "their horseshoes go to the middle, face down, and their cards leave the game. Shares that "
                        "were shown stay known to everyone until they are exchanged."
                    ),
                ),
                Rule(
                    "H11a",
                    mark(
                        "The check: a player may ask to look through the Kontor pile. Its shares are shown to "
                        "everyone, then shuffled and put back."
                    ),
                    ruling=mark(
                        "Here nobody can hold a share back, so there is nothing to check; but afterwards everyone "
                        "knows which shares are in the pile, and nobody in which order. The pile is never checked "
                        "unless this is agreed when the table is opened. Then each player in turn may ask for it, "
                        "once after each ship, before the next round."
                    ),
                ),
                Rule(
                    "H12",
                    mark(
                        "An island: everyone who steered, alone or by agreement, may show one share, in the order of "
                        "play, and gets its value from the bank. Nobody has to. No marker moves."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("End of the game"),
            (
                Rule(
                    "H13",
                    mark(
                        "When the black marker reaches chest 18, that is when ten ships have been met, the round is "
                        "finished and the game is over. Add your cash and the value of your shares: the richest "
                        "player wins."
                    ),
                    ruling=mark(
                        "Equally rich players share the win. The only player who is not bankrupt wins at once; if "
                        "the last players go bankrupt together, they share the win."
                    ),
                ),
                Rule(
                    "H14",
                    ruling=mark(
                        "The bank never runs out. Everyone sees how much cash, how many horseshoes and which cards "
                        "the others have left; the shares and horseshoes themselves are hidden."
                    ),
                ),
            ),
        ),
    ),
    about=_ABOUT,
    steps_title=mark("A round in five steps"),
    steps=_STEPS,
    examples=_EXAMPLES,
    signs=_SIGNS,
    here=_HERE,
)
