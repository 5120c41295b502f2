"""The sea chart, H3.

Our chart is valid, any other that keeps the rule is playable, and one that breaks it is refused with a sentence that
names the fault.
"""
# ruff: noqa: N802  (tests bear the numbers of the rules)

import re
from collections import Counter
from importlib.resources import files
from itertools import islice
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from kontor.game import BadOptions
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.chart import OURS, BadChart, Chart, Field, read_chart
from kontor.games.dutchman.rules.components import COLOURS
from random_steps import game_steps

from .table import ANYBODY, Seat, go, legal, position

TEXT = files("kontor.games.dutchman.rules").joinpath("chart.toml").read_text(encoding="utf-8")
LINES = {frozenset(line) for line in (*OURS.short, *OURS.long)}
COLOUR = {field.name: field.colour for field in OURS.fields}
ISLANDS = {name for name, colour in COLOUR.items() if colour is None}

# ---------------------------------------------------------------------------------------------------------- ours


def test_H3_ours_has_18_ships_6_islands_and_40_lines() -> None:
    assert sorted(ISLANDS) == ["Ceylon", "Curaçao", "Holland", "Java", "Madeira", "Mauritius"]
    ships = Counter(colour for colour in COLOUR.values() if colour)
    assert ships == Counter(dict.fromkeys(COLOURS, 3))
    assert len(OURS.short) + len(OURS.long) == len(LINES) == 40
    assert len(OURS.long) == 4


def test_H3_ours_is_a_diamond_whose_middle_is_free() -> None:
    places = {field.at for field in OURS.fields}
    assert places == {(row, column) for row in range(5) for column in range(5)} - {(2, 2)}


def test_H3_short_lines_join_neighbours_on_the_lattice_and_long_ones_the_corners() -> None:
    at = {field.name: field.at for field in OURS.fields}
    for one, other in OURS.short:
        (row, column), (row_, column_) = at[one], at[other]
        assert abs(row - row_) + abs(column - column_) == 1
    assert len(OURS.short) == 36  # 2 × 5 × 4 of a lattice of 25, without the four to its middle
    corners = {frozenset((at[one], at[other])) for one, other in OURS.long}
    ring = [(0, 0), (0, 4), (4, 4), (4, 0)]
    assert corners == {frozenset((ring[place], ring[place - 1])) for place in range(4)}


def test_H3_Holland_is_an_island_of_ours() -> None:
    assert OURS.holland == "Holland"
    assert COLOUR["Holland"] is None


def test_H3_all_of_ours_is_connected() -> None:
    reached = {"Holland"}
    while more := {end for line in LINES if line & reached for end in line} - reached:
        reached |= more
    assert reached == set(COLOUR)


def test_H3_every_field_of_ours_has_three_lines_and_the_Dutchman_always_2_or_3_ways_on() -> None:
    for name in COLOUR:
        neighbours = [end for line in LINES if name in line for end in line if end != name]
        assert len(neighbours) >= 3
        for came_from in neighbours:
            state = position(Seat(rack="31"), ANYBODY, ANYBODY, dutchman=name, came_from=came_from)
            ways = legal(go(state, "Karin lays 31 / Helga passes / Anne passes"))
            assert len(ways) in (2, 3)
            assert {way.removeprefix("sails to ") for way in ways} == set(neighbours) - {came_from}


def test_H3_no_two_islands_and_no_two_ships_of_a_colour_of_ours_are_neighbours() -> None:
    for one, other in map(tuple, LINES):
        assert COLOUR[one] != COLOUR[other]


def test_H3_the_chart_file_is_the_one_agreed_on() -> None:
    assert read_chart(TEXT) == OURS
    at = {field.name: field.at for field in OURS.fields}
    assert at["Curaçao"] == (3, 1)
    assert [at[f"blue {number}"] for number in (1, 2, 3)] == [(2, 0), (3, 3), (4, 1)]


def test_H3_a_chart_survives_being_written_as_JSON() -> None:
    assert msgspec.json.decode(msgspec.json.encode(OURS), type=Chart) == OURS


# -------------------------------------------------------------------------------------------------- other charts

PLACES = [(row, column) for row in range(5) for column in range(5) if (row, column) != (2, 2)]


