"""Opening a table: the choices of the form, and the plan that a filled-in form means."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cache
from typing import Final, Literal, get_args

import msgspec

from kontor.game import BadOptions
from kontor.players import has_judge
from kontor.players.levels import LEVELS, levels, likeness, usual
from kontor.tables.values import DiceChoice, Level, Pace, Plan, SeatInfo, SeatPlan, Share, StandIn, TableInfo, Tempo
from kontor.web.adapter import NO_CHAIR, Chair, adapter_of
from kontor.web.forms import Form
from kontor.web.pages.template_context import GamePart
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

_CUSTOM: Final = ("live", "slow")
"""The keys whose times are in other fields."""

PRESETS: Final[dict[str, str]] = {
    "none": mark("No time limit"),
    "live-60-600": mark("Now: 10 minutes each, plus 1 a move"),
    "slow-86400-0": mark("Turn-based: a day a move"),
}
"""The paces offered at a table that was opened with one click."""

USUAL_SECONDS: Final = 45
USUAL_RESERVE: Final = 5
USUAL_HOURS: Final = 36
"""The defaults of custom times: seconds a move, minutes in reserve; or hours a move."""

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

Way = Literal["friend", "machines", "days"]

WAYS: Final[dict[Way, tuple[str, str]]] = {
    "friend": (mark("With friends, now"), mark("You get a link to send.")),
    "machines": (mark("Against computer players"), mark("The game begins at once.")),
    "days": (mark("With friends, turn-based"), mark("A day per move, by link.")),
}
"""The ways of playing that the form begins with, and a sentence for each."""

_PACE_FIELDS: Final = {
    "pace": "none", "stand_in": "ask", "takeover": "casual", "tempo": "brisk", "watch": "yes", "hints": "",
}  # fmt: skip
"""The defaults of the fields beside the seats and the game's own options."""

MACHINES: Final = ("Kaspar", "Melchior", "Balthasar", "Jonas", "Tobias")
"""The default names of computer players, by chair."""


def kinds(words: Words, game: str, may_lack: bool) -> dict[str, str]:
    """Return the kinds of sitters for a chair, as the form names them."""
    sitters = {"friend": words.say("a friend (I’ll send a link)"), "open": words.say("anyone")}
    sitters |= {f"machine-{player}": label for player, label in machines(words, game).items()}
    sitters["here"] = words.say("someone on this device")
    if may_lack:
        sitters[NO_CHAIR] = words.say("seat not used")
    return sitters


def machines(words: Words, game: str) -> dict[str, str]:
    """Return the levels of computer players, the weakest first, with a description of each."""
    return {level: words.say("computer player, {level}", level=likeness(words, level)) for level in levels(game)}


def fields_of(game: str, way: Way, level: str = "") -> dict[str, str]:
    """Return the form fields that a way of playing fills in; ``level`` is that of the computer players."""
    fields = {}
    for chair in adapter_of(game).opening.chairs:
        sitter = chair.usual
        if way == "machines" and sitter != NO_CHAIR:
            sitter = f"machine-{level or usual(game)}"
        elif way == "days" and sitter != NO_CHAIR:
            sitter = "friend"
        fields[f"chair-{chair.number}"] = sitter
    return fields | ({"pace": "slow-86400-0"} if way == "days" else {})


def fields_of_table(info: TableInfo, own: Container[int]) -> dict[str, str]:
    """Return the form fields that mean a table like another one, between its people at the seats ``own``.

    The first of the other seats is for a friend; then come those who sit or sat on the others.
    """
    opening = adapter_of(info.game).opening
    others = [_sitter(seat) for number, seat in enumerate(info.seats) if number not in own]
    sitters = dict(zip([chair.number for chair in opening.chairs], ["friend", *others], strict=False))
    fields = {f"chair-{chair.number}": sitters.get(chair.number, NO_CHAIR) for chair in opening.chairs}
    strict = info.dice == "strict" and info.pace.kind != "live"
    early = info.dice != "strict" and info.pace.kind == "live"
    return {
        **opening.fields(info.options),
        **(fields if opening.may_lack else {}),
        **_pace_fields(info.pace),
        "order": "random" if info.order == "random" else "",
        "stand_in": info.stand_in,
        "takeover": info.takeover,
        "tempo": info.tempo,
        "watch": "yes" if info.watch else "no",
        "hints": "yes" if info.hints else "",
        "dice": "strict" if strict else "early" if early else "usual",
    }


