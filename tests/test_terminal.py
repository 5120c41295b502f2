"""Drawing and asking at the terminal: everything fits, everything typed is understood, nothing secret is shown."""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from kontor.game import CHANCE, OVER, AnyGame, Refusal
from kontor.games.dutchman import words as dutchman_words
from kontor.games.dutchman.questions.proposing import terms_read
from kontor.games.dutchman.rules.chart import OURS, Field, read_chart
from kontor.games.dutchman.rules.components import MOST_SILVER
from kontor.games.dutchman.rules.horseshoes import reading
from kontor.games.dutchman.rules.state import (
    Accept,
    Check,
    Decline,
    Keep,
    Kontor,
    Lay,
    Name,
    Options,
    Pass,
    Propose,
    Put,
    Sail,
    Shuffle,
    Smith,
    State,
    Waive,
    Withhold,
)
from kontor.games.dutchman.rules.view import Inspected
from kontor.games.dutchman.terminal import chart as chart_drawing
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import (
    Both,
    Dice,
    Joker,
    Nudge,
    Number,
    Place,
    Reroll,
    Roll,
    Row,
    Shanghai,
)
from kontor.games.shanghaien.terminal.board import report
from kontor.questions import Choice, matching
from kontor.recording import RecordWriter
from kontor.records import read, verify
from kontor.terminal.adapter import ObservedStep, TerminalAdapter, adapter_named
from kontor.terminal.begin import GamePlan, begin
from kontor.terminal.play import Session
from kontor.terminal.prompt import Conversation, Keyboard, Leave
from kontor.terminal.screen import WIDTH, Screen, flowing
from kontor.terminal.seats import SeatAssignment, seats_from
from kontor.words import Words

WORDS = Words("en")
NAMES = ("Anna", "Bernd", "Carla", "Dora", "Emil", "Frieda")
LONG_NAMES = ("安娜安娜安娜安娜安娜", "B" * 60, "Clementine von und zu Hohenstein", "D", "[red]E[/red]", ":smile:")

DUTCHMAN_ADAPTER = adapter_named("dutchman")
SHANGHAIEN_ADAPTER = adapter_named("shanghaien")

# ------------------------------------------------------------------------------------------------ helpers


def printed(*pictures: Any) -> list[str]:
    """What is printed, line by line."""
    out = io.StringIO()
    Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False)).show(*pictures)
    return out.getvalue().splitlines()


def steps_of(
    adapter: TerminalAdapter, options: Any, seed: int, watcher: int | None = None
) -> Iterator[tuple[Any, ObservedStep, Any]]:
    """A game at random: the state before, the step as the watcher saw it, the state after."""
    game: AnyGame = adapter.game
    random = Random(seed)
    state = game.start(options)
    while state.mover != OVER:
        before = state
        if state.mover == CHANCE:
            action = game.chance(state).draw(random.randrange)
        else:
            moves = game.moves(state)
            action = moves[random.randrange(len(moves))]
        state = game.play(state, action)
        event = game.event(before, action, state, watcher)
        yield before, ObservedStep(game.view(before, watcher), event, game.view(state, watcher)), state


def options_of(adapter: TerminalAdapter, seats: int) -> Any:
    return Options(players=seats) if adapter is DUTCHMAN_ADAPTER else ShanghaienOptions(first_trick="nudge")


TABLES = [(SHANGHAIEN_ADAPTER, 2), *((DUTCHMAN_ADAPTER, seats) for seats in (3, 4, 5, 6))]


# ------------------------------------------------------------------------------------------------- drawing


@pytest.mark.parametrize("space", ["\N{NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}"])
def test_lines_are_not_broken_at_a_no_break_space(space: str) -> None:
    sentence = " ".join(f"{number}{space}%" for number in range(100))
    for pushed in range(6):
        lines = [line.strip(" ") for line in printed(flowing(["x" * pushed, sentence]))]
        assert len(lines) > 1
        assert all(line.endswith(f"{space}%") for line in lines), lines
        assert " ".join(lines).endswith(sentence)