def rings(*groups: tuple[str, ...]) -> Chart:
    """Return a chart of rings, one for each group of islands: an island and three ships, and so on.

    Each field is joined with the next, and each of the first six of every twelve with the one six places on.

    One ring of six islands keeps the rule; two rings of three keep all of it except that everything is connected.
    """
    ships = iter((f"{colour} {number}", colour) for number in (1, 2, 3) for colour in COLOURS)
    places = iter(PLACES)
    fields: list[Field] = []
    lines: list[tuple[str, str]] = []
    for islands in groups:
        ring: list[Field] = []
        for name in islands:
            ring.append(Field(name, next(places)))
            ring += [Field(ship, next(places), colour) for ship, colour in islice(ships, 3)]
        names = [field.name for field in ring]
        lines += [(name, names[place - 1]) for place, name in enumerate(names)]
        lines += [(name, names[place + 6]) for place, name in enumerate(names) if place % 12 < 6]
        fields += ring
    return Chart(groups[0][0], tuple(fields), tuple(lines), ())


ROUND = rings(("Holland", "Sylt", "Föhr", "Amrum", "Texel", "Juist"))
"""Another chart that keeps H3."""


def as_text(chart: Chart) -> str:
    """Return the text of a chart file with all lines of the chart."""
    at = {field.name: list(field.at) for field in chart.fields}
    ships = {colour: [list(field.at) for field in chart.fields if field.colour == colour] for colour in COLOURS}
    parts = [f'holland = "{chart.holland}"\n']
    parts += [island(field.name, str(list(field.at))) for field in chart.fields if field.colour is None]
    parts += ["[ships]\n", *(f"{colour} = {places}\n" for colour, places in ships.items())]
    for kind, lines in (("short", chart.short), ("long", chart.long)):
        parts += [f"[[{kind}]]\nfrom = {at[one]}\nto = {at[other]}\n" for one, other in lines]
    return "".join(parts)


def test_H3_another_chart_that_keeps_the_rule_is_played_on() -> None:
    state = position(Seat(rack="31"), ANYBODY, ANYBODY, chart=ROUND)
    state = go(state, "Karin lays 31 / Helga passes / Anne passes")
    assert state.dutchman == "Holland"
    names = [field.name for field in ROUND.fields]
    assert set(legal(state)) == {f"sails to {names[place]}" for place in (1, 6, 23)}
    state = go(state, f"Karin sails to {names[6]}")
    assert state.dutchman == names[6]


def test_H3_whole_games_are_played_on_another_chart() -> None:
    fields = {field.name for field in ROUND.fields}
    for seed in range(3):
        state = DUTCHMAN.start(Options(players=3 + seed, chart=ROUND))
        assert all(after.dutchman in fields for _, _, after in game_steps(DUTCHMAN, state, Random(seed)))


def test_H3_a_chart_may_have_its_lines_written_down() -> None:
    written = read_chart(as_text(ROUND))
    assert set(map(frozenset, written.short)) == set(map(frozenset, ROUND.short))
    assert set(written.fields) == set(ROUND.fields)
    assert written.long == ()


def test_H3_ours_with_its_short_lines_written_down_is_ours() -> None:
    assert set(read_chart(TEXT + all_lines()).short) == set(OURS.short)


def test_H3_one_long_line_fewer_is_a_chart_too() -> None:
    """Check that the corners have three lines without it."""
    chart = read_chart(change_chart((FIRST_LONG, "")))
    assert len(chart.long) == 3


def test_H3_the_Dutchman_starts_on_the_island_that_the_chart_names() -> None:
    chart = read_chart(change_chart(('holland = "Holland"', 'holland = "Java"')))
    assert DUTCHMAN.start(Options(chart=chart)).dutchman == "Java"


# ------------------------------------------------------------------------------------- charts that break the rule


def refusal_of(broken: str | Chart) -> str:
    """Return the sentence with which a chart or the text of a chart file is refused; by H3."""
    with pytest.raises(BadOptions) as refusal:
        read_chart(broken) if isinstance(broken, str) else DUTCHMAN.start(Options(chart=broken))
    assert isinstance(refusal.value, BadChart)
    assert refusal.value.rule == "H3"
    assert str(refusal.value).endswith(". (H3)")
    return refusal.value.sentence


def change_chart(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} stands in the file {text.count(old)} times"
        text = text.replace(old, new)
    return text


def island(name: str, at: str) -> str:
    return f'[[island]]\nname = "{name}"\nat = {at}\n'


BLUE = "blue   = [[2, 0], [3, 3], [4, 1]]"
YELLOW = "yellow = [[0, 4], [2, 3], [3, 0]]"
FIRST_LONG = "[[long]]\nfrom = [0, 0]\nto = [0, 4]\n"
HOLLAND = island("Holland", "[0, 0]")
CEYLON = island("Ceylon", "[1, 2]")
JAVA = island("Java", "[2, 4]")


