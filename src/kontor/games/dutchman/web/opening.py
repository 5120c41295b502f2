"""Opening a table of Der fliegende Holländer: who sits where, and the options in the form."""

from __future__ import annotations

from typing import Final

from kontor.games.dutchman.rules import Options
from kontor.games.dutchman.rules.chart import OURS, BadChart, Chart, read_chart, write_chart
from kontor.games.dutchman.rules.components import FEWEST_PLAYERS, MOST_PLAYERS
from kontor.players.levels import usual
from kontor.web.adapter import NO_CHAIR, Chair, Opening
from kontor.web.forms import Form


def _options(form: Form, players: int) -> Options:
    return Options(
        players=players,
        starter=form.starter(),
        circles=form.number("circles", 2),
        chart=_chart(form.get("chart", "")),
        check="on request" if form.get("check") == "on request" else "never",
    )


def _chart(text: str) -> Chart:
    """Return the chart in the form, or ours if there is none. Raises BadChart."""
    if not text.strip():
        return OURS
    try:
        return read_chart(text.replace("\r\n", "\n"))
    except RecursionError:
        raise BadChart("The chart is nested too deeply.") from None


def _fields(options: Options) -> dict[str, str]:
    """Return the fields of the form that mean these options."""
    return {
        "starter": "" if options.starter is None else str(options.starter),
        "circles": str(options.circles),
        "chart": "" if options.chart == OURS else write_chart(options.chart),
        "check": "on request" if options.may_check else "never",
    }


def _usual_merchant(chair: int) -> str:
    """Return the usual choice for a chair: a friend and computer players, four at the table in all."""
    if chair > FEWEST_PLAYERS + 1:
        return NO_CHAIR
    return "friend" if chair == 2 else f"machine-{usual('dutchman')}"


OPENING: Final = Opening(
    tuple(Chair(number, _usual_merchant(number)) for number in range(2, MOST_PLAYERS + 1)),
    may_lack=True,
    options=_options,
    fields=_fields,
)