@pytest.mark.parametrize(("adapter", "seats"), TABLES, ids=lambda value: getattr(value, "title", value))
@pytest.mark.parametrize("names", [NAMES, LONG_NAMES], ids=["short", "long"])
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
    """Without colour, whoever looks sits below (▼); dice, captain and numbers can be read."""
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
    """S9 with the rulebook's example: Anna 2, 2, 3, 6, 6 and Bernd 3, 4, 5, 6, 6."""
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
    ("lay", "lucky", "said"),
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
def test_h7_a_lay_is_read_as_a_sum(lay: tuple[int, ...], lucky: int, said: str) -> None:
    assert dutchman_words.read(WORDS, lay, lucky) == said


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


# ------------------------------------------------------------------------------------------------ understanding


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("roll", ["roll"]),
        ("R", ["roll", "reroll"]),
        ("ro", ["roll"]),
        ("curacao", ["Curaçao"]),
        ("  JOKER   f ", ["joker French"]),
        ("1", ["1"]),
        ("", []),
        ("rolls", []),
    ],
)
def test_answers_are_read_leniently(typed: str, meant: list[str]) -> None:
    choices = [
        Choice(form, (form,)) for form in ("roll", "reroll", "Curaçao", "joker French", "joker Germans", "1", "10")
    ]
    assert [choice.value for choice in matching(typed, choices)] == meant


