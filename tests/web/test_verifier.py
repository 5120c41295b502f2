"""``docs/verify.html``, opened from its folder: a second program, with the same verdicts as ``kontor verify``."""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from guests import ME, OPEN, query
from kontor import records
from kontor.endings import How, early_end
from kontor.fair import FairDice, commitment, salt_commitment
from kontor.game import shuffled
from kontor.games.dutchman.rules import DUTCHMAN
from kontor.games.dutchman.rules import Options as DutchmanOptions
from kontor.games.dutchman.rules.chart import OURS, Chart, Field
from kontor.games.dutchman.rules.components import COLOURS
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.components import NATIONS, TRICKS, TrickCounts
from kontor.plugins import game_named
from kontor.records import BadRecord, Header, Record, decode, encode
from kontor.server.composition import KontorServer
from kontor.storage.sqlite import DATABASE
from kontor.tables.values import Plan, Share
from records.made import EXAMPLE, SHOWN, STRICT, WITHOUT, Chooser, at_random, choose_shortest, play_record
from server.older import GOLDEN
from web.browsers import WIDTH, Chromium, new_page, no_complaints
from web.firefox import IN_FIREFOX, Firefox
from web.test_axe import AXE

FILE: Final = Path(__file__).parents[2] / "docs" / "verify.html"

MADE: Final = 200
FORGED: Final = 300
PROBED: Final = 900
CHARTS: Final = 200

HIDDEN: Final = "\0\t\x1f\x7f\x9f\u061c\u200b\u200e\u200f\u2028\u202e\u2060\u206f\ufeff\ufff9\ufffb"
"""Characters that no line may hold."""

Verdict = tuple[str, int | None]
"""Verdict on a record, and the number of the faulty line."""


@pytest.fixture(scope="module")
def page(chromium: Chromium) -> Iterator[Page]:
    """Yield the file as a page of its own, without a server."""
    page = new_page(chromium, FILE.as_uri())
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(FILE.as_uri())
    with no_complaints(page):
        yield page
    assert set(addresses) <= {FILE.as_uri(), "data:,"}
    page.context.close()


def by_kontor(text: str) -> Verdict:
    """Return the verdict of ``kontor verify``."""
    try:
        verified = records.verify(decode(text.encode()))
    except BadRecord as wrong:
        return "wrong", wrong.line
    return ("holds" if verified.dice else "open"), None


def by_page(page: Page, texts: Sequence[str]) -> list[Verdict]:
    """Return the page's verdicts."""
    script = "texts => texts.map((text) => verify(text)).map(({ verdict, line }) => [verdict, line ?? null])"
    return [(verdict, line) for verdict, line in page.evaluate(script, texts)]


# ------------------------------------------------------------------------------------------------------ records


def charts(random: Random) -> Chart:
    """Return our chart, or one with other names that is written in another order."""
    if random.random() < 0.7:
        return OURS
    names = {field.name: f"{field.name} “ö\\”" for field in OURS.fields}
    fields = tuple(Field(names[field.name], field.at, field.colour) for field in OURS.fields[::-1])
    short, long = (tuple((names[b], names[a]) for a, b in lines) for lines in (OURS.short, OURS.long))
    return Chart(names[OURS.holland], fields, short, long)


def make_record(random: Random, choose: Chooser | None = None) -> Record:
    """Return a game with any options, played to its end; the moves are random unless ``choose`` is given."""
    if random.random() < 0.5:
        kinds = Counter(random.choice(TRICKS) for _ in range(8))
        counts = TrickCounts(kinds["nudge"], kinds["both"], kinds["reroll"])
        options: Any = ShanghaienOptions(counts, random.choice((None, 0, 1)), random.choice((None, *TRICKS)))
        game: Any = SHANGHAIEN
    else:
        players = random.randint(3, 6)
        starter = random.choice((None, *range(players)))
        options = DutchmanOptions(players, starter, random.randint(0, 5), charts(random))
        options = replace(options, check=random.choice(("never", "on request")))
        game = DUTCHMAN
    words = ("", "zwölf Hufeisen", "幽霊船 ⚓", random.randbytes(16).hex())
    salts = tuple(random.choice(words) for _ in range(game.seats(options)))
    strict = random.random() < 0.4
    committed = tuple(salt_commitment(salt) if salt else "" for salt in salts) if strict else ()
    if strict and random.random() < 0.4:
        left_out = random.randrange(len(salts))
        salts = (*salts[:left_out], "", *salts[left_out + 1 :])
    if choose is None:
        choose = (
            choose_shortest if game is SHANGHAIEN and random.random() < 0.2 else at_random(random.getrandbits(32))
        )
    if random.random() < 0.3:
        return play_record(game, options, choose, random.randbytes(32), duplicate=True, stepped=random.random() < 0.5)
    return play_record(game, options, choose, random.randbytes(32), salts, committed)


