"""Figures in docs and changelog: each says what was measured, and small slices of the tables repeat their results."""

import csv
import re
from pathlib import Path

import pytest

from bench.pool import COLUMNS
from bench.provenance import T_BY_GROUP, weights_digest
from figures import NARROWER, SMALLER, Slice, options_of, play, slices
from kontor.intervals import wilson
from kontor.players import player_named

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TABLES = ("strength.csv", "league-shanghaien.csv", "league-dutchman.csv", "pool-dutchman.csv")

ORIGIN = ("player version", "weights", "command", "seed", "n", "groups", "interval")

WEIGHTS = {"2070454a06f2", "b2eeccb107c3", "475ffb94f1aa", "72cd471f85b9", "not kept"}
"""Measured weights that are not shipped; docs/league.md explains those that a reader meets."""

USING_WEIGHTS = ("expert", "strong", "swift", "1.0.0")

METHOD = re.compile(r"Student's t|Wilson|rule of three|resampling|bootstrap")
NUMBER = re.compile(r"\bn = [\d,]+|[\d,]+ (?:mirrored )?(?:games|positions|seeds|decisions)\b")
PERCENTAGE = re.compile(r"\d(?: to \d+)? %")


def rows_of(table: str) -> list[dict[str, str]]:
    with (DOCS / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


ROWS = [(table, row) for table in TABLES for row in rows_of(table)]


def seats_of(row: dict[str, str]) -> int:
    """Return how many games have the same luck."""
    if "players" in row:
        return len(row["players"].split(","))
    return int(row.get("seats") or (2 if "shanghaien" in row["command"] else 4))


@pytest.mark.parametrize("table", TABLES)
def test_a_table_of_figures_says_where_they_come_from(table: str) -> None:
    for row in rows_of(table):
        assert set(ORIGIN) <= set(row), table
        assert re.fullmatch(r"1\.0\.0|[0-9a-f]{8}", row["player version"]), row
        assert re.fullmatch(r"\d+(, \d+)*", row["seed"]), row
        assert row["interval"] == T_BY_GROUP
        assert int(row["groups"]) == int(row.get("games", row["n"])) / seats_of(row), row


@pytest.mark.parametrize("table", TABLES)
def test_weights_are_those_that_ship_or_named_on_the_page(table: str) -> None:
    page = (DOCS / "league.md").read_text("utf-8")
    shipped = {weights_digest("shanghaien"), weights_digest("dutchman")}
    assert all(digest in page for digest in shipped), "new weights: measure anew, and name them in docs/league.md"
    for row in rows_of(table):
        for column in ("weights", "weights of others"):
            assert row.get(column, "") in {"", *shipped, *WEIGHTS}, row
        if "players" in row:
            uses = any(name.partition(":")[0] in USING_WEIGHTS for name in row["players"].split(","))
            assert bool(row["weights"]) == uses, row
        if row["player version"] == "1.0.0":
            assert row["weights"] in ("", "2070454a06f2", "b2eeccb107c3"), row


@pytest.mark.parametrize("table", TABLES)
def test_commands_play_what_their_rows_tell(table: str) -> None:
    for row in rows_of(table):
        games = 0
        for command in row["command"].split("; "):
            words, options = options_of(command)
            games += int(options["--games"])
            assert options.get("--seed", "1") in row["seed"].split(", ")
            if table == "strength.csv":
                assert words == ["kontor", "simulate", row["game"]]
                assert options["--players"] == row["players"]
                for name in row["players"].split(","):
                    player_named(row["game"], name)
            elif table == "pool-dutchman.csv":
                assert (options["--first"], options["--others"]) == (row["player"], row["others"])
                assert options["--seats"] == row["seats"]
                for name in (row["player"], row["others"]):
                    if not re.fullmatch(r"[0-9.]+|demanding", name):
                        player_named("dutchman", name)
            else:
                assert table == f"league-{words[-1]}.csv"
                player_named(words[-1], row["player"])
        assert games == int(row.get("games", row["n"])), row


@pytest.mark.parametrize(("table", "row"), ROWS, ids=lambda one: one if isinstance(one, str) else "")
def test_intervals_are_as_wide_as_so_few_groups_demand(table: str, row: dict[str, str]) -> None:
    """Check that an interval is at least that of the smallest spread: one game of one group."""
    for share, low, high in shares_of(row):
        groups, size = int(row["groups"]), seats_of(row)
        assert low <= share <= high
        if share in (0, 100):
            assert [round(100 * end, 1) for end in wilson(share / 100 * groups, groups)] == [low, high]
        elif groups == 3:
            assert high - low >= min(share, 100 / size / 3 / 6 * 4.303), "three groups with a normal interval"


def shares_of(row: dict[str, str]) -> list[tuple[float, float, float]]:
    """Return the shares of victories in a row, with their intervals, in percent."""
    intervals = [value for column, value in row.items() if column.startswith("against ") and value]
    if intervals:
        one, two, three = ([float(number) for number in re.findall(r"[\d.]+", value)] for value in intervals[:3])
        assert len(one) == len(two) == len(three) == 3
        return [(*map(float, re.findall(r"[\d.]+", value)),) for value in intervals]  # type: ignore[misc]
    return [(float(row.get("share", row.get("share of the first", ""))), float(row["95 % from"]), float(row["to"]))]


def test_the_pool_writes_the_columns_of_its_table() -> None:
    assert tuple(rows_of("pool-dutchman.csv")[0]) == COLUMNS


def parts(text: str) -> list[str]:
    """Return the paragraphs, items and rows of tables of a page."""
    plain = re.sub(r"(?ms)^```.*?^```$|^    .*$", "", text)
    return re.split(r"\n\n+|\n(?=- )|\n(?=\|)", plain)


def without_figures(text: str) -> list[str]:
    """Return the parts of a page that give percentages without n, or without a method of interval."""
    page_method = METHOD.search(text)
    unexplained = []
    for part in parts(text):
        plain = re.sub(r"95 %|^\|[^|]*\|", "", part)  # the first cell of a row is an aim
        if not PERCENTAGE.search(plain):
            continue
        has_method = METHOD.search(part) or (part.startswith("|") and page_method)
        if not (NUMBER.search(part) and has_method):
            unexplained.append(part)
    return unexplained


def unreleased_changes() -> str:
    return (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## [")[1]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(unreleased_changes(), id="CHANGELOG"),
        *(
            pytest.param((DOCS / f"{name}.md").read_text("utf-8"), id=name)
            for name in ("strength", "league", "measurements")
        ),
    ],
)
def test_percentages_come_with_n_and_a_method_of_interval(text: str) -> None:
    assert without_figures(text) == []


