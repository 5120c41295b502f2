"""What Shanghaien brings to the browser."""

from __future__ import annotations

from typing import Final

from kontor.games.shanghaien import words as said
from kontor.games.shanghaien.questions import question
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.web import looks
from kontor.games.shanghaien.web.board import context
from kontor.games.shanghaien.web.choosing import OUTCOME_FORM
from kontor.games.shanghaien.web.helpers import HELPERS
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
    title=said.TITLE,
    authors=("Roman Pelek", "Michael Schacht"),
    invitation=mark("Recruit a crew in a Shanghai tavern."),
    summary=mark("Two captains, a tavern, and dice. About twenty minutes."),
    tone="wood",
    opening=OPENING,
    headline=said.headline,
    addressed=said.addressed,
    describe_event=said.describe_event,
    context=context,
    helpers=HELPERS,
    move_of=move_of,
    setting_up=SETTING_UP,
    outcome_form=OUTCOME_FORM,
    book=BOOK,
    pictures=pictures,
    rules_now=said.rules_now,
    rules=said.RULES,
    lesson=LESSON,
    tips=TIPS,
    question=question,
    looks={mark("hand"): looks.hand, mark("row"): looks.row, mark("score"): looks.score},
    unusual=said.unusual,
    afterwards=afterwards,
)