def abandon_game(record: Record, random: Random) -> Record:
    """Return the same game, abandoned at some step."""
    return Record(record.header, record.steps[: random.randrange(len(record.steps))])


def early(record: Record, random: Random) -> Record:
    """Return the same game, ended by the people at the table while one of them was to move."""
    seats = len(record.header.seats)
    due = [place for place, step in enumerate(record.steps) if step.seat >= 0]
    ways: tuple[How, ...] = ("resigned", "agreed", "claimed") if seats == 2 else ("resigned", "agreed")
    ending = early_end(random.choice(ways), random.randrange(seats), seats)
    assert record.ending
    cut = Record(record.header, record.steps[: random.choice(due)])
    return records.ended_early(cut, bytes.fromhex(record.ending.seed), ending)


def some_records(count: int) -> list[str]:
    """Return records of all sorts, as text."""
    random = Random(1729)
    sorts: tuple[Callable[[Record, Random], Record], ...] = (lambda record, _: record, early, abandon_game)
    sort = random.choices(sorts, (3, 2, 1), k=count)
    return [encode(each(make_record(random), random)).decode() for each in sort]


def test_the_page_says_of_every_record_what_kontor_says(page: Page) -> None:
    texts = some_records(MADE)
    expected = [by_kontor(text) for text in texts]
    assert by_page(page, texts) == expected
    sorts = Counter(verdict for verdict, _ in expected)
    assert sorts["holds"] > sorts["open"] > 10
    assert len({text.split('"seats"')[0] for text in texts}) > MADE / 3, "with options of every kind"
    assert strict_sorts(texts) >= {
        (ending, left_out) for ending in ("result", "early", "none") for left_out in (0, 1)
    }


def strict_sorts(texts: Sequence[str]) -> set[tuple[str, int]]:
    """Return how the games with strict dice ended, and how many shares were left out."""
    verified = [records.verify(decode(text.encode())) for text in texts]
    return {
        ("result" if verification.result else "early" if verification.early else "none", len(verification.left_out))
        for verification in verified
        if verification.strict
    }


def test_both_say_whose_shares_were_left_out(page: Page) -> None:
    texts = [text for text in some_records(MADE) if '"salt_commitments"' in text]
    expected = [list(records.verify(decode(text.encode())).left_out) for text in texts]
    assert page.evaluate("texts => texts.map((text) => verify(text).leftOut)", texts) == expected
    for text, names in zip(texts, expected, strict=True):
        page.evaluate("text => show('game.jsonl', verify(text))", text)
        expect(page.locator("#found")).to_contain_text("Every contribution is the one that was promised.")
        assert [f"of {name}." for name in names] == re.findall(
            r"The game began without the contribution (of \w+\.)", page.locator("#found").inner_text()
        )


def test_records_of_older_programs_hold(page: Page, tmp_path: Path) -> None:
    (tmp_path / DATABASE).write_bytes(gzip.decompress((GOLDEN / "house.db.gz").read_bytes()))
    tables = json.loads((GOLDEN / "house.json").read_text("utf-8"))["tables"]
    with KontorServer.open(tmp_path) as service:
        old = [encode(service.tables.record(tables[f"over {game}"])).decode() for game in ("shanghaien", "dutchman")]
    texts = [SHOWN.read_text("utf-8"), *old]
    assert by_page(page, texts) == [("holds", None)] * 3 == [by_kontor(text) for text in texts]


# ------------------------------------------------------------------------------------------------------ forgeries

Lines = list[dict[str, Any]]