def test_a_percentage_that_names_nothing_is_noticed() -> None:
    bare = "- it wins 31 % against\n  three of its kind as they were"
    assert without_figures(bare) == [bare]
    assert without_figures("It wins 31 % (26–36), n = 400 games, seed 1.") != []
    assert without_figures("It wins 31 % (26–36; Student's t by group), n = 400, seed 1.") == []


def commands_of(table: str) -> list[str]:
    if table.endswith(".csv"):
        return [command for row in rows_of(table) for command in row["command"].split("; ")]
    page = (DOCS / table).read_text("utf-8")
    return [f"python -m bench.research {rest}" for rest in re.findall(r"(?m)^\| `((?:levels)[^`]*)`", page)]


def is_slice(command: str, full_command: str) -> bool:
    """Return True if a command does the first part of what another does."""
    (words, few), (all_words, many) = options_of(command), options_of(full_command)
    if words != all_words or any(
        int(few[name]) > int(many[name]) for name in SMALLER if name in few and name in many
    ):
        return False
    same = [{name: each for name, each in one.items() if name not in SMALLER} for one in (few, many)]
    if words[0] != "kontor":
        same = [{name: each for name, each in one.items() if name not in NARROWER} for one in same]
    return same[0] == same[1]


def test_every_table_has_slices_of_its_commands() -> None:
    assert {checked_slice.table for checked_slice in slices()} == {*TABLES, "benchmark.md"}
    for checked_slice in slices():
        assert any(
            is_slice(checked_slice.command, full_command) for full_command in commands_of(checked_slice.table)
        ), checked_slice.command


@pytest.mark.extended
@pytest.mark.long
@pytest.mark.parametrize("part", slices(), ids=lambda part: part.command)
def test_a_slice_of_a_table_gives_what_it_gave(part: Slice) -> None:
    """Check the result: another one means another player, command or luck.

    Then measure the rows anew, or name their source.
    """
    assert play(part.command) == part.result
