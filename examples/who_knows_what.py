"""Views of seats: one deal of Der fliegende Holländer, seen from a seat and by an onlooker."""

from random import Random

from kontor.games.dutchman.rules import DUTCHMAN, Options

random = Random(1729)
state = DUTCHMAN.start(Options(players=3, starter=0))
for _ in range(2):  # the deal, and the lucky number
    state = DUTCHMAN.play(state, DUTCHMAN.chance(state).draw(random.randrange))

mine = DUTCHMAN.view(state, 0)
print("My shares:", ", ".join(mine.shares), "- my horseshoes:", mine.rack)
print("Of the next player I see", mine.players[1].shares, "shares and", mine.players[1].horseshoes, "horseshoes.")
print("An onlooker sees of me", DUTCHMAN.view(state, None).shares)

# A state that my view could come from: everything that I cannot know is dealt again.
other = DUTCHMAN.imagine(mine, random.randrange)
assert DUTCHMAN.view(other, 0) == mine
print("The next player's shares could be", ", ".join(other.merchants[1].shares))