def write_lines(lines: Lines, *, anew: bool = False) -> str:
    """Return the lines as text; with ``anew``, the digest is computed again, as a careful forger would."""
    texts = [json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines]
    if anew and "digest" in lines[-1]:
        digest = hashlib.sha256("".join(texts[:-1]).encode()).hexdigest()
        texts[-1] = texts[-1].replace(lines[-1]["digest"], digest)
    return "".join(texts)


def find_leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the places of numbers and texts in a line: container and key."""
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(part, dict | list):
            yield from find_leaves(part)
        else:
            yield value, key


def other_value(value: Any, random: Random) -> Any:
    """Return another value of the same sort."""
    match value:
        case None | bool():
            return random.choice((0, "nudge"))
        case int():
            return value + random.choice((-1, 1, 1, 10))
        case str() if len(value) == 64:
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case _:
            words = (
                "left",
                "right",
                "blue",
                "violet",
                "nudge",
                "both",
                "A3",
                "I4",
                "Holland",
                "Java",
                "",
                "roll",
                "pass",
            )
            return random.choice([word for word in words if word != value])


def change_chance(lines: Lines, random: Random) -> None:
    """Change an outcome."""
    line = random.choice([line for line in lines if "chance" in line])
    inside, key = random.choice([(inside, key) for inside, key in find_leaves(line) if key != "chance"])
    inside[key] = other_value(inside[key], random)


def change_order(lines: Lines, random: Random) -> None:
    """Swap two things of an outcome."""
    line = random.choice([line for line in lines if line.get("chance") in ("row", "deal", "shuffle", "share")])
    inside = random.choice([part for part in line.values() if isinstance(part, list) and part] or [[0]])
    one, other = (random.randrange(len(inside)) for _ in "ab")
    inside[one], inside[other] = inside[other], inside[one]


def change_move(lines: Lines, random: Random) -> None:
    """Change a move, or its seat."""
    moves = [line for line in lines if "move" in line]
    if moves:
        inside, key = random.choice(list(find_leaves(random.choice(moves))))
        inside[key] = other_value(inside[key], random)


def change_header(lines: Lines, random: Random) -> None:
    """Change any value of the first line: a salt, the commitment, an option, the version."""
    inside, key = random.choice(list(find_leaves(lines[0])))
    inside[key] = other_value(inside[key], random)


def change_salt(lines: Lines, random: Random) -> None:
    """Change the salt of a seat."""
    salts = lines[0]["salts"]
    salts[random.randrange(len(salts))] += "!"


def change_commitments(lines: Lines, random: Random) -> None:
    """Change the commitments to the salts.

    One is another seat's, or of another salt, or empty, or missing, or there is one too many. Or all of them are
    empty or missing.
    """
    header = lines[0]
    committed = header.get("salt_commitments") or [""] * len(header["seats"])
    at = random.randrange(len(committed))
    other = random.choice(
        (committed[at - 1], salt_commitment("another"), "", committed[at].upper(), committed[at][1:])
    )
    ways: tuple[list[str], ...] = (
        [*committed[:at], other, *committed[at + 1 :]],
        [*committed[:at], *committed[at + 1 :]],
        [*committed, other],
        [""] * len(committed),
        [],
    )
    started = {"started": header.pop("started")} if "started" in header else {}
    header |= {"salt_commitments": random.choice(ways)} | started
    if random.random() < 0.2:
        del header["salt_commitments"]


def change_version(lines: Lines, random: Random) -> None:
    """Change the version of the format."""
    lines[0]["record"] = random.choice([version for version in range(5) if version != lines[0]["record"]])


def change_ending(lines: Lines, random: Random) -> None:
    """Change the seed, the result, the early end or the digest; in a game without an ending, the last step."""
    inside, key = random.choice(list(find_leaves(lines[-1])))
    inside[key] = other_value(inside[key], random)


def change_chart(lines: Lines, random: Random) -> None:
    """Remove, double or replace a line or a field of the sea chart."""
    if chart := lines[0]["options"].get("chart"):
        part = chart[random.choice(("short", "long", "fields"))]
        at = random.randrange(len(part))
        part[at : at + 1] = random.choice(([], [part[at]] * 2, [part[at - 1]]))


def swap_seed(lines: Lines, random: Random) -> None:
    """Replace the seed and its commitment, as a dealer would who wanted other dice."""
    if "seed" in lines[-1]:
        seed = random.randbytes(32)
        lines[-1]["seed"], lines[0]["commitment"] = seed.hex(), commitment(seed)


def drop(lines: Lines, random: Random) -> None:
    """Remove a line."""
    del lines[random.randrange(1, len(lines))]


def double(lines: Lines, random: Random) -> None:
    """Double a line."""
    at = random.randrange(1, len(lines))
    lines.insert(at, lines[at])


def swap_lines(lines: Lines, random: Random) -> None:
    """Swap two neighbouring lines."""
    at = random.randrange(1, max(2, len(lines) - 1))
    lines[at : at + 2] = lines[at : at + 2][::-1]


def reorder(lines: Lines, random: Random) -> None:
    """Reverse the fields of a line, or remove or add one."""
    at = random.randrange(len(lines))
    fields = list(lines[at].items())
    lines[at] = dict(random.choice((fields[::-1], fields[:-1], [*fields, ("more", 1)])))


FORGERIES: Final[tuple[Callable[[Lines, Random], None], ...]] = (
    change_chance,
    change_chance,
    change_order,
    change_move,
    change_move,
    change_header,
    change_salt,
    change_commitments,
    change_version,
    change_ending,
    change_chart,
    swap_seed,
    drop,
    double,
    swap_lines,
    reorder,
)


def misspell(text: str, random: Random) -> str:
    """Return the same lines in another spelling, or incomplete."""
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    line = lines[at]
    lines[at] = random.choice(
        (
            line.replace(":", ": ", 1),
            line.replace('"', '"\\u0041', 1),
            line.replace('"', '"\\n', 1),
            line.replace('"', '"\u202e', 1),
            line.replace("{", '{"seat":0,', 1),
            line[: len(line) // 2],
            line[:-1],
            "\n" + line,
            "[]\n",
            "7\n" + line,
            "\ufeff" + line,
            line.replace("\n", "\r\n"),
            line.replace("1", "1.0", 1),
            line.replace("1", "1e400", 1),
            line.replace(":", ":" + "[" * 30_000, 1),
            line.replace("}", ',"x":"' + "y" * 70_000 + '"}', 1),
        )
    )
    return "".join(lines)


def forge(texts: Sequence[str], count: int, random: Random) -> Iterator[str]:
    """Yield ``count`` forgeries: one of the records with something changed."""
    while count:
        text = random.choice(texts)
        if random.random() < 0.1:
            forgery = misspell(text, random)
        else:
            lines = deepcopy([json.loads(line) for line in text.splitlines()])
            if not any(line.get("chance") in ("row", "deal") for line in lines):
                continue
            random.choice(FORGERIES)(lines, random)
            forgery = write_lines(lines, anew=random.random() < 0.6)
        if forgery != text:
            count -= 1
            yield forgery


def test_the_page_finds_the_line_of_every_forgery_that_kontor_finds(page: Page) -> None:
    """Check all forgeries, also with moves that the rules refuse.

    A harmless forgery passes in both programs: a changed name, or another legal move after the last outcome, with a
    new digest.
    """
    texts = list(forge(some_records(60), FORGED, Random(48)))
    expected = [by_kontor(text) for text in texts]
    verdicts = by_page(page, texts)
    for text, kontors, by_the_page in zip(texts, expected, verdicts, strict=True):
        assert by_the_page == kontors, text[-2000:]
    assert sum(verdict == "wrong" for verdict, _ in expected) > 0.8 * FORGED


# ------------------------------------------------------------------------------------------- one thing at a time


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
    expected = [by_kontor(text) for text in texts]
    for text, kontors, by_the_page in zip(texts, expected, by_page(page, texts), strict=True):
        assert by_the_page == kontors, text[-500:]
    assert min(Counter(verdict for verdict, _ in expected).values()) > PROBED / 5


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
    expected = [by_kontor(text) for text in texts]
    assert by_page(page, texts) == expected
    assert min(Counter(expected).values()) > CHARTS / 20


def test_the_page_knows_how_a_game_can_end_early(page: Page) -> None:
    random = Random(11)
    texts = []
    for seats, stepped in ((2, False), (3, False), (2, True)):
        options = ShanghaienOptions() if seats == 2 else DutchmanOptions(players=3)
        game: Any = SHANGHAIEN if seats == 2 else DUTCHMAN
        complete = play_record(game, options, at_random(1), bytes(32), duplicate=stepped, stepped=stepped)
        lines = [json.loads(line) for line in encode(early(complete, random)).splitlines()]
        for cut in (-1, next(at for at, line in enumerate(lines) if line.get("chance") == "dice")):
            for how in ("resigned", "agreed", "claimed", "abandoned"):
                for seat in range(-1, seats + 1):
                    for winners in ([], [0], [1], [0, 1]):
                        end = lines[-1] | {"early": {"how": how, "seat": seat, "winners": winners}}
                        texts.append(write_lines([*lines[:cut], end], anew=True))
    texts += [text.replace('{"record":2', '{"record":1') for text in texts[::9] if '{"record":2' in text]
    expected = [by_kontor(text) for text in texts]
    assert by_page(page, texts) == expected
    assert Counter(expected)["holds", None] == 6 + 6 + 2 * 6, (
        "three ways for each of two seats, and two for each of three; in step also where chance is to act"
    )


def test_the_page_knows_what_seats_can_have_committed_to(page: Page) -> None:
    random = Random(13)
    texts = []
    for record in (
        EXAMPLE,
        STRICT,
        WITHOUT,
        early(STRICT, random),
        early(EXAMPLE, random),
        abandon_game(WITHOUT, random),
    ):
        lines = [json.loads(line) for line in encode(record).splitlines()]
        for _ in range(40):
            forgery = deepcopy(lines)
            for change in random.sample((change_salt, change_commitments, change_version), random.randint(0, 2)):
                change(forgery, random)
            texts.append(write_lines(forgery, anew=True))
    expected = [by_kontor(text) for text in texts]
    assert by_page(page, texts) == expected
    assert min(Counter(verdict for verdict, _ in expected).values()) > 5


def test_the_page_knows_the_one_way_to_write_a_line(page: Page) -> None:
    texts = []
    for name in (*HIDDEN, *'"\\/é€😀', "\\n", "\\/", '\\"', "\\\\", "\\\\n", "\\\\\\n", "\\u00e9", "\\ud83d\\ude00"):
        line = encode(Record(EXAMPLE.header)).decode().replace("Anna", f"A{name}", 1)
        texts.append(line)
    expected = [by_kontor(text) for text in texts]
    assert by_page(page, texts) == expected
    assert len(set(expected)) == 2


MOMENTS: Final = (
    "2026-03-01T19:30:00Z",
    "2026-03-01T19:30:01+09:00",
    "2026-03-01T19:30:01.500000-05:30",
    "2024-02-29T23:59:59Z",
    "2026-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T19:60:00Z",
    "2026-03-01T19:30:60Z",
    "2026-03-01T19:30:00",
    "2026-03-01T19:30:00+00:00",
    "2026-03-01T19:30:00-00:00",
    "2026-03-01T19:30:00+24:00",
    "2026-03-01T19:30:00.5Z",
    "2026-03-01T19:30:00.000000Z",
    "2026-03-01T19:30:00z",
    "2026-03-01 19:30:00Z",
    "0000-03-01T19:30:00Z",
    "0001-03-01T19:30:00Z",
    "",
)


def test_of_when_the_game_began_both_say_the_same(page: Page) -> None:
    lines = [json.loads(line) for line in encode(EXAMPLE).splitlines()]
    texts = [write_lines([lines[0] | {"started": moment}, *lines[1:]], anew=True) for moment in MOMENTS]
    expected = [by_kontor(text) for text in texts]
    assert by_page(page, texts) == expected
    assert Counter(expected) == {("holds", None): 5, ("wrong", 1): len(MOMENTS) - 5}


def test_what_is_no_text_is_no_record(page: Page) -> None:
    complete = encode(EXAMPLE)
    for data in (
        b"",
        b"\n",
        b"\0\1\2",
        complete[:-1],
        complete.replace(b"Anna", b"Ann\xff"),
        complete.replace(b"Anna", b"\xed\xa0\x80"),
    ):
        with pytest.raises(BadRecord) as caught:
            records.verify(decode(data))
        result = page.evaluate("bytes => verify(Uint8Array.from(bytes))", list(data))
        assert (result["verdict"], result["line"]) == ("wrong", caught.value.line)


# ------------------------------------------------------------------------------------------------------ arithmetic

STANDARD: Final = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    "a" * 1_000_000: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
}
"""Examples of FIPS 180 for SHA-256."""


def test_its_hashes_are_those_of_the_standards(page: Page) -> None:
    for message, digest in STANDARD.items():
        assert page.evaluate("text => hex(sha256(utf8.encode(text)))", message) == digest
    # RFC 4231, test case 2.
    hashed = page.evaluate("hex(hmac(utf8.encode('Jefe'), utf8.encode('what do ya want for nothing?')))")
    assert hashed == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    random = Random(4231)
    messages = [random.randbytes(length) for length in range(200)]
    keys = [random.randbytes(length) for length in (0, 1, 32, 63, 64, 65, 131)]
    hashed = page.evaluate(
        "([keys, all]) => keys.map((key) => all.map((text) => hex(hmac(unhex(key), unhex(text)))))",
        [[key.hex() for key in keys], [text.hex() for text in messages]],
    )
    assert hashed == [[hmac.new(key, text, hashlib.sha256).hexdigest() for text in messages] for key in keys]


def test_it_reads_whole_numbers_as_the_document_says(page: Page) -> None:
    random = Random(3)
    for salts in (("zwölf Hufeisen", ""), (), ("", "a\0", "幽霊船 ⚓")):
        seed, line = random.randbytes(32), random.choice((2, 117, 2**40))
        questions = [*range(1, 70), 255, 256, 257, 65_535, 65_536, 65_537, 2**32, 2**53 - 1]
        below = FairDice(seed, salts).below(line)
        script = "([seed, salts, line, all]) => all.map(belowOf(unhex(seed), salts, line))"
        assert page.evaluate(script, [seed.hex(), salts, line, questions]) == [below(n) for n in questions]


# ---------------------------------------------------------------- seeds, commitments and phrases that readers enter


def test_the_seed_of_a_game_that_was_left_can_be_told(page: Page) -> None:
    text = encode(Record(EXAMPLE.header, EXAMPLE.steps[:30])).decode()
    assert EXAMPLE.ending
    changed = text.replace('["G2","A2"', '["A2","G2"')

    def verdict_with_seed(text: str, seed: str) -> tuple[str, int | None]:
        result = page.evaluate("([text, seed]) => verify(text, { seed })", [text, seed])
        return result["verdict"], result.get("line")

    assert verdict_with_seed(text, "") == ("open", None)
    assert verdict_with_seed(text, EXAMPLE.ending.seed) == ("holds", None)
    for seed in ("00" * 32, "0", EXAMPLE.ending.seed[:-1]):
        assert verdict_with_seed(text, seed) == ("wrong", 1)
    assert verdict_with_seed(changed, "") == ("open", None)
    assert verdict_with_seed(changed, EXAMPLE.ending.seed) == ("wrong", 3)


def test_a_commitment_that_was_noted_is_compared(page: Page) -> None:
    """Check that a noted commitment reveals a dealer who changed the seed, and everything that follows from it.

    Nothing else would reveal this.
    """
    text = encode(EXAMPLE).decode()
    script = "([text, noted]) => { const { verdict, line } = verify(text, { noted }); return [verdict, line]; }"
    assert page.evaluate(script, [text, EXAMPLE.header.commitment]) == ["holds", None]
    assert page.evaluate(script, [text, commitment(bytes(32))]) == ["wrong", 1]


NOT_DRAWN: Final = "By the eight digits that you noted, the seats were not drawn as line 1 draws them."


def by_place(header: Header, places: Sequence[int]) -> tuple[str, ...]:
    """Return the salts in the order of the places at the table; ``places[seat]`` is the seat's place."""
    return tuple(salt for _, salt in sorted(zip(places, header.salts, strict=True)))


