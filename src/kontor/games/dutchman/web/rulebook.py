"""The rules of Der fliegende Holländer, in our own words."""

from __future__ import annotations

from typing import Final

from kontor.web.rulebook import Chapter, Rule, RuleBook
from kontor.words import mark

BOOK: Final = RuleBook(
    title="Der fliegende Holländer",
    players=mark("for three to six, about an hour; Klaus Teuber, 1992"),
    lead=mark(
        "In 1729 you are a merchant with shares in six ships. A ghost ship sails among them. Where it meets a ship,"
        " those with shares in it pay; where it meets an island, those who steered it there earn. Who steers it is"
        " decided anew each round, by whoever comes nearest to a lucky number with horseshoes. In the end the"
        " richest wins."
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
                        "Twelve treasure chests stand in a row. The first has no number. Six stones, one for each"
                        " ship, and a black counter move along the chests; a share is worth the number of the chest"
                        " that its ship’s stone stands on."
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
                        "The lines of the old board are not told anywhere, so the chart is ours: 18 ships, 6 islands"
                        " and 40 lines. No two islands are neighbours, nor two ships of one colour, and from each"
                        " field at least three lines go out. You can bring a chart of your own that keeps this."
                    ),
                ),
            ),
            picture="chart",
        ),
        Chapter(
            mark("Before the first round"),
            (
                Rule(
                    "H4",
                    mark(
                        "Of each ship one share fewer than there are players is in play. Each player gets three"
                        " shares, hidden; the rest is the Kontor pile, face down. With four players 18 shares are in"
                        " play: 12 are dealt, and 6 are in the pile. Each player also gets nine horseshoes, hidden,"
                        " and, open to all, 25 ducats, three Kontor cards and three Smith cards. In the middle lie"
                        " as many horseshoes as there are players, face down. All stones and the counter stand on"
                        " chest 2, and the Dutchman lies off Holland."
                    ),
                ),
                Rule(
                    "H5",
                    mark(
                        "Who starts the first round is drawn at random, or agreed on; after that it is the next one"
                        " to the left, and those who are bankrupt are passed over. The starter rolls both dice:"
                        " their sum is the lucky number of the round."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("A round: everybody does one thing"),
            (
                Rule(
                    "H6",
                    mark(
                        "From the starter on, clockwise, each player does exactly one of four things. Be sparing"
                        " with your cards: three Kontor cards and three Smith cards are all you have for the whole"
                        " game. A card once played is gone for good, and there are no new ones."
                    ),
                ),
                Rule(
                    "H6a",
                    mark(
                        "Kontor, the merchants’ trading house: play a Kontor card, take the two top shares of the"
                        " pile, and put any two of your five shares under it, unseen. They may be the two just"
                        " drawn. The card is gone for the rest of the game."
                    ),
                    ruling=mark("The two go under the pile in the order of the colours."),
                ),
                Rule(
                    "H6b",
                    mark(
                        "Smith: play a Smith card. When all have chosen, and before anything is turned over, the"
                        " smiths share the horseshoes in the middle equally, unseen. What cannot be shared equally"
                        " stays there. A single smith takes all. The card is gone for the rest of the game."
                    ),
                ),
                Rule(
                    "H6c",
                    mark(
                        "Horseshoes: lay at least one face down. At most one may be golden; of silver ones as many"
                        " as you like. How many you lay is seen by all."
                    ),
                    ruling=mark(
                        "“At most one golden” holds each time that you lay: in a deciding round (H10) you may lay"
                        " another one."
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
                        "Every horseshoe that was laid counts; each silver one is added or subtracted. A sum below"
                        " the lucky number is allowed, one above it is worth 0."
                    ),
                    ruling=mark("You need not reckon: the best reading of your horseshoes is found for you."),
                    example=mark("43 can be made of 45−2, of 43 alone, of 20+20+2+1, or of 31+10+2."),
                ),
                Rule(
                    "H8",
                    mark(
                        "All lays are turned over together. Whoever is nearest to the lucky number must move the"
                        " Dutchman along one line, and not back to where it came from in the round before. The"
                        " horseshoes laid go to the middle, face down: they are the stock of the next round."
                    ),
                    ruling=mark("If everything is worth 0, all who laid are equally near."),
                ),
                Rule(
                    "H9",
                    mark(
                        "If several are equally near, each of them, in the order of play, names a destination. If"
                        " all name the same, the Dutchman goes there. If not, they may bargain, also for ducats;"
                        " there is no majority."
                    ),
                    ruling=mark(
                        "In turn each of them may make one proposal: a destination, and who pays whom how much,"
                        " within what each can pay. The others accept or decline. If all accept, it is done. There"
                        " are two such circles, unless something else is agreed when the table is opened. You can"
                        " also talk freely; what is said binds nobody. Only those who are equally near take part."
                    ),
                ),
                Rule(
                    "H10",
                    mark(
                        "No agreement: for the same lucky number each of them in turn lays more horseshoes, face"
                        " down, or passes. They are turned over together, and the nearest of those who laid go on as"
                        " before, until they agree or one is left. If nobody lays anything, they roll for it."
                    ),
                ),
                Rule("H10a", ruling=mark("They roll both dice; the highest sum steers, and equal ones roll again.")),
                Rule(
                    "H10b",
                    ruling=mark(
                        "If nobody lays horseshoes in the round itself, all who are still in the game roll for it in"
                        " the same way: the Dutchman sails every round."
                    ),
                ),
            ),
            picture="steering",
        ),
        Chapter(
            mark("What the Dutchman brings"),
            (
                Rule(
                    "H11",
                    mark(
                        "A ship: everybody shows their shares in it and pays for each what it is worth. Then its"
                        " stone goes back to the chest without a number, and all six stones and the counter move one"
                        " chest on, so that the ship just met is worth 2. Who cannot pay everything is bankrupt and"
                        " out of the game."
                    ),
                    ruling=mark(
                        "They pay what they have. Their shares are shuffled into the Kontor pile, their horseshoes"
                        " go to the middle face down, their cards leave the game. Shares that were shown are known"
                        " to all until they are exchanged."
                    ),
                ),
                Rule(
                    "H11a",
                    mark(
                        "The check: a player may ask for the Kontor pile to be looked through. Its shares are"
                        " shown to all, then shuffled and put down again."
                    ),
                    ruling=mark(
                        "Nobody can hold a share back here, so nothing needs to be checked; but then everybody knows"
                        " which shares lie in the pile, and nobody in which order. The pile is never checked, unless"
                        " it is agreed when the table is opened. Then, once after each ship and before the next"
                        " round, each player in turn may ask for it."
                    ),
                ),
                Rule(
                    "H12",
                    mark(
                        "An island: everybody who steered, alone or by agreement, may show one share and gets from"
                        " the bank what it is worth, in the order of play. Nobody has to. No stone moves."
                    ),
                ),
            ),
        ),
        Chapter(
            mark("The end"),
            (
                Rule(
                    "H13",
                    mark(
                        "When the counter reaches chest 18, the round is finished and the game is over. Your cash"
                        " and your shares, at what they are worth, are counted together: the richest wins."
                    ),
                    ruling=mark(
                        "Equally rich players share the victory. Whoever is the only one not bankrupt wins at once;"
                        " if the last ones go bankrupt together, they share it."
                    ),
                ),
                Rule(
                    "H14",
                    ruling=mark(
                        "The bank never runs out. Everybody sees how much cash, how many horseshoes and which cards"
                        " the others have left; shares and horseshoes themselves are hidden."
                    ),
                ),
            ),
        ),
    ),
)
