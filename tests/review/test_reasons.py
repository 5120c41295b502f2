"""Reasons why a move was better, in the words of each game: the sentence for each difference."""

from typing import Any

import pytest
from msgspec.structs import replace

from kontor.games.dutchman import review as dutchman
from kontor.games.dutchman.rules.state import Kontor, Lay, Put, Sail, Smith
from kontor.games.dutchman.rules.view import View as DutchmanView
from kontor.games.shanghaien import review as shanghaien
from kontor.games.shanghaien.review import CardOutlook
from kontor.games.shanghaien.rules.components import ROUNDS
from kontor.games.shanghaien.rules.state import Nudge, Place, Roll, Shanghai
from kontor.games.shanghaien.rules.view import View as ShanghaienView
from kontor.plugins import game_named
from kontor.records import Record, replay
from kontor.words import Words
from review.games import dutchman_record, shanghaien_record

WORDS = Words("en")
NAMES = ("Anna", "Bernd", "Carla")


def first_view(record: Record, step: str, more: Any = lambda state: True) -> Any:
    """Return the mover's view of the first state of a game with this step."""
    game = game_named(record.header.game)
    state = next(state for state in replay(record) if state.mover >= 0 and state.step == step and more(state))
    return game.view(state, state.mover)


@pytest.fixture
def sea() -> DutchmanView:
    view: DutchmanView = first_view(dutchman_record("three-players.txt"), "action")
    return view


def voyage(**more: Any) -> dutchman.Outlook:
    """Return the outlook of a round; ``ducats`` is the change of everybody's cash."""
    usual: dict[str, Any] = {"wealth": -2.0, "horseshoes": -3.0, "helm": 0.5, "over": 0.0}
    usual["cash"] = (more.pop("ducats", -2.0),) * 3
    return dutchman.Outlook(**{**usual, "fields": (("Madeira", 0.6), ("Holland", 0.4)), **more})


@pytest.mark.parametrize(
    ("better", "beginnings"),
    [
        (
            {"fields": (("Holland", 0.9), ("Madeira", 0.1))},
            ["The Dutchman would probably have gone to Holland, not to"],
        ),
        (
            {"fields": (("Madeira", 0.9), ("Holland", 0.1))},
            ["The Dutchman would have been more likely to go to Madeira."],
        ),
        ({"helm": 0.9}, ["{mover} would have steered in 90 of 100 simulated rounds, instead of 50."]),
        ({"helm": 0.1}, ["{mover} would have steered in 10 of 100 simulated rounds, instead of 50."]),
        ({"ducats": 3.2}, ["By the end of the round {mover} would have had about 5 ducats more."]),
        ({"wealth": 8.0}, ["Counting shares, {mover} would have been about 10 ducats richer."]),
        ({"horseshoes": -0.4}, ["3 more horseshoes would have been left for later rounds.", "In ducats both moves"]),
        ({"horseshoes": -2.1}, ["1 more horseshoe would have been left for later rounds.", "In ducats both moves"]),
        ({"wealth": -9.0}, ["In this round that costs {mover} about 7 ducats; it pays in the rounds that follow."]),
        ({"horseshoes": 5.0, "over": 1.0}, []),
        ({"over": 1.0}, []),
        (
            {"ducats": -1.2, "wealth": -2.4},
            [
                "After both moves the Dutchman would probably go to Madeira in this round.",
                "Either way {mover} would be about 2 ducats poorer at its end; the difference shows later.",
            ],
        ),
    ],
)
def test_a_difference_of_the_imagined_rounds_of_the_hollaender_is_told(
    sea: DutchmanView, better: dict[str, Any], beginnings: list[str]
) -> None:
    sentences = dutchman.why(WORDS, NAMES, sea, (Lay((45,)), voyage()), (Smith(), voyage(**better)))
    assert len(sentences) == len(beginnings)
    for sentence, wanted in zip(sentences, beginnings, strict=True):
        assert sentence.startswith(wanted.format(mover=NAMES[sea.mover]))


