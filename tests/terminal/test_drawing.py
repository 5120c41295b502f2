"""Drawings at the terminal: they fit, and express by signs everything that they express by colours."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from rich.cells import cell_len

from kontor.game import OVER
from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.rules.chart import OURS, Field
from kontor.games.dutchman.rules.components import MOST_SILVER
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.terminal import chart as chart_drawing
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Both, Dice, Number, Place, Roll, Row, Shanghai
from kontor.games.shanghaien.terminal.board import report
from kontor.terminal.adapter import ObservedStep, TerminalAdapter
from kontor.terminal.screen import WIDTH, flowing
from terminal.sessions import (
    DUTCHMAN_ADAPTER,
    LONG_NAMES,
    NAMES,
    SHANGHAIEN_ADAPTER,
    TABLES,
    WORDS,
    options_of,
    printed,
    steps_of,
)


@pytest.mark.parametrize("space", ["\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"])
def test_lines_are_not_broken_at_a_no_break_space(space: str) -> None:
    sentence = " ".join(f"{number}{space}%" for number in range(100))
    for pushed in range(6):
        lines = [line.strip(" ") for line in printed(flowing(["x" * pushed, sentence]))]
        assert len(lines) > 1
        assert all(line.endswith(f"{space}%") for line in lines), lines
        assert " ".join(lines).endswith(sentence)


@pytest.mark.parametrize(("adapter", "seats"), TABLES, ids=lambda value: getattr(value, "title", value))
@pytest.mark.parametrize(
    "names", [pytest.param(NAMES, id="short", marks=pytest.mark.long), pytest.param(LONG_NAMES, id="long")]
)
def test_everything_drawn_fits_80_columns(adapter: TerminalAdapter, seats: int, names: Sequence[str]) -> None:
    assert adapter.report
    assert adapter.ending
    names = names[:seats]
    rounds: list[ObservedStep] = []
    for number, (_, seen, after) in enumerate(steps_of(adapter, options_of(adapter, seats), seed=seats)):
        rounds.append(seen)
        pictures: list[Any] = []
        if seen.after.round != seen.before.round or after.mover == OVER:
            pictures.append(adapter.report(WORDS, names, rounds))
            rounds = []
        if number % 7 == 0 or after.mover == OVER:
            for watcher in (None, *range(seats)):
                view = adapter.game.view(after, watcher)
                pictures.append(adapter.board(WORDS, names, view))
                pictures += [draw(WORDS, names, view) for draw in adapter.looks.values()]
        if after.mover == OVER:
            pictures.append(adapter.ending(WORDS, names, adapter.game.view(after, None)))
        for line in printed(*pictures):
            assert cell_len(line) <= WIDTH, line


@pytest.mark.parametrize(
    ("adapter", "seats", "rows"), [(SHANGHAIEN_ADAPTER, 2, 15), (DUTCHMAN_ADAPTER, 4, 13), (DUTCHMAN_ADAPTER, 6, 14)]
)
def test_a_board_leaves_room_for_news_and_prompt(adapter: TerminalAdapter, seats: int, rows: int) -> None:
    for _, _, after in steps_of(adapter, options_of(adapter, seats), seed=1):
        if after.mover >= 0:
            board = printed(adapter.board(WORDS, NAMES[:seats], adapter.game.view(after, after.mover)))
            assert len(board) <= rows, "\n".join(board)


def test_every_board_says_by_signs_what_it_says_by_colours() -> None:
    """Check a board without colour: the reader sits below (▼); dice, captain and numbers can be read."""
    state = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="both"))
    for action in (
        Row(("A1", "F2", "G3", "both", "D4", "S3")),
        Roll(),
        Dice(2, 4),
        Number("right"),
        Place(2),
        Roll(),
        Dice(2, 2),
    ):
        state = SHANGHAIEN.play(state, action)
    board = "\n".join(printed(SHANGHAIEN_ADAPTER.board(WORDS, NAMES, SHANGHAIEN.view(state, 1))))
    assert "▼ Bernd            dice ■■■■■■ · tricks both" in board
    assert "▲ Anna             dice ■■■■■□ · tricks both" in board
    assert "╔═══ 2 ════╗" in board
    above, below = board.split("D 4 ●●●●")
    assert "[2]" in above
    assert "[2]" not in below
    assert "has rolled  ┃2┃  ┃2┃" in board


def test_y6_the_score_table_counts_row_and_pile() -> None:
    before = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="both"))
    for state in (before, SHANGHAIEN.play(before, Row(("A1", "F2", "G3", "both", "D4", "S3")))):
        for seat in (0, 1, None):
            *_, last = printed(SHANGHAIEN_ADAPTER.board(WORDS, NAMES, SHANGHAIEN.view(state, seat)))
            assert last.split() == ["in", "play", *["5/13"] * 8, "8/8", "48/112"]


@pytest.mark.parametrize(("end", "at"), [("left", 0), ("right", 79)])
def test_y3_y5_the_captains_places_are_beside_the_card_with_the_1(end: Any, at: int) -> None:
    state = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="both"))
    for action in (Row(("A1", "F2", "G3", "both", "D4", "S3")), Roll(), Dice(2, 4), Number(end)):
        state = SHANGHAIEN.play(state, action)

    def places(state: Any) -> list[str]:
        lines = printed(SHANGHAIEN_ADAPTER.board(WORDS, NAMES, SHANGHAIEN.view(state, 0)))
        return [line.ljust(WIDTH)[at] for line in (lines[1], lines[6])]

    assert places(state) == ["○", "○"]
    state = SHANGHAIEN.play(state, Both())
    assert places(state) == ["○", "●"]
    board = "\n".join(printed(SHANGHAIEN_ADAPTER.board(WORDS, NAMES, SHANGHAIEN.view(state, 0))))
    assert "captain ● by the 1" in board


def test_the_report_of_a_round_gives_the_deciding_numbers_of_the_rulebook() -> None:
    """Check S9 with the rulebook's example: Anna 2, 2, 3, 6, 6 and Bernd 3, 4, 5, 6, 6."""
    state = SHANGHAIEN.start(ShanghaienOptions(starter=0))
    state = SHANGHAIEN.play(state, Row(("A1", "F2", "G3", "C4", "D4", "S3")))
    for die in (2, 3, 2, 4, 3, 5, 6, 6, 6, 6):
        for action in (Roll(), Dice(die, die), Number("left"), Place(die)):
            if not isinstance(action, Number) or not state.one_at:
                state = SHANGHAIEN.play(state, action)
    before, state = state, SHANGHAIEN.play(state, Shanghai())
    seen = ObservedStep(
        SHANGHAIEN.view(before, None), SHANGHAIEN.event(before, Shanghai(), state, None), SHANGHAIEN.view(state, None)
    )
    lines = printed(report(WORDS, NAMES, [seen]))
    assert [line.split(maxsplit=2)[1] for line in lines[2:8]] == ["×", "▼", "×", "▲", "▲", "▲"]
    assert lines[4].endswith("dice and neighbours are equal: it leaves the game")
    assert lines[7].endswith("dice are equal, neighbours 5 : 0: Bernd")