def phrase(header: Header, places: Sequence[int]) -> str:
    """Return the phrase as docs/fair-dice.md defines it."""
    digits = hashlib.sha256("\n".join((header.commitment, *by_place(header, places))).encode()).hexdigest()
    return f"{digits[:4]} {digits[4:8]}"


def drawn_places(record: Record, places: Sequence[int]) -> tuple[int, ...]:
    """Return the places that the dice draw for the seats, if people sat at these places."""
    assert record.ending
    dice = FairDice(bytes.fromhex(record.ending.seed), by_place(record.header, places))
    return tuple(shuffled(range(len(places)), dice.below(1)))


def drawn_seats(service: KontorServer, folder: Path, number: int) -> tuple[Record, tuple[int, ...]]:
    """Return the record and the places of a game of three with strict dice and drawn seats.

    All players ended it early.
    """
    shares = [f"{number} {letter}" for letter in "abc"]
    people = [service.people.guest(name)[0].id for name in ("Anna", "Bernd", "Dora")]
    plan = Plan("dutchman", DutchmanOptions(3), (ME, OPEN, OPEN), order="random", dice="strict")
    query(folder, "UPDATE people SET next_seed = ?", bytes([number] * 32))
    first, *others = [Share(commitment=salt_commitment(share)) for share in shares]
    table = service.opening.open(people[0], plan, first)
    for seat, promise in enumerate(others, 1):
        service.opening.sit(table, seat, people[seat], share=promise)
    for person, share in zip(people, shares, strict=True):
        service.salts.reveal(table, person, share)
    service.early_endings.propose(table, service.opening.seats_of(table, people[0])[0], people[0])
    for person in people[1:]:
        service.early_endings.agree(table, person)
    places = service.tables.fair(table).places
    assert places
    return service.tables.record(table), places


