"""Pig in the browser."""

from typing import Final

from kontor.web.adapter import NO_CHAIR, Buttons, Chair, Opening, WebAdapter
from kontor.web.forms import Form
from kontor.web.rulebook import Chapter, Rule, RuleBook
from kontor.words import mark
from kontor_pig.questions import QUESTION
from kontor_pig.rules import PIG, Hold, Options, Roll
from kontor_pig.words import RULES, describe_event, headline, unusual


def options(form: Form, players: int) -> Options:
    """Return the options from the form for a new table."""
    return Options(players, form.number("goal", Options().goal), form.starter())


RULINGS: Final = {
    "P5": mark("The others have no turn more. With enough one must hold: there is nothing left to gain."),
    "P6": mark("So every game ends, even among those who always dare, or never."),
}
BOOK: Final = RuleBook(
    title="Pig",
    players=mark("for two to four, five minutes; an old game"),
    lead=mark("Roll as long as you dare. A 1, and all that you have rolled is gone."),
    chapters=(Chapter(mark("All of it"), tuple(Rule(*rule, RULINGS.get(rule[0], "")) for rule in RULES.items())),),
)
BUTTONS: Final = Buttons({"roll": Roll(), "hold": Hold()})
ADAPTER: Final = WebAdapter(
    game=PIG,
    title="Pig",
    invitation=mark("Roll a die once too often."),
    summary=mark("Two to four, one die, and greed. Five minutes."),
    opening=Opening((Chair(2, "friend"), Chair(3, NO_CHAIR), Chair(4, NO_CHAIR)), may_lack=True, options=options),
    headline=headline,
    describe_event=describe_event,
    context=BUTTONS.context,
    move_of=BUTTONS.move_of,
    book=BOOK,
    question=QUESTION,
    unusual=unusual,
)
