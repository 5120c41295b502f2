"""Opening a table: what can be chosen, and the plan that a filled-in form means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, get_args

from kontor.dutchman import Options as DutchmanOptions
from kontor.dutchman.chart import OURS, BadChart, Chart, read_chart
from kontor.dutchman.components import FEWEST_PLAYERS, MOST_PLAYERS
from kontor.game import BadOptions
from kontor.players.levels import levels, likeness, usual
from kontor.shanghaien import Options as ShanghaienOptions
from kontor.shanghaien.components import TRICKS, TrickCounts
from kontor.shanghaien.words import TRICK_MEANINGS
from kontor.table import Pace, Plan, SeatPlan
from kontor.table.values import Level, StandIn
from kontor.web.sessions import Form
from kontor.words import Words, mark

NO_CHAIR: Final = "none"
LONGEST_ISLAND: Final = 20

PACES: Final[dict[str, str]] = {
    "none": mark("as long as you like"),
    "live-60-600": mark("live: a minute a move, ten minutes in reserve"),
    "live-30-300": mark("live and brisk: half a minute a move, five in reserve"),
    "slow-43200-0": mark("over days: twelve hours a move"),
    "slow-86400-0": mark("over days: a day a move"),
    "slow-259200-0": mark("over days: three days a move"),
    "slow-604800-0": mark("over days: a week a move"),
    "live": mark("live, with a clock of your own"),
    "slow": mark("over days, with a limit of your own"),
}

USUAL_SECONDS: Final = 45
USUAL_RESERVE: Final = 5
USUAL_HOURS: Final = 36
"""What a clock of one's own begins with: seconds a move, minutes in reserve; or hours a move."""

STAND_INS: Final[dict[StandIn, str]] = {
    "ask": mark("the others may let a machine player sit in"),
    "at once": mark("a machine player sits in at once"),
    "never": mark("the others wait"),
}

MACHINES: Final = ("Kaspar", "Melchior", "Balthasar", "Jonas", "Tobias")
"""What machine players are called if nobody says otherwise, by chair."""


@dataclass(frozen=True)
class Chair:
    """A row of the form: who shall sit there."""

    number: int
    usual: str


@dataclass(frozen=True)
class Opening:
    """What the form for a game offers, and how its options are read."""

    chairs: tuple[Chair, ...]
    may_lack: bool
    """Whether a chair can be left out."""
    options: Callable[[Form, int], Any]
    """``options(form, players)``. Raises BadOptions."""


def kinds(words: Words, game: str, may_lack: bool) -> dict[str, str]:
    """Who can sit on a chair, as the form says it."""
    found = {"friend": words.say("a friend, by a link that I send"), "open": words.say("whoever comes")}
    found |= {f"machine-{player}": said for player, said in machines(words, game).items()}
    found["here"] = words.say("somebody here, at this device")
    if may_lack:
        found[NO_CHAIR] = words.say("no chair")
    return found


def machines(words: Words, game: str) -> dict[str, str]:
    """The levels of machine players, the weakest first, and what they are like."""
    return {level: words.say("machine player, {level}", level=likeness(words, level)) for level in levels(game)}


def plan_of(game: str, form: Form) -> Plan:
    """The table that a form means. Raises BadOptions."""
    opening = OPENINGS[game]
    seats = [SeatPlan("me")]
    for chair in opening.chairs:
        kind, _, player = form.get(f"chair-{chair.number}", chair.usual).partition("-")
        if kind == NO_CHAIR and opening.may_lack:
            continue
        name = form.text(f"name-{chair.number}", 200)
        if kind == "machine":
            seats.append(SeatPlan("machine", name=name or MACHINES[chair.number - 2], player=player))
        elif kind in ("friend", "open"):
            seats.append(SeatPlan(kind, name=name if kind == "friend" else ""))  # type: ignore[arg-type]
        elif kind == "here":
            seats.append(SeatPlan("here", name=name))
        else:
            raise BadOptions("", "Say for each chair who shall sit there.")
    stand_in, takeover = form.get("stand_in", "ask"), form.get("takeover", "casual")
    return Plan(
        game=game,
        options=opening.options(form, len(seats)),
        seats=tuple(seats),
        pace=_pace(form),
        watch=form.get("watch", "yes") == "yes",
        stand_in=stand_in if stand_in in get_args(StandIn) else "ask",  # type: ignore[arg-type]
        order="random" if form.get("order") == "random" else "given",
        hints=form.get("hints") == "yes",
        takeover=takeover if takeover in get_args(Level) else "casual",  # type: ignore[arg-type]
    )