def by_phrase(page: Page, record: Record, noted: str) -> list[Any]:
    """Return the page's verdict on a record, and its further result, for a person who noted this phrase."""
    told_of = "const told = verify(text, { phrase }); return [told.verdict, told.placed ?? told.reason];"
    script = f"([text, phrase]) => {{ {told_of} }}"
    result: list[Any] = page.evaluate(script, [encode(record).decode(), noted])
    return result


def test_the_eight_digits_that_were_noted_are_compared(page: Page) -> None:
    for record in (STRICT, WITHOUT, Record(STRICT.header, STRICT.steps[:9])):
        verdict = "holds" if record.ending else "open"
        noted = phrase(record.header, (0, 1))
        for written in (noted, noted.replace(" ", "")):
            assert by_phrase(page, record, written) == [verdict, "given"]
        assert by_phrase(page, record, "") == [verdict, ""]
        for wrong in ("0000 0000", noted[:4], f"{noted}0", "é"):
            assert by_phrase(page, record, wrong) == [
                "wrong",
                "The eight digits of all shares are not those that you noted.",
            ]
    assert by_phrase(page, EXAMPLE, "545d 60d6") == ["holds", "given"], "as docs/fair-dice.md says"


def test_the_eight_digits_tell_whether_the_seats_were_drawn(page: Page, tmp_path: Path) -> None:
    with KontorServer.open(tmp_path) as service:
        games = [drawn_seats(service, tmp_path, number) for number in range(8)]
    others = 0
    for record, places in games:
        noted = phrase(record.header, places)
        seated = "given" if places == (0, 1, 2) else "drawn"
        assert drawn_places(record, places) == places
        assert by_phrase(page, record, noted) == ["holds", seated]
        for order in permutations(range(3)):
            if order not in ((0, 1, 2), drawn_places(record, order)):
                assert by_phrase(page, record, phrase(record.header, order)) == ["wrong", NOT_DRAWN]
                others += 1
    assert {places == (0, 1, 2) for _, places in games} == {False, True}
    assert others > 20


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"record": 6}, "This record has version 6, and this page knows 1 to 5: take the page"),
        ({"rules": 2}, "This game was played by version 2 of its rules, and this page knows 1: take the page"),
        ({"game": "chess"}, "This page does not know the game “chess”: take the page"),
    ],
)
def test_what_it_does_not_know_is_told_kindly(page: Page, changed: dict[str, Any], reason: str) -> None:
    lines = [json.loads(line) for line in encode(EXAMPLE).splitlines()]
    result = page.evaluate("text => verify(text)", write_lines([lines[0] | changed, *lines[1:]]))
    assert (result["verdict"], result["line"]) == ("wrong", 1)
    assert result["reason"].startswith(reason)
    page.evaluate("found => show('newer.jsonl', found)", result)
    expect(page.locator("#found")).to_contain_text(f"This page cannot judge it.newer.jsonl{reason}")