def test_the_chart_shows_every_field_and_its_neighbours() -> None:
    page = "\n".join(printed(chart_drawing.page(WORDS, OURS)))
    codes = dutchman_words.codes(WORDS, OURS)
    assert sorted(codes.values())[:3] == ["B1", "B2", "B3"]
    for field in OURS.fields:
        assert (codes[field.name] if field.colour else field.name) in page
    assert "Holland   G1 R1 Y1 O3" in page


def test_islands_whose_names_begin_alike_have_signs_of_their_own() -> None:
    alike = {"Madeira": "Curacao Nord", "Curaçao": "Curacao Süd"}
    fields = tuple(Field(alike.get(field.name, field.name), field.at, field.colour) for field in OURS.fields)
    from msgspec.structs import replace

    codes = dutchman_words.codes(WORDS, replace(OURS, fields=fields))
    assert len(set(codes.values())) == len(fields)


@pytest.mark.parametrize(
    ("lay", "lucky", "sentence"),
    [
        ((45, 2), 43, "45 − 2 = 43: exact"),
        ((43,), 43, "43: exact"),
        ((20, 20, 2, 1), 43, "20 + 20 + 2 + 1 = 43: exact"),
        ((31, 10, 2), 43, "31 + 10 + 2 = 43: exact"),
        ((31, 10), 43, "31 + 10 = 41: 2 below"),
        ((44,), 43, "44: too high, 0"),
        ((48, 1, 1), 43, "48 − 1 − 1 = 46: too high, 0"),
        ((20, 20), 21, "20 20: no valid total, 0"),
    ],
)
def test_h7_a_lay_is_read_as_a_sum(lay: tuple[int, ...], lucky: int, sentence: str) -> None:
    assert dutchman_words.read(WORDS, lay, lucky) == sentence


def test_h7_the_signs_shown_make_the_reading_that_counts() -> None:
    random = Random(7)
    for _ in range(300):
        gold = [random.randrange(21, 49)] * random.randrange(2)
        silver = sorted(random.choices([20, 10, 2, 1], k=random.randrange(1, 7)), reverse=True)
        lay, lucky = (*gold, *silver), random.randrange(21, 50, 2)
        signs = dutchman_words.signed(lay, lucky)
        if signs:
            assert sum(signs) == reading(lay, lucky)
            assert tuple(map(abs, signs)) == lay
            assert signs[0] > 0 or lay[0] <= MOST_SILVER
        else:
            assert not reading(lay, lucky)