def test_whom_the_better_move_would_have_cost_most_is_told(sea: DutchmanView) -> None:
    for seat in range(3):
        cash = tuple(-9.0 if at == seat else -4.0 for at in range(3))
        sentences = dutchman.why(WORDS, NAMES, sea, (Smith(), voyage()), (Lay((45,)), voyage(cash=cash)))
        whom = seat if seat != sea.mover else min({0, 1, 2} - {seat})
        assert sentences == [f"{NAMES[whom]} would have had about {7 if whom == seat else 2} ducats less."]


def test_h6a_which_shares_are_kept_and_what_they_are_worth_is_told(sea: DutchmanView) -> None:
    shares = ("blue", "blue", "yellow", "red", "violet")
    five = replace(sea, shares=shares, stones=(3, 1, 1, 1, 2, 1), ahead=("blue 1", "red 1", "Holland"))
    moves = Put(("blue", "blue")), Put(("yellow", "violet"))
    sentences = dutchman.why(WORDS, NAMES, five, *[(move, voyage()) for move in moves])
    assert sentences == [
        f"{NAMES[sea.mover]} keeps blue, blue and red, worth 11 ducats now, "
        "instead of yellow, red and violet, worth 7.",
        "If the Dutchman met every ship within its reach, these shares would cost 11 ducats, the others 3.",
    ]


def test_where_the_better_move_keeps_the_game_going_it_is_told(sea: DutchmanView) -> None:
    sentences = dutchman.why(WORDS, NAMES, sea, (Sail("Madeira"), voyage(over=1.0)), (Sail("Holland"), voyage()))
    assert sentences == ["The game would have gone on."]


def test_where_the_better_move_itself_sails_need_not_be_told(sea: DutchmanView) -> None:
    outlook = voyage(fields=(("Holland", 1.0),), ducats=4.0)
    sentences = dutchman.why(WORDS, NAMES, sea, (Sail("Madeira"), voyage()), (Sail("Holland"), outlook))
    assert sentences == [f"By the end of the round {NAMES[sea.mover]} would have had about 6 ducats more."]


def test_the_outlook_of_the_hollaender_counts_what_happened_to_whoever_decides(sea: DutchmanView) -> None:
    game = game_named("dutchman")
    states = list(replay(dutchman_record("three-players.txt")))
    start = next(place for place, state in enumerate(states) if state.mover >= 0)
    end = next(place for place in range(start, len(states)) if states[place].round == 2)
    happened = tuple(happening for state in states[start + 1 : end + 1] for happening in state.happened)
    after = game.view(states[end], sea.mover)
    outlook = dutchman.outlook(sea, [(after, happened)] * 3)
    for seat in range(3):
        assert outlook.cash[seat] == after.players[seat].cash - sea.players[seat].cash
    assert outlook.horseshoes == len(after.rack) - len(sea.rack)
    assert outlook.fields == ((states[end].dutchman, 1.0),)
    assert outlook.over == 0
    assert outlook.helm in (0.0, 1.0)
    assert dutchman.move(WORDS, NAMES, sea, Kontor()) == "Kontor card"


@pytest.fixture
def bar() -> ShanghaienView:
    view: ShanghaienView = first_view(
        shanghaien_record("starter-by-lot.txt"), "turn", lambda state: sum(state.placed[state.turn]) >= 2
    )
    return view


def outlook_of_cards(view: ShanghaienView, *shares: tuple[float, float]) -> shanghaien.Outlook:
    """Return an outlook with the cards' shares from the left, the mover's first; all others leave the game."""
    given = [*shares, *[(0.0, 0.0)] * (len(view.row) - len(shares))]
    turned = [pair[::-1] if view.mover else pair for pair in given]
    return shanghaien.Outlook(tuple(map(CardOutlook, view.row, turned)))


