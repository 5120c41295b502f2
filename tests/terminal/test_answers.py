"""Typed answers: they are understood leniently, and illegal ones are refused by their rule."""

from typing import Any

import msgspec
import pytest
from rich.text import Text

from kontor.game import Refusal
from kontor.games.dutchman.questions.proposing import terms_read
from kontor.games.dutchman.rules.chart import OURS
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
    Smith,
    State,
    Waive,
    Withhold,
)
from kontor.games.dutchman.rules.view import Inspected
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules import Options as ShanghaienOptions
from kontor.games.shanghaien.rules.state import Dice, Joker, Nudge, Number, Place, Reroll, Roll, Row, Shanghai
from kontor.questions import Choice, matching
from kontor.terminal.adapter import TerminalAdapter
from kontor.terminal.prompt import Leave
from kontor.words import Words
from terminal.sessions import (
    DUTCHMAN_ADAPTER,
    NAMES,
    SHANGHAIEN_ADAPTER,
    WORDS,
    ask_move,
    printed,
    steps_of,
    type_answers,
    until,
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("roll", ["roll"]), ("R", ["roll", "reroll"]), ("ro", ["roll"]), ("curacao", ["Curaçao"]),
        ("  JOKER   f ", ["joker French"]), ("1", ["1"]), ("", []), ("rolls", []),
    ],
)  # fmt: skip
def test_answers_are_read_leniently(typed: str, meant: list[str]) -> None:
    choices = [
        Choice(form, (form,)) for form in ("roll", "reroll", "Curaçao", "joker French", "joker Germans", "1", "10")
    ]
    assert [choice.value for choice in matching(typed, choices)] == meant


def rolled_state() -> Any:
    """Return a first round in which Anna has rolled 3 and 5, with a nudge card and two nations."""
    state = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="nudge"))
    for action in (Row(("A1", "F2", "G3", "C4", "D4", "S3")), Roll(), Dice(3, 5)):
        state = SHANGHAIEN.play(state, action)
    return state


@pytest.mark.parametrize(
    ("typed", "move"),
    [
        ("left", Number("left")), ("RI", Number("right")), ("3+", Nudge(3, 4)), ("5-", Nudge(5, 4)),
        ("nudge 3 up", Nudge(3, 4)), ("n 5 6", Nudge(5, 6)), ("5 d", Nudge(5, 4)),
    ],
)  # fmt: skip
def test_moves_of_shanghaien_are_understood(monkeypatch: pytest.MonkeyPatch, typed: str, move: Any) -> None:
    assert ask_move(monkeypatch, SHANGHAIEN_ADAPTER, rolled_state(), typed) == move


@pytest.mark.parametrize(
    ("typed", "rule"),
    [("3", "S7"), ("roll", "S6"), ("shanghai", "S6"), ("both", "S8"), ("joker french", "S8"), ("nudge 1 2", "S8b")],
)
def test_what_the_rules_refuse_is_understood_and_refused_by_its_rule(
    monkeypatch: pytest.MonkeyPatch, typed: str, rule: str
) -> None:
    state = rolled_state()
    move = ask_move(monkeypatch, SHANGHAIEN_ADAPTER, state, typed)
    with pytest.raises(Refusal) as refused:
        SHANGHAIEN.play(state, move)
    assert refused.value.rule.startswith(rule)


def test_with_several_kinds_of_trick_cards_a_joker_names_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    from msgspec.structs import replace

    state = rolled_state()
    crew = replace(state.crews[0], tricks=("both", "nudge", "reroll"), sailors=("F3", "G1"))
    state = replace(state, crews=(crew, state.crews[1]))
    assert ask_move(monkeypatch, SHANGHAIEN_ADAPTER, state, "joker f", "joker f nudge") == Joker("nudge", "F")
    assert ask_move(monkeypatch, SHANGHAIEN_ADAPTER, state, "reroll") == Reroll()


def test_actions_of_the_dutchman_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    state = until("action", wanted=lambda state: len(state.merchants[state.mover].rack) > 4)
    rack = state.merchants[state.mover].rack
    shoes = tuple(sorted((rack[0], rack[-1]), reverse=True))
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, "k") == Kontor()
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, "Smi") == Smith()
    for typed in (
        f"{rack[0]} -{rack[-1]}",
        f"play {rack[-1]}, {rack[0]}",
        f"{rack[0]}−{rack[-1]}",
        f"{rack[0]}+{rack[-1]}",
    ):
        assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, typed, "yes") == Lay(shoes)
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, f"{rack[0]}", "no", f"{rack[-1]}", "y") == Lay((rack[-1],))
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, "play", "a", "y") == Lay((rack[0],))
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, "play", "back", "smith") == Smith()