def _sitter(seat: SeatInfo) -> str:
    """Return the choice of a chair that means who sits on a seat; people who sat there need an invitation again."""
    if seat.player in LEVELS:
        return f"machine-{seat.player}"
    return "open" if seat.kind == "open" and not seat.taken else "friend"


def _pace_fields(pace: Pace) -> dict[str, str]:
    """Return the form fields that mean a pace."""
    if name := name_of_pace(pace):
        return {"pace": name}
    if pace.kind == "live":
        return {"pace": "live", "seconds": str(pace.seconds), "reserve": str(pace.reserve // 60)}
    return {"pace": "slow", "hours": str(pace.seconds // 3600)}


def plan_against(game: str, level: str) -> Plan:
    """Return the plan of a table with one person and computer players."""
    return plan_of(game, Form(fields_of(game, "machines", level).items()))


def plan_with_friends(game: str, pace: str = "none") -> Plan:
    """Return the plan of a table whose other seats, as many as usual, are for friends; ``pace`` is a key of PACES."""
    return plan_of(game, Form((fields_of(game, "days") | {"pace": pace}).items()))


def plan_of(game: str, form: Form) -> Plan:
    """Return the plan that a form means. Raises BadOptions."""
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
        pace=pace_of(form),
        watch=form.get("watch", "yes") == "yes",
        stand_in=form.one_of("stand_in", get_args(StandIn), "ask"),
        order="random" if form.get("order") == "random" else "given",
        hints=form.get("hints") == "yes",
        takeover=form.one_of("takeover", get_args(Level), "casual"),
        tempo=form.one_of("tempo", get_args(Tempo), "brisk"),
        dice=form.one_of("dice", get_args(DiceChoice), "usual"),
    )


SEEK_PACES: Final = ("live-60-600", "live-30-300", "none", "slow-86400-0")
"""The paces of seeks: the fewer there are, the more people meet."""


@cache
def sizes(game: str) -> range:
    """Return the numbers of players with which the game's own rules let it begin."""
    most = 1 + len(adapter_of(game).opening.chairs)
    fewest = most
    while fewest > _FEWEST_TOGETHER and _can_begin(game, fewest - 1):
        fewest -= 1
    return range(fewest, most + 1)


_FEWEST_TOGETHER: Final = 2
"""Minimum number of players of a seek."""


def _can_begin(game: str, players: int) -> bool:
    """Return True if the game accepts its usual options with that many players."""
    adapter = adapter_of(game)
    try:
        options = adapter.opening.options(Form(()), players)
        adapter.game.start(options)
    except BadOptions:
        return False
    return adapter.game.seats(options) == players


def usual_size(game: str) -> int:
    """Return the number of players with which the form for a new table begins."""
    return 1 + sum(chair.usual != NO_CHAIR for chair in adapter_of(game).opening.chairs)


def pace_named(name: str) -> Pace:
    """Return the pace that a key of PACES means."""
    if name == "none":
        return Pace()
    kind, seconds, reserve = name.split("-")
    return Pace("live" if kind == "live" else "slow", int(seconds), int(reserve))


def name_of_pace(pace: Pace) -> str:
    """Return the key of PACES for a pace; empty if there is none."""
    return next((name for name in PACES if name not in _CUSTOM and pace_named(name) == pace), "")


def pace_of(form: Form) -> Pace:
    """Return the pace that a form means; without a valid one there is no limit."""
    kind = form.get("pace", "none")
    if kind == "live":
        return Pace("live", form.number("seconds", USUAL_SECONDS), 60 * form.number("reserve", USUAL_RESERVE))
    if kind == "slow":
        return Pace("slow", 3600 * form.number("hours", USUAL_HOURS))
    return pace_named(kind if kind in PACES else "none")


def preset_paces(words: Words) -> dict[str, str]:
    """Return the paces offered at a table that was opened with one click, by their keys."""
    return {pace: words.say(label) for pace, label in PRESETS.items()}


def _unfolded_parts(game: str, way: Way, form: Form) -> set[str]:
    """Return the parts of the form to show unfolded: those that differ from what the way of playing fills in."""
    opening = adapter_of(game).opening
    filled_in = fields_of(game, way)
    names = [f"name-{chair.number}" for chair in opening.chairs]
    seats = dict.fromkeys(("order", *names), "") | {name: filled_in[name] for name in filled_in if name != "pace"}
    pace = _PACE_FIELDS | {name: filled_in[name] for name in filled_in if name == "pace"}
    parts = {"seats"} if way == "machines" else set()
    parts |= {"seats"} if _differs(form, seats) else set()
    parts |= {"pace"} if _differs(form, pace) else set()
    players = 1 + sum(form.get(name, default) != NO_CHAIR for name, default in filled_in.items() if name != "pace")
    try:
        as_usual = opening.options(form, players) == opening.options(Form(()), players)
    except BadOptions:
        as_usual = False
    return parts if as_usual else {*parts, "options"}


def _differs(form: Mapping[str, str], defaults: Mapping[str, str]) -> bool:
    return any(form.get(name, value) != value for name, value in defaults.items())


class GameOptions(GamePart, frozen=True, kw_only=True):
    """The context of a game's ``options.html``: what ``Opening.choices`` returns, and these."""

    game: str
    form: Form
    """The fields as they were chosen before."""

    @property
    def template_name(self) -> str:
        """Return the name of the game's template."""
        return f"{self.game}/options.html"


class OpeningForm(msgspec.Struct, frozen=True, kw_only=True):
    """The form for a new table: ``opening``."""

    game: str
    form: Form
    """The fields as they were chosen before, or as the way of playing sets them."""
    way: Way
    ways: Mapping[Way, tuple[str, ...]]
    """The ways of playing, each with its name and what it means."""
    unfolded: set[str]
    """The parts of the form that are unfolded."""
    chairs: Sequence[Chair]
    kinds: Mapping[str, str]
    """The choices of people and players for a chair."""
    own_pace: Mapping[str, int]
    """The usual numbers of a pace of one's own."""
    paces: Mapping[str, str]
    stand_ins: Mapping[str, str]
    levels: Mapping[str, str]
    """The computer players that can stand in."""
    tempos: Mapping[str, str]
    kinds_of_dice: Mapping[str, str]
    has_judge: bool
    """True if there can be hints."""
    options: GameOptions


def choices(words: Words, game: str, sent: Mapping[str, str]) -> OpeningForm:
    """Return the form; ``sent`` holds the fields chosen so far."""
    opening = adapter_of(game).opening
    way = Form(sent.items()).one_of("way", get_args(Way), "friend")
    form = Form({**fields_of(game, way), **sent}.items())
    return OpeningForm(
        game=game,
        form=form,
        way=way,
        ways={value: tuple(map(words.say, label)) for value, label in WAYS.items()},
        unfolded=_unfolded_parts(game, way, form),
        chairs=opening.chairs,
        kinds=kinds(words, game, opening.may_lack),
        own_pace={"seconds": USUAL_SECONDS, "reserve": USUAL_RESERVE, "hours": USUAL_HOURS},
        paces={value: words.say(label) for value, label in PACES.items()},
        stand_ins={value: words.say(label) for value, label in STAND_INS.items()},
        levels=machines(words, game),
        tempos={value: words.say(label) for value, label in TEMPOS.items()},
        kinds_of_dice={value: words.say(label) for value, label in DICE.items()},
        has_judge=has_judge(game),
        options=GameOptions(game=game, form=form, own=opening.choices(words)),
    )


def share_of(form: Form) -> Share:
    """Return what a form that takes a seat adds to the dice."""
    return Share(form.get("salt", ""), form.get("salt_commitment", ""))
