"""Opening a table: what can be chosen, and the plan that a filled-in form means."""

from __future__ import annotations

from typing import Any, Final, get_args

from kontor.game import BadOptions
from kontor.players import has_judge
from kontor.players.levels import levels, likeness
from kontor.table import Pace, Plan, SeatPlan
from kontor.table.values import DiceChoice, Level, StandIn, Tempo
from kontor.web.adapter import NO_CHAIR, adapter_of
from kontor.web.forms import Form
from kontor.words import Words, mark

PACES: Final[dict[str, str]] = {
    "none": mark("no time limit"),
    "live-60-600": mark("live: 1 minute per move, 10 minutes in reserve"),
    "live-30-300": mark("live, fast: 30 seconds per move, 5 minutes in reserve"),
    "slow-43200-0": mark("turn-based: 12 hours per move"),
    "slow-86400-0": mark("turn-based: 1 day per move"),
    "slow-259200-0": mark("turn-based: 3 days per move"),
    "slow-604800-0": mark("turn-based: 1 week per move"),
    "live": mark("live, custom times"),
    "slow": mark("turn-based, custom limit"),
}

USUAL_SECONDS: Final = 45
USUAL_RESERVE: Final = 5
USUAL_HOURS: Final = 36
"""What a clock of one's own begins with: seconds a move, minutes in reserve; or hours a move."""

STAND_INS: Final[dict[StandIn, str]] = {
    "ask": mark("others may bring in a computer player"),
    "at once": mark("a computer player takes over at once"),
    "never": mark("the others wait"),
}

TEMPOS: Final[dict[Tempo, str]] = {
    "calm": mark("calmly, with time to read each move"),
    "brisk": mark("briskly"),
    "at once": mark("at once"),
}

DICE: Final[dict[DiceChoice, str]] = {
    "usual": mark("strict if live, otherwise simple"),
    "strict": mark("strict: not even the server and other players together can choose the rolls"),
    "early": mark("simple: the server alone cannot choose the rolls, and the game begins at once"),
}

MACHINES: Final = ("Kaspar", "Melchior", "Balthasar", "Jonas", "Tobias")
"""What machine players are called if nobody says otherwise, by chair."""


def kinds(words: Words, game: str, may_lack: bool) -> dict[str, str]:
    """Who can sit on a chair, as the form says it."""
    found = {"friend": words.say("a friend (I’ll send a link)"), "open": words.say("anyone")}
    found |= {f"machine-{player}": said for player, said in machines(words, game).items()}
    found["here"] = words.say("someone on this device")
    if may_lack:
        found[NO_CHAIR] = words.say("seat not used")
    return found


def machines(words: Words, game: str) -> dict[str, str]:
    """The levels of machine players, the weakest first, and what they are like."""
    return {level: words.say("computer player, {level}", level=likeness(words, level)) for level in levels(game)}


def plan_of(game: str, form: Form) -> Plan:
    """The table that a form means. Raises BadOptions."""
    opening = adapter_of(game).opening
    seats = [SeatPlan("me")]
    for chair in opening.chairs:
        kind, _, player = form.get(f"chair-{chair.number}", chair.usual).partition("-")
        if kind == NO_CHAIR and opening.may_lack:
            continue
        name = form.text(f"name-{chair.number}", 200)
        if kind == "machine":
            seats.append(SeatPlan("machine", name=name or MACHINES[chair.number - 2], player=player))
        elif kind in ("friend", "open"):
            seats.append(SeatPlan("friend", name=name) if kind == "friend" else SeatPlan("open"))
        elif kind == "here":
            seats.append(SeatPlan("here", name=name))
        else:
            raise BadOptions("", "Choose who sits in each seat.")
    return Plan(
        game=game,
        options=opening.options(form, len(seats)),
        seats=tuple(seats),
        pace=_pace(form),
        watch=form.get("watch", "yes") == "yes",
        stand_in=form.one_of("stand_in", get_args(StandIn), "ask"),
        order="random" if form.get("order") == "random" else "given",
        hints=form.get("hints") == "yes",
        takeover=form.one_of("takeover", get_args(Level), "casual"),
        tempo=form.one_of("tempo", get_args(Tempo), "brisk"),
        dice=form.one_of("dice", get_args(DiceChoice), "usual"),
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
    return Pace("live" if kind == "live" else "slow", int(seconds), int(reserve))


def choices(words: Words, game: str) -> dict[str, Any]:
    """What the template of the form needs."""
    opening = adapter_of(game).opening
    return {
        "game": game,
        "chairs": opening.chairs,
        "kinds": kinds(words, game, opening.may_lack),
        "own_pace": {"seconds": USUAL_SECONDS, "reserve": USUAL_RESERVE, "hours": USUAL_HOURS},
        "paces": {value: words.say(said) for value, said in PACES.items()},
        "stand_ins": {value: words.say(said) for value, said in STAND_INS.items()},
        "levels": machines(words, game),
        "tempos": {value: words.say(said) for value, said in TEMPOS.items()},
        "kinds_of_dice": {value: words.say(said) for value, said in DICE.items()},
        "has_judge": has_judge(game),
        **opening.choices(words),
    }