def all_lines(*without: tuple[str, str], also: tuple[tuple[str, str], ...] = ()) -> str:
    """Return the text of our short lines, one by one, without some and with others."""
    at = {field.name: list(field.at) for field in OURS.fields}
    left = [line for line in OURS.short if set(line) not in [set(other) for other in without]]
    assert len(left) == len(OURS.short) - len(without)
    return "".join(f"\n[[short]]\nfrom = {at[one]}\nto = {at[other]}" for one, other in (*left, *also))


BROKEN: dict[str, tuple[str | Chart, str]] = {
    "two blue ships": (
        change_chart((BLUE, "blue = [[2, 0], [4, 1]]")),
        "There must be three ships of each colour; of blue there are 2.",
    ),
    "four yellow ships": (
        change_chart((YELLOW, "yellow = [[0, 4], [2, 3], [3, 0], [1, 2]]"), (CEYLON, "")),
        "There must be three ships of each colour; of yellow there are 4.",
    ),
    "no green ship": (
        replace(
            OURS,
            fields=tuple(field for field in OURS.fields if field.colour != "green"),
            short=tuple(line for line in OURS.short if not any(name.startswith("green") for name in line)),
            long=tuple(line for line in OURS.long if not any(name.startswith("green") for name in line)),
        ),
        "There must be three ships of each colour; of green there are 0.",
    ),
    "no Holland": (
        change_chart((HOLLAND, island("Zeeland", "[0, 0]"))),
        "The Dutchman starts on an island; Holland is not one.",
    ),
    "no island at all": (
        replace(OURS, fields=tuple(f for f in OURS.fields if f.colour), short=(), long=()),
        "The Dutchman starts on an island; Holland is not one.",
    ),
    "starting nowhere": (
        change_chart(('holland = "Holland"', 'holland = "Atlantis"')),
        "The Dutchman starts on an island; Atlantis is not one.",
    ),
    "starting on a ship": (
        change_chart(('holland = "Holland"', 'holland = "blue 1"')),
        "The Dutchman starts on an island; blue 1 is not one.",
    ),
    "two seas": (
        rings(("Holland", "Sylt", "Föhr"), ("Amrum", "Texel", "Juist")),
        "Amrum cannot be reached from Holland.",
    ),
    "two lines": (TEXT + all_lines(("blue 1", "yellow 3")), "Every field needs at least three lines; blue 1 has 2."),
    "two long lines fewer": (
        change_chart((FIRST_LONG, ""), ("[[long]]\nfrom = [4, 0]\nto = [0, 0]", "")),
        "Every field needs at least three lines; Holland has 2.",
    ),
    "two islands side by side": (
        TEXT + all_lines(also=(("Java", "Mauritius"),)),
        "No two islands may be neighbours: Java – Mauritius.",
    ),
    "two ships of a colour side by side": (
        TEXT + all_lines(also=(("blue 2", "blue 3"),)),
        "No two ships of one colour may be neighbours: blue 2 – blue 3.",
    ),
    "a ship in the middle": (
        change_chart((BLUE, "blue = [[2, 2], [3, 3], [4, 1]]")),
        "blue 1 lies in the middle, which is kept free for the horseshoes.",
    ),
}
"""Each way to break H3."""

MALFORMED: dict[str, tuple[str | Chart, str]] = {
    "outside the diamond": (
        change_chart((JAVA, island("Java", "[2, 5]"))),
        "Java lies outside the diamond: rows and columns are 0 to 4.",
    ),
    "before the first row": (
        change_chart((JAVA, island("Java", "[-1, 4]"))),
        "Java lies outside the diamond: rows and columns are 0 to 4.",
    ),
    "two in one place": (change_chart((JAVA, island("Java", "[3, 4]"))), "Java and red 3 lie in the same place."),
    "a name twice": (change_chart((JAVA, island("Ceylon", "[2, 4]"))), "Two fields have the same name, Ceylon."),
    "an island with the name of a ship": (
        change_chart((JAVA, island("blue 1", "[2, 4]"))),
        "Two fields have the same name, blue 1.",
    ),
    "a long line to nowhere": (
        change_chart((FIRST_LONG, "[[long]]\nfrom = [0, 0]\nto = [2, 2]\n")),
        "A line leads to [2, 2], where there is no field.",
    ),
    "a short line from nowhere": (
        TEXT + all_lines() + "\n[[short]]\nfrom = [7, 0]\nto = [0, 0]",
        "A line leads to [7, 0], where there is no field.",
    ),
    "a line to a field that there is not": (
        replace(OURS, long=(*OURS.long, ("Java", "Atlantis"))),
        "A line leads to Atlantis, which is not a field.",
    ),
    "a line to where it begins": (
        change_chart((FIRST_LONG, "[[long]]\nfrom = [0, 0]\nto = [0, 0]\n")),
        "There must be one line between two different fields: Holland – Holland.",
    ),
    "a long line beside a short one": (
        change_chart((FIRST_LONG, "[[long]]\nfrom = [0, 1]\nto = [0, 0]\n")),
        "There must be one line between two different fields: green 1 – Holland.",
    ),
    "a line twice": (
        change_chart((FIRST_LONG, FIRST_LONG * 2)),
        "There must be one line between two different fields: Holland – yellow 1.",
    ),
}
"""Charts that are invalid."""


