"""Quick and simple judges, for tests that ask for them."""

import pytest

from kontor.players import Judge
from review.judges import DUTCHMAN_JUDGE, SHANGHAIEN_JUDGE

_JUDGES: dict[str, Judge] = {"shanghaien": SHANGHAIEN_JUDGE, "dutchman": DUTCHMAN_JUDGE}


@pytest.fixture
def simple_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the judges: a review treats the judgements of all judges alike."""
    monkeypatch.setattr("kontor.review.judging.judge_named", _JUDGES.__getitem__)
