"""H9: players who are equally near name destinations, and bargain."""

import pytest
from msgspec.structs import replace

from dutchman.rules.situations import THREE_NAME, TWO_NAME, equally_near
from dutchman.table import HELGA, KARIN, cash, go, hear, legal, refused_by, results, say, start, whose
from kontor.game import BadOptions
from kontor.games.dutchman.rules import DUTCHMAN, Options
from kontor.games.dutchman.rules.state import Propose


def test_H9_in_the_order_of_play_each_of_them_names_a_destination() -> None:
    state = equally_near(starter=HELGA)
    for name in ("Helga", "Anne", "Karin"):
        assert whose(state) == f"{name}: name"
        assert set(legal(state)) == {"names blue 1", "names orange 3", "names Curaçao"}
        state = go(state, f"{name} names {'blue 1' if name == 'Karin' else 'Curaçao'}")
    assert state.bargain is not None
    assert state.bargain.named == ("Curaçao", "Curaçao", "blue 1")


def test_H9_only_where_the_Dutchman_may_go() -> None:
    state = replace(equally_near(), came_from="orange 3")
    assert set(legal(state)) == {"names blue 1", "names Curaçao"}
    assert refused_by(state, "Karin names orange 3") == "H8"
    assert refused_by(state, "Karin names Java") == "H8"


def test_H9_all_the_same_and_it_is_moved_there() -> None:
    state = go(equally_near(), "Karin names Curaçao / Helga names Curaçao / Anne names Curaçao")
    assert state.dutchman == "Curaçao"
    assert results(state) == [
        "Karin and Helga and Anne agree",
        "from yellow 3 to Curaçao, moved by Karin and Helga and Anne",
    ]


def test_H9_majorities_do_not_count() -> None:
    state = go(equally_near(), "Karin names Curaçao / Helga names Curaçao / Anne names blue 1")
    assert state.dutchman == "yellow 3"
    assert whose(state) == "Karin: propose"


def test_H9_ruling_in_the_order_of_play_each_may_make_one_proposal() -> None:
    state = go(equally_near(starter=HELGA), "names Curaçao / names blue 1 / names orange 3")
    for name in ("Helga", "Anne", "Karin"):
        assert whose(state) == f"{name}: propose"
        state = go(state, f"{name} withholds")
    assert whose(state) == "Helga: propose"  # the second circle


def test_H9_ruling_a_proposal_is_a_destination_and_payments_between_the_tied() -> None:
    state = go(equally_near((2, 1, 25), tied=2), TWO_NAME)
    # three destinations; of three ducats Karin can have 0, 1, 2 or 3 afterwards
    payments = ("", ": Karin -2, Helga +2", ": Karin -1, Helga +1", ": Karin +1, Helga -1")
    expected = [f"proposes {to}{pay}" for to in ("blue 1", "orange 3", "Curaçao") for pay in payments]
    assert sorted(legal(state)) == sorted(["withholds", *expected])


def test_H9_ruling_a_destination_that_nobody_named_may_be_proposed() -> None:
    state = go(equally_near(tied=2), f"{TWO_NAME} / Karin proposes orange 3 / Helga accepts")
    assert state.dutchman == "orange 3"


def test_H9_ruling_the_others_answer_in_turn() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin withholds / Helga proposes Curaçao")
    assert legal(state) == ["accepts", "declines"]
    assert whose(state) == "Anne: answer"  # round the table from Helga
    state = go(state, "Anne accepts")
    assert whose(state) == "Karin: answer"
    assert state.dutchman == "yellow 3"  # not before all have accepted
    assert go(state, "Karin accepts").dutchman == "Curaçao"


def test_H9_ruling_one_who_declines_ends_the_proposal() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Karin -3, Helga +3 / Helga declines")
    assert whose(state) == "Helga: propose"  # Anne is not asked any more
    assert cash(state) == [25, 25, 25]
    state = go(state, "Helga proposes Curaçao: Karin -3, Helga +3 / Anne accepts / Karin declines")
    assert whose(state) == "Anne: propose"
    assert cash(state) == [25, 25, 25]
    assert state.dutchman == "yellow 3"


def test_H9_ruling_with_all_accepting_the_payments_are_made_and_the_Dutchman_moves() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Karin -3, Helga +1, Anne +2")
    state = go(state, "Helga accepts / Anne accepts")
    assert cash(state) == [22, 26, 27]
    assert results(state) == [
        "Karin and Helga and Anne agree: Karin -3, Helga +1, Anne +2",
        "from yellow 3 to Curaçao, moved by Karin and Helga and Anne",
    ]


