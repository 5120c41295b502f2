"""The end of a game of Shanghaien as a page: the result, and how the game went."""

import re
from itertools import pairwise

import pytest

from kontor.games.shanghaien import words as shanghaien_words
from kontor.games.shanghaien.rules import SHANGHAIEN
from kontor.games.shanghaien.rules.scoring import comparisons
from kontor.games.shanghaien.web.tale import afterwards, course, label, outcome, reasons, scale
from web.elements import check_sound, find, read
from web.shanghaien_page.tavern import NAMES, WORDS, html, steps, whole_game


def test_the_end_says_who_won_and_how_the_totals_come_about() -> None:
    *_, (_, _, over) = steps(3)
    result = SHANGHAIEN.result(over)
    assert result is not None
    assert len(result.winners) == 1
    for seat in (0, 1, None):
        me = seat or 0
        root = read(html(over, seat, (), whole_game(3, seat)))
        (winner,) = find(find(root, id="sh-outcome")[0], class_="captain")
        assert ("mine" if result.winners[0] == me else "theirs") in winner.classes
        last = find(root, id="sh-last")[0]
        assert all(shanghaien_words.comparison(WORDS, NAMES, row) in last.spoken for row in comparisons(over.crews))
        assert find(last, class_="mine")[-1].spoken == str(result.points[me])
        assert find(last, class_="theirs")[-1].spoken == str(result.points[1 - me])


@pytest.mark.parametrize("seed", range(6))
def test_the_tale_of_a_game_follows_its_points(seed: int) -> None:
    story = whole_game(seed)
    score = afterwards(WORDS, NAMES, None, [story])
    last = story[-1][3]
    assert last.result is not None
    assert (score[-1], len(score)) == (last.result.points, 9)
    lines = [y for _, y in scale(score)]
    for seat in (0, 1):
        spots = course(score, seat)
        assert [x for x, _ in spots] == list(range(0, 401, 50))
        assert all(lines[-1] <= y <= lines[0] for _, y in spots)
        drawn = zip([points[seat] for points in score], [y for _, y in spots], strict=True)
        for (before, was), (after, now) in pairwise(drawn):
            assert (before < after) == (now < was)
    assert abs(label(score, 0, 0) - label(score, 1, 0)) >= 26
    ahead = [one - other for one, other in score]
    if ahead[-1]:
        winner, sentence = NAMES[0 if ahead[-1] > 0 else 1], outcome(WORDS, NAMES, score)
        assert sentence.startswith((winner, f"It was decided in the last round: {winner}"))
        if match := re.search(r"took the lead in round (\d)", sentence):
            since = int(match[1])
            assert all(lead * ahead[-1] > 0 for lead in ahead[since:])
            assert ahead[since - 1] * ahead[-1] <= 0


def test_the_end_shows_how_the_game_went_and_tells_the_result_once() -> None:
    for seat in (0, 1, None):
        story = whole_game(3, seat)
        *_, (_, _, over) = steps(3)
        score = afterwards(WORDS, NAMES, None, [story])
        root = read(html(over, seat, story[-3:], story))
        check_sound(root)
        assert find(root, id="sh-outcome")[0].spoken == outcome(WORDS, NAMES, score)
        section = find(root, id="sh-tale")[0]
        assert all(sentence in section.spoken for sentence in reasons(WORDS, NAMES, score, over.crews))
        assert shanghaien_words.headline(WORDS, NAMES, SHANGHAIEN.view(over, seat)) not in root.spoken
        assert len(find(section, class_="spot")) == 18
        assert len([element for element in section.all() if element.tag == "tr"]) == 9


def test_y2_in_the_tale_too_my_line_is_mine() -> None:
    """Check that the reader's line shows their own points, for both players and an onlooker."""
    story = whole_game(3)
    for seat in (0, 1, None):
        tale = find(read(html([*steps(3)][-1][2], seat, (), story)), id="sh-tale")[0]
        mine = next(line for line in tale.all() if line.tag == "g" and "mine" in line.classes)
        assert find(mine, class_="sum")[0].text == str(story[-1][3].result.points[seat or 0])