def typing(monkeypatch: pytest.MonkeyPatch, *answers: str, words: Words = WORDS) -> tuple[Conversation, io.StringIO]:
    """A conversation in which these answers are typed."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    out = io.StringIO()
    screen = Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False))
    return Conversation(words, screen, Keyboard(screen), "Anna"), out


def asked(
    monkeypatch: pytest.MonkeyPatch, adapter: TerminalAdapter, state: Any, *answers: str, words: Words = WORDS
) -> Any:
    """The move that comes of these answers."""
    talk, _ = typing(monkeypatch, *answers, words=words)
    view = adapter.game.view(state, state.mover)
    return adapter.ask(talk, NAMES, view, adapter.game.moves(state))


def rolled() -> Any:
    """Anna has rolled 3 and 5 in the first round, with a nudge card and two nations."""
    state = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="nudge"))
    for action in (Row(("A1", "F2", "G3", "C4", "D4", "S3")), Roll(), Dice(3, 5)):
        state = SHANGHAIEN.play(state, action)
    return state


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("left", Number("left")),
        ("RI", Number("right")),
        ("3+", Nudge(3, 4)),
        ("5-", Nudge(5, 4)),
        ("nudge 3 up", Nudge(3, 4)),
        ("n 5 6", Nudge(5, 6)),
        ("5 d", Nudge(5, 4)),
    ],
)
def test_moves_of_shanghaien_are_understood(monkeypatch: pytest.MonkeyPatch, typed: str, move: Any) -> None:
    assert asked(monkeypatch, SHANGHAIEN_ADAPTER, rolled(), typed) == move


@pytest.mark.parametrize(
    ("typed", "rule"),
    [("3", "S7"), ("roll", "S6"), ("shanghai", "S6"), ("both", "S8"), ("joker french", "S8"), ("nudge 1 2", "S8b")],
)
def test_what_the_rules_refuse_is_understood_and_refused_by_its_rule(
    monkeypatch: pytest.MonkeyPatch, typed: str, rule: str
) -> None:
    state = rolled()
    move = asked(monkeypatch, SHANGHAIEN_ADAPTER, state, typed)
    with pytest.raises(Refusal) as refused:
        SHANGHAIEN.play(state, move)
    assert refused.value.rule.startswith(rule)


def test_with_several_kinds_of_trick_cards_a_joker_names_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    from msgspec.structs import replace

    state = rolled()
    crew = replace(state.crews[0], tricks=("both", "nudge", "reroll"), sailors=("F3", "G1"))
    state = replace(state, crews=(crew, state.crews[1]))
    assert asked(monkeypatch, SHANGHAIEN_ADAPTER, state, "joker f", "joker f nudge") == Joker("nudge", "F")
    assert asked(monkeypatch, SHANGHAIEN_ADAPTER, state, "reroll") == Reroll()


def until(step: str, seats: int = 4, wanted: Callable[[State], bool] = lambda state: True) -> State:
    """A state of the Dutchman in which this step is due."""
    for seed in range(200):
        for _, _, state in steps_of(DUTCHMAN_ADAPTER, Options(players=seats, starter=0), seed):
            if state.step == step and wanted(state):
                return state  # type: ignore[no-any-return]
    raise AssertionError(step)


def test_actions_of_the_dutchman_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    state = until("action", wanted=lambda state: len(state.merchants[state.mover].rack) > 4)
    rack = state.merchants[state.mover].rack
    shoes = tuple(sorted((rack[0], rack[-1]), reverse=True))
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, "k") == Kontor()
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, "Smi") == Smith()
    for typed in (
        f"{rack[0]} -{rack[-1]}",
        f"play {rack[-1]}, {rack[0]}",
        f"{rack[0]}−{rack[-1]}",
        f"{rack[0]}+{rack[-1]}",
    ):
        assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, typed, "yes") == Lay(shoes)
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, f"{rack[0]}", "no", f"{rack[-1]}", "y") == Lay((rack[-1],))
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, "play", "a", "y") == Lay((rack[0],))
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, "play", "back", "smith") == Smith()


@pytest.mark.parametrize(("typed", "rule"), [("pass", "H6d"), ("99 1", "H6c"), ("20 20 20 20", "H6c")])
def test_actions_that_the_rules_refuse_name_the_rule(monkeypatch: pytest.MonkeyPatch, typed: str, rule: str) -> None:
    state = until("action", wanted=lambda state: len(state.merchants[state.mover].rack) > 4)
    move = asked(monkeypatch, DUTCHMAN_ADAPTER, state, typed)
    with pytest.raises(Refusal) as refused:
        DUTCHMAN_ADAPTER.game.play(state, move)
    assert refused.value.rule == rule


def test_h11a_the_check_is_asked_for_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    checking = Options(players=4, starter=0, check="on request")
    state = next(after for _, _, after in steps_of(DUTCHMAN_ADAPTER, checking, 0) if after.step == "check")
    for typed in ("check", "c", "yes"):
        assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, typed) == Check()
    for typed in ("no", "no check"):
        assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, typed) == Waive()


def test_h11a_the_pile_shows_what_is_known_by_the_check() -> None:
    state = until("action")
    view = DUTCHMAN_ADAPTER.game.view(state, 0)
    checked = msgspec.structs.replace(view, inspection=Inspected(("blue",) * 6, (0,) * 4, ()))
    told = " ".join(" ".join(printed(DUTCHMAN_ADAPTER.looks["pile"](WORDS, NAMES, checked))).split())
    assert "The top 6 shares of the pile, in unknown order: blue, blue, blue, blue, blue and blue." in told
    assert "The top" not in " ".join(printed(DUTCHMAN_ADAPTER.looks["pile"](WORDS, NAMES, view)))


def test_two_shares_are_put_back_by_letters_or_words(monkeypatch: pytest.MonkeyPatch) -> None:
    state = until("put", wanted=lambda state: len(set(state.merchants[state.mover].shares)) == 5)
    one, other = state.merchants[state.mover].shares[:2]
    for typed in (f"{other} {one}", f"{one[0]} {other[0]}", f"{one[0]}{other[0]}", f"{other[0].upper()}, {one[0]}"):
        assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, typed) == Put((one, other))


def test_h8_a_destination_is_named_by_number_sign_or_name(monkeypatch: pytest.MonkeyPatch) -> None:
    state = until("sail", wanted=lambda state: any(not state.sea.ship[to] for to in _ahead(state)))
    ahead = _ahead(state)
    island = next(to for to in ahead if not state.sea.ship[to])
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, str(ahead.index(island) + 1)) == Sail(island)
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, island[:3].lower()) == Sail(island)
    elsewhere = next(field.name for field in OURS.fields if field.name not in ahead and not field.colour)
    with pytest.raises(Refusal, match="H8"):
        DUTCHMAN_ADAPTER.game.play(state, asked(monkeypatch, DUTCHMAN_ADAPTER, state, elsewhere))
    named = until("name")
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, named, "1") == Name(_ahead(named)[0])


def _ahead(state: State) -> tuple[str, ...]:
    return DUTCHMAN_ADAPTER.game.view(state, state.mover).ahead  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("typed", "ducats"),
    [
        ("Bernd pays me 3", (3, -3, 0)),
        ("I pay Carla 2", (-2, 0, 2)),
        ("bernd 3", (3, -3, 0)),
        ("carla pays bernd 4", (0, 4, -4)),
        ("bernd pays me 3, carla pays me 1", (4, -3, -1)),
        ("I get 2 from bernd", (2, -2, 0)),
        ("pay c 5 ducats", (-5, 0, 5)),
        ("Bernd pays", None),
        ("3", None),
        ("Bernd pays Bernd 3", None),
    ],
)
def test_h9_payments_are_understood(typed: str, ducats: tuple[int, ...] | None) -> None:
    assert terms_read(WORDS, NAMES, (0, 1, 2), 0, typed) == ducats


def test_h9_only_the_tied_players_are_party_to_a_bargain() -> None:
    with pytest.raises(Refusal, match=r"Only Anna and Bernd take part in this bargain. \(H9\)"):
        terms_read(WORDS, NAMES, (0, 1), 0, "Dora pays me 3")


def test_h9_a_proposal_is_made_step_by_step_or_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    state = until("propose", wanted=lambda state: all(merchant.cash > 5 for merchant in state.merchants))
    assert state.bargain
    to = _ahead(state)[0]
    mine, theirs = state.bargain.tied.index(state.mover), state.bargain.tied[state.bargain.tied[0] == state.mover]
    ducats = tuple(
        3 if place == mine else -3 if seat == theirs else 0 for place, seat in enumerate(state.bargain.tied)
    )
    name = NAMES[theirs]
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, "1", f"{name} pays me 3", "yes") == Propose(to, ducats)
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, f"1, {name} 3", "yes") == Propose(to, ducats)
    nothing = Propose(to, (0,) * len(ducats))
    assert asked(monkeypatch, DUTCHMAN_ADAPTER, state, "1", "bogus", "nobody", "no", "1", "nobody", "y") == nothing


@pytest.mark.parametrize("language", ["de", "fr", "it", "ja"])
def test_english_words_are_understood_in_every_language(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """The manual has the English words, and a Latin keyboard cannot type the Japanese ones."""
    words = Words(language)

    def answered(adapter: TerminalAdapter, state: Any, *answers: str) -> Any:
        return asked(monkeypatch, adapter, state, *answers, words=words)

    before = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="nudge"))
    before = SHANGHAIEN.play(before, Row(("A1", "F2", "G3", "C4", "D4", "S3")))
    assert answered(SHANGHAIEN_ADAPTER, before, "roll") == Roll()
    assert answered(SHANGHAIEN_ADAPTER, before, "shanghai") == Shanghai()
    for typed, move in (("left", Number("left")), ("nudge 3 up", Nudge(3, 4)), ("nudge 5 down", Nudge(5, 4))):
        assert answered(SHANGHAIEN_ADAPTER, rolled(), typed) == move
    numbered = SHANGHAIEN.play(rolled(), Number("left"))
    assert answered(SHANGHAIEN_ADAPTER, numbered, "place the 3") == Place(3)

    state = until("action", wanted=lambda state: len(state.merchants[state.mover].rack) > 4)
    shoe = state.merchants[state.mover].rack[0]
    for typed, dutch in (("kontor", Kontor()), ("smith", Smith()), ("pass", Pass())):
        assert answered(DUTCHMAN_ADAPTER, state, typed) == dutch
    assert answered(DUTCHMAN_ADAPTER, state, f"play {shoe}", "no", "play", "back", f"play {shoe}", "yes") == Lay(
        (shoe,)
    )
    put = until("put", wanted=lambda state: len(set(state.merchants[state.mover].shares)) == 5)
    one, other = put.merchants[put.mover].shares[:2]
    assert answered(DUTCHMAN_ADAPTER, put, f"{other} {one}") == Put((one, other))
    bargain = until("propose", wanted=lambda state: all(merchant.cash > 5 for merchant in state.merchants))
    assert answered(DUTCHMAN_ADAPTER, bargain, "none") == Withhold()
    assert bargain.bargain
    tied = bargain.bargain.tied
    theirs = tied[tied[0] == bargain.mover]
    move = answered(DUTCHMAN_ADAPTER, bargain, "1", f"{NAMES[theirs]} pays me 3", "yes")
    assert (move.ducats[tied.index(bargain.mover)], move.ducats[tied.index(theirs)]) == (3, -3)
    answer = until("answer")
    assert answered(DUTCHMAN_ADAPTER, answer, "accept") == Accept()
    assert answered(DUTCHMAN_ADAPTER, answer, "decline") == Decline()
    show = until("show")
    assert answered(DUTCHMAN_ADAPTER, show, "hide") == Keep()


def test_a_word_of_the_readers_language_goes_before_an_english_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """In German D stands for the Deutsche, whom Anna lacks here: it must not become the Dutch, whom she has."""
    from msgspec.structs import replace

    state = rolled()
    state = replace(state, crews=(replace(state.crews[0], sailors=("D3",)), state.crews[1]))
    german = Words("de")
    assert asked(monkeypatch, SHANGHAIEN_ADAPTER, state, "joker d", words=german) == Joker("nudge", "G")
    assert asked(monkeypatch, SHANGHAIEN_ADAPTER, state, "joker dutch", words=german) == Joker("nudge", "D")


def test_what_can_be_looked_at_has_english_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, out = typing(monkeypatch, "cards", "yes", words=Words("ja"))
    talk.english_looks = {"cards": lambda: Text("A look round.")}
    assert talk.confirm("Well?")
    assert "A look round." in out.getvalue()


def test_help_explains_the_rules_of_this_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, out = typing(monkeypatch, "?", "? s4", "?S99", "look", "what", "yes")
    talk.rules = [("S4", "You roll or you shanghai."), ("S9", "The captain with more dice takes the card.")]
    talk.looks = {"look": lambda: Text("A look round.")}
    assert talk.confirm("Well?")
    said = out.getvalue()
    assert said.count("S4 You roll or you shanghai.") == 2
    assert said.count("S9 The captain with more dice takes the card.") == 1
    assert "Rule S99 does not matter here." in said
    assert "A look round." in said
    assert "“what” is not an answer here. Type ? for help." in said


HELP = {"en": "help", "de": "Hilfe", "fr": "aide", "it": "aiuto", "ja": "ヘルプ"}


@pytest.mark.parametrize("adapter", [SHANGHAIEN_ADAPTER, DUTCHMAN_ADAPTER], ids=lambda adapter: adapter.title)
@pytest.mark.parametrize("language", HELP)
def test_help_helps_in_every_language_in_both_games(
    monkeypatch: pytest.MonkeyPatch, language: str, adapter: TerminalAdapter
) -> None:
    words = Words(language)
    state = rolled() if adapter is SHANGHAIEN_ADAPTER else until("action")
    rules = adapter.rules(words, adapter.game.view(state, state.mover))
    assert rules
    for typed in ("?", "help", "HELP", HELP[language]):
        talk, out = typing(monkeypatch, typed, "yes", words=words)
        talk.rules = rules
        assert talk.confirm("Well?")
        said = "".join(out.getvalue().split())
        assert all(f"{number}{''.join(sentence.split())}" in said for number, sentence in rules)
    talk, out = typing(monkeypatch, f"{HELP[language]} {rules[0][0]}", "yes", words=words)
    talk.rules = rules
    assert talk.confirm("Well?")
    assert rules[0][0] in out.getvalue()


@pytest.mark.parametrize("language", HELP)
def test_the_words_of_a_language_and_english_ones_are_understood_in_both_games(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    words = Words(language)
    before = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="nudge"))
    before = SHANGHAIEN.play(before, Row(("A1", "F2", "G3", "C4", "D4", "S3")))
    acting = until("action", wanted=lambda state: len(state.merchants[state.mover].rack) > 4)
    with_check = Options(players=4, starter=0, check="on request")
    checking = next(state for _, _, state in steps_of(DUTCHMAN_ADAPTER, with_check, 1) if state.step == "check")
    cases: list[tuple[TerminalAdapter, Any, str, Any]] = [
        (SHANGHAIEN_ADAPTER, before, "roll", Roll()),
        (SHANGHAIEN_ADAPTER, before, "shanghai", Shanghai()),
        (SHANGHAIEN_ADAPTER, rolled(), "left", Number("left")),
        (SHANGHAIEN_ADAPTER, rolled(), "right", Number("right")),
        (DUTCHMAN_ADAPTER, acting, "kontor", Kontor()),
        (DUTCHMAN_ADAPTER, acting, "smith", Smith()),
        (DUTCHMAN_ADAPTER, acting, "pass", Pass()),
        (DUTCHMAN_ADAPTER, until("answer"), "accept", Accept()),
        (DUTCHMAN_ADAPTER, until("answer"), "decline", Decline()),
        (DUTCHMAN_ADAPTER, until("show"), "hide", Keep()),
        (DUTCHMAN_ADAPTER, checking, "check", Check()),
        (DUTCHMAN_ADAPTER, checking, "no check", Waive()),
    ]
    for adapter, state, typed, move in cases:
        for word in (typed, words.say(typed)):
            assert asked(monkeypatch, adapter, state, word, words=words) == move, word
    change = words.say("nudge {nudges}", nudges="3 4")
    assert asked(monkeypatch, SHANGHAIEN_ADAPTER, rolled(), change, words=words) == Nudge(3, 4)


@pytest.mark.parametrize("typed", ["q", "Quit", "exit"])
def test_leaving_is_possible_at_every_prompt(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    talk, _ = typing(monkeypatch, typed)
    with pytest.raises(Leave):
        talk.confirm("Well?")


# ---------------------------------------------------------------------------------------------------- the seats


def seat_list(given: list[str], adapter: TerminalAdapter = SHANGHAIEN_ADAPTER) -> list[tuple[str, str]]:
    return [(seat.name, seat.player) for seat in seats_from(given, adapter)]


def test_seats_are_people_or_machine_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "mina")
    assert seat_list([]) == [("Mina", "person"), ("Anna", "casual")]
    assert seat_list(["Anna"]) == [("Anna", "person"), ("Bernd", "casual")]
    assert seat_list(["random", "Anna"]) == [("Bernd", "random"), ("Anna", "person")]
    assert [name for name, _ in seat_list([], DUTCHMAN_ADAPTER)] == ["Mina", "Karin", "Helga", "Karl"]
    assert seat_list(["Anna", "Bernd = random"]) == [("Anna", "person"), ("Bernd", "random")]


@pytest.mark.parametrize("given", [["Anna", "anna"], ["Anna", ""], ["Anna", "Bernd=clever"]])
def test_seats_that_cannot_be_are_refused(given: list[str]) -> None:
    with pytest.raises(Refusal):
        seats_from(given, SHANGHAIEN_ADAPTER)


# -------------------------------------------------------------------------------------------------- whole games


def shoes_on_the_rack(shown: str) -> list[int]:
    """The horseshoes on the last rack shown: ``rack gold 45 30 silver 20×2 1``, which may go on in the next lines."""
    found = re.findall(r"(\d+)(?:×(\d+))?", re.split(r"\n(?!\d|silver)", shown.rsplit("\nrack ", 1)[1])[0])
    return [int(shoe) for shoe, count in found for _ in range(int(count or 1))]


class Robot:
    """Somebody who plays by what the screen says, and checks it before each answer."""

    def __init__(self, seed: int, out: io.StringIO, check: Callable[[str], None]) -> None:
        self._random = Random(seed)
        self._out = out
        self._check = check
        self._answers = 0

    def isatty(self) -> bool:
        return False

    def readline(self) -> str:
        text = self._out.getvalue()
        self._check(text)
        self._answers += 1
        assert self._answers < 3000, text[-2000:]
        lines = [line for line in text[-5000:].splitlines() if not line.startswith("?")]
        return f"{self._answer(lines)}\n"

    def _answer(self, lines: list[str]) -> str:
        begins = max(place for place, line in enumerate(lines) if re.match(r"[SH]\d+\w? ", line))
        hint = " ".join(lines[begins:])
        if "Enter or yes" in hint:
            return "yes"
        if "who pays" in hint:
            return "nobody"
        if "two shares to put back" in hint:
            return hint.rsplit(maxsplit=1)[-1]
        if "a destination" in hint:
            return self._random.choice(["none", "1", "2"])
        if "a number, or the name" in hint:
            return self._random.choice(["1", "2"])
        words = hint.partition(" ")[2].split(" · ")
        word = self._random.choice(words)
        if word.startswith("or play"):
            return str(self._random.choice(shoes_on_the_rack("\n".join(lines))))
        if word.startswith("joker"):
            return f"joker {word.split()[1]} {self._random.choice(['nudge', 'both', 'reroll'])}"
        if word.startswith("nudge"):
            return self._random.choice(word.split()[1:])
        return word.removeprefix("Enter or ").partition(" earns")[0]


@pytest.fixture(autouse=True)
def _no_luck(monkeypatch: pytest.MonkeyPatch) -> None:
    """The dice and the machine players do the same every time."""
    monkeypatch.setattr("kontor.terminal.begin.new_seed", lambda: bytes(32))
    monkeypatch.setattr("kontor.terminal.play.Random", lambda: Random(1))


def play_whole(
    monkeypatch: pytest.MonkeyPatch,
    plan: GamePlan,
    seed: int,
    check: Callable[[Session, str], None] = lambda session, text: None,
) -> str:
    """Plays a game to its end by a robot; what was printed."""
    out = io.StringIO()
    sessions: list[Session] = []
    monkeypatch.setattr("sys.stdin", Robot(seed, out, lambda text: check(sessions[0], text)))
    screen = Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False))
    sessions.append(begin(WORDS, screen, Keyboard(screen), plan))
    try:
        sessions[0].run()
    finally:
        sessions[0].close()
    return out.getvalue()


@pytest.mark.parametrize("seed", range(2))
def test_a_whole_game_of_shanghaien(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int) -> None:
    seats = [SeatAssignment("Anna", "person"), SeatAssignment("Bernd", "person" if seed else "random")]
    path = tmp_path / "game.jsonl"
    out = play_whole(
        monkeypatch, GamePlan(SHANGHAIEN_ADAPTER, ShanghaienOptions(first_trick="nudge"), seats, path), seed
    )
    result = verify(read(path)).result
    assert result
    assert out.count(" is over: ") == 8
    points = [int(line.split()[-1]) for line in out.splitlines() if line.startswith("points")]
    assert points == [result.points[0]]
    assert "Hand the keyboard" not in out  # nothing is hidden in Shanghaien


@pytest.mark.parametrize(("seats", "people"), [(3, 3), (4, 1), (5, 2), (6, 6)])
def test_pass_and_play_never_shows_anothers_secrets(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seats: int, people: int
) -> None:
    """At every prompt, what is on the screen since the curtain holds none of the others' golden horseshoes."""
    checked = 0

    def check(session: Session, text: str) -> None:
        nonlocal checked
        state: State = session._state
        shown = re.split("Press Enter to (?:go on|begin).", text)[-1].rsplit("Hand the keyboard to ", 1)[-1]
        if people > 1:
            assert shown.startswith(NAMES[state.mover])
        lays = [lain for revealed in state.revealed for lain in revealed.lays]
        public = {merchant.cash for merchant in state.merchants} | {total for _, total in state.rolls}
        public |= {state.lucky or 0, 30, 40}
        for lain in lays:
            public |= {*lain.horseshoes, lain.reading}
        for seat, merchant in enumerate(state.merchants):
            if seat != state.mover:
                secret = {shoe for shoe in (*merchant.rack, *(merchant.lay or ())) if shoe > MOST_SILVER}
                hidden = secret - set(merchant.known) - public
                checked += len(hidden)
                found = hidden & numbers_in(shown)
                assert not found, f"{NAMES[seat]} has {found}\n{shown}"
        assert shoes_on_the_rack(shown) == list(state.merchants[state.mover].rack)

    table = [SeatAssignment(name, "person" if seat < people else "random") for seat, name in enumerate(NAMES[:seats])]
    path = tmp_path / "game.jsonl"
    out = play_whole(monkeypatch, GamePlan(DUTCHMAN_ADAPTER, Options(players=seats), table, path), seats, check)
    assert verify(read(path)).result
    assert checked > 50
    assert ("Hand the keyboard" in out) == (people > 1)