# --------------------------------------------------------------------------------------------------------- the page


def test_a_record_is_chosen_and_the_page_says_whether_it_holds(page: Page, tmp_path: Path) -> None:
    verdict, seed = page.locator("#found"), page.locator("#seed")
    page.locator("#file").set_input_files(SHOWN)
    expect(verdict).to_contain_text("It holds: the dice are as promised.")
    expect(verdict).to_contain_text("All 39 shuffles and rolls follow from the seed")
    expect(verdict).to_contain_text("Result: Anna 8, Bernd 8.")
    expect(verdict).to_contain_text("Anna: “zwölf Hufeisen”")
    expect(verdict).to_contain_text("Compare the fingerprint below")
    page.locator("#noted").fill(f" {EXAMPLE.header.commitment}")
    expect(verdict).to_contain_text("The fingerprint is the one that you noted.")
    page.locator("#noted").fill("00" * 32)
    expect(verdict).to_contain_text("Line 1: The fingerprint is not the one that you noted.")
    page.locator("#noted").fill("")
    page.locator("#phrase").fill("545D 60D6 ")
    expect(verdict).to_contain_text("The eight digits of all shares are those that you noted.")
    page.locator("#phrase").fill("545d 60d7")
    expect(verdict).to_contain_text("Line 1: The eight digits of all shares are not those that you noted.")
    page.locator("#phrase").fill("")
    expect(seed).to_be_hidden()

    forged = tmp_path / "forged.jsonl"
    forged.write_text(SHOWN.read_text("utf-8").replace('"low":3,"high":4', '"low":4,"high":4', 1), "utf-8")
    page.locator("#file").set_input_files(forged)
    expect(verdict).to_contain_text("It does not hold.")
    expect(verdict).to_contain_text("Line 5: According to the seed,")

    left = tmp_path / "left.jsonl"
    left.write_bytes(encode(Record(EXAMPLE.header, EXAMPLE.steps[:30])))
    page.locator("#file").set_input_files(left)
    expect(verdict).to_contain_text("Nothing is wrong, but the seed is missing.")
    assert EXAMPLE.ending
    seed.fill(EXAMPLE.ending.seed.upper())
    expect(verdict).to_contain_text("It holds: the dice are as promised.")
    expect(verdict).to_contain_text("The game was abandoned.")