def _pace(form: Form) -> Pace:
    given = form.get("pace", "none")
    if given == "live":
        return Pace("live", form.number("seconds", USUAL_SECONDS), 60 * form.number("reserve", USUAL_RESERVE))
    if given == "slow":
        return Pace("slow", 3600 * form.number("hours", USUAL_HOURS))
    if given not in PACES or given == "none":
        return Pace()
    kind, seconds, reserve = given.split("-")
    return Pace(kind, int(seconds), int(reserve))  # type: ignore[arg-type]


def _starter(form: Form) -> int | None:
    given = form.get("starter", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 3 else None


# --------------------------------------------------------------------------------------------------- the two games


def _shanghaien(form: Form, players: int) -> ShanghaienOptions:
    if players != 2:
        raise BadOptions("", "Shanghaien is for two.")
    usual = TrickCounts()
    first = form.get("first_trick", "")
    return ShanghaienOptions(
        tricks=TrickCounts(**{trick: form.number(f"tricks-{trick}", getattr(usual, trick)) for trick in TRICKS}),
        starter=_starter(form),
        first_trick=first if first in TRICKS else None,
    )


def _dutchman(form: Form, players: int) -> DutchmanOptions:
    return DutchmanOptions(
        players=players,
        starter=_starter(form),
        circles=form.number("circles", 2),
        chart=_chart(form.get("chart", "")),
        check="on request" if form.get("check") == "on request" else "never",
    )


def _chart(text: str) -> Chart:
    """The chart that somebody has brought along, or ours. Raises BadChart."""
    if not text.strip():
        return OURS
    try:
        chart = read_chart(text.replace("\r\n", "\n"))
    except RecursionError:
        raise BadChart("The chart is nested too deeply.") from None
    for field in chart.fields:
        if not (field.name.strip() and field.name.isprintable() and len(field.name) <= LONGEST_ISLAND):
            raise BadChart("The name of an island has 1 to {longest} characters.", longest=LONGEST_ISLAND)
    return chart


def _usual_merchant(chair: int) -> str:
    """A friend and machine players, four at the table in all."""
    if chair > FEWEST_PLAYERS + 1:
        return NO_CHAIR
    return "friend" if chair == 2 else f"machine-{usual('dutchman')}"


OPENINGS: Final[dict[str, Opening]] = {
    "shanghaien": Opening((Chair(2, "friend"),), may_lack=False, options=_shanghaien),
    "dutchman": Opening(
        tuple(Chair(number, _usual_merchant(number)) for number in range(2, MOST_PLAYERS + 1)),
        may_lack=True,
        options=_dutchman,
    ),
}


def choices(words: Words, game: str) -> dict[str, Any]:
    """What the template of the form needs."""
    opening = OPENINGS[game]
    return {
        "game": game,
        "chairs": opening.chairs,
        "kinds": kinds(words, game, opening.may_lack),
        "own_pace": {"seconds": USUAL_SECONDS, "reserve": USUAL_RESERVE, "hours": USUAL_HOURS},
        "paces": {value: words.say(said) for value, said in PACES.items()},
        "stand_ins": {value: words.say(said) for value, said in STAND_INS.items()},
        "levels": machines(words, game),
        "tricks": {trick: (words.say(TRICK_MEANINGS[trick]), getattr(TrickCounts(), trick)) for trick in TRICKS},
    }