@pytest.mark.parametrize(("typed", "rule"), [("pass", "H6d"), ("99 1", "H6c"), ("20 20 20 20", "H6c")])
def test_actions_that_the_rules_refuse_name_the_rule(monkeypatch: pytest.MonkeyPatch, typed: str, rule: str) -> None:
    state = until("action", wanted=lambda state: len(state.merchants[state.mover].rack) > 4)
    move = ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, typed)
    with pytest.raises(Refusal) as refused:
        DUTCHMAN_ADAPTER.game.play(state, move)
    assert refused.value.rule == rule


def test_h11a_the_check_is_asked_for_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    checking = Options(players=4, starter=0, check="on request")
    state = next(after for _, _, after in steps_of(DUTCHMAN_ADAPTER, checking, 0) if after.step == "check")
    for typed in ("check", "c", "yes"):
        assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, typed) == Check()
    for typed in ("no", "no check"):
        assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, typed) == Waive()


def test_h11a_the_pile_shows_what_is_known_by_the_check() -> None:
    state = until("action")
    view = DUTCHMAN_ADAPTER.game.view(state, 0)
    checked = msgspec.structs.replace(view, inspection=Inspected(("blue",) * 6, (0,) * 4, ()))
    text = " ".join(" ".join(printed(DUTCHMAN_ADAPTER.looks["pile"](WORDS, NAMES, checked))).split())
    assert "The top 6 shares of the pile, in unknown order: blue, blue, blue, blue, blue and blue." in text
    assert "The top" not in " ".join(printed(DUTCHMAN_ADAPTER.looks["pile"](WORDS, NAMES, view)))


def test_two_shares_are_put_back_by_letters_or_words(monkeypatch: pytest.MonkeyPatch) -> None:
    state = until("put", wanted=lambda state: len(set(state.merchants[state.mover].shares)) == 5)
    one, other = state.merchants[state.mover].shares[:2]
    for typed in (f"{other} {one}", f"{one[0]} {other[0]}", f"{one[0]}{other[0]}", f"{other[0].upper()}, {one[0]}"):
        assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, typed) == Put((one, other))


def test_h8_a_destination_is_named_by_number_sign_or_name(monkeypatch: pytest.MonkeyPatch) -> None:
    state = until("sail", wanted=lambda state: any(not state.sea.ship[to] for to in _fields_ahead(state)))
    ahead = _fields_ahead(state)
    island = next(to for to in ahead if not state.sea.ship[to])
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, str(ahead.index(island) + 1)) == Sail(island)
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, island[:3].lower()) == Sail(island)
    elsewhere = next(field.name for field in OURS.fields if field.name not in ahead and not field.colour)
    with pytest.raises(Refusal, match="H8"):
        DUTCHMAN_ADAPTER.game.play(state, ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, elsewhere))
    named = until("name")
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, named, "1") == Name(_fields_ahead(named)[0])


def _fields_ahead(state: State) -> tuple[str, ...]:
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
    to = _fields_ahead(state)[0]
    mine, other = state.bargain.tied.index(state.mover), state.bargain.tied[state.bargain.tied[0] == state.mover]
    ducats = tuple(
        3 if place == mine else -3 if seat == other else 0 for place, seat in enumerate(state.bargain.tied)
    )
    name = NAMES[other]
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, "1", f"{name} pays me 3", "yes") == Propose(to, ducats)
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, f"1, {name} 3", "yes") == Propose(to, ducats)
    nothing = Propose(to, (0,) * len(ducats))
    assert ask_move(monkeypatch, DUTCHMAN_ADAPTER, state, "1", "bogus", "nobody", "no", "1", "nobody", "y") == nothing


