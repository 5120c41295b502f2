"""The page about what ratings are worth: for everyone, with the numbers of the API, and without any while few."""

from datetime import UTC, date, datetime

import pytest

from kontor.ratings.values import Calibration, ChanceClass, Fits
from kontor.server.composition import KontorServer
from kontor.storage.stored_times import milliseconds_of
from web.conftest import Served
from web.guests import Guest

TOTAL = ChanceClass(0.0, 1.0, 300, 0.672, 0.68, 0.625, 0.73)
CLASSES = (
    ChanceClass(0.5, 0.6, 120, 0.553, 0.56, 0.47, 0.646),
    ChanceClass(0.6, 0.8, 100, 0.691, 0.7, 0.604, 0.781),
    ChanceClass(0.8, 1.0, 80, 0.861, 0.85, 0.756, 0.912),
)
MEASURED = Calibration("shanghaien", 300, date(2026, 1, 3), date(2026, 11, 30), 0.2042, 0.25, TOTAL, CLASSES)


def calibrated(service: KontorServer, *calibrations: Calibration) -> None:
    """Store calibrations as if calculated tonight."""
    now = milliseconds_of(datetime.now(UTC))
    service.ratings.keep(Fits(now, (), 1.0, 100, calibrations=calibrations), pause=0)


def test_everyone_reads_how_often_favourites_won(served: Served, anna: Guest) -> None:
    calibrated(served.service, MEASURED)
    html = anna.get("/best/shanghaien/calibration").html
    assert "Favourites win about as often as their ratings say." in html
    assert "Expected: 67%. Won: 68%." in html
    assert '<td class="number">120</td>' in html
    assert html.count('<circle cx="') - anna.get("/best/dutchman/calibration").html.count('<circle cx="') == len(
        CLASSES
    )
    assert "Brier score: 0.204." in html
    assert "From 300 games that ended between 2026-01-03 and 2026-11-30." in html
    assert '/best/shanghaien/calibration"' in anna.get("/best/shanghaien").html


@pytest.mark.parametrize(("chance", "sentence"), [(0.6, "more often"), (0.75, "less often")])
def test_the_page_says_when_the_scale_is_wrong(served: Served, anna: Guest, chance: float, sentence: str) -> None:
    total = ChanceClass(0.0, 1.0, 300, chance, 0.68, 0.625, 0.73)
    calibrated(
        served.service,
        Calibration("shanghaien", 300, date(2026, 1, 3), date(2026, 11, 30), 0.2, 0.25, total, CLASSES),
    )
    assert f"Favourites win {sentence} than their ratings say" in anna.get("/best/shanghaien/calibration").html


def test_with_few_games_the_page_shows_none(anna: Guest) -> None:
    html = anna.get("/best/dutchman/calibration").html
    assert "There are too few games so far: it takes 50 games" in html
    assert "<table" not in html
    assert anna.get("/best/chess/calibration").status == 404


def test_programs_read_the_same_numbers(served: Served, anna: Guest) -> None:
    calibrated(served.service, MEASURED)
    answer = anna.client.get("/api/best/shanghaien/calibration").json()
    assert (answer["games"], answer["first"], answer["score"]) == (300, "2026-01-03", 0.2042)
    assert [one["share"] for one in answer["classes"]] == [0.56, 0.7, 0.85]
    assert anna.client.get("/api/best/dutchman/calibration").json()["total"] is None
    assert anna.client.get("/api/best/chess/calibration").status_code == 404