def numbers_in(shown: str) -> set[int]:
    """Numbers that could be those of horseshoes."""
    others = ("chests", "stones", "shares", "Round", "  Lucky number")  # values, dice, and sums of the own lay
    lines = [line for line in shown.splitlines() if not line.startswith(others) and "lucky number" not in line]
    counted = r"= +\d+|\d+ +below|∩ *\d+|\d+ +horseshoes?|[A-Z]\w+ +\d+ \d \d +\d+"  # and the table of merchants
    plain = re.sub(counted, "", " ".join(lines))
    return {int(number) for number in re.findall(r"\d+", plain)}


def test_what_a_smith_draws_and_a_merchant_exchanges_is_told_to_them_alone() -> None:
    for _, seen, after in steps_of(DUTCHMAN_ADAPTER, Options(players=3), seed=4, watcher=1):
        said = " ".join(DUTCHMAN_ADAPTER.describe_event(WORDS, NAMES, seen.before, seen.event, seen.after))
        assert "New in the rack of Anna" not in said
        assert not re.search(r"(Anna|Carla) (plays a Kontor card and draws|puts \w+ and|lays [\d ]+ face down)", said)
        if isinstance(seen.event.action, Shuffle):
            assert not after.round


# ---------------------------------------------------------------------------------------- leaving and going on