@pytest.mark.parametrize("language", ["de", "fr", "it", "ja"])
def test_english_words_are_understood_in_every_language(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    """Check English words because the manual has them, and a Latin keyboard cannot type the Japanese ones."""
    words = Words(language)

    def answer_with(adapter: TerminalAdapter, state: Any, *answers: str) -> Any:
        return ask_move(monkeypatch, adapter, state, *answers, words=words)

    before = SHANGHAIEN.start(ShanghaienOptions(starter=0, first_trick="nudge"))
    before = SHANGHAIEN.play(before, Row(("A1", "F2", "G3", "C4", "D4", "S3")))
    assert answer_with(SHANGHAIEN_ADAPTER, before, "roll") == Roll()
    assert answer_with(SHANGHAIEN_ADAPTER, before, "shanghai") == Shanghai()
    for typed, move in (("left", Number("left")), ("nudge 3 up", Nudge(3, 4)), ("nudge 5 down", Nudge(5, 4))):
        assert answer_with(SHANGHAIEN_ADAPTER, rolled_state(), typed) == move
    numbered = SHANGHAIEN.play(rolled_state(), Number("left"))
    assert answer_with(SHANGHAIEN_ADAPTER, numbered, "place the 3") == Place(3)

    state = until("action", wanted=lambda state: len(state.merchants[state.mover].rack) > 4)
    shoe = state.merchants[state.mover].rack[0]
    for typed, dutch in (("kontor", Kontor()), ("smith", Smith()), ("pass", Pass())):
        assert answer_with(DUTCHMAN_ADAPTER, state, typed) == dutch
    assert answer_with(DUTCHMAN_ADAPTER, state, f"play {shoe}", "no", "play", "back", f"play {shoe}", "yes") == Lay(
        (shoe,)
    )
    put = until("put", wanted=lambda state: len(set(state.merchants[state.mover].shares)) == 5)
    one, other = put.merchants[put.mover].shares[:2]
    assert answer_with(DUTCHMAN_ADAPTER, put, f"{other} {one}") == Put((one, other))
    bargain = until("propose", wanted=lambda state: all(merchant.cash > 5 for merchant in state.merchants))
    assert answer_with(DUTCHMAN_ADAPTER, bargain, "none") == Withhold()
    assert bargain.bargain
    tied = bargain.bargain.tied
    payer = tied[tied[0] == bargain.mover]
    move = answer_with(DUTCHMAN_ADAPTER, bargain, "1", f"{NAMES[payer]} pays me 3", "yes")
    assert (move.ducats[tied.index(bargain.mover)], move.ducats[tied.index(payer)]) == (3, -3)
    answer = until("answer")
    assert answer_with(DUTCHMAN_ADAPTER, answer, "accept") == Accept()
    assert answer_with(DUTCHMAN_ADAPTER, answer, "decline") == Decline()
    show = until("show")
    assert answer_with(DUTCHMAN_ADAPTER, show, "hide") == Keep()


def test_a_word_of_the_readers_language_goes_before_an_english_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check D in German: it means the Deutsche, whom Anna lacks here, and not the Dutch, whom she has."""
    from msgspec.structs import replace

    state = rolled_state()
    state = replace(state, crews=(replace(state.crews[0], sailors=("D3",)), state.crews[1]))
    german = Words("de")
    assert ask_move(monkeypatch, SHANGHAIEN_ADAPTER, state, "joker d", words=german) == Joker("nudge", "G")
    assert ask_move(monkeypatch, SHANGHAIEN_ADAPTER, state, "joker dutch", words=german) == Joker("nudge", "D")


def test_what_can_be_looked_at_has_english_names_too(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, out = type_answers(monkeypatch, "cards", "yes", words=Words("ja"))
    talk.english_looks = {"cards": lambda: Text("A look round.")}
    assert talk.confirm("Well?")
    assert "A look round." in out.getvalue()


def test_help_explains_the_rules_of_this_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, out = type_answers(monkeypatch, "?", "? s4", "?S99", "look", "what", "yes")
    talk.rules = [("S4", "You roll or you shanghai."), ("S9", "The captain with more dice takes the card.")]
    talk.looks = {"look": lambda: Text("A look round.")}
    assert talk.confirm("Well?")
    output = out.getvalue()
    assert output.count("S4 You roll or you shanghai.") == 2
    assert output.count("S9 The captain with more dice takes the card.") == 1
    assert "Rule S99 does not matter here." in output
    assert "A look round." in output
    assert "“what” is not an answer here. Type ? for help." in output


HELP = {"en": "help", "de": "Hilfe", "fr": "aide", "it": "aiuto", "ja": "ヘルプ"}


@pytest.mark.parametrize("adapter", [SHANGHAIEN_ADAPTER, DUTCHMAN_ADAPTER], ids=lambda adapter: adapter.title)
@pytest.mark.parametrize("language", HELP)
def test_help_helps_in_every_language_in_both_games(
    monkeypatch: pytest.MonkeyPatch, language: str, adapter: TerminalAdapter
) -> None:
    words = Words(language)
    state = rolled_state() if adapter is SHANGHAIEN_ADAPTER else until("action")
    rules = adapter.rules(words, adapter.game.view(state, state.mover))
    assert rules
    for typed in ("?", "help", "HELP", HELP[language]):
        talk, out = type_answers(monkeypatch, typed, "yes", words=words)
        talk.rules = rules
        assert talk.confirm("Well?")
        output = "".join(out.getvalue().split())
        assert all(f"{number}{''.join(sentence.split())}" in output for number, sentence in rules)
    talk, out = type_answers(monkeypatch, f"{HELP[language]} {rules[0][0]}", "yes", words=words)
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
        (SHANGHAIEN_ADAPTER, rolled_state(), "left", Number("left")),
        (SHANGHAIEN_ADAPTER, rolled_state(), "right", Number("right")),
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
            assert ask_move(monkeypatch, adapter, state, word, words=words) == move, word
    change = words.say("nudge {nudges}", nudges="3 4")
    assert ask_move(monkeypatch, SHANGHAIEN_ADAPTER, rolled_state(), change, words=words) == Nudge(3, 4)


@pytest.mark.parametrize("typed", ["q", "Quit", "exit"])
def test_leaving_is_possible_at_every_prompt(monkeypatch: pytest.MonkeyPatch, typed: str) -> None:
    talk, _ = type_answers(monkeypatch, typed)
    with pytest.raises(Leave):
        talk.confirm("Well?")
