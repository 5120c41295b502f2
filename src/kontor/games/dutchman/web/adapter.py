"""Web adapter of Der fliegende Holländer."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman import words as phrases
from kontor.games.dutchman.event_text import describe_event, near, proposed, rolled_for
from kontor.games.dutchman.questions import question
from kontor.games.dutchman.retelling import retell
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules.play import worth
from kontor.games.dutchman.rules.state import Kontor, Pass, Smith
from kontor.games.dutchman.web import chart, chests, hand, looks, people, story, tale
from kontor.games.dutchman.web.ahead import AHEAD
from kontor.games.dutchman.web.board import context
from kontor.games.dutchman.web.living import LIVING
from kontor.games.dutchman.web.moves import move_of
from kontor.games.dutchman.web.opening import OPENING
from kontor.games.dutchman.web.pictures import pictures
from kontor.games.dutchman.web.rulebook import BOOK
from kontor.games.dutchman.web.setting_up import SETTING_UP
from kontor.games.dutchman.web.tutorial import LESSON, TIPS
from kontor.web.adapter import WebAdapter
from kontor.words import mark

_HELPERS: Final = {
    helper.__name__: helper
    for helper in (
        # names and facts in words
        phrases.codes,
        phrases.colour,
        phrases.everyone,
        phrases.field,
        phrases.public_count,
        phrases.left_of_check,
        phrases.island,
        phrases.letter,
        phrases.read,
        phrases.stake,
        near,
        proposed,
        rolled_for,
        # the chart
        chart.ahead,
        chart.coast,
        chart.colour_of,
        chart.describe_chart,
        chart.describe_lines,
        chart.describe_spot,
        chart.grows,
        chart.heap,
        chart.key,
        chart.numbered_fields,
        chart.place,
        chart.point,
        chart.routes,
        chart.spots,
        chart.wake,
        chart.wanted,
        # the chests
        chests.across,
        chests.chests,
        chests.describe_stone,
        chests.ships_left,
        chests.ships_to_come,
        chests.standing,
        chests.worths,
        # the reader's own things
        hand.asks,
        hand.describe_horseshoe,
        hand.describe_lucky,
        hand.describe_put,
        hand.destinations,
        hand.due,
        hand.in_play,
        hand.metal,
        hand.net,
        hand.numbered,
        hand.signed_ducats,
        worth,
        # the merchants
        people.describe_doing,
        people.describe_known,
        people.doing,
        people.from_the_left,
        people.public_shares,
        people.shares_shown,
        # what happened
        story.checked,
        story.describe_actions,
        story.describe_decision,
        story.describe_total,
        story.describe_walk,
        story.is_tall,
        story.ranking,
        story.shared,
        story.turned,
        story.voyage,
        tale.curve,
        tale.width_with_names,
    )
}

ADAPTER: Final = WebAdapter(
    game=DUTCHMAN,
    title=phrases.TITLE,
    meaning=mark("The Flying Dutchman"),
    authors=("Klaus Teuber",),
    invitation=mark("Steer the ghost ship through the seas of 1729."),
    summary=mark("Three to six merchants and one ghost ship. About an hour."),
    tone="sea",
    opening=OPENING,
    headline=phrases.headline,
    addressed=phrases.addressed,
    retell=retell,
    describe_event=describe_event,
    context=context,
    helpers=_HELPERS,
    move_of=move_of,
    setting_up=SETTING_UP,
    book=BOOK,
    pictures=pictures,
    rules_now=phrases.rules_now,
    rules=phrases.RULES,
    lesson=LESSON,
    tips=TIPS,
    question=question,
    living=LIVING,
    places_confirmation=True,
    asks_itself=(Kontor, Smith, Pass),
    ahead=AHEAD,
    looks={mark("hand"): looks.hand, mark("map"): looks.chart_now, mark("merchants"): looks.merchants},
    unusual=phrases.unusual,
    afterwards=tale.afterwards,
)