def test_leaving_at_any_prompt_and_going_on_loses_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The table before leaving and after going on are the same, and so is the record."""
    path = tmp_path / "game.jsonl"
    seats = [SeatAssignment(name, "person") for name in NAMES[:3]]
    plan = GamePlan(DUTCHMAN_ADAPTER, Options(players=3, starter=0), seats, path)

    class Stop(Robot):
        left = 25

        def readline(self) -> str:
            self.left -= 1
            return super().readline() if self.left else "q\n"

    out = io.StringIO()
    monkeypatch.setattr("sys.stdin", Stop(3, out, lambda text: None))
    screen = Screen(Console(file=out, width=WIDTH, markup=False, emoji=False, highlight=False))
    session = begin(WORDS, screen, Keyboard(screen), plan)
    with pytest.raises(Leave):
        session.run()
    before = session._state
    session.close()
    written = path.read_bytes()
    again = Session(WORDS, screen, Keyboard(screen), path, RecordWriter.resume(path))
    assert again._state == before
    assert path.read_bytes() == written
    for watcher in (None, 0, 1, 2):
        assert again._chronicle.rounds(watcher) == session._chronicle.rounds(watcher)
    again.close()


def test_a_chart_of_ones_own_is_drawn(tmp_path: Path) -> None:
    text = files("kontor.games.dutchman.rules").joinpath("chart.toml").read_text("utf-8")
    chart = read_chart(text.replace("Madeira", "中国の島"))
    for line in printed(chart_drawing.page(WORDS, chart)):
        assert cell_len(line) <= WIDTH


# ---------------------------------------------------------------------------------------------------- languages


class Foreign(gettext.NullTranslations):
    """A language in which every letter is ж, so that whatever was not said through the words stands out."""

    def gettext(self, message: str) -> str:
        return re.sub(r"[^{}]+(?![^{]*})", lambda found: re.sub(r"[^\W\d_]", "ж", found[0]), message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@pytest.mark.parametrize(("adapter", "seats"), [(SHANGHAIEN_ADAPTER, 2), (DUTCHMAN_ADAPTER, 4)], ids=["S", "H"])
def test_every_sentence_goes_through_the_words(
    adapter: TerminalAdapter, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert adapter.report
    assert adapter.ending
    monkeypatch.setattr("gettext.translation", lambda *_, **__: Foreign())
    words = Words("ж")
    names = NAMES[:seats]
    shown: list[Any] = []
    steps: list[ObservedStep] = []
    for before, seen, after in steps_of(adapter, options_of(adapter, seats), seed=8, watcher=0):
        steps.append(seen)
        own = adapter.game.view(before, 0)
        shown += adapter.describe_event(words, names, own, seen.event, seen.after)
        shown.append(adapter.headline(words, names, own))
        shown += [f"{number[1:]} {rule}" for number, rule in adapter.rules(words, own)]
        if seen.after.round != seen.before.round:
            shown += [adapter.report(words, names, steps), adapter.board(words, names, own)]
            shown += [draw(words, names, own) for draw in adapter.looks.values()]
            steps = []
        if after.mover == OVER:
            shown.append(adapter.ending(words, names, adapter.game.view(after, None)))
    islands = "|".join(field.name for field in OURS.fields if not field.colour)
    text = re.sub(
        rf"\b({'|'.join(names)}|{islands}|Hol|Cey|Mad|Cur|Jav|Mau)\b|^\d\w? ", "", "\n".join(printed(*shown))
    )
    assert "ж" in text
    assert set(re.findall(r"\w*[a-zA-Z]\w*", re.sub(r"(?m)^\d+[a-d] ", "", text))) == set()
