"""The rules of Der fliegende Holländer, in our own words."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.web.teaching import ABOUT, EXAMPLES, HERE, SIGNS, STEPS
from kontor.web.rulebook import Chapter, Figure, Rule, RuleBook
from kontor.words import mark

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
    about=ABOUT,
    steps_title=mark("A round in five steps"),
    steps=STEPS,
    examples=EXAMPLES,
    signs=SIGNS,
    here=HERE,
)
