"""The sentence in every language on how the opponents are assumed to play."""

import pytest

from kontor.players.levels import level_name
from kontor.review import adapter_of, assumed_opponents
from kontor.words import Words


@pytest.mark.parametrize(("game", "level"), [("shanghaien", "expert"), ("dutchman", "steady")])
def test_the_level_of_the_opponents_is_said_in_every_language(game: str, level: str) -> None:
    assert adapter_of(game).opponents == level
    sentences = []
    for language in ("en", "de", "fr", "it", "ja"):
        words = Words(language)
        sentences.append(assumed_opponents(words, game))
        assert level_name(words, level) in sentences[-1]
    assert len(set(sentences)) == 5
