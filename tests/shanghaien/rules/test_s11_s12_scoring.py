"""S11 and S12: points, and who wins."""

import pytest

from kontor.game import Result
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.scoring import compare, comparisons, totals
from shanghaien.table import ANNA, BERND, crew, go, position


def final_totals(anna: str, bernd: str) -> tuple[int, int]:
    """Return the totals of two crews at the end of a game: in the last round every card leaves."""
    table = position(anna=anna, bernd=bernd, dice=("1 6", "1 6"), round_number=8)
    over = go(table, "shanghai")
    assert (crew(over, ANNA), crew(over, BERND)) == (crew(table, ANNA), crew(table, BERND))
    result = SHANGHAIEN.result(over)
    assert result is not None
    assert result.points == totals(over.crews)
    return result.points[0], result.points[1]


@pytest.mark.parametrize(
    ("anna", "bernd", "points"),
    [
        pytest.param("F3 F4", "F1 F2", (3, 0), id="the higher sum scores the lower sum"),
        pytest.param("F1", "F2", (0, 1), id="so it does for the other"),
        pytest.param("F1 F4", "F2 F3", (0, 0), id="equal sums score nothing"),
        pytest.param("F3 F3 F4 F1 F2", "", (13, 0), id="who alone has some scores the own sum"),
        pytest.param("", "S1 S2", (0, 3), id="so does the other"),
        pytest.param("F1 joker:nudge:F", "F2", (2, 0), id="a joker counts two: 3 to 2"),
        pytest.param("F1 joker:nudge:F", "F3", (0, 0), id="a joker counts two: 3 to 3"),
        pytest.param("F1 joker:nudge:F", "F4", (0, 3), id="a joker counts two: 3 to 4"),
        pytest.param("F1 joker:nudge:F joker:nudge:F", "", (5, 0), id="each joker counts two"),
        pytest.param("A4 F1 G1 G2 C3", "A3 F2 G3 D4", (3 + 3, 1 + 4), id="each nation for itself"),
        pytest.param("nudge nudge both", "reroll", (3, 1), id="each unused trick is one point"),
        pytest.param("F1 joker:nudge:F", "", (3, 0), id="a joker is not unused"),
        pytest.param("", "F1 joker:nudge:F both", (0, 4), id="a joker and an unused trick"),
    ],
)
def test_S11_crews_score(anna: str, bernd: str, points: tuple[int, int]) -> None:
    assert final_totals(anna, bernd) == points


@pytest.mark.parametrize(
    ("strengths", "points", "because"),
    [
        ((0, 0), (0, 0), "none"), ((5, 5), (0, 0), "equal"), ((5, 0), (5, 0), "alone"), ((0, 7), (0, 7), "alone"),
        ((5, 3), (3, 0), "lower"), ((3, 5), (0, 3), "lower"),
    ],
)  # fmt: skip
def test_S11_a_comparison_says_why(strengths: tuple[int, int], points: tuple[int, int], because: str) -> None:
    comparison = compare("F", strengths)
    assert (comparison.strengths, comparison.points, comparison.because) == (strengths, points, because)


def test_S11_worked_example_seven_to_eight() -> None:
    """Score Spaniards, French, Americans, Chinese, and one unused trick of Bernd's, as in the rulebook."""
    anna = "S3 joker:nudge:S joker:reroll:S F1 F4 A1 A2 A3 C1"
    bernd = "F2 F3 A3 A4 C3 C3 C4 both"
    assert final_totals(anna, bernd) == (7, 8)
    crews = position(anna=anna, bernd=bernd).crews
    table = {row.nation: (row.strengths, row.points) for row in comparisons(crews) if any(row.strengths)}
    assert table == {"S": ((7, 0), (7, 0)), "F": ((5, 5), (0, 0)), "A": ((6, 7), (0, 6)), "C": ((1, 10), (0, 1))}


def final_result(anna: str, bernd: str) -> Result | None:
    return SHANGHAIEN.result(go(position(anna=anna, bernd=bernd, dice=("1 6", "1 6"), round_number=8), "shanghai"))


def test_S12_most_points_win() -> None:
    assert final_result("F4", "S3") == Result(points=(4, 3), winners=(ANNA,))
    assert final_result("F3", "S4") == Result(points=(3, 4), winners=(BERND,))
    assert final_result("F4", "F3 nudge") == Result(points=(3, 1), winners=(ANNA,))


def test_S12_ruling_equal_points_are_a_draw() -> None:
    assert final_result("F4", "S4") == Result(points=(4, 4), winners=(ANNA, BERND))
    assert final_result("", "") == Result(points=(0, 0), winners=(ANNA, BERND))


def test_S12_nobody_has_won_before_the_end() -> None:
    assert SHANGHAIEN.result(position(round_number=8, dice=("1 1 1 1 1", "2 2 2 2 2"))) is None
