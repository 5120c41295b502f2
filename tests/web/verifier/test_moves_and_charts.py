"""Moves and sea charts: the page allows what the rules allow."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

import msgspec
from playwright.sync_api import Page

from kontor import records
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.chart import OURS
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.shanghaien.rules.components import NATIONS, TRICKS
from kontor.plugins import game_named
from kontor.records import Record, encode
from records.made import Chooser, at_random, play_record
from web.verifier.forgeries import write_lines
from web.verifier.verdicts import make_record, shared_verdicts

PROBED: Final = 900
CHARTS: Final = 200

ALIKE: Final = (
    {"roll", "shanghai"},
    {"number", "place", "joker", "nudge", "both", "reroll"},
    {"kontor", "smith", "lay", "pass"},
    {"put"},
    {"sail"},
    {"name"},
    {"propose", "withhold"},
    {"accept", "decline"},
    {"show", "keep"},
    {"check", "waive"},
)
"""Kinds of moves that can be legal at the same time."""


def tavern_moves(state: Any, random: Random) -> Iterator[dict[str, Any]]:
    """Yield any moves that a captain could write, with dice that were rolled and others."""
    yield from ({"move": kind} for kind in ("roll", "shanghai", "both", "reroll"))
    yield {"move": "number", "one_at": random.choice(("left", "right"))}
    yield {"move": "place", "die": random.randint(0, 7)}
    yield {"move": "joker", "trick": random.choice(TRICKS), "nation": random.choice(NATIONS)}
    die = random.choice((*(state.roll or ()), random.randint(0, 7)))
    for to in (die - 1, die + 1, random.randint(0, 7)):
        yield {"move": "nudge", "die": die, "to": to}


def merchants_moves(state: Any, random: Random) -> Iterator[dict[str, Any]]:
    """Yield any moves that a merchant could write.

    They have horseshoes of the rack, any field, and more ducats than there are.
    """
    for kind in ("kontor", "smith", "pass", "withhold", "accept", "decline", "keep", "check", "waive"):
        yield {"move": kind}
    rack = state.merchants[state.mover].rack
    lay = random.sample(rack, random.randint(0, len(rack)))
    yield {"move": "lay", "horseshoes": sorted(lay, reverse=random.random() < 0.9)}
    yield {"move": "put", "shares": random.choices(state.merchants[state.mover].shares or COLOURS, k=2)}
    yield {"move": "show", "colour": random.choice(COLOURS)}
    to = random.choice([field.name for field in state.options.chart.fields])
    for field in (to, state.came_from or to):
        yield {"move": "sail", "to": field}
        yield {"move": "name", "to": field}
    tied = len(state.bargain.tied) if state.bargain else 2
    paid = [random.randint(-40, 40) for _ in range(tied - 1)]
    for last in (-sum(paid), 1 - sum(paid)):
        yield {"move": "propose", "to": random.choice(state.sea.ways[state.dutchman]), "ducats": [*paid, last]}
    yield {"move": "propose", "to": to, "ducats": [0] * random.choice((tied, tied + 1))}


def choose_patiently(number: int) -> Chooser:
    """Return a chooser that mostly takes the first move: Kontor cards are used up, dice placed, tricks kept."""
    random = Random(number)

    def choose(game: Any, state: Any) -> Any:
        moves = game.moves(state)
        return random.choice((moves[0], moves[0], moves[0], random.choice(moves)))

    return choose


def left_after_a_move(record: Record, random: Random) -> str:
    """Return the game, abandoned after a move that may be legal or not, and is often of a kind that is due."""
    places: defaultdict[type, list[int]] = defaultdict(list)  # by the kind of the due move, as some are rare
    for at, step in enumerate(record.steps):
        if step.seat >= 0:
            places[type(step.action)].append(at)
    place = random.choice(random.choice(list(places.values())))
    before, due = Record(record.header, record.steps[:place]), record.steps[place]
    *_, state = records.replay(before)
    kind = msgspec.to_builtins(due.action)["move"]
    alike = next(kinds for kinds in ALIKE if kind in kinds)
    offered = game_named(record.header.game).moves(state)
    moves = tavern_moves(state, random) if record.header.game == "shanghaien" else merchants_moves(state, random)
    every = [msgspec.to_builtins(random.choice(offered)), *moves]
    move = random.choice([move for move in every if move["move"] in alike or random.random() < 0.1])
    seat = due.seat if random.random() < 0.95 else random.randrange(-1, len(record.header.seats) + 1)
    return encode(before).decode() + write_lines([{"seat": seat, **move}])


def test_the_page_allows_the_moves_that_the_rules_allow(page: Page) -> None:
    random = Random(7)
    games = [make_record(random, choose_patiently(number) if number % 2 else None) for number in range(60)]
    texts = [left_after_a_move(random.choice(games), random) for _ in range(PROBED)]
    verdicts = shared_verdicts(page, texts)
    assert min(Counter(verdict for verdict, _ in verdicts).values()) > PROBED / 5


def _disconnected_chart(bridges: int) -> dict[str, Any]:
    """Return a chart whose two shores only so many lines join.

    Islands on one shore and ships on the other are no neighbours.
    """
    fields = [{"name": field.name, "at": list(field.at), "colour": field.colour} for field in OURS.fields]
    north = [field.name for field in OURS.fields if field.at[0] < 2]
    short = [list(line) for line in OURS.short if len({*line} & {*north}) != 1]
    return {
        "fields": fields,
        "short": short + [list(line) for line in OURS.short if list(line) not in short][:bridges],
    }


APART: Final[list[dict[str, Any]]] = [_disconnected_chart(bridges) for bridges in range(4)]

CHANGES_OF_A_CHART: Final[tuple[Callable[[Any, Random], object], ...]] = (
    lambda chart, random: chart["short"].pop(random.randrange(len(chart["short"]))),
    lambda chart, random: chart["long"].append([random.choice(chart["fields"])["name"] for _ in "ab"]),
    lambda chart, random: chart["fields"].pop(random.randrange(len(chart["fields"]))),
    lambda chart, random: random.choice(chart["fields"]).update(name=random.choice(("", " ", "Java", "Borneo"))),
    lambda chart, random: random.choice(chart["fields"]).update(at=[random.randint(-1, 5), random.randint(-1, 5)]),
    lambda chart, random: random.choice(chart["fields"]).update(colour=random.choice((None, "blue", "red"))),
    lambda chart, random: chart.update(holland=random.choice(chart["fields"])["name"]),
    lambda chart, random: random.choice((chart["short"], chart["long"])).clear(),
    lambda chart, random: chart.update(random.choice(APART)),
)


def test_the_page_allows_the_charts_that_the_rules_allow(page: Page) -> None:
    random = Random(9)
    header = json.loads(encode(Record(play_record(DUTCHMAN, DutchmanOptions(), at_random(1), bytes(32)).header)))
    texts = []
    for _ in range(CHARTS):
        line = deepcopy(header)
        random.choice(CHANGES_OF_A_CHART)(line["options"]["chart"], random)
        texts.append(write_lines([line]))
    verdicts = shared_verdicts(page, texts)
    assert min(Counter(verdicts).values()) > CHARTS / 20