@pytest.mark.parametrize("case", BROKEN)
def test_H3_a_chart_that_breaks_the_rule_is_refused_with_the_reason(case: str) -> None:
    broken, reason = BROKEN[case]
    assert refusal_of(broken) == reason


@pytest.mark.parametrize("case", MALFORMED)
def test_H3_whatever_is_no_chart_is_refused_with_the_reason(case: str) -> None:
    broken, reason = MALFORMED[case]
    assert refusal_of(broken) == reason


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", "holland"),
        ('holland = "Holland"', "island"),
        (change_chart(('holland = "Holland"', "")), "holland"),
        (change_chart(('holland = "Holland"', "holland = 3")), "holland"),
        (change_chart((BLUE, "pink = [[2, 0], [3, 3], [4, 1]]")), "pink"),
        (change_chart((BLUE, "blue = 3")), "ships"),
        (change_chart((BLUE, "blue = [[2], [3, 3], [4, 1]]")), "ships"),
        (change_chart((BLUE, 'blue = [["2", 0], [3, 3], [4, 1]]')), "ships"),
        (change_chart((BLUE, "blue = [[2.5, 0], [3, 3], [4, 1]]")), "ships"),
        (change_chart((BLUE, "blue = [[2, 0, 0], [3, 3], [4, 1]]")), "ships"),
        (change_chart((JAVA, "[[island]]\nat = [2, 4]\n")), "name"),
        (change_chart((JAVA, '[[island]]\nname = "Java"\n')), "at"),
        (change_chart((JAVA, "[[island]]\nname = 7\nat = [2, 4]\n")), "name"),
        (change_chart((JAVA, '[[island]]\nname = "Java"\nat = [2, 4]\nhills = 3\n')), "hills"),
        (change_chart((FIRST_LONG, "[[long]]\nfrom = [0, 0]\n")), "to"),
        ("islands = 6\n" + TEXT, "islands"),
    ],
)
def test_H3_a_file_that_has_not_the_form_is_refused_and_says_where(text: str, names: str) -> None:
    sentence = refusal_of(text)
    assert sentence.startswith("The chart file does not have the form of one: ")
    assert names in sentence


@pytest.mark.parametrize(
    "text",
    ["holland", "holland = ", "[ships", 'holland = "Holland', "= 3", TEXT + "\n[ships]\n", TEXT + "\x00", "<svg/>"],
)
def test_H3_a_file_that_is_no_TOML_is_refused_and_says_so(text: str) -> None:
    assert re.fullmatch(r"The chart file is not in TOML form(: look at line \d+, column \d+)?\.", refusal_of(text))


@pytest.mark.parametrize("text", [f"holland = {'9' * 5000}", f"holland = {'[' * 5000}"], ids=["long", "deep"])
def test_H3_also_a_file_that_TOML_cannot_cope_with_is_refused(text: str) -> None:
    assert refusal_of(text).startswith(("The chart file ", "A chart file has at most "))


def test_H3_a_chart_is_read_from_what_was_written_whatever_the_order() -> None:
    """Check that islands may come before or after, and colours in any order: ships are numbered as written."""
    blocks = TEXT.split("\n[ships]\n")
    assert len(blocks) == 2
    ships, _, lines = blocks[1].partition("\n\n")
    turned = "\n".join(reversed(ships.splitlines()))
    assert read_chart(f"{blocks[0]}\n[ships]\n{turned}\n\n{lines}") == OURS
