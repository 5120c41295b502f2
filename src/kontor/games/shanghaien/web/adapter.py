"""Web adapter of Shanghaien."""

from __future__ import annotations

from typing import Final

from kontor.games.shanghaien import words as phrases
from kontor.games.shanghaien.questions import question
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.state import Shanghai
from kontor.games.shanghaien.web import looks
from kontor.games.shanghaien.web.ahead import AHEAD
from kontor.games.shanghaien.web.board import context
from kontor.games.shanghaien.web.choosing import OUTCOME_FORM
from kontor.games.shanghaien.web.helpers import HELPERS
from kontor.games.shanghaien.web.living import LIVING
from kontor.games.shanghaien.web.moves import move_of
from kontor.games.shanghaien.web.opening import OPENING
from kontor.games.shanghaien.web.pictures import pictures
from kontor.games.shanghaien.web.rulebook import BOOK
from kontor.games.shanghaien.web.setting_up import SETTING_UP
from kontor.games.shanghaien.web.tale import afterwards
from kontor.games.shanghaien.web.tutorial import LESSON, TIPS
from kontor.web.adapter import WebAdapter
from kontor.words import mark

ADAPTER: Final = WebAdapter(
    game=SHANGHAIEN,
    title=phrases.TITLE,
    authors=("Roman Pelek", "Michael Schacht"),
    invitation=mark("Recruit a crew in a Shanghai tavern."),
    summary=mark("Two captains, a tavern, and dice. About twenty minutes."),
    tone="wood",
    opening=OPENING,
    headline=phrases.headline,
    addressed=phrases.addressed,
    describe_event=phrases.describe_event,
    context=context,
    helpers=HELPERS,
    move_of=move_of,
    setting_up=SETTING_UP,
    outcome_form=OUTCOME_FORM,
    book=BOOK,
    pictures=pictures,
    rules_now=phrases.rules_now,
    rules=phrases.RULES,
    lesson=LESSON,
    tips=TIPS,
    question=question,
    living=LIVING,
    places_confirmation=True,
    asks_itself=(Shanghai,),
    ahead=AHEAD,
    looks={mark("hand"): looks.hand, mark("row"): looks.row, mark("score"): looks.score},
    unusual=phrases.unusual,
    afterwards=afterwards,
)
