"""The words that can be typed for a move: at a terminal, and in the line for commands on a table's page."""

from typing import Final

from kontor.questions import listed
from kontor_pig.rules import Hold, Roll

QUESTION: Final = listed(lambda words: {Roll(): words.say("roll"), Hold(): words.say("hold")})