def test_the_cards_that_the_better_move_wins_or_keeps_from_the_other_are_told(bar: ShanghaienView) -> None:
    played = outlook_of_cards(bar, (0.1, 0.2), (0.0, 0.9), (0.5, 0.0), (0.3, 0.3))
    best = outlook_of_cards(bar, (0.4, 0.2), (0.0, 0.4), (0.5, 0.0), (0.0, 0.9))
    sentences = shanghaien.why(WORDS, NAMES, bar, (Place(1), played), (Place(2), best))
    mine, others = NAMES[bar.mover], NAMES[1 - bar.mover]
    assert [sentence.split(" gets ")[0].split()[-1] for sentence in sentences] == [others, mine]
    assert sentences[0].endswith("in 90 of 100 simulations; after the better move, in 40.")
    assert sentences[1].endswith("in 10 of 100 simulations; after the better move, in 40.")


def test_s4_where_one_move_ends_the_round_only_the_other_leaves_the_cards_open(bar: ShanghaienView) -> None:
    sure, open_ = outlook_of_cards(bar, (1.0, 0.0)), outlook_of_cards(bar, (0.3, 0.6))
    late = shanghaien.why(WORDS, NAMES, bar, (Roll(), open_), (Shanghai(), sure))
    early = shanghaien.why(WORDS, NAMES, bar, (Shanghai(), open_), (Roll(), sure))
    assert late[0].startswith(f"Ending the round brings {NAMES[bar.mover]} ")
    assert late[1].startswith(f"If the round goes on, {NAMES[bar.mover]} gets ")
    assert late[1].endswith(" in 30 of 100 simulations.")
    assert early[0].startswith(f"Ending the round brings {NAMES[bar.mover]} ")
    assert early[1].endswith(" in 100 of 100 simulations.")


def test_s11_what_the_cards_come_to_in_points_is_told(bar: ShanghaienView) -> None:
    name, last = NAMES[bar.mover], replace(bar, round=ROUNDS)

    def sentences(view: ShanghaienView, played: dict[str, float], best: dict[str, float]) -> list[str]:
        same = outlook_of_cards(bar)
        return shanghaien.why(
            WORDS, NAMES, view, (Place(4), replace(same, **played)), (Place(3), replace(same, **best))
        )

    assert sentences(bar, {"lead": -1.0}, {"lead": 1.5}) == [
        f"At the end of the round {name} is 2.5 points better off against the opponent, on average."
    ]
    assert sentences(bar, {"lead": 1.0}, {"lead": 0.2}) == [
        f"In this round that costs {name} 0.8 points, on average; it pays in the rounds that follow."
    ]
    assert sentences(last, {"ahead": 0.2, "lead": 1.0}, {"ahead": 0.9, "lead": -1.0}) == [
        f"At the end {name} is ahead in 90 of 100 simulations, instead of 20."
    ]
    assert sentences(bar, {"starts": 0.2}, {"starts": 0.5}) == [
        f"The points come to about the same; but {name} starts the next round in 50 of 100 simulations, "
        "instead of 20."
    ]
    assert sentences(bar, {"lead": 0.1}, {"lead": 0.3}) == [
        "In this round both come to about the same (0.2 points apart on average): the difference shows later."
    ]


def test_s11_what_a_trick_card_would_still_have_been_good_for(bar: ShanghaienView) -> None:
    same = outlook_of_cards(bar)
    last = replace(bar, round=ROUNDS)
    early = shanghaien.why(WORDS, NAMES, bar, (Nudge(3, 4), same), (Place(3), same))
    late = shanghaien.why(WORDS, NAMES, last, (Nudge(3, 4), same), (Place(3), same))
    assert early == ["The trick card would have been saved for a better moment."]
    assert late == ["Unused, the trick card would have been worth a point."]
    assert shanghaien.why(WORDS, NAMES, last, (Place(4), same), (Place(3), same)) == []