def test_H9_ruling_any_of_the_tied_may_be_asked_to_pay_or_be_paid() -> None:
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Helga -25, Anne +25")
    assert cash(go(state, "Helga accepts / Anne accepts")) == [25, 0, 50]
    state = go(equally_near(), f"{THREE_NAME} / Karin proposes Curaçao: Karin +8, Helga -5, Anne -3")
    assert cash(go(state, "Helga accepts / Anne accepts")) == [33, 20, 22]


def test_H9_ruling_up_to_the_cash_they_have() -> None:
    state = go(equally_near((4, 25, 25)), THREE_NAME)
    assert "Karin -4" in say(state, hear(state, "proposes Curaçao: Karin -4, Helga +4"))
    assert DUTCHMAN.play(state, hear(state, "proposes Curaçao: Karin -4, Helga +4")).mover == HELGA
    for payment in ("Karin -5, Helga +5", "Karin -5, Helga +2, Anne +3", "Helga -26, Karin +26"):
        assert refused_by(state, f"proposes Curaçao: {payment}") == "H9"


def test_H9_ruling_ducats_are_whole() -> None:
    half = Propose("Curaçao", (-0.5, 0.5, 0))  # type: ignore[arg-type]
    assert half not in DUTCHMAN.moves(go(equally_near(), THREE_NAME))
    assert refused_by(go(equally_near(), THREE_NAME), half) == "H9"


def test_H9_ruling_what_is_paid_is_what_is_got() -> None:
    state = go(equally_near(), THREE_NAME)
    for payment in ("Karin -5", "Helga +1", "Karin -3, Helga +1, Anne +1", "Karin -1, Helga +1, Anne +1"):
        assert refused_by(state, f"proposes Curaçao: {payment}") == "H9"


def test_H9_ruling_only_the_tied_are_party_to_a_bargain() -> None:
    state = equally_near(tied=2)
    assert state.bargain is not None
    assert state.bargain.tied == (KARIN, HELGA)
    state = go(state, TWO_NAME)
    assert refused_by(state, Propose("Curaçao", (-3, 0, 3))) == "H9"
    state = go(state, "Karin proposes Curaçao: Karin -3, Helga +3 / Helga accepts")
    assert cash(state) == [22, 28, 25]
    assert results(state)[-1] == "from yellow 3 to Curaçao, moved by Karin and Helga"


def test_H9_ruling_one_pays_before_the_Dutchman_comes() -> None:
    """Check a payment with a share value of 7: Helga has 3 ducats, and with Karin's four she can pay."""
    deal_ = f"{TWO_NAME} / Karin proposes blue 1: Karin -4, Helga +4 / Helga accepts"
    assert cash(go(equally_near((25, 3, 25), tied=2), deal_)) == [25 - 4 - 7, 0, 25]
    assert (
        results(go(equally_near((25, 3, 25), tied=2), deal_))[-1]
        == "blue at 7: Karin has 1 and pays 7, Helga has 1 and pays 7"
    )
    state = go(equally_near((25, 2, 25), tied=2), deal_)
    assert results(state)[-1] == "bankrupt: Helga"


@pytest.mark.parametrize("circles", range(6))
def test_H9_ruling_two_circles_or_as_many_as_agreed_from_0_to_5(circles: int) -> None:
    assert Options().circles == 2
    state = go(equally_near(tied=2, circles=circles), TWO_NAME)
    for circle in range(circles):
        for name in ("Karin", "Helga"):
            assert whose(state) == f"{name}: propose", circle
            state = go(state, f"{name} withholds")
    assert whose(state) == "Karin: again"
    assert results(state) == ["no agreement: Karin and Helga decide"]


def test_H9_ruling_also_declined_proposals_come_to_an_end() -> None:
    state = go(equally_near(tied=2), TWO_NAME)
    for _ in range(2):
        state = go(state, "Karin proposes Curaçao / Helga declines / Helga proposes blue 1 / Karin declines")
    assert whose(state) == "Karin: again"


@pytest.mark.parametrize("circles", [-1, 6])
def test_H9_ruling_no_other_number_of_circles(circles: int) -> None:
    with pytest.raises(BadOptions, match=rf"0 to 5 bargaining rounds, not {circles}\. \(H9\)"):
        start(circles=circles)