def test_where_nobody_gave_a_share_it_says_so(page: Page) -> None:
    without = play_record(SHANGHAIEN, ShanghaienOptions(), choose_shortest, bytes(32))
    warning = "No player added a contribution: the dealer could have tried several seeds."
    for record, says in ((without, True), (EXAMPLE, False)):
        page.evaluate("text => show('game.jsonl', verify(text))", encode(record).decode())
        assert (warning in page.locator("#found").inner_text()) == says


def test_a_record_can_be_dropped_anywhere(page: Page) -> None:
    page.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "dropped.jsonl"));
            document.querySelector("h1").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
        }""",
        encode(EXAMPLE).decode(),
    )
    expect(page.locator("#found")).to_contain_text("dropped.jsonl")
    expect(page.locator("#found")).to_contain_text("It holds")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_phone_and_axe_has_nothing_to_complain_of(page: Page, theme: Any) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": WIDTH, "height": 740})
    page.evaluate(AXE)
    record = encode(EXAMPLE).decode()
    strict = encode(WITHOUT).decode()
    for text in (record, record.replace("Anna", "A" * 60), record[:3000], strict):
        page.evaluate("text => show('x'.repeat(200), verify(text))", text)
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH
        complaints = "async () => (await axe.run()).violations.map(({ id, help }) => `${id}: ${help}`)"
        assert page.evaluate(complaints) == []


@IN_FIREFOX
def test_in_firefox_too(firefox: Firefox) -> None:
    firefox.go(FILE.as_uri())
    texts = some_records(20)
    texts += forge(texts, 20, Random(5))
    script = "arguments[0].map((text) => verify(text)).map(({ verdict, line }) => [verdict, line ?? null])"
    verdicts = [(verdict, line) for verdict, line in firefox.evaluate(script, texts)]
    assert verdicts == [by_kontor(text) for text in texts]
